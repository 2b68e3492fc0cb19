//===- NormPatterns.cpp - Norms from their parts, and their weights -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PatternWriters.h"

using namespace tessera;

/// x, or x less its mean along a dimension.
static Named maybeCentred(PatternText &p, const Named &x, size_t dimension, bool isCentred) {
  return isCentred ? p.binary("subtract", x, p.reduce("mean", x, dimension)) : x;
}

/// Of the variance mean(x^2) - mean(x)^2, and maybe its root times the weight.
static void writeOnePassNorm(PatternText &p, const Named &x) {
  Named mean = p.reduce("mean", x, 3), squares = p.reduce("mean", p.binary("multiply", x, x), 3);
  Named variance = p.binary("subtract", squares, p.binary("multiply", mean, mean));
  if (p.chance())
    variance = p.same("relu", variance);
  Named inverse = p.same("rsqrt", p.binary("add", variance, p.number("1.0e-03", variance)));
  Named centred = p.binary("subtract", x, mean);
  if (p.chance()) {
    Named weight = p.argument(p.with({1, 1, 1, x.desc.shape[3]}, x));
    inverse = p.made("multiply", {inverse, weight}, "", p.with({x.desc.shape}, x));
  }
  p.give(p.made("multiply", {centred, inverse}, "", x.desc));
}

/// Off: another is divided; along another dimension; no square; not the same twice; x is written in between.
void tessera::writeNorm(PatternText &p, size_t off) {
  const Shape shape{p.pick<int64_t>({1, 2}), p.pick<int64_t>({2, 4}), 64, p.pick<int64_t>({32, 64, 256})};
  const bool isCentred = off != 5 && p.chance();
  Named x = off == 5 ? p.cache({shape[0], shape[1], 64, 64})
                     : p.input(shape, p.pick({DataType::BFloat16, DataType::Float32, DataType::Float32}));
  const size_t dimension = off == 2 ? 2 : 3;
  if (off == 0 && x.desc.dtype == DataType::Float32 && p.chance(3))
    return writeOnePassNorm(p, x);
  if (off == 0 && p.chance(4)) // units before and after
    x = p.reshape(x, {1, shape[0] * shape[1], shape[2], shape[3]});
  Named divided = maybeCentred(p, x, dimension, isCentred);
  if (off == 0 && isCentred && p.chance(4))
    return p.give(p.norm("rms_norm", divided));
  Named squared = off == 3     ? p.same("pow_scalar", divided, "rhs = 3.0e+00 : f32")
                  : off == 4   ? p.binary("multiply", divided, p.argument(x.desc))
                  : p.chance() ? p.same("pow_scalar", divided, "rhs = 2.0e+00 : f32")
                               : p.binary("multiply", divided, divided);
  Named mean = p.reduce("mean", squared, dimension);
  Named epsilon = p.number(p.pick({"1.0e-05", "1.0e-06", "1.0e-03"}), mean);
  Named inverse = p.same("rsqrt", p.chance() ? p.binary("add", mean, epsilon)
                                             : p.made("add", {epsilon, mean}, "", mean.desc));
  if (off == 0 && isCentred && p.chance(3))
    divided = maybeCentred(p, x, dimension, true); // again, as a framework does that rounds it otherwise
  if (off == 1)
    divided = p.argument(x.desc);
  if (off == 5)
    p.writeCache(x);
  Named normed = p.chance() ? p.binary("multiply", divided, inverse)
                            : p.made("multiply", {inverse, divided}, "", divided.desc);
  if (off == 0 && p.chance())
    normed = p.binary("multiply", normed, p.argument(p.with({1, 1, 1, shape[3]}, normed)));
  p.give(normed);
}

/// Off: the sum of columns; the largest of something else; the sum of something else.
void tessera::writeSoftmax(PatternText &p, size_t off) {
  const Shape shape{p.pick<int64_t>({1, 2}), p.pick<int64_t>({2, 4}), p.pick<int64_t>({64, 32}), 64};
  Named x = p.input(shape, p.pick({DataType::BFloat16, DataType::Float32}));
  Named largest = p.reduce("max", off == 2 ? p.argument(x.desc) : x, 3);
  if (off != 2 && p.chance(3))
    largest = p.binary("maximum", largest, p.number("0xFF800000", largest));
  Named e = p.same("exp", p.binary("subtract", x, largest));
  Named sum = p.reduce("sum", off == 3 ? p.same("sqrt", e) : e, off == 1 ? 2 : 3);
  p.give(p.binary("divide", e, sum));
}

/// Off: no row; another reads the norm; a column; a root mean square has no bias.
void tessera::writeNormWeights(PatternText &p, size_t off) {
  const int64_t rows = p.pick<int64_t>({32, 64, 40}), size = p.pick<int64_t>({32, 64, 256});
  Named x = p.input({1, rows, size}, p.pick({DataType::BFloat16, DataType::Float32}));
  const bool isRms = off == 4 || (off != 2 && p.chance());
  Named normed = p.norm(isRms ? "rms_norm" : "layer_norm", x);
  Named row = p.argument(p.with(off == 1   ? Shape{1, rows, size}
                                : off == 3 ? Shape{1, rows, 1}
                                           : Shape{1, 1, size},
                                x));
  if (off == 2)
    p.give(normed);
  std::string op = off == 4 ? "add" : isRms || p.chance() ? "multiply" : "add";
  Named weighed = p.chance() ? p.binary(op, normed, row) : p.made(op, {row, normed}, "", normed.desc);
  if (off == 0 && !isRms && op == "multiply" && p.chance())
    weighed = p.binary("add", weighed, p.argument(row.desc));
  p.give(weighed);
}

/// Off: a mean over groups; one of bf16; one over the channels of each pixel; of groups that came as such.
void tessera::writeChannelGroups(PatternText &p, size_t off) {
  const int64_t batch = p.pick<int64_t>({1, 2}), height = p.pick<int64_t>({4, 8}),
                groups = p.pick<int64_t>({2, 8, 32}), size = p.pick<int64_t>({2, 4, 10});
  const DataType dtype = off == 2 ? DataType::BFloat16 : DataType::Float32;
  Named x = p.input({batch, height, height, groups * size}, dtype);
  const bool flat = p.chance();
  Shape grouped{batch, height * height, groups, size};
  if (!flat)
    grouped = {batch, height, height, groups, size};
  const auto rank = int64_t(grouped.size());
  Shape dimensions, left = grouped;
  for (int64_t i = off == 3 ? rank - 1 : 1; i < rank; ++i)
    if (i == rank - 1 || i != rank - 2) // groups stay
      dimensions.push_back(off == 1 && i == rank - 1 ? rank - 2 : i);
  for (int64_t dimension : dimensions)
    left[size_t(dimension)] = 1;
  Named y = off == 4 ? p.input(grouped, dtype) : p.reshape(x, grouped);
  if (off == 0 && p.chance(3)) { // without the dimensions that it goes over
    Shape dropped{batch, groups};
    return p.give(p.made("mean", {y}, "dim_arg = [" + numberList(dimensions) + "], keep_dim = false",
                         p.with(dropped, y)));
  }
  Named mean = p.made(p.pick({"mean", "sum"}), {y},
                      "dim_arg = [" + numberList(dimensions) + "], keep_dim = true", p.with(left, y));
  if (off != 0 || p.chance(4))
    return p.give(mean);
  Named centred = p.binary("subtract", y, mean);
  p.give(p.reshape(p.chance() ? p.binary("multiply", centred, centred) : centred, x.desc.shape));
}

/// Off: the matrix comes with the call; another reads the product; a factor for each row; the row comes with the call.
void tessera::writeProductWeights(PatternText &p, size_t off) {
  const int64_t rows = p.pick<int64_t>({32, 49}), inner = p.pick<int64_t>({32, 64}),
                columns = p.pick<int64_t>({32, 64, 96});
  Named matrix = off == 1 ? p.input({inner, columns}) : p.parameter({inner, columns});
  Named sums = p.matmul(p.input({rows, inner}), matrix);
  if (off == 2)
    p.give(sums);
  if (off == 0 && p.chance(3))
    sums = p.reshape(sums, {1, rows, columns});
  Shape row(sums.desc.shape.size(), 1);
  row[row.size() - (off == 3 ? 2 : 1)] = off == 3 ? rows : columns;
  auto constant = [&] { return off == 4 ? p.input(row) : p.parameter(row); };
  if (off == 0 && p.chance())
    sums = p.binary("subtract", sums, constant());
  Named scaled = p.binary("multiply", sums, constant());
  p.give(off == 0 && p.chance() ? p.binary("add", scaled, constant()) : scaled);
}
