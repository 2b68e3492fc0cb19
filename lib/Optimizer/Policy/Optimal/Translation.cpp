//===- Translation.cpp - Plans as selections ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// An example: op A makes a value that B and C read. Where L1 counts for each op alone its nodes and edges are
//
//   A (ways) --- made (forms) --- copies (form, other form) --- read by B (forms) --- B (ways)
//                                                          \--- read by C (forms) --- C (ways)
//
// Edges next to ops only say which form a way has, 0 or forbidden; times of conversions are at the copies and at the
// edges behind them. Small matrices in a row instead of one from ways to ways: an op may have thousands of ways in ten
// forms.
//
//===----------------------------------------------------------------------===//
#include "Translation.h"
#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace tessera;
using namespace tessera::optimal;

static constexpr size_t kNobody = std::numeric_limits<size_t>::max();

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

/// With the maker at 3 and readers at 5 and 9: before is [4, 5), behind is [6, 9). With the first reader at 4 there is
/// no before.
Translation::Waiting Translation::waiting(ValueId id) const {
  const Value &value = space.problem[id];
  size_t sharers = space.countSharers(id);
  // Of more readers nothing is held, which proves less and no falsehood (docs/certified, "What is left out").
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
  // Between the ops that make and read it, which count the value themselves while they run.
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
  // Without an order no two ops are known to run beside each other's tensors.
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
  // From here on the value comes from where it rests, in any form, whatever its maker does.
  source.node = node;
  source.made.resize(distances.forms);
  std::iota(source.made.begin(), source.made.end(), 0);
  source.restsBefore = true;
}

/// Of equal costs the lowest form, here and in the edge's costs, so that a decoded plan does what the selection paid
/// for.
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
  // Who reads last finds the value where it rests behind the first reader, and not at a fork.
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
  // What there is anyway is read for nothing: the other form is paid for by the node of the copies.
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
  size_t returns = value.returned && value.producer.valid() ? readingOps(value).size() : kNobody;
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
    // The return has no node to read by, so it pays where it parts: at the first fork, at the second, or behind the
    // rest.
    SelectionCost ofReturn = returns == kNobody ? 0 : distances.at(form, declared);
    // An argument is there in its declared form, and no node in front of the fork says so.
    costs[0].push_back(sum(made ? 0 : distances.at(declared, form), early == returns ? ofReturn : 0));
    costs[1].push_back(early == returns || hasThird ? 0 : ofReturn);
    SelectionUsage bytes = space.l1Bytes(id, form).value();
    // One of the two nodes holds what rests: the one at whose fork it parts.
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
  // Forks are exact for three sharers; a rest of two is a third one.
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
