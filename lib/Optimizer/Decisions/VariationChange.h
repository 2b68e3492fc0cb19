//===- VariationChange.h - What a change takes around an op ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_DECISIONS_VARIATIONCHANGE_H
#define TESSERA_LIB_OPTIMIZER_DECISIONS_VARIATIONCHANGE_H

#include "tessera/Optimizer/Decisions/Variations.h"

#include <map>
#include <set>

namespace tessera {

/// What a change takes around one step: time, and L1 as stretches of more or less and steps of another need, which are tried on the
/// plan's account.
class Variations::Change {
public:
  explicit Change(Variations &v) : v(v), plan(v.plan) {}

  /// Finds a way to each of the layouts for the op at `step`, and takes out conversions that it needs no more.
  /// False if there is none.
  bool readInputs(StepIndex step, llvm::ArrayRef<LayoutId> inputs);
  /// The readers of `tensor` find the value in `layout` instead, from `since` on. `copied`: there is a copy in its old
  /// layout anyway, for those that need it.
  bool rewire(TensorId tensor, LayoutId layout, StepIndex since, bool copied);
  /// What the changed op itself takes.
  void need(StepIndex step, Bytes own) { needs[step] = own + atOp; }
  /// Whether readers were found that go on reading the old layout.
  bool someKeep() const { return keeps; }
  /// Fills in Variation::tight and missing, over all steps that the change touches.
  void checkRoom(Variation &variation) const;

  Nanoseconds inputs, readers;
  int conversions = 0; ///< more of them

private:
  /// Conversions one after the other, each read by the next alone, up to the one that an op reads: they go
  /// together.
  struct Chain {
    TensorId end;
    Nanoseconds time;
    int length = 1; ///< steps
  };
  /// How the readers of a tensor get it, once it is in another layout.
  struct Rewiring {
    StepIndex last;                   ///< one past the last step that needs the new tensor
    std::vector<StepIndex> direct;    ///< readers that take it as it is
    std::vector<StepIndex> converted; ///< those that need the old layout
    Nanoseconds directTime;
    std::map<StepIndex, Bytes> directNeeds;
  };

  /// Of `now`, or of another tensor of the value that is there: as it is, or by a conversion. False if neither can be.
  bool readOne(StepIndex step, TensorId now, LayoutId wanted);
  std::vector<TensorId> sourcesFor(StepIndex step, TensorId now) const;
  void release(StepIndex step, TensorId tensor);
  Chain chainFrom(StepIndex step) const;
  bool askReaders(TensorId tensor, LayoutId layout, Rewiring &wiring);
  bool convertElsewhere(StepIndex step, TensorId tensor, LayoutId layout, StepIndex &last);
  void change(Reservation<StepIndex> stretch) {
    if (!stretch.positions.empty() && stretch.size != Bytes(0))
      stretches.push_back(stretch);
  }
  /// The tensor is there in the interval, too, or not any more.
  void lengthen(TensorId tensor, StepInterval interval) {
    change(v.held(plan[tensor].value, plan[tensor].layout, interval));
  }
  void shorten(TensorId tensor, StepInterval interval) {
    Reservation<StepIndex> less = v.held(plan[tensor].value, plan[tensor].layout, interval);
    less.size = less.size * -1;
    change(less);
  }
  StepIndex firstTight(StepInterval interval) const;

  Variations &v;
  const Plan &plan;
  std::map<StepIndex, Bytes> needs;                       ///< what a step takes now, as StepCost::own
  std::vector<std::pair<StepIndex, Bytes>> moments;       ///< conversions before a step
  std::vector<Reservation<StepIndex>> stretches;          ///< more L1 in use, or less
  std::map<std::pair<ValueId, LayoutId>, TensorId> found; ///< operands that are seen to
  std::set<TensorId> used;                                ///< what the op or a conversion for it reads
  Bytes atOp; ///< more L1 in use while the op runs, but not while its operands are converted
  bool keeps = false;
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_DECISIONS_VARIATIONCHANGE_H
