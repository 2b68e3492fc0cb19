//===- DeviceKernels.h - Kernels that compute as the device's -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The deviceKernel of rows that stand in other files (see KernelRow). Each falls
// back on exact arithmetic where the device's kernel is not modelled; docs/simulator.md
// says where.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_KERNELS_DEVICEKERNELS_H
#define TESSERA_LIB_SIMULATOR_KERNELS_DEVICEKERNELS_H

#include "tessera/Simulator/Kernels.h"

namespace tessera::simulator {

llvm::Error runSoftmaxOnDevice(KernelCall &call);
llvm::Error runRmsNormOnDevice(KernelCall &call);
llvm::Error runLayerNormOnDevice(KernelCall &call);
llvm::Error runSumOnDevice(KernelCall &call);
llvm::Error runMeanOnDevice(KernelCall &call);

} // namespace tessera::simulator

#endif // TESSERA_LIB_SIMULATOR_KERNELS_DEVICEKERNELS_H
