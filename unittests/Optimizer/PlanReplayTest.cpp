//===- PlanReplayTest.cpp -------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One core of a Wormhole chip, so that a tensor of n tiles takes n * 2,048 bytes. L1 goes from 103,712 to 1,499,136:
// 681 tiles and 736 bytes.
//
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"

using namespace tessera;

namespace {

constexpr int64_t kBase = 103712, kTop = 1499136, kTile = 2048;

struct Case {
  explicit Case(llvm::StringRef text)
      : instance(parse(("device grid 1x1\n" + text).str())), problem(instance.problem),
        plan(declaredPlan(problem)), freed(deallocationsAfterLastUse(problem, plan)) {}

  PlanReplay run() const {
    DeviceSpec device = instance.model->device();
    device.l1Size = Bytes(kTop); // the device of a problem text has no addresses
    return replayPlan(problem, plan, *instance.model, freed, device);
  }

  /// Tiles between the top of L1 and the tensor; -1: no address.
  static int64_t tilesBelowTop(const PlanReplay &replay, size_t tensor) {
    const std::optional<AddressRange> &range = replay.tensors[tensor];
    return range ? (kTop - range->begin.value()) / kTile : -1;
  }
  std::vector<int64_t> tilesBelowTop() const {
    PlanReplay replay = run();
    std::vector<int64_t> tiles;
    for (size_t i = 0; i < plan.tensors.size(); ++i)
      tiles.push_back(tilesBelowTop(replay, i));
    return tiles;
  }
  Conv2dConfig &convolution(size_t op) { return plan.configs[op].specific.emplace<Conv2dConfig>(); }

  ProblemInstance instance;
  Problem &problem;
  Plan plan;
  Deallocations freed;
};

using Tiles = std::vector<int64_t>;

/// The budgets that are tried if planning for each goes as `outcomes` says, in KiB.
std::vector<int64_t> tried(Bytes budget, std::vector<Attempt> outcomes) {
  Problem problem;
  problem.device = *findDevice("n150");
  problem.l1Budget = budget;
  std::vector<int64_t> budgets;
  forTighterBudgets(problem, kForHoles, [&](Bytes tighter) {
    budgets.push_back(tighter.value() / 1024);
    return budgets.size() <= outcomes.size() ? outcomes[budgets.size() - 1] : Attempt::Worse;
  });
  return budgets;
}

TEST(TighterBudgets, EndWhereTwoInARowAreOfNoUse) {
  using enum Attempt;
  Bytes whole = findDevice("n150")->usableL1(); // 1,395,424
  EXPECT_EQ(tried(whole, {}), (std::vector<int64_t>{1280, 1253}));
  EXPECT_EQ(tried(whole, {Unsound, Better, Worse, Better}),
            (std::vector<int64_t>{1280, 1253, 1212, 1158, 1090, 953}));
  // Those of a smaller cap are among those of a larger.
  EXPECT_EQ(tried(Bytes(1100 * 1024), {}), (std::vector<int64_t>{1090, 953}));
  EXPECT_EQ(tried(Bytes(1024), {}), (std::vector<int64_t>{}));
}

TEST(PlanReplay, ResultsLieAboveEachOtherUntilTheirLastUse) {
  Case chain(R"(
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x3200xbf16 declared l1
    %b = ttnn.relu(%a) : 32x6400xbf16 declared l1
    %c = ttnn.relu(%b) : 32x1600xbf16 declared l1
    %d = ttnn.relu(%c) : 32x32xbf16
    return %d)");
  // b is made while a lives, so it lies below it; c finds a's place.
  EXPECT_EQ(chain.tilesBelowTop(), Tiles({-1, 100, 300, 50, -1}));
  EXPECT_TRUE(chain.run().fits());
}

TEST(PlanReplay, ArgumentsInL1AreThereBeforeAllElse) {
  Case argument(R"(
    %x = argument 32x320xbf16 l1
    %y = argument 32x320xbf16 l1
    %a = ttnn.add(%x, %y) : 32x32xbf16 declared l1
    return %a)");
  EXPECT_EQ(argument.tilesBelowTop(), Tiles({10, 20, 21}));
}

TEST(PlanReplay, HolesMayBeTooSmallThoughBytesAreFree) {
  Case holes(R"(
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x9600xbf16 declared l1
    %b = ttnn.relu(%x) : 32x3200xbf16 declared l1
    %c = ttnn.relu(%a) : 32x32xbf16
    %d = ttnn.relu(%x) : 32x11200xbf16 declared l1
    %e = ttnn.add(%b, %d) : 32x32xbf16
    return %c, %e)");
  PlanReplay replay = holes.run(); // 300 tiles are free above b, 281 below
  ASSERT_EQ(replay.noRoom.size(), 1u);
  EXPECT_EQ(replay.noRoom[0].step, StepIndex(3));
  EXPECT_EQ(replay.noRoom[0].tensor, TensorId(4));
  EXPECT_EQ(replay.noRoom[0].reserved, Bytes(350 * kTile));
  EXPECT_EQ(replay.noRoom[0].freeBytes, Bytes(kTop - kBase - 100 * kTile));
  EXPECT_EQ(replay.noRoom[0].largestHole, Bytes(300 * kTile));
  EXPECT_FALSE(replay.fits());
}

constexpr const char *kClash = R"(
    mock ttnn.softmax buffers 1187840
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x3200xbf16 declared l1
    %s = ttnn.softmax(%x) : 32x32xbf16
    %b = ttnn.add(%a, %s) : 32x32xbf16
    return %b)"; // 580 tiles of buffers, 100 of a: one tile is left

TEST(PlanReplay, CircularBuffersEndBelowTheLowestTensor) {
  PlanReplay replay = Case(kClash).run();
  EXPECT_TRUE(replay.fits());
  EXPECT_EQ(replay.steps[1].buffers, (AddressRange{Bytes(kBase), Bytes(kBase + 580 * kTile)}));
  EXPECT_EQ(replay.steps[1].lowest, Bytes(kTop - 100 * kTile));
}

TEST(PlanReplay, AClashNamesWhatLiesBelowTheEnd) {
  // Two tiles that lie above a, where one is left.
  auto [mock, program] = llvm::StringRef(kClash).split("%x");
  Case more((mock + "%y = argument 32x64xbf16 l1\n%x" + program).str());
  PlanReplay replay = more.run();
  ASSERT_EQ(replay.clashes.size(), 1u);
  EXPECT_EQ(replay.clashes[0].step, StepIndex(1));
  EXPECT_EQ(replay.clashes[0].verdict, LaunchVerdict::Clash);
  EXPECT_EQ(replay.clashes[0].end, Bytes(kBase + 580 * kTile));
  EXPECT_EQ(replay.clashes[0].tensors, std::vector<TensorId>({TensorId(2)})); // y lies above the end
}

TEST(PlanReplay, BuffersAloneMayBeTooMuch) {
  PlanReplay replay = Case(R"(
    mock ttnn.softmax buffers 1400000
    %x = argument 32x32xbf16 dram
    %s = ttnn.softmax(%x) : 32x32xbf16
    return %s)")
                          .run();
  ASSERT_EQ(replay.clashes.size(), 1u);
  EXPECT_EQ(replay.clashes[0].verdict, LaunchVerdict::BeyondL1);
}

TEST(PlanReplay, OpsThatNobodyKnowsHaveNoBuffers) {
  PlanReplay replay = Case(R"(
    mock ttnn.mystery not_implemented
    %x = argument 32x32xbf16 dram
    %s = ttnn.mystery(%x) : 32x32xbf16 fixed declared l1
    return %s)")
                          .run();
  EXPECT_EQ(replay.steps[0].buffers, std::nullopt);
  EXPECT_EQ(Case::tilesBelowTop(replay, 1), 1); // its result takes its place all the same
}

constexpr const char *kView = R"(
    mock ttnn.reshape view
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x3200xbf16 declared l1
    %v = ttnn.reshape(%a) : 32x3200xbf16 declared l1
    %b = ttnn.relu(%x) : 32x320xbf16 declared l1
    %c = ttnn.add(%v, %b) : 32x32xbf16
    return %c)";

TEST(PlanReplay, AViewKeepsWhatItViews) {
  // a is freed after v is made, but v still holds the memory: b lies below.
  EXPECT_EQ(Case(kView).tilesBelowTop(), Tiles({-1, 100, 100, 110, -1}));
}

TEST(PlanReplay, AForcedDeallocateTakesItFromTheView) {
  Case view(kView);
  for (std::vector<Deallocation> &freed : view.freed)
    for (Deallocation &each : freed)
      each.force = true;
  EXPECT_EQ(view.tilesBelowTop(), Tiles({-1, 100, 100, 10, -1}));
}

TEST(PlanReplay, DeallocatesAreTakenAsTheyAre) {
  Case late(R"(
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x3200xbf16 declared l1
    %b = ttnn.relu(%a) : 32x32xbf16 declared l1
    %c = ttnn.relu(%b) : 32x32xbf16 declared l1
    return %c)");
  late.freed = Deallocations(4); // nothing is freed
  EXPECT_EQ(late.tilesBelowTop(), Tiles({-1, 100, 101, 102}));
  late.freed[1].push_back({TensorId(1)}); // before b is made
  EXPECT_EQ(late.tilesBelowTop(), Tiles({-1, 100, 1, 2}));
}

TEST(PlanReplay, AConvolutionMayFreeItsInputBeforeItsResult) {
  Case conv(R"(
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x3200xbf16 declared l1
    %b = ttnn.conv2d(%a) : 32x320xbf16 declared l1
    return %b)");
  EXPECT_EQ(conv.tilesBelowTop(), Tiles({-1, 100, 110}));
  conv.convolution(1).deallocateActivation = true;
  EXPECT_EQ(conv.tilesBelowTop(), Tiles({-1, 100, 10}));
}

TEST(PlanReplay, WhatAnOpNeedsLiesAboveItsResult) {
  Case steps(R"(
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x32xbf16 declared l1
    %b = ttnn.clamp_tensor(%a, %a, %a) : 32x32xbf16 declared l1
    %c = ttnn.relu(%b) : 32x32xbf16 declared l1
    return %c)");
  DeviceSpec device = steps.problem.device;
  device.l1Size = Bytes(kTop);
  std::unique_ptr<OpModel> model =
      createAnalyticOpModel({device, *steps.problem.layouts, device.usableL1(), BackendVersion::Newest});
  PlanReplay replay = replayPlan(steps.problem, steps.plan, *model, steps.freed, device);
  EXPECT_EQ(replay.steps[1].temporaries,
            (std::vector<AddressRange>{{Bytes(kTop - 5 * kTile), Bytes(kTop - kTile)}}));
  EXPECT_EQ(Case::tilesBelowTop(replay, 2), 6); // made while the steps before it live
  EXPECT_EQ(Case::tilesBelowTop(replay, 3), 1);
}

TEST(PlanReplay, L1SmallLiesOnTop) {
  Case chain(R"(
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x32xbf16 declared l1
    return %a)");
  DeviceSpec device = chain.problem.device;
  device.l1Size = Bytes(kTop);
  device.l1SmallSize = Bytes(4 * kTile);
  std::unique_ptr<OpModel> model = createAnalyticOpModel({device, *chain.problem.layouts, device.usableL1()});
  PlanReplay replay = replayPlan(chain.problem, chain.plan, *model, chain.freed, model->device());
  EXPECT_EQ(Case::tilesBelowTop(replay, 1), 5);
}

} // namespace
