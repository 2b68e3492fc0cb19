//===- Improve.h - No single change makes the plan faster -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_CONTEST_IMPROVE_H
#define TESSERA_LIB_OPTIMIZER_CONTEST_IMPROVE_H

#include "tessera/Optimizer/Contest/Entry.h"
#include "tessera/Optimizer/Policy/SingleChanges.h"

namespace tessera {

/// A plan that no single change makes faster, and the changes that would save a conversion and cost less time than the op
/// model can tell: what saves most conversions first, then what costs least.
struct Improved {
  Entry entry;
  llvm::SmallVector<SingleChange> inDoubt;
};
/// The entry after all single changes that `tessera explain` would call faster (Variations), made until none is left or
/// none of them holds. Never slower than `entry`, and legal with addresses if that is.
Improved improved(const Judge &judge, Entry entry);

/// The entry with those of the changes in doubt that take conversions out, as long as all together cost no more than a thousandth of
/// its time (docs/policies.md, "Choices under doubt").
Entry withFewerConversions(const Judge &judge, Entry entry, llvm::ArrayRef<SingleChange> inDoubt);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_CONTEST_IMPROVE_H
