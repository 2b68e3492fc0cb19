//===- Chooser.h - The best way to run one op here ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_GREEDY_CHOOSER_H
#define TESSERA_LIB_OPTIMIZER_POLICY_GREEDY_CHOOSER_H

#include "../Common/Lookahead.h"
#include "tessera/Optimizer/Plan/DecisionLog.h"
#include "tessera/Optimizer/Table/ReadOptions.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace tessera::greedy {

/// A copy of a value that an operand could be read from.
struct ReadableCopy {
  LayoutId layout;
  size_t copy = 0;   ///< among the value's copies
  bool dies = false; ///< nothing reads it after this op, and the function owns it: a conv2d may free it
  bool operator==(const ReadableCopy &) const = default;
};

/// All that the choice for one op depends on.
struct Situation {
  OpId op;
  std::vector<ValueId> values;                    ///< distinct operand values, in operand order
  std::vector<std::vector<ReadableCopy>> sources; ///< by position in `values`; the first is the preferred one
  std::vector<bool> pinned;                       ///< by position in `values`: no copies may be made
  std::vector<SchedulePos> leavesAt;              ///< by result: the op from which on it is in DRAM only
  /// In which the `value`th is there, as `sources`.
  llvm::SmallVector<LayoutId, 4> layoutsOf(size_t value) const {
    return llvm::map_to_vector<4>(sources[value], [](const ReadableCopy &copy) { return copy.layout; });
  }
  bool operator==(const Situation &) const = default;
};

/// How one value is read: from sources[source], or from a conversion of it to `target`.
struct Choice {
  size_t source = 0;
  LayoutId target; ///< invalid: directly
};

/// One way to run the op.
struct Candidate {
  llvm::SmallVector<Choice, 4> choices; ///< by position in Situation::values
  ConfigId config;
  Price score;       ///< op, conversions, worth of the results
  int residency = 0; ///< residencyOf, summed over results
  unsigned conversions = 0;
  unsigned order = 0; ///< in which it was found
};

/// Pass 1 for one op: which copies of its operands to read, what to reshard, which configuration. Considers
/// every operand; see docs/policies.md for the candidates and the score.
class Chooser {
public:
  Chooser(const Problem &problem, Oracle &oracle, Lookahead &lookahead)
      : problem(problem), oracle(oracle), lookahead(lookahead), options(problem, oracle) {}

  /// The best candidate, nullopt if none is legal. Ties: less residency, fewer conversions, first in order.
  std::optional<Candidate> best(const Situation &situation);
  /// All legal candidates, best first.
  std::vector<Candidate> all(const Situation &situation);
  /// Writes them down.
  void note(const Situation &situation, DecisionLog &log);

private:
  /// Costs are nanoseconds of conversions.
  struct Option : ReadOption {
    Choice choice;
    bool dies = false;
  };
  /// A configuration with what its results are worth.
  struct RatedConfig {
    ConfigId config;
    Price worth{};
    int residency = 0;
  };

  /// Copies that are there, then conversions, as combinations begin with the former.
  void collectOptions(const Situation &situation);
  void addConversion(const Situation &situation, size_t value, LayoutId target);
  void combine(const Situation &situation);
  void combineDirect(const Situation &situation);
  /// Unless there are kMaxCombined by operands already.
  void tryCombination(llvm::ArrayRef<unsigned> chosen);
  void rateConfigs(const Situation &situation);
  /// Calls `visit` with every legal candidate that could still matter: `bound` is asked for the score above
  /// which nothing does, nullopt if there is none.
  template <class Visit, class Bound>
  void evaluate(const Situation &situation, Visit visit, Bound bound);
  /// Fills the scratch below, of which all else is asked.
  void prepare(const Situation &situation);
  /// Nullopt if the op model refuses it. A convolution that must not free its operand keeps it.
  std::optional<Candidate> tryCandidate(const Situation &situation, const Combination &combination,
                                        const RatedConfig &config);

  const Problem &problem;
  Oracle &oracle;
  Lookahead &lookahead;
  // Scratch of the op at hand.
  ReadOptions<Option> options;
  std::vector<RatedConfig> configs;
  std::vector<ConfigId> configIds; ///< the same, in that order
};

} // namespace tessera::greedy

#endif // TESSERA_LIB_OPTIMIZER_POLICY_GREEDY_CHOOSER_H
