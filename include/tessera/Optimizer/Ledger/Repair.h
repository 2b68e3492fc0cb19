//===- Repair.h - What does not fit leaves L1 -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_LEDGER_REPAIR_H
#define TESSERA_OPTIMIZER_LEDGER_REPAIR_H

#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Memory/SpillSelection.h"

#include <functional>
#include <set>

namespace tessera {

/// Which edit comes first where L1 is exceeded.
enum class VictimOrder : uint8_t {
  CheapestAhead,   ///< least time per byte, of what is exceeded there and at the next positions
  CheapestHere,    ///< least time per byte, of what is exceeded there
  FarthestLastUse, ///< the tensor that is read last (facts/optimizer-proposal "Pass 2")
};
inline constexpr VictimOrder kAllVictimOrders[] = {VictimOrder::FarthestLastUse, VictimOrder::CheapestAhead,
                                                   VictimOrder::CheapestHere};
/// The proposal's order first: with very many edits it is the only one that is tried (repairedBy).
inline constexpr llvm::ArrayRef<VictimOrder> kVictimOrders(kAllVictimOrders);
inline constexpr llvm::ArrayRef<VictimOrder> kFarthestOnly(kAllVictimOrders, 1);

/// What else an op may do. Asked of the draft as it is.
using Alternatives = std::function<std::vector<Decision>(Draft &draft, OpId op)>;

/// Repairs a draft in which each op fits alone, but not beside what lives across it. Positions in schedule order; at each
/// that exceeds L1 one edit after the other until it fits, in the given order:
///
///   a tensor that lives across it    later readers take the value from home: as it is, or reloaded; its producer
///                                    takes another of its alternatives
///   the op itself                    another of its alternatives
class Repair {
public:
  /// The draft must outlive it.
  Repair(Draft &draft, Alternatives alternatives, VictimOrder order);

  /// False if some position cannot be made to fit.
  bool run();
  /// Edits made.
  size_t edits() const { return made; }

private:
  /// One edit, and what came of it.
  struct Edit {
    std::function<void()> change;
    Nanoseconds time;       ///< that it adds
    Bytes freed;            ///< of the excess
    SchedulePos lastReader; ///< schedule position
  };
  /// By the order that is asked for; ties by the other measure, then what frees more.
  bool isBetter(const Edit &a, const Edit &b) const;
  Bytes excessFrom(SchedulePos position) const;

  /// Makes the best edit at the position. False if none frees anything.
  bool relieve(SchedulePos position);
  /// Adds what was made before the position to `open`, and forgets what holds nothing there or later.
  void openUntil(SchedulePos position);
  /// Considers all edits at the position, within the limits on victims.
  void collect(SchedulePos position);
  /// The values that hold L1 across the position.
  std::vector<SpillCandidate> victimsAt(SchedulePos position) const;
  /// It leaves, with and without a reload for its readers; or its producer makes it otherwise.
  void collectVictim(SchedulePos position, const SpillCandidate &victim);
  /// Each with readers that follow, and with readers that go on as before.
  void collectAlternatives(SchedulePos position, OpId op, SchedulePos lastReader);
  /// Makes the edit, measures it and takes it back; it is the best if it is better. Never one that leaves an op
  /// illegal, or makes an earlier position exceed L1.
  void consider(SchedulePos position, SchedulePos lastReader, std::function<void()> change);
  bool forceHome(SchedulePos position);
  void leaveFrom(SchedulePos position, ValueId value, bool reload);

  Draft &draft;
  const Problem &problem;
  Alternatives alternatives;
  VictimOrder order;
  std::vector<SchedulePos> lastUse; ///< by ValueId: lastUses()
  std::set<ValueId> open;           ///< those that may hold L1 across the position at hand or later
  SchedulePos opened;               ///< positions whose results are in `open`
  std::optional<Edit> best;         ///< at the position at hand
  Nanoseconds timeBefore;
  Bytes excess, excessAhead;
  size_t made = 0;
};

/// A draft that fits; nullopt if no order makes it.
struct RepairedDraft {
  std::optional<Draft> draft;
  size_t edits = 0; ///< made in it
};

/// `filled` repaired by each of the orders; the one that takes the least time.
RepairedDraft repairedBy(llvm::ArrayRef<VictimOrder> orders, const Draft &filled,
                         const Alternatives &alternatives);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_LEDGER_REPAIR_H
