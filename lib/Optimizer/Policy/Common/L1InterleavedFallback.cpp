//===- L1InterleavedFallback.cpp - From DRAM to L1 for one step ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/L1InterleavedFallback.h"

#include "tessera/Optimizer/Memory/Lifetime.h"
#include "tessera/Optimizer/Plan/PlanUses.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

/// facts/ir 3.6: upstream excludes these, found by running models.
static constexpr llvm::StringLiteral kExcluded[] = {
    "ttnn.max_pool2d", "ttnn.upsample", "ttnn.slice_static", "ttnn.slice_dynamic",
    "ttnn.typecast",   "ttnn.matmul",   "ttnn.linear",
};

static bool isPointwiseConv(const OpSignature &op) {
  if (op.name != "ttnn.conv2d")
    return false;
  auto all = [&](llvm::StringRef attribute, int64_t wanted) {
    llvm::ArrayRef<int64_t> values = op.integers(attribute);
    return !values.empty() && llvm::all_of(values, [&](int64_t value) { return value == wanted; });
  };
  return all("kernel_size", 1) && all("stride", 1) && all("padding", 0);
}

namespace {

class Upgrade {
public:
  Upgrade(const Problem &problem, Plan plan, const OpCostTable &model)
      : problem(problem), plan(std::move(plan)), model(model), uses(this->plan),
        live(this->plan.steps.size()) {}

  Plan run() {
    measureLive();
    // Only pairs of neighbours: the value lives for one step, so no other op sees less room.
    for (StepIndex step; step + 1 < plan.end(); ++step)
      tryStep(step);
    return std::move(plan);
  }

private:
  void measureLive() {
    std::vector<StepInterval> intervals = lifetimes(problem, plan);
    LifetimeEvents events(intervals, plan.end());
    Bytes now;
    for (StepIndex step; step < plan.end(); ++step) {
      for (TensorId id : events.bornAt(step))
        now += bytesOf(plan[id].layout);
      live[step.index()] = now;
      for (TensorId id : events.deadAfter(step))
        now -= bytesOf(plan[id].layout);
    }
  }

  Bytes bytesOf(LayoutId layout) const { return l1BytesPerCore(problem.layout(layout), problem.device); }

  /// Not a conversion: reading its operand elsewhere would make it another conversion, of more than one op.
  bool isEligible(const PlanStep &step) const {
    if (convertsLayout(problem, step))
      return false;
    const Op &op = problem[step.op];
    return op.role != OpRole::Fixed && !llvm::is_contained(kExcluded, llvm::StringRef(op.name)) &&
           !isPointwiseConv(problem.signature(step.op));
  }

  /// The layout to write instead; invalid if the step's result is not one for this.
  LayoutId targetOf(const PlanStep &writer, const PlanStep &reader) const {
    if (!isEligible(writer) || !isEligible(reader) || writer.writes.size() != 1 ||
        mayBeView(problem, problem[writer.op]) || problem[writer.op].role != OpRole::Compute)
      return {};
    TensorId made = writer.writes.front();
    const TensorLayout &layout = problem.layout(plan[made].layout);
    // Tiles only: the published pool has no interleaved rows in L1 (facts/ir 3.1).
    if (!uses.isReadOnce(made) || !llvm::is_contained(reader.reads, made) || !layout.isDram() ||
        !layout.isInterleaved() || !layout.isTiled())
      return {};
    TensorDesc desc{problem[plan[made].value].tensor.shape, layout.dtype};
    TensorLayout target = l1Interleaved(desc, problem.device.workerGrid);
    target.mesh = layout.mesh;
    OpConfig moved = plan.configs[writer.op.index()];
    moved.outputs = {problem.layouts->intern(target)};
    return isAllowed(problem[writer.op], moved) ? moved.outputs.front() : LayoutId();
  }

  void tryStep(StepIndex index) {
    PlanStep &writer = plan.steps[index.index()];
    const PlanStep &reader = plan[index + 1];
    LayoutId target = targetOf(writer, reader);
    if (!target.valid())
      return;
    TensorId made = writer.writes.front();
    LayoutId before = plan[made].layout;
    Nanoseconds timeBefore = timeOf(writer) + timeOf(reader);
    place(writer, made, target);
    // The value lives at the step that makes it and at the one that reads it, and at no other.
    live[index.index()] += bytesOf(target);
    live[index.index() + 1] += bytesOf(target);
    // The published step does not look at times; here it must not lose any.
    if (isLegal(index) && isLegal(index + 1) && timeOf(writer) + timeOf(reader) <= timeBefore)
      return;
    place(writer, made, before);
    live[index.index()] -= bytesOf(target);
    live[index.index() + 1] -= bytesOf(target);
  }

  void place(PlanStep &writer, TensorId made, LayoutId layout) {
    plan.tensors[made.index()].layout = layout;
    plan.configs[writer.op.index()].outputs = {layout};
  }

  llvm::SmallVector<LayoutId, 8> inputsOf(const PlanStep &step) const {
    llvm::SmallVector<LayoutId, 8> inputs;
    for (TensorId id : step.reads)
      inputs.push_back(plan[id].layout);
    return inputs;
  }

  Nanoseconds timeOf(const PlanStep &step) const {
    llvm::SmallVector<LayoutId, 8> inputs = inputsOf(step);
    return model.runtime({problem.signature(step.op), inputs, plan.configs[step.op.index()]}).total;
  }

  bool isLegal(StepIndex index) const {
    const PlanStep &step = plan[index];
    llvm::SmallVector<LayoutId, 8> inputs = inputsOf(step);
    const OpConfig &config = plan.configs[step.op.index()];
    OpQuery query{problem.signature(step.op), inputs, config};
    Bytes outputs;
    for (TensorId id : step.writes)
      outputs += bytesOf(plan[id].layout);
    // Live tensors include the op's own, which the model counts itself.
    query.additionalL1 =
        std::max(Bytes(0), live[index.index()] - outputs - operandL1Bytes(query, model.context()));
    ValidationResult answer = model.query(query);
    auto unlike = [&](size_t i) {
      LayoutId produced = answer.constraints.outputLayouts[i];
      return produced.valid() && produced != config.outputs[i];
    };
    if (!answer.ok())
      return false;
    for (size_t i = 0; i < std::min(config.outputs.size(), answer.constraints.outputLayouts.size()); ++i)
      if (unlike(i))
        return false;
    return true;
  }

  const Problem &problem;
  Plan plan;
  OpCostTable model;
  PlanUses uses;           ///< which upgrades do not change
  std::vector<Bytes> live; ///< by step: L1 per core of all live tensors
};

} // namespace

Plan tessera::upgradeToL1Interleaved(const Problem &problem, Plan plan, const OpCostTable &model) {
  return Upgrade(problem, std::move(plan), model).run();
}
