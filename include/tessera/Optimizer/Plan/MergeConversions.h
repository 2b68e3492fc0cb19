//===- MergeConversions.h - Conversions that an earlier op can absorb ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_MERGECONVERSIONS_H
#define TESSERA_OPTIMIZER_PLAN_MERGECONVERSIONS_H

#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

/// Removes each conversion whose source was made by a layout conversion of the input program and is read by
/// nothing else, by letting that op produce the target layout itself (spec ttnn-optimizer-detailed-design.md
/// 3.5.1, memory reconfiguration):
///
///   %1 = to_layout(%0) : dram                     %1 = to_layout(%0) : l1/block_sharded
///   convert %1 -> l1/block_sharded           =>   relu(%1)
///   relu(...)
///
/// An op that the model does not let produce the target stays as it is. The result may hold more L1 for longer,
/// so it has to be checked like any plan.
Plan mergeConversions(const Problem &problem, Plan plan, const OpModel &model);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_MERGECONVERSIONS_H
