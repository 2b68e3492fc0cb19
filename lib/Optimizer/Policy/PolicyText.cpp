//===- PolicyText.cpp - Options of policies as people write them ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/PolicyText.h"

using namespace tessera;

llvm::Expected<PolicyOptions> tessera::parsePolicyOptions(const PolicyText &text, PolicyOptions rest) {
  llvm::Expected<BeamOptions> beam = parseBeamOptions(text.beam);
  if (!beam)
    return beam.takeError();
  llvm::Expected<OptimalOptions> optimal = parseOptimalOptions(text.optimal);
  if (!optimal)
    return optimal.takeError();
  llvm::Expected<std::optional<ScheduleKind>> schedule = parseSchedule(text.schedule);
  if (!schedule)
    return schedule.takeError();
  llvm::Expected<SpillStrategy> spill = parseSpillStrategy(text.spill);
  if (!spill)
    return spill.takeError();
  PolicyOptions options = std::move(rest);
  options.beam = *beam;
  options.optimal = *optimal;
  options.schedule = *schedule;
  options.spill = *spill;
  return options;
}
