//===- TimingRow.h - A call of an op and how long it took -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_TIMINGROW_H
#define TESSERA_LIB_EVALUATION_TIMINGROW_H

#include "Call.h"

namespace tessera::evaluation {

/// A row of a table of timings: docs/timings-format.md.
struct TimingRow {
  size_t line = 0; ///< of its file
  Call call;
  KernelPart part = KernelPart::Op;
  double ns = 0;
  std::string family, group, ranking, shape; ///< as in Timing
  std::string doubt, reservation;            ///< as in Timing
  std::string program;                       ///< as in Timing
  uint64_t calls = 1;                        ///< as in Timing
  bool unseen = false;                       ///< as in Timing
  std::string source, revision, note;
};

/// Whether the time is one: not so in tables of runs that failed.
bool hasTime(const TimingRow &row);
/// What a row belongs to unless it says otherwise: op and architecture; the shapes of its operands.
std::string defaultFamily(const Call &call);
std::string defaultShape(const Call &call);
constexpr llvm::StringLiteral kDefaultGroup = "other";

/// The rows of a table by the schema. Errors name file, line, column and what would be legal.
llvm::Expected<std::vector<TimingRow>> readTimings(const CsvTable &table);
/// A table that is read as these rows.
std::string timingsText(llvm::ArrayRef<TimingRow> rows);

/// The model's time of the row as a function of its parameters; an error if it has none.
llvm::Expected<KernelTime> modelOf(const TimingRow &row);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_TIMINGROW_H
