//===- Selection.cpp - topk, sort and scatter -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// NaN is nothing that a program means to choose, so it is given the place where it
// shows: topk takes it first, and sort puts it beyond all numbers.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include <cmath>
#include <limits>
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
        // A strict order also among none-numbers, which a comparison of them alone would not give: sorting would be
        // undefined.
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

/// Values are moved and not computed, so that their kind must be the operand's.
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

/// What becomes of an element and of what is scattered to it.
enum class Meeting : uint8_t { Replace, Sum, Product, Least, Most };

/// Of a `#ttcore.reduce_type`; nullopt of one that is no function of two elements.
std::optional<Meeting> meetingOf(llvm::StringRef reduction) {
  static constexpr std::pair<llvm::StringRef, Meeting> kMeetings[] = {{"invalid", Meeting::Replace},
                                                                      {"sum", Meeting::Sum},
                                                                      {"prod", Meeting::Product},
                                                                      {"min", Meeting::Least},
                                                                      {"max", Meeting::Most}};
  const auto *its =
      llvm::find_if(kMeetings, [&](const auto &each) { return reduction.contains(each.first); });
  return its == std::end(kMeetings) ? std::nullopt : std::optional(its->second);
}

/// Integers are int64_t here, whose low 32 bits are kept: sums and products wrap around.
template <class Number>
Number met(Meeting meeting, Number there, Number comes) {
  switch (meeting) {
  case Meeting::Replace:
    return comes;
  case Meeting::Sum:
    return there + comes;
  case Meeting::Product:
    if constexpr (std::is_integral_v<Number>)
      return wrappedProduct(there, comes);
    else
      return there * comes;
  // NaN wins, as in reductions: poison has to come through.
  case Meeting::Least:
    return std::isnan(double(comes)) || comes < there ? comes : there;
  case Meeting::Most:
    return std::isnan(double(comes)) || comes > there ? comes : there;
  }
  return comes;
}

/// What an element of one tensor becomes when one of another comes to it.
void meet(Meeting meeting, DenseTensor &there, int64_t at, const DenseTensor &comes, int64_t from) {
  if (there.isInteger() != comes.isInteger())
    there.set(at, met(meeting, there.at(at), comes.at(from)));
  else if (there.isInteger())
    // As the numbers that they are: u32 is not negative.
    setWhole(there, at, met(meeting, wholeAt(there, at), wholeAt(comes, from)));
  else
    there.floats[size_t(at)] = met(meeting, there.floats[size_t(at)], comes.floats[size_t(from)]);
}

/// Elements of the source meet those of the operand at the index, one after the other.
/// In the order of the index: of several that meet at one place without a reduction the last one stays.
llvm::Error runScatter(KernelCall &call) {
  const DenseTensor &input = call.operand(0), &index = call.operand(1), &source = call.operand(2);
  DenseTensor &result = call.result();
  std::optional<Meeting> meeting = meetingOf(call.op.string("scatter_reduce_type", "invalid"));
  if (!meeting)
    return failure("the simulator scatters sums, products, least and largest elements");
  if (input.rank() != index.rank() || source.rank() != index.rank() || index.rank() == 0 ||
      result.volume() != input.volume())
    return failure("the simulator scatters by an index of the operand's rank");
  int64_t dim = dimension(call.op.integer("dim", 0), size_t(input.rank()));
  for (size_t i = 0; i < size_t(index.rank()); ++i)
    if (source.shape()[i] < index.shape()[i] || (int64_t(i) != dim && input.shape()[i] < index.shape()[i]))
      return failure("the index is longer than operand or source in dimension " + llvm::Twine(i));
  Shape from = rowMajorStrides(source.shape()), to = rowMajorStrides(input.shape());
  // The index says where to go along `dim`, so that the place along it must not count as well: its stride is taken
  // out.
  int64_t extent = input.shape()[size_t(dim)], step = std::exchange(to[size_t(dim)], 0);
  // All of the operand first: what no index names stays.
  for (int64_t i = 0; i < input.volume(); ++i)
    result.set(i, input.at(i));
  // Told once all is done: whoever meets last must not depend on where an index is wrong.
  std::optional<int64_t> beyond;
  forEachRow(index.shape(), {from, to}, [&](int64_t at, llvm::ArrayRef<int64_t> offsets) {
    for (int64_t i = 0; i < index.shape().back(); ++i) {
      int64_t place = index.indexAt(at + i);
      if (place < 0 || place >= extent)
        beyond = place;
      else
        meet(*meeting, result, offsets[1] + i * to.back() + place * step, source,
             offsets[0] + i * from.back());
    }
  });
  if (beyond)
    return failure("index " + llvm::Twine(*beyond) + " into an extent of " + llvm::Twine(extent));
  return llvm::Error::success();
}

/// Windows of a tensor of N x sizes x W, at positions that an index of N or 1 x dimensions x M gives, each maybe with dimensions folded. The
/// other tensor holds them one after the other, N x M x windows x W.
/// With sizes 4 x 8 and windows 2 x 3, the position (1, 5) names six runs of W elements: rows 1 and 2, columns 5, 6
/// and 7. In the other tensor they lie one after the other, the last dimension of the window fastest.
class Windows {
public:
  /// nullopt if the numbers do not fit together.
  static std::optional<Windows> of(KernelCall &call, const DenseTensor &table, const DenseTensor &index,
                                   const DenseTensor &held) {
    auto product = [](const Shape &extents) {
      return std::accumulate(extents.begin(), extents.end(), int64_t(1), std::multiplies<>());
    };
    Windows w{index, Shape(call.op.integers("sizes")), Shape(call.op.integers("windows"))};
    w.extent = product(w.sizes);
    w.window = product(w.windows);
    const auto rank = int64_t(w.sizes.size());
    if (rank == 0 || w.windows.size() != w.sizes.size() || table.rank() < 2 || index.rank() != 3 ||
        index.shape()[1] != rank)
      return std::nullopt;
    // A longer one fits nowhere, and could not be moved until it does.
    for (size_t i = 0; i < w.sizes.size(); ++i)
      if (w.windows[i] < 1 || w.windows[i] > w.sizes[i])
        return std::nullopt;
    w.entries = table.shape()[0];
    w.updates = index.shape()[2];
    if (w.window <= 0 || w.entries * w.extent <= 0 || table.volume() % (w.entries * w.extent) != 0 ||
        (index.shape()[0] != w.entries && index.shape()[0] != 1))
      return std::nullopt;
    w.width = table.volume() / (w.entries * w.extent);
    return held.volume() == w.entries * w.updates * w.window * w.width ? std::optional(w) : std::nullopt;
  }

  /// Where a window begins.
  Shape begin(int64_t entry, int64_t update) const {
    const auto rank = int64_t(sizes.size());
    Shape begin(size_t(rank), 0);
    for (int64_t i = 0; i < rank; ++i)
      begin[size_t(i)] = index.indexAt(((index.shape()[0] == 1 ? 0 : entry) * rank + i) * updates + update);
    return begin;
  }
  bool fits(const Shape &begin) const {
    for (size_t i = 0; i < sizes.size(); ++i)
      if (begin[i] < 0 || begin[i] + windows[i] > sizes[i])
        return false;
    return true;
  }
  /// Calls with element numbers in the table and in the other tensor of each `width` elements that lie side by side.
  void forEachRow(int64_t entry, int64_t update, const Shape &begin,
                  llvm::function_ref<void(int64_t inTable, int64_t held)> visit) const {
    for (int64_t at = 0; at < window; ++at) {
      // `at` counts the elements of the window, last dimension fastest; its digits by the window's sizes are the
      // place in it.
      int64_t place = 0, stride = 1, rest = at;
      for (size_t i = sizes.size(); i-- > 0; rest /= windows[i]) {
        place += (begin[i] + rest % windows[i]) * stride;
        stride *= sizes[i];
      }
      visit((entry * extent + place) * width, ((entry * updates + update) * window + at) * width);
    }
  }

  const DenseTensor &index;
  Shape sizes, windows;
  int64_t entries = 0, updates = 0, extent = 1, window = 1, width = 1;
};

/// One after the other, so that without a reduction the last of several stays.
llvm::Error runRowsScatter(KernelCall &call) {
  const DenseTensor &input = call.operand(0), &source = call.operand(2);
  DenseTensor &result = call.result();
  std::optional<Windows> windows = Windows::of(call, input, call.operand(1), source);
  std::optional<Meeting> meeting = meetingOf(call.op.string("reduce"));
  if (!windows || !meeting || result.volume() != input.volume() || source.isInteger() != input.isInteger() ||
      result.isInteger() != input.isInteger())
    return failure("the simulator scatters windows of rows, or sums, products, least and largest of them");
  withElements(input, result, [](const auto &from, auto &to) { to = from; });
  for (int64_t entry = 0; entry < windows->entries; ++entry)
    for (int64_t update = 0; update < windows->updates; ++update) {
      // What does not fit is left out, and not moved as where windows are gathered: so have it StableHLO, of which frameworks make use
      // for what is to be written nowhere, and the library's scatter.
      Shape begin = windows->begin(entry, update);
      if (!windows->fits(begin))
        continue;
      windows->forEachRow(entry, update, begin, [&](int64_t inTable, int64_t held) {
        for (int64_t i = 0; i < windows->width; ++i)
          meet(*meeting, result, inTable + i, source, held + i);
      });
    }
  return llvm::Error::success();
}

/// A window that does not fit is moved until it does, or filled with what is no number (0 for integers).
/// Clamped as gathers of XLA clamp: a window of 3 from position 7 of 8 begins at 5.
llvm::Error runRowsGather(KernelCall &call) {
  const DenseTensor &input = call.operand(0);
  DenseTensor &result = call.result();
  std::optional<Windows> windows = Windows::of(call, input, call.operand(1), result);
  if (!windows || result.isInteger() != input.isInteger())
    return failure("the simulator gathers windows of rows, as many as the result has");
  const bool fills = call.op.boolean("fill_out_of_bounds", false);
  for (int64_t entry = 0; entry < windows->entries; ++entry)
    for (int64_t update = 0; update < windows->updates; ++update) {
      Shape begin = windows->begin(entry, update);
      const bool fits = windows->fits(begin);
      for (size_t i = 0; i < begin.size(); ++i)
        begin[i] = std::clamp<int64_t>(begin[i], 0, windows->sizes[i] - windows->windows[i]);
      withElements(input, result, [&](const auto &from, auto &to) {
        using Element = std::remove_reference_t<decltype(to[0])>;
        windows->forEachRow(entry, update, begin, [&](int64_t inTable, int64_t held) {
          if (fits || !fills)
            std::copy_n(from.begin() + inTable, windows->width, to.begin() + held);
          else
            std::fill_n(to.begin() + held, windows->width, std::numeric_limits<Element>::quiet_NaN());
        });
      });
    }
  return llvm::Error::success();
}

const KernelRow kSelection[] = {{"ttnn.topk", runTopK},
                                {"ttnn.sort", runSort},
                                {"ttnn.scatter", runScatter},
                                {"ttnn.rows_gather", runRowsGather},
                                {"ttnn.rows_scatter", runRowsScatter}};

} // namespace

llvm::ArrayRef<KernelRow> selectionKernels() { return kSelection; }

} // namespace tessera::simulator
