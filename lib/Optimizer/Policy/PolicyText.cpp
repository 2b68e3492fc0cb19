//===- PolicyText.cpp - Options of policies as people write them ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/PolicyText.h"

#include "tessera/Support/NearestNames.h"

using namespace tessera;

llvm::Expected<PolicyOptions> tessera::parsePolicyOptions(const PolicyText &text, PolicyOptions rest) {
  PolicyOptions options = std::move(rest);
  if (llvm::Error error = parseBeamOptions(text.beam).moveInto(options.beam))
    return error;
  if (llvm::Error error = parseOptimalOptions(text.optimal).moveInto(options.optimal))
    return error;
  // Unless somebody asks, each policy has the order that it likes best.
  options.schedule = std::nullopt;
  if (!text.schedule.empty())
    if (llvm::Error error =
            parseName<ScheduleKind>("schedule", text.schedule, kScheduleNames).moveInto(options.schedule))
      return error;
  if (llvm::Error error =
          parseName<SpillStrategy>("spill strategy", text.spill, kSpillStrategies).moveInto(options.spill))
    return error;
  return options;
}
