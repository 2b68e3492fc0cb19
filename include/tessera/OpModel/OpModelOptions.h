//===- OpModelOptions.h - Who answers, as a user says it ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_OPMODELOPTIONS_H
#define TESSERA_OPMODEL_OPMODELOPTIONS_H

#include <set>
#include <string>

namespace tessera {

/// Most is known of it: tt-mlir's head.
inline constexpr const char *kDefaultBackendVersion = "newest";

/// The values of `--op-model`, `--backend-version` and `--op-model-cache`, or of the pass options of the same
/// names, as they were written. OpModel/Backends.h checks and uses them.
struct OpModelOptions {
  std::string choice = "analytic"; ///< one of the forms in Backends.h
  /// A name or library of backendVersions(); "": that of the vendor's library if it answers, else that of the module
  /// (Bridge/ModuleVersion.h), else kDefaultBackendVersion
  std::string backendVersion = {};
  std::string cacheFile = {}; ///< answers that outlive the run; "": none
  /// Ops, by signatureText() of OpModel/Question.h, of which the vendor's library of `doubtedVersion` has refused something:
  /// what it refuses of them is refused (Driver/Modules/Confirmation.h).
  std::set<std::string> doubted = {};
  std::string doubtedVersion = {};
  bool operator==(const OpModelOptions &) const = default;
};

} // namespace tessera

#endif // TESSERA_OPMODEL_OPMODELOPTIONS_H
