//===- LayoutDrawingTest.cpp - What the picture shows ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/LayoutDrawing.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <unistd.h>

using namespace tessera;
using llvm::StringRef;

namespace {

/// "" after a failure if there is no such layout.
std::string draw(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> grid, MetalLayoutOptions options = {},
                 const char *device = nullptr, std::optional<Index> element = std::nullopt) {
  std::string svg;
  llvm::Expected<MetalLayout> layout = buildMetalLayout(shape, DataType::Float32, grid, options);
  if (!layout) {
    ADD_FAILURE() << llvm::toString(layout.takeError());
    return svg;
  }
  MetalGeometry geometry = llvm::cantFail(MetalGeometry::create(*layout, shape));
  llvm::raw_string_ostream os(svg);
  drawLayout(os, geometry, {device ? findDevice(device) : nullptr, element});
  return svg;
}

size_t occurrences(StringRef svg, StringRef what) { return svg.count(what); }

MetalLayoutOptions tiled() {
  MetalLayoutOptions options;
  options.tile = TileShape{32, 32};
  return options;
}

constexpr StringRef kShard = "class=\"shard\"/>", kPadding = "fill=\"url(#pad)\"/>",
                    kTileLine = "class=\"tile\"/>", kIdle = "class=\"idle\"/>",
                    kMixed = "fill=\"url(#mix)\"/>";

TEST(LayoutDrawing, AShardPerCoreAndALinePerTileBorder) {
  std::string svg = draw({2, 3, 64, 128}, {2, 4}, tiled());
  EXPECT_TRUE(StringRef(svg).starts_with("<svg "));
  EXPECT_TRUE(StringRef(svg).ends_with("</svg>\n"));
  EXPECT_EQ(occurrences(svg, kShard), 8u);
  EXPECT_EQ(occurrences(svg, kTileLine), 8u * 5); // 6x1 tiles
  EXPECT_EQ(occurrences(svg, kPadding), 1u);      // the legend's
  EXPECT_NE(svg.find("Tensor 2x3x64x128 on a grid of 2x4"), std::string::npos);
  EXPECT_NE(svg.find("192..383"), std::string::npos);
}

TEST(LayoutDrawing, PaddingIsDrawnBoxByBox) {
  // facts/tensor-layout : 14 rows on each core, 15 on the last; a column on the right.
  std::string svg = draw({53, 63}, {3, 2}, tiled());
  EXPECT_EQ(occurrences(svg, kPadding), 3u * (1 + 2) + 1);
  EXPECT_NE(svg.find("54.3 % of it is data"), std::string::npos);
}

TEST(LayoutDrawing, OnADeviceIdleCoresShow) {
  std::string svg = draw({32, 1024}, {1, 32}, tiled(), "n150");
  EXPECT_EQ(occurrences(svg, kShard), 32u);
  EXPECT_EQ(occurrences(svg, kIdle), 64u + 1); // below the shards too, and in the legend
  EXPECT_NE(svg.find(">0,31</text>"), std::string::npos);
  EXPECT_NE(svg.find("chip 0"), std::string::npos);
  EXPECT_EQ(occurrences(draw({2, 64, 128}, {2, 2, 4}, {{}, {}, TileShape{32, 32}}, "n300"), kIdle), 128u + 1);
}

TEST(LayoutDrawing, GridsBeyondTheDeviceAreDrawnVirtually) {
  std::string svg = draw({32, 3200}, {1, 100}, tiled(), "n150");
  EXPECT_EQ(occurrences(svg, kIdle), 0u);
  EXPECT_EQ(occurrences(svg, kShard), 64u);
  EXPECT_NE(svg.find("drawn: 1 of 1 panels, 1x64 of 1x100 cores"), std::string::npos);
}

TEST(LayoutDrawing, PointsOutAnElement) {
  std::string svg = draw({2, 3, 64, 128}, {2, 4}, tiled(), nullptr, Index{1, 1, 6, 100});
  EXPECT_EQ(occurrences(svg, "<circle"), 1u);
  EXPECT_NE(
      svg.find("element [1, 1, 6, 100] lies on core (1, 3), element (70, 4) of its shard, at byte 8592"),
      std::string::npos);
}

TEST(LayoutDrawing, FineStructureIsSummarised) {
  MetalLayoutOptions options = tiled();
  options.alignments = {1, 32, 1};
  std::string svg = draw({2000, 3, 7}, {2, 1}, options);
  EXPECT_EQ(occurrences(svg, kMixed), 2u + 1);
  EXPECT_NE(svg.find("too fine to draw"), std::string::npos);
}

TEST(LayoutDrawing, SizeIsBounded) {
  MetalLayoutOptions options = tiled();
  options.collapse = {};
  EXPECT_LT(draw({100, 70 * 32, 70 * 32}, {100, 70, 70}, options).size(), size_t(32) << 20);
  EXPECT_LT(draw({1 << 20, 1 << 20}, {8, 8}, tiled()).size(), size_t(200) << 10);
  // Some hundred gaps per shard, in thousands of shards.
  EXPECT_LT(draw({8, 64, 64 * 300, 1}, {8, 64, 64}, {{{2, 4}}, {1, 1, 1, 2}, {}}).size(), size_t(32) << 20);
}

/// To be called by a process of its own, which ends with whether there is a small picture, or by a signal after a minute.
[[noreturn]] void endWith(llvm::function_ref<std::string()> picture) {
  ::alarm(60);
  std::string svg = picture();
  ::_exit(!svg.empty() && svg.size() < size_t(1) << 20 ? 0 : 1);
}

// None of these ends if the work depends on gaps, cores or rows that are not drawn. Each has about as many bytes as 64 bits count.
TEST(LayoutDrawing, WorkIsBounded) {
  auto isSmall = testing::ExitedWithCode(0);
  EXPECT_EXIT(endWith([] {
                return draw({300, 500, 7, 9, 11, 13, 53}, {64, 64},
                            {{{0, -1}}, {1, 4, 8, 16, 16, 16, 64}, {}});
              }),
              isSmall, "");
  EXPECT_EXIT(endWith([] { return draw({1 << 16, 1 << 12}, {1 << 16, 1 << 12}); }), isSmall, "");
  EXPECT_EXIT(
      endWith([] { return draw({1 << 29, 1 << 20, 2, 3}, {1, 1, 1, 1}, {{}, {}, TileShape{32, 32}}); }),
      isSmall, "");
}

TEST(LayoutDrawing, HigherRanksArePanels) {
  MetalLayoutOptions options;
  options.collapse = {{1, -1}};
  std::string svg = draw({3, 2, 4, 8}, {3, 1, 2}, options);
  EXPECT_NE(svg.find("cores (2, *, *)"), std::string::npos);
  EXPECT_EQ(occurrences(svg, kShard), 6u);
}

TEST(LayoutDrawing, DegenerateTensors) {
  for (const Shape &shape : {Shape{}, Shape{0}, Shape{0, 5}, Shape{1}}) {
    std::string svg = draw(shape, Shape(shape.size(), 1));
    EXPECT_EQ(occurrences(svg, kShard), 1u);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

} // namespace
