//===- Forward.h - The modules' forward functions -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A module's forward functions stand in its namespace, beside its model configs
// (ModelRunner/Modules.h), and take a tensor and the module's part of the run
// config (facts/code-principles "Module Requirements"; facts/deepseek 2.2 has the
// ops). They compute reference mathematics (facts/deepseek 4.2).
//
// Letters in the shapes: U users of a mesh row (32), S rows of a prefill on one
// device, H hidden size, C columns of the mesh.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELGRAPH_FORWARD_H
#define TESSERA_MODELGRAPH_FORWARD_H

#include "tessera/ModelGraph/Graph.h"

namespace tessera::runner {

/// What attention needs beside its input.
struct AttentionInputs {
  Tensor cos, sin;    ///< 1 x 1 x rows x rotary dimension: of each row's position
  Tensor rotation;    ///< 32 x 32: turns neighbours
  Tensor pageTable;   ///< decode: a row per user of the device; prefill: one row
  Tensor positions{}; ///< decode: of the device's users; -1: left out
};

// Decode: 1 x 1 x U x H/C. Prefill: 1 x 1 x S x H/C.

namespace mlp {
Tensor forwardPrefill(Graph &g, const Tensor &x, const Config &config);
Tensor forwardDecode(Graph &g, const Tensor &x, const Config &config);
} // namespace mlp

namespace moe_gate {
/// 1 x 1 x tokens x experts per token.
struct Choice {
  Tensor weights, experts;
};
/// x holds the whole hidden dimension. In fp32, as which experts are chosen depends on small differences.
Choice forward(Graph &g, const Tensor &x, const Config &config);
} // namespace moe_gate

namespace experts {
/// 1 x experts of the device x tokens x H, of the same shape for each expert.
Tensor forward(Graph &g, const Tensor &x, const Config &config);
} // namespace experts

/// The gate's experts for each token, weighted and summed.
namespace moe {
Tensor forwardPrefill(Graph &g, const Tensor &x, const Config &config);
Tensor forwardDecode(Graph &g, const Tensor &x, const Config &config);
} // namespace moe

/// Over the last dimension, which each device holds as a whole.
namespace rms_norm {
Tensor forward(Graph &g, const Tensor &x, const Config &config);
} // namespace rms_norm

/// Over H, of which each device of a mesh row holds its part.
namespace distributed_rms_norm {
Tensor forward(Graph &g, const Tensor &x, const Config &config);
} // namespace distributed_rms_norm

namespace rotary_setup {
/// The rows of the tables cos and sin (positions x rotary dimension) that belong to positions 1 x U.
AttentionInputs decodeInputs(Graph &g);
/// The tables of the sequence's positions themselves, and the page table of its one user.
AttentionInputs prefillInputs(Graph &g);
} // namespace rotary_setup

namespace mla1d {
/// x holds all rows of the sequence.
Tensor forwardPrefill(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs);
/// x holds one row for each user of the mesh row; each device attends for its own users.
Tensor forwardDecode(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs);
} // namespace mla1d

/// The same for rows that are spread over the mesh rows: prefill gathers them first, and each mesh row keeps its part.
namespace mla2d {
Tensor forwardPrefill(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs);
Tensor forwardDecode(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs);
} // namespace mla2d

namespace embedding {
/// ids: 1 x tokens of all mesh rows, the same on all devices.
Tensor forward(Graph &g, const Tensor &ids, const Config &config);
} // namespace embedding

namespace lm_head {
/// 1 x 1 x rows x vocabulary/C.
Tensor forward(Graph &g, const Tensor &x, const Config &config);
} // namespace lm_head

namespace decoder_block {
Tensor forwardPrefill(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs,
                      bool moe);
Tensor forwardDecode(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs,
                     bool moe);
} // namespace decoder_block

namespace model {
/// Logits of the rows of this device.
Tensor forwardPrefill(Graph &g, const Tensor &ids, const Config &config);
/// The same for one token of each user.
Tensor forwardDecode(Graph &g, const Tensor &ids, const Config &config);
} // namespace model

} // namespace tessera::runner

#endif // TESSERA_MODELGRAPH_FORWARD_H
