//===- L1InterleavedFallback.h - From DRAM to L1 for one step -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_L1INTERLEAVEDFALLBACK_H
#define TESSERA_OPTIMIZER_POLICY_L1INTERLEAVEDFALLBACK_H

#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

/// The last step of any policy (facts/optimizer-design 3.5.1, "L1 Interleaved Fallback";
/// facts/ir 3.6): an op that writes a tiled result to DRAM interleaved writes it to L1
/// interleaved instead, if
///   - exactly one operand of one op reads the result, and that op is the very next step;
///   - the function does not return it;
///   - neither op is one for which this was found to be wrong: max_pool2d, upsample, slice, typecast, matmul,
///   linear,
///     a 1x1 conv2d with stride 1 and no padding; nor is the writer a reshape, which may be a view;
///   - both ops are legal with it beside everything else in L1, and not slower together.
/// Inserts no conversions. A legal plan stays legal. O(steps + tensors) queries.
Plan upgradeToL1Interleaved(const Problem &problem, Plan plan, const OpCostTable &model);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_L1INTERLEAVEDFALLBACK_H
