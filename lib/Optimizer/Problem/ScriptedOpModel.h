//===- ScriptedOpModel.h - The mock device of a problem text -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_PROBLEM_SCRIPTEDOPMODEL_H
#define TESSERA_LIB_OPTIMIZER_PROBLEM_SCRIPTEDOPMODEL_H

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

/// Answers queries like MockOpModel, and gives times that depend on where operands and results lie.
class ScriptedOpModel final : public OpModel {
public:
  explicit ScriptedOpModel(OpModelContext context) : OpModel(context), mock(context) {}

  /// Sets the script of the ops of that name.
  void setScript(llvm::StringRef opName, OpScript script);
  /// Of ops that have none of their own.
  void setDefault(OpScript script);
  /// The script of that name, else the default.
  const OpScript &script(llvm::StringRef opName) const;

  ValidationResult query(const OpQuery &query) const override { return mock.query(query); }
  /// The script's time, and what it adds for each operand and result by its place.
  OpRuntime runtime(const OpQuery &query) const override;
  llvm::StringRef name() const override { return "scripted"; }

private:
  MockOpModel mock;
  OpScript fallback;
  llvm::StringMap<OpScript> scripts;
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_PROBLEM_SCRIPTEDOPMODEL_H
