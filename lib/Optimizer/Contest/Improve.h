//===- Improve.h - No single change makes the plan faster -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_CONTEST_IMPROVE_H
#define TESSERA_LIB_OPTIMIZER_CONTEST_IMPROVE_H

#include "tessera/Optimizer/Contest/Entry.h"

namespace tessera {

/// The entry after all single changes that `tessera explain` would call faster (Variations), made until none is left or none of them
/// holds. Never slower than `entry`, and legal with addresses if that is.
Entry improved(const Judge &judge, Entry entry);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_CONTEST_IMPROVE_H
