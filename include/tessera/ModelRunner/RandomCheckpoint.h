//===- RandomCheckpoint.h - Checkpoints of any size for tests -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_RANDOMCHECKPOINT_H
#define TESSERA_MODELRUNNER_RANDOMCHECKPOINT_H

#include "tessera/ModelRunner/HfConfig.h"

namespace tessera::runner {

struct RandomCheckpointOptions {
  std::string config; ///< config.json, which is copied
  std::string out;
  uint64_t seed = 1;
  uint64_t shardBytes = uint64_t(5) << 30; ///< of a file at most, if it holds more than one tensor
};

/// Writes a checkpoint in Hugging Face's form: config.json, the index, and safetensors files with projections in fp8
/// with one scale per block (its largest magnitude becomes 448), the rest bf16 or fp32. Values are normally distributed
/// with the spread that those of DeepSeek-V3 have (facts/deepseek 3.1). The bytes depend on config and seed alone; each
/// tensor's values follow from its name. Holds one tensor's block rows in memory.
llvm::Error writeRandomCheckpoint(const RandomCheckpointOptions &options);

/// The fp8 number (4 exponent, 3 mantissa bits) nearest to a number, ties to even; magnitudes above 448 become 448.
uint8_t toFloat8(float number);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_RANDOMCHECKPOINT_H
