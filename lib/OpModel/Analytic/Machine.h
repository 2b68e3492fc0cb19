//===- Machine.h - What a chip takes for counted work ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One rule and one set of constants per chip, whatever the op: parameters
// "machine.*". docs/kernel-counts.md has the rule and how it was fitted.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MACHINE_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MACHINE_H

#include "OpCall.h"
#include "tessera/OpModel/KernelCounts.h"

namespace tessera::analytic {

/// Some kernel of the call's family is timed by its counts: without one nothing need be counted for a time.
bool mayBeTimedByCounts(const OpCall &call);
/// The times of all these kernels follow from their counts. Of others a formula that was fitted to that kernel alone errs less on
/// calls that it was not fitted to.
bool timedByCounts(const OpCall &call, llvm::ArrayRef<KernelCounts> programs);

/// Time of programs that run one after the other, launches included.
OpRuntime machineTime(const OpCall &call, llvm::ArrayRef<KernelCounts> programs);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MACHINE_H
