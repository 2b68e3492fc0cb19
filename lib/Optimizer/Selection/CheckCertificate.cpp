//===- CheckCertificate.cpp - A proof, gone through once more -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// By itself, here and in CheckBound.cpp: neither the graph, nor the messages, nor the tables of those who made it are used, so that
// an error there cannot hide itself.
#include "CheckBound.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>

using namespace tessera;

namespace {
class Check {
public:
  Check(const SelectionProblem &problem, const SelectionCertificate &certificate)
      : problem(problem), certificate(certificate) {}

  llvm::Error run() const {
    // First, since all that follows indexes by them.
    if (llvm::Error error = sizes())
      return error;
    if (llvm::Error error = magnitudes())
      return error;
    // Then what is claimed of the selection by itself, and that the order names each node, on which the elimination
    // relies.
    if (llvm::Error error = selection())
      return error;
    if (llvm::Error error = order())
      return error;
    return checkProvenBound(problem, certificate);
  }

private:
  llvm::Error sizes() const;
  llvm::Error magnitudes() const;
  llvm::Error selection() const;
  llvm::Error order() const;

  const SelectionProblem &problem;
  const SelectionCertificate &certificate;
};

/// All that comes from the file and is an index, a length or a divisor later.
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
  if (certificate.cutoff < 0 || certificate.table < 1 || certificate.table > kLargestCheckedTable)
    return llvm::createStringError("the cutoff or the size of tables is out of range");
  return llvm::Error::success();
}

/// Sums of 128 bits hold what any instance adds up to, but not any number that a file may claim: a sum that wrapped would prove
/// what is not so. Powers of two are left for the few times that one term is counted.
llvm::Error Check::magnitudes() const {
  constexpr double kLargestSum = 0x1p120;
  double entries = double(certificate.scale) * double(certificate.forbidden), prices = 0,
         usage = double(problem.capacity), gifts = 0;
  for (auto [time, price] : certificate.prices)
    prices += std::abs(double(price));
  for (const SelectionHolding &holding : problem.holdings)
    for (SelectionState state = 0; state < problem.numStates(holding.node); ++state)
      usage += double(problem.usages[holding.firstUsage + state]);
  for (const SelectionCertificate::Gifts &each : certificate.gifts)
    for (const auto *given : {&each.from, &each.to})
      for (int64_t gift : *given)
        gifts += std::abs(double(gift));
  double largest = entries * double(problem.numNodes() + problem.edges.size()) + prices * usage + gifts;
  return largest < kLargestSum
             ? llvm::Error::success()
             : llvm::createStringError(
                   "the scale, the prices or the gifts are too large to be added up exactly");
}

/// A bound is true without any selection; only beside one does it say how far that is from the best.
llvm::Error Check::selection() const {
  SelectionSum cost = 0;
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    cost += problem.costs[problem.firstState[node] + certificate.states[node]];
  for (const SelectionEdge &edge : problem.edges) {
    const SelectionMatrix &matrix = problem.matrices[edge.matrix];
    cost +=
        matrix.values[size_t(certificate.states[edge.from]) * matrix.columns + certificate.states[edge.to]];
  }
  // A forbidden state or pair alone makes the sum as large, and sums of what is allowed are far below.
  if (cost >= kForbiddenCost)
    return llvm::createStringError("the selection is not allowed");
  if (cost != certificate.cost)
    return llvm::createStringError(
        llvm::formatv("the selection costs {0}, and not {1}", int64_t(cost), certificate.cost));
  // By changes, so that it takes no list of the times that matter, which the search makes.
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

/// Each node once.
llvm::Error Check::order() const {
  std::vector<bool> isThere(problem.numNodes());
  for (SelectionNode node : certificate.order) {
    if (node >= problem.numNodes() || isThere[node])
      return llvm::createStringError(
          llvm::formatv("the order has node {0} twice, or there is none of that number", node));
    isThere[node] = true;
  }
  if (certificate.order.size() != problem.numNodes())
    return llvm::createStringError(
        llvm::formatv("the order has {0} nodes of {1}", certificate.order.size(), problem.numNodes()));
  return llvm::Error::success();
}

} // namespace

llvm::Error tessera::checkCertificate(const SelectionProblem &problem,
                                      const SelectionCertificate &certificate) {
  return Check(problem, certificate).run();
}
