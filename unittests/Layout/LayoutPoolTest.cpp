//===- LayoutPoolTest.cpp - Interned layouts -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/LayoutPool.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

TEST(LayoutPool, EqualLayoutsShareAnId) {
  LayoutPool pool;
  TensorDesc tensor{{64, 128}, DataType::BFloat16};
  LayoutId dram = pool.intern(dramInterleaved(tensor));
  LayoutId l1 = pool.intern(l1Interleaved(tensor, {8, 8}));
  EXPECT_NE(dram, l1);
  EXPECT_EQ(pool.intern(dramInterleaved(tensor)), dram);
  EXPECT_EQ(pool.size(), 2u);
  EXPECT_TRUE(pool[l1].isL1());
}

TEST(LayoutPool, EveryFieldTellsLayoutsApart) {
  LayoutPool pool;
  TensorLayout base = l1Sharded({{64, 128}}, MemoryLayout::BlockSharded, {2, 4}, {8, 8});
  size_t count = 0;
  auto addVariant = [&](auto &&change) {
    TensorLayout layout = base;
    change(layout);
    EXPECT_EQ(pool.intern(layout).index(), count++);
  };
  addVariant([](TensorLayout &) {});
  addVariant([](TensorLayout &l) { l.linear.results[0].constant = 1; });
  addVariant([](TensorLayout &l) { l.grid = {4, 2}; });
  addVariant([](TensorLayout &l) { l.shard = {2, 1}; });
  addVariant([](TensorLayout &l) { l.page = PageLayout::RowMajor; });
  addVariant([](TensorLayout &l) { l.tile = {16, 32}; });
  addVariant([](TensorLayout &l) { l.dtype = DataType::Float32; });
  addVariant([](TensorLayout &l) { l.buffer = BufferType::L1Small; });
  addVariant([](TensorLayout &l) { l.memory = MemoryLayout::NDSharded; });
  addVariant([](TensorLayout &l) { l.memory = std::nullopt; });
  addVariant([](TensorLayout &l) { l.cores = std::nullopt; });
  addVariant([](TensorLayout &l) { l.cores->ranges[0].start.x = 1; });
  addVariant([](TensorLayout &l) { l.ignorePhysicalLayout = true; });
  addVariant([](TensorLayout &l) { l.mesh = "x"; });
  EXPECT_EQ(pool.size(), count);
}

} // namespace
