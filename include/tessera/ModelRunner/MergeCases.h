//===- MergeCases.h - Merges with known results ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_MERGECASES_H
#define TESSERA_MODELRUNNER_MERGECASES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace tessera::runner {

/// A case of which a dialect's result is not the expected one.
struct MergeDisagreement {
  std::string name, dialect; ///< "A" or "B"
  std::string expected, actual;
};

struct MergeCasesResult {
  size_t cases = 0;
  std::vector<MergeDisagreement> disagreements; ///< at most one per case and dialect
  /// Cases that agree in all their dialects.
  size_t agree() const;
};

/// Runs {"cases": [{name, model, weight, states, cache, only, expect: {A, B}}]}: each case in the dialects of which it
/// expects something, and of those in `only` if that is set. Expected are "ok" with "loads" and "warn", or "err" with
/// "msg", whose text may be cut at 200 characters. Keys may be in any order. An error if the file is not of that form.
llvm::Expected<MergeCasesResult> runMergeCases(const llvm::json::Value &file);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_MERGECASES_H
