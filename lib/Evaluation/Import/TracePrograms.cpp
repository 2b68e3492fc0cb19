//===- TracePrograms.cpp - Programs that convolutions are made of ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Halo, padded slice, slice write, the kernels of conv2d and the pools: the same
// functions that the runtime of these ops adds up (WindowPrograms.h), with the
// figures that a profile records.
//
//===----------------------------------------------------------------------===//
#include "../Programs.h"
#include "TraceRow.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace tessera::evaluation {
namespace {

using namespace analytic;
using Asked = llvm::Expected<OpSignature>;

llvm::Error missing() {
  return llvm::createStringError("its tensors, shard or sliding window are not recorded");
}

/// The first `count` numbers after `key`, whatever is between them; fewer if there are no more.
std::vector<int64_t> numbersAfter(llvm::StringRef text, llvm::StringRef key, size_t count) {
  std::vector<int64_t> numbers;
  size_t at = text.find(key);
  if (at == llvm::StringRef::npos)
    return numbers;
  text = text.drop_front(at + key.size());
  while (numbers.size() < count) {
    text = text.drop_until(llvm::isDigit);
    int64_t number;
    if (text.consumeInteger(10, number))
      break;
    numbers.push_back(number);
  }
  return numbers;
}

/// A row with its two main tensors.
struct Program {
  const TraceRow &trace;
  TraceTensor in, out;
  GridShape shard; ///< as recorded, in elements; {0, 0} if it is not

  double cores() const { return double(trace.cores); }
};

double scalarBytes(const TraceTensor &tensor) { return double(scalarBytes(tensor.desc.dtype).value()); }
double allBytes(const TraceTensor &tensor) {
  return double(totalBytes(tensor.layout, tensor.desc.shape).value());
}
double tilesOf(int64_t elements) { return double(ceilDiv(elements, 32)); }

Asked askHalo(const Program &p) {
  llvm::StringRef text = p.trace.attributes;
  std::vector<int64_t> image = numbersAfter(text, "input_hw=", 2),
                       padding = numbersAfter(text, "padding=", 4);
  std::vector<int64_t> outRows = numbersAfter(text, "max_out_nsticks_per_core", 1);
  if (p.shard.rows < 1 || image.size() != 2 || padding.size() != 4 || outRows.empty())
    return missing();
  const Shape &shape = p.in.desc.shape;
  Window window;
  window.batch = 1;
  window.inHeight = image[0];
  window.inWidth = image[1];
  window.padTop = padding[0];
  window.padBottom = padding[1];
  window.padLeft = padding[2];
  window.padRight = padding[3];
  // The row has the number of cores, not their grid: over how many of them channels are cut follows from the
  // shard.
  double columns = std::max(1.0, std::round(double(shape.back()) / double(p.shard.columns)));
  double pixelCores = std::max(1.0, p.cores() / columns);
  HaloWork halo = haloOf(window, double(p.shard.rows), double(outRows[0]),
                         double(p.shard.columns) * scalarBytes(p.out), pixelCores, p.cores());
  double rows = 1;
  for (int64_t size : llvm::ArrayRef(shape).drop_back())
    rows *= double(size);
  halo.neededRows = rows / pixelCores;
  if (p.in.tiled) {
    halo.tileRows = tilesOf(p.shard.rows);
    halo.tileCols = tilesOf(p.shard.columns);
  }
  return programOf(halo);
}

Asked askPaddedSlice(const Program &p) {
  if (p.shard.rows < 1)
    return missing();
  PaddedSliceWork slice;
  slice.shardRows = double(p.shard.rows);
  slice.rowBytes = double(p.shard.columns) * scalarBytes(p.out);
  slice.bytes = allBytes(p.out);
  if (p.in.tiled) {
    slice.tileRows = tilesOf(p.shard.rows);
    slice.tileCols = tilesOf(p.shard.columns);
    // What is read are whole tiles, 32 columns wide and in the operand's format, whatever of them the shard keeps.
    slice.narrow = p.shard.columns < 32;
    slice.bytes *= std::max(1.0, 32 / double(p.shard.columns)) * double(tileBytes(p.in.desc.dtype).value()) /
                   (1024 * scalarBytes(p.out));
  }
  return programOf(slice);
}

Asked askSliceWrite(const Program &p) {
  if (!p.in.layout.isSharded())
    return missing();
  SliceWriteWork write;
  write.tiled = p.in.tiled;
  const GridShape &shard = p.in.layout.shard;
  // Pages: tiles, or rows.
  write.units = double(write.tiled ? shard.volume() : shard.rows);
  write.rowBytes = double(shard.columns) * scalarBytes(p.in);
  write.bytes = allBytes(p.in);
  return programOf(write);
}

int fidelityPasses(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kNames[] = {"LoFi", "HiFi2", "HiFi3", "HiFi4"};
  const llvm::StringLiteral *found = llvm::find(kNames, name);
  // Unstated it is the most exact one.
  return found == std::end(kNames) ? 4 : int(found - kNames) + 1;
}

Asked askConv(const Program &p) {
  llvm::StringRef text = p.trace.attributes;
  std::vector<int64_t> kernel = numbersAfter(text, "window_hw=", 2);
  Shape weights = shapeOf(p.trace.row["input_1_padded"]);
  std::optional<TraceTensor> weight = p.trace.tensor("input_1");
  ConvWork conv;
  conv.rows = double(numberAfter(text, "per_core_out_matrix_height_ntile=", 0));
  conv.columns = double(numberAfter(text, "per_core_out_matrix_width_ntile=", 0));
  conv.blockRows = double(numberAfter(text, "act_block_h_ntiles=", 0));
  conv.blockInner = double(numberAfter(text, "act_block_w_ntiles=", 0));
  if (kernel.size() != 2 || weights.size() < 2 || !weight || conv.rows < 1 || conv.columns < 1 ||
      conv.blockRows < 1 || conv.blockInner < 1)
    return missing();
  conv.inner = tilesOf(weights[weights.size() - 2]);
  conv.kernelH = double(kernel[0]);
  conv.kernelW = double(kernel[1]);
  conv.multicast = p.in.layout.memory != MemoryLayout::HeightSharded;
  // Height shards hold all channels of their pixels, so activations are sent from core to core for other shards
  // only.
  if (conv.multicast)
    conv.channelCores = double(
        std::max<int64_t>(1, numberAfter(text, "num_cores_c_in=", numberAfter(text, "num_cores_c=", 1))));
  conv.stickBytes = double(p.in.desc.shape.back()) * scalarBytes(p.in) / conv.channelCores;
  conv.weightTile = double(tileBytes(weight->desc.dtype).value());
  conv.doubleBuffer = after(text, "'enable_act_double_buffer': '", "'") == "true";
  conv.fidelity = fidelityPasses(p.trace.row["fidelity"]);
  return programOf(conv, p.trace.op == "OptimizedConvNew");
}

/// A stick is a pixel's channels: a core pools those of its shard.
Asked askPool(const Program &p) {
  std::vector<int64_t> kernel = numbersAfter(p.trace.attributes, "window_hw=", 2);
  if (p.shard.rows < 1 || kernel.size() != 2)
    return missing();
  PoolWork pool;
  pool.sticks = double(p.shard.rows);
  pool.tileCols = tilesOf(p.shard.columns);
  pool.kernelH = double(kernel[0]);
  pool.kernelW = double(kernel[1]);
  return programOf(pool);
}

struct ProgramRow {
  llvm::StringLiteral op;
  Asked (*ask)(const Program &);
};
constexpr ProgramRow kPrograms[] = {{"Conv2d", askConv},           {"Halo", askHalo},
                                    {"OptimizedConvNew", askConv}, {"PaddedSlice", askPaddedSlice},
                                    {"Pool2D", askPool},           {"SliceWrite", askSliceWrite}};

/// Of the first operand and the first result; a convolution's weights are asked for where they are needed.
llvm::Expected<Call> ask(const ProgramRow &program, const TraceRow &trace) {
  std::optional<DeviceSpec> device = trace.sane() ? deviceOf(trace.arch, trace.grid()) : std::nullopt;
  if (!device)
    return missing();
  std::optional<TraceTensor> in = trace.tensor("input_0"), out = trace.tensor("output_0");
  if (!in || !out)
    return missing();
  Asked signature = program.ask({trace, *in, *out, trace.shard.value_or(GridShape{0, 0})});
  if (!signature)
    return signature.takeError();
  Call call;
  call.query.device = std::move(*device);
  call.query.signature = std::move(*signature);
  return call;
}

} // namespace

std::optional<llvm::Expected<Call>> windowProgram(const TraceRow &trace) {
  const ProgramRow *program =
      llvm::find_if(kPrograms, [&](const ProgramRow &row) { return row.op == trace.op; });
  return program == std::end(kPrograms) ? std::nullopt : std::optional(ask(*program, trace));
}

} // namespace tessera::evaluation
