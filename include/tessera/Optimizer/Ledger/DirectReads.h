//===- DirectReads.h - No way home around ops with bases of their own -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_LEDGER_DIRECTREADS_H
#define TESSERA_OPTIMIZER_LEDGER_DIRECTREADS_H

#include "tessera/Optimizer/Ledger/Draft.h"

namespace tessera {

/// In the base plan an op with a base of its own (hasOwnBase) stands between conversions from and to where its values are at
/// home, a demanded conversion reads the declared layout, and so does a conversion of the input, which then follows one that leads
/// there. Each operand and each result of such ops is read as its
/// producer makes it instead, as it is or resharded, where that is legal, fits and takes no more time. In schedule order;
/// changes nothing in a problem without such ops.
void readDirectly(Draft &draft);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_LEDGER_DIRECTREADS_H
