//===- tessera-opt.cpp - Passes on modules, by mlir-opt's conventions ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/Register.h"
#include "tessera/Lowering/Passes.h"
#include "tessera/Optimizer/Passes.h"

#include "mlir/IR/Dialect.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::DialectRegistry registry;
  tessera::registerTesseraDialects(registry);
  tessera::registerTesseraLoweringPasses();
  tessera::registerTesseraOptimizerPasses();
  mlir::registerTransformsPasses();

  // What we don't know always passes through; mlir-opt's switch for it stays valid.
  llvm::SmallVector<char *> args(argv, argv + argc);
  char allow[] = "--allow-unregistered-dialect";
  if (llvm::none_of(
          args, [](llvm::StringRef arg) { return arg.ltrim('-').starts_with("allow-unregistered-dialect"); }))
    args.insert(args.begin() + 1, allow);
  args.push_back(nullptr);
  return mlir::asMainReturnCode(mlir::MlirOptMain(static_cast<int>(args.size()) - 1, args.data(),
                                                  "Tessera's passes on modules of TTNN ops\n", registry));
}
