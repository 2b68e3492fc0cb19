//===- Machine.cpp - What a chip takes for counted work -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Machine.h"

#include "Family.h"
#include "Runtime.h"

#include <algorithm>
#include <cmath>

using namespace tessera;

void MoverCounts::add(double times, const MoverCounts &turn) {
  steps += times * turn.steps;
  l1Loads += times * turn.l1Loads;
  reads += times * turn.reads;
  readBytes += times * turn.readBytes;
  writes += times * turn.writes;
  writeBytes += times * turn.writeBytes;
  readWaits += times * turn.readWaits;
  writeWaits += times * turn.writeWaits;
}

namespace tessera::analytic {
namespace {

// The idea: every resource of a program gets a time of its own from its counts, all in ns. Two data-movement
// processors (what they execute, and what their commands take), three threads of the Tensix engine, the busiest
// DRAM channel, the fuller of two networks, and what one core serves to others. They overlap, so that the longest
// decides; a power mean makes two that are nearly equal cost more than one, and a share of all others stands for
// the filling and draining of the pipeline (docs/kernel-counts.md).

/// ns of one data-movement processor: what it executes one after the other, and what its commands take beside that.
struct MoverTime {
  double series, stream;
};

MoverTime moverTime(const OpCall &call, const MoverCounts &counts) {
  // Every program waits this often whatever it does: at its start and at its end.
  constexpr double readWaitsOfStart = 2, writeWaitsOfEnd = 3;
  // Instructions go by the clock, waits do not: what is waited for has a latency in time.
  double clock = clockOf(call.device());
  double series = (counts.steps * call[P::MachineStep] + counts.l1Loads * call[P::MachineL1Load]) / clock;
  series += std::max(0.0, counts.readWaits - readWaitsOfStart) * call[P::MachineReadWait] +
            std::max(0.0, counts.writeWaits - writeWaitsOfEnd) * call[P::MachineWriteWait];
  double stream =
      (counts.readBytes / call[P::MachineReadRate] + counts.writeBytes / call[P::MachineWriteRate] +
       (counts.reads + counts.writes) * call[P::MachineCommand]) /
      clock;
  return {series, stream};
}

/// Boards of a chip with another bandwidth than the one that was measured take longer in proportion.
double channelFactor(const DeviceSpec &device) {
  // GB/s of the boards that MachineChannelRate was fitted on (DeviceSpec.cpp).
  constexpr double wormhole = 190, blackhole = 418;
  return (device.arch == Arch::Blackhole ? blackhole : wormhole) / std::max(1.0, device.dramReadGBs);
}

OpRuntime programTime(const OpCall &call, const KernelCounts &counts) {
  double clock = clockOf(call.device());
  MoverTime reader = moverTime(call, counts.reader), writer = moverTime(call, counts.writer);
  const TensixCounts &tensix = counts.tensix;
  double unpack =
      (tensix.unpackSteps * call[P::MachineUnpackStep] + tensix.unpacks * call[P::MachineUnpack]) / clock;
  double math = (tensix.math * call[P::MachineMath] + tensix.products * call[P::MachineProduct]) / clock;
  double pack = tensix.packs * call[P::MachinePack] / clock;
  double channel = (counts.channelBytes / call[P::MachineChannelRate] +
                    counts.channelCommands * call[P::MachineChannelCommand]) *
                   channelFactor(call.device());
  // Readers and writers each have a network, so that the fuller one counts, not the sum.
  double noc = std::max(counts.noc0Bytes, counts.noc1Bytes) * call[P::MachineMoved] / clock;
  double served =
      (counts.servedBytes / call[P::MachineServeRate] + counts.serves * call[P::MachineServe]) / clock;

  // Each resource by itself: a processor goes on while its commands are under way, so that the two are parts of their
  // own.
  const double parts[] = {reader.series, reader.stream, writer.series, writer.stream, unpack,
                          math,          pack,          channel,       noc,           served};
  double longest = *llvm::max_element(parts), sum = 0, powers = 0;
  for (double part : parts) {
    sum += part;
    // Relative to the longest, which is a factor of the result: most powers are then next to nothing.
    powers += part > 0 ? std::pow(part / longest, call[P::MachineSharpness]) : 0;
  }
  // The longest part hides the others, except what fills the pipeline before its first turn and after its last.
  auto waits = [](const MoverCounts &mover) { return mover.readWaits + mover.writeWaits; };
  double turns = std::max({1.0, waits(counts.reader), waits(counts.writer)});
  double fill = call[P::MachineFill] * std::pow(turns, -call[P::MachineFillPower]) * (sum - longest);

  OpRuntime time;
  // For people, who know four resources; `total` has the parts themselves.
  time.compute = Nanoseconds(std::max({unpack, math, pack}));
  time.l1 = Nanoseconds(std::max(reader.series, writer.series));
  time.noc = Nanoseconds(std::max({reader.stream, writer.stream, noc, served}));
  time.dram = Nanoseconds(channel);
  time.dispatch = call.device().launch;
  double kernel = longest > 0 ? longest * std::pow(powers, 1 / call[P::MachineSharpness]) + fill : 0;
  time.total = time.dispatch + Nanoseconds(kernel);
  return time;
}

/// By what held-out rows say (docs/kernel-counts.md, "Which are timed by them").
struct TimedKernel {
  llvm::StringRef name;
  llvm::ArrayRef<llvm::StringRef> families; ///< of the ops that it runs for
  bool wormhole = true, blackhole = true;
  /// Kernels before and after these are other ones, with a formula of their own.
  BackendVersion since = BackendVersion::January2025, until = BackendVersion::October2026;

  bool holdsFor(const OpCall &call) const {
    return (call.device().arch == Arch::Blackhole ? blackhole : wormhole) && call.context.version >= since &&
           call.context.version <= until;
  }
};
constexpr llvm::StringRef kElementWise[] = {"eltwise_binary", "where", "addcmul"},
                          kUnary[] = {"eltwise_unary", "typecast"}, kPermutes[] = {"permute", "transpose"},
                          kReshapes[] = {"reshape"}, kScatters[] = {"scatter"}, kLayouts[] = {"to_layout"},
                          kMoves[] = {"to_memory_config", "to_layout", "reshape"},
                          kTransposes[] = {"transpose"}, kHeads[] = {"nlp_create_qkv_heads_decode"},
                          kReductions[] = {"reduction"}, kStatistics[] = {"norm_pre_all_gather"},
                          kUpdates[] = {"paged_update_cache"},
                          kHeadMoves[] = {"concatenate_heads", "split_heads"};
// A row names a program as its counting function does, and where unseen rows say that counts err less. `false`: on
// that chip they err more, or nothing was measured. All others keep their formula, however well they are counted.
constexpr TimedKernel kTimed[] = {
    {"broadcast", kElementWise, true, true, BackendVersion::Newest},
    {"create heads, decode", kHeads, true, false},
    {"element-wise rows", kElementWise, true, true, BackendVersion::Newest},
    {"heads", kHeadMoves, true, true, BackendVersion::October2026},
    {"norm statistics", kStatistics, false, true},
    {"permute lines", kPermutes},
    {"reshape", kReshapes},
    {"scatter", kScatters},
    {"sum outer dimension", kReductions, true, true, BackendVersion::Newest},
    {"tilize blocks", kLayouts},
    {"tilize on one core", kLayouts},
    // All that were measured waited for every tile, which is what the machine's rate of writes comes from.
    {"to interleaved L1", kMoves, true, false, BackendVersion::January2025, BackendVersion::August2025},
    {"untilize on one core", kLayouts},
    {"transpose tiles", kTransposes, true, false},
    {"unary rows", kUnary, true, true, BackendVersion::Newest},
    {"update cache", kUpdates, false, true},
};

} // namespace

bool mayBeTimedByCounts(const OpCall &call) {
  // Asked before anything is counted, since most calls are of families that have no row.
  llvm::StringRef family = call.row.family->name;
  return llvm::any_of(kTimed, [&](const TimedKernel &kernel) {
    return llvm::is_contained(kernel.families, family) && kernel.holdsFor(call);
  });
}

bool timedByCounts(const OpCall &call, llvm::ArrayRef<KernelCounts> programs) {
  // All or nothing: the formula is of the whole call, so that no part of it can stand in for one program.
  return llvm::all_of(programs, [&](const KernelCounts &program) {
    return llvm::any_of(kTimed, [&](const TimedKernel &kernel) {
      return kernel.name == program.name && kernel.holdsFor(call);
    });
  });
}

OpRuntime machineTime(const OpCall &call, llvm::ArrayRef<KernelCounts> programs) {
  OpRuntime time;
  for (const KernelCounts &program : programs)
    addTime(time, programTime(call, program));
  return time;
}

} // namespace tessera::analytic
