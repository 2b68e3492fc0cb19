//===- Choices.h - The ways to run an op from what is there ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_SPILL_CHOICES_H
#define TESSERA_LIB_OPTIMIZER_POLICY_SPILL_CHOICES_H

#include "Forms.h"

#include <limits>

namespace tessera::dp {

/// What does not work takes for ever.
inline constexpr Nanoseconds kEndless(std::numeric_limits<double>::infinity());

/// How one value is read: the tensor in layout `source`, as it is or converted first.
struct InputChoice {
  LayoutId source;
  LayoutId target; ///< invalid: read as it is
  Bytes own;       ///< what the conversion needs, its result included
  LayoutId read() const { return target.valid() ? target : source; }
};

/// Programs of so many ops have all choices and all sets of victims.
inline constexpr size_t kShortProgram = 16;

/// One way to run an op.
struct Choice {
  llvm::SmallVector<InputChoice, 3> inputs; ///< by distinct value
  ConfigId config;
  Nanoseconds time;   ///< of the op and its conversions
  Bytes own;          ///< what the op needs beside what lies in L1, its results included
  bool alone = false; ///< StepNeeds::alone
};

/// What a convolution may free.
enum class Frees : uint8_t {
  Nothing, ///< its first operand is read later
  Copy,    ///< one that is made for it
  Operand, ///< its first operand, whichever it is
};

/// All ways to run ops, and what each takes at least.
class Choices {
public:
  /// All must outlive it. Asks for the least that each op takes at once: the search's bound needs it from the start.
  Choices(const Problem &problem, Oracle &oracle, const Forms &forms);

  /// The values that the op reads, each once.
  llvm::ArrayRef<ValueId> valuesOf(OpId op) const { return values[op.index()]; }
  /// From values that are there in the layouts `present` (by distinct value); `frees`: what a convolution may free.
  /// No two are alike in all but time and L1, unless one needs less of each.
  const std::vector<Choice> &of(OpId op, llvm::ArrayRef<Layouts> present, Frees frees);
  /// Nanoseconds that the op takes at least, whatever lies where. 0 where not all was asked.
  Nanoseconds least(OpId op) const { return leasts[op.index()]; }
  /// What the op takes more than that if the value, its `index`th, is there in these layouts only.
  Nanoseconds penalty(OpId op, size_t index, llvm::ArrayRef<LayoutId> present);
  /// Whether choices were left out somewhere.
  bool complete() const { return isComplete; }

private:
  /// Fills leasts and leastWith, on which the search's bound and its ranking of states stand.
  void findLeast(OpId op);
  /// How one value can be read: each copy that is there, then a conversion to each form that is not, from
  /// whichever copy it takes least time.
  std::vector<InputChoice> waysToRead(OpId op, size_t index, llvm::ArrayRef<LayoutId> present);
  /// The configurations with these inputs, but those that another beats in time and in L1 with the same
  /// results.
  void addRuns(OpId op, llvm::ArrayRef<InputChoice> inputs, Nanoseconds conversions, Frees mayFree,
               std::vector<Choice> &choices);
  std::vector<ConfigId> configsOf(OpId op) const;
  void keepFew(std::vector<Choice> &choices);
  bool isForm(OpId op, ConfigId config) const;
  template <class Visit>
  bool forEachCombination(llvm::ArrayRef<std::vector<InputChoice>> ways, Visit visit);

  const Problem &problem;
  Oracle &oracle;
  const Forms &forms;
  std::vector<llvm::SmallVector<ValueId, 4>> values; ///< by OpId
  std::vector<std::vector<ConfigId>> configs;        ///< by OpId
  std::vector<Nanoseconds> leasts;                   ///< by OpId
  /// By OpId, distinct value, form: the least time with the value in that form; endless if it is never legal.
  std::vector<std::vector<std::vector<Nanoseconds>>> leastWith;
  ByWords<std::vector<Choice>> known;
  bool isComplete = true;
};

} // namespace tessera::dp

#endif // TESSERA_LIB_OPTIMIZER_POLICY_SPILL_CHOICES_H
