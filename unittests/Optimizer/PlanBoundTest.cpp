//===- PlanBoundTest.cpp - No plan takes less than its bound --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomProblem.h"

#include "Optimal/Decoding.h"
#include "Optimal/Forks.h"
#include "Optimal/L1Search.h"
#include "Optimal/Optimal.h"
#include "Optimal/Paths.h"
#include "Optimal/Translation.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/ScheduledPlan.h"
#include "tessera/Optimizer/Policy/PlanBound.h"
#include "tessera/Optimizer/Policy/SolvingNotes.h"
#include "gtest/gtest.h"
#include <rapidcheck.h>

#include <random>
#include <tuple>

using namespace tessera;

namespace {

/// Runs `property(problem, table)` on random problems of up to about 15 ops.
template <class Property>
void forRandomProblems(const char *description, Property property) {
  auto bytes = rc::gen::resize(300, rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>()));
  bool holds = rc::check(description, [&] {
    std::string text = randomProblem(*bytes, true);
    RC_LOG() << text;
    ProblemInstance instance = parseRandom(text);
    property(instance.problem, OpCostTable(*instance.model));
  });
  EXPECT_TRUE(holds);
}

/// The same choices, whichever configurations they are made with.
bool areAlike(llvm::ArrayRef<std::shared_ptr<const optimal::Ways>> some,
              llvm::ArrayRef<std::shared_ptr<const optimal::Ways>> others, bool inOrder) {
  auto isAlike = [&](const optimal::Way &a, const optimal::Way &b) {
    return std::tie(a.cost, a.reads, a.makes) == std::tie(b.cost, b.reads, b.makes) &&
           (!inOrder || a.needs == b.needs);
  };
  return llvm::equal(some, others,
                     [&](const auto &a, const auto &b) { return llvm::equal(*a, *b, isAlike); });
}

/// Whether all that the second plan does is among the choices of the first one's bound: then it adds none.
bool isAmongTheChoices(const Problem &problem, const OpCostTable &table, const Plan &first,
                       const Plan &second, bool inOrder) {
  auto memory = std::make_shared<optimal::SpaceMemory>(); // by which equal choices are the same object
  std::vector<optimal::PricedPlan> both = {{first, planCost(problem, first, table)},
                                           {second, planCost(problem, second, table)}};
  optimal::Space ofFirst(problem, table, both.front(), memory), ofBoth(problem, table, both, memory);
  auto distancesOf = [](const optimal::ValueForms &forms) { return forms.distances; };
  return ofBoth.coversAll &&
         (inOrder ? areAlike(ofFirst.frugalWays(), ofBoth.frugalWays(), true)
                  : areAlike(ofFirst.ways, ofBoth.ways, false)) &&
         llvm::equal(llvm::map_range(ofFirst.forms, distancesOf), llvm::map_range(ofBoth.forms, distancesOf));
}

TEST(PlanBound, IsAboveNoPolicysPlan) {
  // By whether the bound is one of an order: then slower ways count as well, of which fewer plans have the same.
  size_t pairs[2] = {}, among[2] = {};
  forRandomProblems("bounds", [&](const Problem &problem, const OpCostTable &table) {
    std::vector<Plan> plans = {basePlan(problem, table), declaredPlan(problem)};
    for (const PolicyInfo &policy : policies())
      plans.push_back(solveScheduled(policy, problem, table, {}));
    // Nearly all that policies try is among the choices, whichever plan they are made for; a plan is always among those of its own bound.
    for (const Plan *given : {&plans.front(), &plans[2 + plans.size() % 3]}) {
      std::optional<PlanBound> bound = boundOf(problem, table, *given);
      RC_ASSERT(bound.has_value());
      for (const Plan &plan : plans) {
        RC_LOG() << plan.policy << " " << planCost(problem, plan, table).total().value() << "\n";
        if (!checkPlan(problem, plan, table).ok())
          continue;
        if (bound->inOrder && scheduleOf(plan) != scheduleOf(*given))
          continue;
        ++pairs[bound->inOrder.has_value()];
        if (&plan != given && !isAmongTheChoices(problem, table, *given, plan, bound->inOrder.has_value()))
          continue;
        ++among[bound->inOrder.has_value()];
        RC_ASSERT(bound->time <= planCost(problem, plan, table).total());
      }
      if (llvm::Error error = checkBound(problem, table, *given, *bound))
        RC_FAIL(llvm::toString(std::move(error)));
    }
  });
  EXPECT_GT(among[false], pairs[false] * 9 / 10);
  // Few of these problems fill L1, and of few cases nothing can be said.
  EXPECT_GE(4 * among[true], pairs[true]);
}

/// What the selection of a plan holds is never more than the plan: otherwise a price would make plans dearer than they are.
TEST(PlanBound, CountsNoMoreL1ThanThereIs) {
  size_t held = 0;
  forRandomProblems("L1 in an order", [&](const Problem &problem, const OpCostTable &table) {
    for (const PolicyInfo &policy : policies()) {
      Plan plan = solveScheduled(policy, problem, table, {});
      if (!checkPlan(problem, plan, table).ok())
        continue;
      PlanCost cost = planCost(problem, plan, table);
      optimal::Space space(problem, table, optimal::PricedPlan{plan, cost});
      if (!space.coversAll)
        continue;
      optimal::Translation translation(space, scheduleOf(plan));
      Selection its = translation.selectionOf(plan);
      std::optional<SelectionCost> itsCost = selectionCost(translation.problem, its);
      RC_LOG() << plan.policy << "\n";
      RC_ASSERT(itsCost.has_value());
      RC_ASSERT(double(*itsCost) <= cost.total().value() * kBoundParts + 1);
      RC_ASSERT(peakUsage(translation.problem, its) <= problem.l1Budget.value());
      held += llvm::any_of(translation.problem.holdings, [&](const SelectionHolding &holding) {
        return holding.live.end > holding.live.begin + 1;
      });
    }
  });
  EXPECT_GT(held, 0u);
}

/// What is left to choose, as a plan: it takes no longer than the selection says, but for copies that lie side by side.
TEST(Decoding, MakesPlans) {
  size_t legal = 0, exact = 0, tried = 0;
  forRandomProblems("decoding", [&](const Problem &problem, const OpCostTable &table) {
    Plan given = basePlan(problem, table);
    PlanCost cost = planCost(problem, given, table);
    optimal::Space space(problem, table, optimal::PricedPlan{given, cost});
    if (!space.coversAll)
      return;
    Schedule order = scheduleOf(given);
    optimal::Translation translation(space, order);
    optimal::L1Search search(translation.problem, optimal::costOf(cost.total()));
    while (search.next() && search.cheapest().empty())
      ;
    if (search.cheapest().empty())
      return;
    Plan plan = optimal::decoded(translation, order, search.cheapest(), table, "decoded");
    RC_ASSERT(scheduleOf(plan) == order);
    ++tried;
    legal += checkPlan(problem, plan, table).ok();
    exact += planCost(problem, plan, table).total().value() * kBoundParts <=
             double(*selectionCost(translation.problem, search.cheapest())) + 1024;
  });
  EXPECT_GT(legal, tried / 2);
  EXPECT_GT(exact, tried * 3 / 4);
}

/// A value leaves L1 for an op that needs it all, and comes back once for two that read it with another op between them.
TEST(Decoding, BringsAValueBackOnceForTwoReaders) {
  constexpr llvm::StringLiteral kProblem = "device grid 1x1\n"
                                           "budget 1300KiB\n"
                                           "mock default time 1000 dram 10000\n"
                                           "mock ttnn.softmax buffers 1100KiB\n"
                                           "mock ttnn.to_memory_config time 3000\n"
                                           "%x = argument 32x32xbf16 l1\n"
                                           "%l = ttnn.relu(%x) : 32x8000xbf16\n"
                                           "%s = ttnn.softmax(%x) : 32x32xbf16\n"
                                           "%a = ttnn.exp(%l) : 32x32xbf16\n"
                                           "%b = ttnn.abs(%s) : 32x32xbf16\n"
                                           "%c = ttnn.neg(%l) : 32x32xbf16\n"
                                           "%d = ttnn.add(%a, %b) : 32x32xbf16\n"
                                           "%e = ttnn.add(%c, %d) : 32x32xbf16 legal [l1]\n"
                                           "return %e\n";
  ProblemInstance instance = parseRandom(kProblem.str());
  OpCostTable table(*instance.model);
  Plan base = basePlan(instance.problem, table);
  optimal::Space space(instance.problem, table,
                       optimal::PricedPlan{base, planCost(instance.problem, base, table)});
  optimal::Translation translation(space, programOrder(instance.problem));
  optimal::L1Search search(translation.problem, kForbiddenCost / 2);
  while (search.next())
    ;
  ASSERT_FALSE(search.cheapest().empty());
  Plan plan =
      optimal::decoded(translation, programOrder(instance.problem), search.cheapest(), table, "decoded");
  PlanCheck check = checkPlan(instance.problem, plan, table);
  EXPECT_TRUE(check.ok()) << check.violations.front().message;
  // Seven ops, the first of which writes to DRAM; from there to L1, and at last the result the other way.
  Nanoseconds least(7 * 1000 + 10000 + 2 * 13000);
  EXPECT_EQ(planCost(instance.problem, plan, table).total().value(), least.value());
  EXPECT_NEAR(search.proven() / kBoundParts, least.value(), 1);
}

/// What one plan's choices leave behind is none of another's.
TEST(PlanBound, IsTheSameWithTheMemoryOfOthers) {
  forRandomProblems("memory", [](const Problem &problem, const OpCostTable &table) {
    auto memory = std::make_shared<optimal::SpaceMemory>();
    std::vector<Plan> plans = {basePlan(problem, table), declaredPlan(problem)};
    for (llvm::StringRef policy : {"greedy", "beam"})
      plans.push_back(solveScheduled(*findPolicy(policy), problem, table, {}));
    for (const Plan &plan : plans) {
      std::optional<PlanBound> with = boundOf(problem, table, plan, memory),
                               without = boundOf(problem, table, plan);
      RC_ASSERT(with.has_value() == without.has_value());
      if (with)
        RC_ASSERT(certificateToJson(with->proof) == certificateToJson(without->proof));
    }
  });
}

/// What an override leaves is all that there is to choose from: the policy's own plan is legal, and its time is proven.
void expectBest(const std::string &text, double nanoseconds) {
  ProblemInstance instance = parseRandom(text);
  OpCostTable table(*instance.model);
  std::optional<Plan> plan = solveOptimal(instance.problem, table, {});
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(violations(checkPlan(instance.problem, *plan, table)), "");
  EXPECT_EQ(planCost(instance.problem, *plan, table).total().value(), nanoseconds);
  std::optional<PlanBound> bound = boundOf(instance.problem, table, *plan);
  ASSERT_TRUE(bound.has_value());
  EXPECT_NEAR(bound->time.value(), nanoseconds, 1);
}

/// Both ops would be faster as the input program has them.
TEST(Overrides, ExcludeDeclaredLayouts) {
  expectBest("device grid 1x1\n"
             "mock default time 1000\n"
             "mock ttnn.exp time 1000 interleaved 2000\n"
             "mock ttnn.to_memory_config time 3000\n"
             "%x = argument 32x32xbf16 dram\n"
             "%a = ttnn.exp(%x) : 32x320xbf16 only [l1]\n"
             "%b = ttnn.relu(%a) : 32x320xbf16 declared l1 only [dram]\n"
             "%c = ttnn.relu(%b) : 32x320xbf16\n"
             "return %c\n",
             5000);
}

/// To convert nothing would take no time, and to convert what was made back would let its reader be faster.
TEST(Overrides, DemandConversions) {
  expectBest("device grid 1x1\n"
             "mock default time 1000\n"
             "mock ttnn.exp time 1000 interleaved 9000\n"
             "mock ttnn.to_memory_config time 3000\n"
             "%x = argument 32x32xbf16 dram\n"
             "%a = ttnn.relu(%x) : 32x320xbf16 only [dram]\n"
             "%b = ttnn.to_memory_config(%a) : 32x320xbf16 declared l1 conversion must_convert\n"
             "%c = ttnn.exp(%b) : 32x320xbf16\n"
             "return %c\n",
             14000);
}

TEST(Space, SlowerWaysTakeLessL1) {
  size_t slower = 0;
  forRandomProblems("slower ways", [&](const Problem &problem, const OpCostTable &table) {
    Plan plan = basePlan(problem, table);
    optimal::Space space(problem, table, optimal::PricedPlan{plan, planCost(problem, plan, table)});
    for (const auto &ways : space.ways)
      for (const optimal::Way &way : *ways) {
        const optimal::Way *before = &way;
        for (const optimal::Way &each : way.slower) {
          RC_ASSERT(each.reads == way.reads && each.makes == way.makes);
          RC_ASSERT(each.cost >= before->cost && each.needs < before->needs);
          before = &each;
          ++slower;
        }
      }
  });
  EXPECT_GT(slower, 0u);
}

/// Whatever policy made the plan: conversions by way of other forms are legal, and make it no slower.
TEST(FasterPaths, ArePlansAndNoSlower) {
  forRandomProblems("paths", [&](const Problem &problem, const OpCostTable &table) {
    for (const PolicyInfo &policy : policies()) {
      Plan plan = solveScheduled(policy, problem, table, {});
      if (!checkPlan(problem, plan, table).ok())
        continue;
      optimal::Space space(problem, table, {});
      for (auto faster : {optimal::withFasterPaths, optimal::withForks}) {
        Plan other = faster(space, table, plan);
        RC_LOG() << plan.policy << "\n";
        RC_ASSERT(checkPlan(problem, other, table).ok());
        Nanoseconds before = planCost(problem, plan, table).total(),
                    after = planCost(problem, other, table).total();
        RC_ASSERT(after <= before + Nanoseconds(1));
      }
    }
  });
}

/// All sums of hops are looked at: a tree with three leaves has two forks at most.
TEST(CheapestTree, AgreesWithAllPairsOfForks) {
  // The same numbers in each run. NOLINTNEXTLINE(bugprone-random-generator-seed)
  std::mt19937_64 random(35);
  for (int run = 0; run < 200; ++run) {
    constexpr optimal::Form kForms = 6;
    // No way over another is shorter.
    optimal::Distances distances{kForms, {}, {}, std::vector<std::optional<optimal::Form>>(kForms * kForms)};
    for (optimal::Form from = 0; from < kForms; ++from)
      for (optimal::Form to = 0; to < kForms; ++to)
        distances.costs.push_back(from == to ? 0 : SelectionCost(100 + random() % 100));
    std::vector<optimal::Form> leaves = {1, 3, 4};
    optimal::CheapestTree tree(distances, leaves);
    SelectionCost least = kForbiddenCost;
    for (optimal::Form first = 0; first < kForms; ++first)
      for (optimal::Form second = 0; second < kForms; ++second)
        for (size_t early = 0; early < 3; ++early) {
          SelectionCost cost = distances.at(0, first) + distances.at(first, second);
          for (size_t leaf = 0; leaf < 3; ++leaf)
            cost += distances.at(leaf == early ? first : second, leaves[leaf]);
          least = std::min(least, cost);
        }
    ASSERT_EQ(tree.cost(0), least);
    SelectionCost ofParents = 0;
    for (auto [form, parent] : tree.parents(0))
      ofParents += distances.at(parent, form);
    ASSERT_EQ(ofParents, least);
  }
}

/// However many read which forms.
TEST(ThirdForms, AddNoMoreThanTheCheapestTree) {
  // The same numbers in each run. NOLINTNEXTLINE(bugprone-random-generator-seed)
  std::mt19937_64 random(36);
  constexpr optimal::Form kForms = 6;
  size_t exact = 0;
  for (int run = 0; run < 2000; ++run) {
    optimal::Distances distances{kForms,
                                 {},
                                 std::vector<SelectionCost>(kForms, kForbiddenCost),
                                 std::vector<std::optional<optimal::Form>>(kForms * kForms)};
    for (optimal::Form from = 0; from < kForms; ++from)
      for (optimal::Form to = 0; to < kForms; ++to) {
        distances.costs.push_back(from == to ? 0 : SelectionCost(60 + random() % 1000));
        if (from != to)
          distances.arrivals[to] = std::min(distances.arrivals[to], distances.costs.back());
      }
    // Ways over others, so that there are stops.
    for (optimal::Form over = 0; over < kForms; ++over)
      for (optimal::Form from = 0; from < kForms; ++from)
        for (optimal::Form to = 0; to < kForms; ++to) {
          SelectionCost &cost = distances.costs[from * kForms + to];
          cost = std::min(cost, distances.at(from, over) + distances.at(over, to));
        }
    std::vector<optimal::Form> read;
    for (size_t readers = 4 + random() % 4; read.size() < readers;)
      read.push_back(optimal::Form(random() % (kForms - 1)));
    std::vector<optimal::Form> leaves = read;
    llvm::sort(leaves);
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    SelectionCost tree = optimal::CheapestTree(distances, leaves).cost(0);
    // The one that is made has no distance.
    optimal::Form other = *llvm::max_element(
        leaves, [&](optimal::Form a, optimal::Form b) { return distances.at(0, a) < distances.at(0, b); });
    SelectionCost cost = distances.at(0, other);
    for (optimal::Form form : read)
      if (form != 0 && form != other)
        cost += optimal::shareOfThird(distances, 0, other, form, read.size());
    ASSERT_LE(cost, tree);
    exact += cost == tree;
  }
  EXPECT_GT(exact, 100u);
}

/// By itself, without its incumbent: legal wherever it finds a plan, and no slower than what it proves.
TEST(Optimal, PlansAreLegalAndAboveTheBound) {
  size_t found = 0;
  forRandomProblems("optimal", [&](const Problem &problem, const OpCostTable &table) {
    std::optional<Plan> plan = solveOptimal(problem, table, {});
    if (!plan)
      return;
    PlanCheck check = checkPlan(problem, *plan, table);
    if (!check.ok())
      RC_FAIL(check.violations.front().message);
    RC_ASSERT(boundOf(problem, table, *plan)->time <= planCost(problem, *plan, table).total());
    ++found;
  });
  EXPECT_GT(found, 5u);
}

/// Of layouts as if L1 were endless, and of less L1 than there is, nothing follows for plans that must fit into all of it.
TEST(Optimal, IsNoSlowerWithAStrategyForSpills) {
  constexpr llvm::StringLiteral kEndless = R"(
budget 96KiB
mock default time 1200 dram 1600 interleaved 150
mock ttnn.add dram_buffers 48KiB margin 8KiB
mock ttnn.to_memory_config time 800 dram 400
%a = constant 1024x1024xbf16 dram
%b = ttnn.relu(%a, %a, %a) : 1024x1024xbf16 legal all 3
%c = ttnn.reshape(%b, %b, %b) : 1024x1024xbf16
%d = ttnn.relu(%a, %a) : 1024x1024xbf16 declared l1
%e = ttnn.matmul(%d, %d) : 4096x1024xbf16 declared dram legal all 3
%f = ttnn.add(%d) : 2048x2048xbf16 declared l1
%g = ttnn.relu(%d, %f, %c) : 1024x2048xbf16 legal all 3
%h = ttnn.matmul(%e) : 2048x1024xbf16 legal all 6 writes %e
%i = ttnn.reshape(%f, %g) : 1024x2048xbf16 declared dram legal all 9
)";
  constexpr llvm::StringLiteral kLess = R"(
budget 160KiB
mock default time 300 dram 7300 interleaved 50
mock ttnn.add buffers 8KiB time 2600 dram 2600 interleaved 500
mock ttnn.to_memory_config time 1900 dram 200
%a = argument 1024x1024xbf16 dram
ttnn.fill_cache(%a, %a)
%b = ttnn.to_memory_config(%a) : 1024x1024xbf16 declared l1 conversion
%c = ttnn.add(%a) : 4096x1024xbf16 legal all 6
%d = ttnn.relu(%c, %a, %c) : 1024x2048xbf16
%e = ttnn.conv2d(%d) : 1024x2048xbf16 legal all 9
%f = ttnn.reshape(%a, %c) : 4096x1024xbf16
)";
  for (llvm::StringRef text : {kEndless, kLess}) {
    ProblemInstance instance = parseRandom(text.str());
    OpCostTable table(*instance.model);
    auto timeWith = [&](SpillStrategy spill) {
      SolvingNotes notes;
      PolicyOptions options;
      options.notes = &notes;
      options.spill = spill;
      Plan plan = solveScheduled(*findPolicy("optimal"), instance.problem, table, options);
      return planCost(instance.problem, plan, table).total();
    };
    EXPECT_LE(timeWith(SpillStrategy::Cost), timeWith(SpillStrategy::Policy));
  }
}

/// The least cost of all selections that fit, each looked at.
class BruteForce {
public:
  explicit BruteForce(const SelectionProblem &problem) : problem(problem), selection(problem.numNodes()) {}
  static bool isFor(const SelectionProblem &problem) {
    double selections = 1;
    for (SelectionNode node = 0; node < problem.numNodes(); ++node)
      selections *= problem.numStates(node);
    return selections < 1e7;
  }
  SelectionCost run() {
    descend(0, 0);
    return best;
  }

private:
  void descend(SelectionNode node, SelectionCost cost) {
    if (cost >= best)
      return;
    if (node == problem.numNodes()) {
      if (peakUsage(problem, selection) <= problem.capacity)
        best = cost;
      return;
    }
    for (SelectionState state = 0; state < problem.numStates(node); ++state) {
      selection[node] = state;
      SelectionCost more = problem.cost(node, state);
      for (const SelectionEdge &edge : problem.edges)
        if (std::max(edge.from, edge.to) == node)
          more += problem.matrices[edge.matrix].at(selection[edge.from], selection[edge.to]);
      descend(node + 1, cost + more);
    }
  }

  const SelectionProblem &problem;
  Selection selection;
  SelectionCost best = kForbiddenCost;
};

/// Between what messages prove and what a plan takes lies the best of all selections; a plan's selection costs no more than the plan.
TEST(PlanBound, BruteForceLiesBetweenTheBoundAndThePlans) {
  size_t tried = 0;
  forRandomProblems("brute force", [&](const Problem &problem, const OpCostTable &table) {
    RC_PRE(problem.ops.size() <= 4);
    Plan plan = solveScheduled(*findPolicy("beam"), problem, table, {});
    PlanCost cost = planCost(problem, plan, table);
    optimal::Space space(problem, table, optimal::PricedPlan{plan, cost});
    optimal::Translation translation(space);
    Selection its = translation.selectionOf(plan);
    std::optional<SelectionCost> itsCost = selectionCost(translation.problem, its);
    RC_ASSERT(itsCost.has_value());
    RC_ASSERT(double(*itsCost) <= cost.total().value() * kBoundParts + 1);
    RC_PRE(BruteForce::isFor(translation.problem));
    SelectionCost best = BruteForce(translation.problem).run();
    RC_ASSERT(best <= *itsCost);
    PlanBound bound = *boundOf(problem, table, plan);
    if (bound.inOrder) {
      optimal::Translation inOrder(space, scheduleOf(plan));
      RC_PRE(BruteForce::isFor(inOrder.problem));
      SelectionCost bestInOrder = BruteForce(inOrder.problem).run();
      RC_ASSERT(best <= bestInOrder);
      best = bestInOrder;
    }
    RC_ASSERT(bound.proof.bound <= best);
    ++tried;
  });
  EXPECT_GT(tried, 0u);
}

} // namespace
