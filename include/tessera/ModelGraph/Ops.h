//===- Ops.h - TTNN's ops for forward functions ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// ttnn.linear(x, **cfg["w1"]) is op::linear(g, x, cfg["w1"]) here. Results take
// the data type of the first operand, as in TTNN, unless a type is given.
//
// Of an op config these count: weights, dimensions, axes, data types, epsilon,
// activations, compute kernel configs. Where a result lies, program configs and
// links between devices count in a graph that is made as configured; else the
// optimizer decides them.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELGRAPH_OPS_H
#define TESSERA_MODELGRAPH_OPS_H

#include "tessera/ModelGraph/Graph.h"

namespace tessera::runner::op {

// ---- Compute ---------------------------------------------------------------------------------------------

/// `program` is in place of the config's.
Tensor linear(Graph &g, const Tensor &x, const Config &config, std::optional<DataType> type = std::nullopt,
              const std::optional<MatmulProgramConfig> &program = std::nullopt);
/// "silu", "sigmoid", "relu", ...
Tensor unary(Graph &g, llvm::StringRef name, const Tensor &x);
/// "add", "multiply", ...; extents of 1 broadcast.
Tensor binary(Graph &g, llvm::StringRef name, const Tensor &a, const Tensor &b);
/// BinaryOpConfig: the other operand is a weight.
Tensor binaryWithWeight(Graph &g, llvm::StringRef name, const Tensor &a, const Config &config);
/// MulConfig: the product, with activations on `a`.
Tensor mul(Graph &g, const Tensor &a, const Tensor &b, const Config &config);
/// Elements of `a` where the condition is not 0, else of `b`; extents of 1 broadcast.
Tensor where(Graph &g, const Tensor &condition, const Tensor &a, const Tensor &b);
/// Along one dimension, which stays with extent 1.
Tensor sum(Graph &g, const Tensor &x, int64_t dim);
/// Over the last dimension, with a weight of as many elements.
Tensor rmsNorm(Graph &g, const Tensor &x, const Config &config);
/// Over a last dimension that lies on the devices of a mesh row.
/// `exchange`: the entry of the gather of the devices' statistics.
Tensor distributedRmsNorm(Graph &g, const Tensor &x, const Config &config, const Config &exchange);
struct TopK {
  Tensor values, indices;
};
/// The largest k of a dimension, and their places in it as u32.
TopK topk(Graph &g, const Tensor &x, const Config &config);
/// x at the places that `index` names along a dimension; of the shape of `index`.
Tensor gather(Graph &g, const Tensor &x, const Tensor &index, int64_t dim);
/// x with `source` at the places that `index` names. In rows, and tilized behind.
Tensor scatter(Graph &g, const Tensor &x, const Tensor &index, const Tensor &source, int64_t dim);
/// Rows of the table: ids A x B, table N x D, made A x B x D.
Tensor embedding(Graph &g, const Tensor &ids, const Tensor &table);
/// Turns neighbours by position: x is B x H x S x D, cos and sin 1 x 1 x S x D.
Tensor rotaryEmbedding(Graph &g, const Tensor &x, const Tensor &cos, const Tensor &sin, const Tensor &matrix);

// ---- Data movement ---------------------------------------------------------------------------------------

/// The same elements in another shape; x itself if it has that shape.
Tensor reshape(Graph &g, const Tensor &x, Shape shape);
/// Dimension i of the result is dimension dims[i] of x.
Tensor permute(Graph &g, const Tensor &x, llvm::ArrayRef<int64_t> dims);
/// Elements [begin, end) of one dimension.
Tensor slice(Graph &g, const Tensor &x, int64_t dim, int64_t begin, int64_t end);
/// Up to `extent` elements of one dimension, with `value` behind.
Tensor padTo(Graph &g, const Tensor &x, int64_t dim, int64_t extent, double value);
/// One behind the other along a dimension.
Tensor concat(Graph &g, llvm::ArrayRef<Tensor> tensors, int64_t dim);
/// By as many times as `times` has for each dimension.
Tensor repeat(Graph &g, const Tensor &x, llvm::ArrayRef<int64_t> times);
/// x itself if it has the type.
Tensor typecast(Graph &g, const Tensor &x, DataType type);
/// From rows to tiles.
Tensor tilize(Graph &g, const Tensor &x);
/// To the memory config that an entry is, or that its ReshardConfig has; as it is if there is no such entry.
Tensor reshard(Graph &g, const Tensor &x, const Config &config);
/// In L1, one shard of whole rows per core.
Tensor heightSharded(Graph &g, const Tensor &x, int64_t cores);

// ---- Between devices; on an axis of one device they give their operand ------------------------------------

/// The parts of an axis's devices, in order, along `dim`.
Tensor allGather(Graph &g, const Tensor &x, int64_t dim, int64_t axis);
Tensor allGather(Graph &g, const Tensor &x, const Config &config);
/// The sum over an axis's devices, of which each keeps its part of `dim`.
Tensor reduceScatter(Graph &g, const Tensor &x, int64_t dim, int64_t axis);
Tensor reduceScatter(Graph &g, const Tensor &x, const Config &config);
/// Each device keeps its part of a tensor that all have.
Tensor meshPartition(Graph &g, const Tensor &x, int64_t dim, int64_t axis);

// ---- Attention on latents --------------------------------------------------------------------------------

/// Rows of a user go to its blocks of the cache.
void pagedFillCache(Graph &g, const Tensor &cache, const Tensor &rows, const Tensor &pageTable);
/// One row per user goes to its position: rows is 1 x B x 1 x D.
void pagedUpdateCache(Graph &g, const Tensor &cache, const Tensor &rows, const Tensor &positions,
                      const Tensor &pageTable);
/// Causal, of a whole sequence: query 1 x H x S x D, latents 1 x 1 x S x D.
struct FlashMla {
  int64_t valueWidth = 0;
  double scale = 0;
  std::optional<SDPAProgramConfig> program;
  std::optional<MemoryConfig> memory;
};
Tensor flashMlaPrefill(Graph &g, const Tensor &query, const Tensor &latents, const FlashMla &how);
/// One position per user: query 1 x B x H x D.
Tensor flashMlaDecode(Graph &g, const Tensor &query, const Tensor &cache, const Tensor &pageTable,
                      const Tensor &positions, const FlashMla &how);

} // namespace tessera::runner::op

#endif // TESSERA_MODELGRAPH_OPS_H
