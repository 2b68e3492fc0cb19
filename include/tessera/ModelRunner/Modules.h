//===- Modules.h - The modules of DeepSeek-V3 -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A module is a namespace of functions; nothing is instantiated
// (facts/code-principles "Module Requirements"). Keys, shapes and memory: facts/deepseek 2.1 and 2.2.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_MODULES_H
#define TESSERA_MODELRUNNER_MODULES_H

#include "tessera/ModelRunner/ConfigHelpers.h"
#include "tessera/ModelRunner/HfConfig.h"

namespace tessera::runner {

/// What a model config is made for.
struct Target {
  HfConfig hf;
  GridShape mesh;             ///< rows: data parallel, columns: tensor parallel
  GridShape workerGrid{8, 8}; ///< cores of a device
  int64_t dramBanks = 12;
  int64_t sequenceLength = kPrefillRows; ///< of a prefill, per mesh row
  int64_t cachePositions = 0;            ///< of each user; 0: as many as the model knows

  int64_t columns() const { return mesh.columns; }
  int64_t hiddenPerDevice() const { return hf.hidden_size / mesh.columns; }
  /// Rows of a prefill that are worked on at a time.
  int64_t rows() const { return std::min(sequenceLength, kPrefillRows); }
  /// Of the cache.
  int64_t positionsPerUser() const { return cachePositions ? cachePositions : hf.max_position_embeddings; }
};

// Each returns what its ops are called with.

/// Dense MLP and shared expert: w2(silu(w1 x) * w3 x), the hidden dimension gathered before and scattered after.
namespace mlp {
Dict prefillModelConfig(const Target &target, int64_t intermediate);
Dict decodeModelConfig(const Target &target, int64_t intermediate);
} // namespace mlp

/// All experts of a device as batched matmuls.
namespace experts {
Dict prefillModelConfig(const Target &target);
Dict decodeModelConfig(const Target &target);
} // namespace experts

/// Scores, groups, and the experts of each token.
namespace moe_gate {
Dict prefillModelConfig(const Target &target);
Dict decodeModelConfig(const Target &target);
} // namespace moe_gate

/// Gate, dispatch, experts, combine.
namespace moe {
Dict prefillModelConfig(const Target &target);
Dict decodeModelConfig(const Target &target);
} // namespace moe

/// Norm over a dimension that lies on one device.
namespace rms_norm {
Dict prefillModelConfig(const Target &target);
Dict decodeModelConfig(const Target &target, int64_t width, GridShape grid);
} // namespace rms_norm

/// Norm over the hidden dimension, which lies on all columns of the mesh.
namespace distributed_rms_norm {
Dict prefillModelConfig(const Target &target);
Dict decodeModelConfig(const Target &target);
} // namespace distributed_rms_norm

/// Multi-head latent attention; tensor parallel over heads.
namespace mla1d {
Dict prefillModelConfig(const Target &target);
Dict decodeModelConfig(const Target &target);
/// Softmax scale with YaRN's correction.
double scale(const HfConfig &hf);
/// Cores that the queries of decode attention lie on: a user's heads on as many as there are tiles of them, or fewer.
int64_t queryCores(const Target &target);
} // namespace mla1d

/// The same with the sequence over the rows of the mesh.
namespace mla2d {
Dict prefillModelConfig(const Target &target);
Dict decodeModelConfig(const Target &target);
} // namespace mla2d

namespace embedding {
Dict prefillModelConfig(const Target &target);
Dict decodeModelConfig(const Target &target);
} // namespace embedding

namespace lm_head {
Dict prefillModelConfig(const Target &target);
Dict decodeModelConfig(const Target &target);
} // namespace lm_head

/// Attention and a dense MLP, or a mixture of experts, each with its norm and residual.
namespace decoder_block {
Dict prefillModelConfig(const Target &target, bool moe);
Dict decodeModelConfig(const Target &target, bool moe);
} // namespace decoder_block

/// The whole model: one config per kind of block, which the merge repeats for all layers of that kind.
namespace model {
Dict prefillModelConfig(const Target &target);
Dict decodeModelConfig(const Target &target);
/// The two, by the names that users call them.
struct Mode {
  llvm::StringLiteral name;
  Dict (*config)(const Target &target);
};
inline constexpr Mode kModes[] = {{"prefill", prefillModelConfig}, {"decode", decodeModelConfig}};
/// State with one entry per layer, so that the merge knows how many there are: caches, each with a block more than the
/// device's users have. A prefill runs on all devices, and those that do not hold its user write there.
Dict createState(const Target &target, const MeshDevice &device);
} // namespace model

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_MODULES_H
