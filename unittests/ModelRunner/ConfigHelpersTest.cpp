//===- ConfigHelpersTest.cpp - Numbers behind program and memory configs --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Expected numbers: facts/deepseek 2.3.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/ConfigHelpers.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::runner;

namespace {

int64_t shardWidth(int64_t k, int64_t n, int64_t banks) {
  return dramShardedWeight(k, n, banks).shard_spec->shape[1];
}

TEST(ConfigHelpersTest, Divisors) {
  for (auto [n, divisor] : {std::pair(224, 8), {28, 7}, {72, 8}, {9, 3}, {7, 7}, {11, 1}, {13, 1}})
    EXPECT_EQ(largestDivisor(n), divisor) << n;
}

TEST(ConfigHelpersTest, Cores) {
  EXPECT_EQ(activationCores(7168, 64), 56);
  EXPECT_EQ(activationCores(2304, 64), 36);
  EXPECT_EQ(activationCores(2304, 72), 72);
  EXPECT_EQ(activationCores(896, 64), 28);
  EXPECT_EQ(activationCores(256, 64), 8);
  EXPECT_EQ(activationCores(100, 64), 4);
}

TEST(ConfigHelpersTest, Grids) {
  for (auto [tiles, grid] : {std::pair(28, GridShape{4, 7}),
                             {224, {4, 8}},
                             {64, {4, 8}},
                             {72, {6, 6}},
                             {576, {4, 8}},
                             {48, {3, 8}},
                             {7, {1, 7}},
                             {97, {1, 1}}})
    EXPECT_EQ(gridFor(tiles), grid) << tiles;
}

TEST(ConfigHelpersTest, DramShards) {
  EXPECT_EQ(shardWidth(7168, 2304, 12), 192);
  EXPECT_EQ(shardWidth(2304, 7168, 12), 608);
  EXPECT_EQ(shardWidth(7168, 256, 12), 32);
  EXPECT_EQ(shardWidth(7168, 2304, 8), 288);
  EXPECT_EQ(shardWidth(7168, 2304, 7), 352);
  EXPECT_EQ(shardWidth(7168, 16160, 12), 1376);
}

TEST(ConfigHelpersTest, Matmuls) {
  auto decode = dramShardedMatmul(32, 7168, 2304, 56, 72);
  EXPECT_EQ(std::tuple(decode.in0_block_w, decode.per_core_M, decode.per_core_N), std::tuple(4, 1, 1));
  decode = dramShardedMatmul(32, 2304, 7168, 72, 28);
  EXPECT_EQ(std::tuple(decode.in0_block_w, decode.per_core_M, decode.per_core_N), std::tuple(1, 1, 8));
  auto prefill = [](int64_t rows, int64_t k, int64_t n) {
    auto config = prefillMatmul(rows, k, n, {8, 8});
    return std::tuple(config.in0_block_w, config.out_subblock_h, config.out_subblock_w, config.per_core_M,
                      config.per_core_N);
  };
  EXPECT_EQ(prefill(1024, 7168, 2304), std::tuple(8, 1, 3, 4, 9));
  EXPECT_EQ(prefill(128, 7168, 2304), std::tuple(8, 1, 3, 1, 9));
  EXPECT_EQ(prefill(1024, 256, 7168), std::tuple(8, 1, 4, 4, 28));
  EXPECT_EQ(prefill(1024, 7168, 256), std::tuple(8, 1, 1, 4, 1));
}

} // namespace
