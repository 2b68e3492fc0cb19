//===- ScheduleOptions.cpp - In which order ops run -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/ScheduleOptions.h"

#include "tessera/Support/NearestNames.h"

using namespace tessera;

static constexpr llvm::StringRef kNames[] = {"ir", "dfs", "memory", "auto"};

llvm::ArrayRef<llvm::StringRef> tessera::scheduleNames() { return kNames; }

llvm::Expected<std::optional<ScheduleKind>> tessera::parseSchedule(llvm::StringRef name) {
  if (name.empty())
    return std::nullopt;
  return parseName<ScheduleKind>("schedule", name, kNames);
}
