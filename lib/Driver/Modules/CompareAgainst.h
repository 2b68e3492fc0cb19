//===- CompareAgainst.h - Plans beside one of another compiler ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_COMPAREAGAINST_H
#define TESSERA_LIB_DRIVER_MODULES_COMPAREAGAINST_H

#include "tessera/Driver/Commands.h"

namespace tessera {

/// `tessera compare --against`: each of `policies` beside the other file, which is taken as it stands. Returns the exit
/// code.
int compareAgainst(const CompareArguments &arguments, const std::vector<std::string> &policies);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_COMPAREAGAINST_H
