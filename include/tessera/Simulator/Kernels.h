//===- Kernels.h - What each op computes ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A kernel takes dense tensors and makes dense tensors: no memory, no layouts.
// It computes in fp32 (integers in 32 bits); rounding to the result's format
// happens when the result is written. One family per file, each with a table
// of its ops.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_KERNELS_H
#define TESSERA_SIMULATOR_KERNELS_H

#include "tessera/OpModel/OpConfig.h"
#include "tessera/OpModel/OpSignature.h"
#include "tessera/Simulator/DenseTensor.h"

#include <functional>

namespace tessera::simulator {

/// One op on one device.
struct KernelCall {
  const OpSignature &op;
  const OpSpecificConfig &config;
  llvm::ArrayRef<const DenseTensor *> operands; ///< those that are there, in order
  /// Zeros of the right shapes and types. An op that writes in place has one result, its written operand as it was.
  llvm::MutableArrayRef<DenseTensor> results;
  /// Elements of `ttnn.constant`; null for other ops.
  const DenseTensor *constant = nullptr;

  const DenseTensor &operand(size_t index) const { return *operands[index]; }
  DenseTensor &result() const { return results.front(); }
  /// The operand of a segment (`operandSegmentSizes`), null if the op has none there.
  const DenseTensor *segment(size_t index) const;
};

/// The same op on all devices of a mesh, row by row: `calls[d]` is device d's.
struct CollectiveCall {
  GridShape mesh;
  llvm::MutableArrayRef<KernelCall> calls;
};

using Kernel = llvm::Error (*)(KernelCall &);
/// A kernel that is made while a program is read: a function of the host's machine code.
using HostKernel = std::function<llvm::Error(KernelCall &)>;
using CollectiveKernel = llvm::Error (*)(CollectiveCall &);

/// How to run an op; one of the two is set.
struct KernelRow {
  llvm::StringLiteral name; ///< "ttnn.matmul"
  Kernel kernel = nullptr;
  CollectiveKernel collective = nullptr;
  bool inPlace = false; ///< the op writes its first operand and has no result
};

/// nullptr if the simulator does not know the op.
const KernelRow *findKernel(llvm::StringRef op);
/// All rows, sorted by name.
std::vector<const KernelRow *> allKernels();

/// The elementwise function of that name ("relu", "silu", ...), as activations of other ops have it; null if there is none.
using UnaryFunction = float (*)(float);
UnaryFunction findUnaryFunction(llvm::StringRef name);
/// Applies the activation of that name to all elements; none if empty. Error if it is not known.
llvm::Error applyActivation(llvm::StringRef name, DenseTensor &tensor);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_KERNELS_H
