//===- Note.h - What a beam kept, for the log -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_NOTE_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_NOTE_H

#include "Candidate.h"
#include "tessera/Optimizer/Plan/DecisionLog.h"

namespace tessera::beam {

/// Writes down the candidates of every op, as the forward pass ranked them.
void note(const Problem &problem, const Beams &beams, const Oracle &oracle, DecisionLog &log);

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_NOTE_H
