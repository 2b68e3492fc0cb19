//===- Lifetime.h - Who is alive when -------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_MEMORY_LIFETIME_H
#define TESSERA_OPTIMIZER_MEMORY_LIFETIME_H

#include "tessera/Optimizer/Memory/Interval.h"
#include "tessera/Support/Id.h"
#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace tessera {

/// The lifetimes of a program's tensors, sorted by when they begin and by when they end, so that a walk over
/// the schedule keeps the live set with constant work per tensor:
///
///   step        0   1   2   3          bornAt(1) = {b}      deadAfter(2) = {a}
///   a           [=======)              liveDuring(1) = {a, b}
///   b               [=======)
///
/// Construction takes O(tensors + steps).
class LifetimeEvents {
public:
  /// `intervals` by TensorId; parts beyond `end` are cut off. Empty intervals are never alive.
  LifetimeEvents(llvm::ArrayRef<StepInterval> intervals, StepIndex end);

  /// Tensors whose life begins at `step`, in the order of their ids.
  llvm::ArrayRef<TensorId> bornAt(StepIndex step) const { return born.at(step); }
  /// Tensors whose last step is `step`, in the order of their ids.
  llvm::ArrayRef<TensorId> deadAfter(StepIndex step) const { return dead.at(step); }
  /// All tensors alive at `step`, in the order of their ids. Linear in the number of tensors.
  std::vector<TensorId> liveDuring(StepIndex step) const;

private:
  /// Lists of tensors, one per step, in one allocation.
  struct Buckets {
    std::vector<size_t> starts; ///< by step, and one more
    std::vector<TensorId> tensors;
    llvm::ArrayRef<TensorId> at(StepIndex step) const;
    void fill(llvm::ArrayRef<StepInterval> intervals, StepIndex end,
              StepIndex (*stepOf)(const StepInterval &));
  };
  std::vector<StepInterval> intervals;
  Buckets born, dead;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_MEMORY_LIFETIME_H
