//===- OpCall.cpp - One query, resolved -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What all families ask of a query is worked out once: extents in elements and in tiles, and what a core holds of a
// tensor. Extents of 0 count as 1, so that families may divide by all of them.
//
//===----------------------------------------------------------------------===//
#include "OpCall.h"

#include "tessera/OpModel/OpTable.h"

#include <algorithm>

namespace tessera::analytic {

int64_t TensorRef::dim(int64_t index) const {
  size_t i = normalizedDim(index, rank());
  return i < rank() ? std::max<int64_t>(1, desc->shape[i]) : 1;
}

GridShape TensorRef::shardTiles() const {
  if (!layout)
    return {tileRows, tileCols};
  GridShape units = shardUnits();
  return layout->isTiled() ? units : GridShape{ceilDiv(units.rows, 32), ceilDiv(units.columns, 32)};
}

GridShape TensorRef::shardUnits() const {
  // An empty tensor has an empty shard; families divide by these extents.
  return {std::max<int64_t>(1, layout->shard.rows), std::max<int64_t>(1, layout->shard.columns)};
}

bool sizeInRange(const TensorDesc &tensor) {
  // By division, so that nothing overflows on the way to the answer. Extents of 0 count as 1, as in TensorRef.
  int64_t elements = 1;
  for (int64_t dim : tensor.shape) {
    if (dim < 0 || dim > kMaxElements || elements > kMaxElements / std::max<int64_t>(1, dim))
      return false;
    elements *= std::max<int64_t>(1, dim);
  }
  return true;
}

TensorRef makeTensorRef(const TensorDesc &desc, const TensorLayout *layout, LayoutId id) {
  TensorRef ref;
  ref.desc = &desc;
  ref.layout = layout;
  ref.id = id;
  // The layout's: it says what lies in memory, whatever the tensor's own type is.
  DataType dtype = ref.dtype();
  ref.tile = tileBytes(dtype).value();
  // Block floats have no scalars of their own; row-major kernels unpack them to bf16.
  ref.scalar = isBlockFloat(dtype) ? 2 : scalarBytes(dtype).value();
  if (!sizeInRange(desc))
    return ref; // refused by rule op.tensor_size
  size_t rank = desc.shape.size();
  ref.width = rank >= 1 ? std::max<int64_t>(1, desc.shape[rank - 1]) : 1;
  ref.height = rank >= 2 ? std::max<int64_t>(1, desc.shape[rank - 2]) : 1;
  for (size_t i = 0; i + 2 < rank; ++i)
    ref.batch *= std::max<int64_t>(1, desc.shape[i]);
  ref.tileRows = ref.batch * ceilDiv(ref.height, 32);
  ref.tileCols = ceilDiv(ref.width, 32);
  return ref;
}

OpCall::OpCall(const OpModelContext &context, const OpRow &row, const OpQuery &query)
    : context(context), row(row), query(query),
      parameters(
          &(context.calibration ? *context.calibration : builtInCalibration()).of(context.device.arch)) {
  // Ids were checked before (idsValid): a call is made of queries that can be answered only.
  auto lookup = [&](LayoutId id) { return id.valid() ? &context.layouts[id] : nullptr; };
  for (size_t i = 0; i < query.op.operands.size(); ++i)
    in.push_back(makeTensorRef(query.op.operands[i].tensor, lookup(query.inputs[i]), query.inputs[i]));
  for (size_t i = 0; i < query.op.results.size(); ++i) {
    LayoutId id = i < query.config.outputs.size() ? query.config.outputs[i] : LayoutId();
    out.push_back(makeTensorRef(query.op.results[i], lookup(id), id));
  }
}

int64_t OpCall::perCoreInterleaved(const TensorRef &tensor) const {
  // Rows are dealt out whole, so that a few long ones lie on a few cores.
  if (tensor.rowMajor())
    return ceilDiv(tensor.rows(), cores()) * tensor.rowBytes();
  return ceilDiv(tensor.tiles(), cores()) * tensor.tile;
}

int64_t OpCall::perCore(const TensorRef &tensor) const {
  if (context.version < BackendVersion::Newest)
    return reportedPerCore(tensor);
  return tensor.l1() ? l1BytesPerCore(*tensor.layout, device()).value() : 0;
}

int64_t OpCall::reportedPerCore(const TensorRef &tensor) const {
  if (!tensor.l1())
    return 0;
  // Pages of interleaved tensors are dealt to all cores in turn.
  if (!tensor.sharded())
    return perCoreInterleaved(tensor);
  if (tensor.tiled())
    return ceilDiv(tensor.tiles(), tensor.shardCores()) * tensor.tile;
  // A page of row-major shards is a row of the shard, so a row of the tensor is several pages. Real pages count, not
  // whole shards (facts/formulas 2).
  int64_t shardWidth = tensor.shardUnits().columns;
  int64_t pages = tensor.rows() * ceilDiv(tensor.width, shardWidth);
  return ceilDiv(pages, tensor.shardCores()) * shardWidth * tensor.scalar;
}

int64_t OpCall::tilesPerCore(const TensorRef &tensor) const {
  // Real tiles: the padding of the last shard is none. Kernels that compute it count whole shards (busiestTiles).
  return ceilDiv(tensor.tiles(), tensor.sharded() ? tensor.shardCores() : cores());
}

void OpCall::setOutput(size_t i, LayoutId id) {
  if (i < out.size())
    out[i] = makeTensorRef(query.op.results[i], &context.layouts[id], id);
}

const TensorLayout *OpCall::asked(size_t i) const {
  llvm::ArrayRef<LayoutId> ids = query.config.outputs;
  return i < ids.size() && ids[i].valid() ? &context.layouts[ids[i]] : nullptr;
}

void OpCall::setOutput(size_t i, const TensorLayout &layout) {
  if (i < out.size())
    setOutput(i, context.layouts.intern(layout));
}

/// A result of another shape or type lies in the same memory, sharded alike, in shards of its own size.
void OpCall::followIfUndecided(size_t i, const TensorRef &like) {
  // A request stands, whatever the family would choose.
  if (i >= out.size() || out[i].decided() || !like.layout)
    return;
  // The same layout as it stands, id and all: most results go this way, and interning costs.
  if (like.layout->dtype == out[i].desc->dtype && like.desc->shape == out[i].desc->shape)
    setOutput(i, like.id);
  else
    setOutput(i, withTensor(*like.layout, *out[i].desc, device().workerGrid));
}

void OpCall::dramIfUndecided(size_t i, PageLayout page) {
  if (i < out.size() && !out[i].decided())
    setOutput(i, dramInterleaved(*out[i].desc, page));
}

bool samePlacement(const TensorLayout &a, const TensorLayout &b) {
  if (a.buffer != b.buffer || a.memory != b.memory)
    return false;
  // A layout that leaves the cores to the backend agrees with any choice of them.
  return !a.isSharded() ||
         (a.grid == b.grid && (a.cores == b.cores || a.ignorePhysicalLayout || b.ignorePhysicalLayout));
}

bool samePlacement(const TensorRef &a, const TensorRef &b) {
  return a.layout && b.layout && (a.layout == b.layout || samePlacement(*a.layout, *b.layout));
}

/// The rank, which is no dimension, if there is none of that number: rules ask for that, and `dim` gives 1.
size_t normalizedDim(int64_t dim, size_t rank) {
  int64_t r = int64_t(rank);
  if (dim < -r || dim >= r)
    return rank;
  return size_t(dim < 0 ? dim + r : dim);
}

} // namespace tessera::analytic
