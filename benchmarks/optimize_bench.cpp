//===- optimize_bench.cpp - Time of the whole way through, per model ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// optimize_bench [policy=NAME] [FOLDER...] [--benchmark_...]: one benchmark per .mlir file of the folders
// (default: the examples, and the shared models if they lie beside the checkout): parse, verify, plan, check
// and rewrite, on one thread. The counter `ops` is the number of ops planned.
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/Register.h"
#include "tessera/Optimizer/Optimizer.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <benchmark/benchmark.h>

using namespace tessera;

namespace {

std::vector<std::string> modulesIn(llvm::StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(".mlir"))
      files.push_back(it->path());
  llvm::sort(files);
  return files;
}

void optimizeFile(benchmark::State &state, const std::string &file, const OptimizerOptions &options) {
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  size_t ops = 0;
  for (auto _ : state) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.allowUnregisteredDialects();
    mlir::ScopedDiagnosticHandler silence(&context, [](mlir::Diagnostic &) { return mlir::success(); });
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(file, &context);
    if (!module)
      return state.SkipWithError("does not parse");
    mlir::FailureOr<OptimizationResult> result = optimize(*module, options);
    if (mlir::failed(result))
      return state.SkipWithError("does not optimize");
    ops = totalOf(result->functions).ops;
  }
  state.counters["ops"] = double(ops);
}

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  OptimizerOptions options;
  std::vector<std::string> folders;
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front())
    if (argument.consume_front("policy="))
      options.policy = argument.str();
    else
      folders.push_back(argument.str());
  if (folders.empty())
    folders = {TESSERA_EXAMPLES_DIR, TESSERA_SHARED_DIR "/models/ttnn"};
  for (const std::string &folder : folders)
    for (const std::string &file : modulesIn(folder))
      benchmark::RegisterBenchmark(llvm::sys::path::stem(file).str().c_str(), [file, options](
                                                                                  benchmark::State &state) {
        optimizeFile(state, file, options);
      })->Unit(benchmark::kMillisecond);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
