//===- Draft.h - A plan in the making, changed decision by decision ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The room says what is decided so far. Policies decide piece by piece: this op
// is sharded, that result stays in L1 until its reader runs. They put decisions
// in, here or by whole ops (Reads.h), have repaired what does not fit (Repair.h),
// and take a plan out (Addresses.h). A finished plan comes back in as decisions
// (PlanToDraft.h). Who only asks about a plan goes to Plan and not here.
//
// A Draft holds the decisions on a fixed schedule,
//
//   per op       its configuration
//   per value    whether a copy in L1 interleaved is made behind its producer
//   per operand  which tensor of the value it reads, and whether that is
//                resharded first: for the op alone, or for all that ask alike
//
// and knows at any time whether they are legal together, what they cost, and
// how much L1 is held where. Nothing else is decided: a value is copied home
// (Value::home) exactly if somebody reads it there, and a tensor lives until its
// last reader.
//
// With no decision made, the draft is the base plan. A change is tried
// with attempt(), which takes it back if it makes an op illegal, exceeds L1 at
// some position, or takes more time. It costs what it touches: an op's
// decision concerns the op, the makers of what it reads, and the ops where a
// tensor's life ends before or after; another layout concerns all readers.
// Lifetimes may be as long as the program (L1ReservationTimeline).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_LEDGER_DRAFT_H
#define TESSERA_OPTIMIZER_LEDGER_DRAFT_H

#include "tessera/Optimizer/Ledger/L1Reservations.h"
#include "tessera/Optimizer/Plan/Plan.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Table/Oracle.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <set>

namespace tessera {

/// The tensors of a value that live across ops.
enum class Source : uint8_t {
  Home,        ///< where it lies unless a policy decides otherwise (Value::home)
  Original,    ///< as its producer makes it
  Interleaved, ///< the copy in L1 interleaved
};

/// How one operand is read.
struct Read {
  Source source = Source::Home;
  LayoutId reshard; ///< converted to this layout; invalid: read as it is
  /// The first op in schedule order that asks for a shared reshard of the value to this layout makes it, from its own
  /// source; those that follow read the same tensor. Else the reshard is for the op alone.
  bool shared = false;
  bool operator==(const Read &) const = default;
};

/// What came of a change.
enum class Outcome : uint8_t {
  Applied,
  Refused,     ///< an op or a conversion is not legal with these layouts
  OutOfMemory, ///< L1 is exceeded at some position
  Slower,      ///< legal, but the plan would take more time
  Declined,    ///< legal and no slower, but whoever tried it wants more than that
};
llvm::StringRef name(Outcome outcome); ///< "applied", "refused", "no room", "slower", "declined"

/// The plan in the making. A copy is a draft of its own, over the same problem and oracle, which must outlive both.
/// Positions are those of the schedule that it was made with.
class Draft {
public:
  /// `schedule` holds every op once, producers first.
  Draft(const Problem &problem, Oracle &oracle, std::vector<OpId> schedule);

  // Decisions
  ConfigId config(OpId op) const { return configs[op.index()]; }
  Read read(OpId op, size_t operand) const { return reads[op.index()][operand]; }
  /// Invalid if there is none.
  LayoutId interleavedCopy(ValueId value) const { return copies[value.index()]; }
  /// These three change one decision and check nothing: what follows is asked of the draft afterwards. Outside of a
  /// change they cannot be taken back.
  void setConfig(OpId op, ConfigId config);
  void setRead(OpId op, size_t operand, Read read);
  void setInterleavedCopy(ValueId value, LayoutId layout);
  /// How the op reads the operand as long as nothing is decided: from home, in its baseInput.
  Read baseRead(OpId op, size_t operand) const;
  /// The op runs and reads as long as nothing is decided.
  void setBase(OpId op);
  /// Whether an operand may be read otherwise than from home: not if the op keeps its layouts or somebody
  /// writes the value in place.
  bool mayReadElsewhere(OpId op, size_t operand) const;
  /// Whether an op does; the function's return is none.
  bool isReadFromHome(ValueId value) const;

  /// Makes the changes of `change` and takes them back unless the outcome is Applied. `mayCost`: more time is
  /// no reason to refuse. `accept` is asked last, on a draft that is legal with the change, and may decline.
  Outcome attempt(
      llvm::function_ref<void()> change, bool mayCost = false,
      llvm::function_ref<bool()> accept = [] { return true; });
  /// Makes the changes of `change` and takes them back unless `accept`, asked afterwards, returns true. Legal or not: for
  /// drafts that do not fit yet.
  bool tryOut(llvm::function_ref<void()> change, llvm::function_ref<bool()> accept);

  // What follows from them
  llvm::ArrayRef<OpId> schedule() const { return order; }
  /// One past the last position.
  SchedulePos end() const { return SchedulePos(order.size()); }
  SchedulePos position(OpId op) const { return positions[op.index()]; }
  /// The layout that the value's producer makes; the declared one for arguments.
  LayoutId made(ValueId value) const;
  /// Fixed: no decision moves it.
  LayoutId home(ValueId value) const { return problem[value].home; }
  /// L1 per core that tensors hold across the position, its own dying operands included.
  Bytes heldAt(SchedulePos position) const { return timeline.activeAt(position); }
  /// Ops and conversions: planCost of the plan that write() gives.
  Nanoseconds time();
  /// Whether every op in the interval of schedule positions is legal and fits beside what is held across it,
  /// and `reserve` bytes more.
  Outcome check(ScheduleInterval positions, Bytes reserve = Bytes(0));
  Outcome checkAll() { return check({SchedulePos(), end()}); }
  /// The first position of the interval that check() would complain of; end() if there is none.
  SchedulePos firstConflict(ScheduleInterval positions);
  /// Whether the ops that the changes of tryOut touched so far are legal, apart from the L1 that others hold.
  bool touchedOpsAreLegal();
  /// By how much L1 is exceeded at the position: more than any device has if its op is not legal, 0 if all is well.
  Bytes excessAt(SchedulePos position);
  /// From now on `bytes` fewer may be held at the position: room that the device's allocator loses in holes. No more than
  /// what its op leaves. Not to be called in a change.
  void takeRoom(SchedulePos position, Bytes bytes);
  /// A tensor in L1 that lives across ops.
  struct Held {
    Source source;
    LayoutId reshard; ///< of a shared reshard; else invalid
    L1Reservation reservation;
  };
  /// Those of one value.
  llvm::SmallVector<Held, 4> heldTensors(ValueId value) const;
  /// The query behind op's own step: its configuration as it runs, and the layouts it reads.
  std::pair<ConfigId, llvm::SmallVector<LayoutId, 8>> queryOf(OpId op) const;
  /// One of these layouts.
  LayoutId layoutRead(OpId op, size_t operand) const;

  /// By `splitting` conversions become single ops; time() counts with the fastest paths.
  Plan write(llvm::StringRef policy, Splitting splitting = Splitting::ForTime);

  const Problem &problem;
  Oracle &oracle;

private:
  /// A tensor as it follows from the decisions.
  struct Tensor {
    bool exists = false;
    SchedulePos last;          ///< of the last reader; end(): it is returned
    L1Reservation reservation; ///< empty if it is not read beyond its producer
    bool operator==(const Tensor &) const = default;
  };
  /// One distinct way in which an op reads a value.
  struct Operand {
    ValueId value;
    Source source;         ///< canonical
    LayoutId from, target; ///< target invalid: read directly
    /// With a target: that is a shared reshard, made here. Without: `from` is one, made earlier.
    bool shared = false;

    LayoutId layout() const { return target.valid() ? target : from; }
    bool operator==(const Operand &) const = default;
  };
  /// Who reads a shared reshard. By what each would make it from, so that the last of them is found without a walk.
  struct ReshardReaders {
    std::array<std::multiset<SchedulePos>, 3> bySource;

    bool empty() const;
    /// The first of all, which makes it. Not to be called if empty.
    std::pair<SchedulePos, Source> first() const;
    SchedulePos last() const;
  };
  /// A reshard that several ops may read.
  struct SharedReshard {
    LayoutId layout;
    ReshardReaders readers;
    SchedulePos maker;
    Tensor tensor; ///< does not exist if the maker's source has the layout already
  };
  /// All that happens at one position: conversions of operands, the op, copies of its results.
  struct Group {
    llvm::SmallVector<Operand, 4> operands;
    llvm::SmallVector<unsigned, 4> operandOf;                 ///< by operand of the op
    ConfigId config;                                          ///< as it runs
    llvm::SmallVector<std::pair<ValueId, Source>, 2> results; ///< copies to make
  };
  /// What a position needs, beside what is held across it.
  struct Need {
    bool legal = true;
    bool alone = false; ///< StepNeeds::alone
    Bytes peak;         ///< above what is held when the position begins
    Nanoseconds time;
  };
  struct Change {
    enum class Kind : uint8_t { Config, Read, Copy } kind;
    uint32_t index, operand;
    ConfigId config;
    Read read;
    LayoutId copy;
  };
  class GroupCost;

  Source canonical(ValueId value, Source source) const;
  /// Of a source as it is named; of an interleaved copy that does not exist it is invalid.
  LayoutId layoutOf(ValueId value, Source source) const;
  /// What happens at the op's position by the decisions as they stand. Not kept: each change of a neighbour would have
  /// to follow it.
  Group groupOf(OpId op) const;
  ConfigId configAsRun(OpId op, const Group &group) const;
  bool mayFree(OpId op, const Operand &operand) const;
  bool mayFreeInput(OpId op, const Group &group) const;
  /// Whether the position has the tensor's last reader, so that its bytes are free behind it.
  bool dies(ValueId value, Source source, SchedulePos position) const;
  bool dies(const Operand &operand, SchedulePos position) const;
  bool outlives(const Operand &operand, SchedulePos position) const;
  Operand operandOf(OpId op, ValueId value, Read asked) const;
  /// nullptr if there is none, or it makes nothing.
  const SharedReshard *sharedReshard(ValueId value, LayoutId layout) const;
  void countRead(ValueId value, Read read, SchedulePos position, bool add);
  void refreshReshards(ValueId value);
  /// By its readers: from who makes it to the last.
  Tensor tensorOf(ValueId value, const SharedReshard &reshard) const;
  llvm::SmallVector<LayoutId, 8> inputsOf(const Group &group) const;
  /// By Source. Of values that an op makes; arguments are there throughout.
  std::array<Tensor, 3> tensorsOf(ValueId value) const;
  void refresh(ValueId value);
  void replace(Tensor &known, const Tensor &now);
  /// Puts a tensor's reservation on the timeline, or takes it off. In a change, notes where that may exceed L1.
  void reserve(const L1Reservation &reservation, bool add);
  /// What the op needs is found anew by settle(), once, however often it is marked until then.
  void markDirty(OpId op);
  /// Whose needs change with the tensor that they read.
  void markReaders(ValueId value);
  void markReaders(const ReshardReaders &reshard);
  /// Who frees the tensor, as what it leaves to others changes; nobody if it is returned.
  void markLastReader(const Tensor &tensor);
  /// L1 above what is held when the position begins, and time, over all steps of the op's group.
  Need evaluate(OpId op) const;
  /// Brings needs, time and timeline up to date with the decisions; before any answer about them.
  void settle();
  /// check() of what the change touched: ops that were priced anew, and positions where a tensor lives longer.
  Outcome checkTouched();
  /// Undoes what the journal has, last change first.
  void rollBack();

  std::vector<OpId> order;
  std::vector<SchedulePos> positions;            ///< by OpId
  std::vector<ConfigId> configs;                 ///< by OpId
  std::vector<llvm::SmallVector<Read, 3>> reads; ///< by OpId, operand
  std::vector<LayoutId> copies;                  ///< by ValueId
  std::vector<bool> writtenInPlace;              ///< by ValueId
  std::vector<bool> copyable;                    ///< by ValueId
  std::vector<SchedulePos> lastHolders;          ///< by ValueId: lastReaders(), views included
  std::vector<bool> viewed;                      ///< by ValueId: some reader may be a view of it
  std::vector<bool> readsTwice;                  ///< by OpId: some value is read by two operands

  /// By ValueId, Source asked for: schedule positions of the reading operands, shared reshards apart. Only of values that
  /// an op makes.
  std::vector<std::array<std::multiset<SchedulePos>, 3>> readers;
  std::vector<std::array<Tensor, 3>> tensors; ///< by ValueId, Source
  /// By ValueId, of arguments too; each has readers.
  std::vector<llvm::SmallVector<SharedReshard, 0>> reshards;
  L1ReservationTimeline timeline;
  std::vector<Need> needs; ///< by OpId
  std::vector<bool> dirty; ///< by OpId
  std::vector<OpId> dirtyOps;
  Nanoseconds total;

  bool recording = false;
  std::vector<Change> journal;
  std::vector<OpId> touchedOps;
  std::vector<ScheduleInterval> touchedPositions;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_LEDGER_DRAFT_H
