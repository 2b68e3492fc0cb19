//===- HeadPatterns.cpp - Heads cut, joined and turned --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Letters in the shapes: B batch or users, H query heads, K key/value heads, S
// positions, D head size.
//
//===----------------------------------------------------------------------===//
#include "PatternWriters.h"

using namespace tessera;

namespace {

struct Heads {
  int64_t h, k, d;
};

Heads randomHeads(PatternText &p) {
  Heads heads{};
  heads.k = p.pick<int64_t>({1, 2, 4});
  heads.h = heads.k * p.pick<int64_t>({1, 2, 4});
  heads.d = p.pick<int64_t>({32, 64});
  return heads;
}

/// Queries, keys and values of one matrix of some rows, cut side by side: with a gap if it is off by that.
std::vector<Named> cut(PatternText &p, const Heads &heads, int64_t rows, bool hasGap, bool isAlsoRead) {
  const int64_t gap = hasGap ? 32 : 0;
  const bool keysFirst = !hasGap && heads.h > heads.k && p.chance(4);
  const int64_t widths[] = {(keysFirst ? heads.k : heads.h) * heads.d, heads.k * heads.d,
                            (keysFirst ? heads.h : heads.k) * heads.d};
  const int64_t width = widths[0] + widths[1] + widths[2] + gap;
  // In another order only what is a product of weights.
  Named matrix = keysFirst ? p.matmul(p.input({rows, 64}), p.parameter({64, width})) : p.input({rows, width});
  std::vector<Named> parts;
  int64_t begin = 0;
  for (int64_t part : widths) {
    parts.push_back(p.slice(matrix, 1, begin, begin + part));
    begin += part + (parts.size() == 1 ? gap : 0);
  }
  if (isAlsoRead)
    p.give(parts[1]);
  return parts;
}

/// Rows of B S as B x H x S x D.
Named asHeads(PatternText &p, const Named &rows, int64_t batch, int64_t size,
              const Shape &order = {0, 2, 1, 3}) {
  const Shape &shape = rows.desc.shape;
  return p.permute(p.reshape(rows, {batch, shape[0] / batch, shape[1] / size, size}), order);
}

} // namespace

/// Off: a gap between the parts; another reads a part; keys and values of other sizes.
void tessera::writeDecodeHeads(PatternText &p, size_t off) {
  Heads heads = randomHeads(p);
  if (off == 3)
    heads.k *= 2, heads.h = heads.k * 2;
  const int64_t users = p.pick<int64_t>({1, 4, 8, 32});
  const bool usersFirst = p.chance();
  std::vector<Named> parts = cut(p, heads, users, off == 1, off == 2);
  for (size_t i = 0; i < parts.size(); ++i) {
    const int64_t size = off == 3 && i == 2 ? heads.d / 2 : heads.d, count = parts[i].desc.shape[1] / size;
    p.give(p.reshape(parts[i], usersFirst ? Shape{users, count, 1, size} : Shape{1, users, count, size}));
  }
}

/// Off: a gap between the parts; another reads a part; one is permuted in another way.
void tessera::writeSplitHeads(PatternText &p, size_t off) {
  const Heads heads = randomHeads(p);
  const int64_t batch = p.pick<int64_t>({1, 2}), positions = p.pick<int64_t>({32, 64});
  const bool isWide = off == 0 && p.chance(3);
  for (Named part : cut(p, heads, batch * positions, off == 1, off == 2)) {
    if (isWide)
      part = p.cast(part, DataType::Float32);
    p.give(asHeads(p, part, batch, heads.d, off == 3 ? Shape{0, 2, 3, 1} : Shape{0, 2, 1, 3}));
  }
}

/// Off: another reads the norm; permuted in another way; what is normed is no reshape.
void tessera::writeLateNorm(PatternText &p, size_t off) {
  const int64_t batch = p.pick<int64_t>({1, 2}), positions = p.pick<int64_t>({18, 32, 64}),
                heads = p.pick<int64_t>({2, 8}), size = p.pick<int64_t>({32, 64, 128});
  const Shape shape{batch, positions, heads, size};
  Named x = off == 3 ? p.argument({shape, DataType::BFloat16})
                     : p.reshape(p.argument({{batch * positions, heads * size}, DataType::BFloat16}), shape);
  Named normed = p.norm(p.pick({"rms_norm", "layer_norm"}), x);
  if (off == 1)
    p.giveItself(normed);
  p.give(p.permute(normed, off == 2 ? Shape{2, 0, 1, 3} : Shape{0, 2, 1, 3}));
}

/// Off: heads are no fours; halves of tiles; permuted in another way.
void tessera::writeLoneHeads(PatternText &p, size_t off) {
  const int64_t batch = p.pick<int64_t>({1, 2}), positions = p.pick<int64_t>({32, 40, 64}),
                heads = off == 1 ? 6 : p.pick<int64_t>({4, 8}),
                size = off == 2 ? 16 : p.pick<int64_t>({32, 64});
  Named rows = p.input({batch * positions, heads * size});
  p.give(asHeads(p, rows, batch, size, off == 3 ? Shape{2, 0, 1, 3} : Shape{0, 2, 1, 3}));
}

/// Off: a matrix comes with the call; another reads a product; one is no heads.
void tessera::writeJoinedProducts(PatternText &p, size_t off) {
  const Heads heads = randomHeads(p);
  const bool isLinear = p.chance(), isDecode = p.chance(3); // of rows of users
  const int64_t batch = p.pick<int64_t>({1, 2}), positions = isDecode ? 16 : p.pick<int64_t>({32, 64}),
                inner = p.pick<int64_t>({32, 64, 96});
  Named x = p.input({batch * positions, inner});
  const int64_t counts[] = {heads.h, heads.k, heads.k};
  for (size_t i = 0; i < std::size(counts); ++i) {
    const int64_t width = counts[i] * heads.d;
    Named weight =
        off == 1 && i == 1 ? p.argument({{inner, width}, DataType::BFloat16}) : p.parameter({inner, width});
    Named product =
        isLinear ? p.made("linear", {x, weight, p.parameter({1, width})},
                          "transpose_a = false, transpose_b = false", p.with({batch * positions, width}, x))
                 : p.matmul(x, weight);
    if (off == 2 && i == 2)
      p.give(product);
    const int64_t users = batch * positions;
    p.give(off == 3 && i == 0 ? p.unary(product)
           : isDecode         ? p.reshape(product, p.pick<Shape>({{1, users, counts[i], heads.d},
                                                                  {users, 1, counts[i], heads.d},
                                                                  {users, counts[i], 1, heads.d}}))
                              : asHeads(p, product, batch, heads.d));
  }
}

/// Off: a column; a function before it; another reads the product; a tensor of the whole shape.
void tessera::writeBias(PatternText &p, size_t off) {
  const int64_t rows = p.pick<int64_t>({32, 64, 40}), inner = p.pick<int64_t>({32, 64}),
                width = p.pick<int64_t>({64, 128});
  Named x = p.input({rows, inner});
  Named product = p.matmul(x, p.argument(p.with({inner, width}, x)));
  if (off == 2)
    product = p.unary(product);
  if (off == 3)
    p.give(product);
  if (p.chance(3))
    product = p.reshape(product, {1, rows, width});
  const bool isWhole = product.desc.shape.size() == 3;
  Shape row = isWhole ? Shape{1, 1, width} : Shape{1, width};
  row[row.size() - 2] = off == 1 || off == 4 ? rows : 1;
  if (off == 1)
    row.back() = 1;
  Named bias = p.argument(p.with(row, product));
  p.give(p.chance() ? p.binary("add", product, bias) : p.made("add", {bias, product}, "", product.desc));
}

/// Off: columns that no slice has; another reads a part; a row that comes with the call.
void tessera::writeJoinedBias(PatternText &p, size_t off) {
  const int64_t rows = p.pick<int64_t>({32, 40}), width = p.pick<int64_t>({32, 64}),
                count = p.pick<int64_t>({2, 3}), gap = off == 1 ? 32 : 0;
  Named product = p.matmul(p.input({rows, 64}), p.parameter({64, count * width + gap}));
  for (int64_t part = 0; part < count; ++part) {
    Named slice = p.slice(product, 1, part * width, (part + 1) * width);
    if (off == 2 && part == 0)
      p.give(slice);
    const Shape shape{1, width};
    Named row = off == 3 && part == 0 ? p.argument({shape, DataType::BFloat16}) : p.parameter(shape);
    p.give(p.chance() ? p.binary("add", slice, row) : p.made("add", {row, slice}, "", slice.desc));
  }
}

/// Off: the matrix comes with the call; another reads the product; parts are permuted in another way; a function before the turn.
void tessera::writeConstantRight(PatternText &p, size_t off) {
  const int64_t parts = p.pick<int64_t>({1, 2, 4}), rows = p.pick<int64_t>({64, 96}),
                inner = p.pick<int64_t>({32, 64}), users = p.pick<int64_t>({32, 64, 8});
  const Shape matrix = {parts * rows, inner};
  Named weights = off == 1 ? p.argument({matrix, DataType::BFloat16}) : p.parameter(matrix);
  const bool isTurned = p.chance();
  Named x = p.input(isTurned ? Shape{users, inner} : Shape{inner, users});
  Named product = p.made("matmul", {weights, x},
                         std::string("transpose_a = false, transpose_b = ") + (isTurned ? "true" : "false"),
                         p.with({parts * rows, users}, x));
  if (off == 2)
    p.give(product);
  if (off == 4)
    product = p.unary(product);
  if (parts > 1 || off == 3)
    product = p.reshape(product, {parts, rows, users});
  p.give(off == 3                         ? p.permute(product, {1, 0, 2})
         : product.desc.shape.size() == 3 ? p.permute(product, {0, 2, 1})
                                          : p.permute(product, {1, 0}));
}

/// Off: the matrix comes with the call; it lies as the product wants it.
void tessera::writeTurnedConstant(PatternText &p, size_t off) {
  const int64_t rows = p.pick<int64_t>({32, 64, 40}), inner = p.pick<int64_t>({32, 64, 48}),
                columns = p.pick<int64_t>({64, 96, 50});
  const bool turns = off != 2;
  const Shape matrix = turns ? Shape{columns, inner} : Shape{inner, columns};
  Named x = p.input({rows, inner});
  Named weights = off == 1 ? p.argument({matrix, DataType::BFloat16}) : p.parameter(matrix);
  Named product = p.made("matmul", {x, weights},
                         std::string("transpose_a = false, transpose_b = ") + (turns ? "true" : "false"),
                         p.with({rows, columns}, x));
  p.give(p.chance() ? p.unary(product) : product);
}

/// Off: permuted in another way; joined with something else.
void tessera::writeJoinedHeads(PatternText &p, size_t off) {
  const int64_t b = p.pick<int64_t>({1, 2, 3}), h = p.pick<int64_t>({2, 4, 8}), s = p.pick<int64_t>({32, 64}),
                d = p.pick<int64_t>({32, 64});
  Named x = p.permute(p.input({b, h, s, d}), off == 1 ? Shape{0, 2, 3, 1} : Shape{0, 2, 1, 3});
  const int64_t joined = h * d;
  p.give(p.reshape(x, off == 2 ? Shape{b, s * h, d}
                               : p.pick<Shape>({{b, s, joined}, {b * s, joined}, {b, 1, s, joined}})));
}

/// Off: heads stand before their elements; weights come with the call; another reads the joined heads.
void tessera::writeHeadOrder(PatternText &p, size_t off) {
  const int64_t b = p.pick<int64_t>({1, 2}), h = p.pick<int64_t>({2, 4, 8}), s = p.pick<int64_t>({32, 64}),
                d = p.pick<int64_t>({32, 64}), columns = p.pick<int64_t>({32, 64});
  Named x = p.permute(p.argument({{b, h, s, d}, DataType::BFloat16}),
                      off == 1 ? Shape{0, 2, 1, 3} : Shape{0, 2, 3, 1});
  Named joined = p.reshape(x, {b * s, h * d});
  Named weights =
      off == 2 ? p.argument({{h * d, columns}, DataType::BFloat16}) : p.parameter({h * d, columns});
  if (off == 3)
    p.giveItself(joined);
  p.give(p.matmul(joined, weights));
}

/// Off: fewer users than a tile has rows; no attention.
void tessera::writeJoinedDecodeHeads(PatternText &p, size_t off) {
  const int64_t users = off == 1 ? 16 : 32, h = p.pick<int64_t>({4, 8, 32}), d = p.pick<int64_t>({32, 64}),
                keys = 64;
  Named q = p.input({1, users, h, d}), out = q;
  if (off != 2) {
    Named k = p.input({users, 1, keys, d}), v = p.input({users, 1, keys, d});
    out = p.made(
        "scaled_dot_product_attention_decode", {q, k, v},
        "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.25e-01 : f32",
        q.desc);
  }
  p.give(p.reshape(out, p.chance() ? Shape{users, h * d} : Shape{1, 1, users, h * d}));
}
