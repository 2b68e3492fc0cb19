//===- Ways.cpp - How the operands of an op may be read -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Ways.h"

#include "../Common/Forms.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <queue>

using namespace tessera;
using namespace tessera::beam;

/// Ways per value.
static constexpr size_t kMaxWays = 32;
/// Combinations times operands: a concat of hundreds would else take the square of its width.
static constexpr size_t kMaxCombined = 16384;

Ways::Ways(const Problem &problem, Oracle &oracle, const BeamOptions &options)
    : problem(problem), oracle(oracle), options(options),
      conversionCharge(problem.device.launch.value() / 50), copyable(copyableValues(problem)),
      readers(problem.ops.size(), 0), sharers(problem.values.size(), 0) {
  for (auto [value, its] : llvm::zip_equal(problem.values, sharers)) {
    its = double(countReaders(value));
    if (value.producer.valid())
      readers[value.producer.index()] += its + value.returned;
  }
}

void Ways::collect(OpId id, const Beams &beams, llvm::ArrayRef<ConfigId> configs, size_t limit) {
  const Op &op = problem[id];
  distinct = distinctValues(op);
  positionOf.clear();
  for (ValueId operand : op.operands)
    positionOf.push_back(unsigned(llvm::find(distinct, operand) - distinct.begin()));
  made.assign(distinct.size(), {});
  ways.assign(distinct.size(), {});
  for (size_t value = 0; value < distinct.size(); ++value)
    addDirect(value, beams);
  for (size_t value = 0; value < distinct.size(); ++value)
    addTargets(id, value, configs);
  sortWays();
  combinations.clear();
  combine(std::min(limit, std::max<size_t>(16, kMaxCombined / std::max<size_t>(1, distinct.size()))));
  if (distinct.size() > 1)
    addPlacements(configs);
  addBase(id);
}

void Ways::describe(ValueId id, const Beams &beams, Words &words) const {
  const Value &value = problem[id];
  words.add(value.tensor.dtype);
  words.add(value.tensor.shape.size());
  for (int64_t extent : value.tensor.shape)
    words.add(extent);
  words.add(value.declared);
  words.add(value.home);
  words.add(value.kind);
  words.add(isPinned(id));
  words.add(value.producer.valid());
  words.add(sharers[id.index()]);
  if (!value.producer.valid())
    return;
  words.add(beams.numberOf(value.producer));
  words.add(value.resultIndex);
  words.add(readers[value.producer.index()]);
}

void Ways::addDirect(size_t value, const Beams &beams) {
  const Value &data = problem[distinct[value]];
  if (!data.producer.valid()) {
    made[value].push_back({{data.declared, 0, false}, {}, 0});
  } else {
    for (auto [index, candidate] : llvm::enumerate(beams[data.producer])) {
      Way way{
          {oracle[candidate.config].outputs[data.resultIndex], unsigned(index), false}, candidate.score, 0};
      way.score.time = way.score.time * (1 / std::max(1.0, readers[data.producer.index()]));
      way.cost = options.objective == BeamObjective::Time ? way.score.time.value() : 0;
      auto same = llvm::find_if(made[value],
                                [&](const Way &other) { return other.input.layout == way.input.layout; });
      if (same == made[value].end())
        made[value].push_back(way);
      else if (way.cost < same->cost)
        *same = way;
    }
  }
  ways[value] = made[value];
}

void Ways::addTargets(OpId op, size_t value, llvm::ArrayRef<ConfigId> configs) {
  if (isPinned(distinct[value]))
    return;
  llvm::SmallVector<LayoutId, 16> others;
  for (size_t other = 0; other < distinct.size(); ++other)
    for (const Way &way : made[other])
      if (other != value)
        others.push_back(way.input.layout);
  Reading reading{op, distinct[value], configs, others, options.reshards};
  for (LayoutId target : conversionTargets(oracle, problem, reading))
    if (ways[value].size() < kMaxWays)
      addConversion(value, target);
}

int Ways::find(size_t value, LayoutId layout) const {
  for (auto [index, way] : llvm::enumerate(ways[value]))
    if (way.input.layout == layout)
      return int(index);
  return -1;
}

/// From the candidate of the producer from which it is cheapest. A value that is made in that layout by one candidate may
/// still be cheaper to bring there from another. A value that comes in one layout only, such as an argument, is a fork of
/// its conversions: they are shared by those who read it, as Trace will have it.
void Ways::addConversion(size_t value, LayoutId target) {
  bool byTime = options.objective == BeamObjective::Time;
  double sharing = made[value].size() == 1 ? std::max(1.0, sharers[distinct[value].index()]) : 1;
  std::optional<Way> best;
  for (const Way &source : made[value]) {
    if (source.input.layout == target)
      continue;
    StepCost step = oracle.convert(distinct[value], source.input.layout, target);
    if (!step.legal)
      continue;
    Way way{{target, source.input.parent, true}, source.score, 0};
    way.score.time += (step.time + conversionCharge) * (1 / sharing);
    ++way.score.reshards;
    way.cost = byTime ? way.score.time.value() : 1;
    if (!best || way.cost < best->cost)
      best = way;
  }
  int known = find(value, target);
  if (best && known < 0)
    ways[value].push_back(*best);
  else if (best && best->cost < ways[value][size_t(known)].cost)
    ways[value][size_t(known)] = *best;
}

void Ways::sortWays() {
  for (std::vector<Way> &list : ways) {
    for (auto [index, way] : llvm::enumerate(list))
      way.order = unsigned(index);
    llvm::sort(list, [](const Way &a, const Way &b) {
      return std::tuple(a.cost, a.order) < std::tuple(b.cost, b.order);
    });
  }
}

// ---- Combinations ----------------------------------------------------------------------------------------

/// The cheapest `limit` combinations, ties in lexicographic order. Each is reached from one other only: by the next way
/// for the last value that has not its first one, or for a later value.
void Ways::combine(size_t limit) {
  if (llvm::any_of(ways, [](const std::vector<Way> &list) { return list.empty(); }))
    return;
  auto isLater = [](const Assignment &a, const Assignment &b) {
    if (a.cost != b.cost)
      return a.cost > b.cost;
    return std::lexicographical_compare(b.ways.begin(), b.ways.end(), a.ways.begin(), a.ways.end());
  };
  std::priority_queue<Assignment, std::vector<Assignment>, decltype(isLater)> open(isLater);
  Assignment first;
  first.ways.assign(distinct.size(), 0);
  for (const std::vector<Way> &list : ways)
    first.cost += list.front().cost;
  open.push(std::move(first));
  while (!open.empty() && combinations.size() < limit) {
    combinations.push_back(open.top());
    open.pop();
    const Assignment &now = combinations.back();
    size_t from = distinct.size();
    while (from > 1 && now.ways[from - 1] == 0)
      --from;
    for (size_t value = from == 0 ? 0 : from - 1; value < distinct.size(); ++value) {
      if (now.ways[value] + 1 == ways[value].size())
        continue;
      Assignment next = now;
      next.cost -= ways[value][next.ways[value]].cost;
      next.cost += ways[value][++next.ways[value]].cost;
      open.push(std::move(next));
    }
  }
}

/// All activations placed alike: like a result, or like one of them. Constants stay where they are cheapest to read.
void Ways::addPlacements(llvm::ArrayRef<ConfigId> configs) {
  llvm::SmallVector<LayoutId, 16> there;
  for (const std::vector<Way> &list : made)
    for (const Way &way : list)
      there.push_back(way.input.layout);
  for (LayoutId placement : sharedPlacements(oracle, problem, configs, there)) {
    llvm::SmallVector<unsigned, 4> chosen(distinct.size(), 0);
    for (size_t value = 0; value < distinct.size(); ++value) {
      if (problem[distinct[value]].kind == ValueKind::Constant)
        continue;
      LayoutId like = oracle.placedLike(placement, distinct[value]);
      if (int found = like.valid() ? find(value, like) : -1; found >= 0)
        chosen[value] = unsigned(found);
    }
    add(chosen);
  }
}

/// What is certainly legal.
void Ways::addBase(OpId op) {
  llvm::SmallVector<unsigned, 4> chosen(distinct.size(), 0);
  for (auto [operand, value] : llvm::enumerate(positionOf))
    if (int found = find(value, baseInput(problem, op, operand)); found >= 0)
      chosen[value] = unsigned(found);
  add(chosen);
}

void Ways::add(llvm::ArrayRef<unsigned> chosen) {
  if (llvm::any_of(combinations, [&](const Assignment &a) { return llvm::equal(a.ways, chosen); }))
    return;
  Assignment assignment;
  assignment.ways.assign(chosen.begin(), chosen.end());
  for (auto [value, way] : llvm::enumerate(chosen)) {
    if (way >= ways[value].size())
      return;
    assignment.cost += ways[value][way].cost;
  }
  combinations.push_back(std::move(assignment));
}
