//===- LegalConfigsTest.cpp - Which configurations an op may have ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The public tests of the layout pool (facts/ir 9.3, 9.6), on a device that
// accepts everything.
//
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <map>

using namespace tessera;

namespace {

struct Pool {
  size_t interleaved = 0, sharded = 0, rowMajor = 0, shardedRowMajor = 0;
  std::map<MemoryLayout, size_t> shards, shardsOfRows; ///< by kind
};

/// What a relu may make, of one tensor that is declared in tiles.
Pool poolOf(llvm::StringRef type, llvm::StringRef grid, int64_t cap, bool rows) {
  ProblemInstance instance = parse(
      llvm::formatv(
          "device grid {0}\nbudget 4000MiB\n%a = argument {1} dram\n%r = ttnn.relu(%a) : {1}\nreturn %r\n",
          grid, type)
          .str());
  Problem &problem = instance.problem;
  AnalysisOptions options;
  options.maxLegalLayouts = cap;
  options.rowMajorEnabled = rows;
  findLegalConfigs(problem, *instance.model, options);
  const Op &relu = problem.ops.front();
  EXPECT_TRUE(relu.legal.front() == relu.declared);
  Pool pool;
  for (const OpConfig &config : relu.legal) {
    const TensorLayout &result = problem.layout(config.outputs.front());
    bool isRows = result.page == PageLayout::RowMajor;
    pool.interleaved += !result.isSharded();
    pool.sharded += result.isSharded() && !isRows;
    pool.rowMajor += isRows;
    pool.shardedRowMajor += result.isSharded() && isRows;
    if (result.isSharded())
      ++(isRows ? pool.shardsOfRows : pool.shards)[*result.memory];
    EXPECT_EQ(checkLayoutFor(result, problem.values.back().tensor.shape, problem.device), "");
  }
  return pool;
}

class LegalConfigs : public testing::TestWithParam<std::tuple<const char *, const char *, const char *>> {
protected:
  std::string type() const { return std::string(std::get<0>(GetParam())) + "x" + std::get<2>(GetParam()); }
  llvm::StringRef grid() const { return std::get<1>(GetParam()); }
};

TEST_P(LegalConfigs, HoldEveryPageLayoutAndNoMoreShardsThanAskedFor) {
  Pool all = poolOf(type(), grid(), std::numeric_limits<int64_t>::max(), true);
  EXPECT_GT(all.sharded, 0u);
  EXPECT_GT(all.shardedRowMajor, 0u);
  for (int64_t cap : {0, 1, 8, 16, 32, 64, 128}) {
    Pool tiles = poolOf(type(), grid(), cap, false), both = poolOf(type(), grid(), cap, true);
    // No kind is absent because another has larger grids.
    size_t share = size_t(shareOfKind(cap));
    EXPECT_GE(tiles.sharded, std::min(all.sharded, size_t(cap)));
    EXPECT_LE(tiles.sharded, size_t(cap) + 2 * share);
    for (auto [kind, count] : all.shards)
      EXPECT_GE(tiles.shards[kind], std::min(count, share));
    EXPECT_EQ(tiles.shardedRowMajor, 0u);
    EXPECT_LE(both.shardedRowMajor, size_t(cap) / 2 + 2 * share);
    // In DRAM and in L1, in tiles and in rows: these are always there.
    EXPECT_EQ(tiles.interleaved, all.interleaved);
    EXPECT_EQ(tiles.interleaved, 4u);
    EXPECT_EQ(tiles.rowMajor, 2u);
  }
}

std::string nameOf(const testing::TestParamInfo<LegalConfigs::ParamType> &info) {
  auto [shape, grid, type] = info.param;
  return std::string(shape) + "_on_" + grid + "_" + type;
}
INSTANTIATE_TEST_SUITE_P(Shapes, LegalConfigs,
                         testing::Combine(testing::Values("256x512x32", "128x256x64", "512x1024x128"),
                                          testing::Values("4x4", "8x8", "6x6"),
                                          testing::Values("f32", "bf16")),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Small, LegalConfigs,
                         testing::Combine(testing::Values("64x64"), testing::Values("2x2"),
                                          testing::Values("f32", "bf16")),
                         nameOf);

/// 16x16 is one tile, or 16 rows.
TEST(LegalConfigsOfATile, AreOneShardOfEachKind) {
  Pool pool = poolOf("16x16xbf16", "2x2", 8, false);
  EXPECT_EQ(pool.sharded, 3u);
}

} // namespace
