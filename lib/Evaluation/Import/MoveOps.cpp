//===- MoveOps.cpp - The ops of data_movement.csv -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A row of the table has its operands' shapes and the call's arguments; the shapes of
// results follow from these. One function for each op has them, and gives the question
// its attributes. What a row does not say is not guessed: the function has no shapes
// then, and the row is skipped.
//
//===----------------------------------------------------------------------===//
#include "MoveOps.h"

namespace tessera::evaluation {
namespace {

Shapes sameShape(MoveRow &row) { return {row.in[0].desc.shape}; }

/// Each dimension is the largest of the operands'.
Shapes broadcast(MoveRow &row) {
  Shape shape = row.in[0].desc.shape;
  for (const MoveTensor &operand : row.in) {
    // Which dimensions meet would have to be guessed.
    if (operand.desc.shape.size() != shape.size())
      return {};
    for (size_t i = 0; i < shape.size(); ++i)
      shape[i] = std::max(shape[i], operand.desc.shape[i]);
  }
  return {shape};
}

/// The dimension that `key` names, counted from the front; nullopt if there is none.
std::optional<size_t> dimOf(const MoveRow &row, llvm::StringRef key) {
  std::optional<int64_t> dim = row.integer(key);
  int64_t rank = int64_t(row.in[0].desc.shape.size());
  if (!dim || *dim < -rank || *dim >= rank)
    return std::nullopt;
  return size_t(*dim < 0 ? *dim + rank : *dim);
}

Shapes concat(MoveRow &row) {
  std::optional<size_t> dim = dimOf(row, "dim");
  Shape shape = row.in[0].desc.shape;
  if (!dim)
    return {};
  shape[*dim] = 0;
  for (const MoveTensor &operand : row.in) {
    if (operand.desc.shape.size() != shape.size())
      return {};
    shape[*dim] += operand.desc.shape[*dim];
  }
  row.question.attribute("dim", int64_t(*dim));
  return {shape};
}

Shapes embedding(MoveRow &row) {
  if (row.in.size() != 2)
    return {};
  // Where the types are not stated, both would be the table's. Both are read row by row.
  row.in[0].desc.dtype = DataType::UInt32;
  for (MoveTensor &operand : row.in)
    operand.page = PageLayout::RowMajor;
  Shape shape = row.in[0].desc.shape;
  shape.push_back(row.in[1].desc.shape.back());
  return {shape};
}

Shapes gather(MoveRow &row) {
  std::optional<size_t> dim = dimOf(row, "dim");
  MoveTensor index = row.in[0];
  index.desc = {row.shape("index"), DataType::UInt32};
  if (!dim || index.desc.shape.size() != row.in[0].desc.shape.size())
    return {};
  // An argument in the table, an operand of the op.
  row.in.push_back(index);
  row.question.attribute("dim", int64_t(*dim));
  return {index.desc.shape};
}

Shapes mean(MoveRow &row) {
  std::optional<size_t> dim = dimOf(row, "dim");
  if (!dim)
    return {};
  Shape shape = row.in[0].desc.shape;
  shape[*dim] = 1;
  row.question.attribute("dim_arg", std::vector<int64_t>{int64_t(*dim)}).attribute("keep_dim", true);
  return {shape};
}

/// [batch, heads, rows, width] -> [batch, 1, rows, heads * width].
Shapes concatHeads(MoveRow &row) {
  const Shape &in = row.in[0].desc.shape;
  if (in.size() != 4)
    return {};
  return {{in[0], 1, in[2], in[1] * in[3]}};
}

/// [1, users, heads, width] -> [1, 1, users, heads * width].
Shapes concatHeadsOfUsers(MoveRow &row) {
  const Shape &in = row.in[0].desc.shape;
  std::optional<int64_t> heads = row.integer("num_heads");
  if (in.size() != 4 || !heads)
    return {};
  row.question.attribute("num_heads", *heads);
  return {{in[0], 1, in[1], *heads * in[3]}};
}

/// Heads of queries, keys and values side by side in the last dimension.
struct Heads {
  int64_t query, key, width;
};
std::optional<Heads> headsOf(const MoveRow &row) {
  // "12 heads of 64": where the source has no call to quote.
  int64_t noted = row.notedInteger(" heads of").value_or(0);
  int64_t query = row.integer("num_heads").value_or(noted);
  // Without a number of their own there are as many keys as queries.
  int64_t key = row.integer("num_kv_heads").value_or(query);
  int64_t all = row.in[0].desc.shape.back();
  if (query < 1 || key < 1 || all % (query + 2 * key))
    return std::nullopt;
  return Heads{query, key, all / (query + 2 * key)};
}

Shapes splitHeads(MoveRow &row) {
  Shape in = row.in[0].desc.shape;
  std::optional<Heads> heads = headsOf(row);
  if (!heads || in.size() < 3)
    return {};
  row.question.attribute("num_heads", heads->query).attribute("num_kv_heads", heads->key);
  int64_t batch = in.front(), rows = in[in.size() - 2];
  Shape key{batch, heads->key, rows, heads->width};
  return {{batch, heads->query, rows, heads->width}, key, key};
}

/// [1, 1, users, all heads] -> [1, users, heads, width].
Shapes splitHeadsOfUsers(MoveRow &row) {
  Shape in = row.in[0].desc.shape;
  std::optional<Heads> heads = headsOf(row);
  if (!heads || in.size() < 2)
    return {};
  row.question.attribute("num_heads", heads->query).attribute("num_kv_heads", heads->key);
  int64_t users = in[in.size() - 2];
  Shape key{1, users, heads->key, heads->width};
  return {{1, users, heads->query, heads->width}, key, key};
}

/// `padding` has a pair for each dimension: what is added in front, and behind.
Shapes pad(MoveRow &row) {
  std::vector<int64_t> padding = row.list("padding");
  Shape shape = row.in[0].desc.shape;
  if (padding.size() != 2 * shape.size())
    return {};
  for (size_t i = 0; i < shape.size(); ++i)
    shape[i] += padding[2 * i] + padding[2 * i + 1];
  row.question.attribute("padding", padding).attribute("use_multicore", true);
  return {shape};
}

/// Where only padded shapes are printed, of results and operands, the first and the third dimension change
/// places.
void unpadSwap(MoveRow &row, const std::vector<int64_t> &paddedResult) {
  Shape &in = row.in[0].desc.shape;
  if (in.size() == 4 && paddedResult.size() == 4)
    in[2] = paddedResult[0];
}

Shapes permute(MoveRow &row) {
  std::vector<int64_t> order = row.list("dims");
  if (std::vector<int64_t> padded = row.list("padded_out"); !padded.empty()) {
    unpadSwap(row, padded);
    order = {2, 1, 0, 3};
  }
  const Shape &in = row.in[0].desc.shape;
  Shape shape;
  for (int64_t dim : order) {
    if (dim < 0 || dim >= int64_t(in.size()))
      return {};
    shape.push_back(in[size_t(dim)]);
  }
  if (shape.size() != in.size())
    return {};
  row.question.attribute("permutation", order);
  return {shape};
}

Shapes repeat(MoveRow &row) {
  std::vector<int64_t> times = row.list("repeat_dims");
  Shape shape = row.in[0].desc.shape;
  if (times.size() != shape.size())
    return {};
  for (size_t i = 0; i < shape.size(); ++i)
    shape[i] *= times[i];
  row.question.attribute("repeat_dims", times);
  return {shape};
}

Shapes repeatInterleave(MoveRow &row) {
  std::optional<size_t> dim = dimOf(row, "dim");
  std::optional<int64_t> times = row.integer("repeats");
  Shape shape = row.in[0].desc.shape;
  if (!dim || !times)
    return {};
  shape[*dim] *= *times;
  row.question.attribute("dim", int64_t(*dim)).attribute("repeats", *times);
  return {shape};
}

Shapes reshape(MoveRow &row) {
  Shape shape = row.shape("shape");
  return shape.empty() ? Shapes() : Shapes{shape};
}

/// Tables of cosines and sines for every row.
Shapes rotary(MoveRow &row) {
  MoveTensor table = row.in[0];
  Shape &shape = table.desc.shape;
  if (shape.size() != 4)
    return {};
  shape[0] = shape[1] = 1;
  // Rows name the heads only; cosines and sines are operands of the op and have to be there to be asked for.
  if (row.in.size() == 1)
    row.in.insert(row.in.end(), 2, table);
  return {row.in[0].desc.shape};
}

/// No row has a step but 1: every element between begin and end.
Shapes slice(MoveRow &row) {
  std::vector<int64_t> begins = row.list("begins"), ends = row.list("ends");
  size_t rank = row.in[0].desc.shape.size();
  if (begins.size() != rank || ends.size() != rank)
    return {};
  Shape shape;
  for (size_t i = 0; i < rank; ++i)
    shape.push_back(ends[i] - begins[i]);
  row.question.attribute("begins", begins)
      .attribute("ends", ends)
      .attribute("step", std::vector<int64_t>(rank, 1));
  return {shape};
}

Shapes softmax(MoveRow &row) {
  row.question.attribute("dimension", int64_t(-1));
  return sameShape(row);
}

Shapes transpose(MoveRow &row) {
  std::optional<size_t> a = dimOf(row, "dim0"), b = dimOf(row, "dim1");
  Shape shape = row.in[0].desc.shape;
  if (!a || !b)
    return {};
  std::swap(shape[*a], shape[*b]);
  row.question.attribute("dim0", int64_t(*a)).attribute("dim1", int64_t(*b));
  return {shape};
}

/// The rows and columns that stay are the result's, and by the rule of to_layout the operand's too. `end` names the last
/// element that stays of the last dimensions; those in front stay whole.
Shapes unpad(MoveRow &row) {
  Shape &in = row.in[0].desc.shape;
  std::vector<int64_t> end = row.list("end");
  for (auto [extent, last] : llvm::zip(llvm::reverse(in), llvm::reverse(end)))
    extent = last + 1;
  return {in};
}

/// The row's shape is that of keys and values.
Shapes attentionDecode(MoveRow &row) {
  std::optional<int64_t> heads = row.integer("q_heads"), users = row.integer("batch");
  const Shape &keys = row.in[0].desc.shape;
  if (!heads || !users || keys.size() != 4)
    return {};
  MoveTensor query = row.in[0];
  // Caches may be of blocks of floats; what is computed with them is bf16.
  query.desc = {{1, *users, *heads, keys[3]}, DataType::BFloat16};
  row.in = {query, row.in[0], row.in[0]};
  row.type = DataType::BFloat16;
  return {query.desc.shape};
}

// Names as the library's programs have them. Several programs of one op (tilize, untilize) are that op with other
// pages.
constexpr MoveOp kOps[] = {
    {"add", "ttnn.add", broadcast},
    {"clone", "ttnn.assign", sameShape},
    {"concat", "ttnn.concat", concat},
    {"embedding", "ttnn.embedding", embedding},
    {"gather", "ttnn.gather", gather},
    {"gelu", "ttnn.gelu", sameShape},
    {"interleaved_to_sharded", "ttnn.to_memory_config", sameShape},
    {"layer_norm", "ttnn.layer_norm", sameShape},
    {"mean", "ttnn.mean", mean},
    {"multiply", "ttnn.multiply", broadcast},
    {"nlp_concat_heads", "ttnn.nlp_concat_heads", concatHeads},
    {"nlp_concat_heads_decode", "ttnn.nlp_concat_heads_decode", concatHeadsOfUsers},
    {"nlp_create_qkv_heads", "ttnn.split_query_key_value_and_split_heads", splitHeads},
    {"nlp_create_qkv_heads_decode", "ttnn.nlp_create_qkv_heads_decode", splitHeadsOfUsers},
    {"pad", "ttnn.pad", pad},
    {"permute", "ttnn.permute", permute},
    {"repeat", "ttnn.repeat", repeat},
    {"repeat_interleave", "ttnn.repeat_interleave", repeatInterleave},
    {"reshape", "ttnn.reshape", reshape},
    {"reshard", "ttnn.to_memory_config", sameShape},
    {"rms_norm", "ttnn.rms_norm", sameShape},
    {"rotary_embedding", "ttnn.rotary_embedding", rotary},
    {"sharded_to_interleaved", "ttnn.to_memory_config", sameShape},
    {"sigmoid", "ttnn.sigmoid", sameShape},
    {"silu", "ttnn.silu", sameShape},
    {"slice", "ttnn.slice_static", slice},
    {"softmax", "ttnn.softmax", softmax},
    {"tilize", "ttnn.to_layout", sameShape},
    {"tilize_with_val_padding", "ttnn.to_layout", sameShape},
    {"transformer.scaled_dot_product_attention_decode", "ttnn.scaled_dot_product_attention_decode",
     attentionDecode},
    {"transpose", "ttnn.transpose", transpose},
    {"typecast", "ttnn.typecast", sameShape},
    {"untilize", "ttnn.to_layout", sameShape},
    {"untilize_with_unpadding", "ttnn.to_layout", unpad},
};

} // namespace

const MoveOp *findMoveOp(llvm::StringRef name) {
  const MoveOp *op = llvm::find_if(kOps, [&](const MoveOp &known) { return known.name == name; });
  return op == std::end(kOps) ? nullptr : op;
}

} // namespace tessera::evaluation
