//===- Matmuls.cpp - Tables of matmul times -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// perf_gemm_flops, perf_decode_matmul_n150 and _p150, perf_matmul_height_sharded:
// facts/hardware 0.
//
//===----------------------------------------------------------------------===//
#include "Import.h"
#include "Question.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

using Kind = MatmulProgramConfig::Kind;

/// "HiFi2" as the model's attribute; "" if it is none.
std::string fidelityOf(llvm::StringRef text) { return text.lower(); }

struct Sizes {
  int64_t m = 0, k = 0, n = 0; ///< elements
  bool ok() const {
    for (int64_t size : {m, k, n})
      if (size < 1 || size > int64_t(1) << 24)
        return false;
    return true;
  }
  Shape a() const { return {m, k}; }
  Shape b() const { return {k, n}; }
  Shape c() const { return {m, n}; }
};

// ---- perf_gemm_flops ------------------------------------------------------------------------------------

/// Largest divisor of `k`, at most `limit` if given, for which `fits` holds; 1 if none.
int64_t largestDivisor(int64_t k, llvm::function_ref<bool(int64_t)> fits) {
  for (int64_t d = 1; d < k; ++d)
    if (k % d == 0 && fits(k / d))
      return k / d;
  return 1;
}

/// The program config of a hand-tuned row. The table does not hold it: this is what the benchmark is believed
/// to do. The largest K block that fits in L1; DRAM operands with 256 and more result tiles per core are cut
/// into blocks of 16x16 or 8x8.
MatmulProgramConfig handTuned(const Sizes &s, const DeviceSpec &device, int64_t tile, bool sharded) {
  int64_t gx = device.workerGrid.columns, gy = device.workerGrid.rows, space = device.usableL1().value();
  MatmulProgramConfig c;
  c.kind = Kind::MultiCast2D;
  c.grid = {gx, gy};
  c.perCoreM = ceilDiv(ceilDiv(s.m, 32), gy);
  c.perCoreN = ceilDiv(ceilDiv(s.n, 32), gx);
  // Partial sums are of bf16: where the result is, too, they need no buffer of their own.
  int64_t perColumn = std::max<int64_t>(1, ceilDiv(s.k, 32) / gx), partials = tile == 2048 ? 0 : 2048;
  auto fits = [&](int64_t h, int64_t w, int64_t k) {
    // Two blocks of each operand, so that one arrives while the other is multiplied, and a block of the result. Shards
    // of operand and result lie there besides.
    int64_t bytes = 2 * (h + w) * k * tile + h * w * (tile + partials);
    return bytes + (sharded ? h * perColumn * tile + h * w * tile : 0) <= space;
  };
  c.outBlockH = c.perCoreM;
  c.outBlockW = c.perCoreN;
  for (int64_t block : {16, 8})
    if (!sharded && c.perCoreM * c.perCoreN >= 256 && c.perCoreM % block == 0 && c.perCoreN % block == 0) {
      int64_t k = largestDivisor(perColumn, [&](int64_t d) { return d <= 16 && fits(block, block, d); });
      if (!fits(block, block, k))
        continue;
      c.outBlockH = c.outBlockW = block;
      c.in0BlockW = k;
      return c;
    }
  c.in0BlockW = largestDivisor(perColumn, [&](int64_t d) { return fits(c.perCoreM, c.perCoreN, d); });
  return c;
}

void readGemm(CsvTable::Row row, ImportSink &sink) {
  std::optional<double> us = row.number("device_time_us_derived");
  if (!us)
    return sink.skip("no device time");
  Sizes s{row.integer("m").value_or(0), row.integer("k").value_or(0), row.integer("n").value_or(0)};
  GridShape grid{row.integer("grid_y").value_or(0), row.integer("grid_x").value_or(0)};
  llvm::StringRef board = findDevice(row["board"]) ? row["board"] : row["arch"];
  std::optional<DeviceSpec> device = deviceOf(board, grid);
  std::optional<DataType> type = dataTypeOf(row["dtype"]);
  if (!s.ok() || !device || !type || grid.rows < 1 || grid.rows > 64 || grid.columns < 1 || grid.columns > 64)
    return sink.skip("sizes, grid, board or data type missing or unknown");
  bool sharded = row["in0_sharded"].equals_insensitive("true");
  TensorDesc a{s.a(), *type}, b{s.b(), *type}, c{s.c(), *type};
  auto place = [&](const TensorDesc &tensor, bool shards, llvm::StringRef storage) {
    if (shards)
      return l1Sharded(tensor, MemoryLayout::BlockSharded, grid, grid);
    return storage == "L1" ? l1Interleaved(tensor, grid) : dramInterleaved(tensor);
  };
  Question question("ttnn.matmul", *device);
  question.operand(a, place(a, sharded, row["in0_storage"])).operand(b, dramInterleaved(b));
  question.result(c, place(c, row["out_sharded"].equals_insensitive("true"), row["out_storage"]));
  question.attribute("compute_config.math_fidelity", fidelityOf(row["fidelity_effective"]));
  // The table does not say its program configs (docs/op-model.md, "What these figures do not show"); hand-tuned
  // ones are reconstructed, and others are the backend's own choice.
  if (row["kind"] == "manual") {
    MatmulProgramConfig config = handTuned(s, *device, tileBytes(*type).value(), sharded);
    GridShape subblock = analytic::defaultSubblock({config.outBlockH, config.outBlockW}, false, sharded);
    config.outSubblockH = subblock.rows;
    config.outSubblockW = subblock.columns;
    question.config(config);
  }
  std::string shape = llvm::formatv("{0}x{1}x{2}", s.m, s.k, s.n);
  TimingRow timing;
  timing.call = question.call();
  // Utilisation counts the math thread's cycles, so the last write is not in the time (facts/hardware 0).
  timing.part = KernelPart::MatmulMath;
  timing.family = "gemm " + name(device->arch).str();
  timing.group = "gemm";
  timing.ranking = timing.family + shape;
  timing.shape = shape;
  timing.ns = *us * 1000;
  sink.add(std::move(timing));
}

// ---- Decode ---------------------------------------------------------------------------------------------

struct Decode {
  Sizes s;
  DataType weights = DataType::BFP_BFloat8;
  int64_t in0Cores = 0, blockK = 0, perCoreN = 0;
  bool dramSharded = false;
  llvm::StringRef fidelity;
  std::string what;
};

void addDecode(const Decode &d, const DeviceSpec &device, double us, ImportSink &sink) {
  int64_t nt = ceilDiv(d.s.n, 32), cores = device.workerGrid.volume();
  if (!d.s.ok() || d.in0Cores < 1 || d.in0Cores > cores || d.blockK < 1 || d.blockK > 1 << 16 ||
      d.perCoreN < 1 || d.perCoreN > 1 << 16)
    return sink.skip(d.what + ": sizes missing, or its cores do not fit the device");
  // K is padded to whole blocks. On how many cores in0 lies makes no difference to the model, as long as each
  // holds whole blocks.
  int64_t kt = alignUp(ceilDiv(d.s.k, 32), d.blockK), blocks = kt / d.blockK,
          in0Cores = std::min(d.in0Cores, blocks);
  while (blocks % in0Cores)
    --in0Cores;
  // Activations are bf16: the tables vary the weights alone.
  TensorDesc a{{d.s.m, kt * 32}}, b{{kt * 32, d.s.n}, d.weights}, c{d.s.c()};
  auto width = [&](const TensorDesc &tensor, int64_t count) {
    return l1Sharded(tensor, MemoryLayout::WidthSharded, {1, count}, device.workerGrid);
  };
  MatmulProgramConfig config;
  config.kind = d.dramSharded ? Kind::MultiCastDramSharded : Kind::MultiCast1D;
  config.grid = {device.workerGrid.columns, device.workerGrid.rows};
  config.in0BlockW = d.blockK;
  config.perCoreN = config.outBlockW = d.perCoreN;
  TensorLayout weights = dramInterleaved(b);
  // This kernel wants weights that are cut over the banks of DRAM, which form a row.
  if (d.dramSharded) {
    GridShape banks{1, device.dramBanks};
    weights = l1Sharded(b, MemoryLayout::WidthSharded, banks, banks);
    weights.buffer = BufferType::DRAM;
  }
  Question question("ttnn.matmul", device);
  question.operand(a, width(a, in0Cores)).operand(b, weights);
  question.result(c, width(c, std::min(cores, ceilDiv(nt, d.perCoreN))));
  question.attribute("compute_config.math_fidelity", d.fidelity.lower()).config(config);
  TimingRow timing;
  timing.call = question.call();
  timing.family = (d.dramSharded ? "decode dram_sharded " : "decode 1d ") + name(device.arch).str();
  timing.group = "decode_matmul";
  timing.ranking = timing.shape = llvm::formatv("{0} {1}x{2}", name(device.arch), d.s.k, d.s.n);
  timing.ns = us * 1000;
  sink.add(std::move(timing));
}

/// Both kernels of one row. Fidelity from the table's source note: DRAM-sharded HiFi2, 1D LoFi; the one bfp4
/// row fits LoFi only. FALLBACK models did not run DRAM-sharded, nor did lm_head.
void readDecodeN150(CsvTable::Row row, ImportSink &sink) {
  std::optional<DeviceSpec> device = deviceOf("n150");
  std::optional<DataType> type = dataTypeOf(row["weight_dtype_guess"]);
  Decode d;
  d.s = {32, row.integer("K").value_or(0), row.integer("N").value_or(0)};
  d.what = llvm::formatv("{0} {1} {2}x{3}", row["model"], row["role"], d.s.k, d.s.n);
  if (!device || !type || !d.s.ok())
    return sink.skip("sizes or data type missing or unknown");
  d.weights = *type;
  // How many cores in0 lies on follows from what each of them has.
  int64_t perCore = row.integer("k_tiles_per_in0_core").value_or(0);
  d.in0Cores = perCore > 0 ? ceilDiv(ceilDiv(d.s.k, 32), perCore) : 1;
  std::optional<double> mcast = row.number("mcast1d_us"), banks = row.number("ds_us");
  std::optional<int64_t> blockMcast = row.integer("in0_block_w_mcast"),
                         blockDs = row.integer("in0_block_w_ds");
  if (mcast && blockMcast) {
    d.blockK = *blockMcast;
    d.perCoreN = row.integer("per_core_N_tiles").value_or(0);
    d.fidelity = "lofi";
    addDecode(d, *device, *mcast, sink);
  } else {
    sink.skip(d.what + ": 1D: no time or no in0_block_w");
  }
  if (!banks || !blockDs || row["model"].contains("FALLBACK") || row["role"] == "lm_head")
    return sink.skip(d.what + ": DRAM-sharded: no time, no in0_block_w, or the kernel was not used");
  d.dramSharded = true;
  d.blockK = *blockDs;
  // The whole grid of 8 x 8 where the row does not say how many took part.
  d.perCoreN = ceilDiv(ceilDiv(d.s.n, 32), std::max<int64_t>(1, row.integer("cores_ds").value_or(64)));
  d.fidelity = *type == DataType::BFP_BFloat4 ? "lofi" : "hifi2";
  addDecode(d, *device, *banks, sink);
}

/// Where no fidelity is recorded: sweeps named ds_* HiFi2, the others LoFi (inferred).
void readDecodeP150(CsvTable::Row row, ImportSink &sink) {
  std::optional<DeviceSpec> device = deviceOf("p150");
  std::optional<DataType> type = dataTypeOf(row["dtype"]);
  std::optional<double> us = row.number("us");
  Decode d;
  d.s = {row.integer("m").value_or(32), row.integer("k").value_or(0), row.integer("n").value_or(0)};
  d.what = llvm::formatv("{0} {1} {2}x{3}", row["sweep"], row["config"], d.s.k, d.s.n);
  if (row["status"] != "ok" || !us)
    return sink.skip(d.what + ": did not run: " + row["status"]);
  if (!device || !type || !d.s.ok())
    return sink.skip("sizes or data type missing or unknown");
  d.weights = *type;
  d.in0Cores = row.integer("in0_cores").value_or(0);
  d.blockK = row.integer("in0_block_w").value_or(0);
  d.dramSharded = row["kernel"] != "mcast";
  if (d.dramSharded && d.in0Cores < 1)
    d.in0Cores = 1; // not recorded in every sweep
  d.perCoreN = d.in0Cores > 0 ? ceilDiv(ceilDiv(d.s.n, 32), d.in0Cores) : 0;
  d.fidelity = !row["fidelity"].empty()          ? row["fidelity"]
               : row["sweep"].starts_with("ds_") ? "hifi2"
                                                 : "lofi";
  addDecode(d, *device, *us, sink);
}

// ---- Height-sharded in0 ---------------------------------------------------------------------------------

/// The backend's default configuration; data type and fidelity are not recorded, bf16 is assumed.
void readHeightSharded(CsvTable::Row row, ImportSink &sink) {
  Sizes s{row.integer("m").value_or(0), row.integer("k").value_or(0), row.integer("n").value_or(0)};
  int64_t cores = row.integer("num_cores").value_or(0);
  std::optional<DeviceSpec> device = deviceOf(row["board"]);
  if (!s.ok() || !device || cores < 1 || cores > device->workerGrid.volume())
    return sink.skip("sizes, cores or board missing or unknown");
  TensorDesc a{s.a()}, b{s.b()}, c{s.c()};
  // The result lies as in0 does, on the same cores.
  auto shards = [&](const TensorDesc &tensor) {
    return l1Sharded(tensor, MemoryLayout::HeightSharded, {cores, 1}, device->workerGrid);
  };
  Question question("ttnn.matmul", *device);
  question.operand(a, shards(a)).operand(b, dramInterleaved(b)).result(c, shards(c));
  TimingRow timing;
  timing.call = question.call();
  timing.family = "matmul height-sharded";
  timing.group = "height_sharded_matmul";
  timing.shape = llvm::formatv("{0}x{1}x{2}", s.m, s.k, s.n);
  timing.ns = row.number("device_kernel_ns").value_or(0);
  sink.add(std::move(timing));
}

constexpr llvm::StringLiteral kGemm[] = {"m", "k", "n", "grid_x", "grid_y", "kind", "device_time_us_derived"};
constexpr llvm::StringLiteral kDecodeN150[] = {"K", "N", "mcast1d_us", "ds_us", "weight_dtype_guess"};
constexpr llvm::StringLiteral kDecodeP150[] = {"k", "n", "in0_cores", "in0_block_w", "kernel", "us"};
constexpr llvm::StringLiteral kHeightSharded[] = {"m", "k", "n", "num_cores", "device_kernel_ns"};
constexpr TimingImporter kMatmulImporters[] = {{kGemm, rowByRow<readGemm>},
                                               {kDecodeN150, rowByRow<readDecodeN150>},
                                               {kDecodeP150, rowByRow<readDecodeP150>},
                                               {kHeightSharded, rowByRow<readHeightSharded>}};

} // namespace

llvm::ArrayRef<TimingImporter> matmulImporters() { return kMatmulImporters; }

} // namespace tessera::evaluation
