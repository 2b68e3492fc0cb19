//===- PythonEnvironment.cpp - Environments of Python in the cache folder -===//
// Part of Tessera, under the Apache License v2.0.
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
  if (!path::cache_directory(folder))
    path::system_temp_directory(/*erasedOnReboot=*/false, folder);
  path::append(folder, "tessera", part);
  return folder.str().str();
}

std::string tessera::pythonOf(llvm::StringRef environment) { return joined(environment, "bin/python"); }
std::string tessera::readyMark(llvm::StringRef environment) { return joined(environment, "tessera.ready"); }

llvm::Error tessera::unpackFiles(llvm::StringRef folder,
                                 llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> files) {
  for (auto [name, content] : files) {
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
  return llvm::Error::success();
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

std::optional<PythonMaker> tessera::findPythonMaker(llvm::ArrayRef<llvm::StringRef> versions) {
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

/// The commands that make the environment, in order.
std::vector<Command> commands(const PythonMaker &maker, const EnvironmentRecipe &recipe) {
  std::string python = pythonOf(recipe.folder);
  Command make =
      maker.isUv
          ? Command{maker.program, "venv", "--quiet", "--python", recipe.pythons.front().str(), recipe.folder}
          : Command{maker.program, "-m", "venv", recipe.folder};
  Command install = maker.isUv
                        ? Command{maker.program, "pip", "install", "--quiet", "--python", python}
                        : Command{python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"};
  std::vector<Command> all{make};
  for (const Command &packages : recipe.packages)
    all.push_back(plus(install, packages));
  for (const Command &words : recipe.andThen)
    all.push_back(plus({python}, words));
  return all;
}

llvm::Error noPython(const EnvironmentRecipe &recipe) {
  return llvm::createStringError(recipe.part + " needs Python " + llvm::join(recipe.pythons, " or ") +
                                 ", and there is neither, nor uv, which brings "
                                 "one: see https://docs.astral.sh/uv, or name a Python with --python");
}

} // namespace

llvm::Error tessera::makeEnvironment(const EnvironmentRecipe &recipe, llvm::StringRef python) {
  if (fs::exists(readyMark(recipe.folder)))
    return llvm::Error::success();
  std::optional<PythonMaker> maker =
      python.empty() ? findPythonMaker(recipe.pythons) : std::optional(PythonMaker{python.str(), false});
  if (!maker)
    return noPython(recipe);
  // What a run that was stopped has left cannot be told from what is whole.
  if (std::error_code code = fs::remove_directories(recipe.folder))
    return llvm::createStringError(code, "cannot remove '" + recipe.folder + "': " + code.message());
  for (const Command &command : commands(*maker, recipe))
    if (llvm::Error error = runChild(command))
      return error;
  return writeFileAtomically(readyMark(recipe.folder),
                             [&](llvm::raw_ostream &os) { os << path::filename(recipe.folder) << "\n"; });
}
