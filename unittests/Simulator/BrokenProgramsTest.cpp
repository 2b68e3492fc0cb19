//===- BrokenProgramsTest.cpp - What breaks shows -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Programs that an optimizer, a rewriting or an allocator broke: each way of
// breaking one must show in the values, or be an error. And what makes it show:
// the bytes in padding, in freed memory, and below circular buffers.
//
//===----------------------------------------------------------------------===//
#include "Chain.h"

using namespace tessera;
using namespace tessera::simulator;

namespace {

using Values = std::vector<double>;

Values resultOf(Chain &chain) {
  llvm::Expected<RunResult> result = chain.run();
  if (result)
    return valuesOf(result->returned[0][0]);
  ADD_FAILURE() << llvm::toString(result.takeError());
  return {};
}

bool hasNan(const Values &values) {
  return llvm::any_of(values, [](double value) { return std::isnan(value); });
}

// ---- Memory ----------------------------------------------------------------------------------------------

TEST(BrokenPrograms, OverlappingBuffers) {
  auto run = [](bool broken) {
    Chain chain(inDram());
    size_t a = chain.op("ttnn.neg", {0}, inL1()), b = chain.op("ttnn.relu", {0}, inL1());
    chain.function().returned = {chain.op("ttnn.subtract", {a, b}, inDram())};
    if (broken)
      chain.misplaced = {{b, a}};
    return resultOf(chain);
  };
  EXPECT_EQ(run(false)[1], -2);
  EXPECT_EQ(run(true)[1], 0) << "the second has overwritten the first";
}

TEST(BrokenPrograms, ACircularBufferOverATensor) {
  auto run = [](bool broken) {
    Chain chain(inDram());
    size_t a = chain.op("ttnn.neg", {0}, onCores());
    chain.op("ttnn.relu", {0}, inDram()); // has nothing to do with it but its buffers
    chain.function().returned = {chain.op("ttnn.neg", {a}, inDram())};
    const DeviceSpec &n150 = *findDevice("n150");
    if (broken)
      chain.model.behaviour("ttnn.relu").circularBuffers = n150.l1Size - n150.l1UnreservedBase;
    return resultOf(chain);
  };
  EXPECT_EQ(run(false), valuesOf(counting(kTensor.shape)));
  EXPECT_NE(run(true)[1], 1);
}

TEST(BrokenPrograms, AFreedInput) {
  Chain chain(inDram());
  size_t a = chain.op("ttnn.neg", {0}, inL1());
  chain.op("ttnn.neg", {a}, inDram());
  chain.free(a);
  chain.function().returned = {chain.op("ttnn.relu", {a}, inDram())};
  EXPECT_EQ(chain.error(), "place3: error: operand 0 is a tensor that is freed");
}

TEST(BrokenPrograms, AnInputThatIsNotMadeYet) {
  Chain chain(inDram());
  size_t a = chain.op("ttnn.neg", {0}, inL1());
  chain.function().returned = {chain.op("ttnn.neg", {a}, inDram())};
  std::swap(chain.function().steps[0], chain.function().steps[1]);
  EXPECT_EQ(chain.error(), "place1: error: operand 0 is a tensor that is not made yet");
}

TEST(BrokenPrograms, AViewThatOutlivesItsSource) {
  Chain chain(inDram());
  size_t a = chain.op("ttnn.neg", {0}, inL1());
  size_t view = chain.op("ttnn.reshape", {a}, inL1());
  chain.elide();
  chain.free(a, /*force=*/true);
  chain.function().returned = {chain.op("ttnn.neg", {view}, inDram())};
  EXPECT_EQ(chain.error(), "place3: error: operand 0 is a tensor that is freed");
}

TEST(BrokenPrograms, FreedMemoryIsOverwritten) {
  for (bool freed : {false, true}) {
    Chain chain(inDram());
    size_t a = chain.op("ttnn.neg", {0}, inL1()), b = chain.op("ttnn.relu", {0}, inL1());
    chain.misplaced = {{b, a}};
    if (freed)
      chain.free(a);
    chain.function().returned = {chain.op("ttnn.relu", {b}, inDram())};
    EXPECT_EQ(hasNan(resultOf(chain)), freed);
  }
}

// ---- Layouts ---------------------------------------------------------------------------------------------

/// A conversion from two shards of rows to `target`, done or left out; both take as many bytes of both cores.
Values converted(const TensorLayout &target, bool leftOut) {
  Chain chain(inDram());
  size_t a = chain.op("ttnn.neg", {0}, onCores());
  size_t b = chain.op("ttnn.to_memory_config", {a}, target);
  if (leftOut)
    chain.elide();
  chain.function().returned = {chain.op("ttnn.neg", {b}, inDram())};
  return resultOf(chain);
}

TEST(BrokenPrograms, WrongShardOrder) {
  TensorLayout reversed = onCores();
  reversed.cores = CoreRangeSet{{{{1, 0}, {1, 0}}, {{0, 0}, {0, 0}}}};
  EXPECT_EQ(converted(reversed, false), valuesOf(counting(kTensor.shape)));
  EXPECT_EQ(converted(reversed, true)[0], 32 * 64) << "the second shard's first row";
}

TEST(BrokenPrograms, AMissingReshard) {
  TensorLayout columns = l1Sharded(kTensor, MemoryLayout::WidthSharded, {1, 2}, {8, 8});
  columns.cores = onCores().cores;
  EXPECT_EQ(converted(columns, false), valuesOf(counting(kTensor.shape)));
  EXPECT_NE(converted(columns, true), valuesOf(counting(kTensor.shape)));
}

TEST(BrokenPrograms, AMissingReshardAtACall) {
  Chain chain(inDram());
  size_t a = chain.op("ttnn.neg", {0}, inL1());
  size_t b = chain.value(inDram());
  Function callee;
  callee.name = "callee";
  callee.values = {{kTensor, onCores()}, {kTensor, inDram()}};
  callee.arguments = {0};
  callee.roles = {ArgumentRole::Input};
  callee.steps = {chain.function().steps.back()};
  callee.steps[0].reads = {0};
  callee.steps[0].writes = callee.returned = {1};
  Step call;
  call.kind = Step::Kind::Call;
  call.reads = {a};
  call.writes = {b};
  call.place = "call";
  chain.function().steps.push_back(call);
  chain.function().returned = {b};
  chain.program.functions.insert(chain.program.functions.begin(), callee);
  Function &caller = chain.program.functions.back();
  auto run = [&] {
    return simulator::run(chain.program, caller,
                          [](size_t) { return MeshTensor(1, counting(kTensor.shape)); }, chain.model,
                          {Bytes(1 << 30), {}, nullptr});
  };
  llvm::Expected<RunResult> broken = run();
  ASSERT_FALSE(bool(broken));
  EXPECT_EQ(llvm::toString(broken.takeError()),
            "call: error: operand 0 lies otherwise than @callee expects it");
  chain.program.functions.front().values[0].layout = inL1();
  llvm::Expected<RunResult> good = run();
  ASSERT_TRUE(bool(good));
  EXPECT_EQ(valuesOf(good->returned[0][0]), valuesOf(counting(kTensor.shape)));
}

/// 40 x 40 in tiles, read as the 64 x 64 that they hold: what an op sees that does not stop at the logical shape.
DenseTensor withPadding(DataType type) {
  TensorDesc small{{40, 40}, type}, padded{{64, 64}, type};
  Chain chain(dramInterleaved(small), small);
  size_t a = chain.op("ttnn.assign", {0}, l1Interleaved(small, {8, 8}), small);
  size_t view = chain.op("ttnn.reshape", {a}, l1Interleaved(padded, {8, 8}), padded);
  chain.elide();
  chain.function().returned = {view};
  llvm::Expected<RunResult> result = chain.run();
  if (result)
    return result->returned[0][0];
  ADD_FAILURE() << llvm::toString(result.takeError());
  return DenseTensor(padded);
}

TEST(BrokenPrograms, DroppedPaddingShowsAsPoison) {
  for (DataType type : {DataType::Float32, DataType::BFloat16}) {
    DenseTensor seen = withPadding(type);
    EXPECT_EQ(seen.at(39), 39);
    for (int64_t padding : {40, 63, 40 * 64, 64 * 64 - 1})
      EXPECT_TRUE(std::isnan(seen.at(padding))) << name(type).str() << " " << padding;
  }
  for (DataType type : {DataType::Int32, DataType::UInt32, DataType::UInt16, DataType::UInt8}) {
    DenseTensor seen = withPadding(type);
    EXPECT_EQ(seen.at(39), 39);
    int64_t poison = 0x5a5a5a5a & ((int64_t(1) << 8 * scalarBytes(type).value()) - 1);
    for (int64_t padding : {40, 63, 40 * 64, 64 * 64 - 1})
      EXPECT_EQ(seen.at(padding), double(poison)) << name(type).str() << " " << padding;
  }
}

TEST(BrokenPrograms, BlockFloatPaddingThatSharesAnExponentIsZero) {
  for (DataType type : {DataType::BFP_BFloat8, DataType::BFP_BFloat4}) {
    DenseTensor seen = withPadding(type);
    EXPECT_EQ(seen.at(40), 0) << "columns 32 to 47 share one";
    EXPECT_EQ(seen.at(47), 0);
    for (int64_t padding : {48, 63, 40 * 64, 64 * 64 - 1})
      EXPECT_FALSE(std::isfinite(seen.at(padding))) << name(type).str() << " " << padding;
  }
}

// ---- Rewriting -------------------------------------------------------------------------------------------

TEST(BrokenPrograms, SwappedOperands) {
  auto run = [](bool broken) {
    Chain chain(inDram());
    size_t other = chain.argument(inDram());
    std::vector<size_t> reads{0, other};
    if (broken)
      std::swap(reads[0], reads[1]);
    chain.function().returned = {chain.op("ttnn.subtract", reads, inDram())};
    return resultOf(chain)[2];
  };
  EXPECT_EQ(run(false), 1);
  EXPECT_EQ(run(true), -1);
}

TEST(BrokenPrograms, AConfigurationWithTheWrongActivation) {
  auto run = [](const char *activation) {
    Chain chain(inDram());
    size_t negative = chain.op("ttnn.neg", {0}, inDram());
    size_t product = chain.op("ttnn.matmul", {0, negative}, inDram());
    MatmulProgramConfig config;
    config.fusedActivation = activation;
    chain.function().steps.back().config.specific = config;
    chain.function().returned = {product};
    return resultOf(chain)[0];
  };
  EXPECT_LT(run(""), 0);
  EXPECT_EQ(run("relu"), 0);
}

TEST(BrokenPrograms, ACacheUpdateBehindItsReader) {
  auto run = [](bool broken) {
    TensorDesc cache{{2, 1, 64, 64}, DataType::Float32}, rows{{1, 2, 1, 64}, DataType::Float32},
        positions{{2}, DataType::Int32};
    Chain chain(dramInterleaved(cache), cache);
    size_t row = chain.argument(dramInterleaved(rows), rows);
    size_t where = chain.argument(dramInterleaved(positions, PageLayout::RowMajor), positions);
    chain.op("ttnn.paged_update_cache", {0, row, where}, {});
    chain.function().returned = {chain.op("ttnn.neg", {0}, dramInterleaved(cache), cache)};
    if (broken)
      std::swap(chain.function().steps[0], chain.function().steps[1]);
    return resultOf(chain)[1];
  };
  EXPECT_EQ(run(false), -0.5) << "0, 0.5, ... at position 0 of the first user";
  EXPECT_EQ(run(true), -1);
}

} // namespace
