//===- UnknownOps.h - Ops of a file that nobody can judge -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_UNKNOWNOPS_H
#define TESSERA_LIB_DRIVER_COMMON_UNKNOWNOPS_H

#include "OpsOfFile.h"
#include "tessera/Driver/Commands.h"
#include "tessera/OpModel/OpCostTable.h"

namespace tessera {

/// Why the model has no time for an op of a forward function as it stands: it refuses it, or does not know it. nullopt
/// if it has one, and of what takes none.
std::optional<std::string> whyWithoutTime(const OpOfFile &op, const OpCostTable &model);
/// Prints a line for each op of the file's forward functions that the model refuses as it stands, or does not know, and
/// how many there are. True if there are none.
bool knowsAllOps(const OpsOfFile &file, const OpCostTable &model, llvm::raw_ostream &os);
/// The same of the file at `path`; nullopt after a diagnostic.
std::optional<bool> knowsAllOps(const std::string &path, const SimulationOptions &options,
                                const DeviceSpec *device, llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_UNKNOWNOPS_H
