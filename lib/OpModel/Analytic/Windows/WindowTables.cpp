//===- WindowTables.cpp - What drives the exchange of halos --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// tt-metal 0.77: sliding_window.cpp. Two kernels share the padding of a core and
// what it sends: row-major sticks piece by piece, tiled ones block by block.
//
//===----------------------------------------------------------------------===//
#include "../OpCall.h"

#include <algorithm>
#include <map>

namespace tessera::analytic {
namespace {

constexpr int64_t kEntryBytes = 2, kBlock = 32;

/// Entries of one kernel's list: their number, and for every core that pieces in a row go to a header.
struct List {
  int64_t entries = 1, last = -1;
  void add(int64_t core) {
    entries += core == last ? 3 : 6;
    last = core;
  }
};

} // namespace

/// Appends what goes from the core that holds `sticks` (numbers of input sticks) to `target`, whose halo is a range
/// of the padded image. Both count row by row, but the padded image has gaps between rows: a piece is a run of
/// sticks that lies without a gap in both. Pieces that follow each other in the halo without padding between them
/// become one transfer.
void Window::addTransfers(Range sticks, int64_t target, Range halo, std::vector<Transfer> &transfers) const {
  int64_t end = -1; // of the last piece, padded
  for (int64_t begin = sticks.begin; begin < sticks.end;) {
    int64_t next = std::min(sticks.end, pieceEnd(begin));
    int64_t from = std::max(padded(begin), halo.begin), to = std::min(padded(begin) + next - begin, halo.end);
    // Where the piece begins in the core's own shard.
    int64_t source = begin + from - padded(begin) - sticks.begin;
    if (from < to && from == end)
      transfers.back().size += to - from;
    else if (from < to)
      transfers.push_back({source, to - from, target});
    end = from < to ? to : -1;
    begin = next;
  }
}

/// What a core sends: to itself first, then to the others in their order. The lists that follow count a header per
/// change of receiver, so the order is part of the answer.
std::vector<Window::Transfer> Window::transfersFrom(int64_t core, const Split &split) const {
  std::vector<Transfer> transfers;
  Range sticks{core * split.inPerCore, std::min((core + 1) * split.inPerCore, inSticks())};
  if (sticks.begin >= sticks.end)
    return transfers;
  auto halo = [&](int64_t target) { return haloOf(target, split.perCore); };
  addTransfers(sticks, core, halo(core), transfers);
  int64_t busy = ceilDiv(outSticks(), split.perCore), first = std::min(core, busy - 1);
  // Halos overlap their neighbours: those that need a stick lie side by side.
  while (first > 0 && halo(first - 1).end > padded(sticks.begin))
    --first;
  for (; first < busy && halo(first).begin <= padded(sticks.end - 1); ++first)
    if (first != core)
      addTransfers(sticks, first, halo(first), transfers);
  // Cores behind that make nothing are sent what the last stick of the result needs, each of them.
  for (int64_t idle = busy; idle < split.cores; ++idle)
    if (idle != core)
      addTransfers(sticks, idle, halo(idle), transfers);
  return transfers;
}

/// Bytes of four tables, each of the core that has most: runs of padding for the first and the second kernel,
/// transfers for the first and the second.
std::array<int64_t, 4> Window::haloLists(const Split &split) const {
  // A search asks a hundred times about each split of each image, in other layouts of other operands. Every answer follows from
  // the key alone, so it does not matter who asked first, nor that a full memo starts anew.
  constexpr size_t kMostKept = 1 << 14, kSplit = 5;
  thread_local std::map<std::array<int64_t, kFields + kSplit>, std::array<int64_t, 4>> known;
  std::array<int64_t, kFields + kSplit> key;
  llvm::copy(fields(), key.begin());
  llvm::copy(
      std::array<int64_t, kSplit>{split.perCore, split.inPerCore, split.cores, split.columns, split.tiled},
      key.begin() + kFields);
  if (known.size() >= kMostKept)
    known.clear();
  auto [entry, isNew] = known.try_emplace(key);
  if (isNew)
    entry->second = countedLists(split);
  return entry->second;
}

/// Transfers are cut where a block of 32 rows ends in the sender's shard, since a block is what is untilized at once, and sorted by where
/// they begin and by their receivers' places.
void Window::sortByBlocks(std::vector<Transfer> &transfers, int64_t columns) {
  std::vector<Transfer> blocks;
  for (Transfer t : transfers)
    for (int64_t at = t.source; at < t.source + t.size; at = (at / kBlock + 1) * kBlock)
      blocks.push_back({at, 0, t.core});
  auto place = [&](const Transfer &t) { return std::tuple(t.source, t.core % columns, t.core / columns); };
  llvm::sort(blocks, [&](const Transfer &a, const Transfer &b) { return place(a) < place(b); });
  transfers = std::move(blocks);
}

std::array<int64_t, 4> Window::countedLists(const Split &split) const {
  // Tables are as large on every core as on the one that needs most of them, since all run one program.
  int64_t pads = 0, most[2] = {1, 1};
  // Cores may hold a part of the image and compute none of the result, or the other way round.
  int64_t held = ceilDiv(inSticks(), std::max<int64_t>(1, split.inPerCore));
  for (int64_t core = 0; core < std::max(split.cores, held); ++core) {
    if (core < split.cores)
      pads = std::max(pads, paddingRuns(haloOf(core, split.perCore)));
    std::vector<Transfer> transfers = transfersFrom(core, split);
    if (split.tiled)
      sortByBlocks(transfers, split.columns);
    List lists[2];
    for (size_t i = 0; i < transfers.size(); ++i)
      // Two kernels: blocks go to them by the parity of their number, pieces of row-major shards in turn.
      lists[split.tiled ? transfers[i].source / kBlock % 2 : i % 2].add(transfers[i].core);
    for (size_t i = 0; i < 2; ++i)
      most[i] = std::max(most[i], alignUp(lists[i].entries, 2));
  }
  // Runs of padding are shared out alternately, two numbers each, and each list has a pair more.
  std::array<int64_t, 4> entries = {2 * (pads / 2 + 1), 2 * (pads - pads / 2 + 1), most[0], most[1]};
  for (int64_t &each : entries)
    each *= kEntryBytes;
  return entries;
}

/// By how many elements the sum under the window at `outStick` is divided; `counts`: padding is counted, too. What
/// lies beyond the padding (a last window that ceil_mode lets reach there) never is.
int64_t Window::divisor(int64_t outStick, bool counts) const {
  auto under = [counts](int64_t first, int64_t kernel, int64_t extent, int64_t before, int64_t behind) {
    int64_t begin = counts ? -before : 0, end = extent + (counts ? behind : 0);
    return std::min(first + kernel, end) - std::max(first, begin);
  };
  int64_t row = outStick / outWidth % outHeight, column = outStick % outWidth;
  return under(row * strideH - padTop, kernelH, inHeight, padTop, padBottom) *
         under(column * strideW - padLeft, kernelW, inWidth, padLeft, padRight);
}

/// A run of output sticks with one divisor takes three numbers, so that only borders cost anything: a core in the
/// middle of an image has one run.
int64_t Window::divisorTableBytes(int64_t perCore, bool counts) const {
  constexpr int64_t numbersOfRun = 3;
  int64_t most = 1;
  for (int64_t begin = 0; begin < outSticks(); begin += perCore) {
    int64_t runs = 1, end = std::min(begin + perCore, outSticks());
    for (int64_t stick = begin + 1; stick < end; ++stick)
      runs += divisor(stick, counts) != divisor(stick - 1, counts);
    most = std::max(most, runs);
  }
  return most * numbersOfRun * kEntryBytes;
}

} // namespace tessera::analytic
