//===- AttentionPatterns.cpp - Products with a softmax between ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Letters in the shapes: B batch or users, H query heads, K key/value heads, S
// positions of the queries, T of the keys, D head size.
//
//===----------------------------------------------------------------------===//
#include "PatternWriters.h"

using namespace tessera;

namespace {

/// What one attention is made of.
struct Attention {
  int64_t b, h, k, s, t, d;
  bool isWide;   ///< computed in f32 in between
  size_t scaled; ///< where: nowhere, queries, keys, scores, scores by division
  const char *scale, *inverse;
  bool isSoftMasked, isHardMasked;
  bool isChosen;          ///< forbidden scores are replaced, and nothing is added
  bool hasKeysByPosition; ///< B x T x K x D, permuted for the product at once
};

enum Off : size_t {
  None,
  AnotherDimension,
  NegativeScale,
  TrueF32,
  Written,
  MoreBetween,
  OddSize, ///< of one position
  ScaledSoftMask
};

Attention randomAttention(PatternText &p, bool isDecode, size_t off) {
  Attention a{};
  a.b = isDecode ? p.pick<int64_t>({1, 2, 4, 8}) : p.pick<int64_t>({1, 2});
  a.k = p.pick<int64_t>({1, 2, 4});
  a.h = a.k * p.pick<int64_t>({1, 2, 4});
  a.t = isDecode ? p.pick<int64_t>({64, 128}) : p.pick<int64_t>({32, 64, 96});
  a.s = isDecode ? 1 : a.t;
  a.d = isDecode ? p.pick<int64_t>({32, 64}) : p.pick<int64_t>({32, 64, 40});
  if (off == OddSize) // chunks of keys are whole tiles where there is one position
    a.t = 48;
  if (off == Written) { // a cache has 64 positions
    a.t = 64;
    a.h = a.k = 2;
  }
  if (off == AnotherDimension)
    a.h *= 2;
  a.isWide = off != TrueF32 && p.chance();
  // Keys that are scaled before they are repeated are other keys, whatever the scale.
  a.scaled = off == NegativeScale ? p.pick<size_t>({1, 3, 4}) : p.below(5);
  a.scale = off == NegativeScale ? "-1.25e-01" : p.pick({"1.25e-01", "2.5e-01", "1.7677669e-01"});
  a.inverse = off == NegativeScale ? "-8.0" : p.pick({"8.0", "5.65685415"});
  const size_t mask = p.below(3);
  a.isSoftMasked = off == ScaledSoftMask || mask == 1;
  a.isHardMasked = !a.isSoftMasked && mask == 2;
  if (off == ScaledSoftMask) { // of bf16 it would be divided by the scale
    a.scaled = 3;
    a.isWide = true;
  }
  a.isChosen = off == None && !a.isSoftMasked && !a.isHardMasked && p.chance();
  a.hasKeysByPosition = off != Written && a.h == a.k && p.chance();
  return a;
}

Named scaledBy(PatternText &p, const Attention &a, const Named &x) {
  Named by = p.number(a.scale, x);
  return p.chance() ? p.binary("multiply", x, by) : p.made("multiply", {by, x}, "", x.desc);
}

/// Zeros, and what forbids a key.
Named hardMask(PatternText &p, const Attention &a, const Named &scores) {
  Named drawn = p.argument(p.with({p.pick<int64_t>({1, a.b}), 1, a.s, a.t}, scores));
  Named zero = p.number("0.0", drawn), lowest = p.number(p.pick({"-3.38953139E+38", "0xFF800000"}), drawn);
  Named isAllowed = p.binary("gt", drawn, p.number("-1.0", drawn));
  return p.made("where", {isAllowed, zero, lowest}, "", drawn.desc);
}

/// Any numbers; of one position scaled as the scores are, since the kernel of decode scales them together.
Named softMask(PatternText &p, const Attention &a, const Named &scores, size_t off) {
  Named mask = p.argument(p.with({p.pick<int64_t>({1, a.b}), p.pick<int64_t>({1, a.h}), a.s, a.t}, scores));
  return a.s == 1 && off != ScaledSoftMask && a.scaled == 3 ? scaledBy(p, a, mask) : mask;
}

/// q k^T, transposed before the product or by it.
Named productWithTransposed(PatternText &p, const Named &q, const Named &k) {
  if (p.chance())
    return p.matmul(q, p.transpose(k));
  Shape scores = q.desc.shape;
  scores.back() = k.desc.shape[scores.size() - 2];
  return p.made("matmul", {q, k}, "transpose_a = false, transpose_b = true", p.with(scores, q));
}

Named scoresOf(PatternText &p, const Attention &a, Named q, Named k, size_t off) {
  if (a.scaled == 1)
    q = scaledBy(p, a, q);
  if (a.scaled == 2)
    k = scaledBy(p, a, k);
  Named scores = a.hasKeysByPosition ? p.matmul(q, p.permute(k, {0, 2, 3, 1}))
                                     : productWithTransposed(p, q, p.repeatHeads(k, a.h / a.k));
  if (a.scaled == 3)
    scores = scaledBy(p, a, scores);
  if (a.scaled == 4)
    scores = p.binary("divide", scores, p.number(a.inverse, scores));
  // Of one position and another scale than the mask's it would be a near miss.
  const bool mayBeSoft = a.s != 1 || a.scaled == 0 || a.scaled == 3 || off == ScaledSoftMask;
  if (a.isSoftMasked && mayBeSoft)
    scores = p.binary("add", scores, softMask(p, a, scores, off));
  if (a.isChosen) {
    Named drawn = p.argument(p.with({p.pick<int64_t>({1, a.b}), 1, a.s, a.t}, scores));
    Named condition = p.binary("gt", drawn, p.number("-1.0", drawn));
    Named lowest = p.number(p.pick({"-3.38953139E+38", "-1.0e+09"}), scores);
    scores = p.chance() ? p.made("where", {condition, scores, lowest}, "", scores.desc)
                        : p.made("where", {condition, lowest, scores}, "", scores.desc);
  }
  if (a.isHardMasked)
    scores = p.binary("add", scores, hardMask(p, a, scores));
  return scores;
}

/// Weights of the scores, a sink for each head behind them, of which no weight is read; the maximum of each row may be taken away before.
Named sunkWeights(PatternText &p, const Attention &a, const Named &scores, int64_t dimension) {
  Named sinks = p.argument({{1, a.h, 1, 1}, DataType::BFloat16});
  if (scores.desc.dtype == DataType::Float32)
    sinks = p.cast(sinks, DataType::Float32);
  const Shape times{a.b, 1, a.s, 1};
  Named column = p.made("repeat", {sinks},
                        "repeat_dims = #ttnn.shape<" + std::to_string(times[0]) + "x1x" +
                            std::to_string(times[2]) + "x1>",
                        p.with({a.b, a.h, a.s, 1}, sinks));
  Named all = p.concat(scores, column, 3);
  if (p.chance())
    all = p.binary("subtract", all, p.reduce("max", all, 3));
  return p.slice(p.softmax(all, dimension), 3, 0, a.t);
}

void writeAttentionOf(PatternText &p, const Attention &a, size_t off) {
  DataType dtype = off == TrueF32 ? DataType::Float32 : DataType::BFloat16;
  auto widened = [&](const Named &x) { return a.isWide ? p.cast(x, DataType::Float32) : x; };
  // A function that goes into the scaling of what it makes hides the scale, and then the sign does not matter.
  auto read = [&](const Shape &shape) {
    return off == NegativeScale ? p.argument({shape, dtype}) : p.input(shape, dtype);
  };
  Named q = read({a.b, a.h, a.s, a.d});
  const Shape keys{a.b, a.k, a.t, a.d};
  Named k = off == Written ? p.cache(keys) : a.hasKeysByPosition ? read({a.b, a.t, a.k, a.d}) : read(keys);
  Named v = p.input(keys, dtype);
  Named scores = scoresOf(p, a, widened(q), widened(k), off);
  const int64_t dimension = off == AnotherDimension ? 1 : p.pick<int64_t>({3, -1});
  Named weights = p.chance(4) ? sunkWeights(p, a, scores, dimension) : p.softmax(scores, dimension);
  if (off == Written)
    p.writeCache(k);
  if (off == MoreBetween)
    weights = p.same("sigmoid", weights);
  const bool staysWide = a.isWide && p.chance();
  if (a.isWide && !staysWide)
    weights = p.cast(weights, DataType::BFloat16);
  Named out = p.matmul(weights, p.repeatHeads(staysWide ? widened(v) : v, a.h / a.k));
  p.give(staysWide ? p.cast(out, DataType::BFloat16) : out);
}

} // namespace

/// Off: as `Off` has it.
void tessera::writeAttention(PatternText &p, size_t off) {
  writeAttentionOf(p, randomAttention(p, false, off), off);
}

/// Off: as `Off` has it; at last a mask of f32 that is not scaled where the scores are.
void tessera::writeDecodeAttention(PatternText &p, size_t off) {
  writeAttentionOf(p, randomAttention(p, true, off), off);
}

/// Off: two keys; a softmax along heads; another condition than that the key is forbidden.
void tessera::writeOneKey(PatternText &p, size_t off) {
  const int64_t b = p.pick<int64_t>({1, 2, 4}), h = p.pick<int64_t>({2, 4, 8}), t = off == 1 ? 2 : 1,
                d = p.pick<int64_t>({32, 64, 40});
  DataType dtype = p.pick({DataType::BFloat16, DataType::Float32});
  Named v = p.input({b, h, t, d}, dtype);
  Named scores = p.chance()
                     ? p.input({b, h, 1, t}, dtype)
                     : p.matmul(p.input({b, h, 1, d}, dtype), p.transpose(p.input({b, h, t, d}, dtype)));
  Named weights = p.softmax(scores, off == 2 ? 1 : 3);
  if (off == 3 || (off == 0 && p.chance())) { // the guard against rows that are all masked
    Named lowest = p.number(off == 3 ? "0.0" : "0xFF800000", scores);
    Named isNumber = p.same("logical_not", p.made(off == 3 ? "gt" : "eq", {scores, lowest}, "", scores.desc));
    weights = p.made("where", {isNumber, weights, p.number("0.0", weights)}, "", weights.desc);
  }
  p.give(off != 1 && p.chance() ? p.binary("multiply", weights, v) : p.matmul(weights, v));
}

/// Off: another condition; a softmax along heads; another number than 0; two masks, each of which may be infinite.
void tessera::writeLateGuard(PatternText &p, size_t off) {
  const int64_t b = p.pick<int64_t>({1, 2}), h = p.pick<int64_t>({2, 4}), s = p.pick<int64_t>({1, 32, 40}),
                t = p.pick<int64_t>({32, 64}), d = p.pick<int64_t>({32, 64});
  DataType dtype = p.pick({DataType::BFloat16, DataType::Float32});
  Named scores = p.matmul(p.input({b, h, s, d}, dtype), p.input({b, h, d, t}, dtype));
  for (size_t masks = off == 4 ? 2 : p.below(2); masks > 0; --masks) {
    Named drawn = p.argument(p.with({p.pick<int64_t>({1, b}), 1, s, t}, scores));
    Named isAllowed = p.binary("gt", drawn, p.number("-1.0", drawn)), lowest = p.number("0xFF800000", drawn);
    scores =
        p.binary("add", scores, p.made("where", {isAllowed, p.number("0.0", drawn), lowest}, "", drawn.desc));
  }
  Named lowest = p.number(off == 1 ? "0.0" : "0xFF800000", scores);
  Named isForbidden = p.binary(off == 1 ? "lt" : "eq", scores, lowest);
  Named guard = p.reduce("sum", p.same("logical_not", isForbidden), 3);
  Named weights = p.softmax(scores, off == 2 ? 1 : 3);
  weights = p.made("where", {guard, weights, p.number(off == 3 ? "1.0" : "0.0", weights)}, "", weights.desc);
  p.give(p.matmul(weights, p.input({b, h, t, d}, dtype)));
}

/// Off: values are not repeated; heads are repeated one group behind the other; keys are written in between.
void tessera::writeGroupedHeads(PatternText &p, size_t off) {
  const bool isDecode = p.chance();
  const int64_t b = p.pick<int64_t>({1, 2, 4}), k = off == 3 ? 2 : p.pick<int64_t>({2, 4}),
                times = p.pick<int64_t>({2, 4}), h = k * times * p.pick<int64_t>({1, 2}),
                d = p.pick<int64_t>({32, 64}), keys = off == 3 ? 64 : p.pick<int64_t>({64, 128});
  const Shape once{b, k, keys, d}, often{b, k * times, keys, d};
  Named key = off == 3 ? p.cache(once) : p.input(once), value = p.input(off == 1 ? often : once);
  Named many = off == 2
                   ? p.made("repeat", {key}, "repeat_dims = #ttnn.shape<1x" + std::to_string(times) + "x1x1>",
                            p.with(often, key))
                   : p.repeatHeads(key, times);
  if (off == 3)
    p.writeCache(key);
  Named values = off == 1 ? value : p.repeatHeads(value, times);
  auto attend = [&](const char *op, const Named &query, const char *others) {
    return p.made(
        op, {query, many, values},
        std::string("is_causal = false, scale = 1.25e-01 : f32, operandSegmentSizes = array<i32: 1, 1, 1, ") +
            others,
        query.desc);
  };
  if (isDecode)
    return p.give(attend("scaled_dot_product_attention_decode", p.input({1, b, h, d}), "0, 0, 0>"));
  p.give(attend("scaled_dot_product_attention", p.input({b, h, keys, d}), "0, 0>"));
}

namespace {

/// Positions of one sequence down the rows and along the columns of a matrix, and masks that are made of them.
struct Positions {
  Positions(PatternText &p, int64_t count) : p(p), matrix{{count, count}, DataType::BFloat16} {
    Named counted =
        p.made("arange", {}, "start = 0 : i64, end = " + std::to_string(count) + " : i64, step = 1 : i64",
               {{count}, DataType::Int32}, p.device());
    row = p.reshape(counted, {count, 1});
    column = p.reshape(counted, {1, count});
  }

  Named compared(const char *op, const Named &x, const Named &y) { return p.made(op, {x, y}, "", matrix); }
  Named shifted(const Named &positions, int64_t by) {
    Named number =
        p.made("full", {}, "fill_value = " + std::to_string(by) + " : i32, shape = #ttnn.shape<1x1>",
               {{1, 1}, DataType::Int32}, p.device());
    return p.made("add", {positions, number}, "", positions.desc);
  }
  /// 0 where a key is left, what forbids it elsewhere, or a score like others.
  Named mask(const Named &isLeft, bool forbids) {
    Named like{};
    like.desc = {matrix.shape, p.pick({DataType::BFloat16, DataType::Float32})};
    Named lowest = p.number(forbids ? p.pick({"-3.38953139E+38", "0xFF800000"}) : "-4.0", like);
    return p.cast(p.made("where", {isLeft, p.number("0.0", like), lowest}, "", like.desc),
                  DataType::BFloat16);
  }

  PatternText &p;
  TensorDesc matrix;
  Named row, column;
};

/// Attention over as many keys as queries, by a mask for all heads.
void giveMasked(PatternText &p, const Named &mask, int64_t positions) {
  const int64_t b = p.pick<int64_t>({1, 2}), k = p.pick<int64_t>({1, 2}), d = p.pick<int64_t>({32, 64});
  Named q = p.input({b, k * p.pick<int64_t>({1, 2}), positions, d});
  p.give(p.made(
      "scaled_dot_product_attention", {q, p.input({b, k, positions, d}), p.input({b, k, positions, d}), mask},
      "is_causal = false, scale = 1.25e-01 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>", q.desc));
}

} // namespace

/// Off: a position does not see itself; what forbids a key is a score like others; a window of positions; only the call knows.
void tessera::writeCausal(PatternText &p, size_t off) {
  const int64_t s = p.pick<int64_t>({32, 64, 96});
  Positions at(p, s);
  Named isPast = off == 1     ? at.compared("gt", at.row, at.column)
                 : p.chance() ? at.compared("ge", at.row, at.column)
                              : at.compared("le", at.column, at.row);
  if (off == 3)
    isPast = at.compared("logical_and", isPast, at.compared("gt", at.shifted(at.column, 16), at.row));
  Named mask = at.mask(isPast, /*forbids=*/off != 2);
  giveMasked(p, off == 4 ? p.argument({{1, 1, s, s}, DataType::BFloat16}) : p.reshape(mask, {1, 1, s, s}), s);
}

/// Off: all positions are left; those behind a position are more than those before it; what forbids a key is a score like others; one of the
/// keys within is forbidden.
void tessera::writeSlidingWindow(PatternText &p, size_t off) {
  const int64_t s = p.pick<int64_t>({96, 128});
  const bool isCausal = off == 0 && p.chance();
  // A causal window is as long as it has keys, and whoever has no newer kernels takes those of whole tiles alone.
  const int64_t before = off == 1   ? s
                         : isCausal ? p.pick<int64_t>({31, 63})
                                    : p.pick<int64_t>({1, 16, 32, 40}),
                behind = isCausal   ? 0
                         : off == 2 ? before + 8
                                    : before;
  Positions at(p, s);
  Named isWithin = at.compared("logical_and", at.compared("ge", at.shifted(at.column, before), at.row),
                               at.compared("le", at.column, at.shifted(at.row, behind)));
  if (off == 4)
    isWithin = at.compared("logical_and", isWithin, at.compared("ne", at.column, at.shifted(at.row, -1)));
  giveMasked(p, p.reshape(at.mask(isWithin, /*forbids=*/off != 3), {1, 1, s, s}), s);
}

/// Off: weights come with the call; heads of whole tiles; products apply a function.
void tessera::writeWholeHeads(PatternText &p, size_t off) {
  const int64_t b = p.pick<int64_t>({1, 2}), s = p.pick<int64_t>({32, 40, 64}), h = p.pick<int64_t>({2, 4}),
                d = off == 2 ? 32 : p.pick<int64_t>({8, 16, 40}), inner = p.pick<int64_t>({32, 64});
  Named x = p.input({b * s, inner});
  const bool isTurned = off == 0 && p.chance();
  auto heads = [&](bool mayTurn) {
    Named weights = off == 1 ? p.argument({{inner, h * d}, DataType::BFloat16}) : p.parameter({inner, h * d});
    Named product = p.matmul(x, weights);
    if (off == 3)
      product = p.made("linear", {x, weights, p.parameter({h * d})},
                       "activation = \"gelu\", transpose_a = false, transpose_b = false", product.desc);
    else if (p.chance())
      product = p.made(
          "linear", {x, weights, off == 1 ? p.argument({{h * d}, DataType::BFloat16}) : p.parameter({h * d})},
          "transpose_a = false, transpose_b = false", product.desc);
    Named made = p.permute(p.reshape(product, {b, s, h, d}), {0, 2, 1, 3});
    return mayTurn && isTurned ? p.binary("multiply", made, p.argument(p.with({1, 1, s, d}, made))) : made;
  };
  Named q = heads(true), k = heads(true), v = heads(false);
  // Scaled, as models do: else one key takes all of the weight, and how scores are rounded decides which.
  Named scores = p.matmul(q, p.transpose(k));
  Named weights = p.softmax(p.binary("multiply", scores, p.number("1.5625e-02", scores)), 3);
  Named rows = p.reshape(p.permute(p.matmul(weights, v), {0, 2, 1, 3}), {b * s, h * d});
  p.give(off == 0 && p.chance() ? p.matmul(rows, p.parameter({h * d, inner})) : rows);
}
