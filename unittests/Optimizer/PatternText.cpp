//===- PatternText.cpp - What compilers write, op by op -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PatternText.h"

using namespace tessera;

Named PatternText::input(Shape shape, DataType dtype) {
  Named x = argument({std::move(shape), dtype});
  return chance(3) ? unary(x) : x;
}

Named PatternText::parameter(Shape shape, DataType dtype) {
  return argument({std::move(shape), dtype}, Place::DramTiles,
                  "{ttcore.argument_type = #ttcore.argument_type<parameter>}");
}

void PatternText::give(const Named &value) { given.push_back(chance(3) ? unary(value) : value); }

Named PatternText::unary(const Named &x) { return same(pick({"relu", "neg", "sigmoid", "gelu", "abs"}), x); }

Named PatternText::binary(const std::string &op, const Named &x, const Named &y) {
  Shape shape = x.desc.shape;
  for (size_t i = 0; i < shape.size(); ++i)
    shape[i] = std::max(shape[i], y.desc.shape[i]);
  return made(op, {x, y}, "", with(shape, x));
}

Named PatternText::number(const std::string &value, const Named &like) {
  Shape ones(like.desc.shape.size(), 1);
  return made("full", {}, "fill_value = " + value + " : f32, shape = #ttnn.shape<" + shapeText(ones) + ">",
              with(ones, like), device());
}

Named PatternText::reshape(const Named &x, Shape shape) {
  return made("reshape", {x}, "shape = [" + numberList(shape) + "]", with(shape, x));
}

Named PatternText::permute(const Named &x, const Shape &order) {
  Shape shape;
  for (int64_t dimension : order)
    shape.push_back(x.desc.shape[size_t(dimension)]);
  return made("permute", {x}, "permutation = array<i64: " + numberList(order, "") + ">", with(shape, x));
}

Named PatternText::slice(const Named &x, size_t dimension, int64_t begin, int64_t end, int64_t step) {
  Shape shape = x.desc.shape, begins(shape.size(), 0), ends = shape, steps(shape.size(), 1);
  begins[dimension] = begin;
  ends[dimension] = end;
  steps[dimension] = step;
  shape[dimension] = (end - begin + step - 1) / step;
  return made("slice_static", {x},
              "begins = [" + numberList(begins) + "], ends = [" + numberList(ends) + "], step = [" +
                  numberList(steps) + "]",
              with(shape, x));
}

Named PatternText::concat(const Named &x, const Named &y, size_t dimension) {
  Shape shape = x.desc.shape;
  shape[dimension] += y.desc.shape[dimension];
  return made("concat", {x, y}, "dim = " + std::to_string(dimension) + " : si32", with(shape, x));
}

Named PatternText::transpose(const Named &x) {
  size_t rank = x.desc.shape.size();
  Shape order;
  for (size_t i = 0; i < rank; ++i)
    order.push_back(int64_t(i));
  std::swap(order[rank - 1], order[rank - 2]);
  if (chance())
    return permute(x, order);
  Shape shape = x.desc.shape;
  std::swap(shape[rank - 1], shape[rank - 2]);
  return made("transpose", {x},
              chance() ? "dim0 = -2 : si32, dim1 = -1 : si32" : "dim0 = -1 : si32, dim1 = -2 : si32",
              with(shape, x));
}

Named PatternText::matmul(const Named &a, const Named &b) {
  Shape shape = a.desc.shape;
  shape.back() = b.desc.shape.back();
  return made("matmul", {a, b}, "transpose_a = false, transpose_b = false", with(shape, a));
}

Named PatternText::softmax(const Named &x, int64_t dimension) {
  return same("softmax", x, "dimension = " + std::to_string(dimension) + " : si32, numericStable = true");
}

Named PatternText::reduce(const std::string &op, const Named &x, size_t dimension) {
  Shape shape = x.desc.shape;
  shape[dimension] = 1;
  return made(op, {x}, "dim_arg = [" + std::to_string(dimension) + " : i32], keep_dim = true",
              with(shape, x));
}

Named PatternText::norm(const std::string &op, const Named &x) {
  return same(op, x, "epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 0, 0>");
}

Named PatternText::repeatHeads(const Named &x, int64_t times) {
  Shape shape = x.desc.shape;
  if (times == 1)
    return x;
  const Shape folded{shape[0], shape[1] * times, shape[2], shape[3]};
  if (chance())
    return made("repeat_interleave", {x}, "dim = 1 : si32, repeats = " + std::to_string(times) + " : ui32",
                with(folded, x));
  Named one = reshape(x, {shape[0], shape[1], 1, shape[2], shape[3]});
  Named many = made("repeat", {one}, "repeat_dims = #ttnn.shape<" + shapeText({1, 1, times, 1, 1}) + ">",
                    with({shape[0], shape[1], times, shape[2], shape[3]}, x));
  return reshape(many, folded);
}
