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
// are in a table, by family and kind of change, each with the ratio that it may reach.
//
//===----------------------------------------------------------------------===//
#include "tessera/Evaluation/Cliffs.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

/// Words are "*" for any, or alternatives with | between them. "tiles" and "rows" stand for any place of such
/// pages.
struct Reason {
  CliffKind kind;
  llvm::StringLiteral family, from, to;
  double upTo; ///< ratio; of free transfers the least
  llvm::StringLiteral reason;
};
using enum CliffKind;
// A jump beyond the ratio that stands here is unexplained again, and shows.
constexpr Reason kReasons[] = {
    {Ratio, "concat|slice|repeat|repeat_interleave|pad", "rows", "tiles", 40,
     "a border within a tile: untilize, work on rows, tilize, each a program that moves all of the bytes"},
    {Ratio, "concat|slice|repeat|repeat_interleave|pad", "tiles", "tiles", 8,
     "a border within a tile: untilize, work on rows, tilize, each a program that moves all of the bytes"},
    {Ratio, "reshape", "rows", "tiles", 40,
     "a row lies in a tile as pieces of sixteen elements, each fetched for itself; rows are whole pages"},
    {Ratio, "reshape", "tiles", "rows", 60,
     "a core has rows of the operand that make whole rows of the result, and reads each by itself: a few "
     "long "
     "rows of many short ones are few cores' work"},
    {Ratio, "concat", "*", "rows", 40,
     "pieces that do not begin where reads may (multiples of 16 bytes in L1, of 32 or 64 in DRAM) are "
     "turned, joined as whole rows and turned back"},
    {Ratio, "permute|transpose", "rows", "tiles", 60,
     "a row lies in a tile as pieces of sixteen elements, each fetched for itself; rows are whole pages"},
    {Ratio, "permute|transpose", "tiles", "rows", 8,
     "a core moves rows element by element; the unpacker turns a whole tile"},
    {Ratio, "to_layout", "rows", "rows", 30,
     "interleaved rows are read in pieces, 1.5 to 1.8 bytes a cycle and core (tilize in data_movement.csv); "
     "in shards they lie where they are needed"},
    {Ratio, "to_layout", "tiles", "rows", 80,
     "rows are read and written one by one, 1.5 to 6 bytes a cycle and core (tilize and untilize in "
     "data_movement.csv), those of blocks of many matrices each waited for; a copy of tiles is not"},
    {Ratio, "to_layout", "rows", "tiles", 300,
     "what is missing to whole tiles is written by a data-movement core, about a byte a cycle "
     "(tilize_with_val_padding in op_traces.csv)"},
    {Ratio, "to_layout", "tiles", "tiles", 30,
     "interleaved rows are written one by one, 3 to 6 bytes a cycle and core (untilize in "
     "data_movement.csv); into a shard they are packed in place"},
    {Ratio, "matmul", "*", "DRAM", 250,
     "batches with every tensor in DRAM: the backend's own configuration multiplies them one after the "
     "other on the cores of one product (facts/formulas 7.1)"},
    {Ratio, "matmul", "*", "height", 40,
     "in0 is used in place by the cores of its rows, one product at a time where the result is more than "
     "eight tiles wide (matmul_height_sharded_n150.csv)"},
    {Ratio, "matmul", "*", "L1|block|width", 40,
     "with a tensor in L1 the backend's own configuration takes blocks of 16x16 tiles, or works tile by "
     "tile and reads operands again for each tile of the result (facts/formulas 7.1); the search holds "
     "others"},
    {Ratio, "eltwise_binary", "*", "height|width|block", 64,
     "shards that are not all full are not used in place, all cores share their tiles; full ones bind the "
     "work to their cores"},
    {Ratio, "norm|softmax", "*", "*", 64,
     "a core works on whole lines of tiles: fewer lines than cores leave cores idle; shards over the width "
     "share a line"},
    {Ratio, "pool", "*", "rows", 8,
     "shards over the channels share them out; an operand that is interleaved gets height shards, whose "
     "cores have all channels of their windows"},
    {Free, "eltwise_unary", "L1", "DRAM", 0.99,
     "arithmetic decides, and the transfer is hidden behind it; what the first page takes longer is less "
     "than the error of the kernel's start"},
    {Free, "norm", "width|block", "DRAM", 0.3,
     "shards over the width take part in the reduction of every row; interleaved, a core has its rows for "
     "itself"},
    {Free, "matmul", "*", "DRAM", 0.05,
     "the backend's own configuration is another one: its blocks are no longer bound to the shards, or to "
     "16x16 tiles"},
    {TooFast, "embedding|slice|mesh_partition|gather|paged_update_cache|update_cache|pool|upsample", "*", "*",
     0, "reads only the part of its operand that it needs"},
};

bool matches(llvm::StringRef pattern, llvm::StringRef text) {
  if (pattern == "*")
    return true;
  bool rows = text.ends_with(" rows");
  if (pattern == "rows" || pattern == "tiles")
    return rows == (pattern == "rows");
  llvm::SmallVector<llvm::StringRef> words;
  pattern.split(words, '|');
  return llvm::is_contained(words, text);
}

bool holds(const Reason &reason, const LayoutChange &change) {
  if (reason.kind != change.kind || !matches(reason.family, change.family) ||
      !matches(reason.from, change.from.place) || !matches(reason.to, change.to.place))
    return false;
  return reason.kind == Ratio ? change.ratio() <= reason.upTo : change.ratio() >= reason.upTo;
}

llvm::StringRef namedReason(const LayoutChange &change) {
  const Reason *found = llvm::find_if(kReasons, [&](const Reason &reason) { return holds(reason, change); });
  return found == std::end(kReasons) ? llvm::StringRef() : llvm::StringRef(found->reason);
}

/// ns until a page arrives: 467 cycles on Wormhole, 538 on Blackhole (facts/hardware 1.4).
/// Kernels wait for each.
double pageLatency(const DeviceSpec &device) {
  return (device.arch == Arch::Blackhole ? 538 : 467) / std::max(0.01, device.clockGHz);
}

/// How much more of a tensor the busiest core has than before.
double growth(const PlacementWork &from, const PlacementWork &to) {
  double most = 1;
  for (auto [before, after] : llvm::zip_equal(from.parts, to.parts))
    if (before > 0)
      most = std::max(most, after / before);
  return most;
}

llvm::StringRef ratioReason(const LayoutChange &change, const DeviceSpec &device) {
  const PlacementWork &from = change.from.work, &to = change.to.work;
  double before = change.from.time.total.value(), after = change.to.time.total.value();
  if (before <= 0)
    return "nothing runs before: the result is the operand's buffer";
  // As at the head of this file: what a core has more to do, bytes at the DRAM's pace, pages at the NoC's latency.
  struct Cause {
    double ns;
    llvm::StringRef reason;
  };
  const Cause causes[] = {
      {before * (growth(from, to) - 1),
       to.cores < from.cores ? "fewer cores share the work: those that hold the shards"
                             : "more bytes for a core: padding, a row of elements is a row of tiles"},
      {to.dramRead / device.dramReadGBs + to.dramWritten / device.dramWriteGBs,
       "its bytes pass the DRAM, at the bandwidth that kernels reach"},
      {to.pages * pageLatency(device), "pages pass the NoC one by one, each with its latency"},
  };
  double explained = before;
  for (const Cause &cause : causes)
    explained += cause.ns;
  if (after > kCliffRatio * explained)
    return "";
  return std::max_element(std::begin(causes), std::end(causes),
                          [](const Cause &a, const Cause &b) { return a.ns < b.ns; })
      ->reason;
}

/// What leaves shards is no longer bound to their cores.
llvm::StringRef freeReason(const LayoutChange &change) {
  const PlacementWork &from = change.from.work, &to = change.to.work;
  bool spread = to.cores > from.cores || (from.pages == 0 && to.pages > 0) || growth(to, from) > 1.05;
  return spread ? "more cores share the work than held the shards, which pays for the transfer" : "";
}

/// Of one tensor, what one core has to do with. Where rows are wanted, a shard is as many pieces as it has
/// rows.
struct Part {
  double whole, bytes, pages;
  bool even = true; ///< all shards are full
};
Part partOf(const TensorLayout &layout, const Shape &shape, bool rows, const DeviceSpec &device) {
  double whole = std::max(1.0, double(totalBytes(layout, shape).value()));
  GridShape units = physicalShapeInUnits(layout, shape);
  double pages = std::max(1.0, double(layout.isTiled() ? units.volume() : units.rows));
  if (layout.isSharded()) {
    double bytes = double(bytesPerCore(layout, device).value());
    double rowsOfShard = double(layout.shard.rows * (layout.isTiled() ? 32 : 1));
    return {whole, bytes, rows ? rowsOfShard : bytes / whole * pages,
            bytes * double(layout.coreCount().value()) <= whole};
  }
  // Pages are dealt out one by one; the busiest core has the part that is left over.
  double mine = std::ceil(pages / double(std::max<int64_t>(1, device.workerGrid.volume())));
  return {whole, mine * whole / pages, mine};
}

} // namespace

PlacementWork workOf(const OpQuery &query, const LayoutPool &layouts, const DeviceSpec &device) {
  PlacementWork work;
  llvm::SmallVector<std::pair<Part, const TensorLayout *>, 4> tensors;
  auto rowMajor = [&](LayoutId id) { return id.valid() && !layouts[id].isTiled(); };
  bool rows = llvm::any_of(query.inputs, rowMajor) || llvm::any_of(query.config.outputs, rowMajor);
  auto add = [&](const TensorDesc &tensor, LayoutId id, double &dram) {
    const TensorLayout &layout = layouts[id];
    tensors.push_back({partOf(layout, tensor.shape, rows, device), &layout});
    dram += layout.isDram() ? tensors.back().first.whole : 0;
  };
  for (size_t i = 0; i < query.inputs.size(); ++i)
    if (query.op.operands[i].sameAs == i)
      add(query.op.operands[i].tensor, query.inputs[i], work.dramRead);
  for (size_t i = 0; i < query.config.outputs.size(); ++i)
    if (query.config.outputs[i].valid())
      add(query.op.results[i], query.config.outputs[i], work.dramWritten);
  double largest = 0;
  for (const auto &[part, layout] : tensors)
    largest = std::max(largest, part.whole);
  work.cores = double(std::max<int64_t>(1, device.workerGrid.volume()));
  bool alike = true;
  const TensorLayout *first = nullptr;
  for (const auto &[part, layout] : tensors) {
    // A bias or a scale does not decide how many cores a kernel works on.
    bool small = layout != tensors[0].second && layout != tensors.back().second && part.whole * 4 < largest;
    work.parts.push_back(small ? 0 : part.bytes);
    work.pages += part.pages;
    first = first ? first : layout;
    alike &=
        layout->isSharded() && part.even && layout->memory == first->memory && layout->grid == first->grid;
    if (!small && layout->isSharded())
      work.cores = std::min(work.cores, double(layout->coreCount().value()));
  }
  // Nothing leaves its core then, so no page passes the NoC.
  if (alike)
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
