//===- Ways.cpp - How the operands of an op may be read -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Ways.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <queue>

using namespace tessera;
using namespace tessera::beam;

/// Combinations times operands: a concat of hundreds would else take the square of its width.
static constexpr size_t kMaxCombined = 16384;

Ways::Ways(const Problem &problem, Oracle &oracle, const BeamOptions &options)
    : problem(problem), oracle(oracle), options(options),
      conversionCharge(problem.device.launch.value() / 50), copyable(copyableValues(problem)),
      readers(problem.ops.size(), 0), sharers(problem.values.size(), 0), ways(problem, oracle) {
  for (auto [value, its] : llvm::zip_equal(problem.values, sharers)) {
    its = double(readingOps(value).size());
    if (value.producer.valid())
      readers[value.producer.index()] += its + value.returned;
  }
}

void Ways::collect(OpId op, const Beams &beams, llvm::ArrayRef<ConfigId> configs, size_t limit) {
  ways.begin(op);
  size_t values = ways.values().size();
  made.assign(values, {});
  for (size_t value = 0; value < values; ++value)
    addDirect(value, beams);
  for (size_t value = 0; value < values; ++value)
    if (!isPinned(ways.values()[value]))
      ways.addTargets(value, configs, options.reshards,
                      [&](LayoutId target) { addConversion(value, target); });
  sortWays();
  combine(std::min(limit, std::max<size_t>(16, kMaxCombined / std::max<size_t>(1, values))));
  if (values > 1)
    ways.forEachPlacement(configs, [&](llvm::ArrayRef<unsigned> chosen) { ways.add(chosen); });
  ways.addBase();
}

void Ways::describe(ValueId id, const Beams &beams, Words &words) const {
  const Value &value = problem[id];
  words.add(value, isPinned(id), value.producer.valid(), sharers[id.index()]);
  if (value.producer.valid())
    words.add(beams.numberOf(value.producer), value.resultIndex, readers[value.producer.index()]);
}

void Ways::addDirect(size_t value, const Beams &beams) {
  const Value &data = problem[ways.values()[value]];
  if (!data.producer.valid()) {
    made[value].push_back({{data.declared}});
  } else {
    for (auto [index, candidate] : llvm::enumerate(beams[data.producer])) {
      // What several ops read is paid by each of them in part: else a value that two branches read would count twice
      // where they join.
      Way way{{oracle[candidate.config].outputs[data.resultIndex]}, unsigned(index), false, candidate.score};
      way.score.time = way.score.time * (1 / std::max(1.0, readers[data.producer.index()]));
      way.cost = options.objective == BeamObjective::Time ? way.score.time.value() : 0;
      // Who reads the value cannot tell candidates apart that make it in one layout, so the cheapest stands for all of
      // them.
      auto same = llvm::find_if(made[value], [&](const Way &other) { return other.layout == way.layout; });
      if (same == made[value].end())
        made[value].push_back(way);
      else if (way.cost < same->cost)
        *same = way;
    }
  }
  for (const Way &way : made[value])
    ways.addThere(value, way);
}

/// From the candidate of the producer from which it is cheapest. A value that is made in that layout by one candidate may
/// still be cheaper to bring there from another. A value that comes in one layout only, such as an argument, is a fork of
/// its conversions: they are shared by those who read it, as Trace will have it.
void Ways::addConversion(size_t value, LayoutId target) {
  bool byTime = options.objective == BeamObjective::Time;
  ValueId id = ways.values()[value];
  double sharing = made[value].size() == 1 ? std::max(1.0, sharers[id.index()]) : 1;
  std::optional<Way> best;
  for (const Way &source : made[value]) {
    if (source.layout == target)
      continue;
    StepCost step = oracle.convert(id, source.layout, target);
    if (!step.legal)
      continue;
    Way way{{target}, source.parent, true, source.score};
    // The charge decides between equal times, so that no conversion is made for nothing.
    way.score.time += (step.time + conversionCharge) * (1 / sharing);
    ++way.score.reshards;
    // Without times one conversion is as dear as the other, and only their number counts.
    way.cost = byTime ? way.score.time.value() : 1;
    if (!best || way.cost < best->cost)
      best = way;
  }
  std::optional<unsigned> known = ways.find(value, target);
  if (best && !known)
    ways[value].push_back(*best);
  else if (best && best->cost < ways[value][*known].cost)
    ways[value][*known] = *best;
}

void Ways::sortWays() {
  for (size_t value = 0; value < ways.values().size(); ++value) {
    for (auto [index, way] : llvm::enumerate(ways[value]))
      way.order = unsigned(index);
    llvm::sort(ways[value], [](const Way &a, const Way &b) {
      return std::tuple(a.cost, a.order) < std::tuple(b.cost, b.order);
    });
  }
}

// ---- Combinations ----------------------------------------------------------------------------------------

/// The cheapest `limit` combinations, ties in lexicographic order. Each is reached from one other only: by the next way
/// for the last value that has not its first one, or for a later value.
void Ways::combine(size_t limit) {
  auto isLater = [](const Combination &a, const Combination &b) {
    if (a.cost != b.cost)
      return a.cost > b.cost;
    return std::lexicographical_compare(b.options.begin(), b.options.end(), a.options.begin(),
                                        a.options.end());
  };
  std::priority_queue<Combination, std::vector<Combination>, decltype(isLater)> open(isLater);
  size_t values = ways.values().size();
  Combination first;
  first.options.assign(values, 0);
  for (size_t value = 0; value < values; ++value)
    first.cost += ways[value].front().cost;
  open.push(std::move(first));
  while (!open.empty() && ways.combinations().size() < limit) {
    Combination now = open.top();
    open.pop();
    // Values before the last that has not its first way stay as they are: whoever turns one of them is reached from another
    // combination, so that none is reached twice, and none need be remembered.
    size_t from = values;
    while (from > 1 && now.options[from - 1] == 0)
      --from;
    for (size_t value = from == 0 ? 0 : from - 1; value < values; ++value) {
      if (now.options[value] + 1 == ways[value].size())
        continue;
      Combination next = now;
      next.cost -= ways[value][next.options[value]].cost;
      next.cost += ways[value][++next.options[value]].cost;
      open.push(std::move(next));
    }
    ways.append(std::move(now));
  }
}
