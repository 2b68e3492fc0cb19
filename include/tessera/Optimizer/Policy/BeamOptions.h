//===- BeamOptions.h - What policy `beam` can be asked for ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_BEAMOPTIONS_H
#define TESSERA_OPTIMIZER_POLICY_BEAMOPTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace tessera {

/// What policy `beam` looks for.
enum class BeamObjective : uint8_t {
  Time,  ///< "time": the least estimated time
  Cores, ///< "cores": the most cores at a path's narrowest place, then the fewest reshards; asks the op model for no time
};

/// docs/policies.md. The switches are there to measure what each part gives.
struct BeamOptions {
  int64_t width = 8; ///< candidates kept per op, at least 1
  BeamObjective objective = BeamObjective::Time;
  bool reshards = true;   ///< candidates may convert their operands
  bool jointForks = true; ///< forks by the cost of satisfying all readers; else by vote, as published
  bool polish = true;     ///< afterwards, single and pairwise changes
  bool incumbent = true;  ///< by Time, the plan of `greedy` stands unless a faster one is found
  bool repeats =
      true; ///< what an op was found to need is not searched again in the same situation; same plans
};

/// The same as people write it.
struct BeamText {
  int64_t width = BeamOptions().width;
  std::string objective = "time";
  std::string
      without; ///< parts to leave out, with commas between them: reshards, forks, polish, incumbent, repeats
};

/// Fails on a width below 1 and on names that are not known.
llvm::Expected<BeamOptions> parseBeamOptions(const BeamText &text);

/// In the order of the enum.
inline constexpr llvm::StringRef kBeamObjectives[] = {"time", "cores"};
/// What BeamText::without may name.
inline constexpr llvm::StringRef kBeamParts[] = {"reshards", "forks", "polish", "incumbent", "repeats"};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_BEAMOPTIONS_H
