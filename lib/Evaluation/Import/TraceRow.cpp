//===- TraceRow.cpp - One row of a profile ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A profile has of each program how many cores ran, and one shard for all of its
// tensors. Which grid that was, and how the other tensors were cut, follows from known
// grids and from the shapes.
//
//===----------------------------------------------------------------------===//
#include "TraceRow.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {

llvm::StringRef after(llvm::StringRef text, llvm::StringRef key, llvm::StringRef ends) {
  size_t at = text.find(key);
  return at == llvm::StringRef::npos
             ? llvm::StringRef()
             : text.substr(at + key.size()).take_until([&](char c) { return ends.contains(c); });
}

int64_t numberAfter(llvm::StringRef text, llvm::StringRef key, int64_t otherwise) {
  int64_t value;
  return after(text, key, ";) '}]").trim().getAsInteger(10, value) ? otherwise : value;
}

std::vector<int64_t> listAfter(llvm::StringRef text, llvm::StringRef key) {
  std::vector<int64_t> list;
  llvm::SmallVector<llvm::StringRef> parts;
  after(text, key, "])}").split(parts, ';', -1, false);
  for (llvm::StringRef part : parts)
    if (int64_t value; !part.trim().getAsInteger(10, value))
      list.push_back(value);
  return list;
}

TraceRow::TraceRow(CsvTable::Row row) : row(row), attributes(row["attributes"]) {
  cores = row.integer("cores").value_or(0);
  op = row["op"];
  // Profilers of different years name a program with that ending and without.
  op.consume_back("DeviceOperation");
  std::vector<int64_t> shape = listAfter(row["shard_spec"], "shape={");
  if (shape.size() == 2 && shape[0] > 0 && shape[1] > 0)
    shard = GridShape{shape[0], shape[1]};
  arch = row["arch"];
}

std::string TraceRow::what() const {
  return llvm::formatv("{0} {1} {2} {3} > {4} {5}, {6} cores", row["op"], row["input_0_logical"],
                       row["input_0_mem"], row["input_0_dtype"], row["output_0_logical"], row["output_0_mem"],
                       cores);
}

/// Known sizes of grids: 64 is 8x8, 16 is 4x4, 20 is 4x5, 110 is 10x11.
GridShape TraceRow::grid() const {
  int64_t available = row.integer("avail_cores").value_or(cores <= 20 ? 20 : cores);
  int64_t all =
      (op == "Matmul" || op == "Reshard") && available >= cores && available <= 1024 ? available : cores;
  for (GridShape known : {GridShape{8, 8}, GridShape{4, 4}, GridShape{4, 5}, GridShape{10, 11}})
    if (known.volume() == all)
      return known;
  return {1, all};
}

bool TraceRow::hasShardOf(llvm::StringRef which) const {
  llvm::StringRef result = row["output_0_mem"];
  bool alike = row["input_0_mem"] == result && op != "Reshard";
  return which == "output_0" || alike || !result.ends_with("_SHARDED");
}

TensorLayout TraceRow::sharded(const TensorDesc &desc, MemoryLayout memory, PageLayout page,
                               bool recorded) const {
  TensorLayout layout = l1Sharded(desc, memory, {1, 1}, {1, 1}, page);
  GridShape whole = physicalShape(layout, desc.shape);
  bool block = memory == MemoryLayout::BlockSharded;
  // The operand of a reshard may lie on other cores than its result: on all there are.
  bool elsewhere = op == "Reshard" && !recorded;
  int64_t over = elsewhere ? row.integer("avail_cores").value_or(cores) : cores;
  GridShape shards = block                                  ? grid()
                     : memory == MemoryLayout::WidthSharded ? GridShape{1, over}
                                                            : GridShape{over, 1};
  GridShape extent{ceilDiv(whole.rows, shards.rows), ceilDiv(whole.columns, shards.columns)};
  // Even so it may be that of the row's other tensor.
  bool own = recorded && shard &&
             (memory != MemoryLayout::HeightSharded || shard->columns >= whole.columns) &&
             (memory != MemoryLayout::WidthSharded || shard->rows >= whole.rows);
  // Taken as it is: from the number of cores alone a smaller one might follow, for cores that got none.
  if (own)
    extent = *shard;
  int64_t unit = page == PageLayout::Tile ? 32 : 1;
  layout.shard = {ceilDiv(extent.rows, unit), ceilDiv(extent.columns, unit)};
  int64_t columns = memory == MemoryLayout::HeightSharded ? 1 : ceilDiv(whole.columns, extent.columns);
  int64_t rows = memory == MemoryLayout::WidthSharded ? 1 : ceilDiv(whole.rows, extent.rows);
  layout.grid = {rows, columns};
  GridShape all = grid();
  layout.cores = block || rows * columns > all.volume() ? rectangleOfCores(layout.grid)
                                                        : rowMajorCores(CoreCount(rows * columns), all);
  return layout;
}

std::optional<TraceTensor> TraceRow::tensor(llvm::StringRef which, std::optional<PageLayout> as) const {
  auto cell = [&](llvm::StringRef name) { return row[(which + name).str()]; };
  Shape shape = shapeOf(cell("_logical"));
  std::optional<DataType> type = dataTypeOf(cell("_dtype"));
  llvm::StringRef memory = cell("_mem");
  if (shape.empty() || !type)
    return std::nullopt;
  TraceTensor tensor;
  tensor.desc = {shape, *type};
  tensor.tiled = cell("_layout") == "TILE";
  if (as)
    tensor.tiled = *as == PageLayout::Tile;
  PageLayout page = tensor.tiled ? PageLayout::Tile : PageLayout::RowMajor;
  tensor.dram = memory.consume_front("DRAM_");
  memory.consume_front("L1_");
  // Shards of N dimensions in DRAM go round its banks as pages do.
  if (memory == "INTERLEAVED" || (memory == "ND_SHARDED" && tensor.dram))
    tensor.layout =
        tensor.dram ? dramInterleaved(tensor.desc, page) : l1Interleaved(tensor.desc, grid(), page);
  else if (std::optional<MemoryLayout> kind = parseMemoryLayout(memory.lower()); kind && !tensor.dram)
    tensor.layout = sharded(tensor.desc, *kind, page, hasShardOf(which));
  else
    return std::nullopt;
  return tensor;
}

TimingRow TraceRow::timing(Call call) const {
  TimingRow timing;
  timing.call = std::move(call);
  timing.family = llvm::formatv("trace {0} {1}", op, arch);
  timing.group = "op_trace";
  timing.ranking = timing.family;
  timing.shape = (row["input_0_logical"] + " > " + row["output_0_logical"]).str();
  timing.ns = row.number("device_kernel_ns_median").value_or(0);
  // Profilers name all runs of a cached program after the first, though its hash need not hold the shapes.
  if (row.number("device_kernel_ns_max").value_or(0) >
      1.5 * row.number("device_kernel_ns_min").value_or(1e300))
    timing.doubt = "several configurations under one label: the slowest run took 1.5 times the fastest";
  return timing;
}

} // namespace tessera::evaluation
