//===- MadeTensor.cpp - What an op makes of its operands ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/MadeTensor.h"

#include "tessera/OpModel/OpTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace tessera;

namespace {

using llvm::ArrayRef;
using Made = std::optional<Shape>;

const Shape &shapeOf(const OpSignature &op, size_t operand) { return op.operands[operand].tensor.shape; }

/// A dimension that may count from the end; nullopt if there is none.
std::optional<size_t> dimensionOf(int64_t dim, const Shape &shape) {
  int64_t rank = int64_t(shape.size());
  if (dim < -rank || dim >= rank)
    return std::nullopt;
  return size_t(dim < 0 ? dim + rank : dim);
}
/// The same of an attribute, which has to be there.
std::optional<size_t> dimensionOf(const OpSignature &op, llvm::StringRef attribute) {
  return op.attribute(attribute) ? dimensionOf(op.integer(attribute, 0), shapeOf(op, 0)) : std::nullopt;
}

Made sameShape(const OpSignature &op) { return shapeOf(op, 0); }

/// Shapes meet at their last extents, where 1 goes with all.
Shape broadcast(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  Shape made(a.size() < b.size() ? b : a);
  ArrayRef<int64_t> shorter = a.size() < b.size() ? a : b;
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t &extent = made[made.size() - 1 - i];
    extent = std::max(extent, shorter[shorter.size() - 1 - i]);
  }
  return made;
}

Made binaryShape(const OpSignature &op) {
  return op.operands.size() < 2 ? Made() : broadcast(shapeOf(op, 0), shapeOf(op, 1));
}

/// The last two extents of an operand of a product, transposed if the flag is set.
std::pair<int64_t, int64_t> matrixOf(const OpSignature &op, size_t operand, llvm::StringRef transposed) {
  const Shape &shape = shapeOf(op, operand);
  std::pair matrix(shape[shape.size() - 2], shape[shape.size() - 1]);
  if (op.boolean(transposed, false))
    std::swap(matrix.first, matrix.second);
  return matrix;
}

Made productShape(const OpSignature &op) {
  if (op.operands.size() < 2 || shapeOf(op, 0).size() < 2 || shapeOf(op, 1).size() < 2)
    return std::nullopt;
  auto [rows, inner] = matrixOf(op, 0, "transpose_a");
  auto [again, columns] = matrixOf(op, 1, "transpose_b");
  // A product that cannot be has no shape: who asks about it all the same names the result.
  if (inner != again)
    return std::nullopt;
  Shape made = broadcast(ArrayRef(shapeOf(op, 0)).drop_back(2), ArrayRef(shapeOf(op, 1)).drop_back(2));
  made.push_back(rows);
  made.push_back(columns);
  return made;
}

Made joinedShape(const OpSignature &op) {
  std::optional<size_t> along = dimensionOf(op, "dim");
  if (!along)
    return std::nullopt;
  Shape made = shapeOf(op, 0);
  for (const OperandDesc &operand : llvm::drop_begin(op.operands)) {
    if (operand.tensor.shape.size() != made.size())
      return std::nullopt;
    made[*along] += operand.tensor.shape[*along];
  }
  return made;
}

Made transposedShape(const OpSignature &op) {
  std::optional<size_t> first = dimensionOf(op, "dim0"), second = dimensionOf(op, "dim1");
  if (!first || !second)
    return std::nullopt;
  Shape made = shapeOf(op, 0);
  std::swap(made[*first], made[*second]);
  return made;
}

Made permutedShape(const OpSignature &op) {
  ArrayRef<int64_t> order = op.integers("permutation");
  const Shape &shape = shapeOf(op, 0);
  if (order.size() != shape.size())
    return std::nullopt;
  Shape made;
  for (int64_t dim : order) {
    std::optional<size_t> from = dimensionOf(dim, shape);
    if (!from)
      return std::nullopt;
    made.push_back(shape[*from]);
  }
  return made;
}

Made slicedShape(const OpSignature &op) {
  ArrayRef<int64_t> begins = op.integers("begins"), ends = op.integers("ends"), steps = op.integers("step");
  const Shape &shape = shapeOf(op, 0);
  if (begins.size() != shape.size() || ends.size() != shape.size() || steps.size() != shape.size())
    return std::nullopt;
  Shape made;
  for (size_t i = 0; i < shape.size(); ++i) {
    // What is below 0 counts from the dimension's end.
    auto fromStart = [&](int64_t place) { return place < 0 ? place + shape[i] : place; };
    if (steps[i] <= 0)
      return std::nullopt;
    made.push_back(std::max<int64_t>(0, ceilDiv(fromStart(ends[i]) - fromStart(begins[i]), steps[i])));
  }
  return made;
}

Made repeatedShape(const OpSignature &op) {
  ArrayRef<int64_t> many = op.integers("repeat_dims");
  const Shape &shape = shapeOf(op, 0);
  if (many.empty())
    return std::nullopt;
  // The shorter of both has ones in front.
  Shape made(std::max(shape.size(), many.size()), 1);
  llvm::copy(shape, made.end() - ptrdiff_t(shape.size()));
  for (size_t i = 0; i < many.size(); ++i)
    made[made.size() - many.size() + i] *= many[i];
  return made;
}

Made paddedShape(const OpSignature &op) {
  ArrayRef<int64_t> padding = op.integers("padding");
  Shape made = shapeOf(op, 0);
  if (padding.size() != 2 * made.size())
    return std::nullopt;
  for (size_t i = 0; i < made.size(); ++i)
    made[i] += padding[2 * i] + padding[2 * i + 1];
  return made;
}

/// Without dimensions all are reduced.
Made reducedShape(const OpSignature &op) {
  const Shape &shape = shapeOf(op, 0);
  ArrayRef<int64_t> dims = op.integers("dim_arg");
  if (op.attribute("dim_arg") && dims.empty()) // no list, or one of nothing
    return std::nullopt;
  llvm::SmallVector<bool> reduced(shape.size(), dims.empty());
  for (int64_t dim : dims) {
    std::optional<size_t> found = dimensionOf(dim, shape);
    if (!found)
      return std::nullopt;
    reduced[*found] = true;
  }
  const bool keeps = op.boolean("keep_dim", false);
  Shape made;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!reduced[i] || keeps)
      made.push_back(reduced[i] ? 1 : shape[i]);
  return made;
}

struct ShapeRule {
  llvm::StringLiteral op;
  Made (*shape)(const OpSignature &op);
};
constexpr ShapeRule kByName[] = {
    {"ttnn.concat", joinedShape},   {"ttnn.max", reducedShape},          {"ttnn.mean", reducedShape},
    {"ttnn.min", reducedShape},     {"ttnn.pad", paddedShape},           {"ttnn.permute", permutedShape},
    {"ttnn.repeat", repeatedShape}, {"ttnn.slice_static", slicedShape},  {"ttnn.softmax", sameShape},
    {"ttnn.sum", reducedShape},     {"ttnn.transpose", transposedShape},
};
/// Of families whose ops all make alike.
constexpr ShapeRule kByFamily[] = {
    {"eltwise_binary", binaryShape}, {"eltwise_unary", sameShape}, {"matmul", productShape}};

} // namespace

std::optional<TensorDesc> tessera::madeOf(const OpSignature &op) {
  const OpInfo *known = findOp(op.name);
  if (!known || op.operands.empty())
    return std::nullopt;
  const ShapeRule *row = llvm::find_if(kByName, [&](const ShapeRule &each) { return each.op == op.name; });
  if (row == std::end(kByName)) {
    row = llvm::find_if(kByFamily, [&](const ShapeRule &each) { return each.op == known->family; });
    if (row == std::end(kByFamily))
      return std::nullopt;
  }
  Made shape = row->shape(op);
  // The first operand's type: what the op makes of others has to be named.
  return shape ? std::optional(TensorDesc{*shape, op.operands.front().tensor.dtype}) : std::nullopt;
}

std::string tessera::wrongShape(const OpSignature &op) {
  std::optional<TensorDesc> made = madeOf(op);
  if (!made || op.results.size() != 1 || op.results.front().shape == made->shape)
    return "";
  auto text = [](const Shape &shape) {
    return shape.empty()
               ? std::string("one number")
               : llvm::join(llvm::map_range(shape, [](int64_t e) { return std::to_string(e); }), "x");
  };
  return op.name + " makes " + text(made->shape) + " of its operands and attributes, not " +
         text(op.results.front().shape);
}
