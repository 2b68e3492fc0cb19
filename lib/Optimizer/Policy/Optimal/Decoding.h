//===- Decoding.h - A selection as a plan ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_DECODING_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_DECODING_H

#include "Translation.h"

namespace tessera::optimal {

/// What a selection of a translation in an order says, as steps in that order: what rests in another form than it is made in is converted as soon as it is made, and all else
/// where it is read. Whether that fits and is legal is for the plan checker: a selection knows no copies that live side by side.
Plan decoded(const Translation &translation, const Schedule &order, llvm::ArrayRef<SelectionState> selection,
             const OpCostTable &table, llvm::StringRef policy);

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_DECODING_H
