//===- HostPlugin.cpp - MLIR's ExecutionEngine behind C functions ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Text goes in, addresses come out, by functions of C alone: the plug-in links
// the system's shared MLIR, the tools their own, and no object of the one must
// reach the other. Error texts are malloc's, and the caller's to free
// (Simulator/HostCode).
//
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/HostPlugin.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"

#include <cstring>

using namespace mlir;

namespace {

void *failed(const std::string &message, char **error) {
  *error = strdup(message.c_str());
  return nullptr;
}

} // namespace

void *tesseraHostCompile(const char *text, size_t size, char **error) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  DialectRegistry registry;
  registry.insert<LLVM::LLVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(); // attributes that tt-mlir leaves on functions
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(llvm::StringRef(text, size), &context);
  if (!module)
    return failed(message, error);
  ExecutionEngineOptions options;
  // A name of its own: the options only refer to it.
  auto optimize = makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0, /*targetMachine=*/nullptr);
  options.transformer = optimize;
  llvm::Expected<std::unique_ptr<ExecutionEngine>> engine = ExecutionEngine::create(*module, options);
  if (!engine)
    return failed(message.empty() ? llvm::toString(engine.takeError()) : message, error);
  return engine->release();
}

void *tesseraHostSymbol(void *code, const char *name, char **error) {
  llvm::Expected<void *> address = static_cast<ExecutionEngine *>(code)->lookup(name);
  return address ? *address : failed(llvm::toString(address.takeError()), error);
}

void tesseraHostDispose(void *code) { delete static_cast<ExecutionEngine *>(code); }
