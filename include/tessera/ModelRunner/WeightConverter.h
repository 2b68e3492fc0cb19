//===- WeightConverter.h - Stage 1: a checkpoint becomes tensor files -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_WEIGHTCONVERTER_H
#define TESSERA_MODELRUNNER_WEIGHTCONVERTER_H

#include "tessera/ModelRunner/Checkpoint.h"
#include "tessera/ModelRunner/ModuleTable.h"
#include "tessera/ModelRunner/WeightFolder.h"
#include "tessera/ModelRunner/WeightPlan.h"

#include <functional>

namespace tessera::runner {

/// A data type of the user's for all tensors whose names fit a pattern with * and ?.
struct TypeOverride {
  std::string pattern;
  DataType type;
};

/// The data types that weights are packed in, by TTNN's or the IR's names for them.
std::optional<DataType> parseWeightType(llvm::StringRef text);
/// All names that it takes.
std::vector<std::string> weightTypeNames();

/// How far a conversion has got.
/// Sums over all threads of one process; other participants count for themselves.
struct ConvertProgress {
  std::string file;         ///< that was made last
  size_t done = 0, all = 0; ///< files
  uint64_t bytesRead = 0, bytesToRead = 0, bytesWritten = 0;
};

/// What a conversion is asked for. `hf` and `out` are folders: of the checkpoint, and where tensor files go.
struct ConvertOptions {
  Target target; ///< checkMesh has accepted it
  std::string hf, out;
  std::optional<ModulePlace> module; ///< none: the whole model
  std::vector<TypeOverride> types;
  uint64_t memory = uint64_t(2) << 30; ///< bytes, of all threads together
  unsigned jobs = 1;
  bool dryRun = false;
  Participant participant; ///< each takes every count-th file; the first publishes them
  std::function<void(const ConvertProgress &)> progress; ///< after each file, one call at a time
};

/// One file of a conversion.
/// `key` is the hash of all that the file's bytes follow from: where a file with this key lies already, nothing is
/// read for it.
struct ConvertStep {
  WeightTensor tensor;
  std::string key;
  uint64_t sourceBytes = 0, fileBytes = 0;
  bool reused = false; ///< lies there already
};

struct ConvertResult {
  std::vector<ConvertStep> steps;
  std::vector<std::string> unused; ///< tensors of the checkpoint that the model does not take
  bool changed = false;            ///< anything had to be made or removed
};

/// Makes every tensor file that is not there yet, `jobs` at a time, and the weight config. What the checkpoint lacks or
/// has in another shape is one error that lists all of it; a tensor that cannot be converted does not keep the others.
llvm::Expected<ConvertResult> convertWeights(const ConvertOptions &options);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_WEIGHTCONVERTER_H
