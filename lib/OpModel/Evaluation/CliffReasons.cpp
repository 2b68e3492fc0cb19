//===- CliffReasons.cpp - What the hardware says about jumps of times -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// From the layouts follows what a change asks of the device:
//
//   time of `to` <= 3 x (time of `from` x work on the busiest core
//                        + bytes of the DRAM at its bandwidth
//                        + pages of a core x latency of the NoC)
//
// If that holds, the largest part is the reason. Changes for which it does not hold
// are in a table, one row per family and kind of change.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Cliffs.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

/// Words are "*" for any, or alternatives with | between them.
struct Reason {
  CliffKind kind;
  llvm::StringLiteral family, slot, from, to;
  llvm::StringLiteral reason;
};
using enum CliffKind;
constexpr Reason kReasons[] = {
    {Ratio, "*", "*", "*", "*", ""},
};

bool matches(llvm::StringRef pattern, llvm::StringRef text) {
  if (pattern == "*")
    return true;
  llvm::SmallVector<llvm::StringRef> words;
  pattern.split(words, '|');
  return llvm::is_contained(words, text);
}

llvm::StringRef namedReason(const LayoutChange &change) {
  const Reason *found = llvm::find_if(kReasons, [&](const Reason &r) {
    return r.kind == change.kind && matches(r.family, change.family) && matches(r.slot, change.slot) &&
           matches(r.from, change.from.place) && matches(r.to, change.to.place);
  });
  return found == std::end(kReasons) ? llvm::StringRef() : llvm::StringRef(found->reason);
}

/// ns until a page arrives: 467 cycles on Wormhole, 538 on Blackhole (facts/hardware-and-performance.md 1.4). Kernels
/// wait for each.
double pageLatency(const DeviceSpec &device) {
  return (device.arch == Arch::Blackhole ? 538 : 467) / std::max(0.01, device.clockGHz);
}

llvm::StringRef ratioReason(const LayoutChange &change, const DeviceSpec &device) {
  const PlacementWork &from = change.from.work, &to = change.to.work;
  double before = change.from.time.total.value(), after = change.to.time.total.value();
  if (before <= 0)
    return "nothing runs before: the result is the operand's buffer";
  double padding = to.bytes / from.bytes, sharing = from.cores / to.cores;
  double work = std::max({1.0, padding * sharing, to.busiest / from.busiest});
  struct Part {
    double ns;
    llvm::StringRef reason;
  };
  const Part parts[] = {
      {before * (work - 1), padding > sharing ? "more padding: a row or column of elements is a whole tile"
                                              : "fewer cores share the work: those that hold the shards"},
      {to.dramRead / device.dramReadGBs + to.dramWritten / device.dramWriteGBs,
       "its bytes pass the DRAM, at the bandwidth that kernels reach"},
      {to.pages * pageLatency(device), "pages pass the NoC one by one, each with its latency"},
  };
  double explained = before;
  for (const Part &part : parts)
    explained += part.ns;
  if (after > kCliffRatio * explained)
    return "";
  return std::max_element(std::begin(parts), std::end(parts),
                          [](const Part &a, const Part &b) { return a.ns < b.ns; })
      ->reason;
}

/// What leaves shards is no longer bound to their cores.
llvm::StringRef freeReason(const LayoutChange &change) {
  const PlacementWork &from = change.from.work, &to = change.to.work;
  bool spread = to.busiest < 0.95 * from.busiest || to.cores > from.cores;
  return spread ? "more cores share the work than held the shards, which pays for the transfer" : "";
}

} // namespace

PlacementWork workOf(const OpQuery &query, const LayoutPool &layouts, const DeviceSpec &device) {
  PlacementWork work;
  double workers = double(std::max<int64_t>(1, device.workerGrid.volume()));
  work.cores = workers;
  double mostPages = 1;
  const TensorLayout *first = nullptr;
  bool inPlace = true;
  auto add = [&](const TensorDesc &tensor, LayoutId id, double &dram) {
    const TensorLayout &layout = layouts[id];
    double bytes = double(totalBytes(layout, tensor.shape).value());
    double pages = std::max(1.0, bytes / std::max(1.0, double(pageBytes(layout).value())));
    double part = layout.isSharded() ? double(bytesPerCore(layout, device).value())
                                     : std::ceil(pages / workers) * double(pageBytes(layout).value());
    work.bytes = std::max(work.bytes, bytes);
    work.busiest = std::max(work.busiest, part);
    work.pages += part / std::max(1.0, double(pageBytes(layout).value()));
    mostPages = std::max(mostPages, pages);
    if (layout.isSharded())
      work.cores = std::min(work.cores, double(layout.coreCount().value()));
    if (layout.isDram())
      dram += bytes;
    work.rows |= !layout.isTiled();
    first = first ? first : &layout;
    inPlace &= layout.isSharded() && layout.memory == first->memory && layout.grid == first->grid;
  };
  for (size_t i = 0; i < query.inputs.size(); ++i)
    if (query.op.operands[i].sameAs == i)
      add(query.op.operands[i].tensor, query.inputs[i], work.dramRead);
  for (size_t i = 0; i < query.config.outputs.size(); ++i)
    if (query.config.outputs[i].valid())
      add(query.op.results[i], query.config.outputs[i], work.dramWritten);
  work.cores = std::min(work.cores, mostPages);
  if (inPlace)
    work.pages = 0;
  return work;
}

llvm::StringRef reasonOf(const LayoutChange &change, const DeviceSpec &device) {
  llvm::StringRef reason = change.kind == Ratio  ? ratioReason(change, device)
                           : change.kind == Free ? freeReason(change)
                                                 : llvm::StringRef();
  return reason.empty() ? namedReason(change) : reason;
}

} // namespace tessera
