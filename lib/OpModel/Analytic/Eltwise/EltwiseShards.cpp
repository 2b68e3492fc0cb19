//===- EltwiseShards.cpp - Shards in place, and the buffers that remain ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Circular buffers of the element-wise kernel of two operands (facts/formulas
// 4.2): two tiles per operand and result that is not read in place, two more for an
// operand that is broadcast.
//
//===----------------------------------------------------------------------===//
#include "Eltwise.h"

#include "../Runtime.h"

namespace tessera::analytic {

namespace {

bool equalOrOne(const TensorRef &a, const TensorRef &b) {
  for (size_t d = 1; d <= std::min(a.rank(), b.rank()); ++d) {
    int64_t x = a.dim(-int64_t(d)), y = b.dim(-int64_t(d));
    if (x != y && x != 1 && y != 1)
      return false;
  }
  return true;
}

int64_t widest(const OpCall &call, size_t d) {
  int64_t widest = 1;
  for (const TensorRef &operand : call.in)
    widest = std::max(widest, operand.dim(-int64_t(d)));
  return widest;
}

bool nativeUntil2026(const TensorRef &a, const TensorRef &b, const TensorRef &c) {
  return a.l1() && b.l1() && c.l1() && c.sharded() && a.desc->shape == b.desc->shape && samePlacement(a, b) &&
         (!a.sharded() || samePlacement(a, c)) && fillsCores(a) && fillsCores(b) && fillsCores(c);
}

/// `x` is a column, or a single element, that is repeated within tiles.
bool repeatsColumn(const TensorRef &x, const TensorRef &other) {
  return x.width == 1 && (other.width > 1 || (x.height == 1 && other.height > 1));
}

/// A column or a single element is fetched and applied to height shards where these lie; since October 2026 only if the result lies
/// in shards as large on the same cores (asked of ttnn 0.81.1).
bool nativeColumn(const OpCall &call, const TensorRef &a, const TensorRef &b, const TensorRef &result) {
  if (answersAsOctober2026(call) && (!sameCores(a, result) || a.layout->shard != result.layout->shard))
    return false;
  return a.shardedAs(MemoryLayout::HeightSharded) && a.l1() && b.interleaved() && repeatsColumn(b, a) &&
         a.height == result.height && a.batch == result.batch && result.sharded() && result.l1() &&
         wholeShards(a) && wholeShards(result);
}

/// `x` is one row that is repeated; single elements are filled into a tile instead.
bool repeatsRow(const TensorRef &x, const TensorRef &other) {
  return x.height == 1 && x.width > 1 && other.height > 1;
}

/// A row, a column or an element of `x` is repeated within tiles. A column beside a row is repeated as it is read, so that only the
/// row's tiles are kept.
bool repeatsWithinTiles(const TensorRef &x, const TensorRef &other) {
  bool besideRow = x.height > 1 && other.height == 1 && other.width > 1;
  return (x.height == 1 && other.height > 1) || (x.width == 1 && other.width > 1 && !besideRow);
}

bool keepsBroadcastTiles(const OpCall &call, const TensorRef &x, const TensorRef &other) {
  return call.context.version >= BackendVersion::Newest ? repeatsWithinTiles(x, other) : repeatsRow(x, other);
}

} // namespace

bool shapesBroadcast(const OpCall &call) {
  for (size_t i = 0; i < call.in.size(); ++i)
    for (size_t j = i + 1; j < call.in.size(); ++j)
      if (!equalOrOne(call.in[i], call.in[j]))
        return false;
  // Operands agree with each other by now; the result has, in each dimension, what the widest has.
  size_t rank = call.out[0].rank();
  for (const TensorRef &operand : call.in)
    rank = std::max(rank, operand.rank());
  for (size_t d = 1; d <= rank; ++d)
    if (call.out[0].dim(-int64_t(d)) != widest(call, d))
      return false;
  return true;
}

bool worksInPlace(const TensorRef &operand, const TensorRef &result) {
  return operand.l1() && result.l1() && result.sharded() &&
         (!operand.sharded() || sameCores(operand, result));
}

bool nativeSharded(const OpCall &call, const TensorRef &a, const TensorRef &b, const TensorRef &result) {
  if (call.context.version < BackendVersion::Newest)
    return nativeUntil2026(a, b, result);
  if (a.desc->shape != b.desc->shape)
    return nativeColumn(call, a, b, result);
  bool whole = (wholeShards(a) && wholeShards(result)) || sameLayout(a, result);
  return sameLayout(a, b) && worksInPlace(a, result) && whole;
}

bool nativeSharded(const OpCall &call) {
  return call.in.size() >= 2 && nativeSharded(call, call.in[0], call.in[1], call.out[0]);
}

int64_t tilesOfCore(const OpCall &call, bool inPlace) {
  bool shared = !inPlace && call.context.version >= BackendVersion::Newest;
  return shared ? ceilDiv(call.out[0].tiles(), call.cores()) : busiestTiles(call);
}

void outputsLikeMostCores(OpCall &call) {
  const TensorRef *most = &call.in[0];
  for (const TensorRef &operand : call.in)
    if (operand.sharded() && (!most->sharded() || operand.shardCores() > most->shardCores()))
      most = &operand;
  call.followIfUndecided(0, *most);
}

void binaryBuffers(const OpCall &call, MemoryUse &use, const TensorRef &lhs, const TensorRef &rhs,
                   const TensorRef &result) {
  BackendVersion version = call.context.version;
  bool native = nativeSharded(call, lhs, rhs, result);
  // Until October 2025 each shard in L1 was bound by itself.
  auto inPlace = [&](const TensorRef &tensor) {
    return tensor.sharded() && (version <= BackendVersion::Autumn2025 ? tensor.l1() : native);
  };
  // The kernel of early 2025 doubled its buffers eight times over as soon as anything was sharded.
  bool anySharded = lhs.sharded() || rhs.sharded() || result.sharded();
  int64_t depth = version == BackendVersion::January2025 && anySharded ? 16 : 2;
  // Each side by itself: one may be read in place while the other is fetched.
  auto side = [&](llvm::StringRef holds, const TensorRef &x, const TensorRef &other) {
    use.buffer(holds, inPlace(x) ? 0 : depth, x.tile);
    use.buffer("broadcast tiles", keepsBroadcastTiles(call, x, other) ? 2 : 0, x.tile);
  };
  side("lhs", lhs, rhs);
  side("rhs", rhs, lhs);
  use.buffer("result", inPlace(result) ? 0 : depth, result.tile);
}

} // namespace tessera::analytic
