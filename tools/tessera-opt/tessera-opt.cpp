//===- tessera-opt.cpp - Passes on modules, by mlir-opt's conventions ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PlacesOfNames.h"
#include "tessera/Dialect/Register.h"
#include "tessera/Lowering/Passes.h"
#include "tessera/Optimizer/Passes.h"
#include "tessera/Support/ModuleText.h"
#include "tessera/Support/ToolProcess.h"

#include "mlir/IR/Dialect.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

static llvm::cl::opt<bool> allowBytecode("allow-bytecode",
                                         llvm::cl::desc("Read MLIR bytecode, which is trusted to be whole"));

static int fail(const llvm::Twine &message) {
  llvm::errs() << message << "\n";
  return 1;
}

/// mlir-opt on a file that MLIR's parser can take.
static int run(const mlir::MlirOptMainConfig &config, llvm::StringRef input, llvm::StringRef output,
               mlir::DialectRegistry &registry) {
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(input, &problem);
  if (!file)
    return fail("tessera-opt: error: " + problem);
  if (llvm::Error error = tessera::checkModuleText(*file, allowBytecode))
    return fail(llvm::toString(std::move(error)));
  tessera::addPlacesOfNames(registry, *file);
  std::unique_ptr<llvm::ToolOutputFile> out = mlir::openOutputFile(output, &problem);
  if (!out)
    return fail("tessera-opt: error: " + problem);
  if (failed(mlir::MlirOptMain(out->os(), std::move(file), registry, config)))
    return 1;
  out->keep();
  return 0;
}

int main(int argc, char **argv) {
  tessera::ToolProcess process(argc, argv);
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
  auto [input, output] = mlir::registerAndParseCLIOptions(
      static_cast<int>(args.size()) - 1, args.data(), "Tessera's passes on modules of TTNN ops\n", registry);
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  return process.finish(run(config, input, output, registry));
}
