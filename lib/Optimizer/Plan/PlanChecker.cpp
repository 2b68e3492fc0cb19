//===- PlanChecker.cpp - Proof that a plan is legal -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// After the structure (PlanStructure.cpp), every step is validated in the op
// model with the L1 that other live tensors hold at its place:
//
//   L1 at a step = the step's own peak (circular buffers, outputs, temporaries)
//                + all other tensors that live during it, its operands included
//                + the safety margin that unconfirmed figures ask for
//
// An op that the model does not know, or refuses by its rules as the input
// program has it, cannot be judged: its circular buffers are unknown. It keeps
// what the input program gives it (OpRole::Fixed), and passes if the tensors
// that live fit and nothing lies in L1 beside it that did not lie there in the
// input program. Being out of memory is an answer, not ignorance.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/LiveL1.h"

#include "PlanStructure.h"
#include "tessera/Optimizer/Memory/Lifetime.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanText.h"
#include "tessera/Optimizer/Plan/PlanUses.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace tessera;

/// Tensors that a message lists.
static constexpr size_t kMaxListed = 16;

namespace {

class PressureCheck {
public:
  PressureCheck(const Problem &problem, const Plan &plan, const OpModel &model, PlanCheck &result)
      : problem(problem), plan(plan), model(model), result(result), bytes(tensorL1(problem, plan)),
        intervals(lifetimes(problem, plan)), events(intervals, plan.end()), uses(plan),
        live(liveL1(problem, plan)) {}

  void run() {
    result.l1.tensors.reserve(plan.steps.size());
    result.l1.buffers.reserve(plan.steps.size());
    result.l1.margins.reserve(plan.steps.size());
    for (StepIndex step; step < plan.end(); ++step) {
      for (TensorId born : events.bornAt(step))
        if (isNewInL1(born))
          newInL1.insert(born);
      validate(step);
      checkNarrow(step);
      for (TensorId dead : events.deadAfter(step))
        newInL1.erase(dead);
    }
  }

private:
  /// Holds L1 where the input program does not.
  bool isNewInL1(TensorId id) const {
    return bytes[id.index()] > Bytes(0) && plan[id].layout != problem[plan[id].value].declared;
  }

  /// The IR has no op for a conversion that changes more than one thing (facts/dialect 4).
  void checkNarrow(StepIndex index) {
    const PlanStep &step = plan[index];
    if (!convertsLayout(problem, step))
      return;
    TensorId source = step.reads.front(), target = step.writes.front();
    if (!narrowConversion(problem.layout(plan[source].layout), problem.layout(plan[target].layout)))
      violate("plan.conversion_not_narrow", index, "{0} turns {1} into {2}: no single op does",
              describeStep(problem, plan, index), describeTensor(problem, plan, source),
              describeTensor(problem, plan, target));
  }

  void validate(StepIndex index) {
    const PlanStep &step = plan[index];
    StepQuestion question(problem, plan, step);
    Bytes outputs = resultL1(problem, plan, step);
    OpQuery query = pressed(question, live[index.index()], outputs, model.context());
    ValidationResult answer = model.query(query);
    // Refused in an empty L1 too, and as the input program has it: that tells nothing about the plan.
    if (!answer.ok() && isDeclared(step) && refusedAlone(step, query))
      return checkUnknown(index, answer);
    // Figures are recorded for illegal steps, too: fitBase finds all full steps by them, and messages are
    // limited in number.
    record(index, answer, outputs);
    if (result.violations.size() >= kMaxPlanViolations)
      return; // only the figures are of interest now
    bool alone =
        result.l1.total(index) > problem.l1Budget && fitsAlone(model, query, answer, problem.l1Budget);
    // Readers were planned for the layout in the plan.
    if ((answer.ok() || alone) && !makesAsPlanned(answer, plan, step))
      violate("plan.unexpected_layout", index, "{0}: the op model would produce another layout than planned",
              describeStep(problem, plan, index));
    // An op that exceeds the cap while no tensor but its own lies in L1 has nothing left that could give way
    // (Problem/Base.h).
    if (alone)
      return result.l1.alone.push_back(index);
    // The sum is compared as well: it counts whole shards, where a model may count the pages that a shard
    // really has.
    if (answer.status == ValidationStatus::OutOfMemory ||
        (answer.ok() && result.l1.total(index) > problem.l1Budget))
      return violateCapacity(index);
    if (!answer.ok())
      violate("plan.op_illegal", index, "{0}: {1}{2}{3}: {4}{5}", describeStep(problem, plan, index),
              name(answer.status), answer.rule.empty() ? "" : " ", answer.rule, answer.message,
              origins(step));
  }

  void violateCapacity(StepIndex index) {
    violate(kL1Capacity, index, "{0} needs {1} bytes of L1 per core, of {2}: {3} circular buffers{4}",
            describeStep(problem, plan, index), result.l1.total(index).value(), problem.l1Budget.value(),
            result.l1.buffers[index.index()].value(), margin(index) + liveTensors(index));
  }

  /// True if the step does what the input program does, in the layouts that it has there.
  bool isDeclared(const PlanStep &step) const {
    auto declared = [&](TensorId id) { return plan[id].layout == problem[plan[id].value].declared; };
    return step.isRun() && llvm::all_of(step.reads, declared) && llvm::all_of(step.writes, declared) &&
           plan.configs[step.op.index()] == problem[step.op].declared;
  }

  bool refusedAlone(const PlanStep &step, OpQuery query) const {
    // Pressure alone would be no ignorance: it is the plan's doing.
    query.additionalL1 = Bytes(0);
    return problem[step.op].role == OpRole::Fixed && isUnjudged(model.query(query));
  }

  void checkUnknown(StepIndex index, const ValidationResult &answer) {
    // Tensors are known whatever the op is. Its circular buffers are not, and count as 0 in the figures.
    result.l1.tensors.push_back(live[index.index()]);
    result.l1.buffers.push_back(Bytes(0));
    result.l1.margins.push_back(Bytes(0));
    updatePeak(index);
    bool mayUseMore = mayUseCircularBuffers(problem, plan[index].op);
    if (mayUseMore && hasNoTime(answer))
      result.l1.unknown.push_back(index);
    if (result.violations.size() >= kMaxPlanViolations)
      return;
    if (live[index.index()] > problem.l1Budget)
      violateCapacity(index);
    // What the input program had in L1 here worked with the op, whatever it needs; only what the plan added is in
    // question.
    if (newInL1.empty() || !mayUseMore)
      return;
    TensorId first = *newInL1.begin();
    violate("plan.unknown_op_pressure", index, "{0} may need all of L1 ({1}), but {2}{3} lives across it",
            describeStep(problem, plan, index), name(answer.status), describeTensor(problem, plan, first),
            madeBy(first));
  }

  /// The figures of L1Usage: what is not a circular buffer is a tensor.
  void record(StepIndex index, const ValidationResult &answer, Bytes outputs) {
    const OpConstraints &c = answer.constraints;
    Bytes resident = live[index.index()] - outputs; // all that lives beside what the op makes itself
    Bytes uneven = std::max(Bytes(0), outputs - c.outputL1BufferSize); // whole shards, OpModel's residentL1
    result.l1.buffers.push_back(c.cbL1PeakSize);
    result.l1.margins.push_back(c.safetyMargin);
    result.l1.tensors.push_back(resident + uneven + c.peakL1MemorySize - c.cbL1PeakSize);
    updatePeak(index);
  }

  void updatePeak(StepIndex index) {
    // Of equal peaks the first step is named, so that the message does not depend on anything but the plan.
    if (result.l1.total(index) <= result.l1.peak)
      return;
    result.l1.peak = result.l1.total(index);
    result.l1.peakStep = index;
  }

  std::string madeBy(TensorId id) const {
    std::optional<StepIndex> maker = uses.makers[id.index()];
    return maker ? ", made by " + describeStep(problem, plan, *maker) + "," : ", an argument,";
  }

  std::string origins(const PlanStep &step) const {
    std::string text;
    for (TensorId id : step.reads)
      text += "; reads " + describeTensor(problem, plan, id) + madeBy(id);
    return text.empty() || text.back() != ',' ? text : text.substr(0, text.size() - 1);
  }

  std::string margin(StepIndex index) const {
    Bytes bytes = result.l1.margins[index.index()];
    if (bytes == Bytes(0))
      return "";
    return llvm::formatv(", {0} safety margin, as these figures are unconfirmed", bytes.value());
  }

  /// The largest ones, in the order of their ids, and how much the rest holds.
  std::string liveTensors(StepIndex index) const {
    std::vector<TensorId> holders = events.liveDuring(index);
    llvm::erase_if(holders, [&](TensorId id) { return bytes[id.index()] == Bytes(0); });
    llvm::sort(holders, [&](TensorId a, TensorId b) {
      return std::tuple(bytes[b.index()], a) < std::tuple(bytes[a.index()], b);
    });
    auto rest = holders.begin() + ptrdiff_t(std::min(holders.size(), kMaxListed));
    // The largest are chosen, but listed in the order in which they were made, as a reader follows the program.
    std::sort(holders.begin(), rest);
    std::string text;
    for (TensorId id : llvm::make_range(holders.begin(), rest))
      text += llvm::formatv("; {0} {1} bytes{2} needed until {3}", describeTensor(problem, plan, id),
                            bytes[id.index()].value(), madeBy(id),
                            describeStep(problem, plan, intervals[id.index()].end - 1));
    if (rest == holders.end())
      return text;
    Bytes others;
    for (TensorId id : llvm::make_range(rest, holders.end()))
      others += bytes[id.index()];
    return text + llvm::formatv("; {0} more tensors {1} bytes", holders.end() - rest, others.value()).str();
  }

  template <class... Args>
  void violate(llvm::StringRef rule, StepIndex step, const char *format, Args &&...args) {
    result.violations.push_back({rule.str(), llvm::formatv(format, std::forward<Args>(args)...).str(), step});
  }

  const Problem &problem;
  const Plan &plan;
  const OpModel &model;
  PlanCheck &result;
  std::vector<Bytes> bytes; ///< by TensorId: tensorL1
  std::vector<StepInterval> intervals;
  LifetimeEvents events;
  PlanUses uses;
  std::vector<Bytes> live;    ///< by step: liveL1
  std::set<TensorId> newInL1; ///< of the live ones: isNewInL1
};

} // namespace

PlanCheck tessera::checkPlan(const Problem &problem, const Plan &plan, const OpModel &model) {
  PlanCheck result;
  // Lifetimes and questions are only defined for a plan that is a program at all.
  result.violations = checkPlanStructure(problem, plan);
  if (result.ok())
    PressureCheck(problem, plan, model, result).run();
  return result;
}
