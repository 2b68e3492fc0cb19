//===- KernelCounts.h - What the kernels of one program execute -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Count, then time: what a program's kernels do follows from how the program
// factory shares out the work, and is the same on every run; what the machine
// takes for it is a handful of constants per chip. docs/kernel-counts.md.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_KERNELCOUNTS_H
#define TESSERA_OPMODEL_KERNELCOUNTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tessera {

/// What one data-movement processor executes in a program, on the core that has most of it.
struct MoverCounts {
  /// Doubles, since what an item takes is a mean over many kernels.
  double steps = 0;                ///< RISC-V instructions, polling not counted
  double l1Loads = 0;              ///< of these, loads from L1
  double reads = 0, readBytes = 0; ///< commands on the NoC, and what they carry
  double writes = 0, writeBytes = 0;
  double readWaits = 0, writeWaits = 0; ///< barriers: waits for all reads or writes that are under way

  /// `times` turns of a loop that executes `turn`.
  void add(double times, const MoverCounts &turn);
};

/// The three processors of the Tensix engine, on the core that has most to do.
struct TensixCounts {
  double unpackSteps = 0; ///< RISC-V instructions of the unpacker's processor
  double unpacks = 0;     ///< UNPACR
  double math = 0;        ///< instructions of the math thread
  double products = 0;    ///< MVMUL among these
  double packs = 0;       ///< instructions of the pack thread
};

/// One program. Sums are over all cores.
struct KernelCounts {
  /// "slice": what tables of published counts and Machine.cpp call it.
  llvm::StringRef name;
  /// Those that get any work.
  int64_t cores = 1;
  MoverCounts reader, writer; ///< reads mostly, on NoC 0; writes mostly, on NoC 1
  TensixCounts tensix;
  double channelBytes = 0, channelCommands = 0; ///< that the busiest DRAM channel serves
  double noc0Bytes = 0, noc1Bytes = 0;          ///< that cross the chip, to the readers and from the writers
  double servedBytes = 0, serves = 0;           ///< that other cores read of one core's L1, and how often
};
/// In the order in which they run. Empty: the call is not counted, which is no claim that it does nothing.
using ProgramCounts = llvm::SmallVector<KernelCounts, 1>;

} // namespace tessera

#endif // TESSERA_OPMODEL_KERNELCOUNTS_H
