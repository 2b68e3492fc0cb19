//===- Parallel.h - Work in parts, whose results do not depend on threads -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_PARALLEL_H
#define TESSERA_SIMULATOR_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace tessera::simulator {

/// Threads that the simulator computes with, at least 1; 2 unless set.
void setThreads(unsigned count);
unsigned threads();

/// Calls `part(i)` for each i in [0, count), in any order and on several threads. How the work is cut into parts must not
/// depend on the number of threads: then the bytes that come out don't either.
void parallelFor(int64_t count, llvm::function_ref<void(int64_t)> part);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_PARALLEL_H
