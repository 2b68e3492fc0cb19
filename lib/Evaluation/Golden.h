//===- Golden.h - What a real backend answered ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_GOLDEN_H
#define TESSERA_LIB_EVALUATION_GOLDEN_H

#include "Call.h"

#include "tessera/Evaluation/Evaluation.h"
#include "tessera/OpModel/OpModel.h"

namespace tessera::evaluation {

/// An L1 figure of the answer, per core.
struct GoldenFigure {
  llvm::StringLiteral column;
  llvm::StringLiteral what; ///< for people
  Bytes OpConstraints::*value;
  Share GoldenAccuracy::*exact;
};
/// In the order of the table's columns. Conditions point to its entries.
llvm::ArrayRef<GoldenFigure> goldenFigures();

/// What a figure must be: one of "=", ">=", ">", "<=" and the bytes.
struct GoldenCondition {
  const GoldenFigure *figure; ///< one of goldenFigures()
  std::string relation;
  int64_t value;
};

/// A row of a table of goldens: docs/timings-format.md.
struct Golden {
  std::string id;
  Call call;
  std::optional<bool> legal;
  bool operandsCounted = false; ///< the tensor peak and the total contain the operands
  std::vector<GoldenCondition> conditions;
  /// "page, cores": what of the results is not as asked for, or not as our formulas expect. Known of rows that were just asked, and in
  /// no table; nullopt: not known.
  std::optional<std::string> differences;
  std::string source, revision, note;
};

/// The rows of a table by the schema. Errors name file, line, column and what would be legal.
llvm::Expected<std::vector<Golden>> readGoldens(const CsvTable &table);
/// A table that is read as these rows.
std::string goldensText(llvm::ArrayRef<Golden> rows);

/// The call in layouts of `pool`, which must outlive it.
class QueryInPool {
public:
  QueryInPool(const KernelQuery &call, LayoutPool &pool);
  OpQuery query() const { return {signature, inputs, config}; }

private:
  const OpSignature &signature;
  llvm::SmallVector<LayoutId, 4> inputs;
  OpConfig config;
};

/// The model's answer to one row against the row's; what is wrong, or strict on purpose, goes to the lists of `evaluation`.
GoldenAccuracy scoreOf(const Golden &golden, GoldenEvaluation &evaluation);

/// The goldens of a file, whatever its columns.
llvm::Expected<std::vector<Golden>> goldensOf(llvm::StringRef path, std::vector<RowRemark> &skipped);

/// Import/Goldens.cpp: nullopt for tables of another kind.
std::optional<llvm::Expected<std::vector<Golden>>> importGoldens(const CsvTable &table,
                                                                 std::vector<RowRemark> &skipped);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_GOLDEN_H
