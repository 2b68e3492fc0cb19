//===- PlanTest.cpp -------------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "tessera/OpModel/Conversions.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/ConversionEffects.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanText.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

constexpr llvm::StringLiteral kChain = R"(
  device grid 2x2
  mock default time 1000 dram 100
  mock ttnn.to_memory_config time 3000 dram 0
  %x = argument 64x64xbf16 dram
  %a = ttnn.relu(%x) : 64x64xbf16 legal [l1, l1/height_sharded/2x1, dram]
  %b = ttnn.relu(%a) : 64x64xbf16
  return %b
)";

/// a in L1, spilled, b reads the DRAM copy.
struct SpilledChain {
  ProblemInstance instance = parse(kChain);
  const Problem &problem = instance.problem;
  LayoutId l1 = problem.ops[0].legal[0].outputs[0];
  LayoutId dram = problem.values[1].declared;
  Plan plan = build();

  Plan build() {
    PlanBuilder builder(problem, "test");
    builder.run(OpId(0), {builder.original(ValueId(0))}, problem.ops[0].legal[0]);
    TensorId spilled = builder.convert(builder.original(ValueId(1)), dram, OpId(0));
    builder.run(OpId(1), {spilled}, problem.ops[1].declared);
    return builder.finish();
  }
};

TEST(PlanBuilder, NumbersTensorsAndSteps) {
  SpilledChain chain;
  ASSERT_EQ(chain.plan.tensors.size(), 4u); // x, a, spilled a, b
  EXPECT_EQ(chain.plan.tensors[0].value, ValueId(0));
  EXPECT_EQ(chain.plan.tensors[1].layout, chain.l1);
  EXPECT_EQ(chain.plan.tensors[2].value, ValueId(1));
  EXPECT_EQ(chain.plan.tensors[2].layout, chain.dram);
  ASSERT_EQ(chain.plan.steps.size(), 3u);
  EXPECT_EQ(chain.plan.steps[1].kind, PlanStep::Kind::Convert);
  EXPECT_EQ(chain.plan.steps[1].op, OpId(0));
  EXPECT_EQ(chain.plan.returned, std::vector<TensorId>{TensorId(3)});
  EXPECT_EQ(chain.plan.configs[0], chain.problem.ops[0].legal[0]);
}

TEST(PlanBuilder, ReturnsInTheDeclaredLayout) {
  ProblemInstance instance = parse(kChain);
  const Problem &problem = instance.problem;
  PlanBuilder builder(problem, "test");
  builder.run(OpId(0), {builder.original(ValueId(0))}, problem.ops[0].declared);
  OpConfig l1;
  l1.outputs = {problem.ops[0].legal[0].outputs[0]};
  builder.run(OpId(1), {builder.original(ValueId(1))}, l1);
  Plan plan = builder.finish();
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(plan.steps[2].kind, PlanStep::Kind::Convert);
  EXPECT_EQ(plan.steps[2].op, OpId(1));
  EXPECT_EQ(plan[plan.returned[0]].layout, problem.values[2].declared);
}

TEST(PlanBuilder, ReturnsACopyThatIsThereAlready) {
  ProblemInstance instance = parse(kChain);
  const Problem &problem = instance.problem;
  PlanBuilder builder(problem, "test");
  builder.run(OpId(0), {builder.original(ValueId(0))}, problem.ops[0].declared);
  OpConfig l1;
  l1.outputs = {problem.ops[0].legal[0].outputs[0]};
  builder.run(OpId(1), {builder.original(ValueId(1))}, l1);
  TensorId copy = builder.convert(builder.original(ValueId(2)), problem.values[2].declared, OpId(1));
  Plan plan = builder.finish();
  EXPECT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(plan.returned[0], copy);
}

TEST(Plan, LifetimesAreHalfOpen) {
  SpilledChain chain;
  std::vector<StepInterval> intervals = lifetimes(chain.problem, chain.plan);
  EXPECT_EQ(intervals[0], (StepInterval{StepIndex(0), StepIndex(3)})); // argument: throughout
  EXPECT_EQ(intervals[1],
            (StepInterval{StepIndex(0), StepIndex(2)})); // a: made by 0, last read by the spill at 1
  EXPECT_EQ(intervals[2], (StepInterval{StepIndex(1), StepIndex(3)})); // its copy: read at 2
  EXPECT_EQ(intervals[3], (StepInterval{StepIndex(2), StepIndex(3)})); // b: returned, to the end
}

TEST(Plan, UnreadTensorsLiveForTheirOwnStep) {
  ProblemInstance instance = parse(R"(
    %x = argument 64x64xbf16 dram
    %a = ttnn.relu(%x) : 64x64xbf16
    %b = ttnn.relu(%x) : 64x64xbf16
    return %b
  )");
  EXPECT_EQ(lifetimes(instance.problem, declaredPlan(instance.problem))[1],
            (StepInterval{StepIndex(0), StepIndex(1)}));
}

TEST(Plan, CostIsTheSumOverSteps) {
  SpilledChain chain;
  PlanCost cost = planCost(chain.problem, chain.plan, *chain.instance.model);
  // relu from DRAM to L1 1000 + 100; the spill 3000; relu from DRAM to DRAM 1000 + 2 * 100.
  EXPECT_EQ(cost.ops, Nanoseconds(2300));
  EXPECT_EQ(cost.conversions, Nanoseconds(3000));
  ASSERT_EQ(cost.steps.size(), 3u);
  EXPECT_EQ(cost.steps[1].total, Nanoseconds(3000));
  EXPECT_EQ(planCost(chain.problem, declaredPlan(chain.problem), *chain.instance.model).total(),
            Nanoseconds(2400));
}

TEST(Plan, ConversionsAreNamedAfterWhatChanges) {
  TensorDesc tensor{{64, 64}, DataType::BFloat16};
  TensorLayout dram = dramInterleaved(tensor), l1 = l1Interleaved(tensor, {8, 8});
  TensorLayout rows = dramInterleaved(tensor, PageLayout::RowMajor);
  TensorLayout wide = dramInterleaved({{64, 64}, DataType::Float32});
  EXPECT_EQ(conversionSignature(tensor.shape, dram, l1).name, "ttnn.to_memory_config");
  EXPECT_EQ(conversionSignature(tensor.shape, rows, dram).name, "ttnn.to_layout");
  EXPECT_EQ(conversionSignature(tensor.shape, dram, rows).operands[0].tensor, tensor);
  EXPECT_EQ(conversionSignature(tensor.shape, dram, wide).name, "ttnn.typecast");
  EXPECT_EQ(conversionSignature(tensor.shape, dram, wide).results[0].dtype, DataType::Float32);
}

TEST(Plan, PrintsAsAProgram) {
  SpilledChain chain;
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, chain.problem, chain.plan);
  EXPECT_EQ(text, "t0 = %x dram/interleaved\n"
                  "run     a (t0) -> t1 l1/interleaved\n"
                  "convert t1 -> t2 dram/interleaved  // spill of a\n"
                  "run     b (t2) -> t3 dram/interleaved\n"
                  "return  t3\n");
}

// ---- JSON ------------------------------------------------------------------------------------------------

/// By layouts and readers: whoever put conversions in, and with which op, they are called the same.
TEST(ConversionEffects, AreWhatHappensToTheValue) {
  ProblemInstance instance = parse(R"(
    device grid 2x2
    %x = argument 64x64xbf16 l1
    %a = ttnn.relu(%x) : 64x64xbf16
    %b = ttnn.relu(%a) : 64x64xbf16
    %c = ttnn.add(%a, %b) : 64x64xbf16
    return %c
  )");
  const Problem &problem = instance.problem;
  LayoutId dram = problem.values[1].declared, l1 = problem.values[0].declared;
  OpConfig inL1;
  inL1.outputs = {l1};
  PlanBuilder builder(problem, "test");
  TensorId copy = builder.convert(builder.original(ValueId(0)), dram, OpId(0));
  builder.run(OpId(0), {copy}, inL1);
  TensorId spilled = builder.convert(builder.original(ValueId(1)), dram, OpId(0));
  builder.run(OpId(1), {spilled}, problem.ops[1].declared);
  TensorId inL1Too = builder.convert(builder.original(ValueId(2)), l1, OpId(1));
  TensorId back = builder.convert(spilled, l1, OpId(2));
  builder.run(OpId(2), {back, inL1Too}, inL1);
  Plan plan = builder.finish();
  std::string text;
  for (const std::optional<ConversionEffect> &effect : conversionEffects(problem, plan))
    text += effect ? describe(problem, *effect) + "; " : "";
  // The argument stays in L1, so nothing leaves it; what is put behind b is made for its reader.
  EXPECT_EQ(text, "reshard for a; spill of a; reshard for c; reload for c; return of c; ");
}

TEST(PlanJson, ReadsBackWhatItWrote) {
  SpilledChain chain;
  llvm::Expected<Plan> read = planFromJson(chain.problem, toJson(chain.problem, chain.plan));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->policy, "test");
  EXPECT_EQ(read->configs, chain.plan.configs);
  EXPECT_EQ(read->returned, chain.plan.returned);
  ASSERT_EQ(read->steps.size(), chain.plan.steps.size());
  for (size_t i = 0; i < read->steps.size(); ++i) {
    EXPECT_EQ(read->steps[i].kind, chain.plan.steps[i].kind);
    EXPECT_EQ(read->steps[i].op, chain.plan.steps[i].op);
    EXPECT_EQ(read->steps[i].reads, chain.plan.steps[i].reads);
    EXPECT_EQ(read->steps[i].writes, chain.plan.steps[i].writes);
    EXPECT_EQ(read->steps[i].op, chain.plan.steps[i].op);
  }
  EXPECT_EQ(jsonText(chain.problem, *read), jsonText(chain.problem, chain.plan));
}

/// Whether it is one is the checker's question, and not that of who writes it down.
TEST(PlanJson, WritesWhatIsNoProgram) {
  ProblemInstance instance = parse(R"(
    %x = argument 64x64xbf16 dram
    %a = ttnn.to_memory_config(%x) : 64x64xbf16 conversion
    return %a
  )");
  Plan plan = declaredPlan(instance.problem);
  plan.steps.front().reads.clear();
  llvm::json::Value written = toJson(instance.problem, plan);
  EXPECT_EQ(toJson(instance.problem, llvm::cantFail(planFromJson(instance.problem, written))), written);
}

TEST(PlanJson, ReadsBackEveryKnob) {
  SpilledChain chain;
  MatmulProgramConfig matmul;
  matmul.kind = MatmulProgramConfig::Kind::MultiCast1D;
  matmul.grid = {8, 4};
  matmul.in0BlockW = 2;
  matmul.outSubblockH = 3;
  matmul.outSubblockW = 4;
  matmul.outBlockH = 5;
  matmul.outBlockW = 6;
  matmul.perCoreM = 7;
  matmul.perCoreN = 8;
  matmul.transposeMcast = true;
  matmul.fuseBatch = false;
  matmul.mcastIn0 = false;
  matmul.fusedActivation = "relu";
  Conv2dConfig conv2d;
  conv2d.shardLayout = MemoryLayout::BlockSharded;
  conv2d.actBlockHOverride = 64;
  conv2d.deallocateActivation = true;
  conv2d.slice = Conv2dConfig::Slice::DramWidth;
  conv2d.numSlices = 3;
  chain.plan.configs[0].specific = matmul;
  chain.plan.configs[1].specific = conv2d;
  llvm::Expected<Plan> read = planFromJson(chain.problem, toJson(chain.problem, chain.plan));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->configs, chain.plan.configs);
}

TEST(PlanJson, ReadsBackEveryKindOfLayout) {
  SpilledChain chain;
  TensorDesc tensor{{2, 40, 100}, DataType::Float32};
  TensorLayout odd = l1Sharded(tensor, MemoryLayout::HeightSharded, {3, 1}, {2, 2}, PageLayout::Tile);
  odd.mesh = "mesh text";
  odd.ignorePhysicalLayout = true;
  for (const TensorLayout &layout : {odd, systemMemory(tensor), dramInterleaved(tensor, PageLayout::RowMajor),
                                     l1Sharded(tensor, MemoryLayout::BlockSharded, {2, 2}, {2, 2})}) {
    chain.plan.tensors[2].layout = chain.instance.layouts->intern(layout);
    llvm::Expected<Plan> read = planFromJson(chain.problem, toJson(chain.problem, chain.plan));
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(chain.problem.layout(read->tensors[2].layout), layout);
  }
}

/// Changes one place of the JSON text and looks for the error.
TEST(PlanJson, ErrorsSayWhichEntryDoesNotFit) {
  struct {
    const char *from, *to, *error;
  } cases[] = {
      {"\"version\": 1", "\"version\": 2", "unknown version at plan.version"},
      {"\"location\": \"a\"", "\"location\": \"z\"",
       "another op than the module has there at plan.steps[0].location"},
      {"\"run\": 1", "\"run\": 17", "expected the number of an entry that exists at plan.steps[2].run"},
      {"\"dtype\": \"bf16\"", "\"dtype\": \"bf17\"", "unknown name at plan.layouts[0].dtype"},
      {"\"returned\"", "\"turned\"", "expected a list at plan.returned"},
      {"\"policy\": \"test\"", "\"policy\": 4", "expected string at plan.policy"},
  };
  SpilledChain chain;
  for (const auto &c : cases) {
    std::string text = jsonText(chain.problem, chain.plan);
    size_t at = text.find(c.from);
    ASSERT_NE(at, std::string::npos) << c.from;
    text.replace(at, strlen(c.from), c.to);
    llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
    ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
    llvm::Expected<Plan> read = planFromJson(chain.problem, *json);
    ASSERT_FALSE(bool(read)) << c.to;
    EXPECT_EQ(llvm::toString(read.takeError()), c.error);
  }
  for (const char *text : {"null", "[]", "{}", "{\"version\":1,\"policy\":\"\",\"layouts\":3}"}) {
    llvm::Expected<Plan> read = planFromJson(chain.problem, *llvm::json::parse(text));
    EXPECT_FALSE(bool(read)) << text;
    llvm::consumeError(read.takeError());
  }
}

} // namespace
