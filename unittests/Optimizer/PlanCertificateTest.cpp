//===- PlanCertificateTest.cpp - Damaged proofs are refused ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomProblem.h"

#include "Optimal/Translation.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Policy/PlanBound.h"
#include "tessera/Optimizer/Policy/PlanCertificate.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

/// A chain of two ops, of which the second is faster in L1.
constexpr llvm::StringLiteral kChain = R"(
device grid 2x2
budget 512KiB
mock default time 1000 dram 500
mock ttnn.to_memory_config time 300
%a = argument 256x256xbf16 dram
%b = ttnn.relu(%a) : 256x256xbf16
%c = ttnn.relu(%b) : 256x256xbf16
return %c
)";

class DamagedBound : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::Expected<ProblemInstance> parsed = parseProblem(text(), "chain");
    ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    instance.emplace(std::move(*parsed));
    table.emplace(*instance->model);
    plan = solveScheduled(*findPolicy("greedy"), instance->problem, *table, {});
    bound = *boundOf(instance->problem, *table, plan);
    EXPECT_EQ(check(), "");
  }
  virtual llvm::StringRef text() const { return kChain; }
  std::string check() { return llvm::toString(checkBound(instance->problem, *table, plan, bound)); }

  std::optional<ProblemInstance> instance;
  std::optional<OpCostTable> table;
  Plan plan;
  PlanBound bound;
};

TEST_F(DamagedBound, OfAnotherCostIsRefused) {
  --bound.proof.cost;
  EXPECT_NE(check(), "");
}

TEST_F(DamagedBound, ThatIsHigherIsRefused) {
  ++bound.proof.bound;
  EXPECT_NE(check(), "");
}

TEST_F(DamagedBound, ThatSaysAnotherTimeIsRefused) {
  bound.time = bound.time + Nanoseconds(1);
  EXPECT_NE(check(), "");
}

TEST_F(DamagedBound, WithAnotherMultiplierIsRefused) {
  ASSERT_FALSE(bound.proof.gifts.empty());
  for (int64_t &gift : bound.proof.gifts.front().from)
    gift += bound.proof.scale * 1000;
  bound.proof.gifts.front().to.front() -= bound.proof.scale * 2000;
  EXPECT_NE(check(), "");
}

TEST_F(DamagedBound, WithAnotherStateIsRefused) {
  Selection &states = bound.proof.states;
  optimal::Space space(instance->problem, *table,
                       optimal::PricedPlan{plan, planCost(instance->problem, plan, *table)});
  optimal::Translation translation(space);
  for (SelectionNode node = 0; node < states.size(); ++node)
    if (translation.problem.numStates(node) > 1) {
      states[node] = (states[node] + 1) % translation.problem.numStates(node);
      EXPECT_NE(check(), "");
      return;
    }
  FAIL() << "no node has a choice";
}

/// A residual that is larger in L1 than what the ops between leave of it.
constexpr llvm::StringLiteral kResidual = R"(
device grid 2x2
budget 80KiB
mock default time 1000 dram 500
mock ttnn.to_memory_config time 300
%a = argument 256x256xbf16 dram
%b = ttnn.relu(%a) : 256x256xbf16
%c = ttnn.relu(%b) : 256x256xbf16
%d = ttnn.relu(%c) : 256x256xbf16
%e = ttnn.add(%d, %b) : 256x256xbf16
return %e
)";

class BoundInOrder : public DamagedBound {
protected:
  llvm::StringRef text() const override { return kResidual; }
};

TEST_F(BoundInOrder, CountsWhatLiesBetweenOps) {
  ASSERT_TRUE(bound.inOrder.has_value());
  optimal::Space space(instance->problem, *table,
                       optimal::PricedPlan{plan, planCost(instance->problem, plan, *table)});
  optimal::Translation translation(space);
  SelectionCertificate inAnyOrder = proveBound(translation.problem, {translation.selectionOf(plan), {}});
  EXPECT_GT(bound.proof.bound, inAnyOrder.bound);
}

TEST_F(BoundInOrder, IsNoneOfAnyOrder) {
  bound.inOrder.reset();
  EXPECT_NE(check(), "");
}

TEST_F(BoundInOrder, WithAConflictOfWhatIsNoNodeIsRefused) {
  bound.inOrder->emplace_back(0, 1000);
  EXPECT_NE(check().find("a conflict of 0 and 1000, which are no nodes"), std::string::npos);
  bound.inOrder->back() = {1, 1};
  EXPECT_NE(check().find("a conflict of 1 and 1"), std::string::npos);
}

TEST_F(BoundInOrder, WithAHigherPriceIsRefused) {
  if (bound.proof.prices.empty())
    bound.proof.prices.push_back({1, bound.proof.scale});
  else
    ++bound.proof.prices.front().price;
  EXPECT_NE(check(), "");
}

/// The same as a file: what is written is what is read, and one thing changed in it is refused.
class DamagedCertificate : public DamagedBound {
protected:
  void SetUp() override {
    DamagedBound::SetUp();
    certificate.policy = "greedy";
    certificate.kept.emplace()["main"].insert("relu_0");
    certificate.functions.push_back(
        {"main", planCost(instance->problem, plan, *table).total(), toJson(instance->problem, plan), bound});
    EXPECT_EQ(verdict(), "");
  }
  /// Of what is read back.
  std::string verdict() {
    std::string text = llvm::formatv("{0}", toJson(certificate)).str();
    llvm::Expected<PlanCertificate> read = planCertificateFromJson(text);
    if (!read)
      return llvm::toString(read.takeError());
    EXPECT_EQ(llvm::formatv("{0}", toJson(*read)).str(), text);
    llvm::Expected<Plan> its = checkPlanCertificate(instance->problem, *table, read->functions.front());
    return its ? "" : llvm::toString(its.takeError());
  }
  void expectRefused(llvm::StringRef why) {
    std::string said = verdict();
    EXPECT_NE(said.find(why), std::string::npos) << said;
  }
  FunctionCertificate &its() { return certificate.functions.front(); }

  PlanCertificate certificate;
};

TEST_F(DamagedCertificate, OfAnotherCostIsRefused) {
  --its().bound.proof.cost;
  expectRefused("the selection costs");
}

TEST_F(DamagedCertificate, OfAnotherTimeIsRefused) {
  its().time = its().time - Nanoseconds(1);
  expectRefused("the plan takes");
}

TEST_F(DamagedCertificate, OfAHigherBoundIsRefused) {
  ++its().bound.proof.bound;
  expectRefused("the elimination proves a bound of");
}

TEST_F(DamagedCertificate, ThatSaysAnotherBoundIsRefused) {
  its().bound.time = its().bound.time + Nanoseconds(1);
  expectRefused("the proof is of a bound of");
}

TEST_F(DamagedCertificate, WithAnotherMultiplierIsRefused) {
  for (int64_t &gift : its().bound.proof.gifts.front().from)
    gift += its().bound.proof.scale * 1000;
  its().bound.proof.gifts.front().to.front() -= its().bound.proof.scale * 2000;
  expectRefused("prove a bound of");
}

TEST_F(DamagedCertificate, WithAnotherStateIsRefused) {
  its().bound.proof.states.front() += 1000;
  expectRefused("has no state");
}

TEST_F(DamagedCertificate, WithoutAStepIsRefused) {
  its().plan.getAsObject()->getArray("steps")->pop_back();
  EXPECT_NE(verdict(), "");
}

TEST_F(DamagedCertificate, OfOneFunctionTwiceIsRefused) {
  certificate.functions.push_back(its());
  certificate.functions.back().time = Nanoseconds(1);
  expectRefused("it has function 'main' twice");
}

TEST(PlanCertificate, SaysWhatIsMissing) {
  for (auto [text, why] :
       {std::pair("{}", "`policy`"), std::pair(R"({"policy": "beam"})", "`rewritten`"),
        std::pair(R"({"policy": "beam", "rewritten": null})", "`functions`"),
        std::pair(R"({"policy": "beam", "rewritten": {"main": [1]}})", "`rewritten`"),
        std::pair(R"({"policy": "beam", "rewritten": null, "functions": [{}]})", "`function`"),
        std::pair("[]", "no object")}) {
    llvm::Expected<PlanCertificate> read = planCertificateFromJson(text);
    ASSERT_FALSE(bool(read)) << text;
    std::string said = llvm::toString(read.takeError());
    EXPECT_NE(said.find(why), std::string::npos) << said;
  }
}

} // namespace
