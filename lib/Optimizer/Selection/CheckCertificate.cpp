//===- CheckCertificate.cpp - A proof, gone through once more -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// By itself: neither the graph, nor the messages, nor the sums of those who made it are used here, so that an error there
// cannot hide itself.
#include "tessera/Optimizer/Selection/SelectionCertificate.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace tessera;

namespace {
class Check {
public:
  Check(const SelectionProblem &problem, const SelectionCertificate &certificate)
      : problem(problem), certificate(certificate) {}

  llvm::Error run() const {
    if (llvm::Error error = sizes())
      return error;
    if (llvm::Error error = selection())
      return error;
    return bound();
  }

private:
  llvm::Error sizes() const;
  llvm::Error selection() const;
  llvm::Error bound() const;
  SelectionSum leastOfNode(SelectionNode node, const std::vector<SelectionSum> &dearer,
                           const std::vector<SelectionSum> &given) const;
  SelectionSum entry(SelectionCost cost) const {
    return cost >= kForbiddenCost ? SelectionSum(certificate.forbidden) : SelectionSum(cost);
  }

  const SelectionProblem &problem;
  const SelectionCertificate &certificate;
};

llvm::Error Check::sizes() const {
  if (certificate.states.size() != problem.numNodes())
    return llvm::createStringError(
        llvm::formatv("{0} states for {1} nodes", certificate.states.size(), problem.numNodes()));
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    if (certificate.states[node] >= problem.numStates(node))
      return llvm::createStringError(
          llvm::formatv("node {0} has no state {1}", node, certificate.states[node]));
  if (certificate.gifts.size() != problem.edges.size())
    return llvm::createStringError(
        llvm::formatv("gifts for {0} edges of {1}", certificate.gifts.size(), problem.edges.size()));
  for (size_t edge = 0; edge < problem.edges.size(); ++edge)
    if (certificate.gifts[edge].from.size() != problem.numStates(problem.edges[edge].from) ||
        certificate.gifts[edge].to.size() != problem.numStates(problem.edges[edge].to))
      return llvm::createStringError(llvm::formatv("the gifts of edge {0} are not one for each state", edge));
  if (certificate.scale < 1 || certificate.forbidden < 0 || certificate.forbidden > kForbiddenCost)
    return llvm::createStringError("the scale or what counts as forbidden is out of range");
  return llvm::Error::success();
}

llvm::Error Check::selection() const {
  SelectionSum cost = 0;
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    cost += problem.costs[problem.firstState[node] + certificate.states[node]];
  for (const SelectionEdge &edge : problem.edges) {
    const SelectionMatrix &matrix = problem.matrices[edge.matrix];
    cost +=
        matrix.values[size_t(certificate.states[edge.from]) * matrix.columns + certificate.states[edge.to]];
  }
  if (cost >= kForbiddenCost)
    return llvm::createStringError("the selection is not allowed");
  if (cost != certificate.cost)
    return llvm::createStringError(
        llvm::formatv("the selection costs {0}, and not {1}", int64_t(cost), certificate.cost));
  std::map<int64_t, SelectionSum> steps;
  for (const SelectionHolding &holding : problem.holdings)
    if (holding.live.begin < holding.live.end) {
      SelectionSum usage = problem.usages[holding.firstUsage + certificate.states[holding.node]];
      steps[holding.live.begin] += usage;
      steps[holding.live.end] -= usage;
    }
  SelectionSum used = 0, peak = 0;
  for (auto [time, step] : steps) {
    used += step;
    peak = peak < used ? used : peak;
  }
  if (peak != certificate.peak)
    return llvm::createStringError(
        llvm::formatv("the selection uses {0} at its peak, and not {1}", int64_t(peak), certificate.peak));
  if (peak > problem.capacity)
    return llvm::createStringError(
        llvm::formatv("the selection uses {0}, and the limit is {1}", int64_t(peak), problem.capacity));
  return llvm::Error::success();
}

SelectionSum Check::leastOfNode(SelectionNode node, const std::vector<SelectionSum> &dearer,
                                const std::vector<SelectionSum> &given) const {
  std::optional<SelectionSum> least;
  for (size_t state = problem.firstState[node]; state < problem.firstState[node + 1]; ++state) {
    SelectionSum cost = entry(problem.costs[state]) * certificate.scale + dearer[state] - given[state];
    if (!least || cost < *least)
      least = cost;
  }
  return *least;
}

llvm::Error Check::bound() const {
  SelectionSum sum = 0;
  std::map<int64_t, SelectionSum> pricesBefore; // by time: the prices of all times before it
  SelectionSum total = 0;
  for (auto [time, price] : certificate.prices) {
    if (price < 0)
      return llvm::createStringError(llvm::formatv("the price at time {0} is negative", time));
    if (!pricesBefore.try_emplace(time, total).second || pricesBefore.rbegin()->first != time)
      return llvm::createStringError("prices are not in the order of times");
    total += price;
  }
  auto before = [&](int64_t time) {
    auto at = pricesBefore.lower_bound(time);
    return at == pricesBefore.end() ? total : at->second;
  };
  std::vector<SelectionSum> dearer(problem.costs.size()), given(problem.costs.size());
  for (const SelectionHolding &holding : problem.holdings)
    for (size_t state = 0; state < problem.numStates(holding.node); ++state)
      dearer[problem.firstState[holding.node] + state] +=
          (before(holding.live.end) - before(holding.live.begin)) *
          problem.usages[holding.firstUsage + state];
  for (size_t index = 0; index < problem.edges.size(); ++index) {
    const SelectionEdge &edge = problem.edges[index];
    const auto &[from, to] = certificate.gifts[index];
    std::optional<SelectionSum> least;
    for (size_t row = 0; row < from.size(); ++row)
      for (size_t column = 0; column < to.size(); ++column) {
        SelectionCost cost = problem.matrices[edge.matrix].values[row * to.size() + column];
        SelectionSum all = entry(cost) * certificate.scale + from[row] + to[column];
        if (!least || all < *least)
          least = all;
      }
    sum += *least;
    for (size_t row = 0; row < from.size(); ++row)
      given[problem.firstState[edge.from] + row] += from[row];
    for (size_t column = 0; column < to.size(); ++column)
      given[problem.firstState[edge.to] + column] += to[column];
  }
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    sum += leastOfNode(node, dearer, given);
  sum -= total * problem.capacity;
  SelectionSum proven = sum <= 0 ? 0 : (sum + certificate.scale - 1) / certificate.scale;
  if (proven != certificate.bound)
    return llvm::createStringError(llvm::formatv("the prices and gifts prove a bound of {0}, and not of {1}",
                                                 int64_t(proven), certificate.bound));
  return llvm::Error::success();
}
} // namespace

llvm::Error tessera::checkCertificate(const SelectionProblem &problem,
                                      const SelectionCertificate &certificate) {
  return Check(problem, certificate).run();
}
