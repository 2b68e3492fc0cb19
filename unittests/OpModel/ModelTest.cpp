//===- ModelTest.cpp - The contract of every op model --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "tessera/OpModel/LayoutJson.h"
#include "tessera/OpModel/MockOpModel.h"
#include "tessera/OpModel/OpCostTable.h"
#include "gtest/gtest.h"

#include <thread>

using namespace tessera;

namespace {

class ModelTest : public testing::Test {
protected:
  const DeviceSpec &device = *findDevice("n150");
  LayoutPool layouts;
  OpModelContext context{device, layouts, device.usableL1()};
  std::unique_ptr<OpModel> model = createAnalyticOpModel(context);

  TextQuery parse(llvm::StringRef text) { return parseQuery(text, layouts, device); }
  ValidationResult ask(llvm::StringRef text, Bytes additional = Bytes(0)) {
    TextQuery q = parse(text);
    q.additionalL1 = additional;
    return model->query(q.query());
  }
};

// ---- L1 accounting --------------------------------------------------------------------------------------
TEST_F(ModelTest, OperandsCountOncePerTensor) {
  TextQuery different = parse("ttnn.add 64x1024@l1, 64x1024@l1 -> 64x1024@l1");
  TextQuery same = parse("ttnn.add 64x1024@l1, =0 -> 64x1024@l1");
  EXPECT_EQ(operandL1Bytes(different.query(), context).value(), 2 * 2048);
  EXPECT_EQ(operandL1Bytes(same.query(), context).value(), 2048);
  // Two copies of one value in different layouts are two tensors.
  same.inputs[1] = layouts.intern(
      l1Sharded(same.signature.operands[0].tensor, MemoryLayout::HeightSharded, {2, 1}, device.workerGrid));
  EXPECT_EQ(operandL1Bytes(same.query(), context).value(), 2048 + 32 * 2048);
}

TEST_F(ModelTest, PressureDecidesExactlyAtTheBudget) {
  llvm::StringLiteral text = "ttnn.add 64x1024@l1, 64x1024@l1 -> 64x1024@l1";
  Bytes needed(6 * 2048 + 2048 + 2 * 2048); // circular buffers, result, operands
  Bytes rest = context.l1Budget - needed;
  EXPECT_EQ(ask(text, rest).status, ValidationStatus::Success);
  ValidationResult result = ask(text, rest + Bytes(1));
  EXPECT_EQ(result.status, ValidationStatus::OutOfMemory);
  EXPECT_EQ(result.rule, "op.l1_capacity");
  EXPECT_EQ(result.constraints.cbL1PeakSize.value(), 6 * 2048);
  EXPECT_NE(result.message.find(std::to_string(context.l1Budget.value())), std::string::npos)
      << result.message;
}

/// The classes of answers of the public validation (facts/ir 9.3).
TEST_F(ModelTest, EveryAnswerIsOfAClass) {
  struct Row {
    const char *why, *question;
    int64_t additional; ///< bytes that other tensors hold
    ValidationStatus status;
  };
  using enum ValidationStatus;
  const int64_t all = context.l1Budget.value();
  const Row rows[] = {
      {"fits", "ttnn.relu 64x64@l1 -> 64x64@l1", 0, Success},
      {"nothing of it lies in L1 but buffers", "ttnn.relu 64x64@dram -> 64x64@dram", all - 64 * 1024,
       Success},
      {"nobody knows it", "ttnn.frobnicate 64x64@dram -> 64x64@dram", 0, NotImplemented},
      {"exempt: results of earlier runs", "ttcore.load_cached 64x64@dram -> 64x64@dram", 0, NotImplemented},
      {"2 MiB on each core", "ttnn.relu 8192x8192@dram -> 8192x8192@l1", 0, OutOfMemory},
      {"operands count", "ttnn.add 4096x8192@l1, 4096x8192@l1 -> 4096x8192@dram", 0, OutOfMemory},
      {"its buffers would run into tensors", "ttnn.relu 64x64@dram -> 64x64@dram", all - 1, OutOfMemory},
      {"a rule", "ttnn.relu 64x64@l1 -> 64x64@hs2", 0, MetalBackendError},
      {"a rule, whatever is free", "ttnn.relu 64x64@l1 -> 64x64@hs2", all, MetalBackendError},
  };
  for (const Row &row : rows) {
    ValidationResult result = ask(row.question, Bytes(row.additional));
    EXPECT_EQ(result.status, row.status) << row.why << ": " << result.message;
    if (row.status != Success)
      EXPECT_NE(result.message, "") << row.why;
  }
}

TEST_F(ModelTest, UnevenShardsCountInFull) {
  // 9 tile rows over 8 cores: two per core are set aside although nine pages make ceil(9 / 8) = 2 as well;
  // over 4 columns of 5 tiles each core holds 2 x 2 of the 9 x 5 tiles.
  ValidationResult result = ask("ttnn.relu 288x160@bs5x3 -> 288x160@bs5x3");
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_EQ(result.constraints.outputL1BufferSize.value(), 3 * 2048); // ceil(45 / 15), as the backend reports
  Bytes shard(4 * 2048), needed = shard * 2 + result.constraints.safetyMargin;
  EXPECT_EQ(ask("ttnn.relu 288x160@bs5x3 -> 288x160@bs5x3", context.l1Budget - needed).status,
            ValidationStatus::Success);
  EXPECT_EQ(ask("ttnn.relu 288x160@bs5x3 -> 288x160@bs5x3", context.l1Budget - needed + Bytes(1)).status,
            ValidationStatus::OutOfMemory);
}

TEST_F(ModelTest, BuffersMayExceedTheBudgetAloneButTensorsMayNot) {
  // From 64 KiB of a single core's L1: circular buffers of 80 KiB.
  auto fits = [&](llvm::StringRef text, Bytes budget, Bytes alone, Bytes additional = Bytes(0)) {
    OpModelContext tight{device, layouts, Bytes(64 * 1024)};
    tight.l1Alone = alone;
    MockOpModel mock(tight);
    mock.behaviour("ttnn.relu").circularBuffers = Bytes(80 * 1024);
    TextQuery q = parse(text);
    q.additionalL1 = additional;
    return fitsAlone(mock, q.query(), mock.query(q.query()), budget);
  };
  llvm::StringLiteral fromDram = "ttnn.relu 64x1024@dram -> 64x1024@dram";
  EXPECT_TRUE(fits(fromDram, Bytes(64 * 1024), Bytes(80 * 1024)));
  EXPECT_FALSE(fits(fromDram, Bytes(64 * 1024), Bytes(80 * 1024 - 1)));
  EXPECT_FALSE(fits(fromDram, Bytes(64 * 1024), Bytes(0))); // no more than the budget
  EXPECT_FALSE(fits(fromDram, Bytes(64 * 1024), Bytes(100 * 1024), /*additional=*/Bytes(1)));
  // Its own tensors: 2 KiB that are read and 2 KiB that are written.
  llvm::StringLiteral inL1 = "ttnn.relu 64x1024@l1 -> 64x1024@l1";
  EXPECT_TRUE(fits(inL1, Bytes(4 * 1024), Bytes(84 * 1024)));
  EXPECT_FALSE(fits(inL1, Bytes(4 * 1024), Bytes(84 * 1024 - 1)));
  EXPECT_FALSE(fits(inL1, Bytes(4 * 1024 - 1), Bytes(84 * 1024)));
}

TEST_F(ModelTest, AnotherBudgetAnswersLikeAModelMadeWithIt) {
  for (llvm::StringRef text :
       {"ttnn.relu 64x1024@l1 -> 64x1024@l1", "ttnn.relu 288x160@bs5x3 -> 288x160@bs5x3",
        "ttnn.matmul 2048x1024@l1, 1024x2048@l1 -> 2048x2048@?", "ttnn.relu 64x1024@l1 -> 32x32@l1"})
    for (int64_t made : {16, 160, 1300})
      for (int64_t asked : {16, 160, 1300}) {
        TextQuery q = parse(text);
        auto with = [&](int64_t kib) {
          OpModelContext budgeted{device, layouts, Bytes(kib * 1024)};
          budgeted.l1Alone = Bytes(1300 * 1024);
          return createAnalyticOpModel(budgeted);
        };
        ValidationResult own = with(asked)->query(q.query());
        ValidationResult other = OpCostTable(with(made)).withBudget(Bytes(asked * 1024)).query(q.query());
        EXPECT_EQ(other.status, own.status) << text.str() << ", " << made << " and " << asked << " KiB";
        EXPECT_EQ(other.message, own.message);
      }
}

TEST_F(ModelTest, UndecidedOutputsAreDecided) {
  ValidationResult result = ask("ttnn.relu 64x1024@l1 -> 64x1024@?");
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_TRUE(layouts[result.constraints.outputLayouts[0]].isL1());
  result = ask("ttnn.matmul 2048x1024@l1, 1024x2048@l1 -> 2048x2048@?");
  EXPECT_TRUE(layouts[result.constraints.outputLayouts[0]].isDram());
}

TEST_F(ModelTest, ProgramConfigDecidesTheShards) {
  ValidationResult right =
      ask("ttnn.matmul 256x256@dram, 256x256@dram -> 256x256@bs4x4 ; ; mcast2d grid=4x4 k=2 m=2 n=2");
  EXPECT_EQ(right.status, ValidationStatus::Success) << right.message;
  ValidationResult wrong =
      ask("ttnn.matmul 256x256@dram, 256x256@dram -> 256x256@bs8x8 ; ; mcast2d grid=4x4 k=2 m=2 n=2");
  EXPECT_EQ(wrong.status, ValidationStatus::UnmatchedReferenceConfig);
  EXPECT_EQ(wrong.constraints.outputLayouts[0], right.constraints.outputLayouts[0]);
}

// ---- No input breaks it ---------------------------------------------------------------------------------
TEST_F(ModelTest, MissingLayoutsAreRefused) {
  TextQuery q = parse("ttnn.add 64x64@dram, 64x64@dram -> 64x64@dram");
  q.inputs.pop_back();
  EXPECT_EQ(model->query(q.query()).rule, "op.layout_count");
  q.inputs = {LayoutId(), LayoutId(12345)};
  EXPECT_EQ(model->query(q.query()).rule, "op.layout_count");
  EXPECT_EQ(model->runtime(q.query()).total.value(), 0);
}

// ---- Table ----------------------------------------------------------------------------------------------
TEST_F(ModelTest, TableGivesTheSameAnswersAtAnyPressure) {
  auto cached = std::make_unique<OpCostTable>(createAnalyticOpModel(context));
  for (llvm::StringRef text :
       {"ttnn.add 64x1024@l1, 64x1024@l1 -> 64x1024@l1", "ttnn.relu 64x64@l1 -> 64x64@hs2",
        "ttnn.relu 288x160@bs5x3 -> 288x160@bs5x3", "ttnn.frobnicate 64x64@dram -> 64x64@dram",
        "ttnn.matmul 1792x1792@l1, 1792x1792@l1 -> 1792x1792@bs8x8"})
    for (int64_t additional :
         {int64_t(0), int64_t(1000000), context.l1Budget.value() - 20000, context.l1Budget.value()})
      for (int again = 0; again < 2; ++again) {
        TextQuery q = parse(text);
        q.additionalL1 = Bytes(additional);
        ValidationResult expected = model->query(q.query()), actual = cached->query(q.query());
        EXPECT_EQ(actual.status, expected.status) << text.str();
        EXPECT_EQ(actual.rule, expected.rule);
        EXPECT_EQ(actual.message, expected.message);
        EXPECT_EQ(actual.constraints.peakL1MemorySize, expected.constraints.peakL1MemorySize);
        EXPECT_EQ(actual.constraints.outputLayouts, expected.constraints.outputLayouts);
        EXPECT_EQ(cached->runtime(q.query()).total, model->runtime(q.query()).total);
      }
  EXPECT_EQ(cached->statistics().misses, 5u);
  EXPECT_EQ(cached->statistics().hits, 5u * 4 * 2 * 2 - 5u);
}

TEST_F(ModelTest, TableTellsConfigurationsApart) {
  OpCostTable cached(createAnalyticOpModel(context));
  TextQuery dram = parse("ttnn.relu 64x64@dram -> 64x64@dram"),
            l1 = parse("ttnn.relu 64x64@dram -> 64x64@l1");
  EXPECT_EQ(cached.query(dram.query()).constraints.outputL1BufferSize.value(), 0);
  EXPECT_EQ(cached.query(l1.query()).constraints.outputL1BufferSize.value(), 2048);
  // The same object with other contents is another question.
  dram.signature.results[0].shape = {64, 64};
  dram.signature.name = "ttnn.frobnicate";
  EXPECT_EQ(cached.query(dram.query()).status, ValidationStatus::NotImplemented);
}

TEST_F(ModelTest, TableServesThreadsAlike) {
  OpCostTable cached(createAnalyticOpModel(context));
  std::vector<TextQuery> queries;
  for (int n = 1; n <= 64; ++n)
    queries.push_back(parse("ttnn.matmul " + std::to_string(32 * n) + "x256@dram, 256x512@dram -> " +
                            std::to_string(32 * n) + "x512@l1"));
  std::vector<double> expected;
  for (const TextQuery &q : queries)
    expected.push_back(model->runtime(q.query()).total.value());
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round)
        for (size_t i = 0; i < queries.size(); ++i)
          if (cached.runtime(queries[i].query()).total.value() != expected[i] ||
              !cached.query(queries[i].query()).ok())
            ++wrong;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(cached.statistics().hitRate(), 0.9);
}

// ---- Mock -----------------------------------------------------------------------------------------------
TEST_F(ModelTest, MockDoesAsItIsTold) {
  MockOpModel mock({device, layouts, Bytes(1300 * 1024)});
  TextQuery q = parse("ttnn.relu 64x1024@l1 -> 64x1024@l1");
  EXPECT_TRUE(mock.query(q.query()).ok());
  mock.behaviour("ttnn.relu").circularBuffers = Bytes(1300 * 1024 - 4096);
  EXPECT_TRUE(mock.query(q.query()).ok());
  q.additionalL1 = Bytes(1);
  EXPECT_EQ(mock.query(q.query()).status, ValidationStatus::OutOfMemory);
  mock.behaviour("ttnn.relu").forced = ValidationStatus::NotImplemented;
  EXPECT_EQ(mock.query(q.query()).status, ValidationStatus::NotImplemented);
  EXPECT_TRUE(mock.query(parse("ttnn.exp 64x64@l1 -> 64x64@l1").query()).ok());
}

TEST_F(ModelTest, MockDramOutputsMayNeedMoreBuffers) {
  MockOpModel mock({device, layouts, Bytes(1300 * 1024)});
  mock.behaviour("ttnn.relu").circularBuffersWithDramOutput = Bytes(1100 * 1024);
  EXPECT_EQ(mock.query(parse("ttnn.relu 64x64@l1 -> 64x64@l1").query()).constraints.cbL1PeakSize.value(), 0);
  EXPECT_EQ(mock.query(parse("ttnn.relu 64x64@l1 -> 64x64@dram").query()).constraints.cbL1PeakSize.value(),
            1100 * 1024);
}

TEST_F(ModelTest, MockRefusesAndProducesByLayout) {
  MockOpModel mock(context);
  mock.behaviour("ttnn.softmax").accepts = [](const OpQuery &q, LayoutPool &l) {
    return !l[q.inputs[0]].isSharded();
  };
  EXPECT_EQ(mock.query(parse("ttnn.softmax 64x64@hs2 -> 64x64@dram").query()).status,
            ValidationStatus::MetalBackendError);
  EXPECT_TRUE(mock.query(parse("ttnn.softmax 64x64@l1 -> 64x64@dram").query()).ok());
  mock.behaviour("ttnn.relu").produces = [](const OpQuery &q, LayoutPool &) {
    return llvm::SmallVector<LayoutId, 1>{q.inputs[0]};
  };
  EXPECT_EQ(mock.query(parse("ttnn.relu 64x64@l1 -> 64x64@dram").query()).status,
            ValidationStatus::UnmatchedReferenceConfig);
}

// ---- Signatures and texts -------------------------------------------------------------------------------
TEST_F(ModelTest, EqualSignaturesShareAnId) {
  SignaturePool pool;
  TextQuery a = parse("ttnn.sum 64x64@dram -> 64@dram ; dim_arg=[1] keep_dim=false"),
            b = parse("ttnn.sum 64x64@l1 -> 64@l1 ; keep_dim=false dim_arg=[1]");
  TextQuery c = parse("ttnn.sum 64x64@dram -> 64@dram ; dim_arg=[0] keep_dim=false");
  EXPECT_EQ(pool.intern(a.signature), pool.intern(b.signature)); // layouts are not part of a signature
  EXPECT_NE(pool.intern(a.signature), pool.intern(c.signature));
  EXPECT_EQ(pool.size(), 2u);
  EXPECT_EQ(pool[SignatureId(1)], c.signature);
}

TEST_F(ModelTest, AttributesAreTyped) {
  TextQuery q = parse("ttnn.x 64@dram -> 64@dram ; count=3 flag=true list=[1,2] text=abc");
  EXPECT_EQ(q.signature.integer("count", 0), 3);
  EXPECT_EQ(q.signature.number("count", 0), 3.0);
  EXPECT_TRUE(q.signature.boolean("flag", false));
  EXPECT_EQ(q.signature.integer("flag", 7), 7);
  EXPECT_EQ(q.signature.integers("list").size(), 2u);
  EXPECT_TRUE(q.signature.integers("absent").empty());
  EXPECT_EQ(q.signature.string("text"), "abc");
}

TEST_F(ModelTest, ConfigsDescribeThemselves) {
  EXPECT_EQ(describe(OpSpecificConfig()), "");
  EXPECT_EQ(
      describe(parse("ttnn.matmul 64@dram -> 64@dram ; ; mcast1d_in0 grid=8x8 k=2 m=1 n=4").config.specific),
      "mcast_1d in0 grid 8x8 block 2 per-core 1x4");
  EXPECT_EQ(describe(parse("ttnn.conv2d 64@dram -> 64@dram ; ; conv act_block_h=32").config.specific),
            "act_block_h 32");
}

TEST_F(ModelTest, LayoutsHaveNoNegativeNumberOfDimensions) {
  TensorLayout layout = dramInterleaved({{64, 64}, DataType::BFloat16}), read;
  llvm::json::Value value = toJson(layout);
  llvm::json::Path::Root root("layout");
  EXPECT_TRUE(fromJSON(value, read, root));
  EXPECT_EQ(read, layout);
  (*value.getAsObject())["linear"] = llvm::json::Object{{"dims", -1}, {"results", llvm::json::Array()}};
  EXPECT_FALSE(fromJSON(value, read, root));
}

TEST_F(ModelTest, ConversionSignaturesNameTheirOps) {
  TensorDesc tensor{{64, 64}, DataType::BFloat16}, other{{64, 64}, DataType::Float32};
  EXPECT_EQ(toMemoryConfigSignature(tensor).name, "ttnn.to_memory_config");
  EXPECT_EQ(toMemoryConfigSignature(tensor).results[0], tensor);
  EXPECT_EQ(toLayoutSignature(tensor, other).name, "ttnn.to_layout");
  EXPECT_EQ(toLayoutSignature(tensor, other).results[0], other);
}

} // namespace
