//===- ReplayText.h - An address map for people ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_REPLAYTEXT_H
#define TESSERA_LIB_DRIVER_MODULES_REPLAYTEXT_H

#include "tessera/Optimizer/Plan/PlanReplay.h"

namespace llvm {
class raw_ostream;
}

namespace tessera {

/// One line per step that has to do with L1, then what does not fit and why, then how much does.
void print(llvm::raw_ostream &os, const Problem &problem, const Plan &plan, const PlanReplay &replay,
           const DeviceSpec &device);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_REPLAYTEXT_H
