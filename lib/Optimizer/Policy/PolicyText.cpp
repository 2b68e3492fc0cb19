//===- PolicyText.cpp - Options of policies as people write them ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/PolicyText.h"

#include "tessera/Support/NearestNames.h"

using namespace tessera;

llvm::Expected<PolicyOptions> tessera::parsePolicyOptions(const PolicyText &text, PolicyOptions rest) {
  llvm::Expected<BeamOptions> beam = parseBeamOptions(text.beam);
  if (!beam)
    return beam.takeError();
  llvm::Expected<OptimalOptions> optimal = parseOptimalOptions(text.optimal);
  if (!optimal)
    return optimal.takeError();
  PolicyOptions options = std::move(rest);
  options.beam = *beam;
  options.optimal = *optimal;
  // Unless somebody asks, each policy has the order that it likes best.
  options.schedule = std::nullopt;
  if (!text.schedule.empty()) {
    auto schedule = parseName<ScheduleKind>("schedule", text.schedule, kScheduleNames);
    if (!schedule)
      return schedule.takeError();
    options.schedule = *schedule;
  }
  auto spill = parseName<SpillStrategy>("spill strategy", text.spill, kSpillStrategies);
  if (!spill)
    return spill.takeError();
  options.spill = *spill;
  return options;
}
