//===- Streams.cpp - Tables of element-wise and conversion times ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// perf_exp_interleaved_n150, perf_reshard_noc_traces_wh:
// facts/hardware 0.
//
//===----------------------------------------------------------------------===//
#include "Import.h"
#include "Question.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

// ---- exp ------------------------------------------------------------------------------------------------

/// Whether an exp row's time can be that of its label. In the source, a sixth of the shapes hold samples of
/// another shape: its 40 samples (data type x operand in DRAM, L1 x result in DRAM, L1 x 2 runs) are shifted
/// by 15, so that the bf16, bfp8 and f32 rows, and now and then the first u32 row, are foreign; uint16 rows
/// and u32 rows from L1 never are. A row is compared with those of its shape. No runtime formula takes part.
class ExpLabels {
public:
  explicit ExpLabels(const CsvTable &table) {
    for (size_t i = 0; i < table.size(); ++i) {
      CsvTable::Row row = table.row(i);
      std::optional<double> ns = row.number("device_kernel_ns_mean");
      if (!ns)
        continue;
      if (row["dtype"] == "uint16")
        sixteenBit[row["shape"]].add(*ns);
      else if (row["dtype"] == "uint32" && row["input_buffer"] == "L1")
        fromL1[row["shape"]].add(*ns);
    }
  }

  /// Why the row is doubtful, "" if it is not.
  std::string doubt(CsvTable::Row row, double ns, int64_t tiles, int64_t cores, int64_t tile) const {
    if (row.number("device_kernel_ns_max").value_or(0) >
        2.2 * row.number("device_kernel_ns_min").value_or(1e300))
      return "its samples differ by more than the place of the result explains";
    if (row["dtype"] == "uint16")
      return "";
    // The same program per tile; a bf16 tile has as many bytes, a bfp8 tile fewer, the others twice as many.
    if (auto same = sixteenBit.find(row["shape"]); same != sixteenBit.end())
      return within(ns / same->second.mean(), row["dtype"],
                    {{"bfloat16", .9, 1.1}, {"bfloat8", .7, 1.1}, {"", .95, 2}}, "uint16");
    bool anchor = row["dtype"] == "uint32" && row["input_buffer"] == "L1";
    if (auto same = fromL1.find(row["shape"]); same != fromL1.end() && !anchor)
      return within(ns / same->second.mean(), row["dtype"],
                    {{"bfloat16", .5, 1.1}, {"bfloat8", .4, 1.1}, {"", .7, 1.4}}, "uint32 from L1");
    // The vector unit takes 2071 - 5 % cycles per tile; at most all overheads, 2300 cycles per tile, and
    // reads and writes at the lowest rates of the DRAM (facts/hardware 1.5, 6.5), one
    // after the other.
    double rounds = double(ceilDiv(tiles, cores)), bytes = double(tiles * tile);
    bool possible = ns >= 0.95 * 2071 * rounds && ns <= 6000 + 2300 * rounds + bytes * (1 / 75.0 + 1 / 78.0);
    return possible ? "" : "impossible for its shape and type";
  }

private:
  struct Mean {
    double sum = 0, count = 0;
    void add(double value) { sum += value, count += 1; }
    double mean() const { return sum / count; }
  };
  struct Range {
    llvm::StringRef type; ///< "": any other
    double low, high;
  };
  static std::string within(double ratio, llvm::StringRef type, std::initializer_list<Range> ranges,
                            llvm::StringRef anchor) {
    const Range *range =
        llvm::find_if(ranges, [&](const Range &r) { return r.type.empty() || r.type == type; });
    if (ratio >= range->low && ratio <= range->high)
      return "";
    return llvm::formatv("{0:F2} times what {1} takes for the same shape", ratio, anchor).str();
  }
  llvm::StringMap<Mean> sixteenBit, fromL1;
};

/// A row averages runs with the result in L1 (if it fits beside the operand) and in DRAM: inferred from its
/// two-peaked minima and maxima, not documented.
void readExpRow(CsvTable::Row row, const ExpLabels &labels, ImportSink &sink) {
  Shape shape = shapeOf(row["shape"]);
  std::optional<DataType> type = dataTypeOf(row["dtype"]);
  std::optional<DeviceSpec> device = deviceOf(row["board"]);
  if (shape.empty() || !type || !device || !row["op"].starts_with("exp"))
    return sink.skip("shape, data type, board or op missing or unknown");
  bool fromDram = row["input_buffer"] == "DRAM";
  TensorDesc tensor{shape, *type};
  TensorLayout dram = dramInterleaved(tensor), l1 = l1Interleaved(tensor, device->workerGrid);
  TimingRow timing;
  timing.call =
      Question("ttnn.exp", *device).operand(tensor, fromDram ? dram : l1).result(tensor, dram).call();
  timing.family = "exp " + row["dtype"].str();
  timing.shape = row["shape"].str();
  timing.group = "unary";
  timing.ns = row.number("device_kernel_ns_mean").value_or(0);
  int64_t tile = tileBytes(*type).value(), tiles = totalBytes(dram, shape).value() / tile;
  timing.doubt = labels.doubt(row, timing.ns, tiles, device->workerGrid.volume(), tile);
  // A result in L1 has to fit there, beside the operand if that lies there too: of some 1.3 MB.
  if (bytesPerCore(l1, *device).value() * (fromDram ? 1 : 2) <= 1300000)
    timing.call.alternatives = {{l1}};
  sink.add(std::move(timing));
}

void readExp(const CsvTable &table, SinkOfRow sinkOf) {
  ExpLabels labels(table);
  for (size_t i = 0; i < table.size(); ++i) {
    ImportSink sink = sinkOf(table.row(i));
    readExpRow(table.row(i), labels, sink);
  }
}

// ---- Interleaved to sharded and reshard -----------------------------------------------------------------

/// "4x2_BLOCK": grid and kind of shards of 16 x 8 tiles of 4096 bytes.
std::optional<TensorLayout> shardsOf(llvm::StringRef text, const TensorDesc &tensor, GridShape workers) {
  auto [size, kind] = text.split('_');
  Shape grid = shapeOf(size);
  if (grid.size() != 2 || grid[0] > workers.rows || grid[1] > workers.columns)
    return std::nullopt;
  GridShape shape{grid[0], grid[1]};
  if (kind == "BLOCK")
    return l1Sharded(tensor, MemoryLayout::BlockSharded, shape, workers);
  if (kind != "HEIGHT")
    return std::nullopt;
  // Height shards lie on the rectangle that the case names, and not on the first cores of each row.
  TensorLayout layout = l1Sharded(tensor, MemoryLayout::HeightSharded, {shape.volume(), 1}, workers);
  layout.cores = rectangleOfCores(shape);
  return layout;
}

/// Cases are named after source and destination: "1x2_BLOCK_TO_2x4_HEIGHT", "DRAM_TO_4x4_BLOCK".
void readNoc(CsvTable::Row row, ImportSink &sink) {
  auto [from, to] = row["case"].split("_TO_");
  std::optional<DeviceSpec> device = deviceOf(row["arch"], {10, 8});
  std::optional<int64_t> bytes = row.integer("bytes_total");
  std::optional<double> cycles = row.number("max_kernel_cycles");
  if (!device || !bytes || !cycles || *bytes < 2048)
    return sink.skip("architecture, bytes or cycles missing or unknown");
  bool fromDram = from == "DRAM";
  // Reshard cases move 16 x 8 tiles of 4096 bytes, the others bf16 tiles.
  TensorDesc tensor{{512, 256}, DataType::Float32};
  if (fromDram)
    tensor = {{*bytes / 2048 * 32, 32}, DataType::BFloat16};
  std::optional<TensorLayout> target = shardsOf(to, tensor, device->workerGrid);
  std::optional<TensorLayout> source =
      fromDram ? dramInterleaved(tensor) : shardsOf(from, tensor, device->workerGrid);
  if (fromDram && target && to.ends_with("BLOCK")) {
    // The tensor's own width is not recorded: the shards are what counts.
    Shape grid = shapeOf(to.split('_').first);
    tensor.shape = {*bytes / 2048 / grid[1] * 32, grid[1] * 32};
    source = dramInterleaved(tensor);
    target = shardsOf(to, tensor, device->workerGrid);
  }
  if (!source || !target || (!fromDram && *bytes != 524288))
    return sink.skip("case '" + row["case"] + "' is not understood");
  TimingRow timing;
  timing.call =
      Question("ttnn.to_memory_config", *device).operand(tensor, *source).result(tensor, *target).call();
  timing.family = fromDram ? "interleaved to sharded wormhole_b0" : "reshard wormhole_b0";
  timing.group = "conversion";
  timing.ranking = timing.family;
  timing.shape = row["case"].str();
  timing.ns = *cycles / device->clockGHz;
  sink.add(std::move(timing));
}

constexpr llvm::StringLiteral kExp[] = {"shape", "dtype", "input_buffer", "device_kernel_ns_mean"};
constexpr llvm::StringLiteral kNoc[] = {"case", "bytes_total", "max_kernel_cycles"};
constexpr TimingImporter kStreamImporters[] = {{kExp, readExp}, {kNoc, rowByRow<readNoc>}};

} // namespace

llvm::ArrayRef<TimingImporter> streamImporters() { return kStreamImporters; }

} // namespace tessera::evaluation
