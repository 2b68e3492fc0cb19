//===- Heads.cpp - Heads joined, and cut apart ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Letters in the shapes: B batch or users, H query heads, K key/value heads, S
// sequence, D head size.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

namespace tessera::simulator {

namespace {

/// B x H x S x D to B x S x H*D, whatever unit dimensions the result has.
llvm::Error runConcatenateHeads(KernelCall &call) {
  if (llvm::Error error = needFloats(call))
    return error;
  const DenseTensor &input = call.operand(0);
  if (input.rank() != 4 || input.volume() != call.result().volume())
    return failure("the simulator joins heads of B x H x S x D");
  int64_t heads = input.shape()[1], sequence = input.shape()[2], width = input.shape()[3];
  for (int64_t row = 0; row < input.shape()[0] * heads * sequence; ++row) {
    int64_t s = row % sequence, head = row / sequence % heads, batch = row / (sequence * heads);
    // Row (b, h, s) goes to place h of row (b, s).
    std::copy_n(input.floats.data() + row * width, width,
                call.result().floats.data() + ((batch * sequence + s) * heads + head) * width);
  }
  return llvm::Error::success();
}

/// S x B x H' x D to S x 1 x B' x H*D, of whose users and heads those of the shorter tensor count; B' may be B padded, what is
/// there is zero.
llvm::Error runConcatenateHeadsDecode(KernelCall &call) {
  if (llvm::Error error = needFloats(call))
    return error;
  const DenseTensor &input = call.operand(0);
  DenseTensor &result = call.result();
  int64_t heads = call.op.integer("num_heads", 0);
  if (input.rank() != 4 || result.rank() != 4 || input.shape()[0] != result.shape()[0] ||
      result.shape()[1] != 1 || heads > input.shape()[2] || result.shape()[3] != heads * input.shape()[3])
    return failure("the simulator joins heads of S x B x H x D");
  int64_t users = std::min(input.shape()[1], result.shape()[2]), row = result.shape()[3];
  for (int64_t s = 0; s < input.shape()[0]; ++s)
    for (int64_t user = 0; user < users; ++user)
      std::copy_n(input.floats.data() + (s * input.shape()[1] + user) * input.shape()[2] * input.shape()[3],
                  row, result.floats.data() + (s * result.shape()[2] + user) * row);
  return llvm::Error::success();
}

/// Where a head of a row's result stands: the offset of its elements.
using HeadPlace = llvm::function_ref<int64_t(int64_t row, int64_t head, int64_t heads)>;

/// Rows of (H+2K)*D elements to H heads of the first result and K of the two others, D elements each.
llvm::Error splitRows(KernelCall &call, int64_t rows, HeadPlace placeOf) {
  int64_t heads = call.op.integer("num_heads", 0), keyHeads = call.op.integer("num_kv_heads", heads);
  int64_t all = heads + 2 * keyHeads, width = all > 0 ? call.operand(0).shape().back() / all : 0;
  if (call.operands.size() != 1 || call.results.size() != 3 || width == 0 ||
      call.operand(0).volume() != rows * all * width || call.results[0].volume() != rows * heads * width ||
      call.results[1].volume() != rows * keyHeads * width ||
      call.results[2].volume() != rows * keyHeads * width)
    return failure("the simulator cuts rows of queries, keys and values into three results");
  const float *from = call.operand(0).floats.data();
  // A row is read from its first element to its last: queries, then keys, then values, each head by head.
  for (int64_t row = 0; row < rows; ++row)
    for (size_t part = 0; part < 3; ++part)
      for (int64_t head = 0, count = part == 0 ? heads : keyHeads; head < count; ++head, from += width)
        std::copy_n(from, width, call.results[part].floats.data() + placeOf(row, head, count) * width);
  return llvm::Error::success();
}

/// B x S x (H+2K)*D to B x H x S x D and twice B x K x S x D.
llvm::Error runSplitHeads(KernelCall &call) {
  if (llvm::Error error = needFloats(call))
    return error;
  if (call.operand(0).rank() != 3 || call.op.boolean("transpose_key", false))
    return failure("the simulator cuts B x S x heads, and leaves keys as they are");
  int64_t sequence = call.operand(0).shape()[1];
  return splitRows(call, call.operand(0).shape()[0] * sequence,
                   [&](int64_t row, int64_t head, int64_t heads) {
                     // Row b S + s of the operand, head h: place (b, h, s) of B x H x S.
                     return (row / sequence * heads + head) * sequence + row % sequence;
                   });
}

/// 1 x 1 x B x (H+2K)*D to 1 x B x H x D and twice 1 x B x K x D.
llvm::Error runCreateHeadsDecode(KernelCall &call) {
  if (llvm::Error error = needFloats(call))
    return error;
  const DenseTensor &input = call.operand(0);
  if (input.rank() != 4 || input.shape()[0] != 1 || input.shape()[1] != 1)
    return failure("the simulator cuts one position of every user");
  return splitRows(call, input.shape()[2],
                   [](int64_t row, int64_t head, int64_t heads) { return row * heads + head; });
}

const KernelRow kHeads[] = {{"ttnn.concatenate_heads", runConcatenateHeads},
                            {"ttnn.nlp_concat_heads", runConcatenateHeads},
                            {"ttnn.nlp_concat_heads_decode", runConcatenateHeadsDecode},
                            {"ttnn.split_query_key_value_and_split_heads", runSplitHeads},
                            {"ttnn.nlp_create_qkv_heads_decode", runCreateHeadsDecode}};

} // namespace

llvm::ArrayRef<KernelRow> headKernels() { return kHeads; }

} // namespace tessera::simulator
