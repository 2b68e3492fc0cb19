//===- Selection.cpp - topk, sort and scatter -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Families.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <numeric>

namespace tessera::simulator {

namespace {

/// The first `count` elements of each line along `dim` in order, and where they were. Of equal elements the one that comes first
/// stands first.
llvm::Error order(KernelCall &call, int64_t count, bool descending, bool nanFirst) {
  const DenseTensor &input = call.operand(0);
  DenseTensor &values = call.results[0], &indices = call.results[1];
  Along lines = along(input.shape(), dimension(call.op.integer("dim", -1), size_t(input.rank())));
  if (count < 1 || count > lines.extent || values.volume() != lines.outer * count * lines.inner ||
      indices.volume() != values.volume())
    return failure("the results do not hold " + llvm::Twine(count) + " elements of each line");
  std::vector<int64_t> places(size_t(lines.extent), 0);
  for (int64_t outer = 0; outer < lines.outer; ++outer)
    for (int64_t inner = 0; inner < lines.inner; ++inner) {
      auto at = [&](int64_t i) { return input.at((outer * lines.extent + i) * lines.inner + inner); };
      std::iota(places.begin(), places.end(), 0);
      std::partial_sort(places.begin(), places.begin() + count, places.end(), [&](int64_t a, int64_t b) {
        double x = at(a), y = at(b);
        if (std::isnan(x) || std::isnan(y))
          return std::isnan(x) != std::isnan(y) ? std::isnan(x) == nanFirst : a < b;
        return x != y ? (descending ? x > y : x < y) : a < b;
      });
      for (int64_t i = 0; i < count; ++i) {
        int64_t to = (outer * count + i) * lines.inner + inner;
        values.set(to, at(places[size_t(i)]));
        indices.set(to, double(places[size_t(i)]));
      }
    }
  return llvm::Error::success();
}

llvm::Error checkOrdered(const KernelCall &call) {
  const DenseTensor &input = call.operand(0);
  return input.rank() == 0 || !call.results[1].isInteger() || call.results[0].isInteger() != input.isInteger()
             ? failure("the simulator gives values like the operand's and integer indices")
             : llvm::Error::success();
}

/// NaN is taken first, the largest or not, so that poison shows.
llvm::Error runTopK(KernelCall &call) {
  if (llvm::Error error = checkOrdered(call))
    return error;
  return order(call, call.op.integer("k", 0), call.op.boolean("largest", true), /*nanFirst=*/true);
}

/// NaN counts as larger than all numbers.
llvm::Error runSort(KernelCall &call) {
  if (llvm::Error error = checkOrdered(call))
    return error;
  const DenseTensor &input = call.operand(0);
  bool descending = call.op.boolean("descending", false);
  int64_t dim = dimension(call.op.integer("dim", -1), size_t(input.rank()));
  return input.volume() == 0 ? llvm::Error::success()
                             : order(call, input.shape()[size_t(dim)], descending, /*nanFirst=*/descending);
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

/// The place of a window's element: `at`, an index into `windows`, from where the window begins in a tensor of `sizes`. nullopt beyond it.
std::optional<int64_t> placeIn(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> windows,
                               llvm::ArrayRef<int64_t> begin, int64_t at) {
  int64_t place = 0, stride = 1;
  for (size_t i = sizes.size(); i-- > 0; at /= windows[i]) {
    int64_t here = begin[i] + at % windows[i];
    if (begin[i] < 0 || here >= sizes[i])
      return std::nullopt;
    place += here * stride;
    stride *= sizes[i];
  }
  return place;
}

/// Operand N x sizes x W, index N or 1 x dimensions x M, source N x M x windows x W, each maybe with dimensions folded: in each of N
/// entries, M windows are written from the positions on that a column of the index gives.
llvm::Error runRowsScatter(KernelCall &call) {
  const DenseTensor &input = call.operand(0), &index = call.operand(1), &source = call.operand(2);
  DenseTensor &result = call.result();
  auto product = [](const Shape &extents) {
    return std::accumulate(extents.begin(), extents.end(), int64_t(1), std::multiplies<>());
  };
  Shape sizes(call.op.integers("sizes")), windows(call.op.integers("windows"));
  const int64_t extent = product(sizes), window = product(windows), rank = int64_t(sizes.size());
  bool plain = rank > 0 && windows.size() == sizes.size() && call.op.string("reduce").contains("invalid") &&
               source.isInteger() == input.isInteger() && result.isInteger() == input.isInteger() &&
               input.rank() > 1 && index.rank() == 3 && index.shape()[1] == rank && extent > 0 && window > 0;
  const int64_t entries = plain ? input.shape()[0] : 0, updates = plain ? index.shape()[2] : 0;
  if (!plain || entries * extent == 0 || input.volume() % (entries * extent) != 0 ||
      (index.shape()[0] != entries && index.shape()[0] != 1) || result.volume() != input.volume())
    return failure("the simulator scatters windows of rows without a reduction");
  const int64_t width = input.volume() / (entries * extent);
  if (source.volume() != entries * updates * window * width)
    return failure("the source has " + llvm::Twine(source.volume()) + " elements, not those of " +
                   llvm::Twine(updates) + " windows of each of " + llvm::Twine(entries) + " entries");
  withElements(input, result, [](const auto &from, auto &to) { to = from; });
  for (int64_t entry = 0; entry < entries; ++entry)
    for (int64_t update = 0; update < updates; ++update) {
      Shape begin(rank, 0);
      for (int64_t i = 0; i < rank; ++i)
        begin[size_t(i)] =
            int64_t(index.at(((index.shape()[0] == 1 ? 0 : entry) * rank + i) * updates + update));
      for (int64_t at = 0; at < window; ++at) {
        std::optional<int64_t> place = placeIn(sizes, windows, begin, at);
        if (!place)
          return failure(
              "a window from position " +
              llvm::join(llvm::map_range(begin, [](int64_t i) { return std::to_string(i); }), ", ") +
              " on does not fit");
        withElements(source, result, [&](const auto &from, auto &to) {
          std::copy_n(from.begin() + ((entry * updates + update) * window + at) * width, width,
                      to.begin() + (entry * extent + *place) * width);
        });
      }
    }
  return llvm::Error::success();
}

const KernelRow kSelection[] = {{"ttnn.topk", runTopK},
                                {"ttnn.sort", runSort},
                                {"ttnn.scatter", runScatter},
                                {"ttnn.rows_scatter", runRowsScatter}};

} // namespace

llvm::ArrayRef<KernelRow> selectionKernels() { return kSelection; }

} // namespace tessera::simulator
