//===- Cumulative.cpp - cumsum, cumprod -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A scan is not shared along the dimension that it runs over, as each sum needs the one before. The kernel goes along
// the outermost of four dimensions, where whole tiles are added to whole tiles; every other one is turned there and
// back, but for some sums since October 2026.
//
//===----------------------------------------------------------------------===//
#include "../Family.h"
#include "../Kernels.h"
#include "../Runtime.h"

namespace tessera::analytic {
namespace {

/// The operand with the scanned dimension moved to the front: [64, 1024] becomes [64, 1, 1, 1024].
struct Front {
  TensorDesc desc;
  bool moved = false; ///< by a permutation of its own
};
Front scannedFront(const OpCall &call) {
  const TensorRef &in = call.in[0];
  Front front{*in.desc};
  auto &shape = front.desc.shape;
  if (shape.size() < 4)
    shape.insert(shape.begin(), 4 - shape.size(), 1);
  size_t shift = shape.size() - in.rank(), dim = normalizedDim(call.op().integer("dim", 0), in.rank());
  if (dim >= in.rank() || dim + shift == 0)
    return front;
  // Two outer dimensions of one element change places without a byte moved; the last two move within tiles all the
  // same.
  front.moved = shape[0] != 1 || shape[dim + shift] != 1 || dim + shift >= 2;
  std::swap(shape[0], shape[dim + shift]);
  return front;
}

bool scansSince2026(const OpCall &call) {
  return call.context.version >= BackendVersion::Newest && call.row.name != "ttnn.moreh_cumsum";
}

/// Since October 2026 sums of bf16 along the height or the width of matrices are made where these lie, and carry nothing on (asked of
/// ttnn 0.81.1).
bool scansMatrices(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return answersAsOctober2026(call) && call.row.name == "ttnn.cumsum" && in.dtype() == DataType::BFloat16 &&
         normalizedDim(call.op().integer("dim", 0), in.rank()) + 2 >= in.rank();
}

/// Block floats whose height or width goes to the front are turned as bf16: what is turned and what comes of it lie beside one another, there and back (asked of ttnn 0.77.0 and
/// 0.81.1).
void turnBlockFloats(const OpCall &call, const TensorDesc &front, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  auto bytes = [&](const TensorDesc &desc, DataType type, bool l1) {
    return l1 ? call.perCoreInterleaved(makeTensorRef(TensorDesc{desc.shape, type}, nullptr)) : 0;
  };
  constexpr DataType wide = DataType::BFloat16;
  MemoryUse::Made operand = use.make(bytes(*in.desc, wide, in.l1()));
  MemoryUse::Made turned = use.make(bytes(front, wide, in.l1()));
  MemoryUse::Made narrow = use.make(bytes(front, in.dtype(), in.l1()));
  use.free(operand);
  use.free(turned);
  use.make(bytes(front, in.dtype(), out.l1()));
  use.free(narrow);
  use.make(bytes(front, wide, out.l1()));
  use.make(bytes(*in.desc, wide, out.l1()));
}

void cumulativeMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  Front front = scannedFront(call);
  TensorRef moved = makeTensorRef(front.desc, nullptr);
  moved.tile = in.tile;
  int64_t copy = call.perCoreInterleaved(moved);
  int64_t before = in.l1() ? copy : 0, scanned = out.l1() ? copy : 0;
  if (!scansSince2026(call)) {
    use.buffer("operand, carry and result", 16, in.tile);
    // Two of three live at a time: the operand turned, what is scanned, the result turned back.
    return use.tensors(std::max(before + scanned, scanned + call.perCore(out)));
  }
  // What is carried from tile to tile is f32, whatever the operand is.
  constexpr int64_t f32Tile = 4096;
  use.buffer("operand", 4, in.tile);
  use.buffer("result", 4, out.tile);
  if (scansMatrices(call))
    return use.tensors(call.perCore(out));
  // Since October 2026 sums of f32 take a tile more.
  bool two = answersAsOctober2026(call) && call.row.name == "ttnn.cumsum" && in.dtype() == DataType::Float32;
  use.buffer("carry", two ? 2 : 1, f32Tile);
  int64_t result = call.perCore(out);
  if (!front.moved)
    return use.tensors(result);
  // To the front, scanned there, and back again.
  bool withinTiles = normalizedDim(call.op().integer("dim", 0), in.rank()) + 2 >= in.rank();
  if (isBlockFloat(in.dtype()) && withinTiles)
    return turnBlockFloats(call, front.desc, use);
  Chain steps(use);
  for (int64_t bytes : {before, scanned, result})
    steps.step(bytes);
}

bool scanShardedResult(const OpCall &call) {
  return scansSince2026(call) || noShardedOutputFromInterleaved(call);
}
bool scanInterleaved(const OpCall &call) { return !scansSince2026(call) || allOperandsInterleaved(call); }

/// Shards must hold the tensor with the scanned dimension in front. Since October 2026 they must also lie on the cores that scan, which are
/// counted down the columns of the grid, as many as there are tiles beside the scanned dimension, where shards are placed along its rows.
bool scanResultInterleaved(const OpCall &call) { return !scansSince2026(call) || outputsInterleaved(call); }

constexpr Rule kCumulativeRules[] = {
    {{"cumulative.tiled", "cumulative ops need a tiled operand", "facts/hardware 4.4"}, allOperandsTiled},
    {{"cumulative.sharded_result", "a sharded result needs a sharded operand", "facts/formulas 5"},
     scanShardedResult},
    {{"cumulative.interleaved", "cumulative ops take interleaved operands only (since 2026)",
      "facts/vendor-library 4"},
     scanInterleaved},
    {{"cumulative.result_interleaved",
      "the result must be interleaved (since 2026): few shards hold the scanned tensor on the cores that "
      "scan",
      "ttnn 0.81.1 (reduce_op_validation.cpp)", "ttnn 0.77.0 takes some"},
     scanResultInterleaved},
};

/// Measured along dimension 0; two more programs permute for other dimensions.
constexpr StreamCost kScan = {P::ScanStart, P::ScanDram, P::ScanL1};

/// A core has all tiles at one place of the matrices that are added up one after the other: few places keep few cores busy.
int64_t scannedTiles(const OpCall &call) {
  const TensorRef &in = call.in[0];
  Front front = scannedFront(call);
  int64_t depth = std::max<int64_t>(1, front.desc.shape.front());
  int64_t places = makeTensorRef(front.desc, nullptr).tiles() / depth;
  if (scansMatrices(call)) {
    // Lines of tiles, where they lie.
    depth = ceilDiv(in.dim(call.op().integer("dim", 0)), 32);
    places = in.tiles() / depth;
  }
  return ceilDiv(places, call.cores()) * depth;
}

OpRuntime cumulativeRuntime(const OpCall &call) {
  OpRuntime time = streamTime(call, scannedTiles(call), kScan);
  time.dispatch += call.device().launch * 2;
  time.total += call.device().launch * 2;
  return time;
}

bool scanConfirmed(const OpCall &call) {
  return everythingInterleaved(call) && call.row.name == "ttnn.moreh_cumsum";
}

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kCumulative = {"cumulative",     kOperands,         kCumulativeRules, outputsLikeOperand0,
                            cumulativeMemory, cumulativeRuntime, scanConfirmed,    countCumulative};

const OpRow kRows[] = {
    {"ttnn.cumprod", &kCumulative, 1, 1},
    {"ttnn.cumsum", &kCumulative, 1, 1},
    {"ttnn.moreh_cumsum", &kCumulative, 1, 1},
};

} // namespace

Rows cumulativeRows() { return kRows; }

} // namespace tessera::analytic
