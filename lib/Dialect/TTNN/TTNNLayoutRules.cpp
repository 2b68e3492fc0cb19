//===- TTNNLayoutRules.cpp - Verifiers of layouts and memory configs ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The rules of tt-mlir, no more and no less (facts/dialect 2):
// which memories take which memory layouts, grids and core ranges.
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTNN/TTNNAttrs.h"

using namespace mlir;

namespace tessera::ttnn {
namespace {

using EmitErrorFn = function_ref<InFlightDiagnostic()>;
using MemLayout = std::optional<TensorMemoryLayout>;

MemLayout valueOf(TensorMemoryLayoutAttr attr) { return attr ? MemLayout(attr.getValue()) : std::nullopt; }

/// nd_sharded does not count: what else it needs stands in a shard specification of its own.
bool isShardedIn2D(MemLayout memLayout) {
  return memLayout && *memLayout != TensorMemoryLayout::Interleaved &&
         *memLayout != TensorMemoryLayout::NDSharded;
}

/// `what` ("a layout") in `buffer`, which is nullopt for a memory space that TTNN does not have.
LogicalResult verifyMemory(EmitErrorFn emitError, StringRef what, std::optional<BufferType> buffer,
                           MemLayout memLayout) {
  bool onHost = buffer == BufferType::SystemMemory;
  if (onHost && memLayout)
    return emitError() << "system_memory has no memory layout, but "
                       << stringifyTensorMemoryLayout(*memLayout) << " is given";
  if (!onHost && !memLayout)
    return emitError() << what << " in " << (buffer ? stringifyBufferType(*buffer) : "that memory space")
                       << " needs a memory layout";
  if (buffer == BufferType::DRAM && memLayout == TensorMemoryLayout::BlockSharded)
    return emitError() << "dram cannot be block_sharded: its banks form one row";
  return success();
}

LogicalResult verifyGrid(EmitErrorFn emitError, ArrayRef<int64_t> grid, BufferType buffer,
                         MemLayout memLayout) {
  bool interleavedDram = buffer == BufferType::DRAM && memLayout == TensorMemoryLayout::Interleaved;
  // All other grids are free: nothing ties them to cores or to the tensor (facts/dialect 2).
  bool undivided = buffer == BufferType::SystemMemory || buffer == BufferType::Trace || interleavedDram;
  if (!undivided || grid == ArrayRef<int64_t>{1, 1})
    return success();
  InFlightDiagnostic error = emitError() << stringifyBufferType(buffer)
                                         << (interleavedDram ? " interleaved" : "") << " has grid 1x1, not ";
  llvm::interleave(grid, error, "x");
  return error;
}

/// Text has ignorePhysicalLayout behind core_ranges only, so a layout without them cannot have it.
LogicalResult verifyCores(EmitErrorFn emitError, MemLayout memLayout, CoreRangeSetAttr cores,
                          bool ignorePhysicalLayout) {
  StringRef name = memLayout ? stringifyTensorMemoryLayout(*memLayout) : "in system_memory";
  if (cores && !isShardedIn2D(memLayout))
    return emitError() << "core ranges are for height, width and block sharded layouts; this one is " << name;
  if (!cores && isShardedIn2D(memLayout))
    return emitError() << name << " needs core ranges";
  if (!cores && ignorePhysicalLayout)
    return emitError() << "ignorePhysicalLayout needs core ranges; this layout is " << name;
  return success();
}

} // namespace

LogicalResult TTNNLayoutAttr::verify(EmitErrorFn emitError, AffineMap, ArrayRef<int64_t> grid,
                                     MemRefType memref, TensorMemoryLayoutAttr memLayoutAttr,
                                     ttcore::TensorMeshAttr, CoreRangeSetAttr cores,
                                     bool ignorePhysicalLayout) {
  if (!memref.getMemorySpace())
    return emitError() << "the memref of a layout needs a #ttnn.buffer_type as memory space";
  auto space = dyn_cast<BufferTypeAttr>(memref.getMemorySpace());
  // A memory space of another dialect counts as one on the device: it needs a memory layout, and its grid is not looked
  // at.
  std::optional<BufferType> buffer = space ? std::optional(space.getValue()) : std::nullopt;
  MemLayout memLayout = valueOf(memLayoutAttr);
  if (failed(verifyMemory(emitError, "a layout", buffer, memLayout)) ||
      (buffer && failed(verifyGrid(emitError, grid, *buffer, memLayout))))
    return failure();
  return verifyCores(emitError, memLayout, cores, ignorePhysicalLayout);
}

LogicalResult MemoryConfigAttr::verify(EmitErrorFn emitError, BufferTypeAttr bufferAttr,
                                       TensorMemoryLayoutAttr memLayoutAttr, ShardSpecAttr shardSpec,
                                       Attribute ndShardSpec) {
  BufferType buffer = bufferAttr.getValue();
  MemLayout memLayout = valueOf(memLayoutAttr);
  if (failed(verifyMemory(emitError, "a memory config", buffer, memLayout)))
    return failure();
  if (shardSpec && ndShardSpec)
    return emitError() << "a memory config has a shard_spec or an ndShardSpec, not both";
  bool shardable = buffer == BufferType::L1 || buffer == BufferType::DRAM;
  if (shardSpec && !(shardable && isShardedIn2D(memLayout)))
    return emitError() << "a shard_spec is for height, width and block sharded tensors in l1 or dram";
  return success();
}

} // namespace tessera::ttnn
