//===- MatmulAutoPlan.cpp - The plan that the backend chooses since 2026 --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Source: tt-metal 0.77, matmul_program_config.cpp. The backend validates what it chose as it validates a given
// config, so a plan from here may break a rule.
//
//   in0 interleaved                        a square block of 16, 8, 4, 2 or 1 tiles; 1D if the result is narrow, else 2D if
//                                          all is in DRAM, else 1D if it is one block high or wide, 2D if the blocks form a
//                                          rectangle, or tile by tile
//   in0 sharded, in1 batched               without multicast, a shard of in0 is a block
//   in0 in width or height shards          1D on the shards' cores
//   in0 in block shards of rows, columns   2D on the shards' cores
//   in0 in block shards on a line or one   2D on all cores
//
//===----------------------------------------------------------------------===//
#include "Matmul.h"

#include "tessera/Device/L1Budget.h"

#include <map>
#include <numeric>

namespace tessera::analytic {
namespace {

using Kind = MatmulPlan::Kind;

/// Subblocks in the order of preference.
constexpr GridShape kSubblocks[] = {{4, 2}, {2, 4}, {8, 1}, {1, 8}, {7, 1}, {1, 7}, {3, 2},
                                    {2, 3}, {6, 1}, {1, 6}, {5, 1}, {1, 5}, {2, 2}, {4, 1},
                                    {1, 4}, {3, 1}, {1, 3}, {2, 1}, {1, 2}, {1, 1}};

/// The divisors of a block's extent: itself, 1, then the others from the largest.
llvm::SmallVector<int64_t, 16> divisorsOf(int64_t extent) {
  // The order decides: among blocks of one area and shape the last to be looked at stays (blocksByArea).
  llvm::SmallVector<int64_t, 16> divisors{extent, 1};
  for (int64_t d = extent / 2; d > 1; --d)
    if (extent % d == 0)
      divisors.push_back(d);
  return divisors;
}

double skewOf(GridShape block) {
  return double(std::max(block.rows, block.columns)) / double(std::min(block.rows, block.columns));
}

/// Of each area the block of divisors that is closest to a square; of equals the last.
std::map<int64_t, GridShape> blocksByArea(GridShape whole) {
  std::map<int64_t, GridShape> blocks;
  llvm::SmallVector<int64_t, 16> columns = divisorsOf(whole.columns);
  for (int64_t h : divisorsOf(whole.rows))
    for (int64_t w : columns) {
      auto [entry, first] = blocks.try_emplace(h * w, GridShape{h, w});
      if (!first && skewOf(entry->second) >= skewOf({h, w}))
        entry->second = {h, w};
    }
  return blocks;
}

/// The backend calls a result narrow that is over eight times longer than wide.
bool isNarrow(int64_t height, int64_t width, bool allDram) {
  // Integer division, as in the library: a ratio of 8.9 is not narrow.
  int64_t ratio = height > width ? height / width : width / height;
  return ratio > 8 || (allDram && (height <= 32 || width <= 32));
}

/// L1 of an empty core in bytes: what lies below it has grown since the device table was written. Since October 2026 L1_SMALL, above it,
/// is left out (asked of ttnn 0.81.1: 4,096 x 96 by 4,864 on an n150).
int64_t bufferSpace(const OpCall &call) {
  const DeviceSpec &device = call.device();
  int64_t base = device.arch == Arch::WormholeB0 ? 105664 : 111488; // tt-metal 0.77: memory view of L1
  int64_t above = answersAsOctober2026(call) ? kL1SmallSize.value() : 0;
  return device.l1Size.value() - std::max(base, device.l1UnreservedBase.value()) - above;
}

class AutoPlan {
public:
  AutoPlan(const OpCall &call, int64_t room)
      : call(call), shape(matmulShape(call)), a(call.in[0]), b(call.in[1]), out(call.out[0]),
        fp32(matmulComputeConfig(call).fp32Accumulate) {
    device = call.device().workerGrid;
    m = ceilDiv(shape.m, 32);
    k = ceilDiv(shape.k, 32);
    n = ceilDiv(shape.n, 32);
    space = std::min(room, bufferSpace(call));
  }

  MatmulPlan choose() {
    // The order of the library's own decisions (facts/formulas 7.1): in0's shards leave no choice of kernel.
    if (!a.sharded())
      chooseForInterleavedIn0();
    else if (shape.batchB > 1)
      chooseForBatchedShards();
    else
      chooseForShards();
    return plan;
  }

private:
  // ---- Blocks that fit L1 ---------------------------------------------------------------------------------

  /// L1 that blocks of `h` x `w` x `depth` tiles take, as the backend estimates it.
  int64_t estimate(int64_t h, int64_t w, int64_t depth) const {
    int64_t intermediate = fp32 ? 4096 : std::max<int64_t>(2048, shape.tileOut);
    int64_t in0 = 2 * h * depth * shape.tileA;
    int64_t shard = a.sharded() ? h * a.shardTiles().columns * shape.tileA : 0;
    int64_t transposed = !transposed0() ? 0 : a.sharded() ? shard : in0;
    int64_t bias = biasFused(call) ? w * call.in[2].tile : 0;
    return in0 + 2 * w * depth * shape.tileB + h * w * (shape.tileA + intermediate) + shard + transposed +
           bias;
  }
  bool transposed0() const { return call.op().boolean("transpose_a", false); }

  /// Of the plan's per-core block what fits; K blocks become smaller only if `shrinkK`.
  void setBlocks(bool shrinkK = false) {
    plan.blockH = plan.perCoreM;
    plan.blockW = plan.perCoreN;
    // The whole of a core's part, if it fits: then operands are read once.
    if (estimate(plan.blockH, plan.blockW, plan.blockK) < space)
      return;
    std::map<int64_t, GridShape> blocks = blocksByArea({plan.perCoreM, plan.perCoreN});
    // Largest area first, as the library tries them; K blocks shrink before the area does where they may.
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block)
      for (int64_t depth = plan.blockK; depth >= (shrinkK ? 1 : plan.blockK); --depth)
        if (plan.blockK % depth == 0 && estimate(block->second.rows, block->second.columns, depth) < space) {
          plan.blockH = block->second.rows;
          plan.blockW = block->second.columns;
          plan.blockK = depth;
          return;
        }
    plan.blockH = plan.blockW = 1;
    if (shrinkK)
      plan.blockK = 1;
  }

  /// Blocks of a shard of the result that are not as wide are one tile high.
  void keepRowsWhole() {
    if (out.sharded() && plan.blockW != plan.perCoreN)
      plan.blockH = 1;
  }

  bool divides(GridShape subblock) const {
    return plan.blockH % subblock.rows == 0 && plan.blockW % subblock.columns == 0 &&
           (!fp32 || subblock.volume() <= 4);
  }
  void setSubblock(GridShape subblock) {
    plan.subblockH = subblock.rows;
    plan.subblockW = subblock.columns;
  }
  /// Tall subblocks first; `wholeRows`: only rows as wide as the block.
  void setTallSubblock(bool wholeRows = false) {
    setSubblock({1, 1});
    for (GridShape subblock : kSubblocks)
      if (divides(subblock) && (!wholeRows || subblock == GridShape{1, plan.blockW}))
        return setSubblock(subblock);
  }
  /// Wide subblocks first.
  void setWideSubblock() {
    for (GridShape subblock : kSubblocks)
      if (GridShape wide{subblock.columns, subblock.rows}; divides(wide))
        return setSubblock(wide);
  }

  // ---- Kinds ----------------------------------------------------------------------------------------------

  void setKind(Kind kind, GridShape grid, bool fuse) {
    plan.kind = kind;
    plan.gridX = grid.columns;
    plan.gridY = grid.rows;
    plan.fuseBatch = fuse;
    plan.m = m * (fuse ? shape.batchA : 1);
    plan.k = k;
    plan.n = n;
    plan.batch = fuse ? 1 : std::max(shape.batchA, shape.batchB);
  }
  void setPerCore(int64_t perCoreM, int64_t perCoreN, int64_t blockK) {
    plan.perCoreM = std::max<int64_t>(1, perCoreM);
    plan.perCoreN = std::max<int64_t>(1, perCoreN);
    plan.blockK = std::max<int64_t>(1, blockK);
  }
  int64_t pairOfK() const { return k % 2 == 0 ? 2 : 1; }

  void tileByTile() {
    setKind(Kind::MultiCore, device, false);
    setPerCore(1, 1, 1);
    plan.blockH = plan.blockW = 1;
  }

  /// 1D on all cores, or as the requested block shards on a line of cores are cut.
  void oneDimensional(Kind kind, bool asRequested) {
    GridShape grid = device, perCore;
    if (asRequested)
      grid = boxOf(*out.layout);
    setKind(kind, grid, asRequested && shape.batchB == 1);
    perCore = kind == Kind::MultiCast1DIn0 ? GridShape{plan.m, ceilDiv(n, grid.volume())}
                                           : GridShape{ceilDiv(plan.m, grid.volume()), n};
    if (asRequested)
      perCore = out.shardTiles();
    setPerCore(perCore.rows, perCore.columns, pairOfK());
    setBlocks();
    setTallSubblock();
  }

  // ---- in0 interleaved ------------------------------------------------------------------------------------

  int64_t squareBlock() const {
    int64_t block = 16;
    while (block > 1 && estimate(block, block, 2) >= space)
      block /= 2;
    return block;
  }

  void chooseForInterleavedIn0() {
    bool interleaved = b.interleaved() && out.interleaved();
    // A result that is left open counts as in DRAM, where the library would put it.
    bool allDram = a.dram() && b.dram() && !out.l1() && interleaved;
    // in0 stays where it is while the batches of in1 pass.
    if (shape.batchA == 1 && shape.batchB > 1 && interleaved)
      return oneDimensional(Kind::MultiCast1DIn1, false);
    int64_t block = squareBlock(), rows = ceilDiv(m, block), columns = ceilDiv(n, block);
    bool several = out.sharded() || rows > 1 || columns > 1;
    int64_t depth = several && k % 2 ? 1 : 2;
    // More blocks than cores, or K that does not go into blocks: with anything in L1 the library has no kernel
    // but this one.
    if (!allDram && (rows * columns > device.volume() || k % depth != 0))
      return tileByTile();
    bool fits = rows * columns > 1 && rows <= device.rows && columns <= device.columns;
    chooseKind(allDram, fits ? GridShape{rows, columns} : GridShape{0, 0}, block, depth);
  }

  /// `blocks`: the rectangle of blocks, 0x0 if they form none.
  void chooseKind(bool allDram, GridShape blocks, int64_t block, int64_t depth) {
    bool none = blocks.rows == 0, narrow = allInterleaved() && isNarrow(m * 32, n * 32, allDramBuffers());
    bool wide = narrow && n > m;
    std::optional<Kind> line = requestedLine();
    // The library then chooses a program that its own validation refuses.
    if (line && shape.batchB > 1) {
      plan.possible = false;
      return tileByTile();
    }
    auto asked = [&](ML kind, Kind onLine) { return none && (out.shardedAs(kind) || line == onLine); };
    if ((blocks.rows == 1 && !allDram) || wide || asked(ML::WidthSharded, Kind::MultiCast1DIn0))
      return oneDimensional(Kind::MultiCast1DIn0, line == Kind::MultiCast1DIn0);
    if ((blocks.columns == 1 && !allDram) || narrow || asked(ML::HeightSharded, Kind::MultiCast1DIn1))
      return oneDimensional(Kind::MultiCast1DIn1, line == Kind::MultiCast1DIn1);
    if (allDram)
      return twoDimensionalInDram();
    if (none && !(out.shardedAs(ML::BlockSharded) && !line))
      return tileByTile();
    setKind(Kind::MultiCast2D, device, false);
    // Since October 2026 a block is no larger than the result (asked of ttnn 0.81.1).
    bool cut = answersAsOctober2026(call);
    setPerCore(cut ? std::min(block, m) : block, cut ? std::min(block, n) : block, depth);
    plan.blockH = plan.perCoreM;
    plan.blockW = plan.perCoreN;
    setSubblock({block == 2 ? 4 : 1, cut && plan.blockW % 2 != 0 ? 1 : 2});
  }

  void twoDimensionalInDram() {
    setKind(Kind::MultiCast2D, device, false);
    setPerCore(ceilDiv(m, device.rows), ceilDiv(n, device.columns),
               k % device.columns == 0 ? k / device.columns : 1);
    setBlocks(/*shrinkK=*/true);
    setTallSubblock();
  }

  bool allInterleaved() const { return b.interleaved() && out.interleaved(); }
  bool allDramBuffers() const { return a.dram() && b.dram() && !out.l1(); }
  /// Block shards are asked for on one row or one column of cores, not on one core.
  std::optional<Kind> requestedLine() const {
    if (!out.shardedAs(ML::BlockSharded) || !statesCores(out))
      return std::nullopt;
    GridShape box = boxOf(*out.layout);
    if (box.volume() == 1 || (box.rows > 1 && box.columns > 1))
      return std::nullopt;
    return box.columns == 1 ? Kind::MultiCast1DIn1 : Kind::MultiCast1DIn0;
  }

  // ---- in0 sharded ----------------------------------------------------------------------------------------

  /// A sharded result lies as in0 does.
  bool resultFollows() const {
    return !out.sharded() ||
           (out.layout->buffer == a.layout->buffer && out.layout->memory == a.layout->memory);
  }

  void chooseForBatchedShards() {
    setKind(Kind::Reuse, boxOf(*a.layout), false);
    setPerCore(a.shardTiles().rows, n, a.shardTiles().columns);
    plan.blockH = plan.perCoreM;
    plan.blockW = plan.perCoreN;
    setTallSubblock(out.sharded());
    // After the subblock, which is chosen for a core's whole part before batches cut it.
    plan.blockH = std::min(m, plan.perCoreM);
    plan.possible =
        !a.shardedAs(ML::WidthSharded) && resultFollows() && (!b.sharded() || samePlacement(a, b));
  }

  void chooseForShards() {
    GridShape grid = boxOf(*a.layout);
    bool block = a.shardedAs(ML::BlockSharded);
    // Only batches of in1 may be sharded beside a sharded in0 (chooseForBatchedShards).
    plan.possible = b.interleaved();
    if (!block)
      return oneDimensionalOnShards(grid);
    if (grid.rows > 1 && grid.columns > 1)
      return twoDimensionalOnShards(grid);
    twoDimensionalOnAllCores();
  }

  void oneDimensionalOnShards(GridShape grid) {
    bool wide = a.shardedAs(ML::WidthSharded);
    GridShape shard = a.shardTiles();
    setKind(wide ? Kind::MultiCast1DIn0 : Kind::MultiCast1DIn1, grid, true);
    if (wide)
      // A block of K has to lie within one core's shard and to divide K.
      setPerCore(plan.m, ceilDiv(n, a.shardCores()), std::gcd(shard.columns, k));
    else
      // A height shard holds all of K, which is one block then.
      setPerCore(shard.rows, n, k);
    setBlocks();
    keepRowsWhole();
    setTallSubblock(out.sharded());
    plan.possible &= resultFollows();
  }

  void twoDimensionalOnShards(GridShape grid) {
    GridShape shard = a.shardTiles();
    setKind(Kind::MultiCast2D, grid, true);
    // Shards that do not cover K leave no K block that all columns of cores share.
    bool covered = grid.columns == k / shard.columns;
    setPerCore(ceilDiv(plan.m, grid.rows), ceilDiv(n, grid.columns),
               covered ? std::gcd(shard.columns, k) : 1);
    setBlocks();
    setTallSubblock(out.sharded());
    auto fits = [](int64_t cores, int64_t extent, int64_t piece) {
      return cores == extent / piece || cores == ceilDiv(extent, piece);
    };
    plan.possible &=
        resultFollows() && fits(grid.rows, plan.m, shard.rows) && fits(grid.columns, k, shard.columns);
  }

  void twoDimensionalOnAllCores() {
    GridShape shard = a.shardTiles();
    setKind(Kind::MultiCast2D, device, true);
    // A core gets the share of N that its shard has of K.
    setPerCore(shard.rows, n * shard.columns / k, std::gcd(shard.columns, k));
    setBlocks();
    setWideSubblock();
    if (plan.subblockW != plan.perCoreN)
      plan.subblockH = 1;
  }

  using ML = MemoryLayout;
  const OpCall &call;
  MatmulShape shape;
  const TensorRef &a, &b, &out;
  bool fp32;
  GridShape device;
  int64_t m = 1, k = 1, n = 1; ///< tiles of one matmul
  int64_t space = 0;
  MatmulPlan plan;
};

} // namespace

MatmulPlan automaticMatmulPlan(const OpCall &call, int64_t room) { return AutoPlan(call, room).choose(); }

} // namespace tessera::analytic
