//===- SimulatorProgram.h - TTNN functions for the simulator --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BRIDGE_SIMULATORPROGRAM_H
#define TESSERA_BRIDGE_SIMULATORPROGRAM_H

#include "tessera/Simulator/Program.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// The module's functions as what is to be done, for a mesh of that shape. Reads the IR by itself, and takes nothing from the
/// optimizer's problem: what the two agree on is not proven by either. Ops without a kernel become steps without one; what has
/// no plain form at all (a tensor without a layout, a call of a function without a body) is an error with its place.
llvm::Expected<simulator::Program> readProgram(mlir::ModuleOp module, GridShape mesh);

} // namespace tessera

#endif // TESSERA_BRIDGE_SIMULATORPROGRAM_H
