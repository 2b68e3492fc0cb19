//===- ChainSolver.h - The ShardSolver on a chain of a draft -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINSOLVER_H
#define TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINSOLVER_H

#include "L1Chain.h"
#include "tessera/Optimizer/Policy/ShardSolver.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

namespace tessera::df_sharding {

/// How a chain runs. By position in the chain.
struct ChainSolution {
  std::vector<ConfigId> configs;
  std::vector<LayoutId> reshards; ///< of operand 0; invalid: read as it is
};

/// Why a chain has no solution.
enum class ChainFailure : uint8_t { Constraints, Memory };

/// Answers the solver's questions about one chain: every result sharded in L1, operands other than the
/// chain's read from home, everything beside what the draft holds at that position. Layouts are legal if the
/// op model says so.
class ChainSolver final : public ShardConstraints {
public:
  /// `draft` and `chain` must outlive the solver.
  ChainSolver(const Draft &draft, const OpCostTable &model, const L1Chain &chain);

  /// Of all solutions, the one with the most cores; of the reshards that fit it, the fastest.
  std::optional<ChainSolution> solve(ShardSolverObserver *observer);
  /// After solve() found nothing. Memory if some pair of configurations on the edge in question was refused
  /// for lack of L1 only.
  ChainFailure failure() const { return reason; }

  bool acceptsOutside(unsigned edge, unsigned config) override;
  bool accepts(unsigned edge, unsigned producerConfig, unsigned consumerConfig) override;
  unsigned reshardTargets(unsigned edge) override;
  bool acceptsReshard(unsigned edge, unsigned target, unsigned consumerConfig) override;
  bool canReshard(unsigned edge, unsigned producerConfig, unsigned target) override;

private:
  /// One op of the chain with its candidates. The edge into op i has number i.
  struct Link {
    OpId op;
    ValueId input;       ///< operand 0; invalid if the op has none
    OperandLayouts base; ///< baseInputs
    std::vector<ConfigId> configs;
  };

  std::vector<ShardSolverOp> ops() const;
  /// The layout that the op makes with that configuration.
  LayoutId made(unsigned link, unsigned config) const;
  /// The op's base inputs, but with the chain's tensor in `input`.
  OperandLayouts inputsWith(const Link &link, LayoutId input) const;
  StepCost runWith(unsigned link, LayoutId input, ConfigId config) const;
  bool fits(unsigned link, LayoutId input, const StepCost &answer);
  std::optional<LayoutId> fastestReshard(const ShardSolver &solver, unsigned edge,
                                         llvm::ArrayRef<unsigned> chosen);
  ChainFailure whyNot(unsigned edge) const;

  const Draft &draft;
  const Problem &problem;
  Oracle &oracle;
  OpCostTable model;
  const L1Chain &chain;
  std::vector<Link> links;
  bool tight = false; ///< something legal did not fit
  ChainFailure reason = ChainFailure::Constraints;
};

} // namespace tessera::df_sharding

#endif // TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINSOLVER_H
