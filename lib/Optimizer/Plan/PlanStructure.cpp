//===- PlanStructure.cpp - Is the plan a program at all? -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// 1. Ids: every id that the plan names exists (dangling ids end the check: nothing else can be said safely).
// 2. Tensors: arguments come first, every other tensor is made by exactly one step.
// 3. Steps, in order: each reads what is there, of the right value, and makes what its configuration says.
// 4. Order: every op ran once; memory effects keep their order; in-place writes are seen by later readers.
// 5. Returned values lie in their declared layouts.
//
//===----------------------------------------------------------------------===//
#include "PlanStructure.h"

#include "tessera/Optimizer/Plan/PlanText.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "tessera/Optimizer/Problem/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

namespace {

class StructureCheck {
public:
  StructureCheck(const Problem &problem, const Plan &plan) : problem(problem), plan(plan) {}

  std::vector<PlanViolation> run() {
    // What follows looks tensors up by their ids, and then by who made them: a plan that is wrong there is not looked
    // at further.
    checkIds();
    if (!violations.empty())
      return std::move(violations);
    checkTensorTable();
    if (!violations.empty())
      return std::move(violations);
    ranAt.assign(problem.ops.size(), std::nullopt);
    checkLayouts();
    checkKept();
    for (StepIndex step; step < plan.end(); ++step)
      checkStep(step);
    checkOps();
    checkInPlaceWrites();
    checkFreedInputs();
    checkReturned();
    return std::move(violations);
  }

private:
  template <class... Args>
  void violate(llvm::StringRef rule, std::optional<StepIndex> step, const char *format, Args &&...args) {
    violations.push_back({rule.str(), llvm::formatv(format, std::forward<Args>(args)...).str(), step});
  }

  bool exists(TensorId id) const { return id.valid() && id.index() < plan.tensors.size(); }
  bool exists(LayoutId id) const { return id.valid() && id.index() < problem.layouts->size(); }
  std::string at(StepIndex step) const { return describeStep(problem, plan, step); }
  std::string tensor(TensorId id) const { return describeTensor(problem, plan, id); }

  // ---- 1. Ids ----
  void checkIds() {
    if (plan.configs.size() != problem.ops.size())
      violate("plan.dangling_id", std::nullopt, "the plan has {0} configurations for {1} ops",
              plan.configs.size(), problem.ops.size());
    for (auto [index, data] : llvm::enumerate(plan.tensors))
      if (!data.value.valid() || data.value.index() >= problem.values.size() || !exists(data.layout))
        violate("plan.dangling_id", std::nullopt, "tensor t{0} names a value or a layout that does not exist",
                index);
    for (StepIndex index; index < plan.end(); ++index) {
      const PlanStep &step = plan[index];
      // A returned argument is converted for no op, so that a conversion may name none.
      if (step.op.valid() ? step.op.index() >= problem.ops.size() : step.isRun())
        violate("plan.dangling_id", index, "{0} names an op that does not exist", at(index));
      auto missing = [&](TensorId id) { return !exists(id); };
      if (llvm::any_of(step.reads, missing) || llvm::any_of(step.writes, missing))
        violate("plan.dangling_id", index, "{0} names a tensor that does not exist", at(index));
    }
    for (TensorId id : plan.returned)
      if (!exists(id))
        violate("plan.dangling_id", std::nullopt, "a returned tensor does not exist");
    for (const KeptPlace &place : plan.kept)
      if (!exists(place.tensor) || !exists(place.since))
        violate("plan.dangling_id", std::nullopt,
                "a place is kept for or since a tensor that does not exist");
  }

  // ---- 2. Tensors ----
  void checkTensorTable() {
    madeAt.assign(plan.tensors.size(), std::nullopt);
    // Arguments have the first ids, in the order of values: a plan cannot move them or drop one, and other
    // checks tell them by their ids alone.
    size_t next = 0;
    for (ValueId value : givenValues(problem)) {
      bool fits = next < plan.tensors.size() && plan.tensors[next].value == value &&
                  plan.tensors[next].layout == problem[value].declared;
      if (!fits)
        return violate("plan.arguments", std::nullopt,
                       "tensor t{0} should be argument {1} in its declared layout", next,
                       problem[value].name);
      ++next;
    }
    arguments = next;
    for (StepIndex index; index < plan.end(); ++index)
      for (TensorId id : plan[index].writes) {
        if (id.index() < arguments)
          violate("plan.written_twice", index, "{0} writes the argument {1}", at(index), tensor(id));
        else if (madeAt[id.index()])
          violate("plan.written_twice", index, "{0} makes {1}, which {2} made before", at(index), tensor(id),
                  at(*madeAt[id.index()]));
        madeAt[id.index()] = index;
      }
    for (size_t i = arguments; i < plan.tensors.size(); ++i)
      if (!madeAt[i])
        violate("plan.never_written", std::nullopt, "{0} is made by no step", tensor(TensorId(i)));
  }

  void checkLayouts() {
    for (size_t i = arguments; i < plan.tensors.size(); ++i) {
      const PlanTensor &data = plan.tensors[i];
      const Value &value = problem[data.value];
      if (data.layout == value.declared)
        continue; // as the input program has it
      const TensorLayout &layout = problem.layout(data.layout);
      // A plan moves data and never changes them: the type belongs to the value.
      if (layout.dtype != problem.layout(value.declared).dtype)
        violate("plan.dtype_changed", madeAt[i], "{0} makes {1} in another data type than the program's",
                at(*madeAt[i]), tensor(TensorId(i)));
      else if (std::string complaint = checkLayoutFor(layout, value.tensor.shape, problem.device);
               !complaint.empty())
        violate("plan.layout_illegal", madeAt[i], "{0} makes {1}: {2}", at(*madeAt[i]), tensor(TensorId(i)),
                complaint);
    }
  }

  void checkKept() {
    std::vector<bool> seen(plan.tensors.size());
    // Only of tensors in L1: in DRAM nothing reaches from below, so a place there would hold bytes for nothing.
    for (const KeptPlace &place : plan.kept) {
      std::optional<StepIndex> made = madeAt[place.tensor.index()], since = madeAt[place.since.index()];
      if (!made || !since || *since >= *made || !problem.layout(plan[place.tensor].layout).isL1())
        violate("plan.kept_place", made,
                "the place of {0} is kept since {1}: it must lie in L1 and be made later",
                tensor(place.tensor), tensor(place.since));
      else if (seen[place.tensor.index()])
        violate("plan.kept_place", made, "the place of {0} is kept twice", tensor(place.tensor));
      seen[place.tensor.index()] = true;
    }
  }

  // ---- 3. Steps ----
  void checkStep(StepIndex index) {
    const PlanStep &step = plan[index];
    for (TensorId id : step.reads)
      if (id.index() >= arguments && madeAt[id.index()] >= index)
        violate("plan.reads_before_write", index, "{0} reads {1}, which {2} makes", at(index), tensor(id),
                at(*madeAt[id.index()]));
    step.isRun() ? checkRun(index, step) : checkConversion(index, step);
  }

  void checkConversion(StepIndex index, const PlanStep &step) {
    if (step.reads.size() != 1 || step.writes.size() != 1)
      return violate("plan.operand_count", index, "{0} must read one tensor and make one", at(index));
    if (plan[step.reads[0]].value != plan[step.writes[0]].value)
      violate("plan.operand_value", index, "{0} turns {1} into another value, {2}", at(index),
              tensor(step.reads[0]), tensor(step.writes[0]));
    if (isDemanded(problem, plan[step.reads[0]].value))
      violate("plan.override", index, "{0} converts {1}, which an override asks to read as it is", at(index),
              tensor(step.reads[0]));
  }

  void checkRun(StepIndex index, const PlanStep &step) {
    const Op &op = problem[step.op];
    if (ranAt[step.op.index()])
      violate("plan.op_run_twice", index, "{0} runs the op that {1} ran before", at(index),
              at(*ranAt[step.op.index()]));
    ranAt[step.op.index()] = index;
    // Everything below looks operands, results and layouts up side by side, so their numbers are checked first.
    const OpConfig &config = plan.configs[step.op.index()];
    if (step.reads.size() != op.operands.size() || step.writes.size() != op.results.size() ||
        config.outputs.size() != op.results.size())
      return violate("plan.operand_count", index,
                     "{0} reads {1} tensors and makes {2} in {3} layouts; its op has {4} "
                     "operands and {5} results",
                     at(index), step.reads.size(), step.writes.size(), config.outputs.size(),
                     op.operands.size(), op.results.size());
    for (auto [operand, id] : llvm::zip_equal(op.operands, step.reads))
      // Which tensor is read is the plan's to choose, which value is not: so the plan computes what the program
      // computes.
      if (plan[id].value != operand)
        violate("plan.operand_value", index, "{0} needs {1} but reads {2}", at(index), problem[operand].name,
                tensor(id));
    for (auto [result, id, layout] : llvm::zip_equal(op.results, step.writes, config.outputs)) {
      if (plan[id].value != result)
        violate("plan.operand_value", index, "{0} computes {1}, not {2}", at(index), problem[result].name,
                tensor(id));
      // The configuration is what is written to the IR, and the tensor what readers were planned with. They
      // must say the same.
      if (plan[id].layout != layout)
        violate("plan.result_layout", index, "{0} makes {1}, but its configuration asks for another layout",
                at(index), tensor(id));
    }
    // Overrides are demands, so a plan that ignores one is illegal, not slow (Bridge/Overrides).
    if (!isAllowed(op, config) && !leadsToAllowed(index, op, config))
      violate("plan.override", index, "{0} runs in a configuration that its override excludes: {1}",
              at(index), describeConfig(config));
    else if (op.mustConvert && plan[step.reads.front()].layout == config.outputs.front())
      violate("plan.override", index, "{0} converts nothing, but an override demands it: {1}", at(index),
              describeConfig(config));
    if (op.role == OpRole::Fixed)
      checkFixed(index, step);
  }

  /// A conversion op of the program may be one of several steps (narrowConversions): what the last makes counts.
  bool leadsToAllowed(StepIndex index, const Op &op, OpConfig config) const {
    // Another op may make nothing.
    if (op.role != OpRole::Conversion || plan[index].writes.empty())
      return false;
    TensorId made = plan[index].writes.front();
    for (StepIndex next = index + 1; next < plan.end(); ++next) {
      const PlanStep &step = plan[next];
      // Steps behind this one are not checked yet (checkConversion).
      if (step.isRun() || step.reads.size() != 1 || step.writes.size() != 1 || step.reads.front() != made)
        return false;
      made = step.writes.front();
      config.outputs = {plan[made].layout};
      if (isAllowed(op, config))
        return true;
    }
    return false;
  }

  std::string describeConfig(const OpConfig &config) const {
    std::string text = describe(config.specific);
    for (LayoutId layout : config.outputs)
      text += (text.empty() ? "" : ", ") + (layout.valid() ? describe(problem.layout(layout)) : "any layout");
    return text;
  }

  void checkFixed(StepIndex index, const PlanStep &step) {
    auto check = [&](llvm::ArrayRef<TensorId> tensors, llvm::StringRef verb) {
      for (TensorId id : tensors)
        if (plan[id].layout != problem[plan[id].value].declared)
          violate("plan.fixed_layout", index,
                  "{0} keeps its layouts, but {1} {2}, which {3} made; declared is {4}", at(index), verb,
                  tensor(id), id.index() < arguments ? "the program" : at(*madeAt[id.index()]),
                  describe(problem.layout(problem[plan[id].value].declared)));
    };
    check(step.reads, "reads");
    check(step.writes, "makes");
  }

  // ---- 4. Order ----
  void checkOps() {
    // Memory effects (caches, files, exchanges between devices) have no operand that would order them, and what may be
    // a view of a tensor that is written has none that names it.
    Precedence precedence(problem);
    for (auto [index, op] : llvm::enumerate(problem.ops)) {
      if (!ranAt[index]) {
        violate("plan.op_not_run", std::nullopt, "no step runs {0}", op.location);
        continue;
      }
      // What it reads is no effect, and was checked step by step.
      auto makesOperand = [&](OpId before) {
        return llvm::any_of(op.operands,
                            [&](ValueId operand) { return problem[operand].producer == before; });
      };
      for (OpId before : precedence.predecessors(OpId(index)))
        if (ranAt[before.index()] > ranAt[index] && !makesOperand(before))
          violate("plan.effect_order", ranAt[index],
                  "{0} comes before {1}, which the program has the other way round: one of them writes "
                  "memory that the other reads or writes",
                  at(*ranAt[index]), at(*ranAt[before.index()]));
    }
  }

  void checkInPlaceWrites() {
    std::vector<ValueId> memory = memories(problem);
    std::vector<bool> written = valuesWrittenInPlace(problem);
    // The last write counts: a copy made between two writes has missed the second. By the first value of the memory, as one may write
    // to what is a view.
    std::vector<std::optional<StepIndex>> lastWrite(problem.values.size());
    for (StepIndex index; index < plan.end(); ++index)
      if (const PlanStep &step = plan[index]; step.isRun())
        for (unsigned operand : problem[step.op].writes)
          lastWrite[memory[problem[step.op].operands[operand].index()].index()] = index;
    for (StepIndex index; index < plan.end(); ++index) {
      const PlanStep &step = plan[index];
      if (step.isRun() || step.reads.size() != 1)
        continue;
      ValueId copied = plan[step.reads[0]].value;
      // What is read before the write alone, or is no view for certain, may be copied before it.
      std::optional<StepIndex> write = lastWrite[memory[copied.index()].index()];
      if (write && index < *write && written[copied.index()])
        violate("plan.in_place_copy", index,
                "{0} copies {1}, which {2} writes in place afterwards: the write would be lost "
                "or not seen",
                at(index), tensor(step.reads[0]), at(*write));
    }
  }

  /// By TensorId: the last step that reads the tensor or something that may be a view of it; the end for
  /// tensors that the function returns or does not own, and for views of them.
  std::vector<StepIndex> lastReads() const {
    StepIndex end = plan.end();
    std::vector<StepIndex> last(plan.tensors.size());
    for (StepIndex index; index < end; ++index)
      for (TensorId id : plan[index].reads)
        last[id.index()] = index;
    std::fill_n(last.begin(), arguments, end);
    for (TensorId id : plan.returned)
      last[id.index()] = end;
    auto isView = [&](const PlanStep &step) {
      if (!step.isRun() || step.reads.empty() || step.writes.empty() || !mayBeView(problem, problem[step.op]))
        return false;
      // A conversion with something to do makes a tensor of its own.
      return problem[step.op].role != OpRole::Conversion ||
             plan[step.reads[0]].layout == plan[step.writes[0]].layout;
    };
    // Twice: a view's readers count for what it is a view of, and then for all other views of that. From the
    // back first, so that views of views are settled before what they are views of.
    for (const PlanStep &step : llvm::reverse(plan.steps))
      if (isView(step))
        last[step.reads[0].index()] = std::max(last[step.reads[0].index()], last[step.writes[0].index()]);
    for (const PlanStep &step : plan.steps)
      if (isView(step))
        last[step.writes[0].index()] = std::max(last[step.writes[0].index()], last[step.reads[0].index()]);
    return last;
  }

  /// conv2d with deallocate_activation frees its first operand. One that keeps what the program says may free an argument,
  /// as the program does.
  void checkFreedInputs() {
    std::vector<StepIndex> last = lastReads();
    for (StepIndex index; index < plan.end(); ++index) {
      const PlanStep &step = plan[index];
      if (!step.isRun() || step.reads.empty())
        continue;
      if (!freesInput(plan.configs[step.op.index()]))
        continue;
      TensorId freed = step.reads.front();
      bool asDeclared = problem[step.op].role == OpRole::Fixed && freed.index() < arguments;
      if (last[freed.index()] == plan.end() && !asDeclared)
        violate("plan.deallocate_activation", index,
                "{0} frees {1}, which the function returns or does not own", at(index), tensor(freed));
      else if (last[freed.index()] > index && last[freed.index()] < plan.end())
        violate("plan.deallocate_activation", index,
                "{0} frees {1}, which {2} reads afterwards, itself or through a view", at(index),
                tensor(freed), at(last[freed.index()]));
    }
  }

  // ---- 5. Returned values ----
  void checkReturned() {
    if (plan.returned.size() != problem.returned.size())
      return violate("plan.returned", std::nullopt, "the plan returns {0} tensors, the function {1}",
                     plan.returned.size(), problem.returned.size());
    for (auto [value, id] : llvm::zip_equal(problem.returned, plan.returned))
      // Callers were compiled for the function's type, so its results keep their declared layouts.
      if (plan[id].value != value || plan[id].layout != problem[value].declared)
        violate("plan.returned", std::nullopt, "the function returns {0} in {1}, the plan returns {2}",
                problem[value].name, describe(problem.layout(problem[value].declared)), tensor(id));
  }

  const Problem &problem;
  const Plan &plan;
  std::vector<PlanViolation> violations;
  std::vector<std::optional<StepIndex>> madeAt; ///< by TensorId; nullopt for arguments
  std::vector<std::optional<StepIndex>> ranAt;  ///< by OpId
  size_t arguments = 0;                         ///< tensors that are there from the start
};

} // namespace

std::vector<PlanViolation> tessera::checkPlanStructure(const Problem &problem, const Plan &plan) {
  return StructureCheck(problem, plan).run();
}
