//===- StreamTimings.cpp - Tables of element-wise and conversion times ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// perf_exp_interleaved_n150, perf_reshard_noc_traces_wh:
// facts/hardware-and-performance.md 0.
//
//===----------------------------------------------------------------------===//
#include "Question.h"
#include "Timings.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

// ---- exp ------------------------------------------------------------------------------------------------

/// About one row in ten is mislabelled at its source (facts/hardware-and-performance.md 0). A row is taken as
/// such if its time is impossible for what its label says, by figures that owe nothing to the model: the
/// exponential alone takes 2000 cycles per tile (6.5), and three microseconds, 2300 cycles per tile or a DRAM
/// at 75 GB/s (6.6) for reading and writing do not explain half as much again.
bool labelFits(double ns, int64_t tiles, int64_t cores, int64_t tile) {
  double rounds = double(ceilDiv(tiles, cores)), bytes = double(tiles * tile);
  return ns >= 2000 * rounds && ns <= 1.5 * (3000 + std::max(2300 * rounds, bytes / 75));
}

/// A row averages runs with the result in L1 (if it fits beside the operand) and in DRAM: inferred from its
/// two-peaked minima and maxima, not documented.
void readExp(CsvTable::Row row, TimingSink &sink) {
  Shape shape = shapeOf(row["shape"]);
  std::optional<DataType> type = dataTypeOf(row["dtype"]);
  std::optional<DeviceSpec> device = deviceOf(row["board"]);
  if (shape.empty() || !type || !device || !row["op"].starts_with("exp"))
    return sink.skip("shape, data type, board or op missing or unknown");
  bool fromDram = row["input_buffer"] == "DRAM";
  TensorDesc tensor{shape, *type};
  TensorLayout dram = dramInterleaved(tensor), l1 = l1Interleaved(tensor, device->workerGrid);
  auto time = [&](const TensorLayout &result) {
    return Question("ttnn.exp", *device)
        .operand(tensor, fromDram ? dram : l1)
        .result(tensor, result)
        .kernelTime();
  };
  Timing timing;
  timing.what = llvm::formatv("exp {0} {1} from {2}", row["shape"], row["dtype"], row["input_buffer"]);
  timing.family = "exp " + row["dtype"].str();
  timing.group = "unary";
  timing.measured = row.number("device_kernel_ns_mean").value_or(0);
  int64_t tile = tileBytes(*type).value(), tiles = totalBytes(dram, shape).value() / tile;
  if (!labelFits(timing.measured, tiles, device->workerGrid.volume(), tile)) {
    timing.family = kDoubtfulFamily.str();
    timing.group = kDoubtful.str();
  }
  llvm::Expected<double> written = time(dram);
  int64_t perCore = bytesPerCore(l1, *device).value();
  if (!written || perCore * (fromDram ? 1 : 2) > 1300000)
    return sink.add(timing, std::move(written));
  llvm::Expected<double> kept = time(l1);
  if (!kept)
    return sink.add(timing, std::move(kept));
  sink.add(timing, (*written + *kept) / 2);
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
  TensorLayout layout = l1Sharded(tensor, MemoryLayout::HeightSharded, {shape.volume(), 1}, workers);
  layout.cores = rectangleOfCores(shape);
  return layout;
}

/// Cases are named after source and destination: "1x2_BLOCK_TO_2x4_HEIGHT", "DRAM_TO_4x4_BLOCK".
void readNoc(CsvTable::Row row, TimingSink &sink) {
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
  Timing timing;
  timing.what = row["case"].str();
  timing.family = fromDram ? "interleaved to sharded wormhole_b0" : "reshard wormhole_b0";
  timing.group = "conversion";
  timing.rankingClass = timing.family;
  timing.measured = *cycles / device->clockGHz;
  sink.add(timing, Question("ttnn.to_memory_config", *device)
                       .operand(tensor, *source)
                       .result(tensor, *target)
                       .kernelTime());
}

constexpr llvm::StringLiteral kExp[] = {"shape", "dtype", "input_buffer", "device_kernel_ns_mean"};
constexpr llvm::StringLiteral kNoc[] = {"case", "bytes_total", "max_kernel_cycles"};
constexpr TimingReader kReaders[] = {{kExp, readExp}, {kNoc, readNoc}};

} // namespace

llvm::ArrayRef<TimingReader> streamReaders() { return kReaders; }

} // namespace tessera::evaluation
