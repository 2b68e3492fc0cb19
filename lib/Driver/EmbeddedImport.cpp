//===- EmbeddedImport.cpp - Models of JAX, for other programs -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "EmbeddedModule.h"

#include "Common/ModuleFile.h"
#include "tessera/Device/DeviceNames.h"
#include "tessera/Library/JaxCompiler.h"

using namespace tessera;
using namespace tessera::embedded;

Outcome<std::string> embedded::compileStableHlo(const std::string &stablehlo, int64_t level,
                                                const std::string &device) {
  // The command line has a validator for this, which does not see calls from a program.
  if (level < 0 || level > 2)
    return Failure{"level is " + std::to_string(level) + "; the compiler has levels 0, 1 and 2", {}};
  llvm::Expected<const DeviceSpec *> spec = deviceNamed(device);
  if (!spec)
    return failure(spec.takeError());
  llvm::Expected<std::string> python = findJax();
  if (!python)
    return failure(python.takeError());
  JaxRequest request;
  request.stablehlo = stablehlo;
  request.level = level;
  llvm::Expected<std::string> module = compileWithJax(*python, request, **spec);
  if (!module)
    return failure(module.takeError());
  // Read once: a module that only the next call fails on would look as if that were to blame.
  Outcome<std::unique_ptr<EmbeddedModule>> readable = EmbeddedModule::read(*module, "<compiler's module>");
  if (auto *wrong = std::get_if<Failure>(&readable))
    return std::move(*wrong);
  EmbeddedModule &read = *std::get<std::unique_ptr<EmbeddedModule>>(readable);
  return printForVersion(*read.module, kJaxLibrary, read.resources);
}
