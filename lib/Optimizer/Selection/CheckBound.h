//===- CheckBound.h - What a certificate proves ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_CHECKBOUND_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_CHECKBOUND_H

#include "tessera/Optimizer/Selection/SelectionCertificate.h"

namespace tessera {

/// So that a file cannot ask for any memory.
inline constexpr int64_t kLargestCheckedTable = 100'000'000;

/// Success if the bound follows from cutoff, prices, gifts, order and table. The certificate has gifts for all states of all edges, and
/// all nodes in its order.
llvm::Error checkProvenBound(const SelectionProblem &problem, const SelectionCertificate &certificate);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_CHECKBOUND_H
