//===- Reduction.cpp - Reductions, running sums, argmax, softmax ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Sums are taken in double, one after another, and rounded once: the order does
// not show in fp32 but in rare ties. Integers are summed and multiplied as such.
// How the device's kernels sum: DeviceReduction.cpp, DeviceSoftmax.cpp.
//
//===----------------------------------------------------------------------===//
#include "DeviceKernels.h"
#include "Families.h"

#include "tessera/Simulator/Parallel.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>

namespace tessera::simulator {

namespace {

enum class Fold : uint8_t { Sum, Mean, Max, Min, Prod, LogSumExp };

/// What changes nothing that is folded with it.
double beginOf(Fold fold) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  bool least = fold == Fold::Max || fold == Fold::LogSumExp;
  return least ? -kInfinity : fold == Fold::Min ? kInfinity : fold == Fold::Prod ? 1 : 0;
}

int64_t wholeBeginOf(Fold fold) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return fold == Fold::Max ? -kMost : fold == Fold::Min ? kMost : fold == Fold::Prod ? 1 : 0;
}

int64_t folded(Fold fold, int64_t soFar, int64_t value) {
  switch (fold) {
  case Fold::Max:
    return std::max(soFar, value);
  case Fold::Min:
    return std::min(soFar, value);
  case Fold::Prod:
    return wrappedProduct(soFar, value);
  default:
    return soFar + value;
  }
}

/// The greater one goes out of the sum, so that no exponential overflows.
double logOfSum(double one, double other) {
  // NaN, which neither order of the two may lose.
  if (std::isnan(one) || std::isnan(other))
    return one + other;
  double greater = std::max(one, other);
  return std::isinf(greater) ? greater
                             : greater + std::log(std::exp(one - greater) + std::exp(other - greater));
}

double folded(Fold fold, double soFar, double value) {
  switch (fold) {
  case Fold::LogSumExp:
    return logOfSum(soFar, value);
  // NaN wins, as in pools: poison has to come through.
  case Fold::Max:
    return std::isnan(value) || value > soFar ? value : soFar;
  case Fold::Min:
    return std::isnan(value) || value < soFar ? value : soFar;
  case Fold::Prod:
    return soFar * value;
  default:
    return soFar + value;
  }
}

/// One walk over the operand in memory order folds each element into its place among the sums. So every sum sees its
/// elements in the operand's order, whichever dimensions go, and the walk reads memory once.
template <Fold fold>
llvm::Error runReduction(KernelCall &call) {
  const DenseTensor &input = call.operand(0);
  std::vector<bool> reduced = reducedDims(call, size_t(input.rank()));
  Shape kept(input.shape());
  // Elements that each result is made of.
  int64_t count = 1;
  for (size_t i = 0; i < kept.size(); ++i)
    if (reduced[i])
      count *= std::exchange(kept[i], 1);
  if (volumeOf(kept) != call.result().volume())
    return failure("the result has another number of elements than are left");
  Shape strides = rowMajorStrides(kept);
  for (size_t i = 0; i < kept.size(); ++i)
    // A stride of 0 folds a whole dimension into one sum, whatever other dimensions do.
    if (kept[i] == 1)
      strides[i] = 0;
  int64_t width = input.rank() == 0 ? 1 : input.shape().back(), step = input.rank() == 0 ? 0 : strides.back();
  auto fill = [&](auto &sums, auto element) {
    forEachRow(input.shape(), strides, [&](int64_t from, llvm::ArrayRef<int64_t> to) {
      for (int64_t i = 0; i < width; ++i) {
        auto &sum = sums[size_t(to[0] + i * step)];
        sum = folded(fold, sum, element(from + i));
      }
    });
  };
  // A mean of integers need not be one.
  if (input.isInteger() && fold != Fold::Mean) {
    std::vector<int64_t> sums(size_t(call.result().volume()), wholeBeginOf(fold));
    fill(sums, [&](int64_t i) { return wholeAt(input, i); });
    for (size_t i = 0; i < sums.size(); ++i)
      setWhole(call.result(), int64_t(i), sums[i]);
    return llvm::Error::success();
  }
  // In double: what is rounded is the result, and not each sum on the way (docs/simulator.md).
  std::vector<double> sums(size_t(call.result().volume()), beginOf(fold));
  fill(sums, [&](int64_t i) { return input.at(i); });
  for (size_t i = 0; i < sums.size(); ++i)
    call.result().set(int64_t(i), fold == Fold::Mean ? sums[i] / double(count) : sums[i]);
  return llvm::Error::success();
}

/// Equal elements differ in their place, so a rule has to choose: the first of them, and of all the first that is
/// NaN.
llvm::Error runArgMax(KernelCall &call) {
  const DenseTensor &input = call.operand(0);
  const AttrValue *attribute = call.op.attribute("dim");
  Along lines{1, input.volume(), 1};
  // Without a dimension the whole tensor is one line.
  if (const auto *dim = attribute ? std::get_if<int64_t>(attribute) : nullptr)
    lines = along(input.shape(), dimension(*dim, size_t(input.rank())));
  if (lines.outer * lines.inner != call.result().volume())
    return failure("the result has another number of elements than are left");
  for (int64_t outer = 0; outer < lines.outer; ++outer)
    for (int64_t inner = 0; inner < lines.inner; ++inner) {
      int64_t best = 0;
      auto at = [&](int64_t i) { return input.at((outer * lines.extent + i) * lines.inner + inner); };
      for (int64_t i = 1; i < lines.extent; ++i)
        if (at(i) > at(best) || (std::isnan(at(i)) && !std::isnan(at(best)))) // the first of equal ones
          best = i;
      call.result().set(outer * lines.inner + inner, double(best));
    }
  return llvm::Error::success();
}

/// `step`: from one element of the line to the next. `from` and `to` may be one.
void softmaxLine(const float *from, float *to, int64_t count, int64_t step) {
  // Subtracted from all, so that no exponential overflows; the quotients stay the same.
  float largest = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < count; ++i)
    largest = std::max(largest, from[i * step]);
  // In double: rounding the difference to fp32 would show in the exponential of a large one.
  std::vector<double> powers(static_cast<size_t>(count));
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += powers[size_t(i)] = std::exp(double(from[i * step]) - largest);
  for (int64_t i = 0; i < count; ++i)
    to[i * step] = float(powers[size_t(i)] / sum);
}

/// Along any dimension: elements of a line stand `inner` apart.
llvm::Error runSoftmax(KernelCall &call) {
  if (llvm::Error error = needFloats(call))
    return error;
  if (llvm::Error error = needSameVolume(call))
    return error;
  const DenseTensor &input = call.operand(0);
  Along lines = along(input.shape(), dimension(call.op.integer("dimension", -1), size_t(input.rank())));
  parallelFor(lines.outer, [&](int64_t outer) {
    for (int64_t inner = 0; inner < lines.inner; ++inner) {
      int64_t begin = outer * lines.extent * lines.inner + inner;
      softmaxLine(input.floats.data() + begin, call.result().floats.data() + begin, lines.extent,
                  lines.inner);
    }
  });
  return llvm::Error::success();
}

/// Of integers every sum is exact, as those of the device are modulo 2^32.
llvm::Error accumulate(KernelCall &call, Fold fold, bool fromEnd) {
  if (llvm::Error error = needSameVolume(call))
    return error;
  const DenseTensor &input = call.operand(0);
  Along lines = along(input.shape(), dimension(call.op.integer("dim", 0), size_t(input.rank())));
  // One loop for doubles and for integers of 64 bits: a double would not hold all products of integers.
  auto go = [&](auto begin, auto element, auto set) {
    for (int64_t outer = 0; outer < lines.outer; ++outer)
      for (int64_t inner = 0; inner < lines.inner; ++inner) {
        auto soFar = begin;
        for (int64_t i = 0; i < lines.extent; ++i) {
          int64_t place = fromEnd ? lines.extent - 1 - i : i;
          int64_t at = (outer * lines.extent + place) * lines.inner + inner;
          soFar = folded(fold, soFar, element(at));
          set(at, soFar);
        }
      }
  };
  // A logarithm is no whole number; of integers, too, it is worked out in doubles.
  if (input.isInteger() && call.result().isInteger() && fold != Fold::LogSumExp)
    go(
        wholeBeginOf(fold), [&](int64_t at) { return wholeAt(input, at); },
        [&](int64_t at, int64_t value) { setWhole(call.result(), at, value); });
  else
    go(
        beginOf(fold), [&](int64_t at) { return input.at(at); },
        [&](int64_t at, double value) { call.result().set(at, value); });
  return llvm::Error::success();
}

template <Fold fold>
llvm::Error runCumulative(KernelCall &call) {
  return accumulate(call, fold, /*fromEnd=*/false);
}

/// By an attribute that names the reduction, and from either end. "logsumexp" is looked for first, since "sum" is a
/// part of it.
llvm::Error runCumulativeBy(KernelCall &call) {
  static constexpr std::pair<llvm::StringLiteral, Fold> kFolds[] = {{"logsumexp", Fold::LogSumExp},
                                                                    {"sum", Fold::Sum},
                                                                    {"max", Fold::Max},
                                                                    {"min", Fold::Min},
                                                                    {"prod", Fold::Prod}};
  llvm::StringRef asked = call.op.string("reduction");
  const auto *fold = llvm::find_if(kFolds, [&](const auto &each) { return asked.contains(each.first); });
  if (fold == std::end(kFolds))
    return failure("the simulator does not know the reduction '" + asked + "'");
  return accumulate(call, fold->second, call.op.boolean("reverse", false));
}

const KernelRow kReduction[] = {
    {.name = "ttnn.sum", .kernel = runReduction<Fold::Sum>, .deviceKernel = runSumOnDevice},
    {.name = "ttnn.mean", .kernel = runReduction<Fold::Mean>, .deviceKernel = runMeanOnDevice},
    {"ttnn.max", runReduction<Fold::Max>},
    {"ttnn.min", runReduction<Fold::Min>},
    {"ttnn.prod", runReduction<Fold::Prod>},
    {"ttnn.argmax", runArgMax},
    {.name = "ttnn.softmax", .kernel = runSoftmax, .deviceKernel = runSoftmaxOnDevice},
    {"ttnn.cumsum", runCumulative<Fold::Sum>},
    {"ttnn.moreh_cumsum", runCumulative<Fold::Sum>},
    {"ttnn.cumprod", runCumulative<Fold::Prod>},
    {"ttnn.cumulative", runCumulativeBy},
};

} // namespace

/// An empty list is taken for none at all: every dimension is reduced.
std::vector<bool> reducedDims(const KernelCall &call, size_t rank) {
  std::vector<bool> reduced(rank, false);
  const AttrValue *attribute = call.op.attribute("dim_arg");
  const auto *one = attribute ? std::get_if<int64_t>(attribute) : nullptr;
  const auto *list = attribute ? std::get_if<std::vector<int64_t>>(attribute) : nullptr;
  if (one)
    reduced[size_t(dimension(*one, rank))] = true;
  for (int64_t dim : list ? llvm::ArrayRef<int64_t>(*list) : llvm::ArrayRef<int64_t>())
    reduced[size_t(dimension(dim, rank))] = true;
  if (!one && (!list || list->empty()))
    reduced.assign(rank, true);
  return reduced;
}

llvm::ArrayRef<KernelRow> reductionKernels() { return kReduction; }

} // namespace tessera::simulator
