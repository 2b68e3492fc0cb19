//===- Base.h - What an op falls back to ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Policies start from a program that is legal, and fall back to it: the base
// plan (Plan/BasePlan.h). There each op has a base: a configuration, and the
// layouts that it reads, with conversions from and to where its values are at
// home (Value::home). It is what the input program declares, unless an override
// excludes that, or it is out of memory. tt-mlir repairs ops that do not fit in
// its pass ttnn-operation-validation-and-fallback (facts/ir 2.2).
//
// A base may exceed the cap where no tensor lies in L1 but its own (Alone): with
// all that may move in DRAM there is nothing left to give way. So a program
// whose ops fit one by one under the default cap has a base plan under each.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_BASE_H
#define TESSERA_OPTIMIZER_PROBLEM_BASE_H

#include "tessera/OpModel/Conversions.h"
#include "tessera/Optimizer/Problem/Words.h"

namespace tessera {

/// What the model says to an op as declared, in an empty L1.
ValidationResult declaredAnswer(const Problem &problem, OpId op, const OpCostTable &model);
/// Whether such an answer tells nothing about the op's circular buffers: the model does not know it, or refuses it by a
/// rule. It is Fixed then. Being out of memory is an answer.
bool isUnjudged(const ValidationResult &declared);
/// Whether it tells nothing about the op's time either: what comes out in other layouts than it is declared to make has one.
bool hasNoTime(const ValidationResult &declared);
/// Whether a rule refuses it: in other layouts the op may be legal.
bool isRefused(const ValidationResult &declared);
/// As declared, if that is what the op makes; with the layouts that it makes instead, if it takes no notice of those that its
/// results are declared in and they are of the same types. Nullopt if it is refused.
std::optional<OpConfig> configMade(const Problem &problem, OpId op, const OpCostTable &model);

/// What the op takes in these layouts and an empty L1. A conversion of the program takes the fastest path between its two, as any other
/// does: which op was written does not count.
StepCost costInEmptyL1(const Problem &problem, OpId op, llvm::ArrayRef<LayoutId> inputs,
                       const OpConfig &config, const OpCostTable &model, Conversions &conversions,
                       Alone alone = Alone::Refused);

/// What an op falls back to.
struct Base {
  OpConfig config;
  std::vector<LayoutId> inputs; ///< by operand
  Nanoseconds time{};           ///< with the conversions around it
};

/// Finds the bases of a problem's ops. Equal situations are searched once, so that layers cost little; one search
/// serves as long as values move home (fitBase).
class BaseSearch {
public:
  /// `problem` keeps its values and roles; ops are changed by settle.
  BaseSearch(Problem &problem, const OpCostTable &model);

  /// The one of `configs` that takes least time, where it is legal in an empty L1: the declared one, if it is among
  /// them and runs as all values are at home, else with the operands, all or one of them, at home | as declared | in
  /// DRAM | as forEachPlausibleInputs has them; if none of that is legal, with an operand in other shards than it is
  /// declared in; if a rule forbids that too, in whatever layouts obey the rules (inLegalForms), of a convolution in lower blocks if need be. One that exceeds the budget
  /// (Alone) only if all do. Nullopt if none is legal.
  std::optional<Base> cheapest(OpId op, llvm::ArrayRef<OpConfig> configs);

  /// Decides what an op without overrides falls back to, as its operands and results are at home now: as declared if
  /// that is legal in an empty L1, alone if need be, else the cheapest of its legal configurations and of the declared
  /// one with results at home | as declared | in DRAM (Op::unfit). If none is legal the op does as declared, for the
  /// plan checker to refuse, and settle says false. Ops that keep their layouts (Fixed) or have overrides read what they are declared
  /// to read, wherever that is at home.
  bool settle(OpId op);
  /// In program order. What an op settles to depends on where values are at home, and not on the bases of others.
  void settleAll();

private:
  /// Whether the declared configuration is legal in an empty L1 with all values at home.
  bool runsAsDeclared(OpId op);
  /// Equal for ops that settle would treat alike.
  Words keyOf(OpId op);
  /// The base of one configuration with operands in these layouts; nullopt if it is illegal or cannot be reached.
  std::optional<Base> baseWith(OpId op, const OpConfig &config, llvm::ArrayRef<LayoutId> inputs, Alone alone);
  /// The conversions into `inputs` and out of the results; nullopt if one is not possible.
  std::optional<Nanoseconds> conversionsAround(OpId op, const OpConfig &config,
                                               llvm::ArrayRef<LayoutId> inputs);
  bool ownsInput(OpId op, LayoutId layout) const;
  /// Those of a convolution that are as declared, with lower blocks of its operand; none of other ops.
  std::vector<OpConfig> inLowerBlocks(OpId op, llvm::ArrayRef<OpConfig> configs) const;
  /// Operand layouts to try with it; at home comes first.
  std::vector<std::vector<LayoutId>> inputsOf(OpId op, const OpConfig &config) const;
  /// Where none of these is legal: an operand that is declared in shards in all others of them, which may be smaller.
  std::vector<std::vector<LayoutId>> inOtherShards(OpId op) const;
  /// Operand layouts with which no rule refuses the configuration, with as few operands moved as can be. Rules are tried in
  /// order, so layouts that break another rule than those before them are a step further: from there the next operand is moved.
  std::vector<std::vector<LayoutId>> inLegalForms(OpId op, const OpConfig &config);
  /// Where it may be converted to: interleaved and sharded, in tiles and in rows.
  std::vector<LayoutId> formsOf(ValueId value) const;
  /// Configurations to try when the declared one does not fit, it among them.
  std::vector<OpConfig> configsOf(OpId op) const;

  Problem &problem;
  OpCostTable model;
  Conversions conversions;
  std::vector<bool> writtenInPlace;     ///< by ValueId
  std::vector<bool> copyable;           ///< by ValueId
  std::vector<SchedulePos> lastHolders; ///< by ValueId: lastReaders(), views included
  ByWords<std::optional<Base>> known;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_BASE_H
