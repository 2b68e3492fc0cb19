//===- Plan.h - A complete decision ---------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A Plan is a straight-line program over *tensors*. A tensor is one value in
// one layout; an op's step reads tensors and makes new ones, a conversion step
// makes another tensor of the same value in another layout. Given Problem and
// Plan nothing is left to decide: which op runs when and how, which copy of a
// value each operand reads, where spills, reshards and reloads stand.
//
//   t0 = argument %arg0            dram/interleaved
//   run     matmul_0 (t0, t1) -> t2   l1/block_sharded/8x8
//   convert t2 -> t3                  dram/interleaved      spill
//   run     relu_1 (t2) -> t4         l1/block_sharded/8x8  still reads the L1 copy
//   convert t3 -> t5                  l1/height_sharded/64x1  reshard for add_2
//   run     add_2 (t5, ...)
//
// A tensor lives from the step that makes it to the last step that reads it,
// half-open: it holds its bytes during both of them. Arguments and constants
// live where the program put them; those in L1 live throughout.
//
// The room has a plan and all that follows from it without a choice: whether it is
// legal (PlanChecker.h, which trusts no policy), what it takes (Cost.h), where its
// tensors lie (PlanReplay.h), its text and its JSON. Policies build plans here
// (PlanBuilder) and everybody may ask about one. Nothing here knows who made a plan,
// so that all are judged alike.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_PLAN_H
#define TESSERA_OPTIMIZER_PLAN_PLAN_H

#include "tessera/Optimizer/Memory/Interval.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace tessera {

/// A copy of a value. A value may have several at once, and one layout several times: what is reloaded is another tensor than what was
/// spilled.
struct PlanTensor {
  ValueId value;
  LayoutId layout;
};

/// An op of the module that is written; only a conversion op of the input that has nothing to convert is not.
struct PlanStep {
  enum class Kind : uint8_t { Run, Convert };
  Kind kind = Kind::Run;
  OpId op;                      ///< Run: the op. Convert: the one with which it stands, before or behind it.
  std::vector<TensorId> reads;  ///< Run: one per operand. Convert: the source.
  std::vector<TensorId> writes; ///< Run: one per result. Convert: the target.

  bool isRun() const { return kind == Kind::Run; }
};

/// The place of a tensor in L1 is kept from before the step that makes another one until it is made itself, by an empty tensor of its shape and
/// layout. So the other one comes to lie below it, where sums of bytes fit and addresses would not: what is freed above a tensor is of no use to
/// circular buffers (docs/memory.md).
struct KeptPlace {
  TensorId tensor;
  TensorId since; ///< made before `tensor`
};

/// Its ids are those of one problem, without which it means nothing.
struct Plan {
  std::string policy;
  /// Where it comes from, if not from the policy itself, in the program's order and for all of L1: "the plan of greedy, ops depth first,
  /// as for 1.02 MiB of L1". Said of plans that `optimize` hands on.
  std::string origin;
  std::vector<OpConfig>
      configs; ///< by OpId; outputs are the layouts of the tensors that the op's step writes
  std::vector<PlanTensor> tensors; ///< by TensorId; arguments first, in the order of the problem's values
  std::vector<PlanStep> steps;     ///< in execution order
  std::vector<TensorId> returned;  ///< parallel to Problem::returned
  std::vector<KeptPlace> kept;     ///< at most one of a tensor

  const PlanTensor &operator[](TensorId id) const { return tensors[id.index()]; }
  const PlanStep &operator[](StepIndex index) const { return steps[index.index()]; }
  /// One past the last step.
  StepIndex end() const { return StepIndex(steps.size()); }
};

/// True if the step changes only where and in which form a value lies: a conversion of the plan, or a conversion
/// op of the input program.
bool convertsLayout(const Problem &problem, const PlanStep &step);

/// The layouts that the step reads, by operand.
OperandLayouts layoutsRead(const Plan &plan, const PlanStep &step);

/// By TensorId: from the making step to one past the last reading step; returned tensors and arguments reach
/// the end. A tensor that nothing reads lives for its own step; one whose place is kept lives since that step.
std::vector<StepInterval> lifetimes(const Problem &problem, const Plan &plan);

/// Builds a plan step by step in program order; keeps track of where each value's copies are.
class PlanBuilder {
public:
  /// Begins with a tensor for each argument and constant, in the order of values, and no steps. The problem must
  /// outlive it.
  PlanBuilder(const Problem &problem, std::string policy);

  /// The tensor that holds `value` as its producer made it (or the argument).
  TensorId original(ValueId value) const;
  /// Adds a conversion step and returns the new tensor.
  TensorId convert(TensorId source, LayoutId target, OpId with);
  /// Adds the op's step. `config.outputs` must hold a valid layout per result.
  void run(OpId op, std::vector<TensorId> reads, OpConfig config);
  /// Ends the plan: values to return that lie elsewhere than declared are converted now.
  Plan finish();
  Plan &plan() { return result; }

private:
  TensorId leavingTensor(ValueId value, TensorId home);

  const Problem &problem;
  Plan result;
  std::vector<TensorId> originals; ///< by ValueId
};

/// JSON form of a plan; layouts are written out, ops referred to by index and location. Reads back into an
/// equal plan against the same problem; the error says which entry does not fit.
llvm::json::Value toJson(const Problem &problem, const Plan &plan);
llvm::Expected<Plan> planFromJson(const Problem &problem, const llvm::json::Value &json);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_PLAN_H
