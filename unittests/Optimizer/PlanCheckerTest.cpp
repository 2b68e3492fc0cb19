//===- PlanCheckerTest.cpp ------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each rule of the plan checker has a good plan that is broken in exactly that
// way, and the message must name the step, the tensor and the cause.
//
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"

using namespace tessera;

namespace {

/// A plan over a problem text, to be broken.
struct Case {
  explicit Case(llvm::StringRef text)
      : instance(parse(text)), problem(instance.problem), plan(declaredPlan(problem)) {}

  PlanCheck check() const { return checkPlan(problem, plan, *instance.model); }

  /// The one violation expected, "rule: message"; all of them, joined, if there are more or less.
  std::string violation() const {
    std::string text;
    for (const PlanViolation &violation : check().violations)
      text += (text.empty() ? "" : " | ") + violation.rule + ": " + violation.message;
    return text;
  }
  bool breaks(llvm::StringRef rule) const {
    PlanCheck result = check();
    return llvm::any_of(result.violations, [&](const PlanViolation &v) { return v.rule == rule; });
  }

  LayoutId l1(size_t value) {
    const Value &data = problem.values[value];
    return instance.layouts->intern(l1Interleaved(data.tensor, problem.device.workerGrid));
  }
  /// Inserts a conversion of `source` before `step`; returns its tensor.
  TensorId insertConversion(size_t step, TensorId source, LayoutId target, OpId op) {
    TensorId made(plan.tensors.size());
    plan.tensors.push_back({plan[source].value, target});
    PlanStep conversion;
    conversion.kind = PlanStep::Kind::Convert;
    conversion.op = op;
    conversion.reads = {source};
    conversion.writes = {made};
    plan.steps.insert(plan.steps.begin() + step, conversion);
    return made;
  }
  /// The op's results lie in L1 from now on.
  void produceInL1(size_t op) {
    for (size_t i = 0; i < problem.ops[op].results.size(); ++i) {
      TensorId made = plan.steps[op].writes[i];
      LayoutId layout = l1(plan[made].value.index());
      plan.tensors[made.index()].layout = plan.configs[op].outputs[i] = layout;
    }
  }

  ProblemInstance instance;
  const Problem &problem;
  Plan plan;
};

// x and y are t0 and t1; steps 0, 1, 2 make t2 (a), t3 (b), t4 (c).
constexpr llvm::StringLiteral kProgram = R"(
  device grid 1x1
  budget 100KiB
  %x = argument 32x640xbf16 dram          # 20 tiles of 2 KiB on one core: 40 KiB
  %y = constant 32x640xbf16 dram
  %a = ttnn.relu(%x) : 32x640xbf16
  %b = ttnn.add(%a, %y) : 32x640xbf16
  %c = ttnn.add(%b, %a) : 32x640xbf16
  return %c
)";

TEST(PlanChecker, AcceptsTheDeclaredProgram) {
  Case good(kProgram);
  EXPECT_EQ(good.violation(), "");
  EXPECT_EQ(good.check().l1.peak, Bytes(0));
}

TEST(PlanChecker, AccountsForL1) {
  Case c(R"(
    device grid 1x1
    budget 100KiB
    mock default buffers 4KiB
    %x = argument 32x640xbf16 dram
    %y = constant 32x640xbf16 dram
    %a = ttnn.relu(%x) : 32x640xbf16
    %b = ttnn.add(%a, %y) : 32x640xbf16
    %c = ttnn.add(%b, %a) : 32x640xbf16
    return %c
  )");
  c.produceInL1(0);
  c.produceInL1(1);
  PlanCheck check = c.check();
  EXPECT_TRUE(check.ok()) << c.violation();
  // a; a and b; a and b
  EXPECT_EQ(check.l1.tensors, (std::vector<Bytes>{Bytes(40960), Bytes(81920), Bytes(81920)}));
  EXPECT_EQ(check.l1.buffers, (std::vector<Bytes>{Bytes(4096), Bytes(4096), Bytes(4096)}));
  EXPECT_EQ(check.l1.peak, Bytes(81920 + 4096));
  EXPECT_EQ(check.l1.peakStep, StepIndex(1));
}

// ---- Structure -------------------------------------------------------------------------------------------

TEST(PlanChecker, DanglingIds) {
  Case tensor(kProgram);
  tensor.plan.steps[1].reads[0] = TensorId(99);
  EXPECT_EQ(tensor.violation(), "plan.dangling_id: step 1 (run b) names a tensor that does not exist");
  Case op(kProgram);
  op.plan.steps[1].op = OpId(99);
  EXPECT_EQ(op.violation(), "plan.dangling_id: step 1 (run ?) names an op that does not exist");
  Case layout(kProgram);
  layout.plan.tensors[3].layout = LayoutId(9999);
  EXPECT_EQ(layout.violation(), "plan.dangling_id: tensor t3 names a value or a layout that does not exist");
  Case returned(kProgram);
  returned.plan.returned[0] = TensorId();
  EXPECT_EQ(returned.violation(), "plan.dangling_id: a returned tensor does not exist");
  Case configs(kProgram);
  configs.plan.configs.pop_back();
  EXPECT_EQ(configs.violation(), "plan.dangling_id: the plan has 2 configurations for 3 ops");
}

TEST(PlanChecker, ArgumentsComeFirst) {
  Case c(kProgram);
  c.plan.tensors[1].layout = c.l1(1);
  EXPECT_EQ(c.violation(), "plan.arguments: tensor t1 should be argument %y in its declared layout");
}

TEST(PlanChecker, TensorsAreMadeOnce) {
  Case twice(kProgram);
  twice.plan.steps[1].writes[0] = TensorId(2);
  EXPECT_EQ(twice.violation(),
            "plan.written_twice: step 1 (run b) makes t2 (%a, dram/interleaved), which step 0 (run a) "
            "made before | plan.never_written: t3 (%b, dram/interleaved) is made by no step");
  Case argument(kProgram);
  argument.plan.steps[1].writes[0] = TensorId(0);
  EXPECT_TRUE(argument.breaks("plan.written_twice"));
}

TEST(PlanChecker, ReadsComeAfterWrites) {
  Case c(kProgram);
  std::swap(c.plan.steps[0], c.plan.steps[1]);
  EXPECT_EQ(
      c.violation(),
      "plan.reads_before_write: step 0 (run b) reads t2 (%a, dram/interleaved), which step 1 (run a) makes");
}

TEST(PlanChecker, EveryOpRunsOnce) {
  Case missing(kProgram);
  missing.plan.steps.pop_back();
  missing.plan.tensors.pop_back();
  missing.plan.returned = {TensorId(3)};
  EXPECT_TRUE(missing.breaks("plan.op_not_run"));
  EXPECT_TRUE(missing.breaks("plan.returned"));
  Case twice(kProgram);
  twice.plan.steps.push_back(twice.plan.steps[0]);
  twice.plan.steps.back().writes = {TensorId(twice.plan.tensors.size())};
  twice.plan.tensors.push_back(twice.plan.tensors[2]);
  EXPECT_EQ(twice.violation(),
            "plan.op_run_twice: step 3 (run a) runs the op that step 0 (run a) ran before");
}

TEST(PlanChecker, StepsMatchTheirOps) {
  Case count(kProgram);
  count.plan.steps[1].reads.pop_back();
  EXPECT_TRUE(count.breaks("plan.operand_count"));
  Case operand(kProgram);
  operand.plan.steps[1].reads[1] = TensorId(0);
  EXPECT_EQ(operand.violation(),
            "plan.operand_value: step 1 (run b) needs %y but reads t0 (%x, dram/interleaved)");
  Case layout(kProgram);
  layout.plan.configs[1].outputs[0] = layout.l1(3);
  EXPECT_EQ(layout.violation(), "plan.result_layout: step 1 (run b) makes t3 (%b, dram/interleaved), but its "
                                "configuration asks for another layout");
}

TEST(PlanChecker, ConversionsKeepTheValue) {
  Case good(kProgram);
  good.insertConversion(1, TensorId(2), good.l1(2), OpId(1));
  EXPECT_EQ(good.violation(), "");
  Case c(kProgram);
  TensorId made = c.insertConversion(1, TensorId(2), c.l1(2), OpId(1));
  c.plan.tensors[made.index()].value = ValueId(1);
  EXPECT_TRUE(c.breaks("plan.operand_value"));
}

TEST(PlanChecker, EffectsKeepTheirOrder) {
  llvm::StringRef text = R"(
    %cache = argument 32x64xbf16 dram
    %x = argument 32x64xbf16 dram
    ttnn.fill_cache(%cache, %x)
    %a = ttnn.relu(%cache) : 32x64xbf16 after fill_cache_0
    return %a
  )";
  Case good(text);
  EXPECT_EQ(good.violation(), "");
  Case c(text);
  std::swap(c.plan.steps[0], c.plan.steps[1]);
  EXPECT_EQ(
      c.violation(),
      "plan.effect_order: step 0 (run a) comes before step 1 (run fill_cache_0), which the program has the "
      "other way round: one of them writes memory that the other reads or writes");
}

/// The reader of what may be a view has to come first: no operand and no `after` says so.
TEST(PlanChecker, ViewsAreReadBeforeTheirMemoryIsWritten) {
  Case c(R"(
    %cache = argument 32x64xbf16 dram
    %x = argument 32x64xbf16 dram
    %view = ttnn.reshape(%cache) : 64x32xbf16
    %old = ttnn.relu(%view) : 64x32xbf16
    ttnn.fill_cache(%cache, %x) after view
    return %old
  )");
  EXPECT_EQ(c.violation(), "");
  std::swap(c.plan.steps[1], c.plan.steps[2]);
  EXPECT_EQ(
      c.violation(),
      "plan.effect_order: step 1 (run fill_cache_0) comes before step 2 (run old), which the program has "
      "the other way round: one of them writes memory that the other reads or writes");
}

TEST(PlanChecker, InPlaceWritesReachTheirReaders) {
  Case c(R"(
    device grid 1x1
    %cache = argument 32x64xbf16 dram
    %x = argument 32x64xbf16 dram
    ttnn.fill_cache(%cache, %x)
    %a = ttnn.relu(%cache) : 32x64xbf16
    return %a
  )");
  // The sink writes into a copy.
  TensorId copy = c.insertConversion(0, TensorId(0), c.l1(0), OpId(0));
  c.plan.steps[1].reads[0] = copy;
  EXPECT_EQ(c.violation(),
            "plan.in_place_copy: step 0 (conversion of %cache) copies t0 (%cache, dram/interleaved), which "
            "step 1 (run fill_cache_0) writes in place afterwards: the write would be lost or not seen");
}

TEST(PlanChecker, BuffersWrittenByOpsWithResultsReachTheirReaders) {
  Case c(R"(
    device grid 1x1
    %x = argument 32x64xbf16 dram
    %buffer = argument 32x64xbf16 dram
    %r = ttnn.exchange(%x, %buffer) : 32x64xbf16 fixed writes %buffer
    %a = ttnn.relu(%buffer) : 32x64xbf16 after r
    return %r, %a
  )");
  EXPECT_EQ(c.violation(), "");
  // The reader sees a copy from before the write.
  TensorId copy = c.insertConversion(0, TensorId(1), c.l1(1), OpId(1));
  c.plan.steps[2].reads[0] = copy;
  EXPECT_EQ(c.violation(),
            "plan.in_place_copy: step 0 (conversion of %buffer) copies t1 (%buffer, dram/interleaved), which "
            "step 1 (run r) writes in place afterwards: the write would be lost or not seen");
}

TEST(PlanChecker, ViewsAreNotCopiedBeforeWhatTheyViewIsWritten) {
  Case c(R"(
    device grid 1x1
    %cache = argument 32x64xbf16 dram
    %x = argument 32x64xbf16 dram
    %view = ttnn.reshape(%cache) : 32x64xbf16
    ttnn.fill_cache(%cache, %x) after view
    %a = ttnn.relu(%view) : 32x64xbf16 after fill_cache_0
    return %a
  )");
  EXPECT_EQ(c.violation(), "");
  TensorId copy = c.insertConversion(1, TensorId(2), c.l1(2), OpId(2));
  c.plan.steps[3].reads[0] = copy;
  EXPECT_EQ(c.violation(),
            "plan.in_place_copy: step 1 (conversion of %view) copies t2 (%view, dram/interleaved), which "
            "step 2 (run fill_cache_0) writes in place afterwards: the write would be lost or not seen");
}

TEST(PlanChecker, FixedOpsKeepTheirLayouts) {
  Case c(R"(
    device grid 1x1
    %x = argument 32x64xbf16 dram
    %a = ttnn.relu(%x) : 32x64xbf16
    %b = ttnn.relu(%a) : 32x64xbf16 fixed
    return %b
  )");
  EXPECT_EQ(c.violation(), "");
  c.produceInL1(0);
  EXPECT_EQ(c.violation(),
            "plan.fixed_layout: step 1 (run b) keeps its layouts, but reads t1 (%a, l1/interleaved), which "
            "step 0 (run a) made; declared is dram/interleaved");
}

TEST(PlanChecker, LayoutsFitTheirTensors) {
  Case shape(kProgram);
  TensorLayout wrong = l1Interleaved({{32, 64}, DataType::BFloat16}, {1, 1});
  wrong.memory = MemoryLayout::HeightSharded; // without cores
  shape.insertConversion(1, TensorId(2), shape.instance.layouts->intern(wrong), OpId(1));
  EXPECT_TRUE(shape.breaks("plan.layout_illegal")) << shape.violation();
  Case dtype(kProgram);
  TensorLayout f32 = dramInterleaved({{32, 640}, DataType::Float32});
  dtype.insertConversion(1, TensorId(2), dtype.instance.layouts->intern(f32), OpId(1));
  EXPECT_TRUE(dtype.breaks("plan.dtype_changed")) << dtype.violation();
}

TEST(PlanChecker, ReturnsWhatTheFunctionReturns) {
  Case layout(kProgram);
  layout.produceInL1(2);
  EXPECT_EQ(
      layout.violation(),
      "plan.returned: the function returns %c in dram/interleaved, the plan returns t4 (%c, l1/interleaved)");
  Case count(kProgram);
  count.plan.returned.clear();
  EXPECT_EQ(count.violation(), "plan.returned: the plan returns 0 tensors, the function 1");
}

constexpr llvm::StringLiteral kConv = R"(
  device grid 1x1
  %x = argument 32x64xbf16 dram
  %a = ttnn.relu(%x) : 32x64xbf16
  %v = ttnn.reshape(%a) : 32x64xbf16
  %b = ttnn.conv2d(%v) : 32x64xbf16
  %c = ttnn.add(%b, %x) : 32x64xbf16
  return %c
)";

TEST(PlanChecker, FreedInputsAreNotReadAgain) {
  Conv2dConfig frees;
  frees.deallocateActivation = true;
  Case good(kConv);
  good.plan.configs[2].specific = frees;
  EXPECT_EQ(good.violation(), "");
  Case readLater(kConv);
  readLater.plan.configs[2].specific = frees;
  readLater.insertConversion(3, TensorId(2), readLater.l1(2), OpId(3));
  EXPECT_EQ(readLater.violation(),
            "plan.deallocate_activation: step 2 (run b) frees t2 (%v, dram/interleaved), which "
            "step 3 (conversion of %v) reads afterwards, itself or through a view");
  Case throughView(kConv); // v may share a's buffer
  throughView.plan.configs[2].specific = frees;
  throughView.insertConversion(3, TensorId(1), throughView.l1(1), OpId(3));
  EXPECT_TRUE(throughView.breaks("plan.deallocate_activation"));
  Case argument(R"(
    %x = argument 32x64xbf16 dram
    %b = ttnn.conv2d(%x) : 32x64xbf16
    return %b
  )");
  argument.plan.configs[0].specific = frees;
  EXPECT_EQ(argument.violation(),
            "plan.deallocate_activation: step 0 (run b) frees t0 (%x, dram/interleaved), which the "
            "function returns or does not own");
}

// ---- Op model --------------------------------------------------------------------------------------------

TEST(PlanChecker, OpsValidateInTheirRealLayouts) {
  Case c(R"(
    device grid 1x1
    mock ttnn.relu dram_inputs
    %x = argument 32x64xbf16 dram
    %a = ttnn.add(%x, %x) : 32x64xbf16
    %b = ttnn.relu(%a) : 32x64xbf16
    return %b
  )");
  EXPECT_EQ(c.violation(), "");
  c.produceInL1(0);
  EXPECT_EQ(c.violation(),
            "plan.op_illegal: step 1 (run b): metal_backend_error mock: layouts refused; reads t1 (%a, "
            "l1/interleaved), made by step 0 (run a)");
}

TEST(PlanChecker, ConversionsValidateToo) {
  Case c(R"(
    device grid 1x1
    mock ttnn.to_memory_config metal_backend_error
    %x = argument 32x64xbf16 dram
    %a = ttnn.relu(%x) : 32x64xbf16
    return %a
  )");
  c.insertConversion(0, TensorId(0), c.l1(0), OpId(0));
  EXPECT_TRUE(c.breaks("plan.op_illegal"));
}

TEST(PlanChecker, L1CapacityNamesAllThatLivesThere) {
  Case c(R"(
    device grid 1x1
    budget 100KiB
    mock ttnn.add buffers 30KiB
    %x = argument 32x640xbf16 dram
    %a = ttnn.relu(%x) : 32x640xbf16
    %b = ttnn.relu(%x) : 32x640xbf16
    %c = ttnn.add(%b, %x) : 32x32xbf16
    %d = ttnn.relu(%a) : 32x32xbf16
    %e = ttnn.add(%c, %d) : 32x32xbf16
    return %e
  )");
  c.produceInL1(0);
  c.produceInL1(1);
  // At c: a 40 KiB and b 40 KiB in L1 and 30 KiB of buffers.
  EXPECT_EQ(c.violation(), "plan.l1_capacity: step 2 (run c) needs 112640 bytes of L1 per core, of 102400: "
                           "30720 circular buffers; t1 (%a, "
                           "l1/interleaved) 40960 bytes, made by step 0 (run a), needed until step 3 (run "
                           "d); t2 (%b, l1/interleaved) "
                           "40960 bytes, made by step 1 (run b), needed until step 2 (run c)");
}

/// Each of the 200 results lives to the end in L1, and no two fit: a message about each step, with all that lives there,
/// would be pages of text.
TEST(PlanChecker, MessagesOfAHopelessPlanAreCutOff) {
  std::string text = "device grid 1x1\nbudget 60KiB\n%x = argument 32x640xbf16 dram\n", returned;
  for (int i = 0; i < 200; ++i) {
    text += llvm::formatv("%a{0} = ttnn.relu(%x) : 32x640xbf16\n", i);
    returned += llvm::formatv("{0}%a{1}", i ? ", " : "", i);
  }
  Case c(text + "return " + returned + "\n");
  for (size_t i = 0; i < 200; ++i) {
    c.instance.problem.values[i + 1].declared = c.l1(i + 1);
    c.produceInL1(i);
  }
  PlanCheck check = c.check();
  EXPECT_EQ(check.violations.size(), kMaxPlanViolations);
  EXPECT_EQ(check.l1.tensors.size(), 200u);
  EXPECT_EQ(check.l1.peakStep, StepIndex(199));
  EXPECT_EQ(check.l1.peak, Bytes(200 * 40960));
  const std::string &last = check.violations.back().message; // step 100: 101 tensors, all of one size
  EXPECT_NE(last.find("t16 (%a15"), std::string::npos) << last;
  EXPECT_EQ(last.find("t17 (%a16"), std::string::npos) << last;
  EXPECT_NE(last.find("; 85 more tensors 3481600 bytes"), std::string::npos) << last;
}

TEST(PlanChecker, MarginCountsAndIsNamed) {
  Case c(R"(
    device grid 1x1
    budget 100KiB
    mock ttnn.add buffers 15KiB margin 10KiB
    %x = argument 32x640xbf16 dram
    %a = ttnn.relu(%x) : 32x640xbf16
    %b = ttnn.add(%a, %x) : 32x640xbf16
    %c = ttnn.relu(%b) : 32x640xbf16
    return %c
  )");
  c.produceInL1(0);
  EXPECT_EQ(c.check().l1.margins, (std::vector<Bytes>{Bytes(0), Bytes(10240), Bytes(0)}));
  EXPECT_EQ(c.check().l1.peak, Bytes(40960 + 15360 + 10240));
  c.produceInL1(1);
  EXPECT_EQ(c.violation(),
            "plan.l1_capacity: step 1 (run b) needs 107520 bytes of L1 per core, of 102400: "
            "15360 circular buffers, 10240 safety margin, as these figures are unconfirmed; t1 (%a, "
            "l1/interleaved) 40960 bytes, made by step 0 (run a), needed until step 1 (run b); t2 (%b, "
            "l1/interleaved) 40960 bytes, made by step 1 (run b), needed until step 2 (run c)");
}

TEST(PlanChecker, OtherLiveTensorsCountForTheOpModel) {
  // The mock itself refuses: additionalL1 is what makes it.
  Case c(R"(
    device grid 1x1
    budget 100KiB
    %x = argument 32x640xbf16 dram
    %k = ttnn.relu(%x) : 32x960xbf16
    %a = ttnn.relu(%x) : 32x640xbf16
    %b = ttnn.add(%a, %k) : 32x32xbf16
    return %b
  )");
  c.produceInL1(0); // 60 KiB
  EXPECT_EQ(c.violation(), "");
  c.produceInL1(1); // 40 KiB more: exactly 100 KiB
  EXPECT_EQ(c.violation(), "");
  c.produceInL1(0);
  TensorId extra = c.insertConversion(1, TensorId(0), c.l1(0), OpId(1));
  c.plan.steps[2].reads[0] = extra; // and 40 KiB of x
  EXPECT_TRUE(c.breaks("plan.l1_capacity"));
}

TEST(PlanChecker, TwoCopiesInOneLayoutCountTwice) {
  Case c(R"(
    device grid 1x1
    budget 100KiB
    %x = argument 32x640xbf16 dram
    %a = ttnn.add(%x, %x) : 32x32xbf16
    return %a
  )");
  TensorId first = c.insertConversion(0, TensorId(0), c.l1(0), OpId(0));
  TensorId second = c.insertConversion(1, TensorId(0), c.l1(0), OpId(0));
  c.plan.steps[2].reads = {first, second};
  EXPECT_EQ(c.check().l1.tensors[2], Bytes(2 * 40960));
}

TEST(PlanChecker, ViewsTakeNoL1OfTheirOwn) {
  Case c(R"(
    device grid 1x1
    budget 50KiB
    mock ttnn.reshape view
    %x = argument 32x640xbf16 dram
    %a = ttnn.relu(%x) : 32x640xbf16
    %v = ttnn.reshape(%a) : 32x640xbf16
    %b = ttnn.relu(%v) : 32x32xbf16
    return %b
  )");
  c.produceInL1(0);
  c.produceInL1(1);
  EXPECT_EQ(c.violation(), "");
  EXPECT_EQ(c.check().l1.tensors[1], Bytes(40960));
}

TEST(PlanChecker, NothingLivesInL1BesideAnUnknownOp) {
  Case c(R"(
    device grid 1x1
    mock ttnn.mystery not_implemented
    %x = argument 32x64xbf16 dram
    %a = ttnn.relu(%x) : 32x64xbf16
    %b = ttnn.mystery(%x) : 32x64xbf16 fixed
    %c = ttnn.add(%a, %b) : 32x64xbf16
    return %c
  )");
  EXPECT_EQ(c.violation(), "");
  c.produceInL1(0);
  EXPECT_EQ(c.violation(),
            "plan.unknown_op_pressure: step 1 (run b) may need all of L1 (not_implemented), but t1 (%a, "
            "l1/interleaved), made by step 0 (run a), lives across it");
}

TEST(PlanChecker, ConstantsFromEarlierRunsPutNoPressure) {
  Case c(R"(
    device grid 1x1
    mock ttcore.load_cached not_implemented
    %x = argument 32x64xbf16 dram
    %a = ttnn.relu(%x) : 32x64xbf16
    %w = ttcore.load_cached() : 32x64xbf16 fixed
    %c = ttnn.add(%a, %w) : 32x64xbf16
    return %c
  )");
  c.instance.problem.values[2].kind = ValueKind::Constant;
  c.produceInL1(0);
  EXPECT_EQ(c.violation(), "");
}

TEST(PlanChecker, AnotherLayoutThanPlannedIsFound) {
  // An op model that quietly answers with a layout of its own.
  class Stubborn final : public OpModel {
  public:
    Stubborn(OpModelContext context, LayoutId own) : OpModel(context), own(own) {}
    ValidationResult query(const OpQuery &) const override {
      ValidationResult result;
      result.status = ValidationStatus::Success;
      result.constraints.outputLayouts = {own};
      return result;
    }
    OpRuntime runtime(const OpQuery &) const override { return {}; }
    llvm::StringRef name() const override { return "stubborn"; }
    LayoutId own;
  };
  Case c(kProgram);
  Stubborn model({c.problem.device, *c.instance.layouts, c.problem.l1Budget}, c.l1(2));
  PlanCheck check = checkPlan(c.problem, c.plan, model);
  ASSERT_EQ(check.violations.size(), 3u);
  EXPECT_EQ(check.violations[0].rule, "plan.unexpected_layout");
}

TEST(PlanChecker, ADemandedConversionChangesTheLayoutAndIsTheLastOne) {
  Case broken(
      "%x = argument 64x64xbf16 dram\n"
      "%m = ttnn.to_memory_config(%x) : 64x64xbf16 declared l1 legal [l1, dram] conversion must_convert\n"
      "%a = ttnn.relu(%m) : 64x64xbf16\n"
      "return %a\n");
  EXPECT_EQ(broken.violation(), "");
  TensorId again = broken.insertConversion(1, TensorId(1), broken.problem.values[0].declared, OpId(1));
  broken.plan.steps[2].reads = {again};
  EXPECT_TRUE(broken.breaks("plan.override")) << broken.violation();

  Case idle("%x = argument 64x64xbf16 dram\n"
            "%m = ttnn.to_memory_config(%x) : 64x64xbf16 legal [dram, l1] conversion must_convert\n"
            "return %m\n");
  EXPECT_EQ(idle.violation(),
            "plan.override: step 0 (run m) converts nothing, but an override demands it: dram/interleaved");
}

TEST(PlanChecker, AnOverrideExcludesAllOtherConfigurations) {
  Case broken("%x = argument 64x64xbf16 dram\n"
              "%a = ttnn.relu(%x) : 64x64xbf16 only [l1]\n"
              "return %a\n");
  EXPECT_TRUE(
      checkPlan(broken.problem, basePlan(broken.problem, *broken.instance.model), *broken.instance.model)
          .ok());
  EXPECT_EQ(
      broken.violation(),
      "plan.override: step 0 (run a) runs in a configuration that its override excludes: dram/interleaved");
}

} // namespace
