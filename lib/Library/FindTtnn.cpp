//===- FindTtnn.cpp - Where the vendor's library is -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "TtnnFiles.h"

#include "tessera/Library/TtnnLibrary.h"
#include "tessera/Support/AtomicFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace tessera::ttnn_package {
extern const llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> kFiles;
} // namespace tessera::ttnn_package

std::string tessera::joined(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<128> whole(folder);
  path::append(whole, name);
  return whole.str().str();
}

std::string tessera::ttnnFolder() {
  llvm::SmallString<128> folder;
  if (!path::cache_directory(folder))
    path::system_temp_directory(/*erasedOnReboot=*/false, folder);
  path::append(folder, "tessera", "ttnn");
  return folder.str().str();
}

std::string tessera::ttnnAnswers() { return joined(ttnnFolder(), "answers.sqlite"); }

std::string tessera::environmentOf(llvm::StringRef version) {
  return joined(ttnnFolder(), ("venv-" + version).str());
}
std::string tessera::pythonOf(llvm::StringRef environment) { return joined(environment, "bin/python"); }
std::string tessera::readyMark(llvm::StringRef environment) { return joined(environment, "tessera.ready"); }

std::vector<TtnnLibrary> tessera::installedTtnn() {
  std::vector<TtnnLibrary> found;
  std::error_code code;
  for (fs::directory_iterator it(ttnnFolder(), code), end; !code && it != end; it.increment(code)) {
    llvm::StringRef version = path::filename(it->path());
    // Without the mark an installation was broken off, or is under way.
    if (version.consume_front("venv-") && fs::exists(readyMark(it->path())))
      found.push_back({version.str(), pythonOf(it->path())});
  }
  llvm::sort(found, [](const TtnnLibrary &a, const TtnnLibrary &b) { return a.version < b.version; });
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
  std::string folder = joined(ttnnFolder(), "ttnn");
  for (auto [name, content] : ttnn_package::kFiles) {
    std::string file = joined(folder, name);
    auto there = llvm::MemoryBuffer::getFile(file);
    // Compared by content, as a newer tessera brings other files, and written only then: another process may be
    // running them.
    if (there && (*there)->getBuffer() == content)
      continue;
    if (std::error_code code = fs::create_directories(path::parent_path(file)))
      return llvm::createStringError(code,
                                     "cannot make '" + path::parent_path(file) + "': " + code.message());
    llvm::StringRef bytes = content;
    if (llvm::Error error = writeFileAtomically(file, [bytes](llvm::raw_ostream &os) { os << bytes; }))
      return error;
  }
  return folder;
}

/// The first Python of these versions below pyenv's folder.
static std::optional<std::string> findInPyenv(llvm::StringRef version) {
  llvm::SmallString<128> versions;
  if (std::optional<std::string> root = llvm::sys::Process::GetEnv("PYENV_ROOT"))
    versions = *root;
  else if (path::home_directory(versions))
    path::append(versions, ".pyenv");
  path::append(versions, "versions");
  std::vector<std::string> found;
  std::error_code code;
  for (fs::directory_iterator it(versions, code), end; !code && it != end; it.increment(code)) {
    std::string python = joined(it->path(), "bin/python" + version.str());
    if (path::filename(it->path()).starts_with(version) && fs::can_execute(python))
      found.push_back(python);
  }
  llvm::sort(found);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::optional<PythonMaker> tessera::findPythonMaker() {
  if (llvm::ErrorOr<std::string> uv = llvm::sys::findProgramByName("uv"))
    return PythonMaker{*uv, true};
  // The library has wheels for these two.
  for (llvm::StringRef version : {"3.10", "3.12"}) {
    // A shim of pyenv is there for every version that any folder might choose, and mostly fails.
    if (std::optional<std::string> python = findInPyenv(version))
      return PythonMaker{*python, false};
    if (llvm::ErrorOr<std::string> python = llvm::sys::findProgramByName("python" + version.str()))
      return PythonMaker{*python, false};
  }
  return std::nullopt;
}
