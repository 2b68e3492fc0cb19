//===- Beam.h - The best few ways to make each value ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   Forward      the best few ways to run each op, over what its producers offer (Ways)
//   Trace        one of them for each op, last op first
//   Repair       edits until it fits into L1 (Ledger)
//   Polish       changes of one op or of several together that save time
//
// In goes a problem, out comes a plan; beams and traces are nobody else's.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_BEAM_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_BEAM_H

#include "tessera/Optimizer/Policy/Policy.h"

namespace tessera {

/// Policy `beam`: docs/policies.md. Its plan fits by the account of a draft; whether it is legal, and faster than
/// others, is asked in the contest.
std::optional<Plan> solveBeam(const Problem &problem, const OpCostTable &model, const PolicyOptions &options);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_BEAM_H
