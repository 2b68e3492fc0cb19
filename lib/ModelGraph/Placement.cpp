//===- Placement.cpp - What configs say of where and how ops run ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What TTNN makes of memory configs and program configs when a model is traced
// as it stands. A config says less than a layout: shards without a spec follow
// from the program config if it says over how many cores, else from the
// operand's shards, else from the tensor's tiles. What would not follow from
// any of them is an error here and no guess.
//
//===----------------------------------------------------------------------===//
#include "Placement.h"

#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/ModelRunner/ConfigHelpers.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace tessera;
using namespace tessera::runner;

// ---- Memory ----------------------------------------------------------------------------------------------

namespace {

/// A shard spec states what follows from tensor and cores; it must be what follows.
llvm::Expected<TensorLayout> shardedBySpec(const MemoryConfig &config, const PlacementRequest &request,
                                           const DeviceSpec &device) {
  const ShardSpec &spec = *config.shard_spec;
  if (spec.grid.empty() || spec.shape.size() != 2)
    return llvm::createStringError("a shard spec has cores, and a shape of height and width");
  CoreRangeSet cores{{spec.grid.begin(), spec.grid.end()}};
  GridShape grid = shardGridOn(config.memory_layout, cores);
  bool dram = config.buffer_type == BufferType::DRAM;
  GridShape most = dram ? GridShape{1, device.dramBanks} : device.workerGrid;
  CoreRange box = cores.boundingBox();
  if (box.start.x < 0 || box.start.y < 0 || box.end.x >= most.columns || box.end.y >= most.rows)
    return llvm::createStringError("cores up to (" + llvm::Twine(box.end.x) + ", " + llvm::Twine(box.end.y) +
                                   ") of " + llvm::Twine(most.columns) + " columns and " +
                                   llvm::Twine(most.rows) + " rows");
  // The builder is that of L1; shards over banks are the same on another grid, a row of banks.
  TensorLayout layout = l1Sharded(request.tensor, config.memory_layout, grid, most, request.page);
  layout.buffer = config.buffer_type;
  layout.cores = cores;
  GridShape shard{layout.shard.rows, layout.shard.columns};
  if (layout.isTiled())
    shard = {shard.rows * layout.tile.height, shard.columns * layout.tile.width};
  if (spec.shape[0] != shard.rows || spec.shape[1] != shard.columns)
    return llvm::createStringError("shards of " + llvm::Twine(spec.shape[0]) + "x" +
                                   llvm::Twine(spec.shape[1]) + ", where " + llvm::Twine(grid.volume()) +
                                   " cores have " + llvm::Twine(shard.rows) + "x" +
                                   llvm::Twine(shard.columns) + " of the tensor");
  return layout;
}

/// Sharded as another tensor is, on no more cores than get a part: a kernel makes no empty shards.
TensorLayout shardedLike(const TensorLayout &like, const TensorDesc &tensor, const DeviceSpec &device) {
  TensorLayout layout = withTensor(like, tensor, device.workerGrid);
  GridShape units = physicalShapeInUnits(layout, tensor.shape);
  GridShape filled = {ceilDiv(units.rows, layout.shard.rows), ceilDiv(units.columns, layout.shard.columns)};
  // A block's place in the grid is its core's, so blocks keep their grid even if the last ones are empty.
  if (layout.memory == MemoryLayout::BlockSharded || filled.volume() >= layout.grid.volume())
    return layout;
  return l1Sharded(tensor, *layout.memory, filled, device.workerGrid, layout.page);
}

} // namespace

llvm::Expected<TensorLayout> runner::placementOf(const MemoryConfig &config, const PlacementRequest &request,
                                                 const DeviceSpec &device) {
  bool l1 = config.buffer_type == BufferType::L1;
  if (!l1 && config.buffer_type != BufferType::DRAM)
    return llvm::createStringError("tensors lie in dram or l1, not in " + name(config.buffer_type));
  if (config.memory_layout == MemoryLayout::Interleaved)
    return l1 ? l1Interleaved(request.tensor, device.workerGrid, request.page)
              : dramInterleaved(request.tensor, request.page);
  if (config.shard_spec)
    return shardedBySpec(config, request, device);
  // TTNN shards the result as the first operand is, or as the program config says.
  if (request.like && request.like->memory == config.memory_layout && request.like->isL1() && !request.cores)
    return shardedLike(*request.like, request.tensor, device);
  // Only shards along one dimension follow from the tensor alone: of how many rows and columns a grid of blocks has,
  // nothing says.
  if (!l1 || config.memory_layout == MemoryLayout::BlockSharded)
    return llvm::createStringError(name(config.memory_layout) +
                                   " without a shard spec, and nothing to take one from");
  bool height = config.memory_layout == MemoryLayout::HeightSharded;
  GridShape physical = physicalShape(dramInterleaved(request.tensor, request.page), request.tensor.shape);
  int64_t cores =
      request.cores ? request.cores
                    : activationCores(height ? physical.rows : physical.columns, device.workerGrid.volume());
  if (cores > device.workerGrid.volume())
    return llvm::createStringError("a result over " + llvm::Twine(cores) + " cores of " +
                                   llvm::Twine(device.workerGrid.volume()));
  return l1Sharded(request.tensor, config.memory_layout, height ? GridShape{cores, 1} : GridShape{1, cores},
                   device.workerGrid, request.page);
}

// ---- Programs --------------------------------------------------------------------------------------------

namespace {

ttnn::CoreCoordAttr coordOf(mlir::MLIRContext *context, GridShape grid) {
  return ttnn::CoreCoordAttr::get(context, uint64_t(grid.columns), uint64_t(grid.rows));
}

ttnn::UnaryWithParamAttr activationOf(mlir::MLIRContext *context,
                                      const std::optional<UnaryOpType> &activation) {
  return activation ? ttnn::UnaryWithParamAttr::get(context, name(*activation).lower(), {})
                    : ttnn::UnaryWithParamAttr();
}

struct MatmulAttribute {
  mlir::MLIRContext *context;
  mlir::Attribute operator()(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig &c) const {
    return ttnn::MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfigAttr::get(
        context, uint64_t(c.in0_block_w), uint64_t(c.per_core_M), uint64_t(c.per_core_N),
        activationOf(context, c.fused_activation));
  }
  mlir::Attribute operator()(const MatmulMultiCoreReuseMultiCastProgramConfig &c) const {
    // The published class has no blocks of the output, so what a core makes is one.
    return ttnn::MatmulMultiCoreReuseMultiCastProgramConfigAttr::get(
        context, coordOf(context, c.compute_with_storage_grid_size), uint64_t(c.in0_block_w),
        uint64_t(c.out_subblock_h), uint64_t(c.out_subblock_w), uint64_t(c.per_core_M),
        uint64_t(c.per_core_N), uint64_t(c.per_core_M), uint64_t(c.per_core_N), c.transpose_mcast,
        activationOf(context, c.fused_activation), c.fuse_batch);
  }
};

} // namespace

mlir::Attribute runner::toAttribute(mlir::MLIRContext *context, const MatmulProgramConfig &config) {
  return std::visit(MatmulAttribute{context}, config);
}

mlir::Attribute runner::toAttribute(mlir::MLIRContext *context,
                                    const LayerNormShardedMultiCoreProgramConfig &c) {
  return ttnn::LayerNormShardedMultiCoreProgramConfigAttr::get(
      context, coordOf(context, c.compute_with_storage_grid_size), uint64_t(c.subblock_w),
      uint64_t(c.block_h), uint64_t(c.block_w), c.inplace);
}

mlir::Attribute runner::toAttribute(mlir::MLIRContext *context, const SDPAProgramConfig &c) {
  return ttnn::SDPAProgramConfigAttr::get(context, coordOf(context, c.compute_with_storage_grid_size),
                                          /*sub_core_grids=*/nullptr, uint64_t(c.q_chunk_size),
                                          uint64_t(c.k_chunk_size),
                                          mlir::BoolAttr::get(context, c.exp_approx_mode), std::nullopt);
}

/// tt-mlir's ttcore has the attribute; ours carries what it does not know as text.
mlir::Attribute runner::toAttribute(mlir::MLIRContext *context, Topology topology) {
  return mlir::parseAttribute("#ttcore.topology<" + name(topology).lower() + ">", context);
}
