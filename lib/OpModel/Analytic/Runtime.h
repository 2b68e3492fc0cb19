//===- Runtime.h - From work to time --------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// facts/hardware-and-performance.md 6.5: t = t0 + max(read bytes / read BW,
// write bytes / write BW, tiles per core * cycles), plus the launch of the
// program. Cycles per tile depend on the path the kernel takes:
//
//   sharded       operands and results are read in place     75 - 320 cycles/tile
//   L1 accessor   pages fetched over the NoC, one by one     500 - 800
//   DRAM accessor the same from DRAM                          440 - 1000, and the DRAM's bandwidth
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_RUNTIME_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_RUNTIME_H

#include "OpCall.h"

namespace tessera::analytic {

/// What one op makes the device do. Cycles are those of the busiest core.
struct Work {
  double dramRead = 0, dramWrite = 0; ///< bytes, all cores together
  double compute = 0;                 ///< cycles: unpack, math, pack
  double l1 = 0;                      ///< cycles: moving data within the core
  double noc = 0;                     ///< cycles: fetching and sending pages
  int programs = 1;                   ///< launched one after the other
};

/// Cycles per tile per core, by path.
struct PathCycles {
  double sharded, l1, dram;
};

/// Time of `work`. Parts overlap within a program.
OpRuntime timeOf(const OpCall &call, const Work &work);
/// Time of a program that only launches.
OpRuntime launchOnly(const OpCall &call, int programs = 1);
/// No device work at all: views, host-side bookkeeping.
OpRuntime noTime();

/// Adds the DRAM bytes of operands and results and, for `tilesPerCore` tiles on the busiest core, the cycles
/// of the slowest path that any of them needs.
Work streamWork(const OpCall &call, int64_t tilesPerCore, const PathCycles &cycles);
/// DRAM bytes of the call's operands and results.
void addDramTraffic(const OpCall &call, Work &work);

/// Tiles on the busiest core of a kernel that splits the result's tiles: shards if sharded in place.
int64_t busiestTiles(const OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_RUNTIME_H
