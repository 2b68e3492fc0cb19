//===- ScheduleTest.cpp - Orders of ops, and policies on them -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"
#include "RandomProblem.h"

#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/ScheduledPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <rapidcheck.h>

using namespace tessera;

namespace {

using Order = Schedule (*)(const Problem &);

std::string orderText(Order order, llvm::StringRef ops) {
  ProblemInstance instance = parse(("device grid 2x2\n" + ops).str());
  std::string text;
  for (OpId op : order(instance.problem))
    text += (text.empty() ? "" : " ") + instance.problem[op].location;
  return text;
}

// ---- Depth first -----------------------------------------------------------------------------------------

TEST(DepthFirstOrder, FollowsOneBranchToItsEnd) {
  EXPECT_EQ(orderText(depthFirstOrder, R"(
    %x = argument 256x256xbf16 dram
    %a1 = ttnn.relu(%x) : 256x256xbf16
    %b1 = ttnn.relu(%x) : 256x256xbf16
    %a2 = ttnn.relu(%a1) : 256x256xbf16
    %b2 = ttnn.relu(%b1) : 256x256xbf16
    %c = ttnn.add(%a2, %b2) : 256x256xbf16
    return %c
  )"),
            "a1 a2 b1 b2 c");
}

/// d is read by s, which waits for the long branch, too: it would end a chain at once, so it comes first.
constexpr llvm::StringLiteral kLongBranchFirst = R"(
  %x = argument 256x256xbf16 dram
  %m1 = ttnn.relu(%x) : 256x256xbf16
  %m2 = ttnn.relu(%m1) : 256x256xbf16
  %d = ttnn.relu(%x) : 256x256xbf16
  %s = ttnn.add(%m2, %d) : 256x256xbf16
  return %s
)";
constexpr llvm::StringLiteral kShortBranchFirst = R"(
  %x = argument 256x256xbf16 dram
  %d = ttnn.relu(%x) : 256x256xbf16
  %m1 = ttnn.relu(%x) : 256x256xbf16
  %m2 = ttnn.relu(%m1) : 256x256xbf16
  %s = ttnn.add(%m2, %d) : 256x256xbf16
  return %s
)";

TEST(DepthFirstOrder, DoesNotCareWhichBranchIsWrittenFirst) {
  EXPECT_EQ(orderText(depthFirstOrder, kLongBranchFirst), "d m1 m2 s");
  EXPECT_EQ(orderText(depthFirstOrder, kShortBranchFirst), "d m1 m2 s");
}

TEST(DepthFirstOrder, JudgesAnewWhoWouldStayBlocked) {
  // All of a to e would leave a follower blocked. After a, b and c do not any more: d, which would, comes before them.
  EXPECT_EQ(orderText(depthFirstOrder, R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16
    %b = ttnn.relu(%x) : 256x256xbf16
    %c = ttnn.relu(%x) : 256x256xbf16
    %d = ttnn.relu(%x) : 256x256xbf16
    %j1 = ttnn.add(%a, %b) : 256x256xbf16
    %j = ttnn.add(%c, %a) : 256x256xbf16
    %e = ttnn.relu(%x) : 256x256xbf16
    %k = ttnn.add(%d, %e) : 256x256xbf16
    return %j1, %j, %k
  )"),
            "a d b c j j1 e k");
}

TEST(DepthFirstOrder, ConversionsFirst) {
  EXPECT_EQ(orderText(depthFirstOrder, R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16
    %t = ttnn.to_layout(%x) : 256x256xbf16 conversion
    %b = ttnn.add(%a, %t) : 256x256xbf16
    return %b
  )"),
            "t a b");
}

// ---- Least memory ----------------------------------------------------------------------------------------

TEST(LeastMemoryOrder, KeepsWhatCannotBeImproved) {
  EXPECT_EQ(orderText(leastMemoryOrder, R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16
    %b = ttnn.relu(%a) : 256x256xbf16
    %c = ttnn.add(%b, %a) : 256x256xbf16
    return %c
  )"),
            "a b c");
}

TEST(LeastMemoryOrder, MakesTablesWhereTheyAreRead) {
  EXPECT_EQ(orderText(leastMemoryOrder, R"(
    %x = argument 256x256xbf16 dram
    %table = ttnn.cos(%x) : 256x256xbf16
    %a = ttnn.relu(%x) : 256x256xbf16
    %b = ttnn.relu(%a) : 256x256xbf16
    %c = ttnn.add(%b, %table) : 256x256xbf16
    return %c
  )"),
            "a b table c");
}

TEST(LeastMemoryOrder, FinishesOneWideBranchBeforeTheNext) {
  EXPECT_EQ(orderText(leastMemoryOrder, R"(
    %x = argument 256x256xbf16 dram
    %a1 = ttnn.repeat(%x) : 4096x256xbf16
    %b1 = ttnn.repeat(%x) : 4096x256xbf16
    %a2 = ttnn.sum(%a1) : 32x256xbf16
    %b2 = ttnn.sum(%b1) : 32x256xbf16
    %c = ttnn.add(%a2, %b2) : 32x256xbf16
    return %c
  )"),
            "a1 a2 b1 b2 c");
}

// ---- Unknown first ---------------------------------------------------------------------------------------

TEST(UnknownFirstOrder, HasUnknownOpsRunBeforeWhatTheyNeedNotWaitFor) {
  EXPECT_EQ(orderText(unknownFirstOrder, R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16
    %b = ttnn.relu(%a) : 256x256xbf16
    %i = ttnn.relu(%x) : 256x256xbf16
    %u = ttnn.mystery(%i) : 256x256xbf16 fixed
    %c = ttnn.add(%b, %u) : 256x256xbf16
    return %c
  )"),
            "i u a b c");
}

TEST(UnknownFirstOrder, IsTheProgramsWithoutSuchOps) {
  EXPECT_EQ(orderText(unknownFirstOrder, R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16
    %k = ttnn.relu(%x) : 256x256xbf16
    %c = ttnn.add(%a, %k) : 256x256xbf16
    return %c
  )"),
            "a k c");
}

// ---- Every order -----------------------------------------------------------------------------------------

constexpr Order kOrders[] = {programOrder, depthFirstOrder, leastMemoryOrder, unknownFirstOrder};

TEST(EveryOrder, KeepsMemoryEffects) {
  for (Order order : kOrders)
    EXPECT_EQ(orderText(order, R"(
    %cache = argument 256x256xbf16 dram
    %x = argument 256x256xbf16 dram
    %old = ttnn.relu(%cache) : 256x256xbf16
    ttnn.fill_cache(%cache, %x)
    %a = ttnn.relu(%cache) : 256x256xbf16
    %b = ttnn.add(%a, %old) : 256x256xbf16
    return %b
  )"),
              "old fill_cache_0 a b");
}

TEST(EveryOrder, ReadsWhatAConvolutionFreesBeforeIt) {
  for (Order order : kOrders)
    EXPECT_EQ(orderText(order, R"(
    %x = argument 1x1x1024x64xbf16 dram
    %w = constant 64x64x1x1xbf16 dram
    %a = ttnn.relu(%x) : 1x1x1024x64xbf16
    %view = ttnn.reshape(%a) : 1x1x1024x64xbf16
    %late = ttnn.relu(%view) : 1x1x1024x64xbf16
    %c = ttnn.conv2d(%a, %w) : 1x1x1024x64xbf16 declared dram/frees_input
    %d = ttnn.add(%c, %late) : 1x1x1024x64xbf16
    return %d
  )"),
              "a view late c d");
}

template <class Property>
void forRandomProblems(const char *description, Property property) {
  auto bytes = rc::gen::resize(300, rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>()));
  EXPECT_TRUE(rc::check(description, [&] {
    std::string text = randomProblem(*bytes);
    RC_LOG() << text;
    property(text);
  }));
}

/// The base plan of every order is one of the program: all that can be wrong with it is L1.
TEST(EveryOrder, KeepsEveryPrecedence) {
  forRandomProblems("orders", [](const std::string &text) {
    ProblemInstance instance = parseUnfitted(text);
    const Problem &problem = instance.problem;
    for (Order order : kOrders) {
      Schedule schedule = order(problem);
      ScheduledProblem scheduled = inOrder(problem, schedule);
      RC_ASSERT(checkProblem(scheduled.problem) == "");
      Plan plan = planInProgramIds(scheduled, basePlan(scheduled.problem, *instance.model));
      std::vector<PlanViolation> violations = checkPlan(problem, plan, *instance.model).violations;
      for (const PlanViolation &violation : violations)
        RC_ASSERT(violation.rule == kL1Capacity.str());
      RC_ASSERT(order(problem) == schedule);
      RC_CLASSIFY(!llvm::is_sorted(schedule), "another order than the program's");
    }
  });
}

TEST(EveryPolicy, IsLegalOnEveryScheduleAndAutoIsTheBest) {
  for (const PolicyInfo &policy : policies())
    forRandomProblems(policy.name.data(), [&](const std::string &text) {
      ProblemInstance instance = parseRandom(text);
      const Problem &problem = instance.problem;
      auto timeOn = [&](ScheduleKind kind) {
        PolicyOptions options;
        options.schedule = kind;
        Plan plan = solveScheduled(policy, problem, *instance.model, options);
        RC_ASSERT(violations(checkPlan(problem, plan, *instance.model)) == "");
        Nanoseconds time = planCost(problem, plan, *instance.model).total();
        RC_ASSERT(time <= planCost(problem, basePlan(problem, *instance.model), *instance.model).total());
        return time;
      };
      Nanoseconds best = timeOn(ScheduleKind::Best);
      for (ScheduleKind kind : {ScheduleKind::Program, ScheduleKind::DepthFirst, ScheduleKind::LeastMemory})
        RC_ASSERT(best <= timeOn(kind));
    });
}

} // namespace
