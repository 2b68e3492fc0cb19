//===- MetalLayoutAttrTest.cpp --------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "DialectTest.h"
#include "tessera/Dialect/TTCore/MetalLayoutConversion.h"

#include <random>

using namespace mlir;
using namespace tessera;
using ttcore::MetalLayoutAttr;

namespace {

class MetalLayoutAttrTest : public DialectTest {
protected:
  /// Null, with the reason in `messages`, if IR cannot hold the layout.
  MetalLayoutAttr toAttr(const MetalLayout &layout) {
    FailureOr<MetalLayoutAttr> attr = ttcore::toAttr(&context, layout, [&] { return emitError(); });
    return succeeded(attr) ? *attr : MetalLayoutAttr();
  }
  static std::string print(Attribute attr) {
    std::string text;
    llvm::raw_string_ostream(text) << attr;
    return text;
  }
  static std::string print(llvm::Error error) { return llvm::toString(std::move(error)); }
};

const char *kWalkthrough =
    "#ttcore.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), inf, <2x4>, "
    "memref<6x1x!ttcore.tile<32x32, bfp_bf4>, #ttcore.memory_space<dram>>>";

TEST_F(MetalLayoutAttrTest, ReadsEveryField) {
  auto attr = parse<MetalLayoutAttr>(kWalkthrough);
  ASSERT_TRUE(attr);
  MetalLayout layout = ttcore::toMetalLayout(attr);
  EXPECT_EQ(layout.linear.dims, 4u);
  ASSERT_EQ(layout.linear.results.size(), 2u);
  EXPECT_EQ(layout.linear.results[0].coefficients, (llvm::SmallVector<int64_t, 4>{192, 64, 1, 0}));
  EXPECT_EQ(layout.linear.results[1].coefficients, (llvm::SmallVector<int64_t, 4>{0, 0, 0, 1}));
  EXPECT_EQ(layout.oob, OobValue::Inf);
  EXPECT_EQ(layout.grid, (Shape{2, 4}));
  EXPECT_EQ(layout.shard, (Shape{6, 1}));
  EXPECT_EQ(layout.tile, (TileShape{32, 32}));
  EXPECT_EQ(layout.dtype, DataType::BFP_BFloat4);
  EXPECT_EQ(layout.space, MemorySpace::DeviceDRAM);
  EXPECT_EQ(toAttr(layout), attr);
}

TEST_F(MetalLayoutAttrTest, AnswersWhatTheValueAnswers) {
  auto attr = parse<MetalLayoutAttr>(kWalkthrough);
  ASSERT_TRUE(attr);
  EXPECT_EQ(Shape(attr.getGridShape()), (Shape{2, 4}));
  EXPECT_EQ(Shape(attr.getShardShape()), (Shape{6, 1}));
  ASSERT_TRUE(attr.getTile());
  EXPECT_EQ(Shape(attr.getTile().getShape()), (Shape{32, 32}));
  EXPECT_EQ(attr.getMemorySpace(), ttcore::MemorySpace::DeviceDRAM);

  Shape shape{2, 3, 64, 128};
  llvm::Expected<MetalGeometry> geometry = attr.getGeometry(shape);
  ASSERT_TRUE(bool(geometry)) << print(geometry.takeError());
  MetalLocation at = geometry->locate({1, 1, 6, 100});
  EXPECT_EQ(at.collapsed, (Index{262, 100}));
  EXPECT_EQ(at.core, (Index{1, 3}));
  EXPECT_EQ(at.unit, (Index{2, 0}));
  Index back;
  ASSERT_TRUE(geometry->logicalIndex(at.core, at.inShard, back));
  EXPECT_EQ(back, (Index{1, 1, 6, 100}));

  llvm::Expected<TtnnTerms> terms = attr.getTtnnTerms(shape);
  ASSERT_TRUE(bool(terms)) << print(terms.takeError());
  EXPECT_EQ(terms->stride, (Shape{24576, 8192, 128, 1}));
  EXPECT_EQ(terms->gridShape, (GridShape{2, 4}));

  auto scalars = parse<MetalLayoutAttr>("#ttcore.metal_layout<(d0) -> (d0), undef, <2>, memref<8xf32, "
                                        "#ttcore.memory_space<system>>>");
  ASSERT_TRUE(scalars);
  EXPECT_FALSE(scalars.getTile());
}

/// Another shape than the layout is for: an error from the methods, and the same one from the tensor type.
TEST_F(MetalLayoutAttrTest, SaysWhyATensorDoesNotFit) {
  auto attr = parse<MetalLayoutAttr>(kWalkthrough);
  ASSERT_TRUE(attr);
  for (Shape shape : {Shape{3, 64, 128}, Shape{2, 3, 64, 129}, Shape{4, 3, 64, 128}}) {
    llvm::Expected<MetalGeometry> geometry = attr.getGeometry(shape);
    ASSERT_FALSE(bool(geometry));
    std::string reason = print(geometry.takeError());
    llvm::Expected<TtnnTerms> terms = attr.getTtnnTerms(shape);
    ASSERT_FALSE(bool(terms));
    EXPECT_EQ(print(terms.takeError()), reason);
    messages.clear();
    EXPECT_FALSE(
        RankedTensorType::getChecked([&] { return emitError(); }, shape, Float32Type::get(&context), attr));
    EXPECT_NE(messages.find(reason), std::string::npos) << messages << "does not contain " << reason;
  }
}

/// What the Layout library builds is legal in IR, reads as `describe` says, and comes back equal.
TEST_F(MetalLayoutAttrTest, BuiltLayoutsSurviveTheWayThroughIR) {
  std::mt19937 random(7);
  auto upTo = [&](int64_t n) { return int64_t(random() % n); };
  int survived = 0;
  for (int i = 0; i != 2000; ++i) {
    Shape shape, grid, alignments;
    for (int64_t d = 0, rank = 1 + upTo(7); d != rank; ++d) {
      shape.push_back(1 + upTo(70));
      alignments.push_back(1 + upTo(3));
    }
    MetalLayoutOptions options;
    int64_t begin = upTo(shape.size() + 1), end = begin + upTo(shape.size() + 1 - begin);
    options.collapse = {{begin, end}};
    options.alignments = alignments;
    options.oob = OobValue(upTo(5));
    options.space = MemorySpace(upTo(4));
    for (size_t d = 0, rank = shape.size() - std::max<int64_t>(end - begin - 1, 0); d != rank; ++d)
      grid.push_back(1 + upTo(9));
    DataType dtype = DataType(upTo(kNumDataTypes));
    if (grid.size() >= 2 && (isBlockFloat(dtype) || upTo(2)))
      options.tile = TileShape{32, 16 * (1 + upTo(2))};
    else if (isBlockFloat(dtype))
      dtype = DataType::Float32;
    llvm::Expected<MetalLayout> layout = buildMetalLayout(shape, dtype, grid, options);
    ASSERT_TRUE(bool(layout)) << print(layout.takeError());

    MetalLayoutAttr attr = toAttr(*layout);
    if (!attr) { // the only reason why IR may be narrower for such shapes
      ASSERT_NE(messages.find("a coefficient in the map of a layout is out of range"), std::string::npos)
          << messages;
      messages.clear();
      continue;
    }
    ++survived;
    EXPECT_EQ(ttcore::toMetalLayout(attr), *layout);
    EXPECT_EQ(print(attr), describe(*layout));
    EXPECT_EQ(mlir::parseAttribute(print(attr), &context), attr) << messages;
    EXPECT_TRUE(
        RankedTensorType::getChecked([&] { return emitError(); }, shape, Float32Type::get(&context), attr))
        << messages;
  }
  EXPECT_GT(survived, 1500);
}

/// Plain data can say more than IR.
TEST_F(MetalLayoutAttrTest, RefusesWhatIRCannotHold) {
  auto messageFor = [&](llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> grid,
                        MetalLayoutOptions options) {
    llvm::Expected<MetalLayout> layout = buildMetalLayout(shape, DataType::Float32, grid, options);
    if (!layout)
      return "not built: " + print(layout.takeError());
    messages.clear();
    EXPECT_FALSE(toAttr(*layout));
    return messages;
  };
  MetalLayoutOptions largeTile;
  largeTile.tile = TileShape{64, 64};
  EXPECT_EQ(messageFor({64, 64}, {1, 1}, largeTile), "tile extent 64 is not within [1, 32]\n");
  EXPECT_EQ(messageFor({2, 65536, 65536, 2}, {1, 1}, {}),
            "a coefficient in the map of a layout is out of range\n");
  EXPECT_EQ(messageFor({}, {}, {}), "a grid needs at least one dimension\n");
  EXPECT_EQ(messageFor({4}, {int64_t(1) << 31}, {}), "grid extent 2147483648 is not within [1, 2^31)\n");
}

} // namespace
