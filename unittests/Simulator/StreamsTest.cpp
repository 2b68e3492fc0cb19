//===- StreamsTest.cpp - Kernels that work a part at a time ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each op runs on tensors that are large enough for parts; what it should make is
// computed from whole tensors by the op's other form.
//
//===----------------------------------------------------------------------===//
#include "Chain.h"

#include "tessera/Simulator/Streams.h"

using namespace tessera;
using namespace tessera::simulator;

namespace {

constexpr Bytes kMemory(int64_t(1) << 32);

/// Whole numbers that all formats hold and whose sums fp32 holds.
DenseTensor pattern(const TensorDesc &desc, int64_t below = 5) {
  DenseTensor tensor(desc);
  for (int64_t i = 0; i < tensor.volume(); ++i)
    tensor.set(i, double((i * 7 + i / 1000) % below));
  return tensor;
}

struct Case {
  std::string op;
  std::vector<TensorDesc> operands;
  TensorDesc result;
  std::vector<std::pair<std::string, AttrValue>> attributes = {};
  PageLayout pages = PageLayout::Tile;
};

/// The result in memory, and the dense form's; the second counts as it comes back from the result's format.
void expectSame(const Case &test) {
  SCOPED_TRACE(test.op + " to " + describe(test.result));
  Chain chain(dramInterleaved(test.operands[0], test.pages), test.operands[0]);
  std::vector<size_t> reads = {0};
  for (size_t i = 1; i < test.operands.size(); ++i)
    reads.push_back(chain.argument(dramInterleaved(test.operands[i], test.pages), test.operands[i]));
  chain.function().returned = {chain.op(test.op, reads, dramInterleaved(test.result), test.result)};
  Step &step = chain.function().steps.back();
  KernelRun dense(test.op, {});
  for (const auto &[name, value] : test.attributes) {
    step.op.addAttribute(name, value);
    dense.with(name, value);
  }
  ASSERT_NE(streamedKernelOf(chain.function(), step), nullptr);
  for (const TensorDesc &operand : test.operands)
    dense.operands.push_back(pattern(operand));
  DenseTensor expected = dense.result(test.result.shape, test.result.dtype);
  ASSERT_EQ(dense.error, "");
  llvm::Expected<RunResult> result =
      simulator::run(chain.program, chain.function(),
                     [&](size_t number) { return MeshTensor(1, pattern(test.operands[number])); },
                     chain.model, {kMemory, {}, nullptr});
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  Comparison comparison = compare(result->returned[0][0], expected);
  EXPECT_TRUE(comparison.exact()) << comparison.different << " elements differ";
}

TEST(Streams, GiveWhatWholeTensorsGive) {
  constexpr DataType kBf16 = DataType::BFloat16, kBfp8 = DataType::BFP_BFloat8, kU32 = DataType::UInt32;
  const TensorDesc tall{{2, 1050, 2100}, kBf16}, wide{{2, 2100, 1050}, kBf16};
  for (PageLayout pages : {PageLayout::Tile, PageLayout::RowMajor}) {
    expectSame({"ttnn.to_layout", {tall}, tall, {}, pages});
    expectSame({"ttnn.typecast", {tall}, {{2, 1050, 2100}, kBfp8}, {}, pages});
    expectSame({"ttnn.reshape", {tall}, {{2100, 2100}, kBf16}, {}, pages});
    expectSame({"ttnn.permute", {tall}, wide, {{"permutation", std::vector<int64_t>{0, 2, 1}}}, pages});
    expectSame({"ttnn.transpose", {tall}, wide, {{"dim0", int64_t(-2)}, {"dim1", int64_t(2)}}, pages});
    expectSame(
        {"ttnn.embedding", {{{3, 11}, kU32}, {{4200, 1000}, kBf16}}, {{3, 11, 1000}, kBf16}, {}, pages});
    expectSame({"ttnn.matmul",
                {{{3, 40, 1030}, kBf16}, {{1030, 4100}, kBf16}},
                {{3, 40, 4100}, DataType::Float32},
                {},
                pages});
    expectSame({"ttnn.linear",
                {{{70, 1030}, kBf16}, {{4100, 1030}, kBf16}, {{1, 4100}, kBf16}},
                {{70, 4100}, DataType::Float32},
                {{"transpose_b", true}, {"activation", std::string("relu")}},
                pages});
  }
}

TEST(Streams, ARowThatATableHasNotIsAnError) {
  TensorDesc indices{{2}, DataType::UInt32}, table{{4200, 1000}, DataType::BFloat16},
      rows{{2, 1000}, DataType::BFloat16};
  Chain chain(dramInterleaved(indices, PageLayout::RowMajor), indices);
  size_t second = chain.argument(dramInterleaved(table), table);
  chain.function().returned = {chain.op("ttnn.embedding", {0, second}, dramInterleaved(rows), rows)};
  llvm::Expected<RunResult> result = simulator::run(
      chain.program, chain.function(),
      [&](size_t number) {
        return MeshTensor(1, number == 0 ? tensorOf({2}, {7, 4200}, DataType::UInt32) : DenseTensor(table));
      },
      chain.model, {kMemory, {}, nullptr});
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()), "place0: error: index 4200 into a table of 4200 rows");
}

TEST(Streams, TakeNoMemoryForWholeTensors) {
  TensorDesc large{{8192, 8192}, DataType::BFloat16};
  Chain chain(dramInterleaved(large), large);
  size_t copy = chain.op("ttnn.to_layout", {0}, dramInterleaved(large), large);
  chain.function().returned = {chain.op("ttnn.to_layout", {copy}, dramInterleaved(large), large)};
  Bytes stored(int64_t(8192) * 8192 * 2);
  EXPECT_EQ(neededMemory(chain.program, chain.function(), *findDevice("n150")),
            stored * 3 + kStreamedWorkingSet);
}

TEST(ResultCache, ComputesWhatIsKnownOnce) {
  TensorDesc desc{{256, 256}, DataType::BFloat16};
  Chain chain(dramInterleaved(desc), desc);
  size_t other = chain.argument(dramInterleaved(desc), desc);
  chain.function().returned = {chain.op("ttnn.matmul", {0, other}, dramInterleaved(desc), desc)};
  ResultCache known(kMemory);
  auto run = [&](double factor) {
    MachineOptions options{kMemory, {}, nullptr};
    options.known = &known;
    auto argument = [&](size_t number) {
      DenseTensor tensor = pattern(desc);
      tensor.set(0, number == 0 ? factor : 1);
      return MeshTensor(1, tensor);
    };
    return llvm::cantFail(simulator::run(chain.program, chain.function(), argument, chain.model, options))
        .returned[0][0];
  };
  DenseTensor first = run(2);
  EXPECT_TRUE(compare(first, run(2)).exact());
  EXPECT_FALSE(compare(first, run(3)).exact()) << "other operands, another result";
  chain.function().steps.back().op.addAttribute("activation", std::string("neg"));
  EXPECT_EQ(run(2).at(0), -first.at(0)) << "another op";
}

} // namespace
