//===- AnalysisOptions.h - Which candidates are looked for ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_ANALYSISOPTIONS_H
#define TESSERA_OPTIMIZER_PROBLEM_ANALYSISOPTIONS_H

#include <cstdint>
#include <vector>

namespace tessera {

/// The values that conv2d's knobs take (facts/optimizer-design 3.1.4).
struct Conv2dSearchSpace {
  std::vector<int64_t> actBlockHOverride = {0, 64, 32}; ///< 0: as high as the shard
  std::vector<bool> deallocateActivation = {true};
  std::vector<bool> reshardIfNotOptimal; ///< empty: as the op has it
  bool operator==(const Conv2dSearchSpace &) const = default;
};

/// How exactly planned matmuls and convolutions compute that state no compute config (docs/numerics.md).
enum class Numerics : uint8_t {
  Keep,       ///< "keep": not less exactly than as declared; the plan says how
  AsCompiled, ///< "as-compiled": nothing is said, so that the backend's choice depends on the plan
  Fast,       ///< "fast": in as few passes as the multiplier can, whatever that does to results
};

struct AnalysisOptions {
  int64_t maxLegalLayouts = 8;  ///< sharded result layouts kept per op; 0: none
  bool rowMajorEnabled = false; ///< also offer row-major layouts where the input program has tiled ones
  Conv2dSearchSpace conv2d;
  Numerics numerics = Numerics::AsCompiled; ///< OptimizerOptions asks for Keep
  bool operator==(const AnalysisOptions &) const = default;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_ANALYSISOPTIONS_H
