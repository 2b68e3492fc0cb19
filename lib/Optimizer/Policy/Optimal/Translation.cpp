//===- Translation.cpp - Plans as selections ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Translation.h"

#include "../Common/Reads.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace tessera;
using namespace tessera::optimal;

static SelectionCost sum(SelectionCost a, SelectionCost b) { return std::min(kForbiddenCost, a + b); }

static void keepEachOnce(std::vector<Form> &forms) {
  llvm::sort(forms);
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
}

Translation::Translation(const Space &space) : space(space), sources(space.problem.values.size()) {
  const Problem &from = space.problem;
  for (size_t index = 0; index < from.values.size(); ++index)
    if (!from.values[index].producer.valid() && !space.isSettled(ValueId(index)))
      addShared(ValueId(index));
  for (size_t index = 0; index < from.ops.size(); ++index)
    addOp(OpId(index));
  problem = std::move(builder).finish(0);
}

void Translation::addOp(OpId op) {
  const Ways &ways = *space.ways[op.index()];
  auto values = distinctValues(space.problem[op]);
  std::vector<SelectionNode> reads;
  std::vector<std::vector<Form>> forms;
  for (auto [position, value] : llvm::enumerate(values)) {
    if (space.isSettled(value))
      continue;
    std::vector<Form> &its = forms.emplace_back();
    for (const Way &way : ways)
      its.push_back(way.reads[position]);
    std::vector<Form> ofWays = its;
    keepEachOnce(its);
    reads.push_back(addRead(value, its));
    // Kept by way until the op's node is there.
    forms.push_back(std::move(ofWays));
  }
  std::vector<SelectionCost> costs;
  for (const Way &way : ways)
    costs.push_back(way.cost);
  nodeOf.push_back(builder.addNode(costs));
  for (auto [index, read] : llvm::enumerate(reads)) {
    std::vector<SelectionCost> pairs;
    for (Form form : forms[2 * index])
      for (Form ofWay : forms[2 * index + 1])
        pairs.push_back(form == ofWay ? 0 : kForbiddenCost);
    builder.addEdge(read, nodeOf.back(), std::move(pairs));
  }
  for (auto [index, value] : llvm::enumerate(space.problem[op].results)) {
    if (space.isSettled(value))
      continue;
    if (space.countSharers(value) > 1) {
      addShared(value);
      continue;
    }
    sources[value.index()].node = nodeOf.back();
    for (const Way &way : ways)
      sources[value.index()].made.push_back(way.makes[index]);
  }
}

/// The forms that an op may read, as a node behind what the value comes from.
SelectionNode Translation::addRead(ValueId value, llvm::ArrayRef<Form> forms) {
  const Source &source = sources[value.index()];
  const Distances &distances = *space.forms[value.index()].distances;
  SelectionNode node = builder.addNode(std::vector<SelectionCost>(forms.size(), 0));
  std::vector<SelectionCost> pairs;
  for (Form made : source.made)
    for (Form form : forms)
      pairs.push_back(distances.at(made, form));
  for (const Copies &copies : source.copies)
    for (Form form : forms)
      pairs.push_back(readCost(value, copies, form));
  builder.addEdge(source.node, node, std::move(pairs));
  return node;
}

std::vector<Form> Translation::formsRead(ValueId id) const {
  const Value &value = space.problem[id];
  std::vector<Form> read;
  for (const Use &use : value.uses) {
    auto values = distinctValues(space.problem[use.op]);
    size_t position = size_t(llvm::find(values, id) - values.begin());
    for (const Way &way : *space.ways[use.op.index()])
      read.push_back(way.reads[position]);
  }
  if (value.returned)
    read.push_back(*space.forms[id.index()].find(value.declared));
  keepEachOnce(read);
  return read;
}

/// The return, of a value that is made here, reads the declared form. If that is what is made, it shares no other.
static size_t sharersOfOthers(const Space &space, ValueId id, Form made) {
  const Value &value = space.problem[id];
  bool isReturnedAsMade =
      value.returned && value.producer.valid() && space.forms[id.index()].layouts[made] == value.declared;
  return space.countSharers(id) - isReturnedAsMade;
}

/// Of two sharers: from the form at which their ways part. Of more: where there are at least two other forms, each is read by all sharers
/// but one at most.
SelectionCost Translation::readCost(ValueId value, const Copies &copies, Form form) const {
  if (space.countSharers(value) == 2)
    return space.forms[value.index()].distances->at(copies.other.value_or(copies.made), form);
  if (form == copies.made || form == copies.other)
    return 0;
  const Distances &distances = *space.forms[value.index()].distances;
  size_t sharers = sharersOfOthers(space, value, copies.made);
  if (!copies.many || sharers < 2 || distances.at(copies.made, form) >= kForbiddenCost)
    return kForbiddenCost;
  return distances.arrivals[form] / SelectionCost(sharers - 1);
}

void Translation::addShared(ValueId id) {
  const Value &value = space.problem[id];
  const Distances &distances = *space.forms[id.index()].distances;
  Form declared = *space.forms[id.index()].find(value.declared);
  std::vector<Form> made = {declared}, read = formsRead(id), ofWays;
  if (value.producer.valid()) {
    for (const Way &way : *space.ways[value.producer.index()])
      ofWays.push_back(way.makes[value.resultIndex]);
    made = ofWays;
    keepEachOnce(made);
  }
  bool areTwo = space.countSharers(id) == 2;
  std::vector<Form> others = read;
  if (areTwo) { // which may part at any form
    others.resize(distances.forms);
    std::iota(others.begin(), others.end(), 0);
  }
  std::vector<Copies> states;
  for (Form form : made) {
    states.push_back({form, std::nullopt});
    for (Form other : others)
      if (other != form && distances.at(form, other) < kForbiddenCost)
        states.push_back({form, other});
    if (!areTwo)
      states.push_back({form, std::nullopt, true});
  }
  std::vector<SelectionCost> costs;
  for (const Copies &copies : states) {
    costs.push_back(copies.other ? distances.at(copies.made, *copies.other) : 0);
    if (value.returned && value.producer.valid())
      costs.back() = sum(costs.back(), readCost(id, copies, declared));
  }
  if (value.producer.valid()) {
    SelectionNode madeNode = builder.addNode(std::vector<SelectionCost>(made.size(), 0));
    std::vector<SelectionCost> pairs;
    for (Form ofWay : ofWays)
      for (Form form : made)
        pairs.push_back(ofWay == form ? 0 : kForbiddenCost);
    builder.addEdge(nodeOf.back(), madeNode, std::move(pairs));
    sources[id.index()].node = builder.addNode(costs);
    pairs.clear();
    for (Form form : made)
      for (const Copies &copies : states)
        pairs.push_back(form == copies.made ? 0 : kForbiddenCost);
    builder.addEdge(madeNode, sources[id.index()].node, std::move(pairs));
  } else {
    sources[id.index()].node = builder.addNode(costs);
  }
  sources[id.index()].copies = std::move(states);
}

namespace {
/// States of nodes one after the other, in an order in which each has what decides it.
class Follower {
public:
  explicit Follower(const SelectionProblem &problem)
      : problem(problem), edges(problem.numNodes()), chosen(problem.numNodes()) {
    for (uint32_t index = 0; index < problem.edges.size(); ++index) {
      edges[problem.edges[index].from].push_back(index);
      edges[problem.edges[index].to].push_back(index);
    }
  }

  void set(SelectionNode node, SelectionState state) { chosen[node] = state; }
  /// What is cheapest with those neighbours that are there.
  void follow(SelectionNode node) {
    if (chosen[node])
      return;
    SelectionState best = 0;
    SelectionCost least = kForbiddenCost + 1;
    for (SelectionState state = 0; state < problem.numStates(node); ++state) {
      SelectionCost cost = problem.cost(node, state);
      for (uint32_t index : edges[node]) {
        const SelectionEdge &edge = problem.edges[index];
        const SelectionMatrix &matrix = problem.matrices[edge.matrix];
        if (edge.from == node && chosen[edge.to])
          cost = sum(cost, matrix.at(state, *chosen[edge.to]));
        if (edge.to == node && chosen[edge.from])
          cost = sum(cost, matrix.at(*chosen[edge.from], state));
      }
      if (cost < least) {
        least = cost;
        best = state;
      }
    }
    chosen[node] = best;
  }
  Selection result() const {
    Selection selection;
    for (const std::optional<SelectionState> &state : chosen)
      selection.push_back(*state);
    return selection;
  }

private:
  const SelectionProblem &problem;
  std::vector<std::vector<uint32_t>> edges; ///< by node
  std::vector<std::optional<SelectionState>> chosen;
};
} // namespace

Selection Translation::selectionOf(const Plan &plan) const {
  std::vector<std::optional<Way>> ways(space.problem.ops.size());
  for (const PlanStep &step : plan.steps) {
    if (step.kind != PlanStep::Kind::Run)
      continue;
    const Op &op = space.problem[step.op];
    Way &its = ways[step.op.index()].emplace();
    for (ValueId value : distinctValues(op))
      its.reads.push_back(*space.forms[value.index()].find(plan[step.reads[firstOperand(op, value)]].layout));
    for (auto [result, tensor] : llvm::zip_equal(op.results, step.writes))
      its.makes.push_back(*space.forms[result.index()].find(plan[tensor].layout));
  }
  return selectionOf(ways);
}

SelectionState Translation::nearest(OpId op, Way its) const {
  llvm::SmallVector<const Distances *, 4> reads, makes;
  for (ValueId value : distinctValues(space.problem[op]))
    reads.push_back(space.forms[value.index()].distances.get());
  for (ValueId value : space.problem[op].results)
    makes.push_back(space.forms[value.index()].distances.get());
  its = space.settled(op, std::move(its));
  const Ways &ways = *space.ways[op.index()];
  auto least = std::min_element(ways.begin(), ways.end(), [&](const Way &a, const Way &b) {
    return detour(its, a, reads, makes) < detour(its, b, reads, makes);
  });
  return SelectionState(least - ways.begin());
}

Selection Translation::selectionOf(llvm::ArrayRef<std::optional<Way>> ways) const {
  Follower follower(problem);
  for (auto [index, way] : llvm::enumerate(ways))
    if (way)
      follower.set(nodeOf[index], nearest(OpId(index), *way));
  // Reads and makes follow from ops, and copies from both: they have no neighbour that is an op.
  std::vector<bool> isCopies(problem.numNodes());
  for (const Source &source : sources)
    if (!source.copies.empty())
      isCopies[source.node] = true;
  for (bool copies : {false, true})
    for (SelectionNode node = 0; node < problem.numNodes(); ++node)
      if (isCopies[node] == copies)
        follower.follow(node);
  return follower.result();
}
