//===- SetupTtnn.cpp - An environment with the vendor's library -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "TtnnFiles.h"

#include "tessera/Library/TtnnLibrary.h"

using namespace tessera;

/// What the library imports when it is asked without torch. Its own list asks for much more, torch not among it.
static std::vector<std::string> requirements() {
  return {"numpy<2", "loguru", "networkx", "graphviz", "click", "pyyaml", "pydantic", "ml_dtypes"};
}

/// Without the library's own list of packages, most of which serve models and not questions about ops; what it imports
/// all the same is installed beside it.
llvm::Expected<TtnnLibrary> tessera::setupTtnn(llvm::StringRef version, llvm::StringRef python) {
  llvm::Expected<std::string> package = unpackPackage();
  if (!package)
    return package.takeError();
  std::string environment = environmentOf(version);
  // The last step puts a stand-in where the library looks for its compiler of kernels (facts/vendor-library 2).
  EnvironmentRecipe recipe{"ttnn",
                           environment,
                           ttnnPythons(),
                           {{"--no-deps", "ttnn==" + version.str()}, requirements()},
                           {{"-I", *package, "install-compiler"}}};
  if (llvm::Error error = makeEnvironment(recipe, python))
    return error;
  return TtnnLibrary{version.str(), pythonOf(environment)};
}
