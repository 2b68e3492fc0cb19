//===- L1InterleavedFallback.cpp - From DRAM to L1 for one step ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/L1InterleavedFallback.h"
#include "tessera/Optimizer/Plan/LiveL1.h"

#include "tessera/Optimizer/Memory/Lifetime.h"
#include "tessera/Optimizer/Plan/PlanUses.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

/// facts/ir 3.6: upstream excludes these, found by running models.
static constexpr llvm::StringLiteral kExcluded[] = {
    "ttnn.max_pool2d", "ttnn.upsample", "ttnn.slice_static", "ttnn.slice_dynamic",
    "ttnn.typecast",   "ttnn.matmul",   "ttnn.linear",
};

/// 1x1 convolutions are left out like matmuls, which they are (facts/ir 3.6). An attribute that is not there says
/// nothing, and leaves nothing out.
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

/// A result that is written to DRAM and read by the very next step goes by way of L1 instead, if both steps stay
/// legal and take no longer together. Pairs are decided for good, front to back: the writer of a pair may read what
/// the pair before has moved.
class Upgrade {
public:
  Upgrade(const Problem &problem, Plan plan, const OpCostTable &model)
      : problem(problem), plan(std::move(plan)), model(model), uses(this->plan),
        live(liveL1(problem, this->plan)) {}

  Plan run() {
    // Only pairs of neighbours: the value lives for one step, so no other op sees less room.
    for (StepIndex step; step + 1 < plan.end(); ++step)
      tryStep(step);
    return std::move(plan);
  }

private:
  Bytes bytesOf(LayoutId layout) const { return l1BytesPerCore(problem.layout(layout), problem.device); }

  /// Not a conversion: reading its operand elsewhere would make it another conversion, of more than one op.
  bool isEligible(const PlanStep &step) const {
    if (convertsLayout(problem, step))
      return false;
    const Op &op = problem[step.op];
    // A fixed op keeps its layouts, as writer and as reader.
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
    // How the tensor is spread over chips is the program's to say.
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
    // Before anything is asked: times and legality are those of the plan's tensors.
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

  Nanoseconds timeOf(const PlanStep &step) const {
    return model.runtime(StepQuestion(problem, plan, step).query()).total;
  }

  /// Beside all that is live at the step, as PlanChecker asks.
  bool isLegal(StepIndex index) const {
    const PlanStep &step = plan[index];
    StepQuestion question(problem, plan, step);
    ValidationResult answer =
        model.query(pressed(question, live[index.index()], resultL1(problem, plan, step), model.context()));
    return answer.ok() && makesAsPlanned(answer, plan, step);
  }

  const Problem &problem;
  Plan plan;
  // A copy, which shares the rows of the table.
  OpCostTable model;
  PlanUses uses;           ///< which upgrades do not change
  std::vector<Bytes> live; ///< by step: L1 per core of all live tensors
};

} // namespace

Plan tessera::upgradeToL1Interleaved(const Problem &problem, Plan plan, const OpCostTable &model) {
  return Upgrade(problem, std::move(plan), model).run();
}
