//===- Translation.cpp - Plans as selections ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Translation.h"
#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Plan/PlanUses.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

using namespace tessera;
using namespace tessera::optimal;

/// What rests before the first reader is the third to share a value that two read (addForks).
static constexpr size_t kRest = 2;
static constexpr size_t kNobody = std::numeric_limits<size_t>::max();

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

Translation::Translation(const Space &space)
    : space(space), ways(space.ways), sources(space.problem.values.size()) {
  addAll();
}

Translation::Translation(Space &space, const Schedule &order)
    : space(space), ways(space.frugalWays()), sources(space.problem.values.size()),
      positions(space.problem.ops.size()) {
  for (auto [position, op] : llvm::enumerate(order))
    positions[op.index()] = int64_t(position);
  addAll();
}

void Translation::addAll() {
  const Problem &from = space.problem;
  // Arguments first: an op's reads are nodes behind what they come from, and a value with a maker gets its node with the op that makes it.
  for (size_t index = 0; index < from.values.size(); ++index)
    if (!from.values[index].producer.valid() && !space.isSettled(ValueId(index)))
      addShared(ValueId(index));
  for (size_t index = 0; index < from.ops.size(); ++index)
    addOp(OpId(index));
  problem = std::move(builder).finish(from.l1Budget.value());
}

Translation::Waiting Translation::waiting(ValueId id) const {
  const Value &value = space.problem[id];
  size_t sharers = space.countSharers(id);
  if (positions.empty() || !value.producer.valid() || space.isSettled(id) || sharers > 2)
    return {};
  // Readers in the order of the program, as they get their nodes; then the return.
  std::vector<int64_t> reads;
  for (const Use &use : value.uses)
    if (reads.empty() || reads.back() != positions[use.op.index()])
      reads.push_back(positions[use.op.index()]);
  if (value.returned)
    reads.push_back(int64_t(positions.size()));
  Waiting waiting;
  waiting.last = size_t(llvm::max_element(reads) - reads.begin());
  llvm::sort(reads);
  if (int64_t from = positions[value.producer.index()] + 1; from < reads.front())
    waiting.before = {from, reads.front()};
  if (int64_t from = reads.front() + 1; from < reads.back())
    waiting.behind = {from, reads.back()};
  return waiting;
}

/// A node whose states are the op's ways; in front of it one for each value that it reads, as values are read in few forms and ways are many:
/// what a conversion costs then is an edge between forms, and the edge to the op only says which form a way reads.
void Translation::addOp(OpId op) {
  const Ways &choices = *ways[op.index()];
  auto values = distinctValues(space.problem[op]);
  std::vector<SelectionNode> reads;
  std::vector<std::vector<Form>> forms;
  for (auto [position, value] : llvm::enumerate(values)) {
    if (space.isSettled(value))
      continue;
    std::vector<Form> &its = forms.emplace_back();
    its.reserve(choices.size());
    for (const Way &way : choices)
      its.push_back(way.reads[position]);
    std::vector<Form> ofWays = its;
    keepEachOnce(its);
    reads.push_back(addRead(value, its));
    // Kept by way until the op's node is there.
    forms.push_back(std::move(ofWays));
  }
  std::vector<SelectionCost> costs;
  std::vector<SelectionUsage> needs;
  for (const Way &way : choices) {
    costs.push_back(way.cost);
    needs.push_back(way.needs.value());
  }
  nodeOf.push_back(builder.addNode(costs));
  if (!positions.empty())
    builder.addHolding({positions[op.index()], positions[op.index()] + 1}, needs);
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
    Source &source = sources[value.index()];
    source.node = nodeOf.back();
    for (const Way &way : choices)
      source.made.push_back(way.makes[index]);
    if (Waiting its = waiting(value); its.any())
      addRest(value, *its.before);
  }
}

/// A node whose states are all forms of the value, held over the span.
SelectionNode Translation::addRestNode(ValueId value, SelectionLifetime span) {
  std::vector<SelectionUsage> bytes;
  for (Form form = 0; form < space.forms[value.index()].distances->forms; ++form)
    bytes.push_back(space.l1Bytes(value, form).value());
  SelectionNode node = builder.addNode(std::vector<SelectionCost>(bytes.size(), 0));
  builder.addHolding(span, bytes);
  return node;
}

/// Between the maker and the one reader. Any form may be the one to rest in, wherever distances lead over it.
void Translation::addRest(ValueId value, SelectionLifetime span) {
  Source &source = sources[value.index()];
  const Distances &distances = *space.forms[value.index()].distances;
  SelectionNode node = addRestNode(value, span);
  std::vector<SelectionCost> pairs;
  for (Form made : source.made)
    for (Form form = 0; form < distances.forms; ++form)
      pairs.push_back(distances.at(made, form));
  builder.addEdge(source.node, node, std::move(pairs));
  source.node = node;
  source.made.resize(distances.forms);
  std::iota(source.made.begin(), source.made.end(), 0);
  source.restsBefore = true;
}

std::optional<Form> Translation::waitsIn(ValueId value, Form parted, Form read) const {
  const Distances &distances = *space.forms[value.index()].distances;
  std::optional<std::pair<SelectionCost, Form>> least;
  for (Form form = 0; form < distances.forms; ++form)
    if (space.l1Bytes(value, form) < space.l1Bytes(value, parted))
      if (std::pair its(sum(distances.at(parted, form), distances.at(form, read)), form);
          !least || its < *least)
        least = its;
  return least ? std::optional(least->second) : std::nullopt;
}

/// What the first reader pays that waits somewhere else than where it parted.
SelectionCost Translation::wait(ValueId value, Form parted, Form read) const {
  const Distances &distances = *space.forms[value.index()].distances;
  std::optional<Form> form = waitsIn(value, parted, read);
  return form ? sum(distances.at(parted, *form), distances.at(*form, read)) : kForbiddenCost;
}

/// The forms that an op may read, as a node behind what the value comes from.
SelectionNode Translation::addRead(ValueId value, llvm::ArrayRef<Form> forms) {
  Source &source = sources[value.index()];
  const Distances &distances = *space.forms[value.index()].distances;
  SelectionNode node = builder.addNode(std::vector<SelectionCost>(forms.size(), 0));
  size_t sharer = source.readers++;
  if (source.third && sharer == source.last) {
    std::vector<SelectionCost> pairs;
    for (Form rest = 0; rest < distances.forms; ++rest)
      for (Form form : forms)
        pairs.push_back(distances.at(rest, form));
    builder.addEdge(*source.third, node, std::move(pairs));
    return node;
  }
  if (!source.forks.empty()) {
    // Of two forks in a row one sharer parts at the first and the two others at the second, so a read pays from one of them and the other edge
    // is nothing to it.
    for (bool first : {true, false}) {
      std::vector<SelectionCost> pairs;
      pairs.reserve(source.forks.size() * forms.size());
      for (const Fork &fork : source.forks)
        for (Form form : forms)
          pairs.push_back((fork.early == sharer) != first ? 0
                          : source.restsBefore && first   ? wait(value, fork.form, form)
                                                          : distances.at(fork.form, form));
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
    for (const Way &way : *ways[use.op.index()])
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
  for (const Way &way : *ways[value.producer.index()])
    ofWays.push_back(way.makes[value.resultIndex]);
  builder.addEdge(nodeOf.back(), node, agreeing(forms, ofWays, /*byOf=*/true));
  return node;
}

/// Any form may be a fork. Where both are one, all three part there. A rest before the first reader is what parts third where two share the value: it lies
/// on the way to who reads last, so that this one never parts first; and where the other one does so it waits somewhere else. Behind the first
/// reader the two have parted, so that where the value then rests is behind both forks, or the second of them if there is no other rest.
void Translation::addForks(ValueId id, std::optional<SelectionNode> made, llvm::ArrayRef<Form> forms,
                           const Waiting &waiting) {
  const Value &value = space.problem[id];
  const Distances &distances = *space.forms[id.index()].distances;
  Form declared = *space.forms[id.index()].find(value.declared);
  Source &source = sources[id.index()];
  source.restsBefore = waiting.before.has_value();
  source.restsBehind = waiting.behind.has_value();
  bool hasThird = source.restsBefore && source.restsBehind;
  size_t returns = value.returned && value.producer.valid() ? countReaders(value) : kNobody;
  std::vector<size_t> mayBeEarly = {0, 1, 2};
  if (source.restsBefore)
    mayBeEarly = {kRest, 1 - waiting.last};
  else if (source.restsBehind)
    mayBeEarly = {1 - waiting.last};
  for (size_t early : mayBeEarly)
    for (Form form = 0; form < distances.forms; ++form)
      source.forks.push_back({form, early});
  std::vector<SelectionCost> costs[2], pairs;
  std::vector<SelectionUsage> before[2], behind;
  for (auto [form, early] : source.forks) {
    SelectionCost ofReturn = returns == kNobody ? 0 : distances.at(form, declared);
    costs[0].push_back(sum(made ? 0 : distances.at(declared, form), early == returns ? ofReturn : 0));
    costs[1].push_back(early == returns || hasThird ? 0 : ofReturn);
    SelectionUsage bytes = space.l1Bytes(id, form).value();
    before[0].push_back(early == kRest ? bytes : 0);
    before[1].push_back(early == kRest ? 0 : bytes);
    behind.push_back(bytes);
    for (auto [second, its] : source.forks) {
      // Both nodes say who parts early, and must agree. Where the forks are one form it is the same whoever parts early: said once.
      bool isSame = early == its && (form != second || early == mayBeEarly.front());
      pairs.push_back(isSame ? distances.at(form, second) : kForbiddenCost);
    }
  }
  auto add = [&](size_t which) {
    SelectionNode node = builder.addNode(costs[which]);
    if (waiting.before)
      builder.addHolding(*waiting.before, before[which]);
    if (waiting.behind && !hasThird && which == 1)
      builder.addHolding(*waiting.behind, behind);
    return node;
  };
  source.node = add(0);
  source.second = add(1);
  builder.addEdge(source.node, source.second, std::move(pairs));
  if (hasThird)
    addThird(id, *waiting.behind, returns == kNobody ? std::nullopt : std::optional(declared));
  source.last = waiting.last;
  if (!made)
    return;
  pairs.clear();
  for (Form form : forms)
    for (const Fork &fork : source.forks)
      pairs.push_back(distances.at(form, fork.form));
  builder.addEdge(*made, source.node, std::move(pairs));
}

/// `returned`: the form in which it is, by who reads last.
void Translation::addThird(ValueId id, SelectionLifetime span, std::optional<Form> returned) {
  Source &source = sources[id.index()];
  const Distances &distances = *space.forms[id.index()].distances;
  std::vector<SelectionCost> pairs;
  for (const Fork &fork : source.forks)
    for (Form form = 0; form < distances.forms; ++form)
      pairs.push_back(
          sum(distances.at(fork.form, form), returned ? distances.at(form, *returned) : SelectionCost(0)));
  source.third = addRestNode(id, span);
  builder.addEdge(source.second, *source.third, std::move(pairs));
}

void Translation::addShared(ValueId id) {
  const Value &value = space.problem[id];
  const Distances &distances = *space.forms[id.index()].distances;
  Form declared = *space.forms[id.index()].find(value.declared);
  std::vector<Form> made = {declared}, others = formsRead(id);
  if (value.producer.valid()) {
    made.clear();
    for (const Way &way : *ways[value.producer.index()])
      made.push_back(way.makes[value.resultIndex]);
    keepEachOnce(made);
  }
  std::optional<SelectionNode> madeNode = addMade(id, made);
  size_t sharers = space.countSharers(id);
  if (Waiting its = waiting(id); sharers == 3 || its.any()) {
    addForks(id, madeNode, made, its);
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
      runsBefore[step + 1] = runsBefore[step] + (plan.steps[step].kind == PlanStep::Kind::Run);
    for (size_t tensor = 0; tensor < plan.tensors.size(); ++tensor)
      tensors[plan.tensors[tensor].value.index()].push_back(TensorId(tensor));
  }

  /// What stands for where the value waits: nothing, of one that the function does not make.
  Translation::Rests of(ValueId value) const {
    std::vector<std::pair<size_t, TensorId>> reads = readsOf(value);
    if (reads.empty() || !space.problem[value].producer.valid())
      return {};
    std::vector<Stay> last = way(reads.back()), first = way(reads.front());
    size_t parted = 0; // both ways have the same stays up to that one
    while (parted + 1 < std::min(first.size(), last.size()) &&
           first[parted + 1].tensor == last[parted + 1].tensor)
      ++parted;
    size_t reader = reads.front().first;
    Translation::Rests rests;
    rests.behind = formOf(smallest(last, reader + 1, reads.back().first));
    auto waitsBefore = [&](llvm::ArrayRef<Stay> stays) { return smallest(stays, 0, reader); };
    // Up to where they part the value is there once.
    llvm::ArrayRef<Stay> all = last;
    std::optional<Stay> before = waitsBefore(all.take_front(parted));
    const Stay &fork = last[parted];
    std::optional<Stay> own = waitsBefore(llvm::ArrayRef<Stay>(first).drop_front(parted + 1));
    bool waitsElsewhere = reads.size() > 1 && own && own->bytes < fork.bytes;
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
  std::vector<std::pair<size_t, TensorId>> readsOf(ValueId value) const {
    std::vector<std::pair<size_t, TensorId>> reads;
    for (TensorId tensor : tensors[value.index()]) {
      for (StepIndex reader : uses.readers[tensor.index()])
        if (plan[reader].kind == PlanStep::Kind::Run)
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
      size_t maker = uses.makers[tensor.index()]->index();
      stays.push_back({tensor, maker, end, space.l1Bytes(plan[tensor].value, form(tensor))});
      if (plan.steps[maker].kind == PlanStep::Kind::Run)
        break;
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
      if (isOfAll == rests.parted.has_value() || (isOfAll && fork.form != *rests.before))
        forbid(source.node, state);
      if (!isOfAll && fork.form != *rests.before)
        forbid(source.second, state);
    }
    if (source.restsBehind && !source.third && rests.behind && fork.form != *rests.behind)
      forbid(source.second, state);
  }
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
    rests = {second.form, std::nullopt, first.form};
  if (source.restsBehind)
    rests.behind = source.third ? selection[*source.third] : second.form;
  return rests;
}

Selection Translation::selectionOf(const Plan &plan) const {
  std::vector<std::optional<Way>> ways(space.problem.ops.size());
  for (const PlanStep &step : plan.steps)
    if (step.kind == PlanStep::Kind::Run)
      ways[step.op.index()] = space.wayOf(plan, step, 0);
  return selectionOf(ways, restsIn(space, plan));
}

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
