//===- MovementPatterns.cpp - What moves more than it needs to ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PatternWriters.h"

#include <algorithm>

using namespace tessera;

/// Numbers 0 to `rank`, in an order that moves something.
static Shape anyOrder(PatternText &p, size_t rank) {
  Shape order;
  for (size_t i = 0; i < rank; ++i)
    order.push_back(int64_t(i));
  while (llvm::is_sorted(order))
    for (size_t i = rank; i-- > 1;)
      std::swap(order[i], order[p.below(i + 1)]);
  return order;
}

static Shape inverse(const Shape &order) {
  Shape result(order.size(), 0);
  for (size_t i = 0; i < order.size(); ++i)
    result[size_t(order[i])] = int64_t(i);
  return result;
}

/// Of a cache if something is to be written to it.
static Named movedInput(PatternText &p, bool isWritten) {
  const Shape shape{p.pick<int64_t>({1, 2, 3}), p.pick<int64_t>({2, 4, 8}), 64, p.pick<int64_t>({32, 64})};
  return isWritten ? p.cache(shape) : p.input(shape, p.pick({DataType::BFloat16, DataType::Float32}));
}

/// Off: something is computed in between; the source is written in between.
void tessera::writeOneReshape(PatternText &p, size_t off) {
  Named x = movedInput(p, off == 2);
  const Shape s = x.desc.shape;
  if (off == 0 && p.chance(4))
    return p.give(p.reshape(x, s));
  Named once = p.reshape(
      x, p.pick<Shape>({{s[0] * s[1], s[2], s[3]}, {s[0], s[1], s[2] * s[3]}, {s[0] * s[1] * s[2], s[3]}}));
  if (off == 1)
    once = p.unary(once);
  if (off == 2)
    p.writeCache(x);
  if (off == 0 && p.chance(4))
    p.give(once);
  // What has the shape already would need no second one.
  const Shape to =
      p.pick<Shape>({{s[0], s[1] * s[2], s[3]}, {s[1], s[0] * s[3], s[2]}, {s[3], s[0] * s[1] * s[2]}, s});
  p.give(p.reshape(once, to == once.desc.shape ? s : to));
}

/// Off: something is computed in between; the source is written in between.
void tessera::writeOnePermute(PatternText &p, size_t off) {
  Named x = movedInput(p, off == 2);
  const Shape order = anyOrder(p, 4);
  Named once = p.permute(x, order);
  if (off == 1)
    once = p.unary(once);
  if (off == 2)
    p.writeCache(x);
  if (off == 0 && p.chance(4))
    p.give(once);
  p.give(p.permute(once, p.chance(3) ? inverse(order) : anyOrder(p, 4)));
}

/// Ops that work in either order of dimensions; `x` has its channels last. `ofOne`: no other tensor that is permuted joins it.
static Named betweenPermutes(PatternText &p, Named x, bool ofOne) {
  const Shape s = x.desc.shape;
  for (size_t count = 1 + p.below(3); count > 0; --count)
    switch (p.below(ofOne ? 3 : 4)) {
    case 0:
      x = p.unary(x);
      break;
    case 1:
      x = p.binary(p.pick({"add", "multiply"}), x, p.parameter({1, 1, 1, s[3]}, x.desc.dtype));
      break;
    case 2:
      x = p.binary(p.pick({"add", "multiply"}), x, p.number("5.0e-01", x));
      break;
    default:
      Named other = p.permute(p.input({s[0], s[3], s[1], s[2]}, x.desc.dtype), {0, 2, 3, 1});
      x = p.binary(p.pick({"add", "maximum", "subtract"}), x, other);
    }
  return x;
}

/// Off: others read the first and what is in between; a softmax is in between; a reshape takes dimensions apart; an operand has no other order.
void tessera::writeMetPermutes(PatternText &p, size_t off) {
  const int64_t n = p.pick<int64_t>({1, 2}), c = p.pick<int64_t>({32, 64, 48}),
                h = p.pick<int64_t>({8, 16, 7}), w = p.pick<int64_t>({8, 32});
  DataType dtype = p.pick({DataType::BFloat16, DataType::Float32});
  Named first = p.permute(p.input({n, c, h, w}, dtype), {0, 2, 3, 1});
  if (off == 1)
    p.giveItself(first);
  Named x = betweenPermutes(p, first, /*ofOne=*/off != 0);
  if (off == 1 || (off == 0 && p.chance(3)))
    p.give(x);
  if (off == 2)
    x = p.softmax(x, -1);
  if (off == 3)
    return p.give(p.permute(p.reshape(x, {n, h, w * 2, c / 2}), {0, 1, 3, 2}));
  if (off == 4)
    x = p.binary("add", x, p.argument(x.desc));
  if (p.chance(4))
    return p.give(p.permute(p.reshape(x, {n, h * w, c}), {0, 2, 1}));
  if (off == 0 && p.chance(4)) {
    Named other = p.permute(p.input({n, c, h, w}, dtype), {0, 2, 3, 1});
    x = p.concat(x, other, size_t(p.pick({1, 2, 3})));
  }
  p.give(p.permute(x, p.chance(4) ? Shape{0, 3, 2, 1} : Shape{0, 3, 1, 2}));
}

/// Off: the second comes with the call; the second multiplies; another reads the first; a function in between.
void tessera::writeJoinedConstants(PatternText &p, size_t off) {
  const int64_t b = p.pick<int64_t>({1, 2}), n = p.pick<int64_t>({2, 4}), h = p.pick<int64_t>({1, 3});
  const Shape shape{b * n, h, 32, p.pick<int64_t>({32, 49})}, apart{b, n, h, shape[2], shape[3]};
  Named x = p.input(shape);
  const bool areNumbers = off == 0 && p.chance(3);
  const std::string first = p.chance() ? "add" : "multiply",
                    second = off == 2 ? (first == "add" ? "multiply" : "add") : first;
  if (areNumbers) {
    Named once = p.binary(first, x, p.number("1.5", x));
    return p.give(p.binary(first == "add" || p.chance() ? first : "divide", once, p.number("3.0", x)));
  }
  Named once = p.binary(first, x, p.parameter({1, h, shape[2], p.pick<int64_t>({1, shape[3]})}));
  if (off == 3)
    p.give(once);
  if (off == 4)
    once = p.same("abs", once);
  const bool isApart = off == 0 && p.chance();
  if (isApart)
    once = p.reshape(once, apart);
  const Shape other = isApart ? Shape{1, n, 1, shape[2], shape[3]} : Shape{shape[0], 1, 1, shape[3]};
  p.give(p.binary(second, once, off == 1 ? p.argument({other, DataType::BFloat16}) : p.parameter(other)));
}

/// Off: a row and a column; a sum of a product; the first result is read by others, too; a function between them.
void tessera::writeJoinedRows(PatternText &p, size_t off) {
  const int64_t b = p.pick<int64_t>({1, 2}), rows = p.pick<int64_t>({512, 544}),
                width = p.pick<int64_t>({32, 64, 80});
  const std::string first = p.chance() ? "add" : "multiply",
                    second = off == 2 ? (first == "add" ? "multiply" : "add") : first;
  Named x = p.input({b, 1, rows, width});
  auto row = [&] { return p.with({p.chance() ? b : 1, 1, 1, width}, x); };
  Named once = p.binary(first, x, p.argument(off == 1 ? p.with({b, 1, rows, 1}, x) : row()));
  if (off == 3)
    p.give(once);
  if (off == 4)
    once = p.same("abs", once);
  Named other = p.argument(row());
  p.give(off == 0 && p.chance() ? p.binary(second, other, once) : p.binary(second, once, other));
}

/// A product of batches that are folded, or of which those on the right never were.
static void writeFoldedProduct(PatternText &p, bool isOff) {
  const int64_t b = p.pick<int64_t>({1, 2}), h = p.pick<int64_t>({2, 4}), rows = p.pick<int64_t>({1, 32, 40}),
                inner = p.pick<int64_t>({32, 64}), columns = p.pick<int64_t>({32, 64});
  Named x = p.reshape(p.input({b, h, rows, inner}), {b * h, rows, inner});
  Named y = isOff ? p.input({b * h, inner, columns})
                  : p.reshape(p.input({b, h, inner, columns}), {b * h, inner, columns});
  p.give(p.matmul(x, y));
}

/// A constant row or matrix that is repeated. Off: it comes with the call; it has as many elements as it is read.
void tessera::writeOnce(PatternText &p, size_t off) {
  const int64_t b = p.pick<int64_t>({2, 4}), rows = p.pick<int64_t>({32, 40}),
                width = p.pick<int64_t>({32, 64});
  const bool isProduct = off == 1 || p.chance();
  const Shape one = isProduct ? Shape{1, width, 64} : Shape{1, 1, width},
              many = isProduct ? Shape{b, width, 64} : Shape{b, rows, width};
  Named x = p.input({b, rows, width});
  const bool isOfCall = off == 1 || (off == 0 && !isProduct && p.chance());
  Named constant = isOfCall ? p.input(one) : p.parameter(off == 2 ? many : one);
  if (off != 2) {
    const std::string times = isProduct ? std::to_string(b) + "x1x1" : shapeText({b, rows, 1});
    constant =
        p.made("repeat", {constant}, "repeat_dims = #ttnn.shape<" + times + ">", p.with(many, constant));
  }
  if (isOfCall && !isProduct && p.chance())
    constant = p.same("abs", constant);
  p.give(isProduct ? p.matmul(x, constant) : p.binary(p.pick({"add", "multiply", "subtract"}), x, constant));
}

/// Off: rows that fill tiles; another reads the product; columns are taken apart behind it; too few rows for a tile.
void tessera::writeBatches(PatternText &p, size_t off) {
  if (off == 5 || (off == 0 && p.chance(3)))
    return writeFoldedProduct(p, off == 5);
  const int64_t batches = off == 4 ? 8 : p.pick<int64_t>({2, 4}),
                rows = off == 1   ? 64
                       : off == 4 ? 7
                                  : p.pick<int64_t>({49, 25, 60}),
                columns = 64;
  const Shape apart{batches, rows, 32}, together{batches * rows, 32};
  Named x = p.input(off == 0 && p.chance() ? Shape{batches * rows, 1, 32} : apart);
  Named product = p.matmul(p.reshape(x, together), p.parameter({32, columns}));
  if (off == 0 && p.chance()) // a row stays a row, whatever works on rows
    product = p.matmul(p.chance() ? p.unary(product) : product, p.parameter({columns, columns}));
  if (off == 2)
    p.give(product);
  if (off == 3) // itself, since what works element by element could work on whole rows
    return p.giveItself(p.reshape(product, {batches, rows, 2, columns / 2}));
  p.give(p.reshape(product, {batches, rows, columns}));
}

/// Off: something is computed in between; another reads what is moved; the elements are others in the end; the source is written in between;
/// what chooses is no comparison.
void tessera::writeNarrowMoves(PatternText &p, size_t off) {
  const Shape s{p.pick<int64_t>({1, 2}), p.pick<int64_t>({2, 4}), 64, p.pick<int64_t>({32, 64, 40})};
  // True f32 is cast before it is permuted.
  if (off == 0 && p.chance(4)) {
    Named wide = p.input(s, DataType::Float32);
    return p.give(
        p.cast(p.chance() ? p.transpose(wide) : p.permute(wide, anyOrder(p, 4)), DataType::BFloat16));
  }
  // What a guard chooses.
  if ((off == 0 && p.chance(4)) || off == 5) {
    Named x = p.input(s), condition = p.input({s[0], s[1], s[2], 1}, DataType::Float32);
    Named number = p.number("-1.1", p.cast(x, DataType::Float32));
    if (off == 0)
      condition = p.made("gt", {condition, number}, "", condition.desc);
    Named chosen =
        p.made("where", {condition, number, p.cast(x, DataType::Float32)}, "", {s, DataType::Float32});
    return p.give(p.cast(chosen, DataType::BFloat16));
  }
  const bool isInRows = off == 0 && p.chance(4);
  Named x = off == 4   ? p.cache({s[0], s[1], s[2], 64})
            : isInRows ? p.argument({s, DataType::BFloat16}, ModuleText::Place::DramRows)
                       : p.input(s);
  Named wide = isInRows ? p.made("to_layout", {x}, "", {s, DataType::Float32}) : p.cast(x, DataType::Float32),
        moved = wide;
  if (off == 0 && p.chance(3))
    p.give(wide);
  for (size_t count = off ? 1 : p.below(4); count > 0; --count)
    switch (off ? 0 : p.below(4)) { // permutes go before casts by another row
    case 0:
      moved = p.slice(moved, 2, 0, std::min<int64_t>(32, moved.desc.shape[2]));
      count = 1;
      break;
    case 1:
      moved = p.repeatHeads(moved, 2);
      break;
    case 2:
      moved = p.transpose(moved);
      break;
    default:
      moved = p.permute(moved, anyOrder(p, 4));
    }
  if (off == 1)
    moved = p.same("cos", moved); // which is another function whatever was computed before
  if (off == 2)
    p.give(moved);
  if (off == 4)
    p.writeCache(x);
  p.give(p.cast(moved, off == 3 ? DataType::BFP_BFloat8 : DataType::BFloat16));
}

/// Off: another reads what is wide; two tensors meet; the elements are others in the end; what is read was f32 before.
void tessera::writeNarrowFunctions(PatternText &p, size_t off) {
  Named x = p.argument({{p.pick<int64_t>({32, 49}), 64}, off == 4 ? DataType::Float32 : DataType::BFloat16});
  Named wide = off == 4 ? x : p.cast(x, DataType::Float32);
  Named made = off == 2 ? p.binary("multiply", wide, p.argument(wide.desc))
                        : p.same(p.pick({"silu", "hardswish", "tanh", "neg", "sigmoid"}), wide);
  if (off == 1)
    p.giveItself(made);
  p.giveItself(p.cast(made, off == 3 ? DataType::BFP_BFloat8 : DataType::BFloat16));
}

/// Off: another reads the cast; it narrows; it is one of integers; what is cast is written in between.
void tessera::writeLateCast(PatternText &p, size_t off) {
  const Shape s{p.pick<int64_t>({1, 2}), p.pick<int64_t>({2, 4}), 64, 64};
  const DataType from = off == 2 ? DataType::Float32 : off == 3 ? DataType::Int32 : DataType::BFloat16;
  Named x = off == 4 ? p.cache({s[0], s[1], s[2], 64}) : p.input(s, from);
  Named cast = p.cast(x, off == 2 ? DataType::BFloat16 : DataType::Float32);
  if (off == 1)
    p.give(cast);
  if (off == 4)
    p.writeCache(x);
  p.give(p.unary(p.permute(cast, anyOrder(p, 4))));
}

/// Off: another reads it; what is scaled is written in between; each row has its own number; no product reads it.
void tessera::writeLateScale(PatternText &p, size_t off) {
  const int64_t heads = p.pick<int64_t>({2, 4}), rows = p.pick<int64_t>({32, 64}), size = 64;
  Named x = off == 2 ? p.cache({1, heads, rows, size}) : p.input({1, rows, heads, size});
  Named by =
      off == 3 ? p.argument(p.with({1, x.desc.shape[1], 1, 1}, x)) : p.number(p.pick({"8.0", "1.25e-01"}), x);
  Named scaled = p.binary(p.pick({"multiply", "divide"}), x, by);
  if (off == 0 && p.chance()) {
    x = p.input({1, rows, heads * size});
    scaled = p.reshape(p.binary("divide", x, p.number("8.0", x)), {1, rows, heads, size});
  }
  if (off == 2)
    p.writeCache(x);
  Named turned = p.permute(scaled, {0, 2, 1, 3});
  if (off == 1)
    p.give(turned);
  if (off == 4)
    return p.give(p.unary(turned));
  const Shape &s = turned.desc.shape;
  Named keys = p.argument(p.with({s[0], s[1], s[3], 32}, turned));
  p.give(p.matmul(turned, keys));
}

/// Off: another number; of two tensors; functions that the device has no op of; a guard that gives something else.
void tessera::writeFunction(PatternText &p, size_t off) {
  const DataType dtype = p.pick({DataType::BFloat16, DataType::Float32});
  const Shape shape{1, p.pick<int64_t>({32, 40}), p.pick<int64_t>({64, 128})};
  // What stands around a near miss may change nothing, as abs behind exp.
  Named x = off ? p.argument({shape, dtype}) : p.input(shape, dtype);
  auto give = [&](const Named &value) { off ? p.giveItself(value) : p.give(value); };
  if (off == 2)
    return give(p.binary("multiply", x, p.same("sigmoid", p.argument(x.desc))));
  if (off == 3)
    return give(p.binary("multiply", x, p.same("tanh", x)));
  auto with = [&](llvm::StringRef op, const Named &y, llvm::StringRef number) {
    return p.binary(op.str(), y, p.number(number.str(), y));
  };
  // What is no number stays none, or becomes one.
  if (off == 4 || (off == 0 && p.chance(6))) {
    Named none = p.binary("ne", x, x);
    return give(p.made("where",
                       {none, off == 4 ? p.number("1.0", x) : with("add", x, "1.0"), p.same("cos", x)}, "",
                       x.desc));
  }
  switch (off == 1 ? 0 : p.below(7)) {
  case 4: // leaky_relu
    return give(p.made("where", {p.binary("ge", x, p.number("0.0", x)), x, with("multiply", x, "0.125")}, "",
                       x.desc));
  case 5: // clamp
    return give(with("minimum", with("maximum", x, "-1.0"), "2.0"));
  case 6: { // elu
    Named isPositive = p.binary("gt", x, p.number("0.0", x));
    Named below = p.same("expm1", p.made("where", {isPositive, p.number("0.0", x), x}, "", x.desc));
    return give(p.made("where", {isPositive, x, below}, "", x.desc));
  }
  case 0: { // gelu
    Named erf = p.same("erf", with("multiply", x, off == 1 ? "5.0e-01" : "0.707106769"));
    return give(p.binary("multiply", with("multiply", x, "5.0e-01"), with("add", erf, "1.0")));
  }
  case 1: // sigmoid
    return give(p.same("reciprocal", with("add", p.same("exp", p.same("neg", x)), "1.0")));
  case 2: // softsign
    return give(p.binary("divide", x, with("add", p.same("abs", x), "1.0")));
  default: // silu, a part of which is read
    Named sigmoid = p.same("sigmoid", x);
    if (p.chance())
      p.give(sigmoid);
    return give(p.binary("multiply", sigmoid, x));
  }
}

/// Off: one is permuted in another way; another reads the whole; another reads a part; the whole is written in between.
void tessera::writeEarlyPermute(PatternText &p, size_t off) {
  Named x = movedInput(p, off == 4);
  const Shape order = anyOrder(p, 4);
  const size_t dimension = x.desc.shape[3] == 64 ? 3 : 2;
  std::vector<Named> parts;
  const int64_t middle = p.pick<int64_t>({32, 32, 16, 24}), end = x.desc.shape[dimension];
  for (auto [from, to] : {std::pair(int64_t(0), middle), std::pair(middle, end)})
    parts.push_back(p.slice(x, dimension, from, to));
  if (off == 2)
    p.give(p.binary("add", x, x));
  if (off == 3)
    p.give(parts[1]);
  if (off == 4)
    p.writeCache(x);
  Shape other = order;
  std::swap(other[0], other[1]);
  p.give(p.permute(parts[0], order));
  p.give(p.permute(parts[1], off == 1 ? other : order));
}

/// Off: tiles are fuller behind the reshape; it moves more than extents of 1; another whole tensor was never in fuller tiles; a slice of each part
/// of the columns.
void tessera::writeLateReshape(PatternText &p, size_t off) {
  if (off == 4 || (off == 0 && p.chance(6))) {
    const int64_t parts = 3, heads = p.pick<int64_t>({2, 4}), size = p.pick<int64_t>({32, 40}),
                  rows = p.pick<int64_t>({32, 49}), part = p.pick<int64_t>({0, 1, 2});
    Named whole = p.reshape(p.input({rows, parts * heads * size}), {rows, parts, heads, size});
    return p.give(off == 4 ? p.slice(whole, 2, 0, 1) : p.slice(whole, 1, part, part + 1));
  }
  const int64_t b = p.pick<int64_t>({1, 2, 4, 32}), h = p.pick<int64_t>({2, 4, 8, 12}),
                d = p.pick<int64_t>({32, 64, 96});
  Named x = p.input(off == 1 ? Shape{b, h, 1, d} : Shape{1, b, h, d});
  const Shape to = off == 1 ? Shape{1, b, h, d} : off == 2 ? Shape{b, h * 2, 1, d / 2} : Shape{b, h, 1, d};
  Named moved = p.reshape(x, to);
  if (off == 3)
    return p.give(p.binary("add", moved, p.argument(moved.desc)));
  if (off == 0 && p.chance(3))
    return p.give(p.binary(p.pick({"add", "multiply"}), moved,
                           p.chance() ? p.reshape(p.input(x.desc.shape), to)
                                      : p.argument({{1, 1, 1, d}, DataType::BFloat16})));
  if (off == 0 && p.chance(4))
    return p.give(p.permute(moved, anyOrder(p, 4)));
  switch (p.below(off == 2 ? 4 : 6)) {
  case 0:
    return p.give(p.cast(moved, DataType::Float32));
  case 1: {
    Named condition = p.argument({{to[0], 1, 1, 1}, DataType::BFloat16});
    Named otherwise = p.number(p.pick({"0.0", "1.5"}), moved);
    return p.give(p.chance() ? p.made("where", {condition, moved, otherwise}, "", moved.desc)
                             : p.made("where", {condition, otherwise, moved}, "", moved.desc));
  }
  case 2:
    return p.give(p.slice(moved, 3, d / 4, to[3]));
  case 3:
    // Of the first dimension every reshape leaves the elements as they are.
    return p.give(p.concat(moved, p.reshape(p.input(x.desc.shape), to),
                           off == 2 ? p.pick<size_t>({1, 3}) : p.pick<size_t>({0, 1, 3})));
  case 4:
    return p.give(p.norm(p.pick({"rms_norm", "layer_norm"}), moved));
  default:
    return p.give(p.made("rms_norm", {moved, p.argument({{d}, DataType::BFloat16})},
                         "epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0>", moved.desc));
  }
}

/// Off: tiles are emptier behind the reshape; another reads what it reads; it moves more than extents of 1.
void tessera::writeEarlyReshape(PatternText &p, size_t off) {
  const int64_t b = p.pick<int64_t>({1, 2, 4, 32}), h = p.pick<int64_t>({2, 4, 8, 12}),
                d = p.pick<int64_t>({32, 64, 96});
  const bool areRows = off == 0 && p.chance(3); // of several images, which end inside a tile
  const Shape full = areRows ? Shape{h * 17, d} : Shape{1, b, h, d},
              empty = areRows ? Shape{h, 17, d} : Shape{b, h, 1, d};
  Named x = p.input(off == 1 ? full : empty);
  switch (p.below(off == 1 ? 3 : 4)) {
  case 0:
    x = p.unary(x);
    break;
  case 1:
    x = p.norm(p.pick({"rms_norm", "layer_norm"}), x);
    break;
  case 2:
    x = p.binary(p.pick({"add", "multiply"}), x,
                 p.argument({areRows ? Shape{1, 1, d} : Shape{1, 1, 1, d}, DataType::BFloat16}));
    break;
  default:
    x = p.binary(p.pick({"add", "maximum"}), x, p.reshape(p.input(full), empty));
  }
  if (off == 2)
    p.giveItself(x);
  p.give(p.reshape(x, off == 1 ? empty : off == 3 ? Shape{1, b, h / 2, d * 2} : full));
  if (off == 0 && p.chance(3))
    p.give(p.reshape(x, full));
}

/// Off: rows share tiles already; another dimension is walked along; the dimension does not stay.
void tessera::writeFullerRows(PatternText &p, size_t off) {
  const int64_t b = p.pick<int64_t>({1, 2, 4}), h = p.pick<int64_t>({2, 4, 8}),
                d = p.pick<int64_t>({32, 64, 100, 33});
  Named x = p.input({b, h, off == 1 ? 2 : 1, d}, p.pick({DataType::BFloat16, DataType::Float32}));
  if (off == 3)
    return p.give(p.made("sum", {x}, "dim_arg = [3 : i32], keep_dim = false", p.with({b, h, 1}, x)));
  const size_t dimension = off == 2 ? 1 : 3;
  const char *op = p.pick({"softmax", "sum", "mean", "max", "min"});
  p.give(op == llvm::StringRef("softmax")
             ? p.softmax(x, p.chance() ? int64_t(dimension) : int64_t(dimension) - 4)
             : p.reduce(op, x, dimension));
}

/// Off: elements of more bits than tiles compare; few columns; another dimension is searched.
void tessera::writeArgmaxOfParts(PatternText &p, size_t off) {
  const int64_t rows = p.pick<int64_t>({8, 9, 32, 64}),
                columns = off == 2 ? 2048 : p.pick<int64_t>({32768, 32800, 32771});
  Named x = p.argument({off == 3 ? Shape{columns, rows} : Shape{rows, columns},
                        off == 1 ? DataType::Float32 : DataType::BFloat16},
                       p.pick({ModuleText::Place::DramTiles, ModuleText::Place::DramRows}));
  const std::string dimension = off == 3 ? "dim = 0 : si32" : "dim = 1 : si32";
  p.giveItself(p.made("argmax", {x}, dimension + ", keep_dim = false", {{rows}, DataType::UInt32}, "",
                      ModuleText::Place::DramRows));
}

/// Off: rows that do not fill a tile; f32; columns.
void tessera::writePlaces(PatternText &p, size_t off) {
  Shape shape{p.pick<int64_t>({1, 2}), off == 1 ? 15 : p.pick<int64_t>({32, 33, 64}),
              p.pick<int64_t>({32, 100, 300, 1000})};
  Named x = p.input(shape, off == 2 ? DataType::Float32 : DataType::BFloat16);
  const size_t dimension = off == 3 ? 1 : 2;
  const bool isKept = p.chance();
  if (isKept)
    shape[dimension] = 1;
  else
    shape.erase(shape.begin() + ptrdiff_t(dimension));
  p.giveItself(p.made("argmax", {x},
                      "dim = " + std::to_string(p.chance() ? int64_t(dimension) : int64_t(dimension) - 3) +
                          " : si32, keep_dim = " + (isKept ? "true" : "false"),
                      {shape, DataType::Int32}, "", ModuleText::Place::DramRows));
}

/// Off: short rows; columns.
void tessera::writeChoices(PatternText &p, size_t off) {
  const int64_t size = off == 1 ? 2048 : p.pick<int64_t>({4096, 5000, 8192}),
                rows = p.pick<int64_t>({1, 8, 40}), wanted = p.pick<int64_t>({4, 20, 40});
  const bool areColumns = off == 2;
  const DataType dtype = p.pick({DataType::BFloat16, DataType::Float32});
  Named x = p.input(areColumns ? Shape{size, rows} : Shape{rows, size}, dtype);
  const Shape chosen = areColumns ? Shape{wanted, rows} : Shape{rows, wanted};
  auto [values, indices] = p.madeTwo("topk", {x},
                                     "dim = " + std::to_string(areColumns ? 0 : p.pick<int64_t>({1, -1})) +
                                         " : si32, k = " + std::to_string(wanted) +
                                         " : i32, largest = " + p.pick({"true", "false"}) + ", sorted = true",
                                     {chosen, dtype}, {chosen, DataType::Int32});
  p.giveItself(values);
  p.giveItself(indices);
}

/// Off: nothing is constant; what is computed is returned; what it is computed of is a cache.
void tessera::writeConstants(PatternText &p, size_t off) {
  const int64_t inner = p.pick<int64_t>({32, 64, 96}), columns = p.pick<int64_t>({32, 64, 40});
  if (off == 3) {
    Named cache = p.argument({{2, 2, 64, 64}, DataType::BFloat16}, ModuleText::Place::DramTiles,
                             "{ttcore.argument_type = #ttcore.argument_type<parameter>}");
    Named read = p.unary(cache);
    p.writeCache(cache);
    return p.give(p.binary("add", p.argument(cache.desc), read));
  }
  Named weight =
      off == 1 ? p.argument({{columns, inner}, DataType::BFloat16}) : p.parameter({columns, inner});
  if (off == 2) {
    Named turned = p.permute(weight, {1, 0});
    p.give(p.matmul(p.argument({{64, inner}, DataType::BFloat16}), turned));
    return p.giveItself(turned);
  }
  if (p.chance())
    weight = p.binary(p.pick({"add", "multiply"}), weight,
                      off == 1 ? p.argument(weight.desc) : p.parameter({columns, inner}));
  Named turned =
      p.permute(p.chance(3) ? p.cast(p.cast(weight, DataType::Float32), DataType::BFloat16) : weight, {1, 0});
  p.give(p.matmul(p.input({p.pick<int64_t>({1, 32, 33}), inner}), turned));
}

/// Off: a softmax is in between.
void tessera::writeLatePermute(PatternText &p, size_t off) {
  const int64_t n = p.pick<int64_t>({1, 2}), c = p.pick<int64_t>({32, 64}), h = p.pick<int64_t>({8, 7}),
                w = p.pick<int64_t>({8, 32});
  const Shape order = p.pick<Shape>({{0, 3, 1, 2}, {0, 2, 3, 1}, {2, 0, 3, 1}});
  Named x = p.permute(p.argument({{n, h, w, c}, DataType::BFloat16}), order);
  if (off == 1)
    x = p.softmax(x, -1);
  else if (off == 0 && p.chance())
    x = p.unary(x);
  const bool areTwo = p.chance(), keeps = p.chance();
  const size_t first = p.below(areTwo ? 3 : 4);
  Shape dimensions{int64_t(first)}, left;
  if (areTwo)
    dimensions.push_back(int64_t(first) + 1);
  for (auto [i, extent] : llvm::enumerate(x.desc.shape))
    if (!llvm::is_contained(dimensions, int64_t(i)))
      left.push_back(extent);
    else if (keeps)
      left.push_back(1);
  p.give(p.made(p.pick({"mean", "sum", "max", "min"}), {x},
                "dim_arg = [" + numberList(dimensions) + "], keep_dim = " + (keeps ? "true" : "false"),
                p.with(left, x)));
}
