//===- Attention.cpp - Rotary embedding and attention ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Letters in the shapes: B batch or users, H query heads, K key/value heads, S
// sequence, T positions of the keys, D head size.
//
//===----------------------------------------------------------------------===//
#include "DeviceAttention.h"
#include "Families.h"

#include "tessera/Simulator/Parallel.h"

#include <cmath>
#include <limits>

namespace tessera::simulator {

namespace {

// ---- Rotary embedding ------------------------------------------------------------------------------------

/// One row of the result: x * cos + turned(x) * sin.
using TurnRow = llvm::function_ref<void(const float *row, float *turned)>;

/// Position s of the input reads position s of the caches, or token_index; caches broadcast over batch and heads. The op pads
/// the sequence to whole tiles: what it computes from padding is undefined, NaN here.
llvm::Error rotate(KernelCall &call, TurnRow turn) {
  if (llvm::Error error = needFloats(call))
    return error;
  const DenseTensor &input = call.operand(0), &cos = call.operand(1), &sin = call.operand(2);
  DenseTensor &result = call.result();
  if (input.rank() != 4 || cos.rank() != 4 || sin.desc.shape != cos.desc.shape ||
      cos.shape()[3] != input.shape()[3] || result.rank() != 4 || result.shape()[0] != input.shape()[0] ||
      result.shape()[1] != input.shape()[1] || result.shape()[2] < input.shape()[2] ||
      result.shape()[3] != input.shape()[3] || (cos.shape()[0] != 1 && cos.shape()[0] < input.shape()[0]) ||
      (cos.shape()[1] != 1 && cos.shape()[1] < input.shape()[1]))
    return failure("the simulator turns B x H x S x D by caches of the same D");
  int64_t heads = input.shape()[1], sequence = input.shape()[2], width = input.shape()[3];
  int64_t token = call.op.integer("token_index", -1);
  std::fill(result.floats.begin(), result.floats.end(), std::numeric_limits<float>::quiet_NaN());
  std::vector<float> turned(static_cast<size_t>(width));
  for (int64_t row = 0; row < input.shape()[0] * heads * sequence; ++row) {
    int64_t s = row % sequence, head = row / sequence % heads, batch = row / (sequence * heads);
    int64_t position = token >= 0 ? token : cos.shape()[2] == 1 ? 0 : s;
    // Checked row by row, as the position may come from an attribute; a table that is too short would be read
    // past its end.
    if (position >= cos.shape()[2])
      return failure("position " + llvm::Twine(position) + " of caches of " + llvm::Twine(cos.shape()[2]));
    int64_t entry = (cos.shape()[0] == 1 ? 0 : batch) * cos.shape()[1] + (cos.shape()[1] == 1 ? 0 : head);
    const float *x = input.floats.data() + row * width;
    const float *c = cos.floats.data() + (entry * cos.shape()[2] + position) * width;
    const float *d = sin.floats.data() + (entry * cos.shape()[2] + position) * width;
    turn(x, turned.data());
    float *to = result.floats.data() + ((batch * heads + head) * result.shape()[2] + s) * width;
    for (int64_t i = 0; i < width; ++i)
      to[i] = x[i] * c[i] + turned[size_t(i)] * d[i];
  }
  return llvm::Error::success();
}

/// The halves of a head turn against each other: (a, b) becomes (-b, a).
llvm::Error runRotary(KernelCall &call) {
  int64_t half = call.operand(0).shape().back() / 2;
  return rotate(call, [half](const float *row, float *turned) {
    for (int64_t i = 0; i < half; ++i) {
      turned[i] = -row[half + i];
      turned[half + i] = row[i];
    }
  });
}

/// Neighbours are turned by a matrix of 32 x 32, tile by tile.
/// Pairs (x0, x1) become (-x1, x0): the matrix has -1 below the diagonal of each pair and 1 above it, but whatever
/// it holds is multiplied.
llvm::Error runRotaryLlama(KernelCall &call) {
  constexpr int64_t kTile = 32;
  const DenseTensor &matrix = call.operand(3);
  int64_t width = call.operand(0).shape().back();
  if (matrix.volume() != kTile * kTile || width % kTile != 0)
    return failure("the simulator turns whole tiles by one matrix of 32x32");
  return rotate(call, [&](const float *row, float *turned) {
    for (int64_t i = 0; i < width; ++i) {
      // Neighbours stand in one tile, so no element of another tile has a part in it.
      turned[i] = 0;
      for (int64_t j = 0; j < kTile; ++j)
        turned[i] += row[i / kTile * kTile + j] * matrix.floats[size_t(j * kTile + i % kTile)];
    }
  });
}

// ---- Attention -------------------------------------------------------------------------------------------

/// What all forms have in common; error for what is not simulated.
struct AttentionOperands {
  const DenseTensor *query, *key, *value, *mask, *positions, *sinks;
  float scale;
  bool isCausal;
  int64_t window =
      0; ///< keys that a query attends to at most, itself the last of them if causal, else in their middle; 0: all

  /// Keys that the query at this position attends to, at least and at most.
  int64_t firstOf(int64_t position) const {
    return window == 0 ? 0 : std::max<int64_t>(0, isCausal ? position - window + 1 : position - window / 2);
  }
  int64_t lastOf(int64_t position) const {
    const int64_t all = key->shape()[2] - 1;
    return isCausal ? position : window == 0 ? all : std::min(all, position + window / 2);
  }
  /// The first number of the head's row.
  float sink(int64_t head) const {
    return sinks ? float(sinks->at(head * sinks->shape().back())) : AttentionLine().sink;
  }

  /// Of the query and the keys at these offsets.
  AttentionLine line(int64_t queryOffset, int64_t keyOffset) const {
    AttentionLine line{query->floats.data() + queryOffset, key->floats.data() + keyOffset,
                       value->floats.data() + keyOffset, key->shape()[2], key->shape()[3]};
    line.scale = scale;
    return line;
  }
};

/// Writes the result's rows from `to` on.
void attendRows(const AttentionRows &rows, KernelCall &call, const AttentionNumerics &numerics, int64_t to) {
  float *result = call.result().floats.data() + to;
  // The device's kernel takes a tile of queries at a time, which the exact one does one by one.
  if (call.arithmetic == Arithmetic::Kernels)
    return attendOnDevice(rows, numerics, result);
  for (size_t i = 0; i < rows.last.size(); ++i) {
    AttentionLine line = rows.first;
    line.query += int64_t(i) * line.width;
    line.first = rows.begins[i];
    line.last = rows.last[i];
    line.mask = rows.masks[i];
    line.sink = rows.sinks[i];
    attend(line, result + int64_t(i) * line.width);
  }
}

/// Which operands are which.
/// Ops of one family have the same operands in different orders, optional ones among them.
struct AttentionSegments {
  size_t mask;
  std::optional<size_t> positions;
  size_t sink;
};

llvm::Expected<AttentionOperands> readAttention(const KernelCall &call, AttentionSegments segments) {
  AttentionOperands operands{call.segment(0),
                             call.segment(1),
                             call.segment(2),
                             call.segment(segments.mask),
                             segments.positions ? call.segment(*segments.positions) : nullptr,
                             call.segment(segments.sink),
                             1,
                             call.op.boolean("is_causal", true)};
  operands.window = std::max<int64_t>(0, call.op.integer("sliding_window_size", 0));
  // What is not computed is refused: an answer of all keys would pass for one of a window.
  if (operands.window > 0 && (segments.positions || operands.mask))
    return failure("the simulator attends to sliding windows of many positions, without a mask");
  if (!operands.query || !operands.key || !operands.value || operands.query->rank() != 4 ||
      operands.key->rank() != 4 || operands.key->desc.shape != operands.value->desc.shape ||
      operands.query->shape()[3] != operands.key->shape()[3])
    return failure("the simulator attends with queries and keys of four dimensions and values like the keys");
  if (call.result().volume() != operands.query->volume() || call.result().isInteger() ||
      operands.query->isInteger() || operands.key->isInteger() || operands.value->isInteger() ||
      (operands.mask && (operands.mask->isInteger() || operands.mask->rank() != 4)))
    return failure("the simulator attends to floating-point tensors, with a result like the queries");
  operands.scale = float(call.op.number("scale", 1 / std::sqrt(double(operands.query->shape()[3]))));
  return operands;
}

/// Offset of a row of the mask, whose extents of 1 broadcast.
int64_t maskRow(const DenseTensor &mask, int64_t first, int64_t second, int64_t third) {
  llvm::ArrayRef<int64_t> shape = mask.shape();
  int64_t a = shape[0] == 1 ? 0 : first, b = shape[1] == 1 ? 0 : second, c = shape[2] == 1 ? 0 : third;
  return ((a * shape[1] + b) * shape[2] + c) * shape[3];
}

/// Error if there are keys for less than `batch` entries, their heads do not divide those of the queries, or the mask has not
/// `batch` x any x `rows` x positions elements, where extents of 1 broadcast.
llvm::Error checkHeads(const AttentionOperands &in, int64_t batch, int64_t second, int64_t rows) {
  llvm::ArrayRef<int64_t> key = in.key->shape(), query = in.query->shape();
  int64_t heads = second == 1 ? query[2] : query[1];
  // Caches may have room for more users than ask.
  if (key[0] < batch || key[1] == 0 || heads % key[1] != 0)
    return failure("keys and queries have other batches or heads");
  if (!in.mask)
    return llvm::Error::success();
  llvm::ArrayRef<int64_t> mask = in.mask->shape();
  auto broadcasts = [](int64_t extent, int64_t to) { return extent == 1 || extent == to; };
  if (!broadcasts(mask[0], batch) || !broadcasts(mask[1], second) || !broadcasts(mask[2], rows) ||
      mask[3] != key[2])
    return failure("the mask does not broadcast to the scores");
  return llvm::Error::success();
}

/// Error if there are sinks, but no row of them for each head.
llvm::Error checkSinks(const AttentionOperands &in, int64_t heads) {
  bool isRight = !in.sinks || (!in.sinks->isInteger() && in.sinks->rank() > 0 &&
                               in.sinks->volume() == heads * in.sinks->shape().back());
  return isRight ? llvm::Error::success() : failure("there is no sink for each head of the queries");
}

/// Queries B x H x S x D, keys B x K x T x D; query s may see keys up to s if causal.
llvm::Error runAttention(KernelCall &call) {
  llvm::Expected<AttentionOperands> in = readAttention(call, {3, std::nullopt, 4});
  if (!in)
    return in.takeError();
  int64_t heads = in->query->shape()[1], sequence = in->query->shape()[2], width = in->query->shape()[3];
  int64_t keyHeads = in->key->shape()[1], positions = in->key->shape()[2];
  if (llvm::Error error = checkHeads(*in, in->query->shape()[0], heads, sequence))
    return error;
  if (llvm::Error error = checkSinks(*in, heads))
    return error;
  AttentionNumerics numerics = attentionNumerics(call);
  // A head of a user is one task, with a part of the result of its own.
  parallelFor(in->query->shape()[0] * heads, [&](int64_t line) {
    constexpr int64_t kQueries = 32; // a tile's
    int64_t batch = line / heads, head = line % heads,
            keys = (batch * keyHeads + head / (heads / keyHeads)) * positions * width;
    for (int64_t begin = 0; begin < sequence; begin += kQueries) {
      // A line is a head of a user: its queries follow each other, and its keys are those of its group.
      AttentionRows rows{in->line((line * sequence + begin) * width, keys), {}, {}, {}, {}};
      for (int64_t s = begin; s < std::min(sequence, begin + kQueries); ++s)
        rows.add(in->lastOf(s),
                 in->mask ? in->mask->floats.data() + maskRow(*in->mask, batch, head, s) : nullptr,
                 in->sink(head), in->firstOf(s));
      attendRows(rows, call, numerics, (line * sequence + begin) * width);
    }
  });
  return llvm::Error::success();
}

/// Queries 1 x B x H x D, keys B x K x T x D; user b sees positions up to cur_pos_tensor[b] if causal. A user at -1 is left out: its
/// result is 0.
llvm::Error runAttentionDecode(KernelCall &call) {
  llvm::Expected<AttentionOperands> in = readAttention(call, {3, 4, 5});
  if (!in)
    return in.takeError();
  int64_t users = in->query->shape()[1], heads = in->query->shape()[2], width = in->query->shape()[3];
  int64_t keyHeads = in->key->shape()[1], positions = in->key->shape()[2];
  if (in->isCausal && !in->positions)
    return failure("causal attention of one position needs to know which: cur_pos_tensor is missing");
  if (llvm::Error error = checkHeads(*in, users, 1, heads))
    return error;
  if (llvm::Error error = checkSinks(*in, heads))
    return error;
  if (in->positions && in->positions->volume() < users)
    return failure("cur_pos_tensor has fewer elements than there are users");
  for (int64_t user = 0; in->isCausal && user < users; ++user)
    if (int64_t last = in->positions->indexAt(user); last < -1)
      return failure("position " + llvm::Twine(last) + " of a cache of " + llvm::Twine(positions));
  // Heads that share a key head lie side by side, so one call attends for all of them.
  int64_t group = heads / keyHeads;
  AttentionNumerics numerics = decodeNumerics(call, positions);
  parallelFor(users * keyHeads, [&](int64_t line) {
    int64_t user = line / keyHeads, last = in->isCausal ? in->positions->indexAt(user) : positions - 1;
    // Its rows of the result are zero since results are made of zeros.
    if (in->isCausal && last == -1)
      return;
    AttentionRows rows{in->line(line * group * width, line * positions * width), {}, {}, {}, {}};
    // This kernel scales the sum of scores and mask; that of many positions is given its mask divided by the scale
    // (facts/real-kernels 3).
    rows.first.maskScale = in->scale;
    for (int64_t head = line % keyHeads * group, end = head + group; head < end; ++head)
      rows.add(last, in->mask ? in->mask->floats.data() + maskRow(*in->mask, user, 0, head) : nullptr,
               in->sink(head));
    attendRows(rows, call, numerics, line * group * width);
  });
  return llvm::Error::success();
}

/// Queries 1 x B x H x D, keys in blocks N x K x any x D; user b sees positions up to its own. A user at -1 is left out: its
/// result is 0.
llvm::Error runPagedAttentionDecode(KernelCall &call) {
  llvm::Expected<AttentionOperands> in = readAttention(call, {4, 5, 6});
  if (!in)
    return in.takeError();
  const DenseTensor *table = call.segment(3);
  int64_t users = in->query->shape()[1], heads = in->query->shape()[2], keyHeads = in->key->shape()[1];
  if (in->mask || in->sinks || !in->isCausal)
    return failure("the simulator attends to pages without masks and sinks, up to given positions");
  if (!coversUsers(table, in->positions, users) || keyHeads == 0 || heads % keyHeads != 0 ||
      in->key->shape()[2] == 0)
    return failure("page table, positions or heads of the keys do not cover the queries");
  constexpr int64_t kChunk = 256; // what the kernel takes of a length that it learns when it runs
  AttentionNumerics numerics = decodeNumerics(call, kChunk);
  int64_t group = heads / keyHeads, width = in->query->shape()[3];
  for (int64_t line = 0; line < users * keyHeads; ++line) {
    int64_t last = in->positions->indexAt(line / keyHeads);
    // Its row of the result is zero since results are made of zeros.
    if (last == -1)
      continue;
    UserHead of{line / keyHeads, line % keyHeads};
    llvm::Expected<std::vector<float>> keys = pagedRows(*in->key, *table, of, last);
    if (!keys)
      return keys.takeError();
    llvm::Expected<std::vector<float>> values = pagedRows(*in->value, *table, of, last);
    if (!values)
      return values.takeError();
    AttentionRows rows{in->line(line * group * width, 0), {}, {}, {}, {}};
    for (int64_t row = 0; row < group; ++row)
      rows.add(last, nullptr, in->sink(0));
    rows.first.keys = keys->data();
    rows.first.values = values->data();
    // The gathered rows go on to the end of a block, of which only those up to `last` are the user's.
    rows.first.positions = last + 1;
    attendRows(rows, call, numerics, line * group * width);
  }
  return llvm::Error::success();
}

/// The same function for both kinds of arithmetic: attendRows() asks which one it is.
constexpr KernelRow attentionRow(llvm::StringLiteral name, Kernel kernel) {
  return {.name = name, .kernel = kernel, .deviceKernel = kernel};
}
const KernelRow kAttention[] = {
    {"ttnn.rotary_embedding", runRotary},
    {"ttnn.rotary_embedding_llama", runRotaryLlama},
    attentionRow("ttnn.scaled_dot_product_attention", runAttention),
    attentionRow("ttnn.scaled_dot_product_attention_decode", runAttentionDecode),
    attentionRow("ttnn.paged_scaled_dot_product_attention_decode", runPagedAttentionDecode)};

} // namespace

void attend(const AttentionLine &line, float *to) {
  // In double until the end, as all sums here: what is rounded is the result.
  std::vector<double> weights(size_t(line.positions), 0);
  // A sink is a score like the others, so that it is scaled as well; minus infinity is none.
  const double sink = double(line.sink) * line.scale;
  double largest = sink, sum = 0;
  int64_t end = std::min(line.positions, line.last + 1);
  for (int64_t t = line.first; t < end; ++t) {
    double score = 0;
    for (int64_t i = 0; i < line.width; ++i)
      score += double(line.query[i]) * line.keys[t * line.width + i];
    weights[size_t(t)] = score * line.scale + (line.mask ? double(line.mask[t]) * line.maskScale : 0);
    largest = std::max(largest, weights[size_t(t)]);
  }
  for (int64_t t = line.first; t < end; ++t)
    sum += weights[size_t(t)] = std::exp(weights[size_t(t)] - largest);
  if (!std::isinf(sink))
    sum += std::exp(sink - largest);
  int64_t valueWidth = line.valueWidth ? line.valueWidth : line.width;
  int64_t stride = line.valueStride ? line.valueStride : line.width;
  for (int64_t i = 0; i < valueWidth; ++i) {
    double value = 0;
    for (int64_t t = 0; t < end; ++t)
      value += weights[size_t(t)] * line.values[t * stride + i];
    to[i] = float(value / sum);
  }
}

llvm::ArrayRef<KernelRow> attentionKernels() { return kAttention; }

} // namespace tessera::simulator
