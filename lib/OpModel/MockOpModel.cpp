//===- MockOpModel.cpp - A device that does as it is told ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Only what a test states differs from a real backend: the sum that decides whether an op fits is that of all backends
// (Pressure.h). Else a policy could pass its tests by a mistake that mock and policy share, and fail with the first
// real model.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/MockOpModel.h"

#include "Pressure.h"

namespace tessera {
namespace {

/// The requested outputs; undecided ones lie where the first operand lies, or in DRAM.
llvm::SmallVector<LayoutId, 1> obey(const OpQuery &query, const OpModelContext &context) {
  llvm::SmallVector<LayoutId, 1> outputs = query.config.outputs;
  outputs.resize(query.op.results.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].valid())
      continue;
    const TensorDesc &result = query.op.results[i];
    // As most ops of the backend do (facts/formulas 2): a test that says nothing of layouts sees chains stay where
    // they are.
    bool follows =
        !query.inputs.empty() && query.inputs[0].valid() && query.inputs[0].index() < context.layouts.size();
    TensorLayout layout =
        follows ? withTensor(context.layouts[query.inputs[0]], result, context.device.workerGrid)
                : dramInterleaved(result);
    outputs[i] = context.layouts.intern(layout);
  }
  return outputs;
}

ValidationResult failure(ValidationStatus status, std::string message) {
  ValidationResult result;
  result.status = status;
  result.rule = "mock";
  result.message = std::move(message);
  return result;
}

// An output that was left open is honoured by whatever comes.
bool honours(const OpConfig &config, llvm::ArrayRef<LayoutId> produced) {
  for (size_t i = 0; i < config.outputs.size() && i < produced.size(); ++i)
    if (config.outputs[i].valid() && config.outputs[i] != produced[i])
      return false;
  return true;
}

OpConstraints measure(const MockBehaviour &behaviour, llvm::SmallVector<LayoutId, 1> outputs,
                      const OpModelContext &context) {
  OpConstraints constraints;
  bool anyL1 = false;
  for (LayoutId id : outputs) {
    anyL1 |= context.layouts[id].isL1();
    constraints.outputL1BufferSize += l1BytesPerCore(context.layouts[id], context.device);
  }
  if (anyL1 && behaviour.outputL1)
    constraints.outputL1BufferSize = *behaviour.outputL1;
  // A view allocates nothing, and still reports the buffer that it shares.
  constraints.tensorL1PeakSize = behaviour.aliasesInput ? Bytes(0) : constraints.outputL1BufferSize;
  // A result in DRAM is not a shard that buffers could alias, so the same op may need more of them (facts/ir 5.1).
  constraints.cbL1PeakSize =
      anyL1 ? behaviour.circularBuffers
            : behaviour.circularBuffersWithDramOutput.value_or(behaviour.circularBuffers);
  constraints.peakL1MemorySize = constraints.cbL1PeakSize + constraints.tensorL1PeakSize;
  constraints.safetyMargin = behaviour.safetyMargin;
  constraints.outputLayouts = std::move(outputs);
  return constraints;
}

} // namespace

MockBehaviour &MockOpModel::behaviour(llvm::StringRef opName) {
  return byName.try_emplace(opName, fallback).first->second;
}

const MockBehaviour &MockOpModel::lookup(llvm::StringRef opName) const {
  auto it = byName.find(opName);
  return it == byName.end() ? fallback : it->second;
}

ValidationResult MockOpModel::query(const OpQuery &query) const {
  // Tests ask how often a model was asked: nothing else depends on the number.
  count.fetch_add(1, std::memory_order_relaxed);
  const MockBehaviour &behaviour = lookup(query.op.name);
  if (behaviour.forced && *behaviour.forced != ValidationStatus::Success)
    return failure(*behaviour.forced, "forced");
  if (behaviour.accepts && !behaviour.accepts(query, ctx.layouts))
    return failure(ValidationStatus::MetalBackendError, "layouts refused");

  auto outputs = behaviour.produces ? behaviour.produces(query, ctx.layouts) : obey(query, ctx);
  ValidationResult result;
  result.status = ValidationStatus::Success;
  if (!honours(query.config, outputs))
    result = failure(ValidationStatus::UnmatchedReferenceConfig, "another layout than requested");
  result.constraints = measure(behaviour, std::move(outputs), ctx);
  // A forced answer stays what the test asked for, whatever fits.
  if (!behaviour.forced)
    applyPressure(result, residentL1(query, result.constraints, ctx), query.additionalL1, ctx.l1Budget);
  return result;
}

OpRuntime MockOpModel::runtime(const OpQuery &query) const {
  OpRuntime runtime;
  runtime.total = runtime.compute = lookup(query.op.name).time;
  return runtime;
}

} // namespace tessera
