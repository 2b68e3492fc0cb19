//===- OpCostTable.h - What an op costs, asked once ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The one table that all planning reads. A row is what an op model says of
//
//   (op signature, layouts of the operands, configuration)
//
// in an otherwise empty L1. Neither other tensors nor the budget are in the key:
// whether the op fits is a comparison with what the row says that it needs, so
// one table serves all budgets, schedules, policies and functions. Whoever has
// ids asks by ids (row), whoever has an OpQuery asks as any op model is asked.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_OPCOSTTABLE_H
#define TESSERA_OPMODEL_OPCOSTTABLE_H

#include "tessera/OpModel/OpModel.h"

namespace tessera {

/// A configuration in an OpCostTable.
using ConfigId = Id<struct ConfigTag>;

/// What decides whether an op fits, and what it takes. Bytes are per core.
struct OpNeeds {
  Bytes operands; ///< what the distinct operands hold (operandL1Bytes)
  Bytes resident; ///< `operands`, and what unevenly sharded results take beyond their pages
  Bytes needed; ///< what the op fits into with nothing beside it: `resident`, its peak and the safety margin
  Bytes own;    ///< of `needed` what is not the operands', the results as whole shards
  Nanoseconds time;         ///< in all
  bool judged = false;      ///< the rules accept it: all that is left to say is whether it fits
  bool ok = false;          ///< it fits the budget of the model that was asked
  bool asRequested = false; ///< the configuration names all result layouts, and these come out
};

/// What a row says. Of a refusal nothing but the answer: most rows are refusals, and those that say the same share it.
struct OpCost : OpNeeds {
  OpRuntime runtime;
  ValidationResult answer; ///< for an empty L1 and the budget of the model that was asked; may lack a message
};

struct TableStatistics {
  size_t hits = 0, misses = 0;
  /// Share of questions that were answered from memory, 0 if none was asked.
  double hitRate() const { return hits + misses ? double(hits) / double(hits + misses) : 0.0; }
};

/// Remembers every answer of another model. A copy shares the rows. Thread-safe: answers do not depend on the order of
/// questions.
class OpCostTable final : public OpModel {
public:
  explicit OpCostTable(std::unique_ptr<OpModel> source);
  /// `source` must outlive the table. Implicit: any model can be planned with. What is a table already is handed on as one: seen as
  /// an OpModel it would get rows of its own here.
  OpCostTable(const OpModel &source);

  /// The same rows, judged by another budget, less or more. What an op needs and how long it takes depends on
  /// OpModelContext::l1Alone and not on the budget.
  OpCostTable withBudget(Bytes budget) const;
  /// The same rows, judged as if nothing but the op's operands ever lay in L1: for layouts first, residency second. What does
  /// not fit by itself is refused all the same.
  OpCostTable alone() const;
  /// Rows of its own, whose runtimes are 0: the source is never asked for one, as backends may know none
  /// (facts/optimizer-proposal "Beam Search").
  OpCostTable timeless() const;

  ValidationResult query(const OpQuery &query) const override;
  OpRuntime runtime(const OpQuery &query) const override { return row(query).runtime; }
  llvm::StringRef name() const override;

  /// Equal signatures, and equal configurations, have the same id.
  SignatureId idOf(const OpSignature &signature) const;
  ConfigId idOf(const OpConfig &config) const;
  const OpConfig &operator[](ConfigId id) const;

  /// One layout per operand, and all of them in the pool. The reference holds as long as the table or a copy of it.
  const OpCost &row(SignatureId signature, llvm::ArrayRef<LayoutId> inputs, ConfigId config) const;
  const OpCost &row(const OpQuery &query) const;
  /// Whether it fits the budget, with nothing beside it.
  bool fits(const OpNeeds &needs) const;

  /// The conversions that were asked for under this budget (Conversions.h).
  struct KnownConversions;
  KnownConversions &conversions() const;

  /// Whether the other answers from the same rows.
  bool shares(const OpCostTable &other) const { return rows == other.rows; }

  /// Questions of all copies together.
  TableStatistics statistics() const;

private:
  struct Rows;
  OpCostTable(OpModelContext context, std::shared_ptr<Rows> rows);

  std::shared_ptr<Rows> rows;
  bool ignoresOthers = false;
};

/// Whether an op that needs more than `budget` may run all the same (fitsAlone).
bool fitsAlone(const OpCost &cost, Bytes budget, const OpModelContext &context);

} // namespace tessera

#endif // TESSERA_OPMODEL_OPCOSTTABLE_H
