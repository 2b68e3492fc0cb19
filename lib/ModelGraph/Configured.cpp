//===- Configured.cpp - Configs as they stand -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a program costs as its config has it: each op asked for as it stands,
// none moved. The optimizer's problem is built for this, since it knows
// operands, layouts and signatures, but no policy is run. Ops that the device
// would refuse are told by name; ops that the op model does not know are
// counted.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Trace.h"

#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/Optimizer/Problem/Base.h"

#include <map>

using namespace tessera;
using namespace tessera::runner;

namespace {

/// Asks for one op as it is declared.
void ask(const Problem &problem, OpId id, const OpCostTable &model, ConfiguredCost &cost,
         std::map<std::string, unsigned> &unknown) {
  const Op &op = problem[id];
  ValidationResult answer = declaredAnswer(problem, id, model);
  // Not known is not refused: such a program can run, but nobody can say how long it takes.
  if (answer.status == ValidationStatus::NotImplemented) {
    ++unknown[op.name];
    return;
  }
  if (!answer.ok()) {
    cost.refused.push_back(op.location + ": " + op.name + ": " + answer.message +
                           (answer.rule.empty() ? "" : " (" + answer.rule + ")"));
    return;
  }
  std::vector<LayoutId> inputs;
  for (ValueId value : op.operands)
    inputs.push_back(problem[value].declared);
  cost.time = cost.time + model.runtime({problem.signature(id), inputs, op.declared}).total;
}

} // namespace

llvm::Expected<ConfiguredCost> runner::configuredCost(mlir::ModuleOp module, const DeviceSpec &board) {
  ConfiguredCost cost;
  std::map<std::string, unsigned> unknown;
  LayoutPool layouts;
  SignaturePool signatures;
  // One backend for all functions, so that equal ops of two of them are asked about once.
  // All of L1, as it is asked what the device would take and not what the optimizer may use.
  llvm::Expected<OpModelBackend> backend = OpModelBackend::create({}, {board, layouts, board.usableL1()});
  if (!backend)
    return backend.takeError();
  module.walk([&](mlir::func::FuncOp function) {
    if (!isForwardDeviceFunction(function))
      return;
    BuiltProblem built = rebuiltProblem(function, backend->model(), signatures, {});
    for (size_t i = 0; i != built.problem.ops.size(); ++i)
      ask(built.problem, OpId(i), backend->model(), cost, unknown);
  });
  for (const auto &[name, count] : unknown)
    cost.unknown.push_back(std::to_string(count) + " " + name);
  return cost;
}
