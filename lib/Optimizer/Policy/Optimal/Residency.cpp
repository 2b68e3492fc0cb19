//===- Residency.cpp - What L1 costs where it is full ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Prices were found for the problem in an order, whose nodes hold L1 exactly (Translation.h). Windows are solved on
// the one in which L1 counts for each op alone: there, lifetimes depend on what neighbours choose, so prices go into
// the costs of states by a guess. A wrong guess costs a window that is tried in vain, since the draft has the last
// word.
//
//===----------------------------------------------------------------------===//
#include "Residency.h"

#include "tessera/Optimizer/Policy/PlanBound.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::optimal;

Residency::Residency(const Translation &translation, Oracle &oracle)
    : translation(translation), problem(translation.space.problem), oracle(oracle),
      prices(problem.ops.size(), 0), pricesBefore(problem.ops.size() + 1, 0) {}

void Residency::setPrices(llvm::ArrayRef<TimePrice> given) {
  for (auto [time, price] : given)
    prices[size_t(time)] = price;
  for (size_t op = 0; op < prices.size(); ++op)
    pricesBefore[op + 1] = pricesBefore[op] + prices[op];
}

double Residency::priceBehind(size_t first, size_t last) const {
  // Behind the first one, whose own step counts what it makes.
  return last > first ? pricesBefore[last + 1] - pricesBefore[first + 1] : 0;
}

size_t Residency::lastReader(ValueId value) const {
  // Prices are by the program's order, in which ops have their numbers.
  size_t last = 0;
  for (const Use &use : problem[value].uses)
    last = std::max<size_t>(last, use.op.index());
  return last;
}

Bytes Residency::bytesOf(ValueId value, Form form) {
  return oracle.l1Bytes(translation.space.forms[value.index()].layouts[form]);
}

static double costAt(double price, const Way &way) {
  return double(way.cost) + price * double(way.needs.value());
}

const Way &Residency::cheapest(OpId op, const Way &way, double factor) const {
  // Where L1 costs nothing the fastest way is the cheapest, which this is.
  const Way *least = &way;
  double price = factor * prices[op.index()];
  if (price > 0)
    for (const Way &slower : way.slower)
      if (costAt(price, slower) < costAt(price, *least))
        least = &slower;
  return *least;
}

void Residency::addOp(OpId op, double factor, std::vector<double> &costs) {
  const Ways &ways = *translation.space.ways[op.index()];
  double *its = &costs[translation.problem.firstState[translation.node(op)]];
  if (double price = factor * prices[op.index()]; price > 0)
    for (size_t way = 0; way < ways.size(); ++way)
      // The way itself is paid for already. Where L1 is dear it may run slower between the same forms.
      its[way] += costAt(price, cheapest(op, ways[way], factor)) - double(ways[way].cost);
  for (auto [index, value] : llvm::enumerate(problem[op].results)) {
    // Of a shared value the node behind the op knows which forms there are.
    double price = factor * priceBehind(op.index(), lastReader(value));
    if (price > 0 && translation.source(value).copies.empty())
      for (size_t way = 0; way < ways.size(); ++way)
        its[way] += price * double(bytesOf(value, ways[way].itsMakes[index]).value());
  }
}

/// Of an argument the other copy alone counts, from the first op on: where it lies itself is no choice.
void Residency::addCopies(ValueId value, double factor, std::vector<double> &costs) {
  const Translation::Source &source = translation.source(value);
  size_t made = problem[value].producer.valid() ? problem[value].producer.index() : 0;
  double price = factor * priceBehind(made, lastReader(value));
  if (price == 0)
    return;
  for (auto [state, copies] : llvm::enumerate(source.copies)) {
    Bytes bytes = problem[value].producer.valid() ? bytesOf(value, copies.made) : Bytes(0);
    // Both for as long as anybody reads the value: which of the two each reader takes is not known here.
    if (copies.other)
      bytes += bytesOf(value, *copies.other);
    costs[translation.problem.firstState[source.node] + state] += price * double(bytes.value());
  }
}

/// By the factor a window is tried as if L1 were free, at what it costs, and dearer: what leads to a gain depends on
/// how full it is there.
std::vector<double> Residency::costs(double factor) {
  std::vector<double> costs(translation.problem.costs.begin(), translation.problem.costs.end());
  if (!hasPrices() || factor == 0)
    return costs;
  for (size_t op = 0; op < problem.ops.size(); ++op)
    addOp(OpId(op), factor, costs);
  for (size_t value = 0; value < problem.values.size(); ++value)
    if (!translation.source(ValueId(value)).copies.empty())
      addCopies(ValueId(value), factor, costs);
  return costs;
}
