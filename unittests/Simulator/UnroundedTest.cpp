//===- UnroundedTest.cpp - Programs without rounding between ops ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Chain.h"

#include "tessera/Simulator/Unrounded.h"

using namespace tessera;
using namespace tessera::simulator;

namespace {

const TensorDesc kNarrow{{64, 64}, DataType::BFloat16}, kBlocks{{64, 64}, DataType::BFP_BFloat4};

/// Runs the program made of the chain's, with numbers that only fp32 has.
llvm::Expected<RunResult> runUnrounded(Chain &chain, const Program &program) {
  const Function &function = program.functions.front();
  auto make = [&](size_t number) {
    DenseTensor tensor(function.values[function.arguments[number]].desc);
    for (int64_t i = 0; i < tensor.volume(); ++i)
      tensor.set(i, 1 + double(i) / 65536);
    return MeshTensor(1, tensor);
  };
  return run(program, function, make, chain.model, {Bytes(1 << 30), {}, nullptr});
}

TEST(Unrounded, NothingIsRoundedOnTheWay) {
  Chain chain(l1Interleaved(kNarrow, {8, 8}), kNarrow);
  size_t blocks = chain.op("ttnn.typecast", {0}, dramInterleaved(kBlocks), kBlocks);
  size_t narrow = chain.op("ttnn.typecast", {blocks}, dramInterleaved(kNarrow), kNarrow);
  chain.function().returned = {chain.op("ttnn.neg", {narrow}, dramInterleaved(kNarrow), kNarrow)};
  Program wide = unrounded(chain.program);
  llvm::Expected<RunResult> result = runUnrounded(chain, wide);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  const DenseTensor &returned = result->returned[0][0];
  EXPECT_EQ(returned.desc.dtype, DataType::Float32);
  for (int64_t i = 0; i < returned.volume(); ++i)
    ASSERT_EQ(returned.at(i), -(1 + double(i) / 65536));
  for (const Value &value : wide.functions.front().values)
    EXPECT_FALSE(value.layout.onDevice());
}

TEST(Unrounded, WhatIsFreedStaysFreed) {
  Chain chain(dramInterleaved(kNarrow), kNarrow);
  chain.free(0);
  chain.function().returned = {chain.op("ttnn.neg", {0}, dramInterleaved(kNarrow), kNarrow)};
  llvm::Expected<RunResult> result = runUnrounded(chain, unrounded(chain.program));
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()), "place1: error: operand 0 is a tensor that is freed");
}

TEST(Unrounded, ArgumentsInBlockFloatKeepWhatTheyHold) {
  Chain chain(dramInterleaved(kBlocks), kBlocks);
  chain.function().returned = {chain.op("ttnn.typecast", {0}, dramInterleaved(kNarrow), kNarrow)};
  // The cast is in a function of its own, whose argument is the caller's.
  Function called = chain.function();
  called.name = "called";
  called.isForward = false;
  Step call;
  call.kind = Step::Kind::Call;
  call.reads = {0};
  call.writes = {1};
  call.callee = 0;
  chain.function().steps = {call};
  chain.program.functions.insert(chain.program.functions.begin(), called);
  chain.program.functions.back().steps.front().callee = 0;
  Program wide = unrounded(chain.program);
  for (const Function &function : wide.functions) {
    EXPECT_EQ(function.values[0].desc.dtype, DataType::BFP_BFloat4) << function.name;
    EXPECT_EQ(function.values[1].desc.dtype, DataType::Float32) << function.name;
  }
}

} // namespace
