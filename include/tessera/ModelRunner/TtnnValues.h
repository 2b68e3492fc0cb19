//===- TtnnValues.h - What fields of op configs hold ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Plain forms of ttnn's own types. To a merge they are values, not containers.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_TTNNVALUES_H
#define TESSERA_MODELRUNNER_TTNNVALUES_H

#include "tessera/Layout/CoreRange.h"
#include "tessera/ModelRunner/Reflection.h"

namespace tessera::runner {

// Called as in ttnn: configs of others are read, and ours are there to be read by others.
enum class Topology : uint8_t { Ring, Linear };
enum class MathFidelity : uint8_t { LoFi, HiFi2, HiFi3, HiFi4 };
enum class UnaryOpType : uint8_t { SILU, SIGMOID, RELU, GELU, EXP, NEG, SQRT };
enum class ReduceType : uint8_t { Sum, Mean, Max, Min };

llvm::StringRef name(Topology value);
llvm::StringRef name(MathFidelity value);
llvm::StringRef name(UnaryOpType value);
llvm::StringRef name(ReduceType value);
std::optional<Topology> parseTopology(llvm::StringRef text);
std::optional<MathFidelity> parseMathFidelity(llvm::StringRef text);
std::optional<UnaryOpType> parseUnaryOpType(llvm::StringRef text);
std::optional<ReduceType> parseReduceType(llvm::StringRef text);

template <>
struct ItemTraits<Topology> : NamedTraits<Topology, parseTopology> {
  static std::string expected() { return "a topology (Ring, Linear)"; }
};
template <>
struct ItemTraits<MathFidelity> : NamedTraits<MathFidelity, parseMathFidelity> {
  static std::string expected() { return "a math fidelity (LoFi ... HiFi4)"; }
};
template <>
struct ItemTraits<UnaryOpType> : NamedTraits<UnaryOpType, parseUnaryOpType> {
  static std::string expected() { return "a unary op (SILU, ...)"; }
};
template <>
struct ItemTraits<ReduceType> : NamedTraits<ReduceType, parseReduceType> {
  static std::string expected() { return "a reduction (Sum, ...)"; }
};

/// Rows and columns of cores, as a list [x, y]: TTNN counts columns first.
template <>
struct ItemTraits<GridShape> {
  static Item to(GridShape grid);
  static bool from(const Item &item, GridShape &grid);
  static std::string expected() { return "a grid [columns, rows]"; }
};
/// [x, y, x, y] of both corners.
template <>
struct ItemTraits<CoreRange> {
  static Item to(const CoreRange &range);
  static bool from(const Item &item, CoreRange &range);
  static std::string expected() { return "a core range [x, y, x, y]"; }
};

/// Cores in the order of the shards, and the shape that all shards have.
struct ShardSpec {
  static constexpr llvm::StringLiteral kClass = "ShardSpec";
  static constexpr bool kIsOpConfig = false;
  std::vector<CoreRange> grid;
  std::vector<int64_t> shape; ///< elements: height, width
  TESSERA_FIELDS(grid, shape)
};

/// A sharded layout without a shard spec takes the shards of the op's first operand, or those of its program config.
struct MemoryConfig {
  static constexpr llvm::StringLiteral kClass = "MemoryConfig";
  static constexpr bool kIsOpConfig = false;
  MemoryLayout memory_layout = MemoryLayout::Interleaved;
  BufferType buffer_type = BufferType::DRAM;
  std::optional<ShardSpec> shard_spec;
  TESSERA_FIELDS(memory_layout, buffer_type, shard_spec)
};
inline const MemoryConfig kDram{}, kL1{MemoryLayout::Interleaved, BufferType::L1, std::nullopt},
    kL1WidthSharded{MemoryLayout::WidthSharded, BufferType::L1, std::nullopt};

/// How exactly an op computes: LoFi multiplies in one pass over the upper bits of its operands, HiFi4 in four over
/// all of them (facts/hardware 1.6). Approximate functions, sums in 32 bits, and partial sums that packers add in
/// L1.
struct ComputeKernelConfig {
  static constexpr llvm::StringLiteral kClass = "ComputeKernelConfig";
  static constexpr bool kIsOpConfig = false;
  MathFidelity math_fidelity = MathFidelity::HiFi4;
  bool math_approx_mode = false, fp32_dest_acc_en = false, packer_l1_acc = false;
  TESSERA_FIELDS(math_fidelity, math_approx_mode, fp32_dest_acc_en, packer_l1_acc)
};
/// Those of the published modules (facts/deepseek 1.5).
inline constexpr ComputeKernelConfig kLoFi{MathFidelity::LoFi, false, false, true},
    kHiFi2{MathFidelity::HiFi2, true, true, true}, kHiFi4{MathFidelity::HiFi4, false, true, true},
    kSdpa{MathFidelity::HiFi4, false, true, false};

/// Blocks in tiles: of K for a step, of rows and columns for a core.
struct MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig {
  static constexpr llvm::StringLiteral kClass = "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig";
  static constexpr bool kIsOpConfig = false;
  int64_t in0_block_w = 1, per_core_M = 1, per_core_N = 1;
  std::optional<UnaryOpType> fused_activation;
  TESSERA_FIELDS(in0_block_w, per_core_M, per_core_N, fused_activation)
};

/// The same over a grid of cores; subblocks are what is computed before it is packed.
struct MatmulMultiCoreReuseMultiCastProgramConfig {
  static constexpr llvm::StringLiteral kClass = "MatmulMultiCoreReuseMultiCastProgramConfig";
  static constexpr bool kIsOpConfig = false;
  GridShape compute_with_storage_grid_size;
  int64_t in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, per_core_M = 1, per_core_N = 1;
  bool transpose_mcast = false;
  std::optional<UnaryOpType> fused_activation;
  bool fuse_batch = false;
  TESSERA_FIELDS(compute_with_storage_grid_size, in0_block_w, out_subblock_h, out_subblock_w, per_core_M,
                 per_core_N, transpose_mcast, fused_activation, fuse_batch)
};

/// A core's block in tiles, and the columns of it that are computed at a time.
struct LayerNormShardedMultiCoreProgramConfig {
  static constexpr llvm::StringLiteral kClass = "LayerNormShardedMultiCoreProgramConfig";
  static constexpr bool kIsOpConfig = false;
  GridShape compute_with_storage_grid_size;
  int64_t subblock_w = 1, block_h = 1, block_w = 1;
  bool inplace = false;
  TESSERA_FIELDS(compute_with_storage_grid_size, subblock_w, block_h, block_w, inplace)
};

/// Chunks of queries and keys, in positions.
struct SDPAProgramConfig {
  static constexpr llvm::StringLiteral kClass = "SDPAProgramConfig";
  static constexpr bool kIsOpConfig = false;
  GridShape compute_with_storage_grid_size;
  int64_t q_chunk_size = 0, k_chunk_size = 0;
  bool exp_approx_mode = false;
  TESSERA_FIELDS(compute_with_storage_grid_size, q_chunk_size, k_chunk_size, exp_approx_mode)
};

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_TTNNVALUES_H
