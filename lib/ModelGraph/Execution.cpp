//===- Execution.cpp - Traced models on simulated devices -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// From a traced model to tokens on simulated devices. A trace is optimized
// twice, once with everything open and once from where its config puts things,
// and the better plan is taken; an executable holds program, model and op model
// together, and runs with weights and inputs that callers bring for each
// argument.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Execution.h"

#include "tessera/Bridge/SimulatorProgram.h"
#include "tessera/Optimizer/Optimizer.h"

#include "llvm/ADT/StringExtras.h"

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

llvm::Error runner::checkConfigured(mlir::ModuleOp module, const DeviceSpec &board) {
  llvm::Expected<ConfiguredCost> cost = configuredCost(module, board);
  if (!cost)
    return cost.takeError();
  return cost->refused.empty() ? llvm::Error::success()
                               : llvm::createStringError(llvm::join(cost->refused, "; "));
}

namespace {

/// Whether the op model has a time for every op as it is configured.
llvm::Expected<bool> isTimed(mlir::ModuleOp module, const DeviceSpec &board) {
  llvm::Expected<ConfiguredCost> cost = configuredCost(module, board);
  if (!cost)
    return cost.takeError();
  return cost->refused.empty() && cost->unknown.empty();
}

llvm::Expected<OptimizedTrace> optimizedOne(Tracer trace, bool asConfigured, const DeviceSpec &board,
                                            llvm::StringRef policy) {
  llvm::Expected<TracedModel> traced = trace(asConfigured);
  if (!traced)
    return traced.takeError();
  mlir::FailureOr<Estimate> estimate = optimizeTrace(*traced->module, board, policy);
  if (mlir::failed(estimate))
    return llvm::createStringError("the model could not be optimized");
  return OptimizedTrace{std::move(*traced), *estimate};
}

} // namespace

llvm::Expected<OptimizedTrace> runner::optimizedTrace(Tracer trace, const DeviceSpec &board,
                                                      llvm::StringRef policy) {
  // A policy that begins with everything open may miss what the model's own config does well.
  llvm::Expected<OptimizedTrace> open = optimizedOne(trace, /*asConfigured=*/false, board, policy);
  if (!open)
    return open;
  llvm::Expected<TracedModel> configured = trace(/*asConfigured=*/true);
  if (!configured) { // what cannot be placed as it says is no plan
    llvm::consumeError(configured.takeError());
    return open;
  }
  // An op without a time counts as 0, so a config that nobody can judge would always win.
  llvm::Expected<bool> timed = isTimed(*configured->module, board);
  if (!timed)
    return timed.takeError();
  if (!*timed)
    return open;
  llvm::Expected<OptimizedTrace> improved = optimizedOne(trace, /*asConfigured=*/true, board, policy);
  if (!improved)
    return improved;
  if (!(improved->estimate.after < open->estimate.after))
    return open;
  // Both are told against the same program, the one as traced.
  improved->estimate.before = open->estimate.before;
  return improved;
}

llvm::Expected<Executable> Executable::make(TracedModel model, const DeviceSpec &board) {
  Executable made;
  made.model = std::move(model);
  // A mistake of our own forward functions should end here and not after minutes of simulation.
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

/// One tensor per device, row by row of the mesh, in floats whatever type the file has: a copy, for the length of a
/// run.
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
    // Caches live from run to run: a prefill fills what a decode step reads. A new one holds zeros.
    auto [cache, isNew] = caches.try_emplace(argument.name);
    if (isNew)
      cache->second.assign(size_t(weights.mesh().volume()), DenseTensor(argument.desc));
    return cache->second;
  };
  llvm::Expected<simulator::RunResult> result =
      simulator::run(program, *function, source, backend->model(), {maxMemory, {}, nullptr});
  if (!result)
    return result.takeError();
  // A program writes its caches in place: what it left in them is what the next run gets.
  for (auto &[number, tensors] : result->written)
    caches[model.arguments[number].name] = std::move(tensors);
  return std::move(result->returned.front());
}
