//===- Kernels.h - What each op computes ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A kernel takes dense tensors and makes dense tensors: no memory, no layouts.
// It computes in fp32 (integers in 32 bits); rounding to the result's format
// happens when the result is written. One family per file, each with a table
// of its ops.
//
// That is exact arithmetic. A row may have a second function, which computes as the
// device's kernel does: in its order, with what its registers hold. It rounds to the
// formats that it writes on its way; what is left to round is rounded as packers do.
// Rows without one compute exactly in both.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_KERNELS_H
#define TESSERA_SIMULATOR_KERNELS_H

#include "tessera/OpModel/OpConfig.h"
#include "tessera/OpModel/OpModel.h"
#include "tessera/Simulator/Arithmetic.h"
#include "tessera/Simulator/DenseTensor.h"

#include <functional>

namespace tessera::simulator {

/// Where an op runs and where its tensors lie: what the device's kernels cut their work by.
struct Launch {
  const OpModel &model;
  llvm::ArrayRef<LayoutId> operands, results;
};

/// One op on one device.
struct KernelCall {
  const OpSignature &op;
  const OpSpecificConfig &config;
  llvm::ArrayRef<const DenseTensor *> operands; ///< those that are there, in order
  /// Zeros of the right shapes and types. An op that writes in place has one result, its written operand as it was.
  llvm::MutableArrayRef<DenseTensor> results;
  /// Elements of `ttnn.constant`; null for other ops.
  const DenseTensor *constant = nullptr;
  Arithmetic arithmetic = Arithmetic::Exact;
  const Launch *launch = nullptr; ///< null: not known; tensors are taken to lie interleaved in DRAM

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

/// Fills the results. An error says what is not simulated, without a place: who runs the step puts that in front.
using Kernel = llvm::Error (*)(KernelCall &);
/// A kernel that is made while a program is read: a function of the host's machine code.
using HostKernel = std::function<llvm::Error(KernelCall &)>;
/// The same for all devices at a time.
using CollectiveKernel = llvm::Error (*)(CollectiveCall &);

/// How to run an op; `kernel` or `collective` is set.
struct KernelRow {
  llvm::StringLiteral name; ///< "ttnn.matmul"
  Kernel kernel = nullptr;
  CollectiveKernel collective = nullptr;
  bool inPlace = false;          ///< the op writes its first operand and has no result
  Kernel deviceKernel = nullptr; ///< the same as the device's kernel computes it; null: `kernel` serves
};

/// nullptr if the simulator does not know the op.
const KernelRow *findKernel(llvm::StringRef op);
/// Runs a row's kernel in the call's arithmetic; not for collectives.
llvm::Error runKernel(const KernelRow &row, KernelCall &call);
/// All rows, sorted by name.
std::vector<const KernelRow *> allKernels();

/// The elementwise function of the unary op of that name ("relu", "silu", ...); null if there is none.
using UnaryFunction = float (*)(float);
UnaryFunction findUnaryFunction(llvm::StringRef name);
/// Applies the activations that the text lists (OpModel/Activations.h) to all elements, in order. Error if one is not known.
llvm::Error applyActivations(llvm::StringRef text, DenseTensor &tensor);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_KERNELS_H
