//===- DeferredTest.cpp - Large arguments that are not written ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each program runs twice: with arguments that are given as a whole, and written to
// memory at once, and with the same arguments in parts. What memory would hold must
// be the same at any time, also in programs that are broken.
//
//===----------------------------------------------------------------------===//
#include "Chain.h"

#include "tessera/Simulator/Compare.h"
#include "tessera/Simulator/Streams.h"

#include <atomic>

using namespace tessera;
using namespace tessera::simulator;

namespace {

const TensorDesc kLarge{{2, 1050, 2100}, DataType::BFloat16}, kTurned{{2, 2100, 1050}, DataType::BFloat16};

/// Not all of them are numbers that bf16 has.
double element(size_t argument, int64_t index) { return double(index % 1009) / 7 + double(argument); }

DenseTensor whole(const TensorDesc &desc, size_t argument) {
  DenseTensor tensor(desc);
  for (int64_t i = 0; i < tensor.volume(); ++i)
    tensor.set(i, element(argument, i));
  return tensor;
}

struct Runs {
  llvm::Expected<RunResult> atOnce, inParts;
  int64_t drawn; ///< elements, in parts
};

Runs runBothWays(const Chain &chain, MachineOptions options = {}) {
  const Function &function = chain.program.functions.front();
  options.maxMemory = Bytes(int64_t(1) << 32);
  options.misplaced = chain.misplaced;
  auto desc = [&](size_t number) { return function.values[function.arguments[number]].desc; };
  std::atomic<int64_t> drawn = 0;
  auto draw = [&](size_t number, const ElementBlock &block, DenseTensor &values) {
    int64_t width = desc(number).shape.back();
    for (int64_t row = 0; row < block.rows(); ++row)
      for (int64_t column = 0; column < block.columns(); ++column)
        values.set(row * block.columns() + column,
                   element(number, (block.rowBegin + row) * width + block.columnBegin + column));
    drawn += values.volume();
  };
  auto make = [&](size_t number) { return MeshTensor(1, whole(desc(number), number)); };
  llvm::Expected<RunResult> atOnce = run(chain.program, function, make, chain.model, options);
  llvm::Expected<RunResult> inParts =
      run(chain.program, function, ArgumentSource::inParts(draw), chain.model, options);
  return {std::move(atOnce), std::move(inParts), drawn};
}

void expectSame(Runs &runs) {
  ASSERT_TRUE(bool(runs.atOnce)) << llvm::toString(runs.atOnce.takeError());
  ASSERT_TRUE(bool(runs.inParts)) << llvm::toString(runs.inParts.takeError());
  ASSERT_EQ(runs.atOnce->returned.size(), runs.inParts->returned.size());
  for (auto [first, second] : llvm::zip(runs.atOnce->returned, runs.inParts->returned))
    EXPECT_TRUE(compare(first[0], second[0]).exact());
  for (auto &[argument, tensor] : runs.atOnce->written)
    EXPECT_TRUE(compare(tensor[0], runs.inParts->written.at(argument)[0]).exact());
}

size_t turn(Chain &chain, size_t value, const TensorDesc &desc) {
  size_t turned = chain.op("ttnn.permute", {value}, dramInterleaved(desc), desc);
  chain.function().steps.back().op.addAttribute("permutation", std::vector<int64_t>{0, 2, 1});
  return turned;
}

TEST(Deferred, ArgumentsGiveWhatMemoryWould) {
  constexpr DataType kBfp8 = DataType::BFP_BFloat8;
  for (bool onHost : {false, true}) {
    Chain chain(onHost ? systemMemory(kLarge) : dramInterleaved(kLarge), kLarge);
    size_t rows = chain.op("ttnn.to_device", {0}, dramInterleaved(kLarge, PageLayout::RowMajor), kLarge);
    size_t tiles = chain.op("ttnn.to_layout", {rows}, dramInterleaved(kLarge), kLarge);
    chain.free(rows);
    size_t turned = turn(chain, tiles, kTurned), back = turn(chain, turned, kLarge);
    TensorDesc packed{kTurned.shape, kBfp8};
    size_t rounded = chain.op("ttnn.typecast", {turned}, dramInterleaved(packed), packed);
    size_t sum = chain.op("ttnn.add", {tiles, back}, dramInterleaved(kLarge), kLarge);
    chain.function().returned = {rounded, sum, tiles, turned};
    Runs runs = runBothWays(chain);
    expectSame(runs);
  }
}

TEST(Deferred, BlockFloatIsRoundedByWholeGroups) {
  // Products read columns of a few hundred; what transposes the packed tensor reads any, as its rows are not padded.
  for (DataType type : {DataType::BFP_BFloat8, DataType::BFP_BFloat4}) {
    TensorDesc packed{{2, 2100, 1050}, type}, weights{{1, 2100, 2100}, type},
        matrix{{1, 2100, 2100}, DataType::BFloat16}, rows{{1, 40, 2100}, DataType::BFloat16},
        unpacked{{2, 1050, 2100}, DataType::Float32};
    Chain chain(dramInterleaved(kTurned), kTurned);
    size_t square = chain.argument(dramInterleaved(matrix), matrix),
           left = chain.argument(dramInterleaved(rows), rows);
    size_t small = chain.op("ttnn.typecast", {0}, dramInterleaved(packed), packed);
    size_t turned = turn(chain, small, unpacked);
    TensorDesc coarser{packed.shape, DataType::BFP_BFloat4}; // rounded twice if it was packed before
    size_t twice = chain.op("ttnn.typecast", {small}, dramInterleaved(coarser), coarser);
    chain.function().values[turned].layout = dramInterleaved(unpacked, PageLayout::RowMajor);
    size_t right = chain.op("ttnn.typecast", {square}, dramInterleaved(weights), weights);
    size_t product = chain.op("ttnn.matmul", {left, right}, dramInterleaved(rows), rows);
    chain.function().returned = {small, twice, turned, right, product};
    Runs runs = runBothWays(chain);
    expectSame(runs);
  }
}

TEST(Deferred, OnlyWhatIsReadIsDrawn) {
  TensorDesc indices{{3}, DataType::UInt32}, table{{4200, 1000}, DataType::BFloat16},
      found{{3, 1000}, DataType::BFloat16};
  Chain chain(dramInterleaved(indices, PageLayout::RowMajor), indices);
  size_t rows = chain.argument(dramInterleaved(table), table);
  chain.argument(dramInterleaved(table), table); // nobody reads it
  chain.function().returned = {chain.op("ttnn.embedding", {0, rows}, dramInterleaved(found), found)};
  Runs runs = runBothWays(chain);
  expectSame(runs);
  EXPECT_EQ(runs.drawn, 3 + 3 * 1000);
}

TEST(Deferred, WhatIsPutOverAnArgumentShows) {
  // A result lies where the argument lies: of both runs, the argument's bytes are lost to the same degree.
  Chain chain(dramInterleaved(kLarge), kLarge);
  size_t other = chain.op("ttnn.full", {}, dramInterleaved(kLarge), kLarge);
  chain.function().steps.back().op.addAttribute("fill_value", 3.0);
  chain.misplaced = {{other, 0}};
  chain.function().returned = {chain.op("ttnn.neg", {0}, dramInterleaved(kLarge), kLarge)};
  Runs runs = runBothWays(chain);
  expectSame(runs);
  EXPECT_EQ(runs.inParts->returned[0][0].at(5), -3);
}

TEST(Deferred, AnArgumentThatIsPutOverATensorShows) {
  // A copy of the argument, which is not written either, is put over a tensor that is read later.
  Chain chain(dramInterleaved(kLarge), kLarge);
  size_t other = chain.op("ttnn.full", {}, dramInterleaved(kLarge), kLarge);
  chain.function().steps.back().op.addAttribute("fill_value", 3.0);
  size_t copy = chain.op("ttnn.to_layout", {0}, dramInterleaved(kLarge), kLarge);
  chain.misplaced = {{copy, other}};
  chain.function().returned = {chain.op("ttnn.neg", {other}, dramInterleaved(kLarge), kLarge)};
  Runs runs = runBothWays(chain);
  expectSame(runs);
  EXPECT_NE(runs.inParts->returned[0][0].at(5), -3);
}

TEST(Deferred, MemoryIsNotWhatTheArgumentIsInAnotherLayout) {
  // What should move the argument into rows does nothing: its bytes are those of tiles.
  Chain chain(dramInterleaved(kLarge), kLarge);
  TensorLayout rows = dramInterleaved(kLarge, PageLayout::RowMajor);
  size_t unmoved = chain.op("ttnn.to_layout", {0}, rows, kLarge);
  chain.function().returned = {chain.op("ttnn.neg", {unmoved}, dramInterleaved(kLarge), kLarge)};
  MachineOptions options;
  options.unmoved = {unmoved};
  TensorDesc even{{2, 1056, 2112}, DataType::BFloat16}; // no padding, so that both layouts take the same
  for (Value &value : chain.function().values)
    value = {even,
             value.layout.isTiled() ? dramInterleaved(even) : dramInterleaved(even, PageLayout::RowMajor)};
  Runs runs = runBothWays(chain, options);
  expectSame(runs);
  EXPECT_FALSE(compare(runs.inParts->returned[0][0], whole(even, 0)).exact());
}

TEST(Deferred, AnArgumentThatIsWrittenInPlaceIsItsOwn) {
  TensorDesc cache{{4, 8, 2048, 64}, DataType::BFloat16}, input{{1, 8, 32, 64}, DataType::BFloat16};
  Chain chain(dramInterleaved(cache), cache);
  size_t update = chain.argument(dramInterleaved(input), input);
  chain.op("ttnn.fill_cache", {0, update}, dramInterleaved(cache), cache);
  chain.function().steps.back().op.addAttribute("batch_offset", int64_t(2));
  chain.function().returned = {chain.op("ttnn.neg", {0}, dramInterleaved(cache), cache)};
  Runs runs = runBothWays(chain);
  expectSame(runs);
  EXPECT_EQ(runs.inParts->written.size(), 1u);
}

TEST(Deferred, WhatIsFreedStaysFreed) {
  Chain chain(dramInterleaved(kLarge), kLarge);
  chain.free(0);
  chain.function().returned = {chain.op("ttnn.neg", {0}, dramInterleaved(kLarge), kLarge)};
  Runs runs = runBothWays(chain);
  EXPECT_EQ(llvm::toString(runs.atOnce.takeError()), llvm::toString(runs.inParts.takeError()));
}

TEST(Deferred, TakesNoMemory) {
  TensorDesc weights{{2100, 2100}, DataType::BFloat16}, packed{{2100, 2100}, DataType::BFP_BFloat8},
      few{{32, 2100}, DataType::BFloat16};
  Chain chain(dramInterleaved(few), few);
  size_t large = chain.argument(systemMemory(weights), weights);
  size_t tiles = chain.op("ttnn.to_layout", {large}, dramInterleaved(weights), weights);
  size_t turned = chain.op("ttnn.transpose", {tiles}, dramInterleaved(weights), weights);
  chain.function().steps.back().op.addAttribute("dim0", int64_t(0));
  chain.function().steps.back().op.addAttribute("dim1", int64_t(1));
  size_t right = chain.op("ttnn.typecast", {turned}, dramInterleaved(packed), packed);
  auto needed = [&] {
    return neededMemory(chain.program, chain.function(), *findDevice("n150"), /*argumentsInParts=*/true);
  };
  Bytes stored(32 * 2112 * 2);
  EXPECT_EQ(needed(), stored + kStreamedWorkingSet);
  // What `tessera verify` compares by its bytes is written.
  chain.function().returned = {chain.op("ttnn.matmul", {0, right}, dramInterleaved(few), few)};
  EXPECT_EQ(needed(), stored * 2 + Bytes(1088 * 66 * 66) + kStreamedWorkingSet + Bytes(2 * 4 * 32 * 2100));
}

} // namespace
