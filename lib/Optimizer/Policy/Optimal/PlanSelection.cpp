//===- PlanSelection.cpp - What stands for a plan -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A bound is one of a plan only if a selection stands for the plan that costs no more than the plan takes, and holds
// no more at any time. Here that selection is found: ops say their ways, values say where they rest, and all nodes
// between them follow from these. It is also how a repaired draft becomes the place that windows begin from.
//
//===----------------------------------------------------------------------===//
#include "Translation.h"
#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Plan/PlanUses.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::optimal;

namespace {
/// States of nodes one after the other, in an order in which each has what decides it.
class Follower {
public:
  explicit Follower(const SelectionProblem &problem)
      : problem(problem), edges(problem.numNodes()), chosen(problem.numNodes()),
        isForbidden(problem.costs.size()) {
    for (uint32_t index = 0; index < problem.edges.size(); ++index) {
      edges[problem.edges[index].from].push_back(index);
      edges[problem.edges[index].to].push_back(index);
    }
  }

  void set(SelectionNode node, SelectionState state) { chosen[node] = state; }
  /// Must leave a state.
  void forbid(SelectionNode node, SelectionState state) {
    isForbidden[problem.firstState[node] + state] = true;
  }
  /// What is cheapest with those neighbours that are there.
  void follow(SelectionNode node) {
    if (!chosen[node])
      chosen[node] = cheapest(node).second;
  }
  /// The same of nodes in a row, each of which decides the next: none can follow alone.
  /// Viterbi's algorithm over the row: exact, and linear in its length.
  void follow(llvm::ArrayRef<SelectionNode> row) {
    // From the last one back: by state, what it costs with the best one behind it, and which that is.
    std::vector<std::vector<std::pair<SelectionCost, SelectionState>>> best(row.size());
    for (size_t at = row.size(); at-- > 0;)
      for (SelectionState state = 0; state < problem.numStates(row[at]); ++state) {
        std::pair<SelectionCost, SelectionState> least{0, 0};
        if (at + 1 < row.size())
          least = cheapestBehind(row[at], state, row[at + 1], best[at + 1]);
        best[at].emplace_back(sum(costOf(row[at], state), least.first), least.second);
      }
    SelectionState state =
        SelectionState(llvm::min_element(best.front(), llvm::less_first()) - best.front().begin());
    for (auto [node, its] : llvm::zip_equal(row, best)) {
      chosen[node] = state;
      state = its[state].second;
    }
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
    if (isForbidden[problem.firstState[node] + state])
      return kForbiddenCost;
    SelectionCost cost = problem.cost(node, state);
    // Neighbours without a state say nothing yet.
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
  std::pair<SelectionCost, SelectionState>
  cheapestBehind(SelectionNode node, SelectionState state, SelectionNode next,
                 llvm::ArrayRef<std::pair<SelectionCost, SelectionState>> costs) const {
    // The nodes of a row are joined from each to the next, so one direction is enough.
    std::pair<SelectionCost, SelectionState> least{kForbiddenCost, 0};
    for (uint32_t index : edges[node])
      if (const SelectionEdge &edge = problem.edges[index]; edge.to == next)
        for (auto [its, cost] : llvm::enumerate(costs))
          least =
              std::min(least, {sum(problem.matrices[edge.matrix].at(state, SelectionState(its)), cost.first),
                               SelectionState(its)});
    return least;
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
  std::vector<bool> isForbidden; ///< by state
};
} // namespace

namespace {
/// Where values of a plan wait for those that read them last.
class PlanRests {
public:
  PlanRests(const Space &space, const Plan &plan)
      : space(space), plan(plan), uses(plan), runsBefore(plan.steps.size() + 1), tensors(space.forms.size()) {
    for (size_t step = 0; step < plan.steps.size(); ++step)
      runsBefore[step + 1] = runsBefore[step] + plan.steps[step].isRun();
    for (size_t tensor = 0; tensor < plan.tensors.size(); ++tensor)
      tensors[plan.tensors[tensor].value.index()].push_back(TensorId(tensor));
  }

  /// What stands for where the value waits: nothing, of one that the function does not make.
  Translation::Rests of(ValueId value) const {
    std::vector<std::pair<size_t, TensorId>> reads = readsOf(value);
    if (reads.empty() || !space.problem[value].producer.valid())
      return {};
    // 1. The ways from the maker to the last reader and to the first one, up to where they part.
    std::vector<Stay> last = way(reads.back()), first = way(reads.front());
    size_t parted = 0; // both ways have the same stays up to that one
    while (parted + 1 < std::min(first.size(), last.size()) &&
           first[parted + 1].tensor == last[parted + 1].tensor)
      ++parted;
    // 2. Behind the first reader only the last one's way is left to wait on.
    size_t reader = reads.front().first;
    Translation::Rests rests;
    // The smallest that it passes through: no plan holds less while it waits, so the selection stays below the plan.
    rests.behind = formOf(smallest(last, reader + 1, reads.back().first));
    auto waitsBefore = [&](llvm::ArrayRef<Stay> stays) { return smallest(stays, 0, reader); };
    // 3. Before the first reader. Up to where they part the value is there once.
    llvm::ArrayRef<Stay> all = last;
    std::optional<Stay> before = waitsBefore(all.take_front(parted));
    const Stay &fork = last[parted];
    std::optional<Stay> own = waitsBefore(llvm::ArrayRef<Stay>(first).drop_front(parted + 1));
    bool waitsElsewhere = reads.size() > 1 && own && own->bytes < fork.bytes;
    // From there on there may be two copies, and one node: the rest is where they part if the first one's copy takes no
    // less L1 than that, else the smallest that is on the last one's way from there on (Translation.h).
    std::optional<Stay> other = fork;
    if (waitsElsewhere || reads.size() == 1)
      other = waitsBefore(all.drop_front(parted));
    if (!before || (other && other->bytes < before->bytes)) {
      before = other;
      if (waitsElsewhere && form(*other) != form(fork))
        rests.parted = form(fork);
    }
    rests.before = formOf(before);
    return rests;
  }

private:
  /// A tensor on the way from the maker to a reader, from the step that makes it to the one that makes the next.
  struct Stay {
    TensorId tensor;
    size_t from, to;
    Bytes bytes;
  };

  /// Steps and what they read of the value, in order; its return is one past the last step.
  /// Conversions are no reads: what they make is, where an op reads that.
  std::vector<std::pair<size_t, TensorId>> readsOf(ValueId value) const {
    std::vector<std::pair<size_t, TensorId>> reads;
    for (TensorId tensor : tensors[value.index()]) {
      for (StepIndex reader : uses.readers[tensor.index()])
        if (plan[reader].isRun())
          reads.emplace_back(reader.index(), tensor);
      if (uses.returned[tensor.index()])
        reads.emplace_back(plan.steps.size(), tensor);
    }
    llvm::sort(reads);
    return reads;
  }

  std::vector<Stay> way(std::pair<size_t, TensorId> read) const {
    std::vector<Stay> stays;
    auto [end, tensor] = read;
    while (uses.makers[tensor.index()]) {
      // From the reader back to who makes the value.
      size_t maker = uses.makers[tensor.index()]->index();
      stays.push_back({tensor, maker, end, space.l1Bytes(plan[tensor].value, form(tensor))});
      if (plan.steps[maker].isRun())
        break;
      // A conversion reads one tensor, which is the stay before.
      tensor = plan.steps[maker].reads.front();
      end = maker;
    }
    std::reverse(stays.begin(), stays.end());
    return stays;
  }

  /// Of those that are there while an op runs, from the one step to before the other, that reads none of the value.
  std::optional<Stay> smallest(llvm::ArrayRef<Stay> stays, size_t from, size_t to) const {
    std::optional<Stay> least;
    for (const Stay &stay : stays) {
      size_t begin = std::max(stay.from + 1, from), end = std::min(stay.to, to);
      if (begin < end && runsBefore[end] > runsBefore[begin] && (!least || stay.bytes < least->bytes))
        least = stay;
    }
    return least;
  }

  Form form(TensorId tensor) const {
    return *space.forms[plan[tensor].value.index()].find(plan[tensor].layout);
  }
  Form form(const Stay &stay) const { return form(stay.tensor); }
  std::optional<Form> formOf(const std::optional<Stay> &stay) const {
    return stay ? std::optional(form(*stay)) : std::nullopt;
  }

  const Space &space;
  const Plan &plan;
  PlanUses uses;
  std::vector<size_t> runsBefore;             ///< by step: the ops that ran by then
  std::vector<std::vector<TensorId>> tensors; ///< by ValueId
};
} // namespace

static std::vector<Translation::Rests> restsIn(const Space &space, const Plan &plan) {
  PlanRests rests(space, plan);
  std::vector<Translation::Rests> found;
  for (size_t value = 0; value < space.problem.values.size(); ++value)
    found.push_back(rests.of(ValueId(value)));
  return found;
}

/// A value that rests does so in no other forms than these.
void Translation::restIn(const Source &source, Rests rests,
                         llvm::function_ref<void(SelectionNode, SelectionState)> forbid) {
  if (source.forks.empty()) {
    for (SelectionState state = 0; state < source.made.size(); ++state)
      if (rests.before && source.made[state] != *rests.before)
        forbid(source.node, state);
    return;
  }
  for (auto [index, fork] : llvm::enumerate(source.forks)) {
    auto state = SelectionState(index);
    bool isOfAll = fork.early == kRest;
    if (source.restsBefore && rests.before) {
      // With a form where they part it is the first reader that parts early, without one it is the rest.
      if (isOfAll == rests.parted.has_value() || (isOfAll && fork.form != *rests.before))
        forbid(source.node, state);
      if (!isOfAll && fork.form != *rests.before)
        forbid(source.second, state);
    }
    if (source.restsBehind && !source.third && rests.behind && fork.form != *rests.behind)
      forbid(source.second, state);
  }
  // A node of its own has one state for each form.
  if (source.third && rests.behind)
    for (Form form = 0; form <= source.forks.back().form; ++form)
      if (form != *rests.behind)
        forbid(*source.third, form);
}

Translation::Rests Translation::restsOf(ValueId value, llvm::ArrayRef<SelectionState> selection) const {
  const Source &source = sources[value.index()];
  Rests rests;
  if (source.forks.empty()) {
    if (source.restsBefore)
      rests.before = source.made[selection[source.node]];
    return rests;
  }
  Fork first = source.forks[selection[source.node]], second = source.forks[selection[source.second]];
  if (source.restsBefore && first.early == kRest)
    rests.before = first.form;
  else if (source.restsBefore)
    // The first reader parts early, and the value rests at the second fork.
    rests = {second.form, std::nullopt, first.form};
  if (source.restsBehind)
    // The third node has a state for each form, in their order.
    rests.behind = source.third ? selection[*source.third] : second.form;
  return rests;
}

Selection Translation::selectionOf(const Plan &plan) const {
  std::vector<std::optional<Way>> ways(space.problem.ops.size());
  for (const PlanStep &step : plan.steps)
    if (step.isRun())
      ways[step.op.index()] = space.wayOf(plan, step, 0);
  return selectionOf(ways, restsIn(space, plan));
}

/// By its forms alone. The cost of the plan's own step is no part of it: each way is compared by what it costs with
/// the same detours.
SelectionState Translation::nearest(OpId op, Way its) const {
  llvm::SmallVector<const Distances *, 4> reads, makes;
  for (ValueId value : distinctValues(space.problem[op]))
    reads.push_back(space.forms[value.index()].distances.get());
  for (ValueId value : space.problem[op].results)
    makes.push_back(space.forms[value.index()].distances.get());
  // Ways that are never better were left out, so what a plan does may be no state: then the one that gets there with the shortest detour is, of those
  // that need no more L1 where that counts.
  its = space.settled(op, std::move(its));
  std::optional<std::pair<SelectionCost, SelectionState>> least;
  for (auto [state, way] : llvm::enumerate(*ways[op.index()]))
    if (positions.empty() || way.needs <= its.needs)
      if (SelectionCost cost = detour(its, way, reads, makes); !least || cost < least->first)
        least = {cost, SelectionState(state)};
  return least ? least->second : 0;
}

Selection Translation::selectionOf(llvm::ArrayRef<std::optional<Way>> ways,
                                   llvm::ArrayRef<Rests> rests) const {
  Follower follower(problem);
  for (auto [index, way] : llvm::enumerate(ways))
    if (way)
      follower.set(nodeOf[index], nearest(OpId(index), *way));
  for (auto [source, its] : llvm::zip(sources, rests))
    if (source.rests())
      restIn(source, its, [&](SelectionNode node, SelectionState state) { follower.forbid(node, state); });
  // Reads and makes follow from ops, and copies, forks and rests from both: they have no neighbour that is an op.
  std::vector<bool> isLater(problem.numNodes());
  std::vector<llvm::SmallVector<SelectionNode, 3>> rows;
  for (const Source &source : sources) {
    if (source.copies.empty() && source.forks.empty() && !source.rests())
      continue;
    rows.push_back({source.node});
    if (!source.forks.empty())
      rows.back().push_back(source.second);
    if (source.third)
      rows.back().push_back(*source.third);
    for (SelectionNode node : rows.back())
      isLater[node] = true;
  }
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    if (!isLater[node])
      follower.follow(node);
  for (const auto &row : rows)
    follower.follow(row);
  return follower.result();
}
