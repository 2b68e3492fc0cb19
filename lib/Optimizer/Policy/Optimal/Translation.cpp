//===- Translation.cpp - Plans as selections ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Translation.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "../Common/Reads.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace tessera;
using namespace tessera::optimal;

static SelectionCost sum(SelectionCost a, SelectionCost b) { return std::min(kForbiddenCost, a + b); }

/// In ascending order. Ways are many and their forms few, so marks take less time than to sort them.
static void keepEachOnce(std::vector<Form> &forms) {
  std::vector<bool> isThere;
  for (Form form : forms) {
    if (form >= isThere.size())
      isThere.resize(form + 1);
    isThere[form] = true;
  }
  forms.clear();
  for (Form form = 0; form < isThere.size(); ++form)
    if (isThere[form])
      forms.push_back(form);
}

/// Costs of pairs that agree on a form, and no others may: of the states of a node whose forms are `each`, in ascending order, by those
/// of one whose forms are `of`; the other way around if `byOf`.
static std::vector<SelectionCost> agreeing(llvm::ArrayRef<Form> each, llvm::ArrayRef<Form> of, bool byOf) {
  std::vector<SelectionCost> pairs(each.size() * of.size(), kForbiddenCost);
  for (auto [state, form] : llvm::enumerate(of)) {
    size_t at = size_t(llvm::lower_bound(each, form) - each.begin());
    pairs[byOf ? state * each.size() + at : at * of.size() + state] = 0;
  }
  return pairs;
}

Translation::Translation(const Space &space) : space(space), sources(space.problem.values.size()) {
  const Problem &from = space.problem;
  // Arguments first: an op's reads are nodes behind what they come from, and a value with a maker gets its node with the op that makes it.
  for (size_t index = 0; index < from.values.size(); ++index)
    if (!from.values[index].producer.valid() && !space.isSettled(ValueId(index)))
      addShared(ValueId(index));
  for (size_t index = 0; index < from.ops.size(); ++index)
    addOp(OpId(index));
  problem = std::move(builder).finish(0);
}

/// A node whose states are the op's ways; in front of it one for each value that it reads, as values are read in few forms and ways are many:
/// what a conversion costs then is an edge between forms, and the edge to the op only says which form a way reads.
void Translation::addOp(OpId op) {
  const Ways &ways = *space.ways[op.index()];
  auto values = distinctValues(space.problem[op]);
  std::vector<SelectionNode> reads;
  std::vector<std::vector<Form>> forms;
  for (auto [position, value] : llvm::enumerate(values)) {
    if (space.isSettled(value))
      continue;
    std::vector<Form> &its = forms.emplace_back();
    its.reserve(ways.size());
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
  for (auto [index, read] : llvm::enumerate(reads))
    builder.addEdge(read, nodeOf.back(), agreeing(forms[2 * index], forms[2 * index + 1], /*byOf=*/false));
  for (auto [index, value] : llvm::enumerate(space.problem[op].results)) {
    if (space.isSettled(value))
      continue;
    // What one reader alone converts needs no node in between: its read hangs on the op that makes it.
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
  Source &source = sources[value.index()];
  const Distances &distances = *space.forms[value.index()].distances;
  SelectionNode node = builder.addNode(std::vector<SelectionCost>(forms.size(), 0));
  size_t sharer = source.readers++;
  if (!source.forks.empty()) {
    // Of two forks in a row one sharer parts at the first and the two others at the second, so a read pays from one of them and the other edge
    // is nothing to it.
    for (bool first : {true, false}) {
      std::vector<SelectionCost> pairs;
      pairs.reserve(source.forks.size() * forms.size());
      for (const Fork &fork : source.forks)
        for (Form form : forms)
          pairs.push_back((fork.early == sharer) == first ? distances.at(fork.form, form) : 0);
      builder.addEdge(first ? source.node : source.second, node, std::move(pairs));
    }
    return node;
  }
  std::vector<SelectionCost> pairs;
  pairs.reserve((source.made.size() + source.copies.size()) * forms.size());
  for (Form made : source.made)
    for (Form form : forms)
      pairs.push_back(distances.at(made, form));
  for (const Copies &copies : source.copies)
    for (Form form : forms)
      pairs.push_back(readCost(value, copies, form));
  builder.addEdge(source.node, node, std::move(pairs));
  return node;
}

/// The forms in which somebody may want the value: copies in others are only stops on the way, which distances have in them.
std::vector<Form> Translation::formsRead(ValueId id) const {
  const Value &value = space.problem[id];
  std::vector<Form> read;
  for (const Use &use : value.uses) {
    size_t place = placeOf(space.problem[use.op], id);
    for (const Way &way : *space.ways[use.op.index()])
      read.push_back(way.reads[place]);
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

/// Either its last hop is on no way to the other form, or it is a stop on that way, which then is longer than the fastest. Of all such stops only the
/// longest detour counts: no less than their shares together, as somebody reads the other form.
SelectionCost tessera::optimal::shareOfThird(const Distances &distances, Form made, Form other, Form third,
                                             size_t sharers) {
  if (distances.at(made, third) > distances.at(made, other))
    return kForbiddenCost;
  SelectionCost over = sum(distances.at(made, third), distances.at(third, other));
  SelectionCost detour = over - distances.at(made, other);
  return std::min(distances.arrivals[third], detour) / SelectionCost(sharers - 1);
}

/// Of two sharers: from the form at which their ways part.
SelectionCost Translation::readCost(ValueId value, const Copies &copies, Form form) const {
  const Distances &distances = *space.forms[value.index()].distances;
  if (space.countSharers(value) == 2)
    return distances.at(copies.other.value_or(copies.made), form);
  if (form == copies.made || form == copies.other)
    return 0;
  size_t sharers = sharersOfOthers(space, value, copies.made);
  return copies.other && sharers > 1 ? shareOfThird(distances, copies.made, *copies.other, form, sharers)
                                     : kForbiddenCost;
}

/// What is made of a value with a maker, which stands in front of this. Forms: each once.
std::optional<SelectionNode> Translation::addMade(ValueId id, llvm::ArrayRef<Form> forms) {
  const Value &value = space.problem[id];
  if (!value.producer.valid())
    return std::nullopt;
  SelectionNode node = builder.addNode(std::vector<SelectionCost>(forms.size(), 0));
  std::vector<Form> ofWays;
  for (const Way &way : *space.ways[value.producer.index()])
    ofWays.push_back(way.makes[value.resultIndex]);
  builder.addEdge(nodeOf.back(), node, agreeing(forms, ofWays, /*byOf=*/true));
  return node;
}

/// Any form may be a fork. Where both are one, all three part there.
void Translation::addForks(ValueId id, std::optional<SelectionNode> made, llvm::ArrayRef<Form> forms) {
  const Value &value = space.problem[id];
  const Distances &distances = *space.forms[id.index()].distances;
  Form declared = *space.forms[id.index()].find(value.declared);
  Source &source = sources[id.index()];
  for (size_t early = 0; early < 3; ++early)
    for (Form form = 0; form < distances.forms; ++form)
      source.forks.push_back({form, early});
  std::vector<SelectionCost> costs[2], pairs;
  for (auto [form, early] : source.forks) {
    bool returns = value.returned && value.producer.valid();
    SelectionCost ofReturn = returns ? distances.at(form, declared) : 0;
    costs[0].push_back(sum(made ? 0 : distances.at(declared, form), early == 2 ? ofReturn : 0));
    costs[1].push_back(early == 2 ? 0 : ofReturn);
    for (auto [second, its] : source.forks) {
      // Both nodes say who parts early, and must agree. Where the forks are one form it is the same whoever parts early: said once.
      bool isSame = early == its && (form != second || early == 0);
      pairs.push_back(isSame ? distances.at(form, second) : kForbiddenCost);
    }
  }
  source.node = builder.addNode(costs[0]);
  source.second = builder.addNode(costs[1]);
  builder.addEdge(source.node, source.second, std::move(pairs));
  if (!made)
    return;
  pairs.clear();
  for (Form form : forms)
    for (const Fork &fork : source.forks)
      pairs.push_back(distances.at(form, fork.form));
  builder.addEdge(*made, source.node, std::move(pairs));
}

void Translation::addShared(ValueId id) {
  const Value &value = space.problem[id];
  const Distances &distances = *space.forms[id.index()].distances;
  Form declared = *space.forms[id.index()].find(value.declared);
  std::vector<Form> made = {declared}, others = formsRead(id);
  if (value.producer.valid()) {
    made.clear();
    for (const Way &way : *space.ways[value.producer.index()])
      made.push_back(way.makes[value.resultIndex]);
    keepEachOnce(made);
  }
  std::optional<SelectionNode> madeNode = addMade(id, made);
  size_t sharers = space.countSharers(id);
  if (sharers == 3) {
    addForks(id, madeNode, made);
    return;
  }
  if (sharers == 2) { // which may part at any form
    others.resize(distances.forms);
    std::iota(others.begin(), others.end(), 0);
  }
  // As it is made, or with another form that is paid for in full; of two sharers that is where their ways part.
  std::vector<Copies> states;
  for (Form form : made) {
    states.push_back({form, std::nullopt});
    for (Form other : others)
      if (other != form && distances.at(form, other) < kForbiddenCost)
        states.push_back({form, other});
  }
  std::vector<SelectionCost> costs;
  for (const Copies &copies : states) {
    costs.push_back(copies.other ? distances.at(copies.made, *copies.other) : 0);
    if (value.returned && value.producer.valid())
      costs.back() = sum(costs.back(), readCost(id, copies, declared));
  }
  sources[id.index()].node = builder.addNode(costs);
  if (madeNode) {
    std::vector<SelectionCost> pairs;
    for (Form form : made)
      for (const Copies &copies : states)
        pairs.push_back(form == copies.made ? 0 : kForbiddenCost);
    builder.addEdge(*madeNode, sources[id.index()].node, std::move(pairs));
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
    if (!chosen[node])
      chosen[node] = cheapest(node).second;
  }
  /// The same of two that decide each other.
  void follow(SelectionNode node, SelectionNode other) {
    // Each state of the one with the best of the other beside it: neither can follow alone.
    std::optional<std::pair<SelectionCost, SelectionState>> least;
    for (SelectionState state = 0; state < problem.numStates(node); ++state) {
      chosen[node] = state;
      SelectionCost both = sum(costOf(node, state), cheapest(other).first);
      if (!least || both < least->first)
        least = {both, state};
    }
    chosen[node] = least->second;
    follow(other);
  }
  /// All nodes were set or followed by then.
  Selection result() const {
    Selection selection;
    for (const std::optional<SelectionState> &state : chosen)
      selection.push_back(*state);
    return selection;
  }

private:
  SelectionCost costOf(SelectionNode node, SelectionState state) const {
    SelectionCost cost = problem.cost(node, state);
    for (uint32_t index : edges[node]) {
      const SelectionEdge &edge = problem.edges[index];
      const SelectionMatrix &matrix = problem.matrices[edge.matrix];
      if (edge.from == node && chosen[edge.to])
        cost = sum(cost, matrix.at(state, *chosen[edge.to]));
      if (edge.to == node && chosen[edge.from])
        cost = sum(cost, matrix.at(*chosen[edge.from], state));
    }
    return cost;
  }
  std::pair<SelectionCost, SelectionState> cheapest(SelectionNode node) const {
    std::pair<SelectionCost, SelectionState> least{costOf(node, 0), 0};
    for (SelectionState state = 1; state < problem.numStates(node); ++state)
      least = std::min(least, {costOf(node, state), state});
    return least;
  }

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
  // Ways that are never better were left out, so what a plan does may be no state: then the one that gets there with the shortest detour is.
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
  // Reads and makes follow from ops, and copies and forks from both: they have no neighbour that is an op.
  std::vector<bool> isLater(problem.numNodes());
  for (const Source &source : sources)
    if (!source.copies.empty() || !source.forks.empty())
      isLater[source.node] = isLater[source.forks.empty() ? source.node : source.second] = true;
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    if (!isLater[node])
      follower.follow(node);
  for (const Source &source : sources)
    if (!source.forks.empty())
      follower.follow(source.node, source.second);
    else if (!source.copies.empty())
      follower.follow(source.node);
  return follower.result();
}
