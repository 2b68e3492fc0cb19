//===- HarvestCommand.h - Calls that are put to the vendor's library ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_EVALUATION_HARVESTCOMMAND_H
#define TESSERA_LIB_DRIVER_EVALUATION_HARVESTCOMMAND_H

#include "tessera/Driver/Commands.h"
#include "tessera/Evaluation/Harvest.h"

namespace tessera {

/// makeCalls() as a user asks for it. The error names the op or the board that there is not.
llvm::Expected<std::vector<NamedCall>> madeCalls(const LibraryCalls &wanted, unsigned seed);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_EVALUATION_HARVESTCOMMAND_H
