//===- KernelTime.h - Times of single kernels, under any parameters -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Profilers print the time of one device program, without its launch; a fit asks
// for that time again and again while the parameters change. So a query is
// resolved once, and what comes back is a function of the parameters.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_KERNELTIME_H
#define TESSERA_OPMODEL_KERNELTIME_H

#include "tessera/OpModel/KernelCounts.h"
#include "tessera/OpModel/OpModel.h"
#include "tessera/OpModel/Parameters.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace tessera {

/// Nanoseconds as a function of the runtime parameters. Safe to call from several threads.
using KernelTime = std::function<double(const Calibration &)>;

/// An op in given layouts, as the chip ran it.
struct KernelQuery {
  DeviceSpec device;
  OpSignature signature;
  std::vector<TensorLayout> inputs, outputs;
  OpSpecificConfig specific;
  BackendVersion backend = BackendVersion::Pinned;
};

/// What is timed of an op.
enum class KernelPart : uint8_t {
  Op,        ///< all programs of the op
  MatmulMath ///< of a matmul, until the compute core is done: what utilisation figures are based on
};

/// The analytic model's time, without launches. An error if the model refuses the query; one that does not fit in L1 is
/// answered, since the chip ran it.
llvm::Expected<KernelTime> kernelTime(KernelQuery query, KernelPart part);

/// What the kernels of the call execute, program by program; empty if the model counts no such call. Errors as above.
llvm::Expected<ProgramCounts> kernelCounts(KernelQuery query);

namespace analytic {

/// The subblock (tiles) that the backend chooses within a block of a matmul: the first of its list that divides the
/// block. With fp32 accumulation, half as many tiles fit in the destination registers; a sharded result needs
/// whole rows of the block, or rows of one tile. facts/formulas 7.1.
GridShape defaultSubblock(GridShape block, bool fp32, bool sharded);

} // namespace analytic
} // namespace tessera

#endif // TESSERA_OPMODEL_KERNELTIME_H
