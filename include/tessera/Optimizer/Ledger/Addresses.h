//===- Addresses.h - Room for the device's allocator ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_LEDGER_ADDRESSES_H
#define TESSERA_OPTIMIZER_LEDGER_ADDRESSES_H

#include "tessera/Optimizer/Ledger/Draft.h"

namespace tessera {

/// L1 that a plan must leave free, so that the next one finds addresses. Sums of bytes do not see holes: a plan is replayed on
/// the device's allocator, and where that finds no room, as much is taken off.
class RoomTaken {
public:
  /// Nothing is taken off yet. `schedule` holds every op once; positions are those in it.
  RoomTaken(const Problem &problem, llvm::ArrayRef<OpId> schedule);

  /// What one more plan lacks. False if it has addresses, if so many were tried that no other should be, or if the
  /// device is made up for its budget and has no addresses.
  bool takeFor(const Plan &plan, const OpCostTable &model);
  /// By schedule position: taken so far.
  llvm::ArrayRef<Bytes> bytes() const { return taken; }

private:
  const Problem &problem;
  std::vector<SchedulePos> positions; ///< by OpId
  std::vector<Bytes> taken;
  unsigned plans = 0;
};

/// Draft::write under the name of `policy`. Where the plan has no addresses, room is taken off (RoomTaken), and `repair`,
/// which may change the draft and says whether it fits again, is called; the last plan is returned whatever became of
/// it. `finish`, if there is one, changes each plan that is written, which is replayed after that.
Plan writeWithAddresses(Draft &draft, const OpCostTable &model, llvm::StringRef policy,
                        llvm::function_ref<bool()> repair, llvm::function_ref<Plan(Plan)> finish = nullptr);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_LEDGER_ADDRESSES_H
