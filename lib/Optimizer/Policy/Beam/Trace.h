//===- Trace.h - One candidate per op, back from the results -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops are decided last first, so that an op knows in which layouts its readers
// want each of its results. Where they disagree, the path of each reader
// assumed another candidate of the op:
//
//           fork_op   candidates HS, BS, WS
//          /       \
//     wants HS    wants BS
//
// Each candidate is charged with what it takes to satisfy all readers: one
// reshard per wanted layout, however many readers want it; or, where that is
// cheaper, the readers take the result as it is, or another reader's reshard,
// in another configuration with the same results if need be.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_TRACE_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_TRACE_H

#include "Forward.h"

namespace tessera::beam {

class Trace {
public:
  Trace(const Problem &problem, Oracle &oracle, const Beams &beams, const BeamOptions &options);

  /// By OpId.
  std::vector<Decision> run();

private:
  /// A layout in which some readers want a value.
  struct Want {
    LayoutId layout;
    llvm::SmallVector<OpId, 2> readers;
    bool returned = false; ///< so does the function's return
  };
  /// What a candidate takes, all readers satisfied.
  struct Charge {
    Price price;                                             ///< by Cores a reshard takes a nanosecond
    llvm::SmallVector<std::pair<OpId, Decision>, 2> changed; ///< readers that do without their reshard
  };

  /// Once all readers of what the op makes are decided.
  void decide(OpId op);
  void settle(ValueId value, LayoutId made);
  /// The place in the beam of the candidate that takes least with all that its readers then need.
  size_t chooseJointly(OpId op);
  size_t chooseByVote(OpId op) const;
  /// By what is decided: each layout once, in the order of those who want it.
  llvm::SmallVector<Want, 4> wantsOf(ValueId value) const;
  /// Adds what it takes all readers to go on from `made`: for each layout one conversion, or that they do without it.
  void satisfy(ValueId value, LayoutId made, Charge &charge);
  Price priceOf(ValueId value, LayoutId made, LayoutId wanted);
  std::optional<Decision> readInstead(OpId reader, ValueId value, llvm::ArrayRef<LayoutId> layouts,
                                      Price &price);
  Price priceOf(OpId op, const Decision &decision);

  const Problem &problem;
  Oracle &oracle;
  const Beams &beams;
  const BeamOptions &options;
  std::vector<Decision> decisions;
  std::vector<unsigned> chosen; ///< by OpId: among its beam
};

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_TRACE_H
