//===- KeptPlacesTest.cpp -------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// On the 64 cores of an n150 an interleaved tensor of 64 tiles has one on each: 32x204800 elements are 100 tiles a core, of 681 that lie between
// the base and the top.
//
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/KeptPlaces.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Plan/PlanText.h"

using namespace tessera;

namespace {

// a on top, b below; when a is gone 300 tiles are free above b and 281 below: not enough in one piece for d.
constexpr llvm::StringLiteral kHoles = R"(
  device n150
  %x = argument 32x32xbf16 dram
  %a = ttnn.relu(%x) : 32x614400xbf16 declared l1
  %b = ttnn.exp(%x) : 32x204800xbf16 declared l1
  %c = ttnn.relu(%a) : 32x32xbf16
  %d = ttnn.relu(%x) : 32x716800xbf16 declared l1
  %e = ttnn.add(%b, %d) : 32x32xbf16
  return %c, %e)";

struct Case {
  explicit Case(const std::string &text)
      : instance(parse(text)), problem(instance.problem), plan(declaredPlan(problem)) {}
  explicit Case(llvm::StringRef text = kHoles) : Case(text.str()) {}

  Plan kept() const { return withKeptPlaces(problem, plan, *instance.model); }
  bool isPlaced(const Plan &its) const { return hasAddresses(problem, its, *instance.model); }
  std::string violated(const Plan &its) const {
    std::string text;
    for (const PlanViolation &violation : checkPlan(problem, its, *instance.model).violations)
      text += violation.rule + ": " + violation.message + "\n";
    return text;
  }

  ProblemInstance instance;
  const Problem &problem;
  Plan plan;
};

TEST(KeptPlaces, AboveWhatIsFreedLater) {
  Case holes;
  EXPECT_FALSE(holes.isPlaced(holes.plan));
  Plan kept = holes.kept();
  ASSERT_EQ(kept.kept.size(), 1u);
  EXPECT_EQ(kept.kept[0].tensor, TensorId(2)); // b
  EXPECT_EQ(kept.kept[0].since, TensorId(1));  // a
  EXPECT_TRUE(holes.isPlaced(kept));
  EXPECT_EQ(holes.violated(kept), "");
  // Nothing is moved, so nothing takes time.
  EXPECT_EQ(planCost(holes.problem, kept, *holes.instance.model).total(),
            planCost(holes.problem, holes.plan, *holes.instance.model).total());
  PlanReplay replay = replayAsOpened(holes.problem, kept, *holes.instance.model);
  EXPECT_GT(replay.tensors[2]->begin, replay.tensors[1]->begin);
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, holes.problem, kept);
  EXPECT_NE(text.find("keep    the place of t2 l1/interleaved"), std::string::npos) << text;
}

TEST(KeptPlaces, NotWhereTheyWouldExceedL1) {
  // What makes a needs 300 tiles of buffers beside it: with the place of b that is more than there is.
  std::string text = kHoles.str();
  text.replace(text.find("ttnn.relu"), 9, "ttnn.sin");
  text.insert(text.find("%x = argument"), "mock ttnn.sin buffers 614400\n  ");
  Case exceeding(text);
  EXPECT_TRUE(exceeding.violated(exceeding.plan).empty());
  Plan kept = exceeding.kept();
  EXPECT_TRUE(kept.kept.empty());
  EXPECT_FALSE(exceeding.isPlaced(kept));
}

TEST(KeptPlaces, APlanThatHasAddressesStays) {
  std::string text = kHoles.str();
  text.replace(text.find("32x716800"), 9, "32x512000");
  Case fits(text);
  EXPECT_TRUE(fits.isPlaced(fits.plan));
  EXPECT_TRUE(fits.kept().kept.empty());
}

TEST(KeptPlaces, CountAsTensorsSinceTheyAreKept) {
  Case holes;
  PlanCheck before = checkPlan(holes.problem, holes.plan, *holes.instance.model),
            after = checkPlan(holes.problem, holes.kept(), *holes.instance.model);
  EXPECT_EQ(after.l1.total(StepIndex(0)) - before.l1.total(StepIndex(0)), Bytes(100 * 2048));
  EXPECT_EQ(after.l1.total(StepIndex(1)), before.l1.total(StepIndex(1)));
}

TEST(KeptPlaces, SinceATensorIsMadeAndNotItsPlaceKept) {
  Case holes;
  Plan plan = holes.plan;
  plan.kept = {{TensorId(2), TensorId(1)}, {TensorId(4), TensorId(2)}}; // b since a, d since b
  EXPECT_EQ(lifetimes(holes.problem, plan)[2].begin, StepIndex(0));
  EXPECT_EQ(lifetimes(holes.problem, plan)[4].begin, StepIndex(1));
}

TEST(KeptPlaces, ThoseThatCannotBeAreViolations) {
  Case holes;
  auto violatedBy = [&](std::vector<KeptPlace> kept) {
    Plan plan = holes.plan;
    plan.kept = std::move(kept);
    return holes.violated(plan);
  };
  auto starts = [](const std::string &text, llvm::StringRef with) {
    return llvm::StringRef(text).starts_with(with);
  };
  EXPECT_TRUE(starts(violatedBy({{TensorId(1), TensorId(2)}}), "plan.kept_place: the place of t1 (%a"))
      << "made first";
  EXPECT_TRUE(starts(violatedBy({{TensorId(3), TensorId(1)}}), "plan.kept_place: ")) << "in DRAM";
  EXPECT_TRUE(starts(violatedBy({{TensorId(2), TensorId(0)}}), "plan.kept_place: ")) << "since an argument";
  EXPECT_TRUE(starts(violatedBy({{TensorId(2), TensorId(1)}, {TensorId(2), TensorId(1)}}),
                     "plan.kept_place: the place of t2 (%b, l1/interleaved) is kept twice"));
  EXPECT_TRUE(starts(violatedBy({{TensorId(99), TensorId(1)}}), "plan.dangling_id: "));
}

TEST(KeptPlaces, AreReadBackFromJson) {
  Case holes;
  Plan kept = holes.kept();
  llvm::Expected<Plan> read = planFromJson(holes.problem, toJson(holes.problem, kept));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  ASSERT_EQ(read->kept.size(), 1u);
  EXPECT_EQ(read->kept[0].tensor, kept.kept[0].tensor);
  EXPECT_EQ(read->kept[0].since, kept.kept[0].since);
  llvm::json::Value wrong = toJson(holes.problem, kept);
  llvm::json::Array &places = *wrong.getAsObject()->getArray("kept");
  (*places[0].getAsObject())["since"] = 99;
  llvm::Expected<Plan> refused = planFromJson(holes.problem, wrong);
  ASSERT_FALSE(bool(refused));
  EXPECT_NE(llvm::toString(refused.takeError()).find("plan.kept[0].since"), std::string::npos);
}

} // namespace
