//===- Import.h - Tables of times with other columns than ours ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What was published has columns of its own, and leaves things open that our
// schema wants to know. One function per table makes rows by the schema of it;
// nothing behind them knows such tables.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_IMPORT_IMPORT_H
#define TESSERA_LIB_EVALUATION_IMPORT_IMPORT_H

#include "../TimingRow.h"

#include "tessera/Evaluation/Evaluation.h"
#include "tessera/Support/Csv.h"

namespace tessera::evaluation {

/// Where an importer puts what it makes of a row: one or more timings, or the reason for none.
class ImportSink {
public:
  ImportSink(std::vector<TimingRow> &rows, std::vector<RowRemark> &skipped, const CsvTable &table,
             CsvTable::Row row)
      : rows(rows), skipped(skipped), table(table), row(row) {}

  /// Fills in line and source.
  void add(TimingRow timing);
  /// The row is none of ours, or does not say enough: it is listed with the reason, so that none goes lost in silence.
  void skip(const llvm::Twine &reason);

private:
  std::vector<TimingRow> &rows;
  std::vector<RowRemark> &skipped;
  const CsvTable &table;
  CsvTable::Row row;
};
using SinkOfRow = llvm::function_ref<ImportSink(CsvTable::Row)>;

/// One kind of table, recognised by columns that no other kind has all of.
struct TimingImporter {
  llvm::ArrayRef<llvm::StringLiteral> columns;
  void (*import)(const CsvTable &table, SinkOfRow sinkOf);
};

/// Imports each row by itself.
template <void (*importRow)(CsvTable::Row, ImportSink &)>
void rowByRow(const CsvTable &table, SinkOfRow sinkOf) {
  for (size_t i = 0; i < table.size(); ++i) {
    ImportSink sink = sinkOf(table.row(i));
    importRow(table.row(i), sink);
  }
}

/// The rows of a table of times of a known kind; nullopt for other tables.
std::optional<std::vector<TimingRow>> importTimings(const CsvTable &table, std::vector<RowRemark> &skipped);

// One function per file of importers.
llvm::ArrayRef<TimingImporter> matmulImporters();
llvm::ArrayRef<TimingImporter> streamImporters();
llvm::ArrayRef<TimingImporter> traceImporters();
llvm::ArrayRef<TimingImporter> moveImporters();
llvm::ArrayRef<TimingImporter> collectiveImporters();

/// Where a row is from, "repository:path": "repository@revision:path (remark)", with the revision apart.
struct Provenance {
  std::string source, revision;
};
Provenance provenanceOf(llvm::StringRef text);

// ---- Cells ----------------------------------------------------------------------------------------------

/// "1x1x288x224"; empty if it is no shape.
Shape shapeOf(llvm::StringRef text);
/// "bfloat16", "BFLOAT8_B", "bfp8", "uint16" ...; nullopt if unknown.
std::optional<DataType> dataTypeOf(llvm::StringRef text);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_IMPORT_IMPORT_H
