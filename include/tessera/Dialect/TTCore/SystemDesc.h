//===- SystemDesc.h - #ttcore.system_desc as a device ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_SYSTEMDESC_H
#define TESSERA_DIALECT_TTCORE_SYSTEMDESC_H

#include "tessera/Device/DeviceSpec.h"
#include "tessera/Dialect/TTCore/TTCore.h"

#include <optional>

namespace tessera::ttcore {

/// The device that `system` describes. Architecture, worker grid, L1 size, DRAM banks and alignments are the
/// file's; what a system description does not tell (clock, bandwidths, small L1 region) is that of the built-in device
/// of the architecture that is most like it, which also gives the name unless the figures differ ("system_desc").
///
/// The file's l1_unreserved_base may be that of a mock system, which is below what firmware takes
/// (facts/hardware 1.2): the larger of the file's and the built-in one counts.
/// The mesh is `meshShape` (of the module's ttcore.device; rank 1 or 2) if it has as many chips as the
/// system, else one row of all chips.
///
/// Fails, with `emitError`, if the system has no chip, mixes chips, or has figures out of range.
mlir::FailureOr<DeviceSpec> deviceSpecFromSystemDesc(SystemDescAttr system,
                                                     llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                                                     llvm::ArrayRef<int64_t> meshShape = {});

} // namespace tessera::ttcore

#endif // TESSERA_DIALECT_TTCORE_SYSTEMDESC_H
