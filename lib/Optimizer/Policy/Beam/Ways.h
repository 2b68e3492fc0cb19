//===- Ways.h - How the operands of an op may be read ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_WAYS_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_WAYS_H

#include "Candidate.h"
#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Optimizer/Table/ReadOptions.h"

namespace tessera::beam {

/// One layout in which a value may be read, and the cheapest way to it. Costs are nanoseconds, or numbers of conversions.
struct Way : ReadOption {
  unsigned parent = 0; ///< the candidate of the value's producer that is assumed
  bool converted = false;
  Score score{};      ///< of the path up to here, the producer's shared among its readers
  unsigned order = 0; ///< in which it was found

  Input input() const { return {layout, parent, converted}; }
};

/// All ways to read each value of one op, and the combinations of them that are worth a question.
class Ways {
public:
  Ways(const Problem &problem, Oracle &oracle, const BeamOptions &options);

  /// `beams` by OpId: those of all earlier ops. `configs`: those that the op may run with. At most `limit` combinations,
  /// cheapest first, and besides all activations placed alike, and the base inputs.
  void collect(OpId op, const Beams &beams, llvm::ArrayRef<ConfigId> configs, size_t limit);

  /// Adds all that the ways to read the value depend on, the op that reads it apart.
  void describe(ValueId value, const Beams &beams, Words &words) const;

  llvm::ArrayRef<ValueId> values() const { return ways.values(); }
  llvm::ArrayRef<Combination> combinations() const { return ways.combinations(); }
  const Way &way(size_t value, unsigned index) const { return ways[value][index]; }
  /// By operand: the position of its value.
  llvm::ArrayRef<unsigned> positions() const { return ways.positions(); }
  /// Whether a value must be read as its producer makes it.
  bool isPinned(ValueId value) const { return !copyable[value.index()]; }

private:
  /// As the producer's candidates make it, by layout; an argument as it is declared.
  void addDirect(size_t value, const Beams &beams);
  void addConversion(size_t value, LayoutId target);
  void combine(size_t limit);
  /// The cheapest first, on which combine() relies.
  void sortWays();

  const Problem &problem;
  Oracle &oracle;
  const BeamOptions &options;
  Nanoseconds conversionCharge; ///< a conversion must gain more than that
  std::vector<bool> copyable;   ///< by ValueId
  std::vector<double> readers;  ///< by OpId: ops that read its results, and returns
  std::vector<double> sharers;  ///< by ValueId: ops that read it

  // Of the op at hand.
  std::vector<std::vector<Way>> made; ///< by position, as the producer's candidates make it
  ReadOptions<Way> ways;
};

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_WAYS_H
