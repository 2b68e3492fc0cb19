//===- Selection.cpp - topk and scatter -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Families.h"

#include <cmath>
#include <numeric>

namespace tessera::simulator {

namespace {

/// Of equal elements the one that comes first wins; NaN is the largest, so that poison shows.
llvm::Error runTopK(KernelCall &call) {
  const DenseTensor &input = call.operand(0);
  DenseTensor &values = call.results[0], &indices = call.results[1];
  if (input.rank() == 0 || !indices.isInteger() || values.isInteger() != input.isInteger())
    return failure("the simulator gives values like the operand's and integer indices");
  int64_t dim = dimension(call.op.integer("dim", -1), size_t(input.rank()));
  bool largest = call.op.boolean("largest", true);
  Along lines = along(input.shape(), dim);
  int64_t k = call.op.integer("k", 0);
  if (k < 1 || k > lines.extent || values.volume() != lines.outer * k * lines.inner ||
      indices.volume() != values.volume())
    return failure("the results do not hold k elements of each line");
  std::vector<int64_t> order(size_t(lines.extent), 0);
  for (int64_t outer = 0; outer < lines.outer; ++outer)
    for (int64_t inner = 0; inner < lines.inner; ++inner) {
      auto at = [&](int64_t i) { return input.at((outer * lines.extent + i) * lines.inner + inner); };
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int64_t a, int64_t b) {
        double x = at(a), y = at(b);
        if (std::isnan(x) || std::isnan(y))
          return std::isnan(x) != std::isnan(y) ? std::isnan(x) : a < b;
        return x != y ? (largest ? x > y : x < y) : a < b;
      });
      for (int64_t i = 0; i < k; ++i) {
        int64_t to = (outer * k + i) * lines.inner + inner;
        values.set(to, at(order[size_t(i)]));
        indices.set(to, double(order[size_t(i)]));
      }
    }
  return llvm::Error::success();
}

/// Elements of the source replace those of the operand at the index; where several meet, the last one stays.
llvm::Error runScatter(KernelCall &call) {
  const DenseTensor &input = call.operand(0), &index = call.operand(1), &source = call.operand(2);
  DenseTensor &result = call.result();
  if (!call.op.string("scatter_reduce_type", "invalid").contains("invalid"))
    return failure("the simulator scatters without a reduction");
  if (input.rank() != index.rank() || source.rank() != index.rank() || index.rank() == 0 ||
      result.volume() != input.volume())
    return failure("the simulator scatters by an index of the operand's rank");
  int64_t dim = dimension(call.op.integer("dim", 0), size_t(input.rank()));
  for (size_t i = 0; i < size_t(index.rank()); ++i)
    if (source.shape()[i] < index.shape()[i] || (int64_t(i) != dim && input.shape()[i] < index.shape()[i]))
      return failure("the index is longer than operand or source in dimension " + llvm::Twine(i));
  Shape from = rowMajorStrides(source.shape()), to = rowMajorStrides(input.shape());
  int64_t extent = input.shape()[size_t(dim)], step = std::exchange(to[size_t(dim)], 0);
  for (int64_t i = 0; i < input.volume(); ++i)
    result.set(i, input.at(i));
  std::optional<int64_t> beyond;
  forEachRow(index.shape(), {from, to}, [&](int64_t at, llvm::ArrayRef<int64_t> offsets) {
    for (int64_t i = 0; i < index.shape().back(); ++i) {
      auto place = int64_t(index.at(at + i));
      if (place < 0 || place >= extent)
        beyond = place;
      else
        result.set(offsets[1] + i * to.back() + place * step, source.at(offsets[0] + i * from.back()));
    }
  });
  if (beyond)
    return failure("index " + llvm::Twine(*beyond) + " into an extent of " + llvm::Twine(extent));
  return llvm::Error::success();
}

const KernelRow kSelection[] = {{"ttnn.topk", runTopK}, {"ttnn.scatter", runScatter}};

} // namespace

llvm::ArrayRef<KernelRow> selectionKernels() { return kSelection; }

} // namespace tessera::simulator
