//===- MovementDrafts.cpp - What moves data, and windows over images ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Calls that move data, and windows over images, in the shapes that models have. Edges
// within tiles, pages and types get kernels of their own, so dimensions, places and
// types are drawn apart from each other.
//
//===----------------------------------------------------------------------===//
#include "Drafts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

int64_t volume(const Extents &shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

// ---- Layouts and types ----------------------------------------------------------------------------------

/// One tensor twice: result and operand differ by where they lie alone, and CallMaker draws that of each.
std::string toMemoryConfig(Draw &draw) {
  std::string t = tensor(draw.activation(), draw.type(), "l1");
  return call(t, t);
}

/// Between tiles and rows, either way. Formats of blocks exist in tiles only and are not drawn.
std::string toLayout(Draw &draw) {
  Extents shape = draw.activation();
  std::string type = draw.pick<const char *>({"bf16", "bf16", "f32"});
  std::string tiled = tensor(shape, type, "l1"), rows = tensor(shape, type, "l1/rm");
  return draw.chance(50) ? call(tiled, rows) : call(rows, tiled);
}

std::string typecast(Draw &draw) {
  Extents shape = draw.activation();
  std::string to = draw.pick<const char *>({"bf16", "f32", "bfp_bf8", "bfp_bf4", "si32", "u32"});
  return call(tensor(shape, draw.type(), "l1"), tensor(shape, to, "l1"),
              "dtype=#ttcore.supportedDataTypes<" + to + ">");
}

// ---- Shapes ---------------------------------------------------------------------------------------------

std::string reshape(Draw &draw) {
  // Rows cut into heads, dimensions folded, and rows counted anew: what models reshape to.
  Extents shape = draw.activation(), result;
  int64_t last = shape.back(), rows = volume(shape) / last, head = draw.pick<int64_t>({64, 128});
  if (draw.chance(40) && last % head == 0)
    result = {1, rows, last / head, head};
  else if (draw.chance(40))
    result = {rows, last};
  else if (rows % 32 == 0)
    result = {rows / 32, 32, last};
  else
    result = {1, 1, rows, last};
  std::string type = draw.chance(85) ? "bf16" : draw.type();
  return call(tensor(shape, type, "l1"), tensor(result, type, "l1"), "shape=" + list(result));
}

/// Heads and tokens exchanged, keys turned, channels moved last and first, and batch with heads.
std::string permute(Draw &draw) {
  Extents shape = draw.heads(),
          order = draw.pick<Extents>({{0, 2, 1, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 0, 2, 3}}),
          result;
  for (int64_t dim : order)
    result.push_back(shape[dim]);
  return call(tensor(shape, "bf16", "l1"), tensor(result, "bf16", "l1"), "permutation=" + list(order));
}

/// A dimension with the one in front of it; the first one's neighbour is the last.
std::string transpose(Draw &draw) {
  Extents shape = draw.chance(50) ? draw.heads() : draw.activation(), result = shape;
  size_t a = draw.chance(60) ? shape.size() - 1 : draw.below(shape.size()),
         b = (a + shape.size() - 1) % shape.size();
  std::swap(result[a], result[b]);
  return call(tensor(shape, "bf16", "l1"), tensor(result, "bf16", "l1"),
              llvm::formatv("dim0={0} dim1={1}", a, b));
}

std::string slice(Draw &draw) {
  Extents shape = draw.activation(), begins(shape.size(), 0), ends = shape, step(shape.size(), 1), result;
  size_t dim = draw.chance(50) ? shape.size() - 1 : draw.below(shape.size());
  int64_t half = std::max<int64_t>(1, shape[dim] / 2);
  // From the beginning, up to the end, or from the second tile on.
  begins[dim] = draw.pick<int64_t>({0, shape[dim] - half, std::min<int64_t>(32, shape[dim] - half)});
  ends[dim] = begins[dim] + half;
  for (auto [begin, end] : llvm::zip(begins, ends))
    result.push_back(end - begin);
  std::string type = draw.chance(85) ? "bf16" : draw.type();
  return call(tensor(shape, type, "l1"), tensor(result, type, "l1"),
              "begins=" + list(begins) + " ends=" + list(ends) + " step=" + list(step));
}

/// In the last dimension most often: halves of a rotation, and channels of images.
std::string concat(Draw &draw) {
  Extents shape = draw.chance(50) ? draw.heads() : draw.activation(), other = shape, result = shape;
  size_t dim = draw.chance(60) ? shape.size() - 1 : draw.below(shape.size());
  other[dim] = draw.chance(60) ? shape[dim] : std::max<int64_t>(1, shape[dim] / 2);
  result[dim] += other[dim];
  return call(tensor(shape, "bf16", "l1") + ", " + tensor(other, "bf16", "l1"), tensor(result, "bf16", "l1"),
              "dim=" + std::to_string(dim));
}

/// In one of the last two dimensions: always behind, as up to whole tiles, and seldom in front as well.
std::string pad(Draw &draw) {
  Extents shape = draw.activation(), padding(2 * shape.size(), 0), result = shape;
  size_t dim = shape.size() - 1 - draw.below(std::min<size_t>(2, shape.size()));
  padding[2 * dim + 1] = draw.pick<int64_t>({1, 3, 8, 32, 64});
  padding[2 * dim] = draw.chance(20) ? draw.pick<int64_t>({1, 3}) : 0;
  result[dim] += padding[2 * dim] + padding[2 * dim + 1];
  return call(tensor(shape, "bf16", "l1"), tensor(result, "bf16", "l1"),
              "padding=" + list(padding) + " value=0.0 use_multicore=true");
}

std::string repeat(Draw &draw) {
  Extents shape = draw.activation(), times(shape.size(), 1), result = shape;
  size_t dim = draw.below(shape.size());
  times[dim] = draw.pick<int64_t>({2, 3, 4});
  result[dim] *= times[dim];
  return call(tensor(shape, "bf16", "l1"), tensor(result, "bf16", "l1"), "repeat_dims=" + list(times));
}

/// Heads of keys for all queries that share them.
std::string repeatInterleave(Draw &draw) {
  Extents shape = draw.heads(), result = shape;
  int64_t times = draw.pick<int64_t>({2, 3, 4, 8});
  result[1] *= times;
  return call(tensor(shape, "bf16", "l1"), tensor(result, "bf16", "l1"),
              llvm::formatv("repeats={0} dim=1", times));
}

/// The tables' rows: two kinds of tokens, positions, the words of BERT and those of Llama 3.
std::string embedding(Draw &draw) {
  const Transformer &model = draw.chance(70) ? draw.decoder() : draw.encoder();
  Extents indices = draw.chance(50) ? Extents{1, draw.tokens()} : Extents{draw.users(), 1}, result = indices;
  result.push_back(model.hidden);
  return call(tensor(indices, "u32", draw.chance(70) ? "dram/rm" : "l1") + ", " +
                  tensor({draw.pick<int64_t>({2, 512, 30522, 128256}), model.hidden}, "bf16", "dram/rm"),
              tensor(result, "bf16", "l1"));
}

constexpr DraftedOp kMovement[] = {
    {"to_memory_config", 130, toMemoryConfig, /*statesResult=*/true},
    {"to_layout", 90, toLayout, /*statesResult=*/true},
    {"typecast", 40, typecast},
    {"reshape", 90, reshape},
    {"permute", 70, permute},
    {"transpose", 60, transpose},
    {"slice_static", 70, slice},
    {"concat", 70, concat},
    {"pad", 50, pad},
    {"repeat", 30, repeat},
    {"repeat_interleave", 25, repeatInterleave},
    {"embedding", 40, embedding, /*statesResult=*/true},
};

// ---- Windows --------------------------------------------------------------------------------------------

/// One image three times out of four: what a batch adds is more rows of the same kind.
int64_t batch(Draw &draw) { return draw.pick<int64_t>({1, 1, 1, 8}); }

std::string conv2d(Draw &draw) {
  const ImageLayer &layer = draw.imageLayer();
  int64_t images = batch(draw);
  std::string type = draw.chance(80) ? "bf16" : "bfp_bf8";
  // Weights lie on the host as a model has them: preparing them is no part of the call.
  Extents weight = {layer.out, layer.in, layer.kernel, layer.kernel};
  std::string operands = tensor({1, 1, images * layer.height * layer.width, layer.in}, type, "l1") + ", " +
                         tensor(weight, "bf16", "host/rm");
  if (draw.chance(60))
    operands += ", " + tensor({1, 1, 1, layer.out}, "bf16", "host/rm");
  return call(
      operands, tensor({1, 1, images * layer.outHeight() * layer.outWidth(), layer.out}, type, "l1"),
      llvm::formatv("in_channels={0} out_channels={1} batch_size={2} input_height={3} input_width={4} "
                    "kernel_size=[{5},{5}] stride=[{6},{6}] padding=[{7},{7}] dilation=[1,1] groups=1",
                    layer.in, layer.out, images, layer.height, layer.width, layer.kernel, layer.stride,
                    layer.padding));
}

/// Over what a convolution leaves, in rows. The two ops differ by an attribute, which is `more`.
std::string pool(Draw &draw, const std::string &more) {
  const ImageLayer &layer = draw.imageLayer();
  int64_t images = batch(draw), kernel = draw.pick<int64_t>({2, 3, 3, 5}),
          stride = draw.pick<int64_t>({1, 2, 2});
  // More than half a window is refused.
  int64_t padding = draw.chance(50) ? kernel / 2 : 0;
  ImageLayer window = {layer.outHeight(), layer.outWidth(), layer.out, layer.out, kernel, stride, padding};
  std::string result =
      tensor({1, 1, images * window.outHeight() * window.outWidth(), window.out}, "bf16", "l1/rm");
  return call(
      tensor({1, 1, images * window.height * window.width, window.in}, "bf16", "l1/rm"), result,
      llvm::formatv("batch_size={0} input_height={1} input_width={2} channels={3} kernel_size=[{4},{4}] "
                    "stride=[{5},{5}] padding=[{6},{6}] ceil_mode=false in_place_halo=false{7}",
                    images, window.height, window.width, window.in, kernel, stride, padding, more));
}

/// Square images, doubled: what networks that segment and detect call it for.
std::string upsample(Draw &draw) {
  Extents shape = {1, draw.pick<int64_t>({8, 16, 20, 32, 40}), 0, draw.pick<int64_t>({32, 64, 128, 256})},
          result;
  shape[2] = shape[1];
  result = {1, 2 * shape[1], 2 * shape[2], shape[3]};
  return call(tensor(shape, "bf16", "l1/rm"), tensor(result, "bf16", "l1/rm"), "scale_factor=2 mode=nearest");
}

/// Of mean and variance alone: the last two segments, weight and bias, are empty.
std::string batchNorm(Draw &draw) {
  const ImageLayer &layer = draw.imageLayer();
  Extents shape = {batch(draw), layer.out, layer.outHeight(), layer.outWidth()};
  std::string t = tensor(shape, "bf16", "l1"), channel = tensor({1, layer.out, 1, 1}, "bf16", "dram");
  return call(t + ", " + channel + ", " + channel, t, "epsilon=1e-05 operandSegmentSizes=[1,1,1,0,0]");
}

constexpr DraftedOp kWindows[] = {
    {"conv2d", 100, conv2d},
    {"max_pool2d", 50, [](Draw &draw) { return pool(draw, " dilation=[1,1]"); }},
    {"avg_pool2d", 30, [](Draw &draw) { return pool(draw, ""); }},
    {"upsample", 15, upsample},
    {"batch_norm_inference", 15, batchNorm},
};

} // namespace

llvm::ArrayRef<DraftedOp> movementDrafts() { return kMovement; }
llvm::ArrayRef<DraftedOp> windowDrafts() { return kWindows; }

} // namespace tessera::evaluation
