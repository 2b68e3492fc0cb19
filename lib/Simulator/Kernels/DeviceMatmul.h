//===- DeviceMatmul.h - matmul and linear as the library's kernels --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_KERNELS_DEVICEMATMUL_H
#define TESSERA_LIB_SIMULATOR_KERNELS_DEVICEMATMUL_H

#include "DeviceProduct.h"

#include "tessera/OpModel/ComputeConfig.h"

namespace tessera::simulator {

/// With what a matmul, linear or convolution runs. The vectors of facts/real-kernels are of the newest library.
ComputeConfig productConfigOf(const KernelCall &call);

/// How the kernel of a matmul or linear sums: its compute config, or what the library takes without one, and the blocks of K
/// that the op model says.
Summation matmulSummation(const KernelCall &call);

/// The bias of a linear, added from registers, and the activations of the op and its program config. Elements of the result are
/// what multiplyOnDevice() made of them.
llvm::Error finishMatmulOnDevice(KernelCall &call, const Summation &summation);

} // namespace tessera::simulator

#endif // TESSERA_LIB_SIMULATOR_KERNELS_DEVICEMATMUL_H
