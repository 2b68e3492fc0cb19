//===- CbcTest.cpp - Selections against a solver of integer programs ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Problems that are too large for brute force, with a capacity that binds, are solved by CBC (coin-or) as integer programs. 20 of them, or
// as many as TESSERA_CBC_PROBLEMS says, from TESSERA_SEED on.
#include "tessera/Optimizer/Selection/SelectionCertificate.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#ifdef TESSERA_HAS_CBC
#include <Cbc_C_Interface.h>
#endif

using namespace tessera;

#ifndef TESSERA_HAS_CBC
TEST(Cbc, LiesBetweenBoundAndCost) { GTEST_SKIP() << "NOT CHECKED: built without coinor-libcbc-dev"; }
#else

namespace {
size_t fromEnvironment(const char *name, size_t otherwise) {
  const char *text = std::getenv(name);
  return text ? size_t(std::strtoull(text, nullptr, 10)) : otherwise;
}

/// 12 to 30 nodes of 2 to 8 states: a chain with jumps, as programs are, and usages of which 60 to 100 % of what the cheapest states take
/// may be used.
SelectionProblem randomProblem(uint64_t seed) {
  std::mt19937_64 random(seed);
  SelectionProblemBuilder builder;
  size_t nodes = 12 + random() % 19;
  std::vector<size_t> states;
  Selection cheapest;
  for (size_t node = 0; node < nodes; ++node) {
    states.push_back(2 + random() % 7);
    std::vector<SelectionCost> costs;
    std::vector<SelectionUsage> usages;
    for (size_t state = 0; state < states.back(); ++state) {
      costs.push_back(random() % 25 == 0 && state > 0 ? kForbiddenCost : SelectionCost(random() % 100));
      // What is cheap uses much.
      usages.push_back(
          SelectionUsage(random() % 50 + (100 - std::min<SelectionCost>(100, costs.back())) / 2));
    }
    builder.addNode(costs);
    builder.addHolding({int64_t(node), int64_t(node + 1 + random() % 6)}, usages);
    cheapest.push_back(SelectionState(std::min_element(costs.begin(), costs.end()) - costs.begin()));
  }
  auto addEdge = [&](size_t from, size_t to) {
    std::vector<SelectionCost> values;
    for (size_t pair = 0; pair < states[from] * states[to]; ++pair)
      values.push_back(random() % 15 == 0 ? kForbiddenCost : SelectionCost(random() % 60));
    builder.addEdge(SelectionNode(from), SelectionNode(to), values);
  };
  for (size_t node = 1; node < nodes; ++node)
    if (random() % 8 != 0)
      addEdge(node - 1, node);
  for (size_t count = random() % nodes; count > 0; --count)
    if (size_t from = random() % nodes, to = random() % nodes; from != to)
      addEdge(from, to);
  SelectionProblem problem = std::move(builder).finish(0);
  problem.capacity = peakUsage(problem, cheapest) * SelectionUsage(60 + random() % 41) / 100;
  return problem;
}

/// The problem as an integer program: a variable for each state, and for each pair of states that an edge allows.
class IntegerProgram {
public:
  explicit IntegerProgram(const SelectionProblem &problem) : problem(problem), model(Cbc_newModel()) {
    Cbc_setLogLevel(model, 0);
    for (size_t state = 0; state < problem.costs.size(); ++state)
      addColumn(problem.costs[state], /*isInteger=*/true);
    for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
      std::vector<int> all;
      for (SelectionState state = 0; state < problem.numStates(node); ++state)
        all.push_back(columnOf(node, state));
      addRow(all, std::vector<double>(all.size(), 1), 'E', 1);
    }
    for (const SelectionEdge &edge : problem.edges)
      addEdge(edge);
    addCapacity();
  }
  ~IntegerProgram() { Cbc_deleteModel(model); }
  IntegerProgram(const IntegerProgram &) = delete;
  IntegerProgram &operator=(const IntegerProgram &) = delete;

  /// The least cost; nullopt: no selection is allowed and fits.
  std::optional<SelectionCost> solve() {
    Cbc_setParameter(model, "allowableGap", "0");
    Cbc_setParameter(model, "ratioGap", "0");
    Cbc_solve(model);
    if (!Cbc_isProvenOptimal(model))
      return std::nullopt;
    return SelectionCost(std::llround(Cbc_getObjValue(model)));
  }
  bool isInfeasible() const { return Cbc_isProvenInfeasible(model) != 0; }

private:
  int columnOf(SelectionNode node, SelectionState state) const {
    return int(problem.firstState[node] + state);
  }
  int addColumn(SelectionCost cost, bool isInteger) {
    bool allowed = cost < kForbiddenCost;
    Cbc_addCol(model, "", 0, allowed ? 1 : 0, allowed ? double(cost) : 0, char(isInteger), 0, nullptr,
               nullptr);
    return columns++;
  }
  void addRow(const std::vector<int> &its, const std::vector<double> &factors, char sense, double right) {
    Cbc_addRow(model, "", int(its.size()), its.data(), factors.data(), sense, right);
  }
  /// The pairs of a state come to what the state is.
  void addEdge(const SelectionEdge &edge) {
    const SelectionMatrix &matrix = problem.matrices[edge.matrix];
    int first = columns;
    for (SelectionCost cost : matrix.values)
      addColumn(cost, /*isInteger=*/false);
    for (SelectionState row = 0; row < matrix.rows; ++row) {
      std::vector<int> its{columnOf(edge.from, row)};
      for (SelectionState column = 0; column < matrix.columns; ++column)
        its.push_back(first + int(row * matrix.columns + column));
      addPairs(its);
    }
    for (SelectionState column = 0; column < matrix.columns; ++column) {
      std::vector<int> its{columnOf(edge.to, column)};
      for (SelectionState row = 0; row < matrix.rows; ++row)
        its.push_back(first + int(row * matrix.columns + column));
      addPairs(its);
    }
  }
  void addPairs(const std::vector<int> &its) {
    std::vector<double> factors(its.size(), 1);
    factors.front() = -1;
    addRow(its, factors, 'E', 0);
  }
  void addCapacity() {
    for (const SelectionHolding &at : problem.holdings) {
      std::vector<int> its;
      std::vector<double> factors;
      for (const SelectionHolding &holding : problem.holdings)
        if (holding.live.begin <= at.live.begin && at.live.begin < holding.live.end)
          for (SelectionState state = 0; state < problem.numStates(holding.node); ++state) {
            its.push_back(columnOf(holding.node, state));
            factors.push_back(double(problem.usage(holding, state)));
          }
      addRow(its, factors, 'L', double(problem.capacity));
    }
  }

  const SelectionProblem &problem;
  Cbc_Model *model;
  int columns = 0;
};
} // namespace

TEST(Cbc, LiesBetweenBoundAndCost) {
  size_t first = fromEnvironment("TESSERA_SEED", 1), count = fromEnvironment("TESSERA_CBC_PROBLEMS", 20);
  size_t feasible = 0, found = 0, best = 0, proven = 0;
  double worst = 0;
  for (size_t seed = first; seed < first + count; ++seed) {
    SelectionProblem problem = randomProblem(seed);
    IntegerProgram program(problem);
    std::optional<SelectionCost> least = program.solve();
    SearchOptions options;
    options.windows = 2'000;
    std::optional<FoundSelection> its = searchSelection(problem, options);
    ASSERT_TRUE(least || program.isInfeasible()) << seed;
    feasible += least.has_value();
    if (!its)
      continue; // which proves nothing
    ASSERT_TRUE(least) << seed << ": CBC says that nothing fits";
    SelectionCertificate certificate = proveBound(problem, *its);
    llvm::Error error = checkCertificate(problem, certificate);
    ASSERT_FALSE(bool(error)) << seed << ": " << llvm::toString(std::move(error));
    EXPECT_LE(certificate.bound, *least) << seed;
    EXPECT_GE(certificate.cost, *least) << seed;
    ++found;
    best += certificate.cost == *least;
    proven += certificate.cost == certificate.bound;
    worst = std::max(worst, double(certificate.cost) / double(std::max<SelectionCost>(1, *least)) - 1);
  }
  std::cout << count << " problems, " << feasible << " feasible; found for " << found << ", the best one for "
            << best << " (the worst " << 100 * worst << " % above), proven to be it " << proven << "\n";
  EXPECT_EQ(found, feasible);
}
#endif
