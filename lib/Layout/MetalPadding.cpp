//===- MetalPadding.cpp - Padding, box by box -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Along one physical dimension, real data comes in runs: `d0 * 32 + d1` of a
// 2x8 tensor reaches [0, 8) and [32, 40). If each logical dimension feeds one
// physical dimension, the real elements of a shard are the product of its
// runs, and padding is the complement of that product. Dimensions that feed
// several (`(d0 * 96 + d1, d1)`) tie those together: for each value of the
// tied dimensions, the real elements are a product again, shifted.
//
// The sweep goes dimension by dimension. It cuts the shard's extent where the
// runs of any candidate (a value of the tied dimensions) begin or end. A
// stretch that no candidate covers is padding throughout; one that some cover
// is swept in the next dimension with just those.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/MetalGeometry.h"

#include "LayoutText.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;

namespace tessera {
namespace {

struct Run {
  int64_t begin, end;
};

/// Where `sum(strides * indices)` lands: `count` runs of `length`, in ascending order. They are computed when
/// asked for, since a tensor may have as many gaps as rows.
class Runs {
public:
  /// (stride, extent) in ascending order of strides that step over one another.
  explicit Runs(ArrayRef<std::pair<int64_t, int64_t>> dims) {
    while (!dims.empty() && dims.front().first == length) { // dense: one longer run
      length *= dims.front().second;
      dims = dims.drop_front();
    }
    outer.assign(dims.begin(), dims.end());
    for (auto [stride, extent] : outer)
      count *= extent;
  }

  int64_t size() const { return count; }
  Run operator[](int64_t number) const {
    int64_t begin = 0;
    for (auto [stride, extent] : outer) {
      begin += number % extent * stride;
      number /= extent;
    }
    return {begin, begin + length};
  }
  /// The first run that ends after `position`.
  int64_t firstAfter(int64_t position) const {
    int64_t low = 0, high = count;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if ((*this)[middle].end <= position)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

private:
  int64_t length = 1, count = 1;
  SmallVector<std::pair<int64_t, int64_t>, 6> outer;
};

} // namespace

class MetalGeometry::PaddingSweep {
public:
  using Visitor = function_ref<void(ArrayRef<int64_t>, const ElementBox &)>;

  PaddingSweep(const MetalGeometry &geometry, Visitor visit) : geometry(geometry), visit(visit) {
    unsigned rank = geometry.description.rank();
    core.assign(rank, 0);
    box.begin.assign(rank, 0);
    box.end.assign(geometry.padded.begin(), geometry.padded.end());
    findRuns();
    listCandidates();
  }

  /// All cores, row-major.
  void run() {
    do
      sweep(0, all);
    while (advance(core, geometry.description.grid));
  }

private:
  bool isTied(unsigned d) const {
    return geometry.logical[d] > 1 && count_if(geometry.description.linear.results, [&](const auto &result) {
                                        return result.coefficients[d] != 0;
                                      }) > 1;
  }

  void findRuns() {
    for (const LinearMap::Result &result : geometry.description.linear.results) {
      SmallVector<std::pair<int64_t, int64_t>, 8> dims;
      for (unsigned d = 0; d != geometry.logical.size(); ++d)
        if (result.coefficients[d] != 0 && geometry.logical[d] > 1 && !isTied(d))
          dims.push_back({result.coefficients[d], geometry.logical[d]});
      sort(dims);
      runs.emplace_back(dims);
    }
  }

  /// One candidate per value of the tied dimensions: what it adds to each physical index. A tensor without
  /// elements has no candidate.
  void listCandidates() {
    if (geometry.logicalVolume() == 0)
      return;
    Index extents, index(geometry.logical.size(), 0);
    for (unsigned d = 0; d != geometry.logical.size(); ++d)
      extents.push_back(isTied(d) ? geometry.logical[d] : 1);
    do {
      Shape shift = geometry.description.linear.apply(index);
      all.push_back(shifts.size());
      shifts.emplace_back(shift.begin(), shift.end());
    } while (advance(index, extents));
  }

  struct Stretch {
    Run run; ///< in the shard
    unsigned candidate;
  };

  /// The runs of `candidates` within the core's part of dimension r, by where they begin.
  std::vector<Stretch> stretches(unsigned r, ArrayRef<unsigned> candidates) const {
    int64_t low = core[r] * geometry.scalar[r], high = low + geometry.scalar[r];
    std::vector<Stretch> found;
    for (unsigned candidate : candidates) {
      int64_t shift = shifts[candidate][r];
      for (int64_t i = runs[r].firstAfter(low - shift); i != runs[r].size(); ++i) {
        Run run = runs[r][i];
        if (run.begin + shift >= high)
          break;
        found.push_back(
            {{std::max(run.begin + shift, low) - low, std::min(run.end + shift, high) - low}, candidate});
      }
    }
    if (candidates.size() > 1)
      sort(found, [](const Stretch &a, const Stretch &b) {
        return std::pair(a.run.begin, a.candidate) < std::pair(b.run.begin, b.candidate);
      });
    return found;
  }

  void sweep(unsigned r, ArrayRef<unsigned> candidates) {
    if (r == core.size())
      return; // real data in every dimension
    std::vector<Stretch> found = stretches(r, candidates);
    int64_t extent = geometry.padded[r];
    SmallVector<int64_t> cuts = {0, extent};
    for (const Stretch &stretch : found)
      cuts.append({stretch.run.begin, stretch.run.end});
    sort(cuts);
    cuts.erase(llvm::unique(cuts), cuts.end());

    std::vector<Stretch> open; // those that cover the current piece
    size_t next = 0;
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      erase_if(open, [&](const Stretch &stretch) { return stretch.run.end <= cuts[i]; });
      for (; next != found.size() && found[next].run.begin == cuts[i]; ++next)
        open.push_back(found[next]);
      box.begin[r] = cuts[i];
      box.end[r] = cuts[i + 1];
      if (open.empty()) {
        if (box.volume() > 0)
          visit(core, box);
        continue;
      }
      SmallVector<unsigned> covering;
      for (const Stretch &stretch : open)
        covering.push_back(stretch.candidate);
      sweep(r + 1, covering);
    }
    box.begin[r] = 0;
    box.end[r] = extent;
  }

  const MetalGeometry &geometry;
  Visitor visit;
  std::vector<Runs> runs;    ///< per physical dimension, of the dimensions that feed only it
  std::vector<Index> shifts; ///< per candidate
  SmallVector<unsigned> all; ///< every candidate
  Index core;
  ElementBox box;
};

void MetalGeometry::forEachPaddingRegion(
    function_ref<void(ArrayRef<int64_t> core, const ElementBox &box)> visit) const {
  PaddingSweep(*this, visit).run();
}

} // namespace tessera
