//===- BasePlanTest.cpp ---------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"

using namespace tessera;

namespace {

TEST(BasePlan, ConversionsAreNarrow) {
  ProblemInstance instance =
      parse("%x = argument 64x64xbf16 dram\n"
            "%a = ttnn.relu(%x) : 64x64xbf16 only [l1/row_major] reads [l1/row_major]\n"
            "return %a\n");
  PlanCheck check = checkPlan(instance.problem, basePlan(instance.problem, *instance.model), *instance.model);
  ASSERT_TRUE(check.ok()) << check.violations.front().message;
}

/// Two values that do not fit together move; an op that may read them in L1 only gets a copy there.
TEST(FitBase, BringsValuesHomeToDram) {
  ProblemInstance instance = parse("device grid 1x1\n"
                                   "budget 64KiB\n"
                                   "mock ttnn.relu\n"
                                   "%x = argument 32x64xbf16 dram\n"
                                   "%a = ttnn.relu(%x) : 32x640xbf16 declared l1\n"
                                   "%b = ttnn.relu(%x) : 32x640xbf16 declared l1\n"
                                   "%c = ttnn.relu(%a) : 32x64xbf16 fixed\n"
                                   "%d = ttnn.relu(%b) : 32x64xbf16 fixed\n"
                                   "return %c, %d\n");
  Problem &problem = instance.problem;
  EXPECT_FALSE(checkPlan(problem, declaredPlan(problem), *instance.model).ok());
  CheckedPlan base = fitBase(problem, *instance.model);
  EXPECT_TRUE(base.check.ok());
  EXPECT_EQ(checkProblem(problem), "");
  for (ValueId value : {ValueId(1), ValueId(2)})
    EXPECT_TRUE(problem.layout(problem[value].home).isDram()) << problem[value].name;
  for (OpId reader : {OpId(2), OpId(3)})
    EXPECT_TRUE(problem.layout(baseInput(problem, reader, 0)).isL1()) << problem[reader].location;
}

} // namespace
