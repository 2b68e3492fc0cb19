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
// is swept in the next dimension with just those. Runs are found one by one as
// the sweep reaches them: a shard may have billions, and the visitor may have
// seen enough after a few boxes.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/MetalGeometry.h"

#include "TextParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include <algorithm>
#include <queue>

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
    // Ascending strides step over one another, so counting the innermost first yields ascending runs: firstAfter() may
    // search by halves.
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

/// One walk over the padding of one core. `box` is the box that is being made: dimensions before the one that is swept
/// hold the current stretch, those behind it their whole extent. So a stretch that no candidate covers is visited at
/// once as a box over all inner dimensions, which is what keeps the boxes few.
class MetalGeometry::PaddingSweep {
public:
  using Visitor = function_ref<bool(const ElementBox &)>;

  PaddingSweep(const MetalGeometry &geometry, ArrayRef<int64_t> core, Visitor visit)
      : geometry(geometry), core(core), visit(visit) {
    box.begin.assign(geometry.description.rank(), 0);
    box.end.assign(geometry.padded.begin(), geometry.padded.end());
    findTied();
    findRuns();
    listCandidates();
  }

  bool run() { return sweep(0, all); }

private:
  /// Which logical dimensions feed several physical ones.
  void findTied() {
    // `(d0 * 96 + d1, d1)` has d1 in both results: a row of the shard then decides which of its columns are real. Such
    // dimensions become candidates, one per value, which is why they are told apart from those that only lengthen runs.
    tied.resize(geometry.logical.size());
    for (unsigned d = 0; d != tied.size(); ++d)
      // A dimension of one element moves nothing, so it ties nothing together.
      tied[d] = geometry.logical[d] > 1 &&
                count_if(geometry.description.linear.results,
                         [&](const auto &result) { return result.coefficients[d] != 0; }) > 1;
  }

  void findRuns() {
    for (const LinearMap::Result &result : geometry.description.linear.results) {
      SmallVector<std::pair<int64_t, int64_t>, 8> dims;
      for (unsigned d = 0; d != geometry.logical.size(); ++d)
        if (result.coefficients[d] != 0 && geometry.logical[d] > 1 && !tied[d])
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
      extents.push_back(tied[d] ? geometry.logical[d] : 1);
    do {
      Shape shift = geometry.description.linear.apply(index);
      all.push_back(shifts.size());
      shifts.emplace_back(shift.begin(), shift.end());
    } while (advance(index, extents));
  }

  /// A run of `candidate` in the core's part of one dimension, counted from the part's begin.
  struct Stretch {
    Run run;
    unsigned candidate;
    int64_t number; ///< among the candidate's runs
    bool operator>(const Stretch &other) const {
      // Ties go by candidate, so that boxes come in the same order whatever the queue's own order of equals.
      return std::pair(run.begin, candidate) > std::pair(other.run.begin, other.candidate);
    }
  };
  /// The next run of each candidate, the first to begin on top.
  using Upcoming = std::priority_queue<Stretch, std::vector<Stretch>, std::greater<>>;

  /// Adds the candidate's run of that number, if the core's part of dimension r reaches it.
  void addRun(unsigned r, unsigned candidate, int64_t number, Upcoming &upcoming) const {
    if (number == runs[r].size())
      return;
    int64_t low = core[r] * geometry.scalar[r] - shifts[candidate][r], extent = geometry.scalar[r];
    Run run = runs[r][number];
    // Runs ascend: if this one begins behind the part, so do all later ones. It may begin before the part, with the
    // core to the left.
    if (run.begin - low < extent)
      upcoming.push(
          {{std::max<int64_t>(run.begin - low, 0), std::min(run.end - low, extent)}, candidate, number});
  }

  /// Visits the padding where `candidates` hold the dimensions before r. False if the visitor has seen enough.
  bool sweep(unsigned r, ArrayRef<unsigned> candidates) {
    if (r == core.size())
      return true; // real data in every dimension
    Upcoming upcoming;
    for (unsigned candidate : candidates)
      addRun(r, candidate, runs[r].firstAfter(core[r] * geometry.scalar[r] - shifts[candidate][r]), upcoming);
    const int64_t extent = geometry.padded[r];
    std::vector<Stretch> open; // those that cover the current piece
    bool goOn = true;
    for (int64_t at = 0; goOn && at < extent; at = box.end[r]) {
      erase_if(open, [&](const Stretch &stretch) { return stretch.run.end <= at; });
      // The next run of a candidate is added only when the one before it begins, so a shard with billions of
      // runs holds a few at a time.
      while (!upcoming.empty() && upcoming.top().run.begin == at) {
        Stretch next = upcoming.top();
        upcoming.pop();
        addRun(r, next.candidate, next.number + 1, upcoming);
        open.push_back(next);
      }
      box.begin[r] = at;
      box.end[r] = upcoming.empty() ? extent : upcoming.top().run.begin;
      for (const Stretch &stretch : open)
        box.end[r] = std::min(box.end[r], stretch.run.end);
      // Another dimension may be empty: a box of no elements is nothing to visit.
      goOn = open.empty() ? box.volume() == 0 || visit(box) : sweep(r + 1, candidatesOf(open));
    }
    // The dimension is given back as a whole: the caller's boxes reach over all of it until it is swept again.
    box.begin[r] = 0;
    box.end[r] = extent;
    return goOn;
  }

  static SmallVector<unsigned> candidatesOf(ArrayRef<Stretch> stretches) {
    SmallVector<unsigned> candidates;
    for (const Stretch &stretch : stretches)
      candidates.push_back(stretch.candidate);
    return candidates;
  }

  const MetalGeometry &geometry;
  ArrayRef<int64_t> core;
  Visitor visit;
  SmallBitVector tied;       ///< per logical dimension
  std::vector<Runs> runs;    ///< per physical dimension, of the dimensions that feed only it
  std::vector<Index> shifts; ///< per candidate
  SmallVector<unsigned> all; ///< every candidate
  ElementBox box;
};

bool MetalGeometry::forEachPaddingRegion(ArrayRef<int64_t> core,
                                         function_ref<bool(const ElementBox &box)> visit) const {
  return PaddingSweep(*this, core, visit).run();
}

} // namespace tessera
