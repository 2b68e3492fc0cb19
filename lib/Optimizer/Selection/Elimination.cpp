//===- Elimination.cpp - What messages leave open, solved exactly ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// All numbers here are what is above a least that is counted already: `sum` has the leasts, and `room` is from there to
// the cutoff. What costs `room` is ruled out, so values above it count as it, and 64 bits hold whatever tables add up.
//
// States that the cutoff rules out are gone first. What is left of a graph of a model has a small treewidth, so that to
// eliminate node after node, smallest table first, is mostly exact.
//
//===----------------------------------------------------------------------===//
#include "Elimination.h"

#include "TableSum.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <queue>
#include <set>

using namespace tessera;

/// The largest table, and all of them together, in entries.
static constexpr size_t kLargestTable = 4'000'000, kAllTables = 20'000'000;

Elimination::Elimination(const SelectionGraph &graph, llvm::ArrayRef<SelectionSum> priced,
                         const SelectionCertificate &certificate)
    : graph(graph), problem(graph.problem), certificate(certificate), own(priced.begin(), priced.end()),
      alive(problem.numNodes()), ownLeast(problem.numNodes()), edgeLeast(problem.edges.size()),
      least(problem.costs.size()) {
  std::map<std::pair<SelectionNode, SelectionNode>, uint32_t> first;
  for (uint32_t index = 0; index < problem.edges.size(); ++index) {
    const SelectionEdge &edge = problem.edges[index];
    // Of several edges between two nodes the first alone counts what the other node costs by itself, which is paid
    // once.
    isFirst.push_back(first.try_emplace(std::minmax(edge.from, edge.to), index).second);
    const auto &[from, to] = certificate.gifts[index];
    for (size_t state = 0; state < from.size(); ++state)
      own[problem.firstState[edge.from] + state] -= from[state];
    for (size_t state = 0; state < to.size(); ++state)
      own[problem.firstState[edge.to] + state] -= to[state];
  }
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    for (SelectionState state = 0; state < problem.numStates(node); ++state)
      alive[node].push_back(state);
  // Step 2 of SelectionCertificate.h; what the first settling proves is the linear bound of step 1.
  bool open = settle();
  linearBound = proven();
  // With each state that goes nodes and edges cost more at least, so that others may go.
  while (open && dropStates())
    open = settle();
}

/// Costs are whole numbers and not negative, so the best one is the next of these at least.
SelectionCost Elimination::proven() const {
  return SelectionCost(sum <= 0 ? 0 : (sum + certificate.scale - 1) / certificate.scale);
}

SelectionSum Elimination::entry(SelectionCost cost) const {
  return SelectionSum(std::min(cost, certificate.forbidden)) * certificate.scale;
}

/// Gifts are paid by the nodes (`own` has them less) and received here, so the sum over nodes and edges is the cost of
/// the selection.
SelectionSum Elimination::pair(uint32_t edge, SelectionState from, SelectionState to) const {
  return entry(problem.matrices[problem.edges[edge].matrix].at(from, to)) +
         certificate.gifts[edge].from[from] + certificate.gifts[edge].to[to];
}

/// The edge's least, and what it tells each state of its nodes, with what the other node costs by itself.
void Elimination::measureEdge(uint32_t index) {
  auto [from, to, matrix] = problem.edges[index];
  SelectionSum *ofFrom = &least[problem.firstState[from]], *ofTo = &least[problem.firstState[to]];
  const SelectionSum *ownFrom = &own[problem.firstState[from]], *ownTo = &own[problem.firstState[to]];
  bool withOwn = isFirst[index];
  std::optional<SelectionSum> lowest;
  std::vector<std::optional<SelectionSum>> columns(alive[to].size());
  std::vector<SelectionSum> rows;
  for (SelectionState mine : alive[from]) {
    std::optional<SelectionSum> row;
    for (auto [at, others] : llvm::enumerate(alive[to])) {
      SelectionSum cost = pair(index, mine, others);
      SelectionSum here = cost + (withOwn ? ownTo[others] - ownLeast[to] : 0);
      SelectionSum there = cost + (withOwn ? ownFrom[mine] - ownLeast[from] : 0);
      lowest = lowest ? std::min(*lowest, cost) : cost;
      row = row ? std::min(*row, here) : here;
      columns[at] = columns[at] ? std::min(*columns[at], there) : there;
    }
    rows.push_back(*row);
  }
  edgeLeast[index] = *lowest;
  for (auto [at, mine] : llvm::enumerate(alive[from]))
    ofFrom[mine] += rows[at] - *lowest;
  for (auto [at, others] : llvm::enumerate(alive[to]))
    ofTo[others] += *columns[at] - *lowest;
}

/// What nodes and edges cost at least with the states that are left. False if no selection is left below the cutoff.
bool Elimination::settle() {
  if (llvm::any_of(alive, [](const auto &states) { return states.empty(); })) {
    room = 0;
    return false;
  }
  sum = 0;
  for (auto [time, price] : certificate.prices)
    sum -= SelectionSum(price) * problem.capacity;
  for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
    size_t first = problem.firstState[node];
    ownLeast[node] = own[first + alive[node].front()];
    for (SelectionState state : alive[node])
      ownLeast[node] = std::min(ownLeast[node], own[first + state]);
    for (SelectionState state : alive[node])
      least[first + state] = own[first + state] - ownLeast[node];
    sum += ownLeast[node];
  }
  for (uint32_t edge = 0; edge < problem.edges.size(); ++edge) {
    measureEdge(edge);
    sum += edgeLeast[edge];
  }
  room = std::max<SelectionSum>(0, SelectionSum(certificate.cutoff) * certificate.scale - sum);
  return room > 0;
}

/// Leaves out all states whose selections cost the cutoff at least.
/// All nodes against the same leasts: a state that goes counts only from the next settling on, so the order of nodes
/// decides nothing.
bool Elimination::dropStates() {
  bool dropped = false;
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    dropped |= std::erase_if(alive[node], [&](SelectionState state) {
                 return least[problem.firstState[node] + state] >= room;
               }) > 0;
  return dropped;
}

Elimination::Function Elimination::nodeFunction(SelectionNode node) const {
  // Above the node's least, which settle() has counted in the sum; edges likewise.
  Function function{{node}, {}};
  for (SelectionState state : alive[node])
    function.values.push_back(saturated(own[problem.firstState[node] + state] - ownLeast[node]));
  return function;
}

Elimination::Function Elimination::edgeFunction(uint32_t index) const {
  auto [from, to, matrix] = problem.edges[index];
  // By the lower node first, however the edge runs, as all scopes are sorted.
  Function function{{std::min(from, to), std::max(from, to)}, {}};
  for (SelectionState first : alive[function.scope[0]])
    for (SelectionState second : alive[function.scope[1]]) {
      SelectionSum cost = from < to ? pair(index, first, second) : pair(index, second, first);
      function.values.push_back(saturated(cost - edgeLeast[index]));
    }
  return function;
}

/// The order in which the node of the smallest table goes next, and what all tables have of entries if none is larger than `table`.
double Elimination::sweep(std::vector<SelectionNode> &order, size_t table) const {
  struct Next {
    double weight;
    SelectionNode node;
    uint32_t version;
    bool operator<(const Next &other) const {
      return std::tie(weight, node) > std::tie(other.weight, other.node);
    }
  };
  std::vector<std::vector<SelectionNode>> neighbors(problem.numNodes());
  for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
    for (const SelectionGraph::Incident &incident : graph.incident(node))
      if (sizeOf(node) > 1 && sizeOf(incident.other) > 1)
        neighbors[node].push_back(incident.other);
    llvm::sort(neighbors[node]);
    neighbors[node].erase(std::unique(neighbors[node].begin(), neighbors[node].end()), neighbors[node].end());
  }
  std::vector<uint32_t> version(problem.numNodes());
  std::priority_queue<Next> queue;
  auto push = [&](SelectionNode node) {
    double weight = double(sizeOf(node));
    for (SelectionNode other : neighbors[node])
      weight *= double(sizeOf(other));
    queue.push({weight, node, ++version[node]});
  };
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    if (sizeOf(node) > 1)
      push(node);
  double entries = 0;
  std::vector<SelectionNode> joined;
  while (!queue.empty()) {
    auto [weight, node, its] = queue.top();
    queue.pop();
    // Its neighbours have changed since it was queued, and it stands there again.
    if (its != version[node])
      continue;
    order.push_back(node);
    // Of a table that is split there are no more parts than the node has neighbours.
    entries += std::min(weight, double(table) * double(neighbors[node].size()));
    std::vector<SelectionNode> scope = std::move(neighbors[node]);
    ++version[node];
    for (SelectionNode other : scope) {
      auto &theirs = neighbors[other];
      joined = theirs;
      if (weight <= double(table)) { // else its terms stay apart
        joined.clear();
        std::set_union(theirs.begin(), theirs.end(), scope.begin(), scope.end(), std::back_inserter(joined));
      }
      std::erase_if(joined, [&](SelectionNode one) { return one == other || one == node; });
      theirs = joined;
    }
    for (SelectionNode other : scope)
      push(other);
  }
  // Nodes without a choice last, when their neighbours are gone: before them, such a node would make one table of all of them.
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    if (sizeOf(node) <= 1)
      order.push_back(node);
  return entries;
}

void Elimination::choose(SelectionCertificate &into) const {
  double entries = 0;
  // The order is looked for anew with each size: where tables are split neighbours do not become each other's, so that
  // others are smallest next.
  into.table = kLargestTable * 4;
  do {
    into.table /= 4;
    into.order.clear();
    entries = sweep(into.order, size_t(into.table));
  } while (entries > double(kAllTables) && into.table > 4);
}

/// All functions of a node are added up, if that is no too large a table, and its least taken; else in as many groups as it takes
/// (mini-buckets: Dechter and Rish 2003): each group may then think of another state, which makes the bound lower.
void Elimination::eliminate(SelectionNode node) {
  std::vector<Function> functions = {nodeFunction(node)};
  for (const SelectionGraph::Incident &incident : graph.incident(node))
    if (!isGone[incident.other])
      functions.push_back(edgeFunction(incident.edge));
  llvm::append_range(functions, std::exchange(tables[node], {}));
  std::vector<std::vector<Function>> groups;
  std::vector<std::set<SelectionNode>> scopes;
  auto entriesWith = [&](const std::set<SelectionNode> &scope, const Function &function) {
    std::set<SelectionNode> all = scope;
    all.insert(function.scope.begin(), function.scope.end());
    size_t entries = 1;
    for (SelectionNode one : all)
      entries = std::min(entries, size_t(certificate.table) + 1) * sizeOf(one);
    return entries;
  };
  // Each in the first group that has room for it: the check goes through them in the same order, so that it finds the same tables.
  for (Function &function : functions) {
    size_t at = 0;
    while (at < groups.size() && entriesWith(scopes[at], function) > size_t(certificate.table))
      ++at;
    if (at == groups.size()) {
      groups.emplace_back();
      scopes.emplace_back();
    }
    scopes[at].insert(function.scope.begin(), function.scope.end());
    groups[at].push_back(std::move(function));
  }
  isGone[node] = true;
  for (const std::vector<Function> &group : groups)
    eliminate(node, group);
}

void Elimination::eliminate(SelectionNode node, llvm::ArrayRef<Function> group) {
  Function result;
  for (const Function &function : group)
    llvm::append_range(result.scope, function.scope);
  llvm::sort(result.scope);
  result.scope.erase(std::unique(result.scope.begin(), result.scope.end()), result.scope.end());
  llvm::erase(result.scope, node);
  std::vector<size_t> sizes;
  for (SelectionNode other : result.scope)
    sizes.push_back(sizeOf(other));
  TableSum<int64_t> sums(sizes, sizeOf(node), int64_t(room));
  for (const Function &function : group) {
    // By how much each node's state moves the index into this function: the last of its scope by 1.
    size_t step = 1, ownStep = 0;
    for (SelectionNode other : llvm::reverse(function.scope)) {
      if (other == node)
        ownStep = step;
      else
        sums.step(size_t(llvm::lower_bound(result.scope, other) - result.scope.begin())) = step;
      step *= sizeOf(other);
    }
    sums.add(function.values.data(), ownStep);
  }
  result.values.reserve(sums.numEntries());
  sums.forEachLeast(
      [&](size_t, int64_t least, size_t count) { result.values.insert(result.values.end(), count, least); });
  // A table over nothing is one number, which every selection pays.
  if (result.scope.empty()) {
    sum += result.values.front();
    return;
  }
  // Whoever of its scope goes first takes it along.
  SelectionNode first =
      *llvm::min_element(result.scope, [&](SelectionNode a, SelectionNode b) { return place[a] < place[b]; });
  tables[first].push_back(std::move(result));
}

SelectionCost Elimination::bound() {
  if (room > 0) {
    tables.assign(problem.numNodes(), {});
    isGone.assign(problem.numNodes(), false);
    place.assign(problem.numNodes(), 0);
    // Step 3.
    for (auto [at, node] : llvm::enumerate(certificate.order))
      place[node] = at;
    for (SelectionNode node : certificate.order)
      eliminate(node);
    room = std::max<SelectionSum>(0, SelectionSum(certificate.cutoff) * certificate.scale - sum);
  }
  // Nothing that costs less is left: then the cutoff is what is proven.
  return room == 0 ? certificate.cutoff : proven();
}
