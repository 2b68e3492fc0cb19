//===- ProveBound.cpp - Prices and messages as a proof --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What is looked for in floating point is written down in whole numbers, and the proof is about these: prices and
// gifts are rounded to 1/scale, and any prices and gifts are valid. So rounding may cost some of the bound, and never
// its truth.
//
//===----------------------------------------------------------------------===//
#include "Elimination.h"
#include "Messages.h"
#include "tessera/Optimizer/Selection/SelectionCertificate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace tessera;

namespace {
/// Prices as whole numbers; by how much they make the states of each node dearer.
class Proof {
public:
  Proof(const SelectionProblem &problem, const FoundSelection &found, const ProofOptions &options)
      : problem(problem), options(options), graph(problem) {
    certificate.states = found.states;
    certificate.cost = selectionCost(problem, found.states).value_or(kForbiddenCost);
    certificate.peak = peakUsage(problem, found.states);
    certificate.cutoff = options.cutoff.value_or(certificate.cost);
    // Above the best cost nothing can be won, and small numbers stay exact.
    certificate.forbidden =
        std::min(kForbiddenCost, 4 * (std::max(certificate.cost, certificate.cutoff) + 1));
    // As fine as 64 bits allow with room for sums: the elimination's tables are in parts of 1/scale.
    while (certificate.scale < (1 << 20) &&
           certificate.forbidden < (int64_t(1) << 58) / (certificate.scale * 2))
      certificate.scale *= 2;
    for (auto [time, price] : found.prices)
      // Any prices prove something, so rounding may cost a little of the bound and never its truth.
      if (int64_t whole = std::llround(price * double(certificate.scale)); whole > 0)
        certificate.prices.push_back({time, whole});
    addPrices();
  }

  SelectionCertificate run() {
    auto begin = std::chrono::steady_clock::now();
    Messages messages(graph, double(certificate.forbidden));
    for (int count = 0; count < options.passes; ++count) {
      messages.pass(costs);
      std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      if (options.seconds && passed.count() > *options.seconds)
        break;
    }
    for (uint32_t edge = 0; edge < problem.edges.size(); ++edge)
      // Rounded as well: whatever a gift is, it cancels out.
      certificate.gifts.push_back({whole(messages.given(edge, true)), whole(messages.given(edge, false))});
    Elimination elimination(graph, exact, certificate);
    certificate.linear = elimination.linear();
    // After the states that cost the cutoff are gone, which decides how large the tables are.
    elimination.choose(certificate);
    certificate.bound = elimination.bound();
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
    return SelectionSum(std::min(cost, certificate.forbidden)) * certificate.scale;
  }

  const SelectionProblem &problem;
  const ProofOptions &options;
  SelectionGraph graph;
  SelectionCertificate certificate;
  std::vector<SelectionSum> exact; ///< by state, in 1/scale
  std::vector<double> costs;       ///< the same, rounded
};

void Proof::addPrices() {
  // Sums of the prices up to each, so that a span pays one difference however long it is.
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
  // For any usage within 64 bits: products and sums are of 128.
  for (const SelectionHolding &holding : problem.holdings) {
    SelectionSum price = before(holding.live.end) - before(holding.live.begin);
    for (SelectionState state = 0; state < problem.numStates(holding.node); ++state)
      exact[problem.firstState[holding.node] + state] += price * problem.usage(holding, state);
  }
  // The exact sums are what is proven. Messages work in floating point: their gifts need to be good and not exact.
  for (SelectionSum cost : exact)
    costs.push_back(double(cost) / double(certificate.scale));
}

} // namespace

SelectionCertificate tessera::proveBound(const SelectionProblem &problem, const FoundSelection &found,
                                         const ProofOptions &options) {
  return Proof(problem, found, options).run();
}
