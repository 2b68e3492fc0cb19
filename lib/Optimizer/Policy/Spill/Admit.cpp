//===- Admit.cpp - Back into L1 what there is room for --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Admit.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

/// Places of an op's results that are tried, the fastest first, and those outside L1 in any case.
static constexpr size_t kMaxPlaces = 12;
static constexpr unsigned kMaxRounds = 3;

std::vector<Decision> tessera::legalAlternatives(Draft &draft, OpId op) {
  const Problem &problem = draft.problem;
  Oracle &oracle = draft.oracle;
  // By distinct value: what the op reads now, and what it would read from home.
  llvm::SmallVector<LayoutId, 3> now = inputsOf(draft, op), home;
  for (ValueId value : distinctValues(problem[op]))
    home.push_back(draft.home(value));
  struct Ranked {
    Decision decision;
    StepCost cost;
    bool inL1, atHome;
  };
  std::vector<Ranked> best;
  // As the op reads now, and from where its values are at home: under pressure the copies that it reads now are
  // often what has to go.
  for (const auto &inputs : {now, home}) {
    auto operands = byOperand<LayoutId>(problem[op], inputs);
    std::vector<Ranked> found;
    for (ConfigId config : oracle.legal(op)) {
      StepCost cost = oracle.run(op, operands, config);
      if (!cost.legal || (config == draft.config(op) && inputs == now))
        continue;
      const auto &outputs = oracle[config].outputs;
      // One configuration for each place of the results: readers cannot tell others apart.
      auto same = llvm::find_if(
          found, [&](const Ranked &known) { return oracle[known.decision.config].outputs == outputs; });
      bool inL1 = llvm::any_of(outputs, [&](LayoutId layout) { return oracle.l1Bytes(layout) > Bytes(0); });
      Ranked ranked{{config, inputs}, cost, inL1, inputs == home};
      if (same == found.end())
        found.push_back(ranked);
      else if (cost.time < same->cost.time)
        *same = ranked;
    }
    llvm::append_range(best, found);
    if (now == home)
      break;
  }
  llvm::sort(best, [](const Ranked &a, const Ranked &b) {
    // Results outside L1 come first, or a long list of fast configurations in L1 would leave no way out of it
    // within kMaxPlaces.
    return std::tuple(a.inL1, a.cost.time, a.decision.config, a.atHome) <
           std::tuple(b.inL1, b.cost.time, b.decision.config, b.atHome);
  });
  std::vector<Decision> decisions;
  for (const Ranked &ranked : llvm::ArrayRef(best).take_front(kMaxPlaces))
    decisions.push_back(ranked.decision);
  return decisions;
}

namespace {

/// One more resident, and what it is worth.
struct Admission {
  std::function<void()> change;
  double worth; ///< nanoseconds per byte and schedule position
  size_t order; ///< in which it was found
};

class Admissions {
public:
  Admissions(Draft &draft, const Alternatives &alternatives)
      : draft(draft), problem(draft.problem), alternatives(alternatives) {}

  /// False if nothing was admitted.
  bool round() {
    found.clear();
    for (OpId op : draft.schedule()) {
      if (problem[op].role == OpRole::Fixed)
        continue;
      // Either the op makes its result in L1, with readers that follow, or readers just take the copy that is
      // there again.
      for (const Decision &decision : alternatives(draft, op))
        consider(op, [this, op, decision] {
          take(draft, op, decision, Readers::Follow);
          for (ValueId result : problem[op].results)
            readOriginal(result);
        });
      for (ValueId result : problem[op].results)
        consider(op, [this, result] { readOriginal(result); });
    }
    // L1 is what is scarce here, so what saves most for the bytes and positions that it holds comes first, as
    // in a knapsack.
    llvm::sort(found, [](const Admission &a, const Admission &b) {
      return std::tuple(b.worth, a.order) < std::tuple(a.worth, b.order);
    });
    Nanoseconds before = draft.time();
    // Measured alone, tried on top of those before it: the draft takes back what does not fit any more, or
    // saves nothing any more.
    for (const Admission &admission : found)
      draft.attempt(admission.change);
    return draft.time() < before - kLeastGain;
  }

private:
  static constexpr Nanoseconds kLeastGain{1};

  void readOriginal(ValueId value) {
    for (const Use &use : problem[value].uses)
      setReads(draft, use.op, value, {Source::Original, LayoutId()});
  }

  /// Bytes times positions that the results hold.
  double held(OpId op) const {
    double sum = 0;
    for (ValueId result : problem[op].results)
      for (const Draft::Held &tensor : draft.heldTensors(result)) {
        ScheduleInterval positions = tensor.reservation.positions;
        sum +=
            double(tensor.reservation.size.value()) * double(positions.end.index() - positions.begin.index());
      }
    return sum;
  }

  void consider(OpId op, std::function<void()> change) {
    Nanoseconds before = draft.time();
    double heldBefore = held(op);
    // Made, measured and always taken back: only the figures are wanted here.
    draft.attempt(change, /*mayCost=*/false, [&] {
      Nanoseconds gain = before - draft.time();
      if (gain > kLeastGain)
        found.push_back({change, gain.value() / std::max(1.0, held(op) - heldBefore), found.size()});
      return false;
    });
  }

  Draft &draft;
  const Problem &problem;
  const Alternatives &alternatives;
  std::vector<Admission> found;
};

} // namespace

void tessera::admit(Draft &draft, const Alternatives &alternatives) {
  Admissions admissions(draft, alternatives);
  for (unsigned round = 0; round < kMaxRounds && admissions.round(); ++round)
    ;
}
