//===- SelectionSearch.cpp - A good selection, and better ones with time --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Everything is decided by three numbers: what a selection costs, by how much it exceeds the capacity over all times,
// and what its usage is worth at the prices. At first prices look for a region that nearly fits; then windows, which
// keep what fits fitting, look for less cost. Chance decides where windows lie and what shape they have, from a fixed
// seed: without a time limit the same problem gives the same selection.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Selection/SelectionSearch.h"

#include "Exhaustive.h"
#include "Messages.h"
#include "Occupancy.h"
#include "Reduction.h"
#include "Window.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace tessera;

namespace {
/// A table of a window has at most as many entries. Small, as many windows are worth more than wide ones.
constexpr size_t kWindowTable = 20'000, kSweepTable = 20'000;
/// How much dearer than the best the search may become on its way to a better one. Without a limit, many windows each of which is worth it at the
/// prices lead to selections that leave room everywhere, a third dearer, and not back.
constexpr double kDetour = 0.003;
/// Where too much is used prices rise by this factor, after so many windows.
constexpr double kRaise = 1.3;
constexpr uint64_t kWindowsPerRaise = 10;
/// From time to time what a pricing found is made to fit, and improved, by so many windows at most: by half of all there are, all such pricings
/// together.
constexpr int kPricingsPerRepair = 10;
constexpr uint64_t kPricedWindows = 300;
/// From time to time the search goes on from the best that there is.
constexpr uint64_t kWindowsPerRestart = 20'000;
/// How often the whole graph is solved: without prices, and with them.
constexpr int kFreePricings = 10, kPricings = 300;
/// With a time limit, which part of it prices may take. If nothing fits by then, the rest is for repairs.
constexpr double kPricingShare = 0.7;
/// If nothing fits by this part of it, prices move faster.
constexpr double kCalmShare = 0.2;
constexpr int kPassesPerPricing = 3;
/// Where nothing fits prices would grow without end.
constexpr double kHighestPrice = 1e15;
/// In the whole graph only the states that messages like best.
constexpr size_t kSweepStates = 6;

class Search {
public:
  Search(const SelectionProblem &problem, const SearchOptions &options)
      : problem(problem), options(options), graph(problem), occupancy(graph), window(graph, kWindowTable),
        sweep(graph, kSweepTable), messages(graph, moreThanAnySelection(problem)) {
    for (SelectionNode node = 0; node < problem.numNodes(); ++node)
      if (problem.numStates(node) > 1)
        free.push_back(node);
    isChosen.assign(problem.numNodes(), false);
    usagePrices.assign(problem.costs.size(), 0);
    statePrices.assign(problem.costs.size(), 0);
    prices.assign(graph.numTimes, 0);
    bestPrices = prices;
    begin = std::chrono::steady_clock::now();
  }

  std::optional<FoundSelection> run() {
    start();
    if (!best)
      repair(free.empty() ? 0 : options.windows);
    restart();
    for (; tried < options.windows && !free.empty() && !isTimeUp(1); ++tried) {
      if (tried % kWindowsPerRestart == kWindowsPerRestart - 1)
        restart();
      tryWindow();
    }
    // Chance may miss what a few selections hide; then all are looked at.
    if (isSmall(problem))
      best = solveExhaustively(graph, std::move(best));
    if (!best)
      return std::nullopt;
    FoundSelection found{*best, {}};
    for (size_t time = 0; time < bestPrices.size(); ++time)
      if (bestPrices[time] > 0)
        found.prices.push_back({graph.times[time], bestPrices[time]});
    return found;
  }

private:
  void start();
  void solveAll();
  void improvePriced();
  void movePrices(double speed);
  void raisePrices();
  void repair(uint64_t end);
  void restart();
  void setCurrent(Selection selection);
  /// What there is fits and is allowed.
  bool stands() const { return occupancy.excess() == 0 && currentCost < double(kForbiddenCost); }
  void chooseWindow();
  void grow(SelectionNode seed, size_t size);
  void tryWindow();
  bool consider(double factor);
  double costOf(llvm::ArrayRef<SelectionNode> nodes, llvm::ArrayRef<SelectionState> states);
  void note();
  /// Whether that share of the time is over.
  bool isTimeUp(double part) const {
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return options.secondsLeft && passed.count() > part * *options.secondsLeft;
  }

  const SelectionProblem &problem;
  const SearchOptions &options;
  SelectionGraph graph;
  Occupancy occupancy;
  Window window, sweep;
  Messages messages;
  // The same input gives the same bytes. NOLINTNEXTLINE(bugprone-random-generator-seed)
  std::mt19937_64 random{20250330};
  std::chrono::steady_clock::time_point begin;

  std::vector<SelectionNode> free; ///< nodes with a choice
  std::vector<double> prices;      ///< by time: of a unit of usage
  std::vector<double> usagePrices; ///< by state: what it uses, at these prices
  std::vector<double> statePrices; ///< by state: with its cost
  Selection current, candidate;
  double currentCost = 0;            ///< kForbiddenCost if it is not allowed
  uint64_t tried = 0;                ///< windows
  std::vector<SelectionNode> chosen; ///< the window
  std::vector<bool> isChosen;
  std::optional<Selection> best;
  SelectionCost bestCost = kForbiddenCost;
  std::vector<double> bestPrices; ///< those with the highest bound
  double bestBound = -1;
};

/// Whole numbers decide: `currentCost` has been added to and subtracted from, and may be off by rounding.
void Search::note() {
  if (!stands() || currentCost >= double(bestCost))
    return;
  std::optional<SelectionCost> cost = selectionCost(problem, current);
  if (!cost || *cost >= bestCost)
    return;
  best = current;
  bestCost = *cost;
  if (options.onBetter)
    options.onBetter(*cost);
}

/// The whole graph at these prices: by messages, and what they leave open by a window over all.
void Search::solveAll() {
  occupancy.addPrices(prices, usagePrices);
  for (size_t state = 0; state < statePrices.size(); ++state)
    statePrices[state] = double(problem.costs[state]) + usagePrices[state];
  for (int count = 0; count < kPassesPerPricing; ++count)
    messages.pass(statePrices);
  if (double bound = messages.bound(statePrices) - occupancy.roomWorth(prices); bound > bestBound) {
    bestBound = bound;
    bestPrices = prices;
  }
  setCurrent(messages.decode(statePrices));
  candidate = current;
  // Few states of each node, so that tables are small and few nodes have to stay as messages have them.
  sweep.limit(kSweepTable, kSweepStates, messages.beliefs());
  sweep.solve(free, statePrices, candidate, random);
  setCurrent(candidate);
}

void Search::setCurrent(Selection selection) {
  current = std::move(selection);
  currentCost = double(selectionCost(problem, current).value_or(kForbiddenCost));
  occupancy.set(current);
  note();
}

void Search::start() {
  // Without prices first: where the capacity does not bind there is nothing to price.
  for (int count = 0; count < kFreePricings && (count == 0 || !isTimeUp(kPricingShare)); ++count)
    solveAll();
  if (occupancy.excess() == 0 || free.empty())
    return;
  // A first guess: as if what is too much were to cost a tenth of all else.
  double tooMuch = 1, cost = currentCost + 1;
  for (uint32_t time = 0; time < graph.numTimes; ++time)
    tooMuch += double(std::max<SelectionUsage>(0, occupancy.used(time) - occupancy.capacity()));
  prices.assign(graph.numTimes, 0.1 * cost / tooMuch);
  for (int count = 0; count < kPricings && !isTimeUp(kPricingShare); ++count) {
    // Steps become smaller so that prices settle, but where nothing fits yet they have further to go.
    movePrices(!best && (count >= 100 || isTimeUp(kCalmShare)) ? 2.0 : 40.0 / (40.0 + count));
    solveAll();
    if (count % kPricingsPerRepair == kPricingsPerRepair - 1)
      improvePriced();
  }
}

/// What a pricing found, made to fit and to cost less. Each is another place to begin, and prices go on as if it had not been.
void Search::improvePriced() {
  std::vector<double> course = prices;
  Selection priced = current;
  uint64_t end = tried + std::min(kPricedWindows, options.windows / (2 * kPricings / kPricingsPerRepair));
  repair(end);
  prices = std::move(course);
  occupancy.addPrices(prices, usagePrices);
  for (; tried < end && !isTimeUp(1); ++tried)
    tryWindow();
  setCurrent(std::move(priced));
}

/// Multiplied, not added to: prices of different times are of different orders of magnitude.
void Search::movePrices(double speed) {
  for (uint32_t time = 0; time < graph.numTimes; ++time) {
    double fullness = double(occupancy.used(time)) / std::max(1.0, double(occupancy.capacity())) - 1;
    // What is used many times over takes larger steps: else a third of all pricings would be spent on the way there.
    double most = std::max(0.5, std::log1p(std::max(fullness, 0.0)));
    prices[time] =
        std::min(prices[time] * std::exp(speed * std::clamp(fullness * 4, -0.5, most)), kHighestPrice);
  }
}

void Search::raisePrices() {
  double sum = 0;
  for (double price : prices)
    sum += price;
  // A price that has fallen to almost nothing would be long on its way.
  double least = 1e-3 * sum / double(prices.size());
  for (uint32_t time = 0; time < graph.numTimes; ++time)
    if (occupancy.used(time) > occupancy.capacity())
      prices[time] = std::min(std::max(prices[time] * kRaise, least), kHighestPrice);
  occupancy.addPrices(prices, usagePrices);
}

/// Windows about what is live where too much is used, which costs more and more, until all fits.
void Search::repair(uint64_t end) {
  for (uint64_t first = tried; tried < end && !stands() && !isTimeUp(1); ++tried) {
    if ((tried - first) % kWindowsPerRaise == 0)
      raisePrices();
    tryWindow();
  }
}

/// The best that there is, at the prices that prove most: those of the last pricing may be anything.
void Search::restart() {
  prices = bestPrices;
  if (best)
    setCurrent(*best);
  occupancy.addPrices(prices, usagePrices);
}

/// A connected part of the graph: nodes without edges between them are as well changed one after the other, but for
/// what they use at one time, for which chooseWindow grows several parts.
void Search::grow(SelectionNode seed, size_t size) {
  if (isChosen[seed])
    return;
  size_t from = chosen.size();
  chosen.push_back(seed);
  isChosen[seed] = true;
  while (chosen.size() < from + size && from < chosen.size()) {
    // From any node that is there, not from the oldest: windows are of many shapes.
    SelectionNode node = chosen[from + random() % (chosen.size() - from)];
    llvm::ArrayRef<SelectionGraph::Incident> around = graph.incident(node);
    SelectionNode next = node;
    // A few attempts, not a search for one that is free: in a window that is full of its neighbours the size shrinks
    // instead.
    for (int attempt = 0; attempt < 4 && !around.empty() && isChosen[next]; ++attempt)
      next = around[random() % around.size()].other;
    if (isChosen[next]) {
      if (--size == 0)
        return;
      continue;
    }
    isChosen[next] = true;
    chosen.push_back(next);
  }
}

void Search::chooseWindow() {
  for (SelectionNode node : chosen)
    isChosen[node] = false;
  chosen.clear();
  // Of sixteen windows ten are small, 2 to 64 nodes with all their states, one of these with a large table; six are
  // wide, 16 to 512 nodes with 2 to 7 states each.
  size_t size = size_t(2) << (random() % 6);
  size_t kind = random() % 16;
  window.limit(kind == 0 ? 500'000 : kWindowTable, ~size_t(0), messages.beliefs());
  if (kind >= 10) {
    size = size_t(16) << (random() % 6);
    window.limit(kind == 10 ? 300'000 : kWindowTable, 2 + random() % 6, messages.beliefs());
  }
  SelectionNode seed = free[random() % free.size()];
  bool exceeds = occupancy.excess() > 0;
  if (exceeds || (random() % 3 == 0 && graph.numTimes > 0)) {
    // Some that are live at once: one makes room for another.
    uint32_t time = uint32_t(random() % graph.numTimes);
    // Where something does not fit a time that is too full is looked for, from a random one on.
    while (exceeds && occupancy.used(time) <= occupancy.capacity())
      time = (time + 1) % graph.numTimes;
    std::vector<SelectionNode> there = occupancy.nodesAt(time);
    for (int count = 0; count < 4 && !there.empty(); ++count)
      grow(there[random() % there.size()], std::max<size_t>(1, size / 4));
    if (!chosen.empty())
      return;
  }
  grow(seed, size);
}

/// What the nodes and the edges at them cost.
double Search::costOf(llvm::ArrayRef<SelectionNode> nodes, llvm::ArrayRef<SelectionState> states) {
  double sum = 0;
  for (SelectionNode node : nodes) {
    sum += double(problem.cost(node, states[node]));
    for (const SelectionGraph::Incident &incident : graph.incident(node))
      if (!isChosen[incident.other] || node < incident.other)
        sum += double(graph.pairCost(incident, states[node], states[incident.other]));
  }
  return sum;
}

/// The window at the prices times a factor. True if there is nothing more to try.
bool Search::consider(double factor) {
  for (SelectionNode node : chosen)
    for (size_t state = problem.firstState[node]; state < problem.firstState[node + 1]; ++state)
      statePrices[state] = double(problem.costs[state]) + factor * usagePrices[state];
  candidate = current;
  window.solve(chosen, statePrices, candidate, random);
  SelectionSum excess = occupancy.excess();
  double worth = 0;
  bool changed = false;
  for (SelectionNode node : chosen)
    if (candidate[node] != current[node]) {
      changed = true;
      size_t first = problem.firstState[node];
      worth += usagePrices[first + candidate[node]] - usagePrices[first + current[node]];
      occupancy.change(node, current[node], candidate[node]);
    }
  if (!changed)
    return true;
  double cost = costOf(chosen, candidate) - costOf(chosen, current);
  bool fits = occupancy.excess() <= excess;
  bool isNear = currentCost + cost <= (1 + kDetour) * double(bestCost);
  // What uses less where too much is used is taken at any cost: only what fits counts in the end.
  if (occupancy.excess() < excess || (fits && (cost <= 0 || (cost + worth <= 0 && isNear)))) {
    for (SelectionNode node : chosen)
      current[node] = candidate[node];
    // Where one was forbidden the sum has lost all that is small.
    currentCost = currentCost < double(kForbiddenCost)
                      ? currentCost + cost
                      : double(selectionCost(problem, current).value_or(kForbiddenCost));
    note();
    return true;
  }
  for (SelectionNode node : chosen)
    if (candidate[node] != current[node])
      occupancy.change(node, candidate[node], current[node]);
  return fits;
}

void Search::tryWindow() {
  chooseWindow();
  // Dearer usage makes a window leave more room. From a low factor up, until something is taken or fits and is not
  // worth it: at higher ones it is worth less.
  static constexpr double kFactors[] = {0, 0.5, 1, 2, 5};
  // Where too much is used it is prices that rise.
  size_t end = occupancy.excess() > 0 ? 3 : std::size(kFactors);
  for (size_t at = random() % 3; at < end; ++at)
    if (consider(kFactors[at]))
      return;
}
} // namespace

std::optional<FoundSelection> tessera::searchSelection(const SelectionProblem &problem,
                                                       const SearchOptions &options) {
  std::optional<ReducedProblem> reduced = reduce(problem);
  if (!reduced)
    return std::nullopt;
  std::optional<FoundSelection> found = Search(reduced->problem, options).run();
  if (found)
    found->states = reduced->original(found->states);
  return found;
}
