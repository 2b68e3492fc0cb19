//===- RobustnessTest.cpp - No input breaks the model --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "tessera/OpModel/OpTable.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace tessera;

namespace {

constexpr int64_t kValues[] = {-9000000000000000000, -7, -1, 0, 1, 2, 3, 32, 100000000000};
constexpr llvm::StringLiteral kAttributes[] = {"dim",
                                               "dim_arg",
                                               "dim0",
                                               "dim1",
                                               "dimension",
                                               "permutation",
                                               "begins",
                                               "ends",
                                               "step",
                                               "padding",
                                               "kernel_size",
                                               "stride",
                                               "dilation",
                                               "batch_size",
                                               "input_height",
                                               "input_width",
                                               "in_channels",
                                               "out_channels",
                                               "channels",
                                               "num_heads",
                                               "cluster_axis",
                                               "transpose_a",
                                               "is_causal",
                                               "operandSegmentSizes",
                                               "output_padding",
                                               "sliding_window_size",
                                               "conv2d_config.act_block_h_override"};

/// Queries drawn by a plain linear congruential generator: the same everywhere.
class RandomQueries {
public:
  RandomQueries(LayoutPool &pool, const DeviceSpec &device) {
    for (const Shape &shape : shapes)
      if (llvm::all_of(shape, [](int64_t dim) { return dim > 0; }))
        for (PageLayout page : {PageLayout::Tile, PageLayout::RowMajor})
          addLayouts({shape, DataType::BFloat16}, page, pool, device);
  }

  TextQuery draw(const OpInfo &op) {
    TextQuery q;
    q.signature.name = op.name.str();
    common = shapes[below(shapes.size())];
    size_t operands = std::min<size_t>(op.maxOperands, op.minOperands + below(2));
    if (below(20) == 0 && operands > 0)
      --operands;
    for (size_t i = 0; i < operands; ++i) {
      q.signature.operands.push_back({drawTensor(), unsigned(below(i + 2)), false});
      q.inputs.push_back(layouts[below(layouts.size())]);
    }
    for (size_t i = 0; i < op.results; ++i) {
      q.signature.results.push_back(drawTensor());
      q.config.outputs.push_back(below(3) ? layouts[below(layouts.size())] : LayoutId());
    }
    drawAttributes(q.signature);
    q.config.specific = drawConfig();
    return q;
  }

private:
  void addLayouts(const TensorDesc &desc, PageLayout page, LayoutPool &pool, const DeviceSpec &device) {
    GridShape grid = device.workerGrid;
    for (const TensorLayout &layout :
         {dramInterleaved(desc, page), systemMemory(desc, page), l1Interleaved(desc, grid, page),
          l1Sharded(desc, MemoryLayout::HeightSharded, {2, 1}, grid, page),
          l1Sharded(desc, MemoryLayout::WidthSharded, {1, 3}, grid, page),
          l1Sharded(desc, MemoryLayout::BlockSharded, {2, 2}, grid, page)})
      layouts.push_back(pool.intern(layout));
  }

  size_t below(size_t bound) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return size_t(state >> 33) % bound;
  }
  int64_t value() { return kValues[below(std::size(kValues))]; }
  TensorDesc drawTensor() {
    return {below(3) ? common : shapes[below(shapes.size())], DataType(below(kNumDataTypes))};
  }

  void drawAttributes(OpSignature &signature) {
    for (llvm::StringRef name : kAttributes) {
      size_t kind = below(5);
      if (kind == 0) {
        signature.attributes.push_back({name.str(), value()});
      } else if (kind == 1) {
        signature.attributes.push_back({name.str(), below(2) == 0});
      } else if (kind == 2) {
        std::vector<int64_t> list(below(7));
        for (int64_t &entry : list)
          entry = value();
        signature.attributes.push_back({name.str(), list});
      }
    }
    llvm::sort(signature.attributes, [](const auto &a, const auto &b) { return a.first < b.first; });
  }

  OpSpecificConfig drawConfig() {
    if (below(4) == 0) {
      MatmulProgramConfig c;
      c.kind = MatmulProgramConfig::Kind(below(4));
      c.grid = {value(), value()};
      c.perCoreM = value();
      c.in0BlockW = value();
      return c;
    }
    if (below(4) == 0)
      return Conv2dConfig{MemoryLayout::BlockSharded,    value(), below(2) == 0, below(2) == 0,
                          Conv2dConfig::Slice(below(4)), value()};
    return {};
  }

  const std::vector<Shape> shapes = {{},
                                     {0},
                                     {1},
                                     {33},
                                     {0, 64},
                                     {64, 0},
                                     {1, 1},
                                     {32, 32},
                                     {70, 5000},
                                     {2, 3, 40, 100},
                                     {1, 1, 3136, 64},
                                     {5, 1, 1, 1, 7},
                                     {-1, 4}};
  std::vector<LayoutId> layouts;
  Shape common;
  uint64_t state = 42;
};

class RobustnessTest : public testing::Test {
protected:
  const DeviceSpec &device = *findDevice("n150");
  LayoutPool layouts;
  std::unique_ptr<OpModel> model = createAnalyticOpModel({device, layouts, device.usableL1()});

  /// Whatever was asked: sizes are not negative, refusals have a reason, times are finite. True if legal.
  bool answers(const OpQuery &query) {
    ValidationResult result = model->query(query);
    OpRuntime time = model->runtime(query);
    EXPECT_GE(result.constraints.cbL1PeakSize.value(), 0) << query.op.name;
    EXPECT_GE(result.constraints.tensorL1PeakSize.value(), 0) << query.op.name;
    EXPECT_TRUE(result.ok() || (!result.rule.empty() && !result.message.empty())) << query.op.name;
    EXPECT_TRUE(std::isfinite(time.total.value()) && time.total.value() >= 0) << query.op.name;
    if (result.ok()) {
      EXPECT_EQ(result.constraints.outputLayouts.size(), query.op.results.size());
    }
    return result.ok();
  }
};

TEST_F(RobustnessTest, AnyInputGetsAnAnswer) {
  RandomQueries random(layouts, device);
  size_t legal = 0;
  for (int round = 0; round < 300 && !HasFailure(); ++round)
    for (const OpInfo &op : knownOps())
      legal += answers(random.draw(op).query());
  EXPECT_GT(legal, 500u); // the generator does reach legal queries
}

TEST_F(RobustnessTest, WindowsOfAllKindsGetAnAnswer) {
  size_t legal = 0;
  for (llvm::StringRef op : {"conv2d", "conv_transpose2d", "max_pool2d", "avg_pool2d"})
    for (int64_t kernel : {1, 2, 7, 16})
      for (int64_t stride : {1, 2, 20})
        for (int64_t dilation : {1, 3})
          for (int64_t channels : {1, 3, 64, 2048})
            for (llvm::StringRef layout : {"dram", "l1/rm", "hs4/rm", "ws4", "bs2x2"}) {
              std::string c = std::to_string(channels), k = std::to_string(kernel),
                          s = std::to_string(stride);
              std::string weight = op.contains("conv") ? ", 8x8x1x1@host/rm" : "";
              std::string text =
                  "ttnn." + op.str() + " 1x1x784x" + c + "@" + layout.str() + weight + " -> 1x1x784x" + c +
                  "@? ; batch_size=1 input_height=28 input_width=28 channels=" + c + " in_channels=" + c +
                  " out_channels=" + c + " kernel_size=[" + k + "," + k + "] stride=[" + s + "," + s +
                  "] padding=[1,1] dilation=[" + std::to_string(dilation) + ",1]";
              legal += answers(parseQuery(text, layouts, device).query());
            }
  EXPECT_GT(legal, 200u);
}

} // namespace
