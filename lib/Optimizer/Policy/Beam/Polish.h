//===- Polish.h - Single and pairwise changes -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_POLISH_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_POLISH_H

#include "Candidate.h"
#include "Expansion.h"
#include "tessera/Optimizer/Policy/Policy.h"

#include <unordered_set>

namespace tessera::beam {

/// Changes one op, its reads, or an op and one of its readers, until nothing saves time: the beam shares a producer's time
/// among its readers and assumes that memory suffices, the draft knows better. What found nothing once is not tried again
/// in the same surroundings, so that layers that repeat cost little more than one.
class Polish {
public:
  Polish(Draft &draft, const Beams &beams, const PolicyOptions &options);

  /// Round after round, until one finds nothing or there were enough.
  void run();
  /// Those that were kept, in all runs.
  size_t changes() const { return kept; }

private:
  /// Signatures, configurations and layouts of an op, its producers and its readers.
  void describe(OpId op, Words &words) const;
  /// The op by itself, with its reads, and with its readers.
  void improve(OpId op);
  void improveReads(OpId op);
  void tryReads(OpId op, llvm::ArrayRef<std::pair<ValueId, Read>> reads);
  llvm::SmallVector<Read, 8> readsOf(OpId op, ValueId value) const;
  void improvePairs(OpId op);
  struct Swap {
    ConfigId config;
    Read read; ///< of the other operand
  };
  void improveSwaps(OpId op);
  std::optional<Swap> swapAt(OpId reader, ValueId result, LayoutId made, ValueId other) const;
  // PolishGroups.cpp
  void improveJoin(OpId op);
  void makeAlike(OpId op, llvm::ArrayRef<ValueId> made, LayoutId placement);
  std::optional<ConfigId> fastestMaking(ValueId value, LayoutId layout) const;
  void improveRegions();
  void improveFork(ValueId value);
  /// What readers may change beside where they read a value.
  enum class Results : uint8_t { Same, Any };
  void readTogether(ValueId value, llvm::ArrayRef<OpId> readers, LayoutId layout);
  std::optional<ConfigId> fasterIn(OpId reader, ValueId value, LayoutId layout, Results results) const;
  /// Makes the change, and takes it back unless it is legal, fits and saves kLeastGain.
  void keepIfFaster(llvm::function_ref<void()> change);

  /// A change must save that much.
  static constexpr Nanoseconds kLeastGain{1};
  /// Ways to read a value that are tried.
  static constexpr size_t kMaxReads = 8;
  /// Readers of a value that are looked at.
  static constexpr size_t kMaxReaders = 8;
  /// With more readers than these an op is not changed together with one of them: each such change concerns all readers.
  static constexpr size_t kMaxForked = 64;
  /// Operands of which each two are changed together.
  static constexpr size_t kMaxOperands = 4;

  static llvm::ArrayRef<Use> firstUses(const Value &value) {
    return llvm::ArrayRef(value.uses).take_front(kMaxReaders);
  }

  Draft &draft;
  const Problem &problem;
  const Beams &beams;
  const PolicyOptions &options;
  std::unordered_set<Words, WordsHash> settled; ///< nothing saves time there
  size_t kept = 0;
};

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_POLISH_H
