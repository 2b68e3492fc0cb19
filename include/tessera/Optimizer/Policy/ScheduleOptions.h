//===- ScheduleOptions.h - In which order ops run -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_SCHEDULEOPTIONS_H
#define TESSERA_OPTIMIZER_POLICY_SCHEDULEOPTIONS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tessera {

/// The order that policies plan for (Problem/Schedule.h).
enum class ScheduleKind : uint8_t {
  Program,     ///< "ir": as the input has it
  DepthFirst,  ///< "dfs": depthFirstOrder
  LeastMemory, ///< "memory": leastMemoryOrder
  Best,        ///< "auto": each of them, the plan of least time
};

/// In the order of the enum.
inline constexpr llvm::StringRef kScheduleNames[] = {"ir", "dfs", "memory", "auto"};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_SCHEDULEOPTIONS_H
