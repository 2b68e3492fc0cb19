//===- Html.h - Decisions as a page that opens from disk ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The page (report/, built into lib/Report/Page.html) draws one JSON, which is put into it here (docs/report.md, "What
// is in the file"):
//
//   {"format": "tessera.report", "version": 1, "plans": [DECISIONS, ...], "diffs": [DIFF, ...]}
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_REPORT_HTML_H
#define TESSERA_REPORT_HTML_H

#include "tessera/Optimizer/Decisions/Decisions.h"

namespace llvm {
class raw_ostream;
}

namespace tessera::report {

/// What a report is about: a plan, and perhaps another one, of which is said what it does otherwise. The trace of the
/// policy is left out.
struct ReportedPlans {
  decisions::Decisions plan;
  std::optional<decisions::Decisions> against;
  std::optional<llvm::json::Value> judgement =
      std::nullopt; ///< of `plan`, as `tessera judge --json` writes it
};

/// The JSON that the page draws, on one line.
void writeJson(llvm::raw_ostream &os, ReportedPlans plans);

/// A file of its own: nothing is fetched, and no name of the model is read as markup.
void writeHtml(llvm::raw_ostream &os, ReportedPlans plans);

} // namespace tessera::report

#endif // TESSERA_REPORT_HTML_H
