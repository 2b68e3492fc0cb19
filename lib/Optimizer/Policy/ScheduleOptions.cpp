//===- ScheduleOptions.cpp - In which order ops run -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/ScheduleOptions.h"

#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

static constexpr llvm::StringRef kNames[] = {"ir", "dfs", "memory", "auto"};

llvm::ArrayRef<llvm::StringRef> tessera::scheduleNames() { return kNames; }

llvm::Expected<std::optional<ScheduleKind>> tessera::parseSchedule(llvm::StringRef name) {
  if (name.empty())
    return std::nullopt;
  auto found = llvm::find(kNames, name);
  if (found == std::end(kNames))
    return llvm::createStringError("unknown schedule '" + name + "'" + didYouMean(name, kNames) +
                                   "; known: " + llvm::join(scheduleNames(), ", "));
  return ScheduleKind(found - std::begin(kNames));
}
