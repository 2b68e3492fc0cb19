//===- MetalGeometryTest.cpp - Where elements and padding lie --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "AllPadding.h"

#include "tessera/Layout/MetalGeometry.h"

#include <gtest/gtest.h>

#include <map>

using namespace tessera;

namespace {

constexpr TileShape k32x32{32, 32};

MetalGeometry geometryOf(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> grid,
                         MetalLayoutOptions options = {}, DataType dtype = DataType::Float32) {
  MetalLayout layout = llvm::cantFail(buildMetalLayout(shape, dtype, grid, options));
  return llvm::cantFail(MetalGeometry::create(layout, shape));
}

/// Every element, by walking all shards: what regions must add up to.
struct Census {
  int64_t real = 0, padding = 0;
};
Census walk(const MetalGeometry &geometry) {
  Census census;
  Index core(geometry.layout().rank(), 0), element = core, index;
  auto advance = [](Index &i, llvm::ArrayRef<int64_t> extents) {
    for (size_t d = i.size(); d-- > 0; i[d] = 0)
      if (++i[d] < extents[d])
        return true;
    return false;
  };
  do {
    do {
      ++(geometry.logicalIndex(core, element, index) ? census.real : census.padding);
    } while (advance(element, geometry.paddedShard()));
  } while (advance(core, geometry.layout().grid));
  return census;
}

MetalGeometry alignedOn(llvm::StringRef device, MemorySpace space, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> grid, DataType dtype = DataType::BFloat16) {
  MetalLayout layout = llvm::cantFail(buildMetalLayout(shape, dtype, grid, {.space = space}));
  return llvm::cantFail(MetalGeometry::create(layout, shape, nocAlignment(space, *findDevice(device))));
}

// The document's "Padding": it can also arise due to minimum NoC addressing requirements. 3x5 bf16 are rows of 10 bytes.
TEST(MetalGeometry, RowsAreAsLongAsTheNocAddresses) {
  struct {
    const char *device;
    MemorySpace space;
    int64_t stride, perCore, reserved, padding;
  } cases[] = {
      {"n150", MemorySpace::DeviceL1, 16, 48, 64, 9},    {"n150", MemorySpace::DeviceDRAM, 32, 96, 96, 33},
      {"n150", MemorySpace::SystemMMIO, 32, 96, 96, 33}, {"n150", MemorySpace::System, 10, 30, 30, 0},
      {"p150", MemorySpace::DeviceL1, 16, 48, 64, 9},    {"p150", MemorySpace::DeviceDRAM, 64, 192, 192, 81}};
  for (const auto &c : cases) {
    MetalGeometry geometry = alignedOn(c.device, c.space, {3, 5}, {1, 1});
    EXPECT_EQ(geometry.pageBytes(), Bytes(10));
    EXPECT_EQ(geometry.pageStride(), Bytes(c.stride)) << c.device << " " << name(c.space).str();
    EXPECT_EQ(geometry.bytesPerCore(), Bytes(c.perCore));
    EXPECT_EQ(geometry.reservedPerCore(), Bytes(c.reserved));
    EXPECT_EQ(geometry.paddingVolume(), c.padding);
    EXPECT_EQ(geometry.locate({2, 1}).offset, Bytes(2 * c.stride + 2));
    EXPECT_EQ(geometry.elementAt(Bytes(2 * c.stride + 2)), (Index{2, 1}));
    EXPECT_EQ(walk(geometry).padding, c.padding);
  }
  // What lies behind a row is padding; the next row begins a stride further.
  MetalGeometry geometry = alignedOn("n150", MemorySpace::DeviceL1, {3, 5}, {1, 1});
  EXPECT_EQ(geometry.elementAt(Bytes(14)), (Index{0, 7}));
  EXPECT_TRUE(geometry.isPadding({0, 0}, {0, 7}));
  EXPECT_EQ(geometry.elementAt(Bytes(16)), (Index{1, 0}));
}

// Tiles are whole pages: 64 bytes divide every one of 32x32.
TEST(MetalGeometry, TilesOf32x32AreAligned) {
  for (DataType type : {DataType::Float32, DataType::BFloat16, DataType::BFP_BFloat8, DataType::BFP_BFloat4,
                        DataType::BFP_BFloat2}) {
    MetalLayout layout = llvm::cantFail(
        buildMetalLayout({40, 40}, type, {1, 1}, {.tile = k32x32, .space = MemorySpace::DeviceDRAM}));
    NocAlignment alignment = nocAlignment(MemorySpace::DeviceDRAM, *findDevice("p150"));
    EXPECT_EQ(alignment.page, Bytes(64));
    EXPECT_EQ(llvm::cantFail(MetalGeometry::create(layout, {40, 40}, alignment)).bytesPerCore(),
              llvm::cantFail(MetalGeometry::create(layout, {40, 40})).bytesPerCore());
  }
}

TEST(MetalGeometry, AlignedSizesBeyond64BitsAreAnError) {
  Shape shape = {int64_t(1) << 31, int64_t(1) << 27, 1};
  MetalLayout layout =
      llvm::cantFail(buildMetalLayout(shape, DataType::UInt8, {1, 1}, {.space = MemorySpace::DeviceDRAM}));
  EXPECT_TRUE(bool(MetalGeometry::create(layout, shape)));
  llvm::Expected<MetalGeometry> aligned = MetalGeometry::create(layout, shape, {Bytes(64), Bytes(64)});
  ASSERT_FALSE(bool(aligned));
  EXPECT_EQ(llvm::toString(aligned.takeError()), "the tensor's physical size exceeds what 64 bits can count");
}

TEST(MetalGeometry, WorkedExampleOfTheHeader) {
  MetalGeometry geometry = geometryOf({2, 3, 64, 128}, {2, 4}, {.tile = k32x32});
  EXPECT_EQ(Index(geometry.scalarShard()), (Index{192, 32}));
  EXPECT_EQ(geometry.layout().shard, (Shape{6, 1}));
  MetalLocation at = geometry.locate({1, 1, 6, 100});
  EXPECT_EQ(at.collapsed, (Index{262, 100}));
  EXPECT_EQ(at.core, (Index{1, 3}));
  EXPECT_EQ(at.inShard, (Index{70, 4}));
  EXPECT_EQ(at.unit, (Index{2, 0}));
  EXPECT_EQ(at.face, 0);
  EXPECT_EQ(at.faceRow, 6);
  EXPECT_EQ(at.faceColumn, 4);
  EXPECT_EQ(at.offset, Bytes(8592));
  EXPECT_EQ(geometry.elementAt(Bytes(8592)), (Index{70, 4}));
  Index index;
  EXPECT_TRUE(geometry.logicalIndex(at.core, at.inShard, index));
  EXPECT_EQ(index, (Index{1, 1, 6, 100}));
}

TEST(MetalGeometry, ScalarOffsetsAreRowMajor) {
  MetalGeometry geometry = geometryOf({8, 300}, {1, 2}, {}, DataType::BFloat16);
  EXPECT_EQ(geometry.locate({3, 200}).core, (Index{0, 1}));
  EXPECT_EQ(geometry.locate({3, 200}).offset, Bytes((3 * 150 + 50) * 2));
  EXPECT_EQ(geometry.elementAt(Bytes(1)), std::nullopt);
  EXPECT_EQ(geometry.elementAt(Bytes(8 * 150 * 2)), std::nullopt);
  EXPECT_EQ(geometry.elementAt(Bytes(-2)), std::nullopt);
}

TEST(MetalGeometry, FacesOfATile) {
  MetalGeometry geometry = geometryOf({32, 32}, {1, 1}, {.tile = k32x32}, DataType::BFloat16);
  EXPECT_EQ(geometry.locate({0, 16}).face, 1);
  EXPECT_EQ(geometry.locate({0, 16}).offset, Bytes(256 * 2));
  EXPECT_EQ(geometry.locate({16, 0}).face, 2);
  EXPECT_EQ(geometry.locate({31, 31}).face, 3);
  EXPECT_EQ(geometry.locate({31, 31}).offset, Bytes(2046));
  MetalGeometry flat = geometryOf({4, 32}, {1, 1}, {.tile = TileShape{4, 32}}, DataType::BFloat16);
  EXPECT_EQ(flat.locate({0, 16}).offset, Bytes(4 * 16 * 2)); // two 4x16 faces
}

// facts/deepseek 5.3: exponents first, then mantissas in face order.
TEST(MetalGeometry, BlockFloatsHaveExponentAndMantissa) {
  MetalGeometry bfp8 = geometryOf({64, 64}, {1, 1}, {.tile = k32x32}, DataType::BFP_BFloat8);
  EXPECT_EQ(bfp8.bytesPerCore(), Bytes(4 * 1088));
  MetalLocation at = bfp8.locate({33, 17}); // tile (1, 0), face 1, row 1, column 1
  EXPECT_EQ(at.offset, Bytes(2 * 1088 + 64 + 256 + 16 + 1));
  EXPECT_EQ(at.exponent, Bytes(2 * 1088 + 16 + 1));
  EXPECT_EQ(bfp8.elementAt(Bytes(63)), std::nullopt); // an exponent
  EXPECT_EQ(bfp8.elementAt(Bytes(64)), (Index{0, 0}));

  MetalGeometry bfp4 = geometryOf({32, 32}, {1, 1}, {.tile = k32x32}, DataType::BFP_BFloat4);
  EXPECT_EQ(bfp4.locate({0, 3}).offset, Bytes(64 + 1));
  EXPECT_EQ(bfp4.locate({0, 3}).bit, 4u);
  EXPECT_EQ(bfp4.elementAt(Bytes(65), 4), (Index{0, 3}));
  EXPECT_EQ(bfp4.elementAt(Bytes(65), 2), std::nullopt);
  EXPECT_EQ(bfp4.elementAt(Bytes(65), 8), std::nullopt);
  MetalGeometry bfp2 = geometryOf({32, 32}, {1, 1}, {.tile = k32x32}, DataType::BFP_BFloat2);
  EXPECT_EQ(bfp2.locate({0, 3}).offset, Bytes(64));
  EXPECT_EQ(bfp2.locate({0, 3}).bit, 6u);
}

// facts/tensor-layout "Padding": one row on the last row of cores, one column on the last column.
TEST(MetalGeometry, PaddingOfTheScalarExample) {
  MetalGeometry geometry = geometryOf({53, 63}, {3, 2});
  Index row{17, 0}, column{0, 31};
  for (int64_t y = 0; y != 3; ++y)
    for (int64_t x = 0; x != 2; ++x) {
      EXPECT_EQ(geometry.isPadding({y, x}, row), y == 2);
      EXPECT_EQ(geometry.isPadding({y, x}, column), x == 1);
    }
  EXPECT_EQ(geometry.paddingVolume(), 54 * 64 - 53 * 63);
  EXPECT_EQ(regionVolume(geometry), geometry.paddingVolume());
}

// "every core now has 14 rows of padding except for the last row of cores which has 15".
TEST(MetalGeometry, PaddingOfTheTilizedExample) {
  MetalGeometry geometry = geometryOf({53, 63}, {3, 2}, {.tile = k32x32}, DataType::BFP_BFloat8);
  std::map<std::pair<int64_t, int64_t>, int64_t> rows;
  forAllPadding(geometry, [&](llvm::ArrayRef<int64_t> core, const ElementBox &box) {
    if (box.begin[1] == 0 && box.end[1] == 32)
      rows[{core[0], core[1]}] += box.end[0] - box.begin[0];
  });
  for (int64_t y = 0; y != 3; ++y)
    for (int64_t x = 0; x != 2; ++x)
      EXPECT_EQ((rows[{y, x}]), y == 2 ? 15 : 14) << y << ',' << x;
}

TEST(MetalGeometry, GapsOfPaddedStridesArePadding) {
  MetalGeometry geometry = geometryOf({2, 8, 32}, {1, 2}, {.alignments = {1, 32, 1}, .tile = k32x32});
  EXPECT_FALSE(geometry.isPadding({0, 0}, {7, 15}));
  EXPECT_TRUE(geometry.isPadding({0, 0}, {8, 0}));
  EXPECT_TRUE(geometry.isPadding({0, 0}, {31, 0}));
  EXPECT_FALSE(geometry.isPadding({0, 0}, {32, 0}));
  EXPECT_TRUE(geometry.isPadding({0, 0}, {0, 16})); // the tile's second half
  EXPECT_EQ(geometry.locate({1, 0, 0}).unit, (Index{1, 0}));
  EXPECT_EQ(walk(geometry).padding, geometry.paddingVolume());
  EXPECT_EQ(regionVolume(geometry), geometry.paddingVolume());
}

TEST(MetalGeometry, RegionsAreMerged) {
  std::vector<ElementBox> boxes;
  forAllPadding(geometryOf({53, 63}, {1, 1}, {.tile = k32x32}),
                [&](llvm::ArrayRef<int64_t>, const ElementBox &box) { boxes.push_back(box); });
  EXPECT_EQ(boxes, (std::vector<ElementBox>{{{0, 63}, {53, 64}}, {{53, 0}, {64, 64}}}));
}

// A region per gap, whatever the extents: 2^34 elements would take minutes one by one.
TEST(MetalGeometry, RegionsCostNothingPerElement) {
  MetalGeometry geometry = geometryOf({1 << 17, 1 << 17}, {3, 7}, {.tile = k32x32});
  EXPECT_EQ(regionVolume(geometry), geometry.paddingVolume());
  EXPECT_GT(geometry.paddingVolume(), 0);
}

// 2^30 gaps in one shard: who stops after the first few has waited for no more.
TEST(MetalGeometry, RegionsAreFoundOnDemand) {
  MetalGeometry geometry = geometryOf({1 << 30, 1, 2}, {1, 1}, {.alignments = {1, 3, 1}});
  std::vector<ElementBox> boxes;
  EXPECT_FALSE(geometry.forEachPaddingRegion({0, 0}, [&](const ElementBox &box) {
    boxes.push_back(box);
    return boxes.size() < 2;
  }));
  EXPECT_EQ(boxes, (std::vector<ElementBox>{{{1, 0}, {3, 2}}, {{4, 0}, {6, 2}}}));
}

TEST(MetalGeometry, CoresAreNumberedRowMajor) {
  MetalGeometry geometry = geometryOf({4, 6, 8}, {2, 3, 4}, {.collapse = {}});
  EXPECT_EQ(geometry.coreAt(0), (Index{0, 0, 0}));
  EXPECT_EQ(geometry.coreAt(7), (Index{0, 1, 3}));
  EXPECT_EQ(geometry.coreAt(23), (Index{1, 2, 3}));
}

TEST(MetalGeometry, DimensionsThatFeedTwoResults) {
  // The 8x96x32 of facts/tensor-layout on 2x1x2 with d1 in two results, made smaller.
  MetalLayout layout;
  layout.linear.dims = 3;
  layout.linear.results = {{{6, 1, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  layout.grid = {2, 1, 2};
  layout.shard = impliedShard(layout.linear, {4, 6, 4}, layout.grid, std::nullopt);
  EXPECT_EQ(layout.shard, (Shape{12, 6, 2}));
  MetalGeometry geometry = llvm::cantFail(MetalGeometry::create(layout, {4, 6, 4}));
  EXPECT_EQ(geometry.locate({3, 2, 3}).collapsed, (Index{20, 2, 3}));
  Index index;
  EXPECT_TRUE(geometry.logicalIndex({1, 0, 1}, {8, 2, 1}, index));
  EXPECT_EQ(index, (Index{3, 2, 3}));
  EXPECT_TRUE(geometry.isPadding({1, 0, 1}, {8, 3, 1}));
  Census census = walk(geometry);
  EXPECT_EQ(census.real, 4 * 6 * 4);
  EXPECT_EQ(census.padding, geometry.paddingVolume());
  EXPECT_EQ(regionVolume(geometry), geometry.paddingVolume());
}

TEST(MetalGeometry, SpecsSevenDimensions) {
  MetalLayout layout;
  layout.linear.dims = 7;
  layout.linear.results = {{{2688, 896, 448, 224, 32, 1, 0}},
                           {{0, 0, 0, 0, 1, 0, 0}},
                           {{0, 0, 0, 0, 0, 1, 0}},
                           {{0, 0, 0, 0, 0, 0, 1}}};
  layout.grid = {3, 2, 2, 2};
  layout.shard = {4480, 4, 16, 16};
  const Index shape{5, 3, 2, 2, 7, 32, 32};
  MetalGeometry geometry = llvm::cantFail(MetalGeometry::create(layout, shape));
  const Index index{4, 2, 1, 0, 6, 31, 17};
  MetalLocation at = geometry.locate(index);
  EXPECT_EQ(at.collapsed, (Index{4 * 2688 + 2 * 896 + 448 + 6 * 32 + 31, 6, 31, 17}));
  EXPECT_EQ(at.core, (Index{2, 1, 1, 1}));
  Index back;
  ASSERT_TRUE(geometry.logicalIndex(at.core, at.inShard, back));
  EXPECT_EQ(back, index);
  EXPECT_EQ(regionVolume(geometry), geometry.paddingVolume());
}

TEST(MetalGeometry, Volumes) {
  MetalGeometry geometry = geometryOf({53, 63}, {3, 2}, {.tile = k32x32}, DataType::BFP_BFloat8);
  EXPECT_EQ(geometry.cores(), 6);
  EXPECT_EQ(geometry.logicalVolume(), 53 * 63);
  EXPECT_EQ(geometry.physicalVolume(), 6 * 1024);
  EXPECT_EQ(geometry.bytesPerCore(), Bytes(1088));
  EXPECT_EQ(geometry.totalBytes(), Bytes(6 * 1088));
  EXPECT_DOUBLE_EQ(geometry.utilisation(), 53 * 63 / 6144.0);
}

TEST(MetalGeometry, EmptyTensorsAndRankZero) {
  MetalGeometry empty = geometryOf({0, 5}, {1, 1});
  EXPECT_EQ(empty.physicalVolume(), 0);
  EXPECT_EQ(empty.utilisation(), 1);
  EXPECT_EQ(regionVolume(empty), 0);
  MetalGeometry hollow = geometryOf({2, 0, 5}, {1, 1}, {.alignments = {1, 4, 1}});
  EXPECT_EQ(regionVolume(hollow), hollow.physicalVolume());
  MetalGeometry scalar = geometryOf({}, {});
  EXPECT_EQ(scalar.logicalVolume(), 1);
  EXPECT_EQ(scalar.locate({}).offset, Bytes(0));
  EXPECT_EQ(regionVolume(scalar), 0);
}

TEST(MetalGeometry, CoresWithoutDataArePaddingThroughout) {
  // 5 rows over 4 cores: 2 + 2 + 1 + 0.
  MetalGeometry geometry = geometryOf({5, 8}, {4, 1});
  EXPECT_TRUE(geometry.isPadding({3, 0}, {0, 0}));
  std::vector<int64_t> perCore(4);
  forAllPadding(geometry, [&](llvm::ArrayRef<int64_t> core, const ElementBox &box) {
    perCore[core[0]] += box.volume();
  });
  EXPECT_EQ(perCore, (std::vector<int64_t>{0, 0, 8, 16}));
}

TEST(MetalGeometry, ErrorsListAllViolations) {
  MetalLayout layout = llvm::cantFail(buildMetalLayout({64, 64}, DataType::Float32, {2, 2}));
  layout.grid = {2};
  llvm::Expected<MetalGeometry> geometry = MetalGeometry::create(layout, {64});
  ASSERT_FALSE(bool(geometry));
  EXPECT_EQ(llvm::toString(geometry.takeError()),
            "the linear map has 2 dimensions, but the tensor has rank 1; the "
            "linear map has 2 results, but grid <2> has rank 1");
}

} // namespace
