//===- WeightPlan.h - Which tensor files a model needs --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Stage 1 as data: every argument of an op that is a weight, what of the
// checkpoint it is made of, and how it lies on the mesh (facts/deepseek 2.1).
//
//   model.layers.0.mlp.gate_proj.weight [18432, 7168]
//     -> transposed, cut by width over the columns, in tiles of bfp_bf4
//     -> mlp_decoder_block_0/mlp/w1.input_tensor_b.tensorbin, on each device [1, 7168, 2304]
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_WEIGHTPLAN_H
#define TESSERA_MODELRUNNER_WEIGHTPLAN_H

#include "tessera/ModelRunner/Modules.h"

namespace tessera::runner {

/// Rows of a tensor of the checkpoint, which is seen as a matrix.
struct SourceRows {
  std::string tensor;
  int64_t begin = 0, count = 0;
  int64_t of = 0;        ///< rows that the tensor has
  bool isVector = false; ///< in the checkpoint; its rows are parts of it
};

/// What an axis of the mesh cuts.
enum class ShardBy : uint8_t { Nothing, Batch, Height, Width };

/// A tensor that an op takes: a batch of matrices.
struct WeightTensor {
  std::vector<std::string>
      place; ///< keys and indices of the weight config: "mlp_decoder_block", "[0]", ..., "weight"
  /// Of each matrix the rows that make it up, one part below the other; empty if it is a constant.
  std::vector<std::vector<SourceRows>> matrices;
  double constant = 0;                      ///< of all elements, if there are no sources
  bool transposed = false;                  ///< the matrix is the transpose of its parts
  int64_t batch = 1, height = 0, width = 0; ///< of the whole tensor
  unsigned rank = 4;                        ///< of a device's shape; leading ones fill it up
  ShardBy rows = ShardBy::Nothing, columns = ShardBy::Nothing; ///< what the mesh's axes cut
  bool columnsFirst = false; ///< if both cut the same: whose parts are further apart
  DataType type = DataType::BFloat16;
  PageLayout layout = PageLayout::Tile;
  MemoryConfig memory;

  /// "mlp_decoder_block[0].mlp.w1.input_tensor_b".
  std::string name() const;
  /// "mlp_decoder_block_0/mlp/w1.input_tensor_b.tensorbin".
  std::string file() const;
};

/// The part of a tensor that lies on a device.
struct Shard {
  int64_t batchBegin = 0, batch = 0, rowBegin = 0, height = 0, columnBegin = 0, width = 0;
  auto operator<=>(const Shard &) const = default;
};

/// Of every device, row by row of the mesh.
std::vector<Shard> shardsOf(const WeightTensor &tensor, GridShape mesh);

/// What every device holds of it; all shards have the same shape.
TensorDesc shardDesc(const WeightTensor &tensor, GridShape mesh);

/// All weights of the model.
std::vector<WeightTensor> planWeights(const Target &target);

/// The weight config that names all files.
Item weightConfig(llvm::ArrayRef<WeightTensor> tensors);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_WEIGHTPLAN_H
