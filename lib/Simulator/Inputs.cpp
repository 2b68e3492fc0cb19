//===- Inputs.cpp - Values that a program can be run with -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// 1  What a program asks of an argument is followed from its uses back to it: indices
//    stay below what they index, what a root is taken of is positive.
// 2  Each element is a function of seed, function, argument and place. So any part of
//    an argument can be drawn by itself, on any thread and again and again, and both
//    modules of a comparison are given the same.
//
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/Inputs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace tessera::simulator {

namespace {

/// An op that reads an operand as a position in a dimension of another.
struct IndexUse {
  llvm::StringLiteral op;
  size_t index, indexed;
  std::optional<int64_t> dim = std::nullopt; ///< none: the one that the op works along
  bool distinct = false; ///< no two elements mean the same place, as both would be written
};
constexpr IndexUse kIndexUses[] = {
    {"ttnn.embedding", 0, 1, -2},
    {"ttnn.chunked_scaled_dot_product_attention", 3, 1, 0},
    {"ttnn.gather", 1, 0},
    {"ttnn.paged_fill_cache", 2, 0, 0, true},
    {"ttnn.paged_fill_cache", 3, 2, 0},
    {"ttnn.paged_scaled_dot_product_attention_decode", 3, 1, 0},
    {"ttnn.paged_scaled_dot_product_attention_decode", 4, 1, 2}, // within its first block
    {"ttnn.paged_update_cache", 2, 0, 2},
    {"ttnn.paged_update_cache", 3, 0, 0, true},
    {"ttnn.scaled_dot_product_attention_decode", 3, 1, 2},
    {"ttnn.scatter", 1, 0},
    {"ttnn.update_cache", 2, 0, 2},
};

/// An operand that must be positive.
struct PositiveUse {
  llvm::StringLiteral op;
  size_t operand;
};
constexpr PositiveUse kPositiveUses[] = {
    {"ttnn.batch_norm_inference", 2}, {"ttnn.sqrt", 0}, {"ttnn.rsqrt", 0}, {"ttnn.log", 0}};

/// Ops whose results are elements of their operands, or grow with them.
constexpr llvm::StringLiteral kPassing[] = {"ttnn.add",
                                            "ttnn.assign",
                                            "ttnn.concat",
                                            "ttnn.concatenate_heads",
                                            "ttnn.from_device",
                                            "ttnn.nlp_concat_heads_decode",
                                            "ttnn.nlp_create_qkv_heads_decode",
                                            "ttnn.pad",
                                            "ttnn.permute",
                                            "ttnn.repeat",
                                            "ttnn.reshape",
                                            "ttnn.repeat_interleave",
                                            "ttnn.slice_static",
                                            "ttnn.split_query_key_value_and_split_heads",
                                            "ttnn.to_device",
                                            "ttnn.to_layout",
                                            "ttnn.to_memory_config",
                                            "ttnn.to_tensor_spec",
                                            "ttnn.transpose",
                                            "ttnn.typecast",
                                            "ttnn.where"};

void narrow(ValueRange &range, const ValueRange &by) {
  range.below = std::min(range.below, by.below);
  range.positive |= by.positive;
  range.distinct |= by.distinct;
}

/// From how many positions on a window of rows fits, whichever dimension the position is in.
int64_t placesOfWindow(const OpSignature &op) {
  int64_t places = std::numeric_limits<int64_t>::max();
  for (auto [size, window] : llvm::zip(op.integers("sizes"), op.integers("windows")))
    if (window < size)
      places = std::min(places, size - window + 1);
  return places;
}

void narrowByUse(const Step &step, const Function &function, std::vector<ValueRange> &ranges) {
  // Optional operands may be absent, and a rank may be less than the row thinks: then nothing is asked.
  for (const IndexUse &use : kIndexUses)
    if (step.op.name == use.op && step.reads.size() > std::max(use.index, use.indexed)) {
      llvm::ArrayRef<int64_t> shape = function.values[step.reads[use.indexed]].desc.shape;
      int64_t dim = use.dim.value_or(step.op.integer("dim", -1));
      dim += dim < 0 ? int64_t(shape.size()) : 0;
      if (dim >= 0 && dim < int64_t(shape.size()))
        narrow(ranges[step.reads[use.index]], {shape[size_t(dim)], false, use.distinct});
    }
  if ((step.op.name == "ttnn.rows_scatter" || step.op.name == "ttnn.rows_gather") && step.reads.size() > 1)
    narrow(ranges[step.reads[1]], {placesOfWindow(step.op), false, false});
  for (const PositiveUse &use : kPositiveUses)
    if (step.op.name == use.op && step.reads.size() > use.operand)
      ranges[step.reads[use.operand]].positive = true;
  if (llvm::is_contained(kPassing, llvm::StringRef(step.op.name)) && !step.writes.empty())
    for (size_t value : step.reads)
      narrow(ranges[value], ranges[step.writes.front()]);
}

/// Of the arguments, given what is asked of the results.
std::vector<ValueRange> argumentRanges(const Program &program, const Function &function,
                                       llvm::ArrayRef<ValueRange> results) {
  std::vector<ValueRange> ranges(function.values.size());
  for (size_t i = 0; i < results.size(); ++i)
    narrow(ranges[function.returned[i]], results[i]);
  // From the end, so that what an op asks of a result is known when the op that makes it is looked at.
  for (const Step &step : llvm::reverse(function.steps)) {
    if (step.kind == Step::Kind::Run)
      narrowByUse(step, function, ranges);
    if (step.kind != Step::Kind::Call)
      continue;
    std::vector<ValueRange> wanted;
    // Of a loop's states nothing is wanted that is known before it runs.
    for (size_t value : step.loop ? std::vector<size_t>() : step.writes)
      wanted.push_back(ranges[value]);
    std::vector<ValueRange> inner = argumentRanges(program, program.functions[step.callee], wanted);
    for (auto [value, range] : llvm::zip_equal(step.reads, inner))
      narrow(ranges[value], range);
  }
  std::vector<ValueRange> arguments;
  for (size_t value : function.arguments)
    arguments.push_back(ranges[value]);
  return arguments;
}

/// SplitMix64: the bits of element `index` of a stream.
[[gnu::always_inline]] inline uint64_t randomBits(uint64_t stream, uint64_t index) {
  uint64_t bits = stream + (index + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/// A factor that shares no divisor with `below`: its multiples go through all numbers below before one comes again.
uint64_t strideThrough(uint64_t below, uint64_t bits) {
  uint64_t stride = 1 + bits % below;
  while (std::gcd(stride, below) != 1)
    ++stride;
  return stride;
}

/// A stream of nearly normal numbers around `center`.
struct NormalNumbers {
  uint64_t stream = 0;
  float center = 0, scale = 1;
  bool positive = false;
};

/// The sum of four even numbers: whole numbers until the end, and no fused multiplication, so the same on every machine.
[[gnu::always_inline]] inline void fill(const NormalNumbers &numbers, int64_t begin, int64_t end, float *to) {
#pragma clang fp contract(off)
  constexpr float kMean = 2 * 65535.0f, kDeviation = 37837.23f; // 65536 * sqrt(4 / 12)
  for (int64_t i = begin; i < end; ++i) {
    uint64_t bits = randomBits(numbers.stream, uint64_t(i));
    auto sum = int32_t((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48));
    float scaled = numbers.scale * ((float(sum) - kMean) / kDeviation);
    float value = numbers.center + scaled;
    to[i - begin] = numbers.positive ? 0.5f + std::fabs(value) : value;
  }
}

void fillPlain(const NormalNumbers &numbers, int64_t begin, int64_t end, float *to) {
  fill(numbers, begin, end, to);
}
#if defined(__x86_64__)
/// With products of 64 bits in vectors: it takes a third of the time.
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) void
fillAvx512(const NormalNumbers &numbers, int64_t begin, int64_t end, float *to) {
  fill(numbers, begin, end, to);
}
#endif

auto chooseFill() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return fillAvx512;
#endif
  return fillPlain;
}

/// Center and scale of a floating-point argument.
std::pair<float, float> spread(const TensorDesc &desc, ArgumentRole role) {
  if (role != ArgumentRole::Parameter && role != ArgumentRole::Constant)
    return {0.0f, 1.0f};
  // Vectors among parameters are mostly scales of norms, and around 1.
  if (desc.shape.size() <= 1)
    return {1.0f, 0.1f};
  // So that products keep the size of what they multiply, however many layers follow each other.
  int64_t fan = std::max<int64_t>(1, volumeOf(desc.shape) / std::max<int64_t>(1, desc.shape.front()));
  return {0.0f, 1.0f / std::sqrt(float(fan))};
}

} // namespace

std::vector<ValueRange> argumentRanges(const Program &program, const Function &function) {
  return argumentRanges(program, function, {});
}

RandomArgument::RandomArgument(const Function &function, size_t argument, const ValueRange &range,
                               uint64_t seed)
    // By name and number and not by anything that a rewrite or a plan changes: both modules of a comparison draw the
    // same.
    : stream(randomBits(seed ^ llvm::xxh3_64bits(function.name), argument)), positive(range.positive) {
  constexpr int64_t kIntegersBelow = 16;
  const TensorDesc &desc = function.values[function.arguments[argument]].desc;
  std::tie(center, scale) = spread(desc, function.roles[argument]);
  width = desc.shape.empty() ? 1 : desc.shape.back();
  below = uint64_t(range.below == ValueRange::kNoBound ? kIntegersBelow : std::max<int64_t>(range.below, 1));
  countsRows = range.below != ValueRange::kNoBound;
  if (desc.dtype == DataType::Bool)
    below = 2;
  if (desc.dtype == DataType::BFloat16) // which has no more whole numbers in a row
    below = std::min<uint64_t>(below, 256);
  if (range.distinct)
    stride = strideThrough(below, randomBits(stream, 0));
}

void RandomArgument::fill(const ElementBlock &block, DenseTensor &values) const {
  static const auto fillNormal = chooseFill();
  // Whole rows follow each other.
  // Every element follows from its place in the tensor alone, so parts drawn in any order, on any thread, are
  // those of the whole.
  bool areWhole = block.columns() == width;
  int64_t runs = areWhole ? 1 : block.rows(), count = areWhole ? block.rows() * width : block.columns();
  for (int64_t run = 0; run < runs; ++run) {
    int64_t first = (block.rowBegin + run) * width + block.columnBegin;
    auto whole = [&](int64_t i) {
      uint64_t place = uint64_t(first + i);
      return int32_t((stride ? (stream % below + place % below * stride) : randomBits(stream, place)) %
                     below);
    };
    if (values.isInteger())
      for (int64_t i = 0; i < count; ++i)
        values.integers[size_t(run * count + i)] = whole(i);
    else if (countsRows)
      for (int64_t i = 0; i < count; ++i)
        values.floats[size_t(run * count + i)] = float(whole(i));
    else
      fillNormal({stream, center, scale, positive}, first, first + count, values.floats.data() + run * count);
  }
}

DenseTensor randomArgument(const Function &function, size_t argument, const ValueRange &range,
                           uint64_t seed) {
  DenseTensor tensor = DenseTensor::unset(function.values[function.arguments[argument]].desc);
  int64_t width = tensor.shape().empty() ? 1 : tensor.shape().back();
  if (tensor.volume() > 0)
    RandomArgument(function, argument, range, seed).fill({0, tensor.volume() / width, 0, width}, tensor);
  return tensor;
}

} // namespace tessera::simulator
