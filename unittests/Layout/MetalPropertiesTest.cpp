//===- MetalPropertiesTest.cpp - 100,000 random layouts --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

//
// RapidCheck draws bytes, and a case is read off them: small bytes give small
// cases, so a failure shrinks to a small one. RC_PARAMS in the environment
// overrides the number of cases ("max_success=1000000 seed=7").
//
//===----------------------------------------------------------------------===//

#include "AllPadding.h"

#include "tessera/Layout/MetalGeometry.h"
#include "tessera/Layout/MetalToTtnn.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

using namespace tessera;

namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CASES "20000" // ten times slower
#endif
#endif
#ifndef CASES
#define CASES "100000"
#endif
// Read by RapidCheck when the first property runs.
[[maybe_unused]] const int kConfigured =
    setenv("RC_PARAMS", "max_success=" CASES " seed=20240607", /*overwrite=*/0);

// RC_ASSERT describes its operands even when it holds, which costs more than what is tested here.
#define REQUIRE(...)                                                                                         \
  do {                                                                                                       \
    if (!(__VA_ARGS__))                                                                                      \
      RC_FAIL(#__VA_ARGS__);                                                                                 \
  } while (false)

constexpr int64_t kAllElements = 128;  ///< tensors up to this volume are checked element by element
constexpr int64_t kAllPhysical = 4096; ///< and memories up to this one place by place

/// Reads choices off bytes; 0, the simplest, when they run out.
class Choices {
public:
  explicit Choices(const std::vector<uint8_t> &bytes) : bytes(bytes) {}
  int64_t below(int64_t limit) { return next == bytes.size() ? 0 : bytes[next++] % limit; }
  template <size_t N>
  int64_t of(const int64_t (&values)[N]) {
    return values[below(N)];
  }

private:
  const std::vector<uint8_t> &bytes;
  size_t next = 0;
};

auto bytes(int count) {
  return rc::gen::resize(rc::kNominalSize,
                         rc::gen::container<std::vector<uint8_t>>(count, rc::gen::arbitrary<uint8_t>()));
}

struct Case {
  Shape shape, grid;
  MetalLayoutOptions options;
  DataType dtype = DataType::BFloat16;
  NocAlignment alignment;
};

/// Disjoint intervals, in positive or negative numbers.
llvm::SmallVector<CollapseInterval, 2> drawIntervals(Choices &choices, int64_t rank) {
  if (choices.below(3) == 0)
    return {{0, -1}};
  llvm::SmallVector<CollapseInterval, 2> intervals;
  for (int64_t d = 0; d < rank;) {
    int64_t end = std::min(rank, d + choices.below(4));
    bool negative = end < rank && choices.below(2) == 1;
    if (end > d)
      intervals.push_back({negative ? d - rank : d, negative ? end - rank : end});
    d = std::max(end, d + 1);
  }
  if (choices.below(2) == 1)
    std::reverse(intervals.begin(), intervals.end());
  return intervals;
}

Case draw(const std::vector<uint8_t> &source) {
  Choices choices(source);
  Case c;
  int64_t rank = 1 + choices.below(7);
  bool large = rank <= 3 && choices.below(3) == 2;
  for (int64_t d = 0; d != rank; ++d) {
    int64_t extent = 1 + choices.below(large ? 70 : rank > 4 ? 3 : 9);
    c.shape.push_back(choices.below(40) == 39 ? 0 : extent);
  }
  c.options.collapse = drawIntervals(choices, rank);
  if (choices.below(3) == 2)
    for (int64_t d = 0; d != rank; ++d)
      c.options.alignments.push_back(choices.of({1, 2, 3, 4, 8, 32}));
  unsigned physicalRank = llvm::cantFail(collapseDimensions(c.shape, c.options.collapse)).results.size();
  for (unsigned r = 0; r != physicalRank; ++r)
    c.grid.push_back(1 + choices.below(physicalRank > 3 ? 3 : 9));
  const TileShape tiles[] = {{2, 2}, {4, 3}, {16, 16}, {32, 32}, {4, 16}, {32, 16}};
  if (physicalRank >= 2 && choices.below(2) == 1)
    c.options.tile = tiles[choices.below(std::size(tiles))];
  c.dtype = DataType(choices.below(kNumDataTypes));
  if (isBlockFloat(c.dtype) && (!c.options.tile || c.options.tile->width % 16 != 0))
    c.dtype = DataType::BFloat16;
  c.options.space = MemorySpace(choices.below(4));
  c.alignment.page = Bytes(choices.of({1, 16, 32, 64}));
  return c;
}

bool advance(Index &index, llvm::ArrayRef<int64_t> extents) {
  for (size_t d = index.size(); d-- > 0; index[d] = 0)
    if (++index[d] < extents[d])
      return true;
  return false;
}

/// The number of a place among all places of all cores.
int64_t place(const MetalGeometry &geometry, llvm::ArrayRef<int64_t> core, llvm::ArrayRef<int64_t> inShard) {
  int64_t number = 0;
  for (size_t r = 0; r != core.size(); ++r)
    number = number * geometry.layout().grid[r] + core[r];
  for (size_t r = 0; r != core.size(); ++r)
    number = number * geometry.paddedShard()[r] + inShard[r];
  return number;
}

/// To memory and back, by index and by byte.
void checkElement(const MetalGeometry &geometry, llvm::ArrayRef<int64_t> index) {
  MetalLocation at = geometry.locate(index);
  REQUIRE(llvm::ArrayRef<int64_t>(at.collapsed) ==
          llvm::ArrayRef<int64_t>(geometry.layout().linear.apply(index)));
  for (unsigned r = 0; r != geometry.layout().rank(); ++r) {
    REQUIRE(at.core[r] < geometry.layout().grid[r]);
    REQUIRE(at.inShard[r] < geometry.scalarShard()[r]);
    REQUIRE(at.unit[r] < geometry.layout().shard[r]);
  }
  Index back;
  REQUIRE(geometry.logicalIndex(at.core, at.inShard, back));
  REQUIRE(llvm::ArrayRef<int64_t>(back) == index);
  REQUIRE(at.offset < geometry.bytesPerCore());
  REQUIRE(geometry.elementAt(at.offset, at.bit) == at.inShard);
}

/// Marks each element of the tensor; a place that is marked twice breaks injectivity.
void markElements(const MetalGeometry &geometry, std::vector<uint8_t> &marks) {
  Index index(geometry.shape().size(), 0);
  if (geometry.logicalVolume() == 0)
    return;
  do {
    MetalLocation at = geometry.locate(index);
    uint8_t &mark = marks[place(geometry, at.core, at.inShard)];
    REQUIRE(mark == 0);
    mark = 1;
  } while (advance(index, geometry.shape()));
}

/// Regions are disjoint from the elements and each other, and leave nothing.
void checkPartition(const MetalGeometry &geometry) {
  std::vector<uint8_t> marks(geometry.physicalVolume(), 0);
  markElements(geometry, marks);
  forAllPadding(geometry, [&](llvm::ArrayRef<int64_t> core, const ElementBox &box) {
    Index extents, offset(box.begin.size(), 0), at(box.begin.size(), 0);
    for (size_t r = 0; r != box.begin.size(); ++r)
      extents.push_back(box.end[r] - box.begin[r]);
    do {
      for (size_t r = 0; r != at.size(); ++r)
        at[r] = box.begin[r] + offset[r];
      REQUIRE(geometry.isPadding(core, at));
      uint8_t &mark = marks[place(geometry, core, at)];
      REQUIRE(mark == 0);
      mark = 2;
    } while (advance(offset, extents));
  });
  for (uint8_t mark : marks)
    REQUIRE(mark != 0);
}

Bytes bytesOverCores(const MetalGeometry &geometry) {
  const MetalLayout &layout = geometry.layout();
  Bytes unit = layout.tile ? tileBytes(layout.dtype, *layout.tile) : scalarBytes(layout.dtype);
  Bytes sum;
  Index core(layout.rank(), 0);
  do {
    Bytes shard = unit;
    for (int64_t extent : layout.shard)
      shard = shard * extent;
    sum += shard;
  } while (advance(core, layout.grid));
  return sum;
}

/// What TTNN can express means the same there.
void checkTtnn(const MetalGeometry &geometry, size_t &expressible) {
  const DeviceSpec &device = *findDevice("n150");
  llvm::Expected<TensorLayout> ttnn = toTensorLayout(geometry.layout(), geometry.shape(), device);
  if (!ttnn) {
    REQUIRE(!llvm::toString(ttnn.takeError()).empty());
    return;
  }
  ++expressible;
  REQUIRE(totalBytes(*ttnn, geometry.shape()) == geometry.totalBytes());
  // As TTNN's own arithmetic has it for a core.
  if (ttnn->isSharded()) {
    NocAlignment alignment = nocAlignment(geometry.layout().space, device);
    MetalGeometry aligned =
        llvm::cantFail(MetalGeometry::create(geometry.layout(), geometry.shape(), alignment));
    REQUIRE(aligned.bytesPerCore() == bytesPerCore(*ttnn, device));
  }
  llvm::Expected<MetalLayout> back = toMetalLayout(*ttnn, geometry.shape(), device);
  REQUIRE(bool(back));
  if (geometry.layout().rank() == 2) {
    MetalGeometry again = llvm::cantFail(MetalGeometry::create(*back, geometry.shape()));
    REQUIRE(again.layout().shard == geometry.layout().shard);
    REQUIRE(again.layout().grid == geometry.layout().grid);
    if (geometry.logicalVolume() > 0) {
      Index last;
      for (int64_t extent : geometry.shape())
        last.push_back(extent - 1);
      REQUIRE(again.locate(last) == geometry.locate(last));
    }
  }
}

TEST(MetalProperties, LayoutsAreIsomorphic) {
  size_t cases = 0, exhaustive = 0, partitions = 0, expressible = 0;
  EXPECT_TRUE(rc::check("shapes, grids, intervals, alignments, tiles", [&] {
    const std::vector<uint8_t> source = *bytes(48);
    Case c = draw(source);
    llvm::Expected<MetalLayout> layout = buildMetalLayout(c.shape, c.dtype, c.grid, c.options);
    REQUIRE(bool(layout));
    MetalGeometry geometry = llvm::cantFail(MetalGeometry::create(*layout, c.shape, c.alignment));
    ++cases;
    int64_t volume = geometry.logicalVolume();
    Index index(c.shape.size(), 0);
    if (volume > 0 && volume <= kAllElements) {
      ++exhaustive;
      do
        checkElement(geometry, index);
      while (advance(index, c.shape));
    } else if (volume > 0) {
      for (size_t sample = 0; sample != 8; ++sample) {
        for (size_t d = 0; d != index.size(); ++d)
          index[d] = (source[d] * (sample + 1) + sample) % c.shape[d];
        checkElement(geometry, index);
      }
    }
    if (geometry.physicalVolume() <= kAllPhysical) {
      ++partitions;
      checkPartition(geometry);
    }
    REQUIRE(regionVolume(geometry) == geometry.paddingVolume());
    MetalGeometry packed = llvm::cantFail(MetalGeometry::create(*layout, c.shape));
    REQUIRE(packed.totalBytes() == bytesOverCores(packed));
    REQUIRE(geometry.totalBytes() >= packed.totalBytes());
    checkTtnn(packed, expressible);
  }));
  std::printf("%zu layouts: %zu element by element, %zu place by place, %zu expressible in TTNN\n", cases,
              exhaustive, partitions, expressible);
  EXPECT_GT(exhaustive, cases / 4);
  EXPECT_GT(partitions, cases / 4);
  EXPECT_GT(expressible, cases / 50);
}

// Maps as a user may write them, dimensions in several results included.
TEST(MetalProperties, AcceptedMapsAreInjective) {
  size_t cases = 0, accepted = 0, tied = 0;
  EXPECT_TRUE(rc::check("linear maps", [&] {
    const std::vector<uint8_t> source = *bytes(24);
    Choices choices(source);
    MetalLayout layout;
    layout.linear.dims = 1 + choices.below(3);
    Shape shape;
    for (unsigned d = 0; d != layout.linear.dims; ++d)
      shape.push_back(1 + choices.below(4));
    unsigned results = 1 + choices.below(3), uses = 0;
    for (unsigned r = 0; r != results; ++r) {
      LinearMap::Result &result = layout.linear.results.emplace_back();
      for (unsigned d = 0; d != layout.linear.dims; ++d) {
        result.coefficients.push_back(choices.of({0, 1, 4, 0, 2, 3, 12, 1}));
        uses += result.coefficients.back() != 0 && shape[d] > 1;
      }
      result.constant = choices.of({0, 0, 0, 1});
      layout.grid.push_back(1 + choices.below(3));
    }
    layout.shard = impliedShard(layout.linear, shape, layout.grid, std::nullopt);
    llvm::Expected<MetalGeometry> geometry = MetalGeometry::create(layout, shape);
    ++cases;
    if (!geometry) {
      llvm::consumeError(geometry.takeError());
      return;
    }
    ++accepted;
    tied += uses > layout.linear.dims;
    Index index(shape.size(), 0);
    do
      checkElement(*geometry, index);
    while (advance(index, shape));
    checkPartition(*geometry);
    REQUIRE(regionVolume(*geometry) == geometry->paddingVolume());
  }));
  std::printf("%zu of %zu maps accepted, %zu of them with tied dimensions\n", accepted, cases, tied);
  EXPECT_GT(accepted, cases / 4);
  EXPECT_GT(tied, cases / 10);
}

} // namespace
