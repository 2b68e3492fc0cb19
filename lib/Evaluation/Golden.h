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
  std::string source, revision, note;
};

/// The rows of a table by the schema. Errors name file, line, column and what would be legal.
llvm::Expected<std::vector<Golden>> readGoldens(const CsvTable &table);
/// A table that is read as these rows.
std::string goldensText(llvm::ArrayRef<Golden> rows);

/// Import/Goldens.cpp: nullopt for tables of another kind.
std::optional<llvm::Expected<std::vector<Golden>>> importGoldens(const CsvTable &table,
                                                                 std::vector<RowRemark> &skipped);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_GOLDEN_H
