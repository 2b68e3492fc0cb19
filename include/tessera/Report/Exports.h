//===- Exports.h - Decisions as files of other viewers --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Formats as facts/report-formats has them, where each rule was tried on the real viewer. docs/report.md says what is
// in the files.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_REPORT_EXPORTS_H
#define TESSERA_REPORT_EXPORTS_H

#include "tessera/Optimizer/Decisions/Decisions.h"

namespace llvm {
class raw_ostream;
}

namespace tessera::report {

/// A trace for ui.perfetto.dev (facts/report-formats 4): a process per function, its steps with the parts of their
/// time, and counters of L1 and DRAM.
void writePerfetto(llvm::raw_ostream &os, const decisions::Decisions &all);

/// A graph per function for Model Explorer (facts/report-formats 3).
void writeModelExplorer(llvm::raw_ostream &os, const decisions::Decisions &all);
/// What colours its nodes by their time, in microseconds.
void writeModelExplorerTimes(llvm::raw_ostream &os, const decisions::Decisions &all);

/// A table of a folder of tables, and its text.
struct CsvFile {
  std::string name; ///< "steps.csv"
  std::string text;
};
/// Steps, tensors, circular buffers, runners-up and spills, each with its function in the first column.
std::vector<CsvFile> csvFiles(const decisions::Decisions &all);

/// db.sqlite of a memory report that ttnn-visualizer opens (facts/report-formats 1), as bytes. The error is SQLite's.
llvm::Expected<std::string> visualizerDatabase(const decisions::Decisions &all);

} // namespace tessera::report

#endif // TESSERA_REPORT_EXPORTS_H
