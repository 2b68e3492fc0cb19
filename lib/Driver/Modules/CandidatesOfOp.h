//===- CandidatesOfOp.h - The ways to run an op ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_CANDIDATESOFOP_H
#define TESSERA_LIB_DRIVER_MODULES_CANDIDATESOFOP_H

#include "DecidedModule.h"

#include "tessera/Optimizer/Decisions/CandidateTable.h"

namespace tessera {

/// The ways to run one op of a module, with what they are about. References must outlive it.
struct CandidatesOfOp {
  const Problem &problem;
  OpId op;
  std::vector<CandidateRow> rows;
  bool all;   ///< dominated rows too
  size_t top; ///< rows at most

  /// The rows to show, in their order.
  std::vector<const CandidateRow *> shown() const;
};

/// How a module is planned to ask for them: the table is the program's, whoever decides.
void askForCandidates(OptimizerOptions &options);
/// Those of the op that `wanted` names as for findOp, of a module that was planned so. The first error is that of the
/// name.
llvm::Expected<CandidatesOfOp> candidatesOf(OptimizationResult &result, llvm::StringRef wanted,
                                            OpModelOptions opModel, bool all, size_t top);

void print(llvm::raw_ostream &os, const CandidatesOfOp &table);
llvm::json::Value toJson(const CandidatesOfOp &table);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_CANDIDATESOFOP_H
