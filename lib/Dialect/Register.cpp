//===- Register.cpp - All dialects of TTNN modules -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/Register.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tessera {

void registerTesseraDialects(mlir::DialectRegistry &registry) {
  registry
      .insert<mlir::func::FuncDialect, mlir::LLVM::LLVMDialect, ttcore::TTCoreDialect, ttnn::TTNNDialect>();
}

} // namespace tessera
