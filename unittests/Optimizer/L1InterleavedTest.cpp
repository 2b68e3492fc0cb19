//===- L1InterleavedTest.cpp ----------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The policies without shards and the fallback analysis. The cases of upstream's
// l1_interleaved folder (facts/ir 9.4) keep its names.
//
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "L1Interleaved/L1Interleaved.h"
#include "L1Interleaved/L1Usage.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Policy/L1InterleavedFallback.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

namespace {

// ---- Precedence ------------------------------------------------------------------------------------------

L1Choice choose(llvm::ArrayRef<OperandL1> operands, OperandL1 result, int64_t usable) {
  return chooseL1Usage(operands, result.output, Bytes(usable),
                       [&](uint32_t, bool) { return std::optional(result.required); });
}

/// facts/ir 9.4, TestGreedyL1InterleavedPolicy.
TEST(L1Usage, UpstreamsPrecedence) {
  OperandL1 a{Bytes(2), Bytes(8)}, b{Bytes(3), Bytes(7)}, c{Bytes(1), Bytes(9)}, d{Bytes(4), Bytes(0)};
  L1Choice choice = choose({a, b, c}, d, 15);
  EXPECT_EQ(choice.kept, 0b111u);
  EXPECT_TRUE(choice.keepsResult);
  EXPECT_EQ(choice.precedence, (llvm::SmallVector<unsigned, 4>{2, 0, 1})); // C, A, B
  EXPECT_EQ(choice.required, Bytes(10));
  EXPECT_EQ(choice.bytes, Bytes(10));
}

TEST(L1Usage, LeavesOutWhatDoesNotFit) {
  OperandL1 a{Bytes(6), Bytes(6)}, b{Bytes(5), Bytes(5)}, d{Bytes(4), Bytes(4)};
  L1Choice choice = choose({a, b}, d, 10); // a + d; b would need 11 with a
  EXPECT_EQ(choice.kept, 0b01u);
  EXPECT_TRUE(choice.keepsResult);
  EXPECT_EQ(choice.required, Bytes(10));
}

TEST(L1Usage, NothingFits) {
  L1Choice choice = choose({OperandL1{Bytes(5), Bytes(50)}}, {Bytes(4), Bytes(20)}, 10);
  EXPECT_EQ(choice.kept, 0u);
  EXPECT_FALSE(choice.keepsResult);
}

TEST(L1Usage, AsksWhetherTheOpTakesTheSubset) {
  OperandL1 operand{Bytes(5), Bytes(5)};
  L1Choice choice = chooseL1Usage({operand, operand}, Bytes(0), Bytes(100), [](uint32_t kept, bool) {
    return kept == 0b11 ? std::nullopt : std::optional(Bytes(0)); // never both
  });
  EXPECT_EQ(choice.kept, 0b01u);
}

TEST(L1Usage, ManyOperandsAreLimitedToTheLargest) {
  std::vector<OperandL1> operands(40, {Bytes(1), Bytes(1)});
  operands[20] = {Bytes(100), Bytes(100)};
  L1Choice choice = choose(operands, {}, 1000);
  EXPECT_EQ(llvm::popcount(choice.kept), int(kMaxL1Operands));
  EXPECT_TRUE(choice.kept >> 20 & 1);
  EXPECT_EQ(choice.precedence.size(), 40u);
}

/// Against all n! orders, which upstream enumerates.
TEST(L1Usage, ThePrecedenceIsOptimal) {
  uint32_t random = 7;
  auto next = [&] { return Bytes((random = random * 1664525u + 1013904223u) >> 27); };
  for (int round = 0; round < 500; ++round) {
    std::vector<OperandL1> operands;
    for (int i = 0; i < 5; ++i) {
      Bytes output = next();
      operands.push_back({output, output + next()});
    }
    uint32_t kept = uint32_t(next().value());
    auto peak = [&](llvm::ArrayRef<unsigned> order) {
      Bytes resident, highest;
      for (unsigned i : order) {
        highest = std::max(highest, resident + operands[i].required);
        resident += kept >> i & 1 ? operands[i].output : Bytes(0);
      }
      return highest;
    };
    std::vector<unsigned> order = {0, 1, 2, 3, 4};
    Bytes best = peak(order);
    while (std::next_permutation(order.begin(), order.end()))
      best = std::min(best, peak(order));
    EXPECT_EQ(peak(bestPrecedence(operands, kept)), best);
  }
}

// ---- Whole problems --------------------------------------------------------------------------------------

constexpr llvm::StringLiteral kDevice = R"(
  device n150
  mock default time 1000 dram 1000
)";

std::string where(const Problem &problem, LayoutId id) {
  const TensorLayout &layout = problem.layout(id);
  return layout.isSharded() ? "sharded" : layout.isL1() ? "l1" : "dram";
}

/// Where each op writes its first result, in program order.
std::string places(const Problem &problem, const Plan &plan) {
  std::string text;
  for (auto [op, config] : llvm::zip_equal(problem.ops, plan.configs))
    text += (text.empty() ? "" : " ") + op.location + ":" + where(problem, config.outputs.front());
  return text;
}

std::string order(const Problem &problem, const Plan &plan) {
  std::string text;
  for (const PlanStep &step : plan.steps)
    if (step.kind == PlanStep::Kind::Run)
      text += (text.empty() ? "" : " ") + problem[step.op].location;
  return text;
}

struct Planned {
  using Planner = Plan (*)(const Problem &, const OpCostTable &);

  Planned(llvm::StringRef text, llvm::StringRef policy) : instance(parse((kDevice + text).str())) {
    check(solve(*findPolicy(policy), problem, *instance.model, {}));
  }
  Planned(llvm::StringRef text, Planner planner) : instance(parse((kDevice + text).str())) {
    check(planner(problem, *instance.model));
  }
  void check(Plan made) {
    plan = std::move(made);
    for (const PlanViolation &violation : checkPlan(problem, plan, *instance.model).violations)
      ADD_FAILURE() << violation.rule << ": " << violation.message;
    EXPECT_LE(planCost(problem, plan, *instance.model).total(),
              planCost(problem, declaredPlan(problem), *instance.model).total());
  }
  std::string places() const { return ::places(problem, plan); }
  std::string order() const { return ::order(problem, plan); }

  ProblemInstance instance;
  const Problem &problem = instance.problem;
  Plan plan;
};

TEST(GreedyL1Interleaved, KeepsWhatHasOneReader) {
  Planned planned(R"(
    %x = argument 1024x1024xbf16 dram
    %a = ttnn.relu(%x) : 1024x1024xbf16
    %b = ttnn.relu(%a) : 1024x1024xbf16
    %f = ttnn.relu(%b) : 1024x1024xbf16
    %c = ttnn.relu(%f) : 1024x1024xbf16
    %d = ttnn.add(%c, %f) : 1024x1024xbf16
    return %d
  )",
                  "greedy-l1-interleaved");
  EXPECT_EQ(planned.places(), "a:l1 b:l1 f:dram c:l1 d:dram"); // f has two readers, d is returned
}

TEST(GreedyL1Interleaved, TheDemandingOperandGoesFirst) {
  // softmax needs 1 MiB of buffers: it must run before a is there.
  Planned planned(R"(
    budget 1280KiB
    mock ttnn.softmax buffers 1024KiB
    %x = argument 2048x2048xbf16 dram
    %a = ttnn.relu(%x) : 2048x2048xbf16
    %s = ttnn.softmax(%x) : 2048x2048xbf16
    %d = ttnn.add(%a, %s) : 2048x2048xbf16
    return %d
  )",
                  "greedy-l1-interleaved");
  EXPECT_EQ(planned.order(), "s a d"); // 128 KiB per core each
  EXPECT_EQ(planned.places(), "a:l1 s:l1 d:dram");
}

TEST(GreedyL1Interleaved, FollowsEveryReturnedValueAndOperand) {
  Planned planned(R"(
    %x = argument 1024x1024xbf16 dram
    %a = ttnn.relu(%x) : 1024x1024xbf16
    %b = ttnn.relu(%x) : 1024x1024xbf16
    %c = ttnn.add(%x, %a) : 1024x1024xbf16
    %d = ttnn.add(%x, %b) : 1024x1024xbf16
    return %c, %d
  )",
                  "greedy-l1-interleaved");
  EXPECT_EQ(planned.places(), "a:l1 b:l1 c:dram d:dram");
}

TEST(GreedyL1Interleaved, LeavesTheBudgetAlone) {
  Planned planned(R"(
    budget 200KiB
    %x = argument 2048x2048xbf16 dram
    %a = ttnn.relu(%x) : 2048x2048xbf16
    %b = ttnn.relu(%a) : 2048x2048xbf16
    %c = ttnn.relu(%b) : 2048x2048xbf16
    return %c
  )",
                  "greedy-l1-interleaved");
  EXPECT_EQ(planned.places(), "a:dram b:l1 c:dram"); // 128 KiB each: never two at a time
}

TEST(BFInterleaved, SolvesTheSimpleForkJoin) {
  Planned planned(R"(
    %x = argument 1024x1024xbf16 dram
    %a = ttnn.relu(%x) : 1024x1024xbf16
    %b = ttnn.relu(%a) : 1024x1024xbf16
    %c = ttnn.relu(%a) : 1024x1024xbf16
    %d = ttnn.add(%b, %c) : 1024x1024xbf16
    %e = ttnn.relu(%d) : 1024x1024xbf16
    return %e
  )",
                  "bf-interleaved");
  EXPECT_EQ(planned.places(), "a:l1 b:l1 c:l1 d:l1 e:dram");
}

TEST(BFInterleaved, WhatFreesL1GoesFirst) {
  // After a and b, the sums that free 128 KiB are ready together with c, which adds 128: the frees go first.
  Planned planned(R"(
    %x = argument 2048x2048xbf16 dram
    %a = ttnn.relu(%x) : 2048x2048xbf16
    %c = ttnn.relu(%x) : 2048x2048xbf16
    %s = ttnn.softmax(%a) : 32x32xbf16
    %d = ttnn.add(%c, %s) : 2048x2048xbf16
    return %d
  )",
                  "bf-interleaved");
  EXPECT_EQ(planned.order(), "a s c d");
}

TEST(BFInterleaved, GoesToDramWhereItDoesNotFit) {
  Planned planned(R"(
    budget 300KiB
    %x = argument 2048x2048xbf16 dram
    %a = ttnn.relu(%x) : 2048x2048xbf16
    %b = ttnn.relu(%a) : 2048x2048xbf16
    %c = ttnn.add(%b, %a) : 2048x2048xbf16
    %d = ttnn.add(%c, %a) : 2048x2048xbf16
    return %d
  )",
                  "bf-interleaved");
  EXPECT_EQ(planned.places(), "a:l1 b:l1 c:dram d:dram"); // a and b are 256 KiB, c would be a third
}

TEST(BFInterleaved, KeepsTheOrderOfMemoryEffects) {
  Planned planned(R"(
    %cache = argument 1024x1024xbf16 dram
    %x = argument 1024x1024xbf16 dram
    %a = ttnn.relu(%x) : 1024x1024xbf16
    ttnn.fill_cache(%cache, %a)
    %b = ttnn.relu(%cache) : 1024x1024xbf16 after fill_cache_0
    return %b
  )",
                  "bf-interleaved");
  EXPECT_EQ(planned.order(), "a fill_cache_0 b");
}

// ---- Fallback analysis -----------------------------------------------------------------------------------

Plan fallback(const Problem &problem, const OpCostTable &model) {
  return upgradeToL1Interleaved(problem, declaredPlan(problem), model);
}

std::string upgraded(llvm::StringRef text) { return Planned(text, fallback).places(); }

TEST(L1InterleavedFallback, Addx10) {
  std::string text = "%x = argument 1024x1024xbf16 dram\n%v0 = ttnn.add(%x, %x) : 1024x1024xbf16\n";
  for (int i = 1; i < 10; ++i)
    text += llvm::formatv("%v{0} = ttnn.add(%v{1}, %x) : 1024x1024xbf16\n", i, i - 1);
  text += "return %v9\n";
  EXPECT_EQ(upgraded(text), "v0:l1 v1:l1 v2:l1 v3:l1 v4:l1 v5:l1 v6:l1 v7:l1 v8:l1 v9:dram");
}

TEST(L1InterleavedFallback, ForkJoin) {
  EXPECT_EQ(upgraded(R"(
    %x = argument 1024x1024xbf16 dram
    %a = ttnn.relu(%x) : 1024x1024xbf16
    %b = ttnn.relu(%a) : 1024x1024xbf16
    %c = ttnn.relu(%a) : 1024x1024xbf16
    %d = ttnn.add(%b, %c) : 1024x1024xbf16
    %e = ttnn.relu(%d) : 1024x1024xbf16
    return %e
  )"),
            // a is a fork; b's reader is not the next op; c's and d's are.
            "a:dram b:dram c:l1 d:l1 e:dram");
}

TEST(L1InterleavedFallback, ForkJoinSharded) {
  // b was decided to be sharded before; that stays.
  EXPECT_EQ(upgraded(R"(
    %x = argument 1024x1024xbf16 dram
    %a = ttnn.relu(%x) : 1024x1024xbf16
    %b = ttnn.relu(%a) : 1024x1024xbf16 declared l1/height_sharded/32x1
    %c = ttnn.relu(%a) : 1024x1024xbf16
    %d = ttnn.add(%b, %c) : 1024x1024xbf16
    return %d
  )"),
            "a:dram b:sharded c:l1 d:dram");
}

TEST(L1InterleavedFallback, Minimal) {
  EXPECT_EQ(upgraded(R"(
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x32xbf16
    %b = ttnn.relu(%a) : 32x32xbf16
    return %b
  )"),
            "a:l1 b:dram");
}

TEST(L1InterleavedFallback, RuntimeSupportTypecastSlice) {
  EXPECT_EQ(upgraded(R"(
    %x = argument 1024x1024xbf16 dram
    %a = ttnn.typecast(%x) : 1024x1024xf32
    %b = ttnn.relu(%a) : 1024x1024xf32
    %c = ttnn.slice_static(%b) : 512x1024xf32
    %d = ttnn.relu(%c) : 512x1024xf32
    return %d
  )"),
            "a:dram b:dram c:dram d:dram"); // neither writes nor reads it
}

TEST(L1InterleavedFallback, SimpleConv2d) {
  ProblemInstance instance = parse(R"(
    mock default time 1000 dram 1000
    %x = argument 1024x64xbf16 dram
    %w = constant 64x64xbf16 dram
    %p = ttnn.conv2d(%x, %w) : 1024x64xbf16
    %a = ttnn.relu(%p) : 1024x64xbf16
    %r = ttnn.reshape(%a) : 2048x32xbf16
    %b = ttnn.relu(%r) : 2048x32xbf16
    %q = ttnn.conv2d(%b, %w) : 1024x64xbf16
    %c = ttnn.relu(%q) : 1024x64xbf16
    return %c
  )");
  auto setKernel = [&](size_t op, int64_t size) {
    OpSignature signature = instance.problem.signature(OpId(op));
    signature.attributes = {{"kernel_size", std::vector<int64_t>{size, size}},
                            {"padding", std::vector<int64_t>{0, 0}},
                            {"stride", std::vector<int64_t>{1, 1}}};
    instance.problem.ops[op].signature = instance.signatures->intern(signature);
  };
  setKernel(0, 1); // a 1x1 conv2d is a matmul: excluded
  setKernel(4, 3);
  Plan plan = fallback(instance.problem, *instance.model);
  EXPECT_TRUE(checkPlan(instance.problem, plan, *instance.model).ok());
  // p, r: excluded as writers. a may write for the reshape, b for the 3x3 conv2d, which may write for c.
  EXPECT_EQ(places(instance.problem, plan), "p:dram a:l1 r:dram b:l1 q:l1 c:dram");
}

/// 4096x4096xbf16 is 512 KiB per core on 64, 5120x5120 800 KiB, 8192x8192 2 MiB.
TEST(L1InterleavedFallback, StorageFailNextop) {
  EXPECT_EQ(upgraded(R"(
    budget 818KiB  # 0.6 of usable L1
    %x = argument 4096x4096xbf16 dram
    %a = ttnn.relu(%x) : 4096x4096xbf16
    %b = ttnn.relu(%a) : 4096x4096xbf16 declared l1/height_sharded/64x1
    %c = ttnn.relu(%b) : 4096x4096xbf16
    return %c
  )"),
            "a:dram b:sharded c:dram");
}

TEST(L1InterleavedFallback, StorageFailOperand) {
  EXPECT_EQ(upgraded(R"(
    %x = argument 5120x5120xbf16 dram
    %a = ttnn.relu(%x) : 5120x5120xbf16
    %b = ttnn.add(%a, %x) : 5120x5120xbf16
    %c = ttnn.relu(%b) : 5120x5120xbf16
    return %c
  )"),
            "a:l1 b:dram c:dram"); // a and b together would be 1600 KiB
}

TEST(L1InterleavedFallback, StorageFailResult) {
  EXPECT_EQ(upgraded(R"(
    %x = argument 8192x8192xbf16 dram
    %a = ttnn.relu(%x) : 8192x8192xbf16
    %b = ttnn.relu(%a) : 8192x8192xbf16
    return %b
  )"),
            "a:dram b:dram");
}

TEST(L1InterleavedFallback, AddsNoConversionsAndMayFollowAnyPolicy) {
  Planned planned(
      R"(
    %x = argument 1024x1024xbf16 dram
    %a = ttnn.relu(%x) : 1024x1024xbf16 legal [dram]
    %b = ttnn.relu(%a) : 1024x1024xbf16 legal [dram]
    return %b
  )",
      +[](const Problem &problem, const OpCostTable &model) {
        return upgradeToL1Interleaved(problem, solve(*findPolicy("df-sharding"), problem, model, {}), model);
      });
  EXPECT_EQ(planned.places(), "a:l1 b:dram"); // beyond what the analyses offered to the policy
  EXPECT_EQ(planned.plan.steps.size(), 2u);
}

TEST(L1InterleavedFallback, RespectsWhatElseLiesInL1) {
  EXPECT_EQ(upgraded(R"(
    budget 1000KiB
    %k = argument 5120x5120xbf16 l1
    %x = argument 2048x2048xbf16 dram
    %a = ttnn.relu(%x) : 2048x2048xbf16
    %b = ttnn.relu(%a) : 2048x2048xbf16
    %c = ttnn.relu(%b) : 2048x2048xbf16
    return %c, %k
  )"),
            "a:l1 b:dram c:dram"); // 800 for k, 128 each for a and b
}

} // namespace
