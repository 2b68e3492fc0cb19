//===- Matmul.h - What the files of the matmul family share --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MATMUL_MATMUL_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MATMUL_MATMUL_H

#include "../Family.h"
#include "tessera/OpModel/ComputeConfig.h"

namespace tessera::analytic {

/// Sizes of a matmul in elements, transposition applied.
struct MatmulShape {
  /// Of one matrix; batches are apart.
  int64_t m = 1, k = 1, n = 1;
  int64_t in1K = 1; ///< must equal k
  int64_t batchA = 1, batchB = 1;
  int64_t tileA = 2048, tileB = 2048, tileOut = 2048; ///< bytes
  bool fp32Accumulate = false;
};
/// Of the call's first two operands, of which batches are the product of the leading dimensions.
MatmulShape matmulShape(const OpCall &call);

/// The backend is of August 2026 (tt-metal 0.77).
inline bool newest(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }

/// Blocks are read by some cores and sent to the others.
inline bool multicasts(const MatmulPlan &plan) {
  return plan.kind == MatmulPlan::Kind::MultiCast2D || plan.kind == MatmulPlan::Kind::MultiCast1DIn0 ||
         plan.kind == MatmulPlan::Kind::MultiCast1DIn1;
}

/// What the backend chooses without a program config since 2026 if at most `room` bytes of L1 are free. MatmulAutoPlan.cpp.
MatmulPlan automaticMatmulPlan(const OpCall &call, int64_t room = std::numeric_limits<int64_t>::max());
/// Columns and rows of the smallest rectangle around the cores of a sharded layout, counted from core (0, 0) of the rectangle.
GridShape boxOf(const TensorLayout &layout);
/// A request for shards that says on which cores.
bool statesCores(const TensorRef &tensor);

/// The result's shards as the kernel makes them, whatever kind was asked for.
struct ResultShards {
  MemoryLayout memory = MemoryLayout::BlockSharded;
  GridShape shard, grid; ///< tiles; cores in rows and columns
  CoreRangeSet cores;
  bool columnMajor = false; ///< rows of shards go down the columns of cores
};
/// Of a call whose result is sharded.
ResultShards resultShards(const OpCall &call);

/// facts/hardware 4.1.
llvm::ArrayRef<Rule> matmulRules();

/// The bias of a linear is added by the matmul kernel, not by an add after it.
bool biasFused(const OpCall &call);
/// An activation that runs as an op of its own after the matmul.
bool activationFollows(const OpCall &call);
/// Operands that are transposed by an op of their own before the matmul.
bool transposes(const OpCall &call, size_t operand);
/// Type of what the kernel makes: since 2026 that of in0 if the result's layout is left to the backend.
DataType resultType(const OpCall &call);
/// Of that type.
int64_t resultTile(const OpCall &call); ///< bytes
/// The accumulation is kept in L1 between blocks of K (facts/hardware 4.6).
bool packsToL1(const OpCall &call);

/// Time of the op: its kernel, and the programs before and after it. docs/op-model.md, "Matmul".
OpRuntime matmulRuntime(const OpCall &call);
/// Operands of a multiplication that is cut as a MatmulPlan says.
struct MatmulTraffic {
  int64_t tileA = 2048, tileB = 2048, tileOut = 2048; ///< bytes
  bool in0Dram = false, in1Dram = false, outDram = false;
  bool in0Sharded = false;
  int fidelity = 2; ///< 1 LoFi ... 4 HiFi4
  bool fp32Accumulate = false;
  bool outInterleaved = false; ///< in DRAM or L1: written tile by tile
  bool bias = false;           ///< added to every result block
  bool in1InPlace = false;     ///< a shard in L1 that the kernel multiplies where it lies
  int64_t in0Padding = 0;      ///< elements behind K in a block of in0, which its sender zeroes
};
MatmulTraffic matmulTraffic(const OpCall &call);
/// The kernel with its launch.
OpRuntime matmulKernelTime(const DeviceSpec &device, const Parameters &parameters, const MatmulPlan &plan,
                           const MatmulTraffic &traffic);
/// Until the compute core is done: without the launch and without the drain of the last result block. What
/// utilisation figures are based on (facts/measurements "gemm_flops").
Nanoseconds matmulMathTime(const OpCall &call);
/// With what the call really runs.
ComputeConfig matmulComputeConfig(const OpCall &call);
/// Passes of the multiplier with which the call really runs: stated, or the backend's choice (ComputeConfig.h).
int mathFidelity(const OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MATMUL_MATMUL_H
