//===- Timings.h - Reading tables of measured times -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_TIMINGS_H
#define TESSERA_LIB_EVALUATION_TIMINGS_H

#include "Question.h"
#include "tessera/Evaluation/Evaluation.h"
#include "tessera/Support/Csv.h"

namespace tessera::evaluation {

/// What a reader does with a row of a table: adds one or more timings, or skips it with a reason.
class TimingSink {
public:
  TimingSink(TimingEvaluation &evaluation, const Calibration &calibration, const CsvTable &table,
             CsvTable::Row row)
      : evaluation(evaluation), calibration(calibration), table(table), row(row) {}

  /// Adds `timing`, whose `where` and `predicted` are filled in and whose family and group say if there is
  /// doubt; an error in `model` becomes the reason to skip.
  void add(Timing timing, llvm::Expected<KernelTime> model);
  void skip(const llvm::Twine &reason);

private:
  TimingEvaluation &evaluation;
  const Calibration &calibration;
  const CsvTable &table;
  CsvTable::Row row;
};

/// One kind of table, recognised by columns that no other kind has all of.
struct TimingReader {
  llvm::ArrayRef<llvm::StringLiteral> columns;
  void (*read)(const CsvTable &table, llvm::function_ref<TimingSink(CsvTable::Row)> sinkOf);
};

/// Reads each row by itself.
template <void (*readRow)(CsvTable::Row, TimingSink &)>
void rowByRow(const CsvTable &table, llvm::function_ref<TimingSink(CsvTable::Row)> sinkOf) {
  for (size_t i = 0; i < table.size(); ++i) {
    TimingSink sink = sinkOf(table.row(i));
    readRow(table.row(i), sink);
  }
}

// One function per file of readers.
llvm::ArrayRef<TimingReader> matmulReaders();
llvm::ArrayRef<TimingReader> streamReaders();
llvm::ArrayRef<TimingReader> traceReaders();
llvm::ArrayRef<TimingReader> moveReaders();
llvm::ArrayRef<TimingReader> collectiveReaders();

/// Counts `timings` by their prediction; those without one not at all.
TimingFigures figuresOf(llvm::ArrayRef<Timing> timings,
                        llvm::function_ref<std::optional<double>(const Timing &)> prediction);

// ---- Cells ----------------------------------------------------------------------------------------------

/// "1x1x288x224"; empty if it is no shape.
Shape shapeOf(llvm::StringRef text);
/// "bfloat16", "BFLOAT8_B", "bfp8", "uint16" ...; nullopt if unknown.
std::optional<DataType> dataTypeOf(llvm::StringRef text);
/// The built-in device of that name, or the smallest one of that architecture, with a grid of its own.
std::optional<DeviceSpec> deviceOf(llvm::StringRef nameOrArch, GridShape grid = {0, 0});

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_TIMINGS_H
