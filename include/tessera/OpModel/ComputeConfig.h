//===- ComputeConfig.h - How exactly an op multiplies and adds ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a `compute_config` says, and what the backend takes where none is stated. That depends on the op, its data types
// and, for a matmul, on whether it has a program config (facts/hardware 4.8): what an op computes would change with its
// plan if the plan did not say it (Optimizer/Problem/Numerics.h).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_COMPUTECONFIG_H
#define TESSERA_OPMODEL_COMPUTECONFIG_H

#include "tessera/OpModel/OpModel.h"

#include <optional>
#include <string>

namespace tessera {

/// `#ttnn.device_compute_kernel_config` with all keys but dst_full_sync_en, which changes no number.
struct ComputeConfig {
  int fidelity = 1;                ///< passes of the multiplier: 1 LoFi ... 4 HiFi4
  bool approximate = true;         ///< math_approx_mode: short forms of activations
  bool fp32Accumulate = false;     ///< fp32_dest_acc_en: sums of 32 bits, else of 16
  bool packerL1Accumulate = false; ///< packer_l1_acc: blocks of K are added up in L1
  auto operator<=>(const ComputeConfig &) const = default;
};

/// "lofi", "hifi2", "hifi3", "hifi4": the dialect's names of 1 to 4 passes.
llvm::ArrayRef<llvm::StringRef> mathFidelities();
/// Short text for people: "HiFi2 + fp32 accumulation".
std::string describe(const ComputeConfig &config);

/// Whether the op has a compute config, be it an empty one.
bool statesComputeConfig(const OpSignature &op);
/// What the op states, keys that are absent as the backend's struct has them. nullopt: it states none.
std::optional<ComputeConfig> statedComputeConfig(const OpSignature &op);
/// `op`, which states none, with this one.
OpSignature withComputeConfig(OpSignature op, const ComputeConfig &config);

/// With what the op runs: what it states, else the backend's choice. nullopt: the op states none and is no matmul and no convolution.
std::optional<ComputeConfig> computeConfigOf(const OpSignature &op, const OpSpecificConfig &specific,
                                             Arch arch, BackendVersion version);

} // namespace tessera

#endif // TESSERA_OPMODEL_COMPUTECONFIG_H
