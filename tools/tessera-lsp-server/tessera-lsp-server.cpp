//===- tessera-lsp-server.cpp - TTNN modules in editors -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Between.h"
#include "OpenFiles.h"
#include "tessera/Dialect/Register.h"
#include "tessera/Support/ToolProcess.h"

#include "mlir/IR/Dialect.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  tessera::ToolProcess process(argc, argv);
  mlir::DialectRegistry registry;
  tessera::registerTesseraDialects(registry);
  auto serve = [&] { return succeeded(mlir::MlirLspServerMain(argc, argv, registry)); };
  // Editors give no options. Those that there are help to debug MLIR's server, and change how messages are told apart.
  if (argc > 1)
    return process.finish(!serve());
  tessera::OpenFiles files;
  llvm::Expected<bool> served =
      tessera::runBetween([&](llvm::json::Object &message) { files.fromEditor(message); },
                          [&](llvm::json::Object &message) { files.fromServer(message); }, serve);
  if (served)
    return process.finish(!*served);
  llvm::errs() << "tessera-lsp-server: " << llvm::toString(served.takeError()) << "\n";
  return process.finish(1);
}
