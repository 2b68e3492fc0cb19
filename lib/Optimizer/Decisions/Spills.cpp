//===- Spills.cpp - Why ops read from DRAM --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// From the plan alone, so that all policies are judged alike: an activation that an op reads from DRAM is priced in L1, all else as the
// plan has it. What a policy noted itself is added.
//
//===----------------------------------------------------------------------===//
#include "Spills.h"

#include "tessera/Optimizer/Plan/ConversionEffects.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::decisions;

namespace {

/// Tensor by tensor of the plan, so that a value with two tensors in DRAM that are both read counts twice, each
/// with its own edges.
class SpillSearch {
public:
  SpillSearch(const DecidedPlan &decided, Variations &variations, const Alternatives &alternatives)
      : decided(decided), problem(decided.problem), plan(decided.plan), variations(variations),
        alternatives(alternatives), writtenInPlace(valuesWrittenInPlace(problem)),
        effects(conversionEffects(problem, plan)) {}

  std::vector<SpillFacts> run() {
    for (size_t i = 0; i < plan.tensors.size(); ++i)
      if (isSpill(TensorId(i)))
        add(TensorId(i));
    return std::move(spills);
  }

private:
  /// In DRAM, made by an op of the function, and read by something other than the return.
  bool isSpill(TensorId id) const {
    const tessera::Value &value = problem[plan[id].value];
    return value.kind == ValueKind::Activation && value.producer.valid() &&
           problem.layout(plan[id].layout).isDram() && !writtenInPlace[plan[id].value.index()] &&
           llvm::any_of(variations.readersOf(id),
                        [&](StepIndex reader) {
                          const std::optional<ConversionEffect> &effect = effects[reader.index()];
                          return plan[reader].isRun() || !effect ||
                                 effect->reason != ConversionReason::Return;
                        }) &&
           !isStop(id);
  }

  /// A stop of a conversion on its way to somewhere else: not where the value lies.
  bool isStop(TensorId id) const {
    llvm::ArrayRef<StepIndex> readers = variations.readersOf(id);
    std::optional<StepIndex> maker = variations.makerOf(id);
    return maker && !plan[*maker].isRun() && readers.size() == 1 && !plan[readers.front()].isRun() &&
           readers.front() == *maker + 1;
  }

  void add(TensorId id) {
    SpillFacts spill;
    spill.value = Index(plan[id].value.index());
    spill.tensor = Index(id.index());
    // There is one: isSpill leaves arguments out.
    StepIndex maker = *variations.makerOf(id);
    // Made in L1 and moved, or made in DRAM at once: only the former has a step to point at.
    bool moved = !plan[maker].isRun();
    if (moved)
      spill.step = Index(maker.index());
    spill.way = wayOf(problem[plan[id].value]);
    for (StepIndex reader : variations.readersOf(id))
      spill.edges += llvm::count(plan[reader].reads, id);
    if (auto reason = decided.log.reasons.find(plan[id].value); reason != decided.log.reasons.end())
      spill.policyReason = reason->second;
    // An eviction is the more precise word, so it stands above a reason that was noted before.
    for (const LoggedEviction &eviction : decided.log.evictions)
      if (eviction.victim == plan[id].value)
        spill.policyReason = "left L1 for " + decided.labels[eviction.cause.index()];
    std::optional<Variation> best = inL1(id);
    // Moved there though an L1 copy was read before: that copy could have stayed.
    if (std::optional<Variation> stays = moved ? variations.stay(id) : std::nullopt)
      if (!best || stays->rank() < best->rank())
        best = stays;
    judge(spill, best);
    spills.push_back(std::move(spill));
  }

  /// The best way of the producer to make the value in L1; nullopt if there is none.
  std::optional<Variation> inL1(TensorId id) const {
    const tessera::Value &value = problem[plan[id].value];
    for (const Variation &other : alternatives(value.producer)) // the best first
      if (problem.layout(other.config.outputs[value.resultIndex]).isL1())
        return other;
    return std::nullopt;
  }

  static void judge(SpillFacts &spill, const std::optional<Variation> &best) {
    // No way of the producer makes it in L1, or none that its readers can go on from.
    spill.cause = SpillCause::Backend;
    if (!best)
      return;
    spill.delta = best->delta();
    // Time comes before memory: what is no faster in L1 is not missed there, whether it has room or not.
    bool gains = best->delta() < Nanoseconds(-kEqualTimes);
    spill.cause = !gains ? SpillCause::Faster : best->tight ? SpillCause::Memory : SpillCause::Policy;
    if (best->tight) {
      spill.atStep = Index(best->tight->index());
      spill.missing = best->missing;
    }
  }

  /// By who reads the value in the program, whatever tensors the plan gives them: chains run through first
  /// operands, so that a value which one op reads elsewhere is told apart from a fork.
  static SpillWay wayOf(const tessera::Value &value) {
    bool first = llvm::all_of(value.uses, [](const Use &use) { return use.operand == 0; });
    bool one = llvm::all_of(value.uses, [&](const Use &use) { return use.op == value.uses.front().op; });
    return !one ? SpillWay::Fork : first ? SpillWay::Single : SpillWay::Operand;
  }

  const DecidedPlan &decided;
  const Problem &problem;
  const Plan &plan;
  Variations &variations;
  const Alternatives &alternatives;
  std::vector<bool> writtenInPlace;
  std::vector<std::optional<ConversionEffect>> effects; ///< by step
  std::vector<SpillFacts> spills;
};

} // namespace

SpillCounts &SpillCounts::operator+=(const SpillCounts &other) {
  backend += other.backend;
  memory += other.memory;
  faster += other.faster;
  policy += other.policy;
  edges += other.edges;
  possibleEdges += other.possibleEdges;
  possibleForks += other.possibleForks;
  return *this;
}

SpillCounts decisions::countSpills(llvm::ArrayRef<SpillFacts> spills) {
  SpillCounts counts;
  for (const SpillFacts &spill : spills) {
    // A plan with the value in L1 is legal and fits: only time, or the policy, decided against it.
    bool possible = spill.cause == SpillCause::Faster || spill.cause == SpillCause::Policy;
    counts.backend += spill.cause == SpillCause::Backend;
    counts.memory += spill.cause == SpillCause::Memory;
    counts.faster += spill.cause == SpillCause::Faster;
    counts.policy += spill.cause == SpillCause::Policy;
    counts.edges += spill.edges;
    counts.possibleEdges += possible ? spill.edges : 0;
    counts.possibleForks += possible && spill.way == SpillWay::Fork;
  }
  return counts;
}

std::vector<SpillFacts> decisions::findSpills(const DecidedPlan &decided, Variations &variations,
                                              const Alternatives &alternatives) {
  return SpillSearch(decided, variations, alternatives).run();
}

std::vector<SpillFacts> decisions::collectSpills(const DecidedPlan &decided) {
  Variations variations(decided.problem, decided.plan, decided.cost, decided.l1, decided.model);
  return findSpills(decided, variations, [&](OpId op) { return variations.alternatives(op); });
}
