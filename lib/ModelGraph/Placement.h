//===- Placement.h - What configs say of where and how ops run ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_MODELGRAPH_PLACEMENT_H
#define TESSERA_LIB_MODELGRAPH_PLACEMENT_H

#include "tessera/ModelRunner/OpConfigs.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/Error.h"

namespace tessera::runner {

/// What is asked for, beside the memory config itself.
struct PlacementRequest {
  TensorDesc tensor;
  PageLayout page = PageLayout::Tile;
  const TensorLayout *like =
      nullptr;       ///< whose shards a config without a shard spec takes: the op's first operand
  int64_t cores = 0; ///< that a program config shards the result over; 0: it says nothing
};

/// The layout that a memory config gives a tensor on a chip. An error says why there is none.
llvm::Expected<TensorLayout> placementOf(const MemoryConfig &config, const PlacementRequest &request,
                                         const DeviceSpec &device);

/// As attributes of the dialect.
mlir::Attribute toAttribute(mlir::MLIRContext *context, const MatmulProgramConfig &config);
mlir::Attribute toAttribute(mlir::MLIRContext *context, const LayerNormShardedMultiCoreProgramConfig &config);
mlir::Attribute toAttribute(mlir::MLIRContext *context, const SDPAProgramConfig &config);
mlir::Attribute toAttribute(mlir::MLIRContext *context, Topology topology);

} // namespace tessera::runner

#endif // TESSERA_LIB_MODELGRAPH_PLACEMENT_H
