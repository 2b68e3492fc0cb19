//===- ContestFormat.h - Instances of the contest -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_SELECTION_CONTESTFORMAT_H
#define TESSERA_OPTIMIZER_SELECTION_CONTESTFORMAT_H

#include "tessera/Optimizer/Selection/SelectionProblem.h"

namespace tessera {

/// Reads an instance of the ASPLOS 2025 contest on intra-operator parallelism (google/iopddl): a JSON object `problem` with
/// `nodes` (`intervals`, `costs`, `usages`), `edges` (`nodes`, `costs`) and `usage_limit`. Without a limit there is none that
/// binds. The error says what is not as it must be, and where.
llvm::Expected<SelectionProblem> parseContestInstance(llvm::StringRef text);

/// The bytes of a file, unpacked if they are gzip's.
llvm::Expected<std::string> readMaybeGzipped(llvm::StringRef path);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_SELECTION_CONTESTFORMAT_H
