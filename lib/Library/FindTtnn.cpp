//===- FindTtnn.cpp - Where the vendor's library is -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A library is what the user names, else the version that is asked for as `tessera setup` has installed it. No other
// place is looked at: a library that happens to be in some Python is of an unknown version, and its answers would be,
// too.
//
//===----------------------------------------------------------------------===//
#include "TtnnFiles.h"

#include "tessera/Library/TtnnLibrary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace tessera;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace tessera::ttnn_package {
extern const llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> kFiles;
} // namespace tessera::ttnn_package

std::string tessera::ttnnFolder() { return cacheFolderOf("ttnn"); }

std::string tessera::ttnnCallsVersion() { return hashOf(ttnn_package::kFiles); }

std::string tessera::ttnnAnswers() { return joined(ttnnFolder(), "answers.sqlite"); }

std::string tessera::environmentOf(llvm::StringRef version) {
  return joined(ttnnFolder(), ("venv-" + version).str());
}
// The versions that wheels of the library are built for.
std::vector<llvm::StringRef> tessera::ttnnPythons() { return {"3.10", "3.12"}; }

std::vector<TtnnLibrary> tessera::installedTtnn() {
  std::vector<TtnnLibrary> found;
  std::error_code code;
  // A folder that is not there has no versions, which is no error.
  for (fs::directory_iterator it(ttnnFolder(), code), end; !code && it != end; it.increment(code)) {
    llvm::StringRef version = path::filename(it->path());
    // Without the mark an installation was broken off, or is under way.
    if (version.consume_front("venv-") && fs::exists(readyMark(it->path())))
      found.push_back({version.str(), pythonOf(it->path())});
  }
  // As numbers: 0.9 is before 0.10.
  llvm::sort(found, [](const TtnnLibrary &a, const TtnnLibrary &b) {
    return llvm::StringRef(a.version).compare_numeric(b.version) < 0;
  });
  return found;
}

/// Of the library that the Python of an environment has, by the folder that installers leave beside it; "" if it is elsewhere.
static std::string versionBeside(llvm::StringRef python) {
  std::error_code code;
  std::string libraries = joined(path::parent_path(path::parent_path(python)), "lib");
  for (fs::directory_iterator it(libraries, code), end; !code && it != end; it.increment(code)) {
    std::string packages = joined(it->path(), "site-packages");
    for (fs::directory_iterator in(packages, code); !code && in != end; in.increment(code)) {
      llvm::StringRef name = path::filename(in->path());
      if (name.consume_front("ttnn-") && name.consume_back(".dist-info"))
        return name.str();
    }
    // Or a folder without packages would end the search in the next ones.
    code.clear();
  }
  return "";
}

llvm::Expected<TtnnLibrary> tessera::findTtnn(llvm::StringRef version) {
  // What the user names outranks what was set up (docs/judge.md), and is an error if it cannot be run: another
  // library in its place would answer for a version that nobody asked for.
  if (std::optional<std::string> named = llvm::sys::Process::GetEnv(kTtnnVariable)) {
    if (fs::can_execute(*named))
      return TtnnLibrary{versionBeside(*named), *named};
    return llvm::createStringError(kTtnnVariable + " names '" + *named + "', which cannot be run");
  }
  if (fs::exists(readyMark(environmentOf(version))))
    return TtnnLibrary{version.str(), pythonOf(environmentOf(version))};
  return llvm::createStringError("ttnn " + version + " is not there; 'tessera setup ttnn" +
                                 (version == kTtnnVersion ? "" : " --version " + version.str()) +
                                 "' installs it");
}

llvm::Expected<std::string> tessera::unpackPackage() {
  return unpackFiles(joined(ttnnFolder(), "python"), ttnn_package::kFiles);
}
