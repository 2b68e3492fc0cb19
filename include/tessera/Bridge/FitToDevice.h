//===- FitToDevice.h - Programs of a larger device --------------*- C++ -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BRIDGE_FITTODEVICE_H
#define TESSERA_BRIDGE_FITTODEVICE_H

#include "tessera/Device/DeviceSpec.h"
#include "tessera/OpModel/OpModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// Takes what `module` says of cores that `device` does not have off it: program configs of attentions get the device's grid, and results of ops
/// that lie on such cores are interleaved in DRAM, from where they are decided anew.
void fitToDevice(mlir::ModuleOp module, const DeviceSpec &device);

/// Results of another type than that version of the backend makes are typecasts of what it makes, and sorts that it does not have are those that
/// it has, where that shows in no result.
void fitToVersion(mlir::ModuleOp module, BackendVersion version);

/// Prefill's attention without a program config whose compute config has no approximate mode, as those have that a rewrite makes of an exact
/// softmax, states exact exponentials, with the grid and the chunks that the library takes by itself. That mode does not reach its exponentials,
/// which are approximate unless a program config says otherwise: 1.6 % off with real kernels, 1.0 % with exact ones.
void stateExactExponentials(mlir::func::FuncOp function, const DeviceSpec &device);

} // namespace tessera

#endif // TESSERA_BRIDGE_FITTODEVICE_H
