//===- Cliffs.h - Where a small change of layout changes a time too much --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A policy that trusts times finds every place where they jump, and every transfer
// that costs nothing. This searches for both: for one real op after the other it
// starts from a few ways to lay its tensors out, changes one of them, and compares.
//
//   slots    operand 0 ... 3, all operands, all results, all tensors
//   places   DRAM, L1 interleaved, height-, width- and block-sharded over as many
//            cores as there are tiles for; in tiles or in rows
//   starts   every tensor in one of these places, or operand 0 and the results,
//            with the others in DRAM
//
// What is found is grouped by family and kind of change. Every group needs a reason
// from the hardware (CliffReasons.cpp); one without is a defect of a formula.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_CLIFFS_H
#define TESSERA_OPMODEL_CLIFFS_H

#include "tessera/OpModel/OpModel.h"

#include <map>
#include <set>

namespace tessera {

/// Ratios of times above this are cliffs.
inline constexpr double kCliffRatio = 3;

enum class CliffKind : uint8_t {
  Ratio,   ///< `to` takes more than kCliffRatio times as long as `from`
  Free,    ///< a tensor moves from L1 to DRAM, and the op takes no longer
  NoFloor, ///< the kernel takes less than any that was ever measured
};
llvm::StringRef name(CliffKind kind); ///< "ratio" "free transfer" "no floor"

/// What happens to one slot. Ordered, for tables.
struct LayoutChange {
  std::string family, slot; ///< "matmul"; "operand 0" ... "operands" "results" "all"
  std::string from, to;     ///< "DRAM" "L1" "height" "width" "block", in rows with " rows"
  CliffKind kind = CliffKind::Ratio;
  auto operator<=>(const LayoutChange &) const = default;
};

/// All cliffs of one kind of change.
struct Cliff {
  size_t count = 0;          ///< pairs of queries
  double worst = 0;          ///< ratio of the times, the largest; 0 if `from` takes none
  std::string before, after; ///< the queries of the worst, as text (QueryText.h)
  double beforeNs = 0, afterNs = 0;
  llvm::StringRef reason; ///< empty: unexplained
};

/// One op with the page layouts that its tensors have in the program.
struct CliffSubject {
  OpSignature signature;
  llvm::SmallVector<PageLayout, 4> operands;
  llvm::SmallVector<PageLayout, 1> results;
};

/// Collects the cliffs of a device, op by op.
class CliffSearch {
public:
  /// `model` must outlive the search; its answers must be the analytic backend's times.
  explicit CliffSearch(const OpModel &model) : model(model) {}

  /// Searches around one op. Ops that were searched before, and ops with tensors on the host, are left out.
  void add(const CliffSubject &subject);
  /// Conversions of a tensor of that kind to every layout, which policies insert.
  void addConversions(const TensorDesc &tensor);

  const std::map<LayoutChange, Cliff> &cliffs() const { return found; }
  size_t subjects() const { return searched.size(); }
  size_t comparisons() const { return compared; }
  /// Groups without a reason.
  size_t unexplained() const;

private:
  class Around;
  void report(LayoutChange change, double beforeNs, double afterNs, std::string before, std::string after);

  const OpModel &model;
  std::set<std::string> searched; ///< as text
  std::map<LayoutChange, Cliff> found;
  size_t compared = 0;
};

/// Why that change costs so much, or nothing, on the hardware; empty if no reason is known.
llvm::StringRef reasonOf(const LayoutChange &change);

} // namespace tessera

#endif // TESSERA_OPMODEL_CLIFFS_H
