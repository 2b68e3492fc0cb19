//===- MockScripts.h - The mock statements of a problem text -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_PROBLEM_MOCKSCRIPTS_H
#define TESSERA_LIB_OPTIMIZER_PROBLEM_MOCKSCRIPTS_H

#include "ProblemWords.h"
#include "tessera/OpModel/MockOpModel.h"

namespace tessera {

/// What a text says about one op, beyond MockBehaviour. Layout rules (docs/problem-format.md, "mock").
struct OpScript {
  MockBehaviour behaviour;
  Nanoseconds time{1000};       ///< of an execution
  Nanoseconds perDram;          ///< added for each operand or result in DRAM
  Nanoseconds perInterleaved;   ///< added for each operand or result in L1 interleaved
  bool samePlacement = false;   ///< all L1-sharded operands and results have the same kind and grid
  bool noShardedInputs = false; ///< operands must be interleaved
  bool shardedInputs = false;   ///< operands must be sharded
  bool dramInputs = false;      ///< operands must lie in DRAM
};

/// Collects `mock` statements (docs/problem-format.md, "Mock device") until the model can be made of them.
class MockScripts {
public:
  /// What follows the word `mock`: default|<op> {behaviour}. False on an error.
  bool parse(ProblemWords &words);
  /// Of what was parsed by then. Answers queries like MockOpModel, and gives times that depend on where operands and results lie.
  std::unique_ptr<OpModel> createModel(OpModelContext context) const;

private:
  /// One word with what belongs to it, into the script. False on an error.
  bool behaviour(ProblemWords &words, OpScript &script);

  OpScript defaultScript;
  llvm::StringMap<OpScript> scripts; ///< by op name
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_PROBLEM_MOCKSCRIPTS_H
