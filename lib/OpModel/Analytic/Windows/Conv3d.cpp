//===- Conv3d.cpp - Convolution over depth, height and width --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each core gathers a block of patches, tilizes it and multiplies it with the
// prepared weights of a block of channels. Patches are gathered from a copy of all
// that a block's windows cover, where that fits. Blocks of input channels are
// multiplied on different cores, and added up by one of them.
//
//===----------------------------------------------------------------------===//
#include "../Family.h"
#include "../Movement/Permute.h"
#include "../Movement/Rearrange.h"
#include "../Runtime.h"
#include "Window.h"
#include "tessera/OpModel/ComputeConfig.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

/// The sizes that a call is cut into: what is stated, else what the library chooses.
struct Blocks {
  int64_t inChannels, outChannels;                    ///< of a block
  int64_t inBlocks;                                   ///< as many cores share a result
  int64_t patches;                                    ///< windows of a block
  int64_t rows, depth, columns;                       ///< of a block's product, in tiles
  int64_t covered = 0, coveredRows = 0, rowWidth = 0; ///< pixels under a block's windows
};

int64_t stated(const OpCall &call, llvm::StringRef field) {
  return call.op().integer(("conv3d_config." + field).str(), 0);
}

int64_t kernelVolume(const OpCall &call) {
  int64_t volume = 1;
  for (int64_t extent : call.op().integers("kernel_size"))
    volume *= std::max<int64_t>(1, extent);
  return volume;
}

/// Rows of patches are whole tiles, so that an odd number of pixels takes a whole tile of channels each.
int64_t inputBlock(const OpCall &call) {
  if (int64_t block = stated(call, "c_in_block"); block > 0)
    return block;
  return kernelVolume(call) % 2 == 0 ? 16 : 32;
}

int64_t paddedChannels(const OpCall &call) {
  return llvm::alignTo(std::max<int64_t>(1, call.in[1].width), 32);
}

int64_t outputBlock(const OpCall &call) {
  int64_t block = stated(call, "c_out_block");
  // All of them in one block, if nothing is said.
  return block > 0 ? block : paddedChannels(call);
}

/// The extent that the windows of a block cover in dimension `i`, and how many windows that are.
std::pair<int64_t, int64_t> coveredExtent(const OpCall &call, size_t i) {
  constexpr llvm::StringLiteral kFields[] = {"t_out_block", "h_out_block", "w_out_block"};
  auto at = [&](llvm::StringRef name, int64_t otherwise) {
    llvm::ArrayRef<int64_t> list = call.op().integers(name);
    return i < list.size() ? list[i] : otherwise;
  };
  int64_t windows = std::max<int64_t>(1, stated(call, kFields[i]));
  return {(windows - 1) * at("stride", 1) + at("kernel_size", 1), windows};
}

bool isDilated(const OpCall &call) {
  return llvm::any_of(call.op().integers("dilation"), [](int64_t step) { return step != 1; });
}

Blocks blocksOf(const OpCall &call) {
  Blocks b{};
  b.inChannels = inputBlock(call);
  b.outChannels = outputBlock(call);
  b.inBlocks = ceilDiv(call.in[0].width, b.inChannels);
  auto [depth, frames] = coveredExtent(call, 0);
  auto [height, lines] = coveredExtent(call, 1);
  auto [width, windows] = coveredExtent(call, 2);
  b.patches = frames * lines * windows;
  b.rows = ceilDiv(b.patches, 32);
  b.depth = ceilDiv(kernelVolume(call) * b.inChannels, 32);
  b.columns = ceilDiv(b.outChannels, 32);
  // Pixels that several windows cover are kept in L1 only then: of a single pixel there are none, of dilated ones the
  // library keeps none.
  if (kernelVolume(call) > 1 && !isDilated(call)) {
    b.coveredRows = depth * height;
    b.rowWidth = width;
    b.covered = b.coveredRows * width;
  }
  return b;
}

bool accumulatesInF32(const OpCall &call) {
  auto config =
      computeConfigOf(call.op(), call.query.config.specific, call.device().arch, call.context.version);
  return config && config->fp32Accumulate;
}

/// Columns of tiles that are multiplied at once.
int64_t columnsAtOnce(const OpCall &call, const Blocks &b) {
  return std::min<int64_t>(b.columns, accumulatesInF32(call) ? 4 : 8);
}

/// One core if nothing is said.
GridShape statedGrid(const OpCall &call) {
  llvm::StringRef words = call.op().string("conv3d_config.compute_with_storage_grid_size");
  GridShape grid{1, 1};
  if (words.consume_front("#ttcore.grid<") && !words.consumeInteger(10, grid.rows) &&
      words.consume_front("x"))
    words.consumeInteger(10, grid.columns);
  return grid;
}

// ---- Rules ----------------------------------------------------------------------------------------------

bool operandRows(const OpCall &call) { return call.in[0].rowMajor() && call.in[0].rank() == 5; }

/// One matrix, a row per element of a patch.
bool weightMatrix(const OpCall &call) {
  return call.in[1].tiled() && call.in[1].batch == 1 && call.in[1].onDevice();
}

/// In groups as well: what is prepared has zeros for the channels of other groups.
bool weightRows(const OpCall &call) { return call.in[1].height == kernelVolume(call) * call.in[0].width; }

bool numbers(const OpCall &call) {
  DataType type = call.in[0].dtype();
  return (type == DataType::BFloat16 || type == DataType::Float32) && call.in[1].dtype() == type;
}

bool wholeInputBlocks(const OpCall &call) {
  int64_t block = inputBlock(call);
  return call.in[0].width % block == 0 && block % call.device().l1Alignment.value() == 0;
}

bool coresForInputBlocks(const OpCall &call) {
  return call.in[0].width / inputBlock(call) <= statedGrid(call).volume();
}

bool wholeOutputBlocks(const OpCall &call) {
  Blocks b = blocksOf(call);
  return b.outChannels % 32 == 0 && paddedChannels(call) % b.outChannels == 0 &&
         b.columns % columnsAtOnce(call, b) == 0;
}

/// The library makes rows of whole tiles of channels, whatever the result's are.
bool wholeResultRows(const OpCall &call) { return !call.out[0].l1() || call.out[0].width % 32 == 0; }

constexpr llvm::StringLiteral kSource = "tt-metal 0.77 (conv3d_device_operation.cpp)";
constexpr Rule kRules[] = {
    {{"conv3d.operand", "the operand must be row-major, batch x depth x height x width x channels",
      "facts/ir 5.1"},
     operandRows},
    {{"conv3d.weight", "the weight must be prepared: one tiled matrix on the device", "facts/formulas 11"},
     weightMatrix},
    {{"conv3d.weight_rows",
      "the prepared weight must have a row for each element of the window and each input channel, those of "
      "other groups among them",
      "asked of ttnn 0.77.0 and 0.81.1 (conv3d_device_operation.cpp)"},
     weightRows},
    {{"conv3d.interleaved", "operands and result must be interleaved", "facts/ir 4.6"},
     everythingInterleaved},
    {{"conv3d.type", "operand and weight must both be bf16, or both f32", kSource}, numbers},
    {{"conv3d.input_blocks",
      "input channels must be whole blocks (of 32 if c_in_block says nothing, of 16 if windows have an even "
      "number of pixels), and blocks a multiple of 16",
      kSource},
     wholeInputBlocks},
    {{"conv3d.grid", "compute_with_storage_grid_size must lie within the device's grid", kSource},
     [](const OpCall &call) {
       GridShape grid = statedGrid(call), worker = call.device().workerGrid;
       return grid.rows <= worker.rows && grid.columns <= worker.columns;
     }},
    {{"conv3d.input_cores",
      "there must be a core of compute_with_storage_grid_size for each block of input channels", kSource},
     coresForInputBlocks},
    {{"conv3d.output_blocks",
      "blocks of output channels must be whole tiles, divide the channels filled up to tiles, and have at "
      "most as many tiles as are multiplied at once, 8 (4 with 32-bit sums), or a multiple of that",
      kSource},
     wholeOutputBlocks},
    {{"conv3d.result_rows", "a result in L1 must have whole tiles of channels: the library fills its rows up",
      "ttnn 0.77.0", "takes more L1 than its layout says"},
     wholeResultRows},
};

// ---- Memory ---------------------------------------------------------------------------------------------

/// Rows of patches: two tiles' worth, so that they are gathered while others are tilized, but for whole tiles.
int64_t gatheredPatches(const Blocks &b) {
  return b.patches % 32 == 0 ? 32 : std::min<int64_t>(b.patches, 64);
}

/// Rows of tiles that are multiplied at once. Since October 2026 results leave row by row.
int64_t rowsAtOnce(const OpCall &call, const Blocks &b) {
  if (answersAsOctober2026(call) || columnsAtOnce(call, b) < b.columns)
    return 1;
  return commonDivisor(b.rows, b.rows,
                       std::min<int64_t>(b.rows, (accumulatesInF32(call) ? 4 : 8) / b.columns));
}

/// Blocks of channels that are no whole reads from DRAM are read into a page, with what lies around them.
int64_t stagedBytes(const OpCall &call, const Blocks &b) {
  int64_t bytes = b.inChannels * call.in[0].scalar, read = call.device().dramAlignment.value();
  if (!call.in[0].dram() || bytes % read == 0)
    return 0;
  return llvm::alignTo(bytes + read - 1, read) + read;
}

/// Rows that are read from one bank after the other, where that is two reads of each bank or more, and put in order then.
int64_t reorderedRows(const OpCall &call, const Blocks &b, int64_t room) {
  int64_t pixel = b.inChannels * call.in[0].scalar, banks = call.device().dramBanks;
  bool whole = b.inBlocks == 1 && pixel % call.device().dramAlignment.value() == 0;
  if (!call.in[0].dram() || !whole || b.rowWidth < 2 * banks)
    return 0;
  int64_t rows =
      std::min(b.coveredRows, std::max<int64_t>(0, room - b.covered * pixel) / (b.rowWidth * pixel));
  return rows >= std::min(b.coveredRows, banks) ? rows : 0;
}

/// What a copy of the covered pixels may take beside buffers of `others` bytes.
int64_t roomForPixels(const OpCall &call, int64_t others) {
  // The library counts what configures kernels, 69 KiB below the tensors, as free here.
  constexpr int64_t ofKernels = 200 * 1024 - 69 * 1024, most = 500 * 1024;
  int64_t all = (call.device().l1Size - call.device().l1UnreservedBase).value() - ofKernels;
  return std::clamp<int64_t>(all - others, 0, most);
}

void memory(const OpCall &call, MemoryUse &use) {
  Blocks b = blocksOf(call);
  int64_t scalar = call.in[0].scalar, tile = 1024 * scalar, products = b.rows * b.columns;
  int64_t partial = accumulatesInF32(call) && b.inBlocks > 1 ? 4096 : tile, others = 0;
  auto buffer = [&](llvm::StringRef holds, int64_t pages, int64_t page) {
    use.buffer(holds, pages, page);
    others += std::max<int64_t>(0, pages) * page;
  };
  buffer("patch rows", gatheredPatches(b), b.depth * 32 * scalar);
  buffer("tilized patches", rowsAtOnce(call, b) * b.depth, tile);
  buffer("weights", b.depth * b.columns, tile);
  buffer("partial sums", products, partial);
  buffer("result as rows", products, tile);
  if (b.inBlocks > 1) {
    buffer("sums of other cores", products, partial);
    buffer("acknowledged", 1, tile);
  }
  if (call.hasOperand(2))
    buffer("bias", b.columns, tile);
  if (int64_t staged = stagedBytes(call, b))
    buffer("read from DRAM", 1, staged);
  // Only what the other buffers leave: without the copy pixels are read again for each window.
  int64_t room = roomForPixels(call, others), pixel = b.inChannels * scalar;
  if (b.covered * pixel <= room)
    use.buffer("covered pixels", b.covered + reorderedRows(call, b, room) * b.rowWidth, pixel);
}

OpRuntime runtime(const OpCall &call) {
  const TensorRef &weight = call.in[1];
  // Pixels of the result; the weight is as wide as it has channels.
  double results = double(call.out[0].elements()) / double(std::max<int64_t>(1, weight.width));
  double products = results / 32 * double(weight.tiles());
  Work work;
  addDramTraffic(call, work);
  work.compute = products / double(call.cores()) * call[P::Conv3dProduct];
  work.noc = results / double(call.cores()) * double(weight.height * call.in[0].scalar) / call[P::Conv3dRate];
  return timeOf(call, work);
}

// ---- Prepared weights -----------------------------------------------------------------------------------

/// Since 2026 weights are prepared on the device, in rows: output channels become columns, input channels are filled up, and blocks of these go
/// to the front (asked of ttnn 0.77.0 and 0.81.1: prepare_conv3d_weights.cpp).
void prepareMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &weight = call.in[0];
  use.tensors(0);
  if (!answersAsNewest(call) || !weight.rowMajor() || weight.rank() != 5)
    return;
  int64_t channels = weight.desc->shape[1] * call.op().integer("groups", 1);
  int64_t row = weight.desc->shape[0] * weight.scalar;
  turnRowsMemory(use, weight);
  if (channels % std::max<int64_t>(1, call.op().integer("alignment", 32)) != 0) {
    use.program("pad");
    padRowsProgram(call, use, row, /*shifts=*/false);
  }
  use.program("permute blocks");
  auto alignment = weight.dram() ? call.device().dramAlignment : call.device().l1Alignment;
  use.buffer("rows", 2, llvm::alignTo(row, alignment.value()));
}

/// Once, when constants are made ready.
OpRuntime prepareRuntime(const OpCall &) { return noTime(); }

constexpr llvm::StringRef kWeights[] = {"weight"};
const Family kPrepare = {"prepare_conv", kWeights, {}, outputsInDram, prepareMemory, prepareRuntime};

constexpr llvm::StringRef kOperands[] = {"input", "weight", "bias"};
const Family kConv3d = {"conv3d", kOperands, kRules, outputsInDramRowMajor, memory, runtime, answersAsNewest};
const OpRow kRows[] = {{"ttnn.conv3d", &kConv3d, 2, 3},
                       {"ttnn.prepare_conv3d_weights", &kPrepare, 1, 1, 1, 0, 0, true}};

} // namespace

Rows conv3dRows() { return kRows; }

} // namespace tessera::analytic
