//===- PythonEnvironment.cpp - Environments of Python in the cache folder -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Environments are made in the user's cache folder, one per package and version, and are either whole or not there: a
// mark is written last, and what has none is removed and made again. Nothing outside of that folder is changed.
//
//===----------------------------------------------------------------------===//
#include "PythonEnvironment.h"
#include "ChildProcess.h"

#include "tessera/Support/AtomicFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string tessera::joined(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<128> whole(folder);
  path::append(whole, name);
  return whole.str().str();
}

std::string tessera::cacheFolderOf(llvm::StringRef part) {
  llvm::SmallString<128> folder;
  // Without a home: the temporary folder that outlives a restart, since nothing should be downloaded twice.
  if (!path::cache_directory(folder))
    path::system_temp_directory(/*erasedOnReboot=*/false, folder);
  path::append(folder, "tessera", part);
  return folder.str().str();
}

std::string tessera::pythonOf(llvm::StringRef environment) { return joined(environment, "bin/python"); }
std::string tessera::readyMark(llvm::StringRef environment) { return joined(environment, "tessera.ready"); }

std::string tessera::hashOf(llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> files) {
  // Names and contents with an end after each, so that no two lists of files run into the same bytes.
  llvm::SHA1 contents;
  for (auto [name, content] : files)
    for (llvm::StringRef part : {name, content}) {
      contents.update(part);
      contents.update(llvm::StringRef("\0", 1));
    }
  // 64 bits of it: against chance, not against malice.
  return llvm::toHex(contents.final(), /*LowerCase=*/true).substr(0, 16);
}

llvm::Expected<std::string>
tessera::unpackFiles(llvm::StringRef parent,
                     llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> files) {
  std::string folder = joined(parent, hashOf(files));
  for (auto [name, content] : files) {
    std::string file = joined(folder, name);
    auto there = llvm::MemoryBuffer::getFile(file);
    // One that was stopped may have left fewer of them. Written only then: another process may be running them.
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
    // The folder has the whole version in its name, 3.12.4, and the program the first two numbers.
    std::string python = joined(it->path(), "bin/python" + version.str());
    if (path::filename(it->path()).starts_with(version) && fs::can_execute(python))
      found.push_back(python);
  }
  // Folders come in any order; the same Python is to be found on every run.
  llvm::sort(found);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::optional<PythonMaker> tessera::findPythonMaker(llvm::ArrayRef<llvm::StringRef> versions) {
  // First, since it fetches a Python of a version that will do where none is installed.
  if (llvm::ErrorOr<std::string> uv = llvm::sys::findProgramByName("uv"))
    return PythonMaker{*uv, true};
  for (llvm::StringRef version : versions) {
    // A shim of pyenv is there for every version that any folder might choose, and mostly fails.
    if (std::optional<std::string> python = findInPyenv(version))
      return PythonMaker{*python, false};
    if (llvm::ErrorOr<std::string> python = llvm::sys::findProgramByName("python" + version.str()))
      return PythonMaker{*python, false};
  }
  return std::nullopt;
}

namespace {

using Command = std::vector<std::string>;

Command plus(Command command, const Command &words) {
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

/// How pip and uv say that they reached no server.
constexpr llvm::StringLiteral kNoNetwork[] = {"NewConnectionError", "NameResolutionError",
                                              "Failed to fetch",    "error sending request",
                                              "ConnectTimeout",     "ReadTimeout"};

/// What the user can do about a package that was not installed, by what pip or uv said.
llvm::Error notInstalled(llvm::StringRef part, const Command &packages, llvm::StringRef said) {
  if (llvm::any_of(kNoNetwork, [&](llvm::StringRef words) { return said.contains(words); }))
    return llvm::createStringError(
        part +
        " cannot be installed: PyPI cannot be reached; look at the network (HTTPS_PROXY names a proxy, "
        "PIP_INDEX_URL or UV_INDEX_URL a mirror) and run this again");
  llvm::SmallVector<llvm::StringRef> lines;
  said.split(lines, '\n', -1, /*KeepEmpty=*/false);
  llvm::StringRef last = lines.empty() ? "it said nothing" : lines.back().trim();
  // Without options of pip, which are not what it lacks.
  auto wanted =
      llvm::make_filter_range(packages, [](llvm::StringRef word) { return !word.starts_with("-"); });
  return llvm::createStringError(part + " cannot be installed: pip has no '" + llvm::join(wanted, " ") +
                                 "' for this Python and system: " + last);
}

/// Makes it, step by step.
llvm::Error make(const PythonMaker &maker, const EnvironmentRecipe &recipe) {
  std::string python = pythonOf(recipe.folder);
  Command empty =
      maker.isUv
          ? Command{maker.program, "venv", "--quiet", "--python", recipe.pythons.front().str(), recipe.folder}
          : Command{maker.program, "-m", "venv", recipe.folder};
  // pip's own notice of a newer pip would be the last line that it says, which is the one that an error shows.
  Command install = maker.isUv
                        ? Command{maker.program, "pip", "install", "--quiet", "--python", python}
                        : Command{python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"};
  if (llvm::Error error = runChild(empty))
    return error;
  // One call each: options such as --no-deps hold for all packages of a call.
  for (const Command &packages : recipe.packages) {
    std::string said;
    if (llvm::Error error = runChildQuietly(plus(install, packages), said)) {
      llvm::consumeError(std::move(error)); // which says no more than that pip failed
      return notInstalled(recipe.part, packages, said);
    }
  }
  for (const Command &words : recipe.andThen)
    if (llvm::Error error = runChild(plus({python}, words)))
      return error;
  return llvm::Error::success();
}

llvm::Error noPython(const EnvironmentRecipe &recipe) {
  return llvm::createStringError(recipe.part + " needs Python " + llvm::join(recipe.pythons, " or ") +
                                 ", and there is neither, nor uv, which brings "
                                 "one: see https://docs.astral.sh/uv, or name a Python with --python");
}

} // namespace

llvm::Error tessera::makeEnvironment(const EnvironmentRecipe &recipe, llvm::StringRef python) {
  // First, so that a mistyped name is told of where all is there, too.
  if (!python.empty())
    if (llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(python);
        !program || !fs::can_execute(*program))
      return llvm::createStringError("--python: '" + python + "' is no program; " + recipe.part +
                                     " needs Python " + llvm::join(recipe.pythons, " or "));
  if (fs::exists(readyMark(recipe.folder)))
    return llvm::Error::success();
  std::optional<PythonMaker> maker =
      python.empty() ? findPythonMaker(recipe.pythons) : std::optional(PythonMaker{python.str(), false});
  if (!maker)
    return noPython(recipe);
  // What a run that was stopped has left cannot be told from what is whole.
  if (std::error_code code = fs::remove_directories(recipe.folder))
    return llvm::createStringError(code, "cannot remove '" + recipe.folder + "': " + code.message());
  if (llvm::Error error = make(*maker, recipe)) {
    // Hundreds of megabytes that nobody will look at. NOLINTNEXTLINE(bugprone-unused-return-value)
    fs::remove_directories(recipe.folder);
    return error;
  }
  // Last: the mark is what tells a whole environment from one that was broken off.
  return writeFileAtomically(readyMark(recipe.folder),
                             [&](llvm::raw_ostream &os) { os << path::filename(recipe.folder) << "\n"; });
}
