//===- JaxCompiler.cpp - The public compiler for models of JAX ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The compiler is a package of Python and needs minutes, so it runs as a child by files: request and answer as JSON,
// and the console's streams for it to tell how far it is. JAX alone and JAX with PyTorch are two environments, since
// the second is ten times as large and models of JAX need only the first.
//
//===----------------------------------------------------------------------===//
#include "tessera/Library/JaxCompiler.h"
#include "ChildProcess.h"
#include "PythonEnvironment.h"

#include "tessera/Library/TtnnLibrary.h"
#include "tessera/Support/AtomicFile.h"
#include "tessera/Support/TemporaryFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;

namespace tessera::jax_package {
extern const llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> kFiles;
} // namespace tessera::jax_package

/// The compiler alone.
static EnvironmentRecipe withJax() {
  return {"jax-tt-plugin",
          joined(cacheFolderOf("jax"), ("venv-" + kJaxVersion).str()),
          {"3.12", "3.13"},
          // The JAX that this version was tried with: it reads JAX's modules, of which each has its own form.
          {{"jax-tt-plugin==" + kJaxVersion.str(), "jax==0.12.0.1"}},
          {}};
}

/// The compiler and PyTorch. torchax 0.0.13 knows no newer one.
static EnvironmentRecipe withTorch() {
  EnvironmentRecipe recipe = withJax();
  recipe.part = "torch";
  recipe.folder = joined(cacheFolderOf("jax"), ("torch-" + kTorchVersion).str());
  recipe.packages.front().insert(recipe.packages.front().end(),
                                 {"torch==" + kTorchVersion.str(), "torchax==0.0.13"});
  return recipe;
}

// What the user names outranks what was set up, and is never replaced by it: whoever names a Python wants its
// versions.
static llvm::Expected<std::string> pythonIn(const EnvironmentRecipe &recipe, const llvm::Twine &isNotThere) {
  if (std::optional<std::string> named = llvm::sys::Process::GetEnv(kJaxVariable)) {
    if (fs::can_execute(*named))
      return *named;
    return llvm::createStringError(kJaxVariable + " names '" + *named + "', which cannot be run");
  }
  if (fs::exists(readyMark(recipe.folder)))
    return pythonOf(recipe.folder);
  return llvm::createStringError(isNotThere);
}

static llvm::Expected<std::string> setUp(const EnvironmentRecipe &recipe, llvm::StringRef python) {
  if (llvm::Error error = makeEnvironment(recipe, python))
    return error;
  return pythonOf(recipe.folder);
}

llvm::Expected<std::string> tessera::findJax() {
  return pythonIn(withJax(),
                  "jax-tt-plugin " + kJaxVersion + " is not there; 'tessera setup jax' installs it");
}

llvm::Expected<std::string> tessera::setupJax(llvm::StringRef python) { return setUp(withJax(), python); }

llvm::Expected<std::string> tessera::findTorch() {
  return pythonIn(withTorch(), "torch " + kTorchVersion +
                                   " is not there; 'tessera setup torch' installs it, or " + kJaxVariable +
                                   " names a Python of yours that has torch, torchax, jax and jax-tt-plugin");
}

llvm::Expected<std::string> tessera::setupTorch(llvm::StringRef python) { return setUp(withTorch(), python); }

static json::Object toJson(const JaxRequest &request) {
  json::Object object{{"level", request.level}};
  // A module has its arguments and their shapes in itself, and a model knows which of its tensors are weights; only a
  // function needs both said.
  if (!request.stablehlo.empty()) {
    object["stablehlo"] = request.stablehlo;
    return object;
  }
  object["shapes"] = json::Array(request.shapes);
  if (!request.model.empty()) {
    object["model"] = request.model;
    return object;
  }
  object["function"] = request.function;
  object["parameters"] = json::Array(request.parameters);
  object["donated"] = json::Array(request.donated);
  return object;
}

llvm::Expected<std::string> tessera::findSfpi() {
  if (std::optional<std::string> named = llvm::sys::Process::GetEnv(kSfpiVariable))
    return *named;
  // The plugin unpacks it, with all that its own library needs to run, into a folder that has a hash in its name.
  std::error_code error;
  for (fs::directory_iterator it(joined(cacheFolderOf("jax"), "chips"), error), end; it != end && !error;
       it.increment(error))
    if (std::string sfpi = joined(it->path(), "runtime/sfpi"); fs::is_directory(joined(sfpi, "compiler")))
      return sfpi;
  return llvm::createStringError("there is no compiler of kernels; 'tessera setup jax' brings one, or " +
                                 kSfpiVariable + " names the folder of SFPI");
}

/// The module, or the trouble that the Python side found.
static llvm::Expected<std::string> readAnswer(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError(file.getError(),
                                   "cannot read '" + path + "': " + file.getError().message());
  llvm::Expected<json::Value> answer = json::parse((*file)->getBuffer());
  if (!answer)
    return answer.takeError();
  const json::Object *object = answer->getAsObject();
  if (std::optional<llvm::StringRef> module = object ? object->getString("module") : std::nullopt)
    return module->str();
  std::optional<llvm::StringRef> trouble = object ? object->getString("trouble") : std::nullopt;
  return llvm::createStringError(trouble.value_or("the compiler gave no answer").str());
}

llvm::Expected<std::string> tessera::compileWithJax(const std::string &python, const JaxRequest &request,
                                                    const DeviceSpec &device) {
  if (device.mesh.volume() != 1)
    return llvm::createStringError("a model is imported for one chip, and " + device.name + " has " +
                                   std::to_string(device.mesh.volume()));
  std::string folder = cacheFolderOf("jax");
  llvm::Expected<std::string> package = unpackFiles(joined(folder, "python"), jax_package::kFiles);
  if (!package)
    return package.takeError();
  // By files, since the streams are the console's: standard error tells how far the compiler is.
  llvm::Expected<TemporaryFile> asked = TemporaryFile::make("tessera-import", "json");
  if (!asked)
    return asked.takeError();
  llvm::Expected<TemporaryFile> answered = TemporaryFile::make("tessera-import", "json");
  if (!answered)
    return answered.takeError();
  if (llvm::Error error = writeFileAtomically(
          asked->path(), [&](llvm::raw_ostream &os) { os << json::Value(toJson(request)); }))
    return error;
  if (llvm::Error error =
          runChild({python, joined(*package, "jax"), "compile", "--arch", name(device.arch).str(), "--grid",
                    std::to_string(device.workerGrid.rows) + "x" + std::to_string(device.workerGrid.columns),
                    "--dram-banks", std::to_string(device.dramBanks), "--folder", joined(folder, "chips"),
                    "--request", asked->path(), "--into", answered->path()}))
    return error;
  return readAnswer(answered->path());
}
