//===- Tools.cpp - The tools' own code, in this process -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Tools.h"

#include "tools/tessera-solve/Solve.h"

#include "tessera/Dialect/Register.h"
#include "tessera/Driver/Commands.h"
#include "tessera/Support/ModuleText.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tessera::fuzz {
namespace {

/// What tessera-opt does between its command line and its output, without MLIR's global options.
int runPasses(llvm::StringRef file, llvm::StringRef pipeline) {
  DialectRegistry registry;
  registerTesseraDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return 1;
  if (llvm::Error unreadable = checkModuleText(**buffer, /*allowBytecode=*/false)) {
    llvm::errs() << llvm::toString(std::move(unreadable)) << "\n";
    return 1;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  PassManager passes(&context, PassManager::getAnyOpAnchorName());
  if (!module || failed(parsePassPipeline(pipeline, passes)) || failed(passes.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}

int runTessera(const std::vector<std::string> &command) {
  std::vector<std::string> copies = command;
  std::vector<char *> arguments;
  for (std::string &copy : copies)
    arguments.push_back(copy.data());
  arguments.push_back(nullptr);
  return runCommandLine(int(copies.size()), arguments.data(), {&modelCommands(), &evaluationCommands()});
}

} // namespace

int runTool(const std::vector<std::string> &command) {
  int code = 0;
  if (command[0] == "tessera-solve")
    code = solveInstance({.input = command[1], .policy = "all"});
  else if (command[0] == "tessera-opt")
    code = runPasses(command[1], llvm::StringRef(command[2]).ltrim('-'));
  else
    code = runTessera(command);
  llvm::outs().flush();
  return code;
}

} // namespace tessera::fuzz
