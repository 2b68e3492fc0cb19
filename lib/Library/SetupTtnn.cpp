//===- SetupTtnn.cpp - An environment with the vendor's library -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ChildProcess.h"
#include "TtnnFiles.h"

#include "tessera/Library/TtnnLibrary.h"
#include "tessera/Support/AtomicFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

using Command = std::vector<std::string>;

/// What the library imports when it is asked without torch. Its own list asks for much more, torch not among it.
const Command kRequirements = {"numpy<2", "loguru", "networkx", "graphviz",
                               "click",   "pyyaml", "pydantic", "ml_dtypes"};

Command plus(Command command, const Command &words) {
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

/// The commands that make the environment, in order.
std::vector<Command> commands(const PythonMaker &maker, llvm::StringRef version,
                              const std::string &environment, const std::string &package) {
  std::string python = pythonOf(environment), library = "ttnn==" + version.str();
  Command make = maker.isUv ? Command{maker.program, "venv", "--quiet", "--python", "3.10", environment}
                            : Command{maker.program, "-m", "venv", environment};
  Command install = maker.isUv
                        ? Command{maker.program, "pip", "install", "--quiet", "--python", python}
                        : Command{python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"};
  return {make,
          plus(install, {"--no-deps", library}),
          plus(install, kRequirements),
          {python, "-I", package, "install-compiler"}};
}

llvm::Error noPython() {
  return llvm::createStringError("ttnn needs Python 3.10 or 3.12, and there is neither, nor uv, which brings "
                                 "one: see https://docs.astral.sh/uv, or name a Python with --python");
}

} // namespace

llvm::Expected<TtnnLibrary> tessera::setupTtnn(llvm::StringRef version, llvm::StringRef python) {
  std::string environment = environmentOf(version);
  TtnnLibrary library{version.str(), pythonOf(environment)};
  llvm::Expected<std::string> package = unpackPackage();
  if (!package)
    return package.takeError();
  if (llvm::sys::fs::exists(readyMark(environment)))
    return library;
  std::optional<PythonMaker> maker =
      python.empty() ? findPythonMaker() : std::optional(PythonMaker{python.str(), false});
  if (!maker)
    return noPython();
  // What a run that was stopped has left cannot be told from what is whole.
  if (std::error_code code = llvm::sys::fs::remove_directories(environment))
    return llvm::createStringError(code, "cannot remove '" + environment + "': " + code.message());
  for (const Command &command : commands(*maker, version, environment, *package))
    if (llvm::Error error = runChild(command))
      return error;
  if (llvm::Error error =
          writeFileAtomically(readyMark(environment), [&](llvm::raw_ostream &os) { os << version << "\n"; }))
    return error;
  return library;
}
