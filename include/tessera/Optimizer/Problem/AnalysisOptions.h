//===- AnalysisOptions.h - Which candidates are looked for ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_ANALYSISOPTIONS_H
#define TESSERA_OPTIMIZER_PROBLEM_ANALYSISOPTIONS_H

#include "llvm/ADT/StringRef.h"

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

/// In the order of the enum.
inline constexpr llvm::StringRef kNumericsNames[] = {"keep", "as-compiled", "fast"};

/// What findLegalConfigs looks for. Part of what its memo depends on: with other options it is found anew.
struct AnalysisOptions {
  /// Sharded result layouts kept per op, the largest grids first; beyond that, of each kind of sharding as many as it has to itself
  /// (shareOfKind). 0: none.
  int64_t maxLegalLayouts = 8;
  bool rowMajorEnabled = false; ///< also offer row-major layouts where the input program has tiled ones
  Conv2dSearchSpace conv2d;
  Numerics numerics = Numerics::AsCompiled; ///< OptimizerOptions asks for Keep
  bool operator==(const AnalysisOptions &) const = default;
};

/// Of a cap on layouts, what each kind of sharding has to itself.
inline int64_t shareOfKind(int64_t cap) { return (cap + 3) / 4; }

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_ANALYSISOPTIONS_H
