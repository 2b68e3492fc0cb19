//===- OpCall.h - One query, resolved ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Families see a query as an OpCall: operands and results with their layouts
// looked up and their tile counts worked out. Building one allocates nothing
// for ops of up to four operands.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_OPCALL_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_OPCALL_H

#include "Matmul/MatmulPlan.h"
#include "Windows/ConvPlan.h"
#include "tessera/OpModel/OpModel.h"

#include <variant>

namespace tessera::analytic {

struct OpRow;
using P = Parameter;

/// Tensors beyond this many elements are refused before any arithmetic: products of up to three sizes stay
/// within 64 bits.
inline constexpr int64_t kMaxElements = int64_t(1) << 40;

/// An operand or result. Sizes are at least 1, so that empty tensors need no special cases.
struct TensorRef {
  const TensorDesc *desc = nullptr;
  const TensorLayout *layout = nullptr; ///< null: undecided result
  /// Of `layout` in the context's pool. Pools hold each layout once, so that two operands lie alike exactly if
  /// these are equal.
  LayoutId id;

  int64_t batch = 1, height = 1, width = 1; ///< product of the leading dims; the last two dims
  int64_t tileRows = 1, tileCols = 1;       ///< batch * ceil(height / 32), ceil(width / 32)
  int64_t tile = 2048; ///< bytes of one tile of the layout's (else the tensor's) data type
  int64_t scalar = 2;  ///< bytes of one element; of block formats rounded up

  /// Predicates of an undecided result are those of what it mostly becomes: tiled, interleaved, on the device, in
  /// neither memory.
  bool decided() const { return layout != nullptr; }
  bool tiled() const { return !layout || layout->isTiled(); }
  bool rowMajor() const { return layout && !layout->isTiled(); }
  bool onDevice() const { return !layout || layout->onDevice(); }
  bool l1() const { return layout && layout->isL1(); }
  bool dram() const { return layout && layout->isDram(); }
  bool sharded() const { return layout && layout->isSharded(); }
  bool interleaved() const { return !layout || layout->isInterleaved(); }
  bool shardedAs(MemoryLayout memory) const { return layout && layout->memory == memory; }
  DataType dtype() const { return layout ? layout->dtype : desc->dtype; }
  size_t rank() const { return desc->shape.size(); }
  /// Size of a dimension; negative counts from the end. 1 if there is no such dimension.
  int64_t dim(int64_t index) const;

  int64_t tiles() const { return tileRows * tileCols; }
  int64_t rows() const { return batch * height; }
  int64_t elements() const { return batch * height * width; }
  /// Bytes of the whole tensor, tile padding included.
  int64_t bytes() const { return tiled() ? tiles() * tile : elements() * scalar; }
  /// Bytes of one row-major row.
  int64_t rowBytes() const { return width * scalar; }
  /// Cores of the shard grid; 1 if not sharded.
  int64_t shardCores() const { return sharded() ? std::max<int64_t>(1, layout->grid.volume()) : 1; }
  /// Extents of the shard in tiles, also of row-major shards.
  GridShape shardTiles() const;
  /// Extents of the shard as its layout, which is there, counts them: tiles, or scalars of row-major shards.
  GridShape shardUnits() const;
};

/// All dimensions are static and the tensor has at most kMaxElements elements.
bool sizeInRange(const TensorDesc &tensor);

/// The sizes of a tensor on its own, for results that a family imagines (temporaries).
TensorRef makeTensorRef(const TensorDesc &desc, const TensorLayout *layout, LayoutId id = LayoutId());

/// One query, for as long as it is answered; refers to it. Families change results by setOutput() only.
class OpCall {
public:
  OpCall(const OpModelContext &context, const OpRow &row, const OpQuery &query);

  const OpModelContext &context;
  const OpRow &row;
  const OpQuery &query;
  /// Operands as the query has them.
  llvm::SmallVector<TensorRef, 4> in;
  /// Results: as requested at first, then as the family decides.
  /// One per result that the signature has. An op that returns nothing (a cache that is written in place) has none,
  /// and its family must not look at `out[0]`.
  llvm::SmallVector<TensorRef, 1> out;
  /// Of the device's architecture; never null.
  const Parameters *parameters;
  /// Filled by matmulPlan() and convPlan() when first asked for.
  mutable std::optional<MatmulPlan> matmul;
  mutable std::optional<ConvPlan> conv;

  /// Value of a parameter of the runtime formulas.
  double operator[](Parameter id) const { return (*parameters)[id]; }
  const OpSignature &op() const { return query.op; }
  const DeviceSpec &device() const { return context.device; }
  /// All workers of one chip; at least one, since families divide by it.
  int64_t cores() const { return std::max<int64_t>(1, context.device.workerGrid.volume()); }
  /// What circular buffers may take on an otherwise empty core.
  int64_t usableL1() const { return context.device.usableL1().value(); }
  /// What the backend sees free while nothing else lies there: it knows no cap.
  int64_t freeL1() const { return std::min(usableL1(), std::max(context.l1Budget, context.l1Alone).value()); }
  bool hasOperand(size_t i) const { return i < in.size(); }

  /// L1 per core of a tensor while an op runs; 0 outside L1. Since 2026 the backend counts what the allocator sets aside: whole
  /// shards, aligned pages. Until then as reportedPerCore.
  int64_t perCore(const TensorRef &tensor) const;
  /// What the backend reports of a result: ceil(pages / cores) pages. facts/formulas 2.
  int64_t reportedPerCore(const TensorRef &tensor) const;
  /// The same for a tensor interleaved over all cores.
  int64_t perCoreInterleaved(const TensorRef &tensor) const;
  /// Tiles that the busiest core holds (sharded) or is given (interleaved).
  int64_t tilesPerCore(const TensorRef &tensor) const;

  /// Where the query asks for result i, whatever a family corrected that to; nullptr if it leaves that open.
  const TensorLayout *asked(size_t i) const;
  /// Decides result i.
  void setOutput(size_t i, const TensorLayout &layout);
  void setOutput(size_t i, LayoutId id);
  /// Decides result i, if it is not, to lie where `like` lies: same buffer, memory layout, grid.
  void followIfUndecided(size_t i, const TensorRef &like);
  /// Decides result i, if it is not, to be DRAM interleaved.
  void dramIfUndecided(size_t i, PageLayout page = PageLayout::Tile);
};

/// Same buffer type, memory layout and (if sharded) grid: what the backend calls the same memory config, up
/// to the shard shape, which follows from the tensor.
bool samePlacement(const TensorRef &a, const TensorRef &b);
bool samePlacement(const TensorLayout &a, const TensorLayout &b);

/// Index of a dimension given from either end; rank if out of range.
size_t normalizedDim(int64_t dim, size_t rank);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_OPCALL_H
