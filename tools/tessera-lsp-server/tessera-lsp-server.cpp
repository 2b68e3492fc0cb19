//===- tessera-lsp-server.cpp - TTNN modules in editors -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/Register.h"
#include "tessera/Support/ToolProcess.h"

#include "mlir/IR/Dialect.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  tessera::ToolProcess process(argc, argv);
  mlir::DialectRegistry registry;
  tessera::registerTesseraDialects(registry);
  return process.finish(failed(mlir::MlirLspServerMain(argc, argv, registry)));
}
