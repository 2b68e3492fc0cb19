//===- Streams.h - Large tensors, a part at a time ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A weight of a gigabyte need not become two of fp32 to be moved, transposed or
// multiplied by. Kernels of such ops have a second form, which reads blocks of its
// operands from memory. It computes what the first form does, bit by bit but for
// products, whose sums oneDNN may round otherwise, and takes less memory, which is
// what the time of large tensors goes into. Shapes alone decide which form an op
// takes, so that a module before and after optimization takes the same.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_STREAMS_H
#define TESSERA_SIMULATOR_STREAMS_H

#include "tessera/Simulator/Compare.h"
#include "tessera/Simulator/PageMap.h"
#include "tessera/Simulator/Program.h"

#include <functional>

namespace tessera::simulator {

/// A tensor as it lies in a device's memory, or on the host.
struct TensorInMemory {
  const TensorDesc &desc;
  const PageMap &map;
  std::function<llvm::MutableArrayRef<uint8_t>(PageAddress)> bytes;
  /// If set, makes the elements that memory would hold: no bytes are there.
  std::function<void(const ElementBlock &, DenseTensor &)> elements = nullptr;

  /// Reads a block into a tensor of rows x columns, on this thread.
  void load(const ElementBlock &block, DenseTensor &values) const;
  /// The same as a tensor of its own; of the whole tensor on several threads.
  DenseTensor block(const ElementBlock &block) const;
  DenseTensor whole() const;
  /// Tells tensors of other bytes apart, wherever they lie: pages in the tensor's order, padding included. Not if `elements` is
  /// set.
  Fingerprint fingerprint() const;
};

/// One op on one device, operands and result in memory.
struct StreamedCall {
  const OpSignature &op;
  const OpSpecificConfig &config;
  llvm::ArrayRef<TensorInMemory> operands;
  const TensorInMemory &result;
  DenseTensor
      *dense; ///< the result if StreamedKernel::denseResult: written to memory by the caller; else null
  Arithmetic arithmetic = Arithmetic::Exact; ///< as in KernelCall
  const Launch *launch = nullptr;
};

/// A row of the table of such kernels. Which operands and whether the result are dense tells neededMemory() what the op
/// takes; what it moves tells whether a copy of a deferred tensor can stay deferred (lib/Simulator/Deferred.cpp).
struct StreamedKernel {
  llvm::StringLiteral name; ///< "ttnn.permute"
  /// Whether tensors of these types are worth it, and the kernel has a form for them.
  bool (*applies)(const OpSignature &op, llvm::ArrayRef<TensorDesc> operands, const TensorDesc &result);
  llvm::Error (*run)(StreamedCall &call);
  uint32_t denseOperands = 0; ///< bit i: operand i is read as a whole, as fp32
  bool denseResult = false;
  /// What the result has of the first operand, element by element unless its type changes.
  enum class Moves : uint8_t { Nothing, Rows, TransposedMatrices } moves = Moves::Nothing;
};

/// The form of the op in parts, if it has one for these tensors and they are large enough for it; else null.
const StreamedKernel *findStreamedKernel(const OpSignature &op, llvm::ArrayRef<TensorDesc> operands,
                                         llvm::ArrayRef<TensorDesc> results);

/// The same for a step of a function.
const StreamedKernel *streamedKernelOf(const Function &function, const Step &step);

/// Whether tensors of that type are worth working on in parts.
bool isLarge(const TensorDesc &desc);

/// Makes a block of a tensor whose matrices, of that shape, are those of another one transposed; `read` reads blocks of that.
void transposeBlock(GridShape matrix, const ElementBlock &block,
                    llvm::function_ref<DenseTensor(const ElementBlock &)> read, DenseTensor &values);

/// What all blocks that are read at a time take at most, roughly.
constexpr Bytes kStreamedWorkingSet(int64_t(1) << 26);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_STREAMS_H
