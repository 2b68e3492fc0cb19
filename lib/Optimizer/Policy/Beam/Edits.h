//===- Edits.h - Decisions on a draft -------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_EDITS_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_EDITS_H

#include "Trace.h"
#include "tessera/Optimizer/Ledger/Reads.h"

namespace tessera::beam {

/// The candidate as a decision.
Decision decisionOf(const Candidate &candidate);

/// The op runs as the candidate says.
void take(Draft &draft, OpId op, const Candidate &candidate, Readers readers);

/// The whole decision of the layout pass, legal and fitting or not.
void fill(Draft &draft, llvm::ArrayRef<Decision> decisions);

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_EDITS_H
