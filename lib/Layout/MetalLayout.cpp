//===- MetalLayout.cpp - Names and builders -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Builds layouts from what a user says (dimensions to fold, alignments, a grid)
// and prints them. A layout that is built here is legal by construction but for
// sizes beyond 64 bits; one that was read from a file goes through
// MetalLayoutCheck.cpp, which knows the same rules one by one.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/MetalLayout.h"

#include "TextParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cassert>
#include <iterator>

using namespace llvm;

namespace tessera {
namespace {

constexpr StringLiteral kOobValues[] = {"undef", "zero", "one", "inf", "neginf"};
constexpr StringLiteral kMemorySpaces[] = {"system", "mmio", "dram", "l1"};

/// Beyond it sums of a few strides could wrap around.
constexpr int64_t kLargestStride = int64_t(1) << 62;

/// The intervals with their ends resolved, in ascending order, empty ones left out.
/// Example: {(0, -1)} of rank 3 is [0, 2): the last dimension stays by itself.
Expected<SmallVector<CollapseInterval, 4>> resolve(ArrayRef<CollapseInterval> intervals, int64_t rank) {
  SmallVector<CollapseInterval, 4> resolved;
  for (CollapseInterval interval : intervals) {
    int64_t begin = interval.begin < 0 ? interval.begin + rank : interval.begin;
    int64_t end = interval.end < 0 ? interval.end + rank : interval.end;
    if (begin < 0 || begin > rank || end < 0 || end > rank)
      return failure("collapse interval ({0}, {1}) reaches beyond the {2} dimensions of the tensor",
                     interval.begin, interval.end, rank);
    if (begin > end)
      return failure("collapse interval ({0}, {1}) is [{2}, {3}) of {4} dimensions: it ends before it begins",
                     interval.begin, interval.end, begin, end, rank);
    if (begin < end)
      resolved.push_back({begin, end});
  }
  // The specification gives no order of intervals (facts/tensor-layout, "Dimension Collapsing").
  sort(resolved, [](CollapseInterval a, CollapseInterval b) { return a.begin < b.begin; });
  for (size_t i = 1; i < resolved.size(); ++i)
    if (resolved[i].begin < resolved[i - 1].end)
      return failure("collapse intervals [{0}, {1}) and [{2}, {3}) overlap", resolved[i - 1].begin,
                     resolved[i - 1].end, resolved[i].begin, resolved[i].end);
  return resolved;
}

std::string checkAlignments(ArrayRef<int64_t> alignments, size_t rank) {
  if (!alignments.empty() && alignments.size() != rank)
    return formatv("{0} alignments are given for a tensor of {1} dimensions", alignments.size(), rank);
  for (int64_t alignment : alignments)
    if (alignment < 1)
      return formatv("an alignment is at least 1, not {0}", alignment);
  return "";
}

/// [begin, end) folded into one result; nullopt if a stride is too large.
/// Example: 2 x 5 x 64 with [0, 2) and an alignment of 8 for dimension 1 has strides of 8 and 1.
std::optional<LinearMap::Result> fold(ArrayRef<int64_t> shape, CollapseInterval dims,
                                      ArrayRef<int64_t> alignments) {
  LinearMap::Result result;
  result.coefficients.assign(shape.size(), 0);
  int64_t stride = 1;
  // From the last dimension on, as the stride of one is the padded extent of all behind it. Its own alignment
  // does not change its stride.
  for (int64_t d = dims.end - 1; d >= dims.begin; --d) {
    result.coefficients[d] = stride;
    int64_t alignment = alignments.empty() ? 1 : alignments[d], step = 0;
    // Alignment in the last division: ceil(n / a) * a, without the sum that alignUp would form.
    int64_t blocks = shape[d] / alignment + (shape[d] % alignment != 0);
    if (d > dims.begin && (MulOverflow(blocks, alignment, step) || MulOverflow(stride, step, stride) ||
                           stride > kLargestStride))
      return std::nullopt;
  }
  return result;
}

} // namespace

StringRef name(OobValue value) { return kOobValues[unsigned(value)]; }
StringRef name(MemorySpace space) { return kMemorySpaces[unsigned(space)]; }

hash_code hash_value(const MetalLayout &layout) {
  TileShape tile = layout.tile.value_or(TileShape{0, 0});
  return hash_combine(layout.linear, layout.oob, hash_combine_range(layout.grid.begin(), layout.grid.end()),
                      hash_combine_range(layout.shard.begin(), layout.shard.end()), tile.height, tile.width,
                      layout.dtype, layout.space);
}

Expected<LinearMap> collapseDimensions(ArrayRef<int64_t> shape, ArrayRef<CollapseInterval> intervals,
                                       ArrayRef<int64_t> alignments) {
  int64_t rank = shape.size();
  if (rank > kMostDimensions)
    return failure("the tensor has {0} dimensions; layouts have at most {1}", rank, kMostDimensions);
  LinearMap map;
  map.dims = rank;
  if (rank == 0) // nothing to fold, not even by the default interval
    return map;
  Expected<SmallVector<CollapseInterval, 4>> resolved = resolve(intervals, rank);
  if (!resolved)
    return resolved.takeError();
  if (std::string problem = checkAlignments(alignments, rank); !problem.empty())
    return failure("{0}", problem);
  const CollapseInterval *next = resolved->begin();
  for (int64_t d = 0; d != rank;) {
    // Dimensions outside all intervals stay physical dimensions of their own.
    bool folds = next != resolved->end() && next->begin == d;
    CollapseInterval dims = folds ? *next++ : CollapseInterval{d, d + 1};
    std::optional<LinearMap::Result> result = fold(shape, dims, alignments);
    if (!result)
      return failure("the strides of the dimensions [{0}, {1}) exceed 2^62", dims.begin, dims.end);
    map.results.push_back(std::move(*result));
    d = dims.end;
  }
  return map;
}

/// In tiles if there are any, else in elements. Cut first, and filled up to tiles after that: the last core may
/// have less.
Shape impliedShard(const LinearMap &linear, ArrayRef<int64_t> shape, ArrayRef<int64_t> grid,
                   std::optional<TileShape> tile) {
  assert(grid.size() == linear.results.size() && "grid of another rank");
  Shape shard = linear.extents(shape);
  for (size_t r = 0; r != shard.size(); ++r)
    shard[r] = ceilDiv(shard[r], grid[r]);
  if (tile) {
    assert(shard.size() >= 2 && "tiles have two dimensions");
    shard[shard.size() - 2] = ceilDiv(shard[shard.size() - 2], tile->height);
    shard[shard.size() - 1] = ceilDiv(shard[shard.size() - 1], tile->width);
  }
  return shard;
}

Expected<MetalLayout> buildMetalLayout(ArrayRef<int64_t> shape, DataType dtype, ArrayRef<int64_t> grid,
                                       const MetalLayoutOptions &options) {
  for (int64_t extent : shape)
    if (extent < 0)
      return failure("the tensor has an extent of {0}; layouts need static shapes", extent);
  Expected<LinearMap> linear = collapseDimensions(shape, options.collapse, options.alignments);
  if (!linear)
    return linear.takeError();
  MetalLayout layout;
  layout.linear = std::move(*linear);
  layout.oob = options.oob;
  layout.grid.assign(grid.begin(), grid.end());
  layout.shard.assign(layout.rank(), 0);
  layout.tile = options.tile;
  layout.dtype = dtype;
  layout.space = options.space;
  // All rules but the one on the shard, which follows from what they ensure.
  for (const MetalViolation &violation : checkMetalLayout(layout, shape))
    if (violation.rule != "metal_layout.shard_shape")
      return failure("{0}", violation.message);
  layout.shard = impliedShard(layout.linear, shape, grid, layout.tile);
  return layout;
}

// ---- Text -----------------------------------------------------------------------------------------------

namespace {

/// The scalar as a builtin type: unsigned integers as ui32, booleans as i1.
std::string builtinName(DataType type) {
  if (type == DataType::Bool)
    return "i1";
  StringRef text = name(type);
  return text.starts_with("u") ? ("ui" + text.drop_front()).str() : text.str();
}

} // namespace

/// As the dialect prints the attribute, so that it can be pasted into a module.
std::string describe(const MetalLayout &layout) {
  std::string printed;
  raw_string_ostream os(printed);
  os << "#ttcore.metal_layout<" << dimensionList(layout.linear.dims) << " -> (";
  interleave(
      layout.linear.results, os, [&](const LinearMap::Result &result) { os << affineSum(result).text; },
      ", ");
  os << "), " << name(layout.oob) << ", <";
  os << text(layout.grid) << ">, memref<";
  for (int64_t extent : layout.shard)
    os << extent << 'x';
  if (layout.tile)
    os << "!ttcore.tile<" << layout.tile->height << 'x' << layout.tile->width << ", " << name(layout.dtype)
       << '>';
  else
    os << builtinName(layout.dtype);
  os << ", #ttcore.memory_space<" << name(layout.space) << ">>>";
  return printed;
}

} // namespace tessera
