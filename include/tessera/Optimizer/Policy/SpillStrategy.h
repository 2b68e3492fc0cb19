//===- SpillStrategy.h - Who leaves L1 ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_SPILLSTRATEGY_H
#define TESSERA_OPTIMIZER_POLICY_SPILLSTRATEGY_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tessera {

/// docs/spilling.md.
enum class SpillStrategy : uint8_t {
  Policy,          ///< "policy": each policy's own way
  FarthestLastUse, ///< "farthest-last-use": who is read last leaves first (facts/optimizer-proposal "Pass 2")
  Cost,            ///< "cost": who costs the least time per byte and position leaves first
  Dp,   ///< "dp": the best set of residents at each position (facts/optimizer-proposal "Optimal Spilling")
  None, ///< "none": nobody, to see the layouts that the policy chooses as if L1 were endless: `greedy`'s pass 1. May not fit
};

/// In the order of the enum.
inline constexpr llvm::StringRef kSpillStrategies[] = {"policy", "farthest-last-use", "cost", "dp", "none"};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_SPILLSTRATEGY_H
