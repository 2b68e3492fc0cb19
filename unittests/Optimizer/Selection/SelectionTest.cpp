//===- SelectionTest.cpp - Search, bounds and certificates ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Selection/ContestFormat.h"
#include "tessera/Optimizer/Selection/PricedSelections.h"
#include "tessera/Optimizer/Selection/SelectionCertificate.h"

#include "gtest/gtest.h"

#include <random>

using namespace tessera;

namespace {
/// Small problems of all kinds: forbidden pairs, parallel edges, equalities, empty lives, capacities that bind.
SelectionProblem randomProblem(std::mt19937_64 &random) {
  SelectionProblemBuilder builder;
  size_t nodes = 1 + random() % 9;
  std::vector<size_t> states;
  for (size_t node = 0; node < nodes; ++node) {
    states.push_back(1 + random() % 5);
    std::vector<SelectionCost> costs;
    for (size_t state = 0; state < states.back(); ++state)
      costs.push_back(random() % 20 == 0 ? kForbiddenCost : SelectionCost(random() % 20));
    builder.addNode(costs);
    for (size_t count = random() % 3; count > 0; --count) {
      std::vector<SelectionUsage> usages;
      for (size_t state = 0; state < states.back(); ++state)
        usages.push_back(SelectionUsage(random() % 10));
      int64_t begin = int64_t(random() % 6);
      builder.addHolding({begin, begin + int64_t(random() % 5)}, usages);
    }
  }
  for (size_t count = random() % (2 * nodes); nodes > 1 && count > 0; --count) {
    SelectionNode from = SelectionNode(random() % nodes), to = SelectionNode(random() % nodes);
    if (from == to)
      continue;
    bool isEquality = states[from] == states[to] && random() % 3 == 0;
    std::vector<SelectionCost> values;
    for (size_t row = 0; row < states[from]; ++row)
      for (size_t column = 0; column < states[to]; ++column)
        values.push_back((isEquality && row != column) || random() % 12 == 0 ? kForbiddenCost
                                                                             : SelectionCost(random() % 15));
    builder.addEdge(from, to, values);
  }
  return std::move(builder).finish(SelectionUsage(random() % 40));
}

/// The least cost of all selections that are allowed and fit.
std::optional<SelectionCost> bruteForce(const SelectionProblem &problem) {
  std::optional<SelectionCost> best;
  Selection states(problem.numNodes(), 0);
  while (true) {
    std::optional<SelectionCost> cost = selectionCost(problem, states);
    if (cost && (!best || *cost < *best) && peakUsage(problem, states) <= problem.capacity)
      best = cost;
    SelectionNode node = 0;
    while (node < states.size() && ++states[node] == problem.numStates(node))
      states[node++] = 0;
    if (node == states.size())
      return best;
  }
}

void compare(const SelectionProblem &problem, int &feasible) {
  std::optional<SelectionCost> best = bruteForce(problem);
  SearchOptions options;
  options.windows = 20;
  std::optional<FoundSelection> found = searchSelection(problem, options);
  ASSERT_EQ(bool(best), bool(found));
  if (!best)
    return;
  ++feasible;
  SelectionCertificate certificate =
      proveBound(problem, *found, {.passes = 10, .seconds = std::nullopt, .cutoff = std::nullopt});
  llvm::Error error = checkCertificate(problem, certificate);
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(certificate.cost, *best);
  EXPECT_LE(certificate.bound, *best);
}

SelectionProblem chain() {
  SelectionProblemBuilder builder;
  for (int64_t node = 0; node < 4; ++node) {
    builder.addNode({5, 2, 9});
    builder.addHolding({node, node + 2}, {1, 4, 0});
  }
  for (SelectionNode node = 0; node + 1 < 4; ++node)
    builder.addEdge(node, node + 1, {0, 3, 1, 3, 0, 2, 1, 1, 0});
  return std::move(builder).finish(6);
}

/// A chain with jumps, in which what is cheap uses much; 70 % of what the cheapest states take at the peak may be used.
SelectionProblem longProgram() {
  std::mt19937_64 random(1);
  SelectionProblemBuilder builder;
  Selection cheapest;
  for (size_t node = 0; node < 300; ++node) {
    std::vector<SelectionCost> costs;
    std::vector<SelectionUsage> usages;
    for (size_t state = 0; state < 4; ++state) {
      costs.push_back(SelectionCost(random() % 1000));
      usages.push_back(SelectionUsage(random() % 300) + 1000 - costs.back());
    }
    builder.addNode(costs);
    builder.addHolding({int64_t(node), int64_t(node + 1 + random() % 20)}, usages);
    cheapest.push_back(SelectionState(std::min_element(costs.begin(), costs.end()) - costs.begin()));
    for (size_t back : {size_t(1), 2 + random() % 30}) {
      if (node < back)
        continue;
      std::vector<SelectionCost> values;
      for (size_t pair = 0; pair < 16; ++pair)
        values.push_back(SelectionCost(random() % 500));
      builder.addEdge(SelectionNode(node - back), SelectionNode(node), values);
    }
  }
  SelectionProblem problem = std::move(builder).finish(0);
  problem.capacity = peakUsage(problem, cheapest) * 7 / 10;
  return problem;
}

struct Proven {
  SelectionProblem problem = chain();
  SelectionCertificate certificate = proveBound(problem, *searchSelection(problem));

  std::string verdict() const { return llvm::toString(checkCertificate(problem, certificate)); }
};
} // namespace

TEST(Selection, BruteForceAgrees) {
  std::mt19937_64 random(35);
  int feasible = 0;
  for (int count = 0; count < 10'000 && !HasFatalFailure(); ++count)
    compare(randomProblem(random), feasible);
  EXPECT_GT(feasible, 5'000);
}

/// States that messages rule out are part of no best selection, of the whole graph and of a window that is all of it.
TEST(PricedSelections, AreBestOnesWithoutACapacity) {
  std::mt19937_64 random(36);
  int allowed = 0;
  for (int count = 0; count < 2'000; ++count) {
    SelectionProblem problem = randomProblem(random);
    problem.capacity = 1'000;
    std::optional<SelectionCost> best = bruteForce(problem);
    if (!best)
      continue;
    ++allowed;
    std::vector<double> costs(problem.costs.begin(), problem.costs.end());
    PricedSelections selections(problem);
    Selection found = selections.solve(costs, 1 + count % 8);
    ASSERT_EQ(selectionCost(problem, found), best);
    EXPECT_NEAR(selections.bound(), double(*best), 1e-6);
    EXPECT_TRUE(selections.isBest());
    std::vector<SelectionNode> nodes;
    Selection other;
    for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
      nodes.push_back(node);
      other.push_back(SelectionState(random() % problem.numStates(node)));
    }
    PricedSelections::Prices prices = selections.pricesAt(costs, count % 3);
    if (selectionCost(problem, other)) {
      selections.solveWindow(nodes, prices, other);
      EXPECT_EQ(selectionCost(problem, other), best);
    }
  }
  EXPECT_GT(allowed, 1'000);
}

/// However well messages know the problem: what they leave out of a window, or do not look at, is part of no better selection.
TEST(PricedSelections, WindowsAreSolvedExactly) {
  std::mt19937_64 random(37);
  int improved = 0;
  for (int count = 0; count < 4'000; ++count) {
    SelectionProblem problem = randomProblem(random);
    Selection given;
    std::vector<SelectionNode> nodes;
    for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
      given.push_back(SelectionState(random() % problem.numStates(node)));
      if (random() % 2 == 0)
        nodes.push_back(node);
    }
    std::optional<SelectionCost> before = selectionCost(problem, given);
    if (!before)
      continue;
    SelectionCost least = *before;
    Selection other = given;
    for (SelectionNode node : nodes)
      other[node] = 0;
    for (size_t at = 0; at < nodes.size();) {
      least = std::min(least, selectionCost(problem, other).value_or(least));
      at = 0;
      while (at < nodes.size() && ++other[nodes[at]] == problem.numStates(nodes[at]))
        other[nodes[at++]] = 0;
    }
    PricedSelections selections(problem);
    std::vector<double> costs(problem.costs.begin(), problem.costs.end());
    PricedSelections::Prices prices = selections.pricesAt(costs, count % 5);
    Selection found = given;
    selections.solveWindow(nodes, prices, found);
    ASSERT_EQ(selectionCost(problem, found), least);
    improved += least < *before;
  }
  EXPECT_GT(improved, 300);
}

/// A guess may be dearer than the best one, and claims nothing that is not so.
TEST(PricedSelections, GuessesProveNoMoreThanIsSo) {
  std::mt19937_64 random(38);
  for (int count = 0; count < 500; ++count) {
    SelectionProblem problem = randomProblem(random);
    problem.capacity = 1'000;
    std::optional<SelectionCost> best = bruteForce(problem);
    if (!best)
      continue;
    PricedSelections selections(problem);
    std::vector<double> costs(problem.costs.begin(), problem.costs.end());
    Selection found = selections.solve(costs, 2, PricedSelections::Aim::Guess);
    EXPECT_LE(selections.bound(), double(*best) + 1e-6);
    EXPECT_TRUE(!selections.isBest() || selectionCost(problem, found) == best);
  }
}

TEST(Selection, SameProblemSameSelection) {
  std::mt19937_64 random(7);
  for (int count = 0; count < 20; ++count) {
    SelectionProblem problem = randomProblem(random);
    std::optional<FoundSelection> once = searchSelection(problem), again = searchSelection(problem);
    ASSERT_EQ(bool(once), bool(again));
    if (once)
      EXPECT_EQ(certificateToJson(proveBound(problem, *once)),
                certificateToJson(proveBound(problem, *again)));
  }
}

/// At prices that rise wherever a window does not fit, windows leave room everywhere in the end, and none of them finds back: 3.5 % above the bound.
TEST(Selection, WindowsStayNearTheBest) {
  SelectionProblem problem = longProgram();
  SearchOptions options;
  options.windows = 500;
  std::optional<FoundSelection> found = searchSelection(problem, options);
  ASSERT_TRUE(found);
  EXPECT_LE(peakUsage(problem, found->states), problem.capacity);
  SelectionCertificate certificate =
      proveBound(problem, *found, {.passes = 20, .seconds = std::nullopt, .cutoff = std::nullopt});
  EXPECT_LT(certificate.gap(), 0.025);
}

TEST(Selection, NoTimeIsNoError) {
  SearchOptions options;
  options.secondsLeft = 0;
  SelectionProblem problem = longProgram();
  EXPECT_FALSE(searchSelection(problem, options)) << "which takes more than one look";
  problem.capacity *= 2;
  EXPECT_TRUE(searchSelection(problem, options));
}

TEST(Certificate, IsRight) {
  Proven proven;
  EXPECT_EQ(proven.verdict(), "");
  EXPECT_FALSE(proven.certificate.prices.empty()) << "the capacity binds";
  llvm::Expected<SelectionCertificate> read = certificateFromJson(certificateToJson(proven.certificate));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(certificateToJson(*read), certificateToJson(proven.certificate));
}

TEST(Certificate, DamagedCostIsRefused) {
  Proven proven;
  --proven.certificate.cost;
  EXPECT_NE(proven.verdict().find("the selection costs"), std::string::npos) << proven.verdict();
}

TEST(Certificate, DamagedPeakIsRefused) {
  Proven proven;
  --proven.certificate.peak;
  EXPECT_NE(proven.verdict().find("at its peak"), std::string::npos) << proven.verdict();
}

TEST(Certificate, DamagedBoundIsRefused) {
  Proven proven;
  ++proven.certificate.bound;
  EXPECT_NE(proven.verdict().find("elimination proves"), std::string::npos) << proven.verdict();
}

TEST(Certificate, DamagedMultiplierIsRefused) {
  Proven proven;
  proven.certificate.prices.front().price *= 3;
  EXPECT_NE(proven.verdict().find("prove a bound of"), std::string::npos) << proven.verdict();
  proven.certificate.prices.front().price = -1;
  EXPECT_NE(proven.verdict().find("negative"), std::string::npos) << proven.verdict();
}

/// Sums that wrap would prove anything.
TEST(Certificate, HugeNumbersAreRefused) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  Proven proven;
  proven.certificate.scale = kHuge;
  proven.certificate.forbidden = kForbiddenCost;
  EXPECT_NE(proven.verdict().find("too large"), std::string::npos) << proven.verdict();
}

TEST(Certificate, DamagedGiftIsRefused) {
  Proven proven;
  for (int64_t &gift : proven.certificate.gifts.front().from)
    gift -= 100 * proven.certificate.scale;
  proven.certificate.gifts.front().from.front() += 300 * proven.certificate.scale;
  EXPECT_NE(proven.verdict().find("prove a bound of"), std::string::npos) << proven.verdict();
}

/// A cutoff below the bound proves no more than itself.
TEST(Certificate, DamagedCutoffIsRefused) {
  Proven proven;
  proven.certificate.cutoff = proven.certificate.bound - 1;
  EXPECT_NE(proven.verdict().find("elimination proves"), std::string::npos) << proven.verdict();
}

TEST(Certificate, DamagedOrderIsRefused) {
  Proven proven;
  std::vector<SelectionNode> &order = proven.certificate.order;
  order.front() = order.back();
  EXPECT_NE(proven.verdict().find("twice"), std::string::npos) << proven.verdict();
  order.erase(order.begin());
  EXPECT_EQ(proven.verdict(), "the order has 3 nodes of 4");
}

TEST(Certificate, DamagedTableIsRefused) {
  Proven proven;
  proven.certificate.table = 0;
  EXPECT_NE(proven.verdict().find("size of tables"), std::string::npos) << proven.verdict();
}

TEST(Certificate, DamagedStateIsRefused) {
  for (SelectionNode node = 0; node < 4; ++node)
    for (SelectionState state = 0; state < 3; ++state) {
      Proven proven;
      if (proven.certificate.states[node] == state)
        continue;
      proven.certificate.states[node] = state;
      EXPECT_NE(proven.verdict(), "") << node << " " << state;
    }
  Proven proven;
  proven.certificate.states[2] = 3;
  EXPECT_EQ(proven.verdict(), "node 2 has no state 3");
}

/// A sum of usages that a double rounds is never 0 again, and the search for a time that is too full had no end.
TEST(Selection, UsagesBeyondTheWholeNumbersOfDoubles) {
  SelectionProblemBuilder builder;
  auto add = [&](llvm::ArrayRef<SelectionCost> costs, llvm::ArrayRef<SelectionUsage> usages) {
    builder.addNode(costs);
    builder.addHolding({0, 1}, usages);
  };
  add({19, 81}, {17079579996487933, 4698975732144971});
  add({49, 66}, {16905879637221289, 6908309873171763});
  add({1, 94}, {14308281865619633, 8355868111195205});
  SelectionProblem problem = std::move(builder).finish(32422025227524376);
  SearchOptions options;
  options.windows = 20;
  std::optional<FoundSelection> found = searchSelection(problem, options);
  ASSERT_TRUE(found);
  EXPECT_EQ(selectionCost(problem, found->states), 148);
}

/// Of nodes that have to take the same state one is made, whose dear state costs more than any number holds.
TEST(Selection, CostsThatAreDearerTogetherThanWhatIsForbidden) {
  SelectionProblemBuilder builder;
  for (SelectionNode node = 0; node < 12; ++node) {
    builder.addNode({kForbiddenCost / 10 * 9, 1});
    if (node > 0)
      builder.addEdge(node - 1, node, {0, kForbiddenCost, kForbiddenCost, 0});
  }
  SelectionProblem problem = std::move(builder).finish(0);
  SearchOptions options;
  options.windows = 20;
  std::optional<FoundSelection> found = searchSelection(problem, options);
  ASSERT_TRUE(found);
  EXPECT_EQ(selectionCost(problem, found->states), 12);
}

TEST(ContestFormat, SaysWhatIsWrong) {
  auto verdict = [](llvm::StringRef nodes, llvm::StringRef edges, llvm::StringRef limit) {
    llvm::Expected<SelectionProblem> problem =
        parseContestInstance(("{\"problem\": {\"nodes\": {" + nodes + "}, \"edges\": {" + edges +
                              "}, \"usage_limit\": " + limit + "}}")
                                 .str());
    return problem ? std::string() : llvm::toString(problem.takeError());
  };
  llvm::StringRef good = R"("intervals": [[0, 2], [1, 3]], "costs": [[1, 2], [3]], "usages": [[1, 1], [2]])";
  llvm::StringRef edge = R"("nodes": [[0, 1]], "costs": [[4, 5]])";
  EXPECT_EQ(verdict(good, edge, "3"), "");
  EXPECT_EQ(verdict(good, edge, "\"x\""), "usage_limit is not an integer");
  EXPECT_EQ(verdict(good, edge, "-1"), "the usage limit is negative");
  EXPECT_EQ(verdict(good, R"("nodes": [[0, 2]], "costs": [[4, 5]])", "3"),
            "edge 0 names node 2, which is not there");
  EXPECT_EQ(verdict(good, R"("nodes": [[0, 1]], "costs": [[4]])", "3"),
            "edge 0 has 1 costs, and its nodes have 2 pairs of states");
  EXPECT_EQ(verdict(good, R"("nodes": [[0, 1]], "costs": [[4, "y"]])", "3"),
            "edges.costs[0] has an entry that is not an integer");
  EXPECT_EQ(verdict(R"("intervals": [[2, 0]], "costs": [[1]], "usages": [[1]])",
                    R"("nodes": [], "costs": [])", "3"),
            "the interval of node 0 ends before it begins: [2, 0)");
  EXPECT_EQ(verdict(R"("intervals": [[0, 2]], "costs": [[1]], "usages": [[1, 2]])",
                    R"("nodes": [], "costs": [])", "3"),
            "node 0 has 1 costs and 2 usages");
  EXPECT_EQ(verdict(R"("intervals": [[0, 2]], "costs": [[-1]], "usages": [[1]])",
                    R"("nodes": [], "costs": [])", "3"),
            "state 0 of node 0 has a negative cost");
  EXPECT_EQ(verdict(R"("intervals": [[0, 2], [1, 3]], "costs": [[1], [1]],
                       "usages": [[3000000000000000000], [3000000000000000000]])",
                    R"("nodes": [], "costs": [])", "3"),
            "with node 1 the largest usages come to more than 4611686018427387904, which is the most that "
            "they may");
}
