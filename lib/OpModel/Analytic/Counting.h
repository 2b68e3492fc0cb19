//===- Counting.h - Pieces that counts of kernels are made of -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_COUNTING_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_COUNTING_H

#include "OpCall.h"
#include "tessera/OpModel/KernelCounts.h"

namespace tessera::analytic {

/// Items shared out evenly: the cores that get any, and how many the first of them get.
struct Share {
  int64_t cores, most;
};
/// At least one item and one core, so that nobody divides by nothing.
Share shareOut(int64_t items, int64_t cores);

/// A program on `cores` cores, with what any kernel executes before its first item and after its last: arguments, queues,
/// the waits at the end.
KernelCounts beginProgram(const OpCall &call, llvm::StringRef name, int64_t cores);

/// Bytes of the largest packet of the NoC (tt-metal: noc_parameters.h), and how many of them so many bytes are: longer commands are
/// cut.
int64_t packetBytes(const OpCall &call);
/// At least one: a command without bytes is a command, too.
double packets(const OpCall &call, double bytes);

/// Pages of one size that the cores read or write: `count` of them in the tensor, each `times` times.
struct Pages {
  bool dram;    ///< else in L1, interleaved over all cores
  double count; ///< of the tensor that are touched
  double bytes; ///< of one command
  double times = 1;
  double banks = 1; ///< share of the banks that hold those
};
/// All pages of the tensor, each once: tiles, or whole rows.
Pages pagesOf(const TensorRef &tensor);
/// Adds what the DRAM's busiest channel, the NoC and the L1 of other cores have to do for them.
void addReads(const OpCall &call, KernelCounts &program, const Pages &pages);
/// The same for writes. Those into L1 add nothing to what cores serve, which is what others read of them.
void addWrites(const OpCall &call, KernelCounts &program, const Pages &pages);

/// A loop that passes pages through a core one at a time.
struct PageLoop {
  double readerSteps, writerSteps; ///< per page
  bool writerWaits = false;        ///< for each page; else pages are only sent, and waited for at the end
};
/// `most` pages on the busiest core, of as many bytes as they were or as they become.
void addPages(KernelCounts &program, const PageLoop &loop, double most, double readBytes, double writeBytes);

/// The Tensix engine takes each tile and gives one back: `math` instructions per tile.
void addTiles(const OpCall &call, KernelCounts &program, double most, double math);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_COUNTING_H
