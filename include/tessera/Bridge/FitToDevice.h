//===- FitToDevice.h - Programs of a larger device --------------*- C++ -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BRIDGE_FITTODEVICE_H
#define TESSERA_BRIDGE_FITTODEVICE_H

#include "tessera/Device/DeviceSpec.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// Takes what `module` says of cores that `device` does not have off it: program configs of attentions get the device's grid, and results of ops
/// that lie on such cores are interleaved in DRAM, from where they are decided anew.
void fitToDevice(mlir::ModuleOp module, const DeviceSpec &device);

} // namespace tessera

#endif // TESSERA_BRIDGE_FITTODEVICE_H
