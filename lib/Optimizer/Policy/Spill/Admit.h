//===- Admit.h - Back into L1 what there is room for ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_SPILL_ADMIT_H
#define TESSERA_LIB_OPTIMIZER_POLICY_SPILL_ADMIT_H

#include "tessera/Optimizer/Ledger/Repair.h"

namespace tessera {

/// What an op may do with its values where they are or in DRAM: for each place of its results, the fastest of its legal
/// configurations. DRAM, L1 interleaved and shards on more cores are among the places.
std::vector<Decision> legalAlternatives(Draft &draft, OpId op);

/// Gives a draft that fits more residents: producers write to L1 what readers take from DRAM, readers take from L1 what is
/// there. Those that save most time per byte and schedule position come first; nothing that does not fit, or
/// saves nothing, is kept. A few rounds at most.
void admit(Draft &draft, const Alternatives &alternatives);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_SPILL_ADMIT_H
