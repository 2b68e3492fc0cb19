//===- ScheduleOptions.h - In which order ops run -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_SCHEDULEOPTIONS_H
#define TESSERA_OPTIMIZER_POLICY_SCHEDULEOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>

namespace tessera {

/// The order that policies plan for (Problem/Schedule.h).
enum class ScheduleKind : uint8_t {
  Program,     ///< "ir": as the input has it
  DepthFirst,  ///< "dfs": depthFirstOrder
  LeastMemory, ///< "memory": leastMemoryOrder
  Best,        ///< "auto": each of them, the plan of least time
};

/// By ScheduleKind.
llvm::ArrayRef<llvm::StringRef> scheduleNames();
/// nullopt of "": as the policy likes it best. Fails on a name that is not known.
llvm::Expected<std::optional<ScheduleKind>> parseSchedule(llvm::StringRef name);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_SCHEDULEOPTIONS_H
