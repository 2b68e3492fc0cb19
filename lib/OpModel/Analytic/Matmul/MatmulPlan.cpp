//===- MatmulPlan.cpp - How a matmul is cut into blocks ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Without a program config the backend chooses one itself: since 2026 as MatmulAutoPlan.cpp says, before as here
// (facts/formulas 7.1, confirmed by every golden of its family).
// The steps, each a function below:
//
//   1. in0 sharded: its kind fixes the kernel.
//   2. A square block of 16, 8, 4, 2 or 1 tiles per core that fits in L1.
//   3. Very wide, very tall or one-block-row outputs: 1D multicast.
//   4. All in DRAM, or a rectangle of blocks that fits the grid: 2D multicast.
//   5. Anything else: the slow tile-by-tile kernel.
//
//===----------------------------------------------------------------------===//
#include "MatmulPlan.h"

#include "../Family.h"
#include "../OpCall.h"
#include "Matmul.h"
#include "tessera/OpModel/KernelTime.h"
#include "tessera/OpModel/MatmulBlocking.h"

#include <algorithm>
#include <numeric>

namespace tessera::analytic {

MatmulShape matmulShape(const OpCall &call) {
  const TensorRef &a = call.in[0], &b = call.in[1];
  bool transposeA = call.op().boolean("transpose_a", false),
       transposeB = call.op().boolean("transpose_b", false);
  MatmulShape shape;
  shape.m = transposeA ? a.width : a.height;
  shape.k = transposeA ? a.height : a.width;
  shape.n = transposeB ? b.height : b.width;
  shape.in1K = transposeB ? b.width : b.height;
  shape.batchA = a.batch;
  shape.batchB = b.batch;
  shape.tileA = a.tile;
  shape.tileB = b.tile;
  shape.tileOut = resultTile(call);
  shape.fp32Accumulate = call.op().boolean("compute_config.fp32_dest_acc_en", false);
  return shape;
}

namespace {

/// Works out the plan the backend would choose.
class Chooser {
public:
  Chooser(const OpCall &call, int64_t room)
      : shape(matmulShape(call)), a(call.in[0]), b(call.in[1]), out(call.out[0]) {
    plan.gridX = std::max<int64_t>(1, call.device().workerGrid.columns);
    plan.gridY = std::max<int64_t>(1, call.device().workerGrid.rows);
    plan.m = ceilDiv(shape.m, 32);
    plan.k = ceilDiv(shape.k, 32);
    plan.n = ceilDiv(shape.n, 32);
    plan.batch = std::max(shape.batchA, shape.batchB);
    // What is free decides here, which is why a record of this answer holds for one budget only
    // (docs/op-model-backends, "Questions").
    space = std::min(room, call.freeL1());
    // The bias of a linear is really allocated, with a margin, before the config is chosen.
    if (call.hasOperand(2) && call.in[2].l1())
      space -= 64 * 1024 + call.perCore(call.in[2]);
  }

  MatmulPlan choose() {
    if (a.sharded())
      chooseForShardedIn0();
    else
      chooseForInterleavedIn0();
    return plan;
  }

private:
  using Kind = MatmulPlan::Kind;

  int64_t shardWidth() const { return a.shardTiles().columns; }

  /// L1 that blocks of `bm` x `bn` x `bk` tiles take, as the backend estimates it.
  int64_t estimate(int64_t bm, int64_t bn, int64_t bk) const {
    int64_t intermediate = shape.fp32Accumulate ? 4096 : std::max<int64_t>(2048, shape.tileOut);
    // Operands doubled, whether there is a next block or not, and the result in in0's format beside the accumulator:
    // an estimate, which decides all the same.
    int64_t bytes =
        2 * bm * bk * shape.tileA + 2 * bn * bk * shape.tileB + bm * bn * (shape.tileA + intermediate);
    if (a.sharded())
      bytes += bm * shardWidth() * shape.tileA;
    return bytes;
  }

  void setKind(Kind kind, int64_t perCoreM, int64_t perCoreN, int64_t blockK) {
    plan.kind = kind;
    plan.perCoreM = perCoreM;
    plan.perCoreN = perCoreN;
    plan.blockK = blockK;
    shrinkBlocks();
  }

  /// The whole per-core block if it fits, else the factor pair of it that is largest, then closest to square.
  void shrinkBlocks() {
    plan.blockH = plan.perCoreM;
    plan.blockW = plan.perCoreN;
    if (estimate(plan.blockH, plan.blockW, plan.blockK) < space)
      return;
    int64_t bestArea = 0, bestSkew = 0;
    // Every pair of divisors: a core's part has few.
    forEachDivisor(plan.perCoreM, [&](int64_t h) {
      forEachDivisor(plan.perCoreN, [&](int64_t w) {
        int64_t area = h * w, skew = std::abs(h - w);
        if (estimate(h, w, plan.blockK) >= space || area < bestArea || (area == bestArea && skew >= bestSkew))
          return;
        bestArea = area;
        bestSkew = skew;
        plan.blockH = h;
        plan.blockW = w;
      });
    });
    if (bestArea == 0)
      plan.blockH = plan.blockW = plan.blockK = 1;
  }

  template <class Function>
  static void forEachDivisor(int64_t number, Function visit) {
    for (int64_t d = 1; d * d <= number; ++d) {
      if (number % d)
        continue;
      visit(d);
      if (d != number / d)
        visit(number / d);
    }
  }

  void chooseForShardedIn0() {
    // Shards hold all matrices one below the other, which are rows of one product then.
    plan.m = ceilDiv(shape.m, 32) * shape.batchA;
    plan.batch = 1;
    int64_t width = shardWidth();
    if (a.shardedAs(MemoryLayout::WidthSharded))
      return setKind(Kind::MultiCast1DIn0, plan.m, ceilDiv(plan.n, a.shardCores()), std::gcd(width, plan.k));
    if (a.shardedAs(MemoryLayout::HeightSharded))
      return setKind(Kind::MultiCast1DIn1, a.shardTiles().rows, plan.n, plan.k);
    plan.gridX = std::max<int64_t>(1, a.layout->grid.columns);
    plan.gridY = std::max<int64_t>(1, a.layout->grid.rows);
    // Shards that do not cover K leave no K block that all columns of cores share.
    bool fullRow = plan.gridX * width == plan.k;
    setKind(Kind::MultiCast2D, ceilDiv(plan.m, plan.gridY), ceilDiv(plan.n, plan.gridX),
            fullRow ? std::gcd(width, plan.k) : 1);
  }

  void chooseForInterleavedIn0() {
    int64_t cores = plan.gridX * plan.gridY;
    bool allInterleaved = b.interleaved() && out.interleaved();
    // A result that is left open counts as in DRAM, where the backend would put it (facts/formulas 2).
    bool allDram = allInterleaved && a.dram() && b.dram() && !out.l1();
    int64_t m = plan.m * 32, n = plan.n * 32;
    int64_t longer = std::max(m, n), shorter = std::min(m, n);
    bool narrow = allInterleaved && (longer > 8 * shorter || (allDram && shorter <= 32));
    bool wide = narrow && n > m, tall = narrow && !wide;

    int64_t block = 16;
    while (block > 1 && estimate(block, block, 2) >= space)
      block /= 2;
    int64_t blocksY = ceilDiv(plan.m, block), blocksX = ceilDiv(plan.n, block);
    // The backend's own limits: it takes K two tiles at a time where it can, and goes to 1D where the output is eight
    // times longer than wide.
    int64_t blockK = plan.k % 2 == 0 ? 2 : 1;
    if (!allDram && (blocksX * blocksY > cores || plan.k % blockK != 0))
      return setKind(Kind::MultiCore, 1, 1, 1);

    bool fits = blocksX <= plan.gridX && blocksY <= plan.gridY && blocksX * blocksY > 1;
    if (wide || (fits && blocksY == 1) || (!fits && out.shardedAs(MemoryLayout::WidthSharded)))
      return setKind(Kind::MultiCast1DIn0, plan.m, ceilDiv(ceilDiv(n, cores), 32), blockK);
    if (tall || (fits && blocksX == 1) || (!fits && out.shardedAs(MemoryLayout::HeightSharded)))
      return setKind(Kind::MultiCast1DIn1, ceilDiv(ceilDiv(m, cores), 32), plan.n, blockK);
    if (allDram) {
      int64_t perColumn = plan.k % plan.gridX == 0 ? plan.k / plan.gridX : 1;
      return setKind(Kind::MultiCast2D, ceilDiv(plan.m, plan.gridY), ceilDiv(plan.n, plan.gridX), perColumn);
    }
    if (fits || out.shardedAs(MemoryLayout::BlockSharded))
      return setKind(Kind::MultiCast2D, block, block, blockK);
    setKind(Kind::MultiCore, 1, 1, 1);
  }

  MatmulShape shape;
  const TensorRef &a, &b, &out;
  MatmulPlan plan;
  int64_t space = 0;
};

MatmulPlan fromConfig(const OpCall &call, const MatmulProgramConfig &config) {
  using Given = MatmulProgramConfig::Kind;
  MatmulShape shape = matmulShape(call);
  MatmulPlan plan;
  plan.given = true;
  plan.kind = config.kind == Given::Reuse                  ? MatmulPlan::Kind::Reuse
              : config.kind == Given::MultiCast2D          ? MatmulPlan::Kind::MultiCast2D
              : config.kind == Given::MultiCastDramSharded ? MatmulPlan::Kind::DramSharded
              : config.mcastIn0                            ? MatmulPlan::Kind::MultiCast1DIn0
                                                           : MatmulPlan::Kind::MultiCast1DIn1;
  // Batches of in0 become rows.
  bool fused = multicasts(plan) && config.fuseBatch;
  plan.fuseBatch = fused;
  plan.m = ceilDiv(shape.m, 32) * (fused ? shape.batchA : 1);
  plan.k = ceilDiv(shape.k, 32);
  plan.n = ceilDiv(shape.n, 32);
  plan.batch = fused ? 1 : std::max(shape.batchA, shape.batchB);
  plan.gridX = config.grid.x;
  plan.gridY = config.grid.y;
  plan.perCoreM = config.perCoreM;
  plan.perCoreN = config.perCoreN;
  plan.blockK = config.in0BlockW;
  plan.subblockH = config.outSubblockH;
  plan.subblockW = config.outSubblockW;
  // Only the multicast kernels make their part in several blocks (facts/hardware 4.1).
  plan.blockH = multicasts(plan) ? config.outBlockH : config.perCoreM;
  plan.blockW = multicasts(plan) ? config.outBlockW : config.perCoreN;
  // Of several batches in one block one is multiplied at a time.
  if (config.kind == Given::Reuse)
    plan.blockH = std::min(plan.m, config.perCoreM);
  if (config.kind == Given::MultiCastDramSharded) {
    plan.gridX = ceilDiv(plan.n, config.perCoreN);
    plan.gridY = 1;
  }
  return plan;
}

/// fromConfig's inverse.
MatmulProgramConfig toConfig(const MatmulPlan &plan) {
  using Kind = MatmulPlan::Kind;
  using Given = MatmulProgramConfig::Kind;
  MatmulProgramConfig config;
  config.kind = plan.kind == Kind::Reuse         ? Given::Reuse
                : plan.kind == Kind::MultiCast2D ? Given::MultiCast2D
                                                 : Given::MultiCast1D;
  config.mcastIn0 = plan.kind != Kind::MultiCast1DIn1;
  config.grid = {plan.gridX, plan.gridY};
  config.in0BlockW = plan.blockK;
  config.outSubblockH = plan.subblockH;
  config.outSubblockW = plan.subblockW;
  config.perCoreM = plan.perCoreM;
  config.perCoreN = plan.perCoreN;
  if (multicasts(plan)) {
    config.outBlockH = plan.blockH;
    config.outBlockW = plan.blockW;
    config.fuseBatch = plan.batch == 1;
  }
  return config;
}

/// What the backend chooses if at most `room` bytes of L1 are free.
MatmulPlan chosen(const OpCall &call, int64_t room) {
  if (newest(call))
    return automaticMatmulPlan(call, room);
  MatmulPlan plan = Chooser(call, room).choose();
  GridShape subblock =
      defaultSubblock({plan.blockH, plan.blockW}, matmulShape(call).fp32Accumulate, call.out[0].sharded());
  plan.subblockH = subblock.rows;
  plan.subblockW = subblock.columns;
  return plan;
}

constexpr int64_t kAllOfIt = std::numeric_limits<int64_t>::max();

} // namespace

GridShape defaultSubblock(GridShape block, bool fp32, bool sharded) {
  // The backend's own order: as many tiles as the registers hold, squarer first (facts/hardware 4.1).
  static constexpr GridShape kSizes[] = {{4, 2}, {2, 4}, {8, 1}, {1, 8}, {7, 1}, {1, 7}, {3, 2},
                                         {2, 3}, {6, 1}, {1, 6}, {5, 1}, {1, 5}, {2, 2}, {4, 1},
                                         {1, 4}, {3, 1}, {1, 3}, {2, 1}, {1, 2}};
  for (GridShape size : kSizes) {
    bool fits =
        block.rows % size.rows == 0 && block.columns % size.columns == 0 && (!fp32 || size.volume() <= 4);
    if (fits && (!sharded || size.columns == block.columns || size.rows == 1))
      return size;
  }
  return {1, 1};
}

const MatmulPlan &matmulPlan(const OpCall &call) {
  // Once per call, as rules, buffers and time all ask.
  if (!call.matmul) {
    const auto *config = std::get_if<MatmulProgramConfig>(&call.query.config.specific);
    call.matmul = config ? fromConfig(call, *config) : chosen(call, kAllOfIt);
  }
  return *call.matmul;
}

} // namespace tessera::analytic

tessera::MatmulBlocking tessera::matmulBlocking(const OpModelContext &context, const OpQuery &query) {
  analytic::OpCall call(context, *analytic::findRow(query.op.name), query);
  const analytic::MatmulPlan &plan = analytic::matmulPlan(call);
  if (plan.kind == analytic::MatmulPlan::Kind::MultiCore)
    return {plan.k, 1};
  return {plan.blockK, plan.kBlocks()};
}

std::optional<tessera::MatmulProgramConfig> tessera::choiceThatNeedsRoom(const OpModelContext &context,
                                                                         const OpQuery &query) {
  analytic::OpCall call(context, *analytic::findRow(query.op.name), query);
  analytic::MatmulPlan plan = analytic::chosen(call, analytic::kAllOfIt);
  // With nothing free the smallest blocks are taken: who gets the same with all of it gets it always. The tile-by-tile
  // kernel has no config that says it.
  if (plan.kind == analytic::MatmulPlan::Kind::MultiCore || plan == analytic::chosen(call, 0))
    return std::nullopt;
  return analytic::toConfig(plan);
}
