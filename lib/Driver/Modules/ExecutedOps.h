//===- ExecutedOps.h - Ops of a module on the library's own kernels -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_EXECUTEDOPS_H
#define TESSERA_LIB_DRIVER_MODULES_EXECUTEDOPS_H

#include "../Common/OpsOfFile.h"

#include "tessera/Driver/Commands.h"

namespace tessera {

/// Has each op of the file executed on `arguments.simulator`, once as it is and once with all its tensors in DRAM, on
/// the same random values (docs/judge.md); prints what differs. Ops that ask the same are executed once. Returns an
/// exit code: 1 if anything differs.
int judgeByExecution(const JudgeArguments &arguments, const OpsOfFile &file);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_EXECUTEDOPS_H
