//===- MachineTest.cpp - Programs on simulated memory ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Chain.h"

#include "tessera/Simulator/Parallel.h"
#include "tessera/Simulator/Streams.h"

#include <cmath>

using namespace tessera;
using namespace tessera::simulator;

namespace {

TEST(Machine, ValuesComeThroughAllMemories) {
  Chain chain(inDram());
  size_t a = chain.op("ttnn.neg", {0}, inL1());
  size_t b = chain.op("ttnn.to_memory_config", {a}, onCores());
  chain.free(a);
  chain.function().returned = {chain.op("ttnn.neg", {b}, inDram())};
  llvm::Expected<RunResult> result = chain.run();
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->returned[0][0].floats, counting(kTensor.shape).floats);
  EXPECT_EQ(result->statistics.peakL1, Bytes(4096 + 2 * 4096)) << "one tile per core, and two on each of two";
}

TEST(Machine, ReadingWhatIsFreedIsAnError) {
  Chain chain(inDram());
  size_t a = chain.op("ttnn.neg", {0}, inL1());
  chain.free(a);
  chain.function().returned = {chain.op("ttnn.neg", {a}, inDram())};
  EXPECT_EQ(chain.error(), "place2: error: operand 0 is a tensor that is freed");
}

TEST(Machine, CircularBuffersOverwriteTensorsThatTheyReach) {
  Chain chain(inDram());
  size_t a = chain.op("ttnn.neg", {0}, inL1());
  chain.function().returned = {chain.op("ttnn.relu", {a}, inDram())};
  const DeviceSpec &n150 = *findDevice("n150");
  chain.model.behaviour("ttnn.relu").circularBuffers = n150.l1Size - n150.l1UnreservedBase;
  llvm::Expected<RunResult> result = chain.run();
  ASSERT_TRUE(bool(result));
  EXPECT_TRUE(std::isnan(result->returned[0][0].floats[0]) || result->returned[0][0].floats[0] == 0);
  EXPECT_EQ(result->statistics.clashes, std::vector<std::string>{"place1"});
}

TEST(Machine, ViewsShareMemoryAndDieWithIt) {
  for (bool force : {false, true}) {
    Chain chain(inDram());
    size_t a = chain.op("ttnn.neg", {0}, inL1());
    TensorDesc other{{1, 64, 64}, DataType::Float32};
    size_t view = chain.op("ttnn.reshape", {a}, l1Interleaved(other, {8, 8}), other);
    chain.model.behaviour("ttnn.reshape").aliasesInput = true;
    chain.free(a, force);
    chain.function().returned = {chain.op("ttnn.neg", {view}, dramInterleaved(other), other)};
    if (force) {
      EXPECT_EQ(chain.error(), "place3: error: operand 0 is a tensor that is freed");
      continue;
    }
    llvm::Expected<RunResult> result = chain.run();
    ASSERT_TRUE(bool(result));
    EXPECT_EQ(result->returned[0][0].floats, counting(kTensor.shape).floats);
    EXPECT_EQ(result->statistics.peakL1, Bytes(4096));
  }
}

TEST(Machine, AViewThatItsBytesAreNotShows) {
  // 64x64 as 32x128 in tiles is another order of elements: no view, whatever an op model says.
  Chain chain(inDram());
  size_t a = chain.op("ttnn.neg", {0}, inL1());
  TensorDesc other{{32, 128}, DataType::Float32};
  size_t view = chain.op("ttnn.reshape", {a}, l1Interleaved(other, {8, 8}), other);
  chain.model.behaviour("ttnn.reshape").aliasesInput = true;
  chain.function().returned = {chain.op("ttnn.neg", {view}, dramInterleaved(other), other)};
  llvm::Expected<RunResult> result = chain.run();
  ASSERT_TRUE(bool(result));
  EXPECT_NE(result->returned[0][0].floats, counting(kTensor.shape).floats);
}

TEST(Machine, APadWithinTilesFillsThem) {
  TensorDesc small{{1, 40, 64}, DataType::Float32}, padded{{1, 64, 64}, DataType::Float32};
  Chain chain(dramInterleaved(small));
  chain.function().values[0].desc = small;
  size_t a = chain.op("ttnn.neg", {0}, l1Interleaved(small, {8, 8}), small);
  size_t view = chain.op("ttnn.pad", {a}, l1Interleaved(padded, {8, 8}), padded);
  chain.function().steps.back().op.addAttribute("padding", std::vector<int64_t>{0, 0, 0, 24, 0, 0});
  chain.function().steps.back().op.addAttribute("value", 7.0);
  chain.model.behaviour("ttnn.pad").aliasesInput = true;
  chain.function().returned = {chain.op("ttnn.neg", {view}, dramInterleaved(padded), padded)};
  llvm::Expected<RunResult> result = simulator::run(
      chain.program, chain.function(), [&](size_t) { return MeshTensor(1, counting(small.shape)); },
      chain.model, {Bytes(1 << 30), {}, nullptr});
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->returned[0][0].at(39 * 64), 39 * 64);
  EXPECT_EQ(result->returned[0][0].at(40 * 64), -7);
}

TEST(Machine, ArgumentsOnTheHostAreMadeWhenTheyAreRead) {
  Chain chain(inDram());
  size_t read = chain.argument(systemMemory(kTensor)), unread = chain.argument(systemMemory(kTensor));
  size_t a = chain.op("ttnn.to_device", {read}, inDram());
  chain.free(read);
  chain.free(unread);
  chain.function().returned = {chain.op("ttnn.add", {0, a}, inDram())};
  std::vector<size_t> made;
  auto draw = [&](size_t argument, const ElementBlock &block, DenseTensor &values) {
    made.push_back(argument);
    for (int64_t i = 0; i < values.volume(); ++i)
      values.set(i, double(block.rowBegin * 64 + i));
  };
  setThreads(1);
  llvm::Expected<RunResult> result =
      simulator::run(chain.program, chain.function(), ArgumentSource::inParts(draw), chain.model,
                     {Bytes(1 << 30), {}, nullptr});
  setThreads(2);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->returned[0][0].floats, counting(kTensor.shape, DataType::Float32, 2).floats);
  EXPECT_EQ(made, (std::vector<size_t>{0, 1}));
  Bytes stored(64 * 64 * 4);
  EXPECT_EQ(neededMemory(chain.program, chain.function(), *findDevice("n150"), /*argumentsInParts=*/true),
            stored + kStreamedWorkingSet);
}

/// Of a loop whose body returns what it takes, and whose condition makes a tensor.
TEST(Machine, ALoopNeedsWhatItsConditionTakes) {
  auto needed = [](bool hasCondition) {
    Chain chain(inDram());
    size_t made = chain.op("ttnn.neg", {0}, inDram());
    Function condition = chain.function();
    condition.name = "condition";
    condition.isForward = false;
    condition.returned = {made};
    Function body = condition;
    body.name = "body";
    body.steps.clear();
    body.returned = {0};
    Step loop;
    loop.kind = Step::Kind::Call;
    loop.reads = {0};
    loop.writes = {made};
    loop.callee = 1;
    loop.loop.emplace();
    loop.loop->states = 1;
    loop.loop->outputs = {0};
    if (hasCondition)
      loop.loop->condition = 2;
    chain.function().steps = {loop};
    chain.function().returned = {made};
    chain.program.functions.push_back(body);
    chain.program.functions.push_back(condition);
    return neededMemory(chain.program, chain.function(), *findDevice("n150"));
  };
  EXPECT_GT(needed(true).value(), needed(false).value());
}

TEST(Machine, WhatFindsNoRoomIsAnError) {
  Chain chain(inDram());
  TensorDesc large{{8192, 8192}, DataType::Float32};
  chain.function().values[0] = {large, dramInterleaved(large)};
  chain.function().returned = {chain.op("ttnn.neg", {0}, l1Interleaved(large, {8, 8}), large)};
  EXPECT_EQ(chain.error(Bytes(1)).substr(0, 26), "@main needs about 1.00 GiB");
  // 4 MiB per core
  llvm::Expected<RunResult> result = simulator::run(chain.program, chain.function(),
                                                    [&](size_t) { return MeshTensor(1, DenseTensor(large)); },
                                                    chain.model, {Bytes(int64_t(1) << 40), {}, nullptr});
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()).substr(0, 47),
            "place0: error: the result takes 4.00 MiB per ba");
}

TEST(Machine, OpsWithoutAKernelAreNamedBeforeAnythingRuns) {
  Chain chain(inDram());
  size_t a = chain.op("ttnn.neg", {0}, inL1());
  chain.function().returned = {chain.op("ttnn.dropout", {a}, inDram())};
  EXPECT_EQ(chain.error(), "place1: error: the simulator does not support 'ttnn.dropout'");
}

TEST(Machine, EveryDeviceOfAMeshComputes) {
  Chain chain(inDram());
  chain.program.mesh = {1, 2};
  size_t sum = chain.op("ttnn.all_reduce", {0}, inDram());
  chain.function().steps.back().op.addAttribute("reduce_type", std::string("sum"));
  chain.function().returned = {sum};
  llvm::Expected<RunResult> result = chain.run();
  ASSERT_TRUE(bool(result));
  ASSERT_EQ(result->returned[0].size(), 2u);
  EXPECT_EQ(result->returned[0][1].floats, counting(kTensor.shape, DataType::Float32, 2).floats);
}

} // namespace
