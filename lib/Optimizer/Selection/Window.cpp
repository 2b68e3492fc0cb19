//===- Window.cpp - Some nodes solved exactly, the others as they are -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// With places a - b - c in a row, of 3 states each, and the smallest table first:
//
//   a goes:   of each state of b its best one of a, and what that costs: a table of 3 entries
//   b goes:   its own costs, the pairs with c and that table: 3 x 3 sums, of which a table of 3 entries stays
//   c goes:   the best of 3 sums; then b and a take what was noted for it
//
// A place with k neighbours of n states leaves a table of n^k entries, and has n times as many while it is made; how
// large tables become is for the order to decide.
//
//===----------------------------------------------------------------------===//
#include "Window.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <queue>

using namespace tessera;

bool Window::solve(llvm::ArrayRef<SelectionNode> nodes, llvm::ArrayRef<double> costs, Selection &selection,
                   std::mt19937_64 &random) {
  // Steps 1 to 3 of Window.h, and the fourth place by place.
  collect(nodes, costs, selection, random);
  bool isWhole = findOrder(random);
  fixKept(selection);
  tables.clear();
  decisions.clear();
  for (uint32_t place : order)
    eliminate(place);
  // Step 5: backwards, so that what a decision depends on is decided before it, as its scope was eliminated later. What
  // was kept back has one state, which is number 0.
  std::vector<uint32_t> chosen(places.size(), 0);
  for (size_t at = decisions.size(); at-- > 0;) {
    const Decision &decision = decisions[at];
    size_t index = 0;
    for (uint32_t other : decision.scope)
      index = index * places[other].states.size() + chosen[other];
    chosen[decision.place] = decision.best[index];
  }
  for (size_t place = 0; place < places.size(); ++place) {
    selection[places[place].node] = places[place].states[chosen[place]];
    placeOf[places[place].node] = -1;
  }
  return isWhole;
}

/// The nodes with the states that are worth a thought, each at what it costs beside neighbours that stay.
/// What a state may be left out for: by what messages prove, by a conflict that another state does not have, by the
/// limit of states.
void Window::collect(llvm::ArrayRef<SelectionNode> nodes, llvm::ArrayRef<double> stateCosts,
                     const Selection &selection, std::mt19937_64 &random) {
  const SelectionProblem &problem = graph.problem;
  places.clear();
  order.clear();
  for (SelectionNode node : nodes) {
    placeOf[node] = int32_t(places.size());
    places.emplace_back().node = node;
  }
  for (Place &place : places) {
    for (SelectionState state = 0; state < problem.numStates(place.node); ++state)
      if (!isLeftOut(place.node, state, selection[place.node])) {
        place.states.push_back(state);
        place.costs.push_back(stateCosts[problem.firstState[place.node] + state]);
      }
    // An edge to a node that stays is a cost of the state alone, so that no table has to know of it.
    for (const SelectionGraph::Incident &incident : graph.incident(place.node)) {
      if (placeOf[incident.other] >= 0) {
        place.neighbors.push_back(uint32_t(placeOf[incident.other]));
        continue;
      }
      for (auto [state, cost] : llvm::zip_equal(place.states, place.costs))
        cost += pairCost(incident, state, selection[incident.other]);
    }
    // Where the others are at odds already, a state with one conflict more is none to think about.
    double limit = *std::min_element(place.costs.begin(), place.costs.end()) + double(kForbiddenCost) / 2;
    size_t kept = 0;
    for (size_t at = 0; at < place.states.size(); ++at)
      if (place.costs[at] <= limit) {
        place.states[kept] = place.states[at];
        place.costs[kept++] = place.costs[at];
      }
    place.states.resize(kept);
    place.costs.resize(kept);
    if (place.states.size() > stateLimit)
      thin(place, selection[place.node], random);
    // Two nodes may share several edges.
    std::sort(place.neighbors.begin(), place.neighbors.end());
    place.neighbors.erase(std::unique(place.neighbors.begin(), place.neighbors.end()), place.neighbors.end());
  }
}

/// Mostly the states of the lowest ranks; every fourth is what chance says.
void Window::thin(Place &place, SelectionState own, std::mt19937_64 &random) {
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t at = 0; at < place.states.size(); ++at) {
    // Its own state is never lost: an answer must not be worse than what there was.
    double rank = ranks[graph.problem.firstState[place.node] + place.states[at]];
    ranked.emplace_back(place.states[at] == own ? -std::numeric_limits<double>::infinity() : rank, at);
  }
  std::sort(ranked.begin(), ranked.end());
  for (size_t at = 1; at < stateLimit; ++at)
    if (random() % 4 == 0)
      std::swap(ranked[at], ranked[at + random() % (ranked.size() - at)]);
  ranked.resize(stateLimit);
  std::vector<SelectionState> states;
  std::vector<double> costs;
  for (auto [rank, at] : ranked) {
    states.push_back(place.states[at]);
    costs.push_back(place.costs[at]);
  }
  place.states = std::move(states);
  place.costs = std::move(costs);
}

/// The entries of the table in which the place would be decided.
double Window::weightOf(const Place &place) const {
  double weight = double(place.states.size());
  for (uint32_t other : place.neighbors)
    weight *= double(places[other].states.size());
  return weight;
}

/// Its neighbours forget the place, and their tables get smaller by it.
void Window::keepBack(uint32_t index) {
  Place &place = places[index];
  place.kept = place.done = true;
  for (uint32_t other : place.neighbors) {
    auto &theirs = places[other].neighbors;
    theirs.erase(std::lower_bound(theirs.begin(), theirs.end(), index));
    ++places[other].version;
  }
}

/// Those that the place's table is about become neighbours of each other, as the table is an edge among all of them.
void Window::link(uint32_t eliminated) {
  places[eliminated].done = true;
  const std::vector<uint32_t> &scope = places[eliminated].neighbors;
  std::vector<uint32_t> joined;
  for (uint32_t place : scope) {
    auto &theirs = places[place].neighbors;
    joined.clear();
    std::set_union(theirs.begin(), theirs.end(), scope.begin(), scope.end(), std::back_inserter(joined));
    std::erase_if(joined, [&](uint32_t other) { return other == place || other == eliminated; });
    theirs = joined;
    ++places[place].version;
  }
}

/// Smallest table first, which is near the best known order on graphs of models (their treewidth is small); false if a table would have
/// been too large, and a place was kept back for it.
bool Window::findOrder(std::mt19937_64 &random) {
  struct Entry {
    double weight;
    uint64_t tie;
    uint32_t place, version;
    bool operator<(const Entry &other) const {
      return weight != other.weight ? weight > other.weight : tie > other.tie;
    }
  };
  std::priority_queue<Entry> queue;
  // Places of one state are no choice, and no part of any table.
  for (uint32_t index = 0; index < places.size(); ++index)
    if (places[index].states.size() == 1)
      keepBack(index);
  auto push = [&](uint32_t index) {
    queue.push({weightOf(places[index]), random(), index, places[index].version});
  };
  for (uint32_t index = 0; index < places.size(); ++index)
    if (!places[index].done)
      push(index);
  std::vector<uint32_t> touched;
  bool isWhole = true;
  while (!queue.empty()) {
    auto [weight, tie, index, version] = queue.top();
    queue.pop();
    Place &place = places[index];
    // Weights change as neighbours go; an entry of before is only passed over, which is less work than to find it in the queue.
    if (place.done || version != place.version)
      continue;
    // In floating point, as products of hundreds of sizes exceed all whole numbers.
    if (weight <= double(tableBudget)) {
      order.push_back(index);
      touched = place.neighbors;
      link(index);
    } else {
      // Even the smallest table is too large. Whoever has most neighbours makes most tables smaller by staying as it is; of equal ones chance
      // takes one, so that the next call asks about the others.
      isWhole = false;
      uint32_t hub = index;
      for (uint32_t other : place.neighbors)
        if (places[other].neighbors.size() + random() % 2 > places[hub].neighbors.size())
          hub = other;
      touched = places[hub].neighbors;
      keepBack(hub);
    }
    for (uint32_t other : touched)
      push(other);
  }
  return isWhole;
}

/// Those that are kept back get their one state, and what that costs beside the others is a cost of the others.
void Window::fixKept(const Selection &selection) {
  for (Place &place : places) {
    if (!place.kept)
      continue;
    auto found = std::find(place.states.begin(), place.states.end(), selection[place.node]);
    // What it is may have been sorted out as at odds with its neighbours: then the cheapest.
    size_t at = found != place.states.end()
                    ? size_t(found - place.states.begin())
                    : size_t(std::min_element(place.costs.begin(), place.costs.end()) - place.costs.begin());
    place.states = {place.states[at]};
    place.costs = {place.costs[at]};
  }
  // Once all have their one state: an edge between two that are kept back decides nothing.
  for (Place &place : places)
    if (place.kept)
      for (const SelectionGraph::Incident &incident : graph.incident(place.node)) {
        if (placeOf[incident.other] < 0 || places[placeOf[incident.other]].kept)
          continue;
        Place &other = places[placeOf[incident.other]];
        for (size_t at = 0; at < other.states.size(); ++at)
          other.costs[at] += pairCost(incident, place.states[0], other.states[at]);
      }
  // The order is found, and its marks begin anew: elimination goes through all that are not kept back.
  for (Place &place : places)
    place.done = place.kept;
}

/// At most what was foreseen when the order was looked for: places that were kept back have gone out of all scopes.
std::vector<uint32_t> Window::scopeOf(uint32_t index) const {
  const Place &place = places[index];
  std::vector<uint32_t> scope;
  for (const SelectionGraph::Incident &incident : graph.incident(place.node))
    if (int32_t other = placeOf[incident.other]; other >= 0 && !places[other].done)
      scope.push_back(uint32_t(other));
  for (uint32_t table : place.tables)
    if (!tables[table].values.empty())
      for (uint32_t other : tables[table].scope)
        if (other != index)
          scope.push_back(other);
  std::sort(scope.begin(), scope.end());
  scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
  return scope;
}

static size_t positionIn(llvm::ArrayRef<uint32_t> scope, uint32_t place) {
  return size_t(llvm::lower_bound(scope, place) - scope.begin());
}

std::vector<std::vector<double>> Window::addPairs(uint32_t index, llvm::ArrayRef<uint32_t> scope,
                                                  TableSum<double> &sums) const {
  const Place &place = places[index];
  size_t states = place.states.size();
  std::vector<std::vector<double>> all;
  for (const SelectionGraph::Incident &incident : graph.incident(place.node)) {
    int32_t other = placeOf[incident.other];
    if (other < 0 || places[other].done)
      continue;
    const Place &there = places[other];
    // Of the matrix only the states that both have left, the own ones side by side, as the sums are walked.
    double *pair = all.emplace_back(there.states.size() * states).data();
    for (SelectionState theirs : there.states)
      for (SelectionState mine : place.states)
        *pair++ = pairCost(incident, mine, theirs);
    sums.step(positionIn(scope, uint32_t(other))) = states;
    sums.add(all.back().data(), 1);
  }
  return all;
}

void Window::addTables(uint32_t index, llvm::ArrayRef<uint32_t> scope, TableSum<double> &sums) const {
  for (uint32_t id : places[index].tables) {
    const Table &table = tables[id];
    if (table.values.empty())
      continue;
    // The table is walked where it lies: a step per place of the scope instead of a copy in the scope's order.
    size_t step = 1, ownStep = 0;
    for (size_t at = table.scope.size(); at-- > 0;) {
      if (table.scope[at] == index)
        ownStep = step;
      else
        sums.step(positionIn(scope, table.scope[at])) = step;
      step *= places[table.scope[at]].states.size();
    }
    sums.add(table.values.data(), ownStep);
  }
}

/// Adds up all that depends on the place; of each combination of its scope keeps the best state, and what that costs as a table of the
/// scope.
void Window::eliminate(uint32_t index) {
  Place &place = places[index];
  std::vector<uint32_t> scope = scopeOf(index);
  std::vector<size_t> sizes;
  for (uint32_t other : scope)
    sizes.push_back(places[other].states.size());
  // Where nothing is known to be allowed nothing is saturated: what is forbidden must stay dearer the more of it there
  // is, or a window would not leave a selection that is at odds with itself.
  TableSum<double> sums(sizes, place.states.size(), most);
  sums.add(place.costs.data(), 1);
  std::vector<std::vector<double>> pairs = addPairs(index, scope, sums);
  addTables(index, scope, sums);
  Decision &decision = decisions.emplace_back();
  decision.place = index;
  decision.best.reserve(sums.numEntries());
  // The choice is noted for each combination, to be read back once the places of the scope have theirs.
  Table result{scope, {}};
  result.values.reserve(sums.numEntries());
  sums.forEachLeast([&](size_t state, double least, size_t count) {
    decision.best.insert(decision.best.end(), count, uint32_t(state));
    result.values.insert(result.values.end(), count, least);
  });
  // Used up: each counts once.
  for (uint32_t table : place.tables)
    tables[table].values = {};
  decision.scope = scope;
  place.done = true;
  // Then the least is the same whatever else is chosen, and nobody has to know it.
  if (scope.empty())
    return;
  for (uint32_t other : scope)
    places[other].tables.push_back(uint32_t(tables.size()));
  tables.push_back(std::move(result));
}
