//===- Timings.h - Reading tables of measured times -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_EVALUATION_TIMINGS_H
#define TESSERA_LIB_OPMODEL_EVALUATION_TIMINGS_H

#include "Csv.h"
#include "tessera/OpModel/Evaluation.h"

namespace tessera::evaluation {

/// Group and family of rows whose label contradicts their time. They count to no figure but their own.
inline constexpr llvm::StringLiteral kDoubtful = "unary_doubtful", kDoubtfulFamily = "exp, label doubtful";

/// What a reader does with a row of a table: adds one or more timings, or skips it with a reason.
class TimingSink {
public:
  TimingSink(TimingEvaluation &evaluation, const CsvTable &table, CsvTable::Row row)
      : evaluation(evaluation), table(table), row(row) {}

  /// Adds `timing`, whose `where` is filled in, with `predicted`; an error in it becomes the reason to skip.
  void add(Timing timing, llvm::Expected<double> predicted);
  void skip(const llvm::Twine &reason);

private:
  TimingEvaluation &evaluation;
  const CsvTable &table;
  CsvTable::Row row;
};

/// One kind of table, recognised by columns that no other kind has all of.
struct TimingReader {
  llvm::ArrayRef<llvm::StringLiteral> columns;
  void (*read)(CsvTable::Row row, TimingSink &sink);
};

// One function per file of readers.
llvm::ArrayRef<TimingReader> matmulReaders();
llvm::ArrayRef<TimingReader> streamReaders();
llvm::ArrayRef<TimingReader> traceReaders();
llvm::ArrayRef<TimingReader> collectiveReaders();

// ---- Cells ----------------------------------------------------------------------------------------------

/// "1x1x288x224"; empty if it is no shape.
Shape shapeOf(llvm::StringRef text);
/// "bfloat16", "BFLOAT8_B", "bfp8", "uint16" ...; nullopt if unknown.
std::optional<DataType> dataTypeOf(llvm::StringRef text);
/// The built-in device of that name, or the smallest one of that architecture, with a grid of its own.
std::optional<DeviceSpec> deviceOf(llvm::StringRef nameOrArch, GridShape grid = {0, 0});

} // namespace tessera::evaluation

#endif // TESSERA_LIB_OPMODEL_EVALUATION_TIMINGS_H
