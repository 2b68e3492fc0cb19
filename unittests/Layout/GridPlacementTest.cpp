//===- GridPlacementTest.cpp - From virtual grids to cores -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/GridPlacement.h"

#include <gtest/gtest.h>

#include <set>

using namespace tessera;

namespace {

GridPlacement place(llvm::ArrayRef<int64_t> grid, const char *device) {
  return llvm::cantFail(placeGrid(grid, *findDevice(device)));
}

std::string error(llvm::ArrayRef<int64_t> grid, const char *device) {
  llvm::Expected<GridPlacement> placement = placeGrid(grid, *findDevice(device));
  return placement ? "" : llvm::toString(placement.takeError());
}

TEST(GridPlacement, GridsThatFitStandAsTheyAre) {
  GridPlacement placement = place({2, 4}, "n150");
  EXPECT_EQ(describe(placement.toPhysical), "(d0, d1) -> (0, d0, d1)"); // facts/ir 1.5
  EXPECT_EQ(describe(placement.toVirtual), "(d0, d1, d2) -> (d1, d2)");
  EXPECT_EQ(placement({1, 3}), (PhysicalCore{0, {3, 1}}));
}

// facts/tensor-layout "Multi-Core": 1x64 on 8x8.
TEST(GridPlacement, WideGridsWrap) {
  GridPlacement placement = place({1, 64}, "n150");
  EXPECT_EQ(describe(placement.toPhysical),
            "(d0, d1) -> (0, (d0 * 64 + d1) floordiv 8, (d0 * 64 + d1) mod 8)");
  EXPECT_EQ(placement({0, 0}), (PhysicalCore{0, {0, 0}}));
  EXPECT_EQ(placement({0, 13}), (PhysicalCore{0, {5, 1}}));
  EXPECT_EQ(placement({0, 63}), (PhysicalCore{0, {7, 7}}));
  EXPECT_EQ(place({1, 64}, "p150")({0, 13}), (PhysicalCore{0, {0, 1}}));
}

// facts/tensor-layout "Multi-device": the outermost dimension is the device.
TEST(GridPlacement, LeadingDimensionsCountChips) {
  GridPlacement placement = place({2, 2, 4}, "n300");
  EXPECT_EQ(describe(placement.toPhysical), "(d0, d1, d2) -> (d0, d1, d2)");
  EXPECT_EQ(placement({1, 0, 3}), (PhysicalCore{1, {3, 0}}));
  EXPECT_EQ(describe(place({2, 4, 8, 8}, "t3000").toPhysical), "(d0, d1, d2, d3) -> (d0 * 4 + d1, d2, d3)");
  EXPECT_EQ(describe(place({2, 1, 64}, "n300").toPhysical),
            "(d0, d1, d2) -> (d0, (d1 * 64 + d2) floordiv 8, (d1 * 64 + d2) mod 8)");
}

TEST(GridPlacement, HigherRanksFoldOntoOneChip) {
  GridPlacement placement = place({2, 2, 4}, "n150");
  EXPECT_EQ(describe(placement.toPhysical),
            "(d0, d1, d2) -> (0, (d0 * 8 + d1 * 4 + d2) floordiv 8, (d0 * 8 + d1 * 4 + d2) mod 8)");
  EXPECT_EQ(describe(placement.toVirtual), "(d0, d1, d2) -> ((d1 * 8 + d2) floordiv 8, "
                                           "((d1 * 8 + d2) floordiv 4) mod 2, (d1 * 8 + d2) mod 4)");
  EXPECT_EQ(placement({1, 1, 3}), (PhysicalCore{0, {7, 1}}));
}

TEST(GridPlacement, Errors) {
  EXPECT_EQ(error({1, 65}, "n150"), "grid 1x65 needs 65 cores per chip, but n150 has 8x8");
  EXPECT_EQ(error({4, 2, 2}, "n300"), "grid 4x2x2 needs 4 chips, but n300 has 2");
  EXPECT_EQ(error({2, 0}, "n150"), "grid 2x0 is empty");
  EXPECT_EQ(error({int64_t(1) << 40, int64_t(1) << 40}, "n150"),
            "grid 1099511627776x1099511627776 needs 9223372036854775807 cores per chip, but n150 has 8x8");
}

TEST(GridPlacement, EveryGridIsABijection) {
  const Shape grids[] = {{},
                         {1},
                         {7},
                         {64},
                         {8, 8},
                         {9, 7},
                         {64, 1},
                         {1, 64},
                         {3, 20},
                         {2, 2, 4},
                         {1, 3, 5},
                         {2, 1, 64},
                         {2, 3, 2, 5},
                         {1, 2, 1, 8, 4},
                         {1, 1, 1, 1, 1, 1, 1}};
  for (const char *device : {"n150", "n300", "t3000"})
    for (const Shape &grid : grids) {
      llvm::Expected<GridPlacement> placement = placeGrid(grid, *findDevice(device));
      if (!placement) {
        llvm::consumeError(placement.takeError());
        continue;
      }
      std::set<PhysicalCore> used;
      Shape at(grid.size(), 0);
      for (bool more = true; more;) {
        PhysicalCore core = (*placement)(at);
        EXPECT_TRUE(used.insert(core).second);
        EXPECT_TRUE((CoreRange{{0, 0}, {7, 7}}.contains(core.core)));
        EXPECT_LT(core.chip, findDevice(device)->mesh.volume());
        EXPECT_EQ(placement->toVirtual.apply({core.chip, core.core.y, core.core.x}), at);
        more = false;
        for (size_t d = grid.size(); !more && d-- > 0;)
          if (++at[d] < grid[d])
            more = true;
          else
            at[d] = 0;
      }
    }
}

TEST(GridPlacement, DescribeNeedsNoSuperfluousParentheses) {
  GridMap map;
  map.dims = 1;
  map.results = {{{{1}}, 8, 0}, {{{2}}, 1, 8}, {{{1}, 3}, 2, 4}, {{{0}}}};
  EXPECT_EQ(describe(map), "(d0) -> (d0 floordiv 8, (d0 * 2) mod 8, ((d0 + 3) floordiv 2) mod 4, 0)");
}

} // namespace
