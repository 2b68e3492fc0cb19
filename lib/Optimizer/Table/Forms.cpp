//===- Forms.cpp - In which layouts an op may want its operands -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Table/Forms.h"
#include "tessera/Support/AddOnce.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

/// Reshard targets per kind of sharding that are tried on their own, largest grids first. (The published pass takes 4;
/// placements of the op's results and of other operands are tried in addition here.)
static constexpr unsigned kTargetsPerKind = 2;

LayoutId tessera::alike(Oracle &oracle, const Problem &problem, LayoutId result, ValueId value) {
  return problem.layout(result).isSharded() ? oracle.placedLike(result, value)
                                            : oracle.l1InterleavedLike(result, value);
}

llvm::SmallVector<LayoutId, 2> tessera::placedLikeResults(Oracle &oracle, const Problem &problem,
                                                          ConfigId config, ValueId value) {
  llvm::SmallVector<LayoutId, 2> layouts;
  for (LayoutId result : oracle[config].outputs)
    if (problem.layout(result).isL1())
      if (LayoutId like = oracle.placedLike(result, value); like.valid())
        layouts.push_back(like);
  return layouts;
}

llvm::SmallVector<LayoutId, 32> tessera::conversionTargets(Oracle &oracle, const Problem &problem,
                                                           const Reading &reading) {
  ValueId value = reading.value;
  llvm::SmallVector<LayoutId, 32> targets;
  auto add = [&](LayoutId target) {
    if (target.valid())
      targets.push_back(target);
  };
  add(problem[value].home);
  add(baseInput(problem, reading.op, value));
  // An op that is not to be changed takes what it always took, and what lies on the host is not resharded.
  if (!reading.reshards || !problem.layout(problem[value].home).onDevice() ||
      problem[reading.op].role == OpRole::Fixed)
    return targets;
  if (reading.anywhere)
    add(oracle.dram(value));
  add(oracle.l1Interleaved(value));
  for (ConfigId config : reading.configs)
    for (LayoutId output : oracle[config].outputs)
      add(alike(oracle, problem, output, value));
  // DRAM stands above already, and has no placement that operands could share.
  for (LayoutId other : reading.others)
    if (problem.layout(other).isL1())
      add(oracle.placedLike(other, value));
  if (!reading.anywhere)
    return targets;
  llvm::for_each(largestOfEachKind(oracle.space(value), *problem.layouts, kTargetsPerKind), add);
  return targets;
}

llvm::SmallVector<LayoutId, 16> tessera::sharedPlacements(const Oracle &oracle, const Problem &problem,
                                                          llvm::ArrayRef<ConfigId> configs,
                                                          llvm::ArrayRef<LayoutId> layouts) {
  llvm::SmallVector<LayoutId, 16> placements;
  auto add = [&](LayoutId layout) {
    // Many configurations differ in their kernel alone and make the same layout, which need be tried once.
    if (problem.layout(layout).isL1())
      addOnce(placements, layout);
  };
  for (ConfigId config : configs)
    llvm::for_each(oracle[config].outputs, add);
  llvm::for_each(layouts, add);
  return placements;
}
