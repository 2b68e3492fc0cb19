//===- Execution.cpp - Traced models on simulated devices -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Execution.h"

#include "tessera/Bridge/SimulatorProgram.h"
#include "tessera/Optimizer/Optimizer.h"

using namespace tessera;
using namespace tessera::runner;
using simulator::DenseTensor;
using simulator::MeshTensor;

mlir::FailureOr<Estimate> runner::optimizeTrace(mlir::ModuleOp module, const DeviceSpec &board,
                                                llvm::StringRef policy) {
  OptimizerOptions options;
  options.policy = policy.str();
  options.device = board;
  mlir::FailureOr<OptimizationResult> result = optimize(module, options);
  if (mlir::failed(result))
    return mlir::failure();
  FunctionSummary total = totalOf(result->functions);
  return Estimate{total.before, total.after};
}

llvm::Expected<Executable> Executable::make(TracedModel model, const DeviceSpec &board) {
  Executable made;
  made.model = std::move(model);
  if (llvm::Error error = checkTrace(*made.model.module))
    return std::move(error);
  llvm::Expected<simulator::Program> program = readProgram(*made.model.module, board.mesh);
  if (!program)
    return program.takeError();
  made.program = std::move(*program);
  for (const simulator::Function &function : made.program.functions)
    if (function.isForward)
      made.function = &function;
  assert(made.function && "a trace has a function");
  if (llvm::Error error = checkRunnable(made.program, *made.function, board))
    return std::move(error);
  DeviceSpec opened = asOpenedBy(OpModelOptions(), board);
  llvm::Expected<OpModelBackend> backend =
      OpModelBackend::create({}, {opened, *made.layouts, opened.usableL1()});
  if (!backend)
    return backend.takeError();
  made.backend.emplace(std::move(*backend));
  return made;
}

namespace {

MeshTensor readWeight(const WeightReader &weights, const GraphArgument &argument) {
  MeshTensor tensors;
  for (int64_t device = 0; device != weights.mesh().volume(); ++device) {
    DenseTensor &tensor = tensors.emplace_back(argument.desc);
    weights.read(argument.name, size_t(device), {tensor.floats.data(), tensor.floats.size()});
  }
  return tensors;
}

} // namespace

llvm::Expected<MeshTensor> Executable::run(const WeightReader &weights, Caches &caches, Inputs inputs,
                                           Bytes maxMemory) const {
  auto source = [&](size_t number) -> llvm::Expected<MeshTensor> {
    const GraphArgument &argument = model.arguments[number];
    switch (argument.kind) {
    case GraphArgument::Kind::Input:
      return inputs(argument);
    case GraphArgument::Kind::Weight:
      return readWeight(weights, argument);
    case GraphArgument::Kind::Cache:
      break;
    }
    auto [cache, isNew] = caches.try_emplace(argument.name);
    if (isNew)
      cache->second.assign(size_t(weights.mesh().volume()), DenseTensor(argument.desc));
    return cache->second;
  };
  llvm::Expected<simulator::RunResult> result =
      simulator::run(program, *function, source, backend->model(), {maxMemory, {}, nullptr});
  if (!result)
    return result.takeError();
  for (auto &[number, tensors] : result->written)
    caches[model.arguments[number].name] = std::move(tensors);
  return std::move(result->returned.front());
}
