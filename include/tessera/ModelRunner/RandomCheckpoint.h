//===- RandomCheckpoint.h - Checkpoints of any size for tests -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_RANDOMCHECKPOINT_H
#define TESSERA_MODELRUNNER_RANDOMCHECKPOINT_H

#include "tessera/ModelRunner/HfConfig.h"

namespace tessera::runner {

/// How far values lie apart.
enum class Spread : uint8_t {
  Even, ///< attention and MLP of every layer carry their share of the residual stream
  Trained, ///< as those of DeepSeek-V3 do (facts/deepseek 3.1); layers then change little, as they are not trained
};
/// By Spread.
inline constexpr llvm::StringLiteral kSpreadNames[] = {"even", "trained"};

struct RandomCheckpointOptions {
  std::string config; ///< config.json, which is copied
  std::string out;
  uint64_t seed = 1;
  uint64_t shardBytes = uint64_t(5) << 30; ///< of a file at most, if it holds more than one tensor
  Spread spread = Spread::Even;
};

/// Writes a checkpoint in Hugging Face's form: config.json, the index, and safetensors files with projections in fp8
/// with one scale per block (its largest magnitude becomes 448), the rest bf16 or fp32. Values are normally
/// distributed. The bytes depend on config, seed and spread alone; each tensor's values follow from its name. Holds one
/// tensor's block rows in memory.
llvm::Error writeRandomCheckpoint(const RandomCheckpointOptions &options);

/// The fp8 number (4 exponent, 3 mantissa bits) nearest to a number, ties to even; magnitudes above 448 become 448.
uint8_t toFloat8(float number);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_RANDOMCHECKPOINT_H
