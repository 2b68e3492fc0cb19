//===- CheckBound.cpp - What a certificate proves -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Plain on purpose: costs stand where they are, nothing is cut off or kept between steps but the tables themselves.
#include "CheckBound.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <deque>
#include <map>
#include <set>

using namespace tessera;

namespace {
class BoundCheck {
public:
  BoundCheck(const SelectionProblem &problem, const SelectionCertificate &certificate)
      : problem(problem), certificate(certificate) {}

  llvm::Error run() {
    // Step 1 of SelectionCertificate.h. With prices and gifts in each node's own costs every term has a least, and
    // their sum is what this step proves.
    if (llvm::Error error = addPrices())
      return error;
    give();
    if (SelectionSum linear = proven(sumOfLeast()); linear != certificate.linear)
      return llvm::createStringError(llvm::formatv(
          "the prices and gifts prove a bound of {0}, and not of {1}", int64_t(linear), certificate.linear));
    // Step 2. A state with which all costs the cutoff at least is in nothing cheaper. With each that goes others cost
    // more.
    while (dropStates())
      ;
    // Step 3. Where a node has no state left nothing costs less than the cutoff.
    SelectionSum bound = certificate.cutoff;
    if (llvm::none_of(left, [](const std::vector<SelectionState> &states) { return states.empty(); })) {
      eliminateAll();
      bound = std::min(bound, proven(sum));
    }
    if (bound != certificate.bound)
      return llvm::createStringError(llvm::formatv("the elimination proves a bound of {0}, and not of {1}",
                                                   int64_t(bound), certificate.bound));
    return llvm::Error::success();
  }

private:
  /// Node and edge functions are looked up in the problem where they are needed: a table is only ever what an
  /// elimination made.
  /// A function of the states of some nodes: of one node, of an edge's two, or a table.
  struct Function {
    std::vector<SelectionNode> scope;
    enum class Kind { Node, Edge, Table } kind;
    uint32_t edge = 0;
    std::vector<SelectionSum> table; ///< by states that are left, the last node of the scope varies fastest
  };

  llvm::Error addPrices();
  void give();
  SelectionSum proven(SelectionSum all) const {
    // Rounded up, since costs are whole numbers; and none is negative.
    return all <= 0 ? 0 : (all + certificate.scale - 1) / certificate.scale;
  }
  SelectionSum leastOf(SelectionNode node);
  SelectionSum sumOfLeast();
  bool dropStates();
  void eliminateAll();
  void eliminate(SelectionNode node, const std::vector<const Function *> &group);
  SelectionSum entry(SelectionCost cost) const {
    // Less than a cost is safe: it proves no more.
    return SelectionSum(std::min(cost, certificate.forbidden)) * certificate.scale;
  }
  SelectionSum &ownCost(SelectionNode node, SelectionState state) {
    return own[problem.firstState[node] + state];
  }
  SelectionSum pairCost(uint32_t edge, SelectionState from, SelectionState to) const {
    const SelectionMatrix &matrix = problem.matrices[problem.edges[edge].matrix];
    return entry(matrix.values[size_t(from) * matrix.columns + to]) + certificate.gifts[edge].from[from] +
           certificate.gifts[edge].to[to];
  }
  /// With each node of the scope in its state chosen[node], counted among those that are left.
  SelectionSum valueOf(const Function &function);
  size_t entriesOf(const std::set<SelectionNode> &scope) const;

  const SelectionProblem &problem;
  const SelectionCertificate &certificate;
  std::vector<SelectionSum> own; ///< by state: with prices, less what it gives
  std::vector<std::vector<SelectionState>> left;
  SelectionSum sum = 0;           ///< what is paid whatever is selected
  std::deque<Function> functions; ///< which groups point into
  std::vector<size_t> chosen;
};

/// Step 1 for nodes: what is held over [begin, end) pays the prices within it, as a difference of two running sums.
/// The share of the capacity is the same for every selection, and taken off once.
llvm::Error BoundCheck::addPrices() {
  std::map<int64_t, SelectionSum> pricesBefore; // by time: the prices of all times before it
  SelectionSum total = 0;
  for (auto [time, price] : certificate.prices) {
    if (price < 0)
      return llvm::createStringError(llvm::formatv("the price at time {0} is negative", time));
    if (!pricesBefore.try_emplace(time, total).second || pricesBefore.rbegin()->first != time)
      return llvm::createStringError("prices are not in the order of times");
    total += price;
  }
  // Of half-open times: what is held over [begin, end) pays before(end) - before(begin).
  auto before = [&](int64_t time) {
    auto at = pricesBefore.lower_bound(time);
    return at == pricesBefore.end() ? total : at->second;
  };
  // Costs in 1/scale, like the prices, so that nothing below is ever divided.
  for (SelectionCost cost : problem.costs)
    own.push_back(entry(cost));
  for (const SelectionHolding &holding : problem.holdings)
    for (SelectionState state = 0; state < problem.numStates(holding.node); ++state)
      ownCost(holding.node, state) += (before(holding.live.end) - before(holding.live.begin)) *
                                      problem.usages[holding.firstUsage + state];
  // What fits uses no more than the capacity at any time, so this much of the prices at most is not its own cost.
  sum -= total * problem.capacity;
  return llvm::Error::success();
}

void BoundCheck::give() {
  for (size_t index = 0; index < problem.edges.size(); ++index) {
    const SelectionEdge &edge = problem.edges[index];
    const auto &[from, to] = certificate.gifts[index];
    for (SelectionState state = 0; state < from.size(); ++state)
      ownCost(edge.from, state) -= from[state];
    for (SelectionState state = 0; state < to.size(); ++state)
      ownCost(edge.to, state) -= to[state];
  }
  for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
    left.emplace_back();
    for (SelectionState state = 0; state < problem.numStates(node); ++state)
      left.back().push_back(state);
  }
}

/// Of the states that are left.
SelectionSum BoundCheck::leastOf(SelectionNode node) {
  SelectionSum least = ownCost(node, left[node].front());
  for (SelectionState state : left[node])
    least = std::min(least, ownCost(node, state));
  return least;
}

/// What each node and each edge costs at least, by itself.
SelectionSum BoundCheck::sumOfLeast() {
  SelectionSum all = sum;
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    all += leastOf(node);
  for (uint32_t edge = 0; edge < problem.edges.size(); ++edge) {
    std::optional<SelectionSum> least;
    for (SelectionState row : left[problem.edges[edge].from])
      for (SelectionState column : left[problem.edges[edge].to])
        least = std::min(least.value_or(pairCost(edge, row, column)), pairCost(edge, row, column));
    all += *least;
  }
  return all;
}

/// A state goes if all that have it cost the cutoff: each other node and edge costs its least, but those next to the state the least
/// beside it. Of several edges to one node only the first may count what that node itself costs.
bool BoundCheck::dropStates() {
  if (llvm::any_of(left, [](const std::vector<SelectionState> &states) { return states.empty(); }))
    return false;
  // Looked up where the search counts along, and in 128 bits: what is checked must not share the search's mistakes.
  SelectionSum all = sumOfLeast();
  std::vector<SelectionSum> leasts, beside(problem.costs.size());
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    leasts.push_back(leastOf(node));
  std::set<std::pair<SelectionNode, SelectionNode>> seen;
  for (uint32_t index = 0; index < problem.edges.size(); ++index) {
    auto [from, to, matrix] = problem.edges[index];
    bool isNew = seen.insert(std::minmax(from, to)).second;
    std::map<SelectionState, SelectionSum> rows, columns;
    std::optional<SelectionSum> least;
    auto lower = [](std::map<SelectionState, SelectionSum> &sums, SelectionState state, SelectionSum cost) {
      SelectionSum &known = sums.try_emplace(state, cost).first->second;
      known = std::min(known, cost);
    };
    for (SelectionState row : left[from])
      for (SelectionState column : left[to]) {
        SelectionSum cost = pairCost(index, row, column);
        least = std::min(least.value_or(cost), cost);
        lower(rows, row, cost + (isNew ? ownCost(to, column) - leasts[to] : 0));
        lower(columns, column, cost + (isNew ? ownCost(from, row) - leasts[from] : 0));
      }
    // What the edge costs above its least beside this state, with the node at its other end above that one's.
    for (auto [row, cost] : rows)
      beside[problem.firstState[from] + row] += cost - *least;
    for (auto [column, cost] : columns)
      beside[problem.firstState[to] + column] += cost - *least;
  }
  SelectionSum cutoff = SelectionSum(certificate.cutoff) * certificate.scale;
  bool dropped = false;
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    dropped |=
        std::erase_if(left[node], [&](SelectionState state) {
          return all + ownCost(node, state) - leasts[node] + beside[problem.firstState[node] + state] >=
                 cutoff;
        }) > 0;
  return dropped;
}

SelectionSum BoundCheck::valueOf(const Function &function) {
  auto stateOf = [&](SelectionNode node) { return left[node][chosen[node]]; };
  if (function.kind == Function::Kind::Node)
    return ownCost(function.scope[0], stateOf(function.scope[0]));
  if (function.kind == Function::Kind::Edge)
    return pairCost(function.edge, stateOf(function.scope[0]), stateOf(function.scope[1]));
  size_t index = 0;
  for (SelectionNode node : function.scope)
    index = index * left[node].size() + chosen[node];
  return function.table[index];
}

size_t BoundCheck::entriesOf(const std::set<SelectionNode> &scope) const {
  // Cut off above the limit, or the product of many sizes would wrap around and seem small.
  size_t limit = size_t(certificate.table) + 1, entries = 1;
  for (SelectionNode node : scope)
    entries = std::min(limit, entries) * left[node].size();
  return entries;
}

/// Node after node: the functions that it is in, in the order in which they came about, each in the first group whose table has no more
/// than certificate.table entries with it, become a table for each group.
void BoundCheck::eliminateAll() {
  std::vector<std::vector<size_t>> functionsOf(problem.numNodes());
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    functions.push_back({{node}, Function::Kind::Node, 0, {}});
  for (uint32_t edge = 0; edge < problem.edges.size(); ++edge)
    functions.push_back({{problem.edges[edge].from, problem.edges[edge].to}, Function::Kind::Edge, edge, {}});
  for (size_t index = 0; index < functions.size(); ++index)
    for (SelectionNode node : functions[index].scope)
      functionsOf[node].push_back(index);
  chosen.assign(problem.numNodes(), 0);
  // A function goes into one table: what it says is in that one from then on, and would count twice in another.
  std::vector<bool> isUsed(functions.size());
  for (SelectionNode node : certificate.order) {
    std::vector<std::vector<const Function *>> groups;
    std::vector<std::set<SelectionNode>> scopes;
    for (size_t index : functionsOf[node]) {
      if (isUsed[index])
        continue;
      isUsed[index] = true;
      const Function &function = functions[index];
      // The same rule as in the search, written again: another grouping would be another proof.
      size_t at = 0;
      for (; at < groups.size(); ++at) {
        std::set<SelectionNode> both = scopes[at];
        both.insert(function.scope.begin(), function.scope.end());
        if (entriesOf(both) <= size_t(certificate.table))
          break;
      }
      groups.resize(std::max(groups.size(), at + 1));
      scopes.resize(groups.size());
      groups[at].push_back(&function);
      scopes[at].insert(function.scope.begin(), function.scope.end());
    }
    // What the groups make is for the nodes behind this one, and for none of the other groups.
    size_t before = functions.size();
    for (const std::vector<const Function *> &group : groups)
      eliminate(node, group);
    isUsed.resize(functions.size());
    for (size_t index = before; index < functions.size(); ++index)
      for (SelectionNode other : functions[index].scope)
        functionsOf[other].push_back(index);
  }
}

/// Appends a table over all other nodes of the group, of the least over the node's states; without others that is paid in any case.
void BoundCheck::eliminate(SelectionNode node, const std::vector<const Function *> &group) {
  std::set<SelectionNode> others;
  for (const Function *function : group)
    others.insert(function->scope.begin(), function->scope.end());
  others.erase(node);
  // Sorted, as a set is: the last node of the scope varies fastest, which valueOf relies on.
  Function made{{others.begin(), others.end()}, Function::Kind::Table, 0, {}};
  for (SelectionNode other : made.scope)
    chosen[other] = 0;
  while (true) {
    std::optional<SelectionSum> least;
    for (chosen[node] = 0; chosen[node] < left[node].size(); ++chosen[node]) {
      SelectionSum cost = 0;
      for (const Function *function : group)
        cost += valueOf(*function);
      least = std::min(least.value_or(cost), cost);
    }
    made.table.push_back(*least);
    // The next combination, like an odometer whose last digit turns fastest: the order of the table's entries.
    size_t digit = made.scope.size();
    while (digit > 0 && ++chosen[made.scope[digit - 1]] == left[made.scope[digit - 1]].size())
      chosen[made.scope[--digit]] = 0;
    if (digit == 0)
      break;
  }
  if (made.scope.empty())
    sum += made.table.front();
  else
    functions.push_back(std::move(made));
}
} // namespace

llvm::Error tessera::checkProvenBound(const SelectionProblem &problem,
                                      const SelectionCertificate &certificate) {
  return BoundCheck(problem, certificate).run();
}
