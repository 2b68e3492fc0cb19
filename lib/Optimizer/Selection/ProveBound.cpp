//===- ProveBound.cpp - Prices and messages as a proof --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Messages.h"
#include "tessera/Optimizer/Selection/SelectionCertificate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

using namespace tessera;

namespace {
/// Prices as whole numbers; by how much they make the states of each node dearer.
class Proof {
public:
  Proof(const SelectionProblem &problem, const FoundSelection &found) : problem(problem), graph(problem) {
    certificate.states = found.states;
    certificate.cost = selectionCost(problem, found.states).value_or(kForbiddenCost);
    certificate.peak = peakUsage(problem, found.states);
    // Above the best cost nothing can be won, and small numbers stay exact.
    certificate.forbidden = std::min(kForbiddenCost, 4 * (certificate.cost + 1));
    while (certificate.scale < (1 << 20) &&
           certificate.forbidden < (int64_t(1) << 58) / (certificate.scale * 2))
      certificate.scale *= 2;
    for (auto [time, price] : found.prices)
      if (int64_t whole = std::llround(price * double(certificate.scale)); whole > 0)
        certificate.prices.push_back({time, whole});
    addPrices();
  }

  SelectionCertificate run(int passes, std::optional<double> seconds) {
    auto begin = std::chrono::steady_clock::now();
    Messages messages(graph, double(certificate.forbidden));
    for (int count = 0; count < passes; ++count) {
      messages.pass(costs);
      std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      if (seconds && passed.count() > *seconds)
        break;
    }
    for (uint32_t edge = 0; edge < problem.edges.size(); ++edge)
      certificate.gifts.push_back({whole(messages.given(edge, true)), whole(messages.given(edge, false))});
    certificate.bound = bound();
    return std::move(certificate);
  }

private:
  void addPrices();
  std::vector<int64_t> whole(llvm::ArrayRef<double> gifts) const {
    std::vector<int64_t> numbers;
    for (double gift : gifts)
      numbers.push_back(std::llround(gift * double(certificate.scale)));
    return numbers;
  }
  SelectionSum scaled(SelectionCost cost) const {
    return SelectionSum(cost >= kForbiddenCost ? certificate.forbidden : cost) * certificate.scale;
  }
  SelectionCost bound() const;

  const SelectionProblem &problem;
  SelectionGraph graph;
  SelectionCertificate certificate;
  std::vector<SelectionSum> exact; ///< by state, in 1/scale
  std::vector<double> costs;       ///< the same, rounded
};

void Proof::addPrices() {
  std::vector<SelectionSum> sums = {0};
  for (auto [time, price] : certificate.prices)
    sums.push_back(sums.back() + price);
  auto before = [&](int64_t time) {
    auto at = std::lower_bound(certificate.prices.begin(), certificate.prices.end(), time,
                               [](const auto &price, int64_t wanted) { return price.time < wanted; });
    return sums[size_t(at - certificate.prices.begin())];
  };
  for (SelectionCost cost : problem.costs)
    exact.push_back(scaled(cost));
  for (const SelectionHolding &holding : problem.holdings) {
    SelectionSum price = before(holding.live.end) - before(holding.live.begin);
    for (SelectionState state = 0; state < problem.numStates(holding.node); ++state)
      exact[problem.firstState[holding.node] + state] += price * problem.usage(holding, state);
  }
  for (SelectionSum cost : exact)
    costs.push_back(double(cost) / double(certificate.scale));
}

SelectionCost Proof::bound() const {
  SelectionSum sum = 0;
  for (const auto &price : certificate.prices)
    sum -= SelectionSum(price.price) * problem.capacity;
  std::vector<SelectionSum> left = exact;
  for (size_t index = 0; index < problem.edges.size(); ++index) {
    const SelectionEdge &edge = problem.edges[index];
    const auto &[from, to] = certificate.gifts[index];
    for (SelectionState state = 0; state < from.size(); ++state)
      left[problem.firstState[edge.from] + state] -= from[state];
    for (SelectionState state = 0; state < to.size(); ++state)
      left[problem.firstState[edge.to] + state] -= to[state];
    SelectionSum least = scaled(kForbiddenCost) * 1000;
    for (SelectionState mine = 0; mine < from.size(); ++mine)
      for (SelectionState others = 0; others < to.size(); ++others)
        least =
            std::min(least, scaled(problem.matrices[edge.matrix].at(mine, others)) + from[mine] + to[others]);
    sum += least;
  }
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    sum += *std::min_element(left.begin() + ptrdiff_t(problem.firstState[node]),
                             left.begin() + ptrdiff_t(problem.firstState[node + 1]));
  // Costs are whole numbers and not negative, so the best one is the next of these at least.
  if (sum <= 0)
    return 0;
  return SelectionCost((sum + certificate.scale - 1) / certificate.scale);
}
} // namespace

SelectionCertificate tessera::proveBound(const SelectionProblem &problem, const FoundSelection &found,
                                         int passes, std::optional<double> seconds) {
  return Proof(problem, found).run(passes, seconds);
}
