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
// A jump is explained by what the hardware must do more: work on a core, bytes of
// the DRAM, pages over the NoC. These follow from the layouts alone, so a formula
// cannot explain itself (CliffReasons.cpp). What is left needs a reason by name; one
// without is a defect of a formula.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_EVALUATION_CLIFFS_H
#define TESSERA_EVALUATION_CLIFFS_H

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
  TooFast, ///< bytes pass the DRAM faster than its pins can
};
llvm::StringRef name(CliffKind kind); ///< "ratio" "free transfer" "no floor" "faster than DRAM"

/// What a placement of all tensors of an op asks of the device, whatever the kernel.
struct PlacementWork {
  /// Bytes of each tensor that one core holds (sharded) or has to do with (interleaved), padding included.
  /// Small tensors between a large first operand and result have 0: no core waits for them.
  llvm::SmallVector<double, 4> parts;
  double pages = 0; ///< that one core fetches and sends; 0 if all tensors are sharded alike
  double cores = 1; ///< of the smallest sharding, else all
  double dramRead = 0, dramWritten = 0; ///< bytes of operands and results in DRAM
};
/// From the layouts alone, and no formula: a jump cannot be explained by what made it.
PlacementWork workOf(const OpQuery &query, const LayoutPool &layouts, const DeviceSpec &device);

/// One placement of an op's tensors, and what the model says.
struct CliffSide {
  std::string place; ///< of the tensor that moves: "DRAM" "L1" "height" "width" "block", in rows with " rows"
  std::string query; ///< as text (QueryText.h)
  PlacementWork work;
  OpRuntime time;
};

/// One tensor, or several, go from one place to another.
struct LayoutChange {
  CliffKind kind = CliffKind::Ratio;
  std::string family, slot; ///< "matmul"; "operand 0" ... "operands" "results" "all"
  CliffSide from, to;
  /// Time of `to` over that of `from`; 0 if nothing runs there.
  double ratio() const;
};

/// All cliffs of one kind with one reason.
struct CliffKey {
  std::string family;
  CliffKind kind;
  std::string slot;
  llvm::StringRef reason; ///< empty: unexplained
  bool operator<(const CliffKey &other) const {
    return std::tie(family, kind, slot, reason) <
           std::tie(other.family, other.kind, other.slot, other.reason);
  }
};
/// How many pairs of queries have it, and the one that is told.
struct Cliff {
  size_t count = 0; ///< pairs of queries
  LayoutChange worst;
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

  const std::map<CliffKey, Cliff> &cliffs() const { return found; }
  size_t subjects() const { return searched.size(); }
  size_t comparisons() const { return compared; }
  /// Pairs without a reason.
  size_t unexplained() const;

private:
  class Around;
  void report(LayoutChange change);

  const OpModel &model;
  std::set<std::string> searched; ///< as text
  std::map<CliffKey, Cliff> found;
  size_t compared = 0;
};

/// Why that change costs so much, or nothing, on the hardware; empty if no reason is known.
llvm::StringRef reasonOf(const LayoutChange &change, const DeviceSpec &device);

} // namespace tessera

#endif // TESSERA_EVALUATION_CLIFFS_H
