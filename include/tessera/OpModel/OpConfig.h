//===- OpConfig.h - How an op is asked to run -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_OPCONFIG_H
#define TESSERA_OPMODEL_OPCONFIG_H

#include "tessera/Layout/CoreRange.h"
#include "tessera/Layout/TensorLayout.h"
#include "tessera/Support/Id.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <variant>

namespace tessera {

/// The four TTNN matmul program configs (facts/ir 1.3). Sizes in tiles.
struct MatmulProgramConfig {
  /// In the order of LayoutJson.cpp's names.
  enum class Kind : uint8_t { Reuse, MultiCast2D, MultiCast1D, MultiCastDramSharded };
  Kind kind = Kind::MultiCast2D;
  CoreCoord grid{}; ///< compute_with_storage_grid_size: x columns, y rows; unused by MultiCastDramSharded
  /// Tiles of K that are multiplied before partial sums leave the registers; must divide K.
  int64_t in0BlockW = 1;
  /// What of the result stays in the destination registers at once: at most 8 tiles, 4 with sums of 32 bits
  /// (facts/hardware 4.1).
  int64_t outSubblockH = 1, outSubblockW = 1;
  /// What a core works on at a time; its buffers are of this size. Divides what it makes in all.
  int64_t outBlockH = 1, outBlockW = 1; ///< MultiCast1D/2D only
  /// What a core makes of the result in all. Together with the grid this must cover it.
  int64_t perCoreM = 1, perCoreN = 1;
  bool transposeMcast = false;   ///< MultiCast2D
  bool fuseBatch = true;         ///< MultiCast1D/2D
  bool mcastIn0 = true;          ///< MultiCast1D
  std::string fusedActivation{}; ///< "relu", "silu", ...; empty if none
  bool operator==(const MatmulProgramConfig &) const = default;
  friend llvm::hash_code hash_value(const MatmulProgramConfig &config);
};

/// The conv2d knobs that are searched; the rest of `#ttnn.conv2d_config` stays as the input has it.
struct Conv2dConfig {
  /// The kind of shards that the convolution works on; nullopt: the backend chooses.
  std::optional<MemoryLayout> shardLayout;
  int64_t actBlockHOverride = 0;     ///< rows of the activation block; 0: the whole per-core height
  bool deallocateActivation = false; ///< the op frees its input; only if this is the input's last use
  /// Let the convolution reshard an operand that is sharded otherwise than it would choose; nullopt: as the op says.
  /// Means something with a shard layout only.
  std::optional<bool> reshardIfNotOptimal;
  /// How an operand in DRAM is worked on: whole in L1, or in slices of so many rows or columns of the result.
  enum class Slice : uint8_t { L1Full, DramHeight, DramWidth, Backend };
  Slice slice = Slice::L1Full; ///< Backend: the op says nothing, the backend slices what comes from DRAM
  int64_t numSlices = 0;       ///< 0: chosen by the backend
  bool operator==(const Conv2dConfig &) const = default;
  friend llvm::hash_code hash_value(const Conv2dConfig &config);
};

/// `#ttnn.sdpa_program_config` of attention over many queries: how many positions a core works on at a time. Its other keys
/// stay as the input has them. Nothing said, the library takes one tile of each on all cores, which needs the least L1 and
/// takes up to four times as long (docs/op-model.md, "Attention").
struct AttentionConfig {
  CoreCoord grid{}; ///< compute_with_storage_grid_size: x columns, y rows
  /// q_chunk_size and k_chunk_size, multiples of 32. They need not divide the numbers of positions: the kernel masks what is beyond.
  int64_t queryChunk = 32, keyChunk = 32;
  bool operator==(const AttentionConfig &) const = default;
  friend llvm::hash_code hash_value(const AttentionConfig &config);
};

/// Nothing for ops that have no config of their own, or run with the backend's choice.
using OpSpecificConfig = std::variant<std::monostate, MatmulProgramConfig, Conv2dConfig, AttentionConfig>;

/// The requested result layouts and the op-specific knobs.
struct OpConfig {
  /// One per tensor result. An invalid id leaves the choice to the backend.
  llvm::SmallVector<LayoutId, 1> outputs;
  OpSpecificConfig specific;
  bool operator==(const OpConfig &) const = default;
  friend llvm::hash_code hash_value(const OpConfig &config);
};

/// Short text for people: "mcast_1d in0 grid 8x8 block 2 per-core 1x4", "mcast_2d ... per-core 8x12 in 4x4" (out blocks
/// of 4x4), "act_block_h 32", "chunks 128 x 256" (queries x keys). "" if default.
std::string describe(const OpSpecificConfig &config);

} // namespace tessera

#endif // TESSERA_OPMODEL_OPCONFIG_H
