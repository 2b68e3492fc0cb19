//===- RewrittenParts.h - What each rewrite gained ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rewrites build on each other: heads are cut by one op, then attention takes
// what that makes. Those that do are one part of the function, and what the part
// gained is the planned time of the ops that are gone, less that of the ops that
// stand for them.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_REWRITTENPARTS_H
#define TESSERA_LIB_OPTIMIZER_REWRITTENPARTS_H

#include "Rewriting.h"

namespace tessera {

/// Ops of the module as it came, and what stands for them.
struct RewrittenPart {
  std::string function;
  std::vector<const RewriteInfo *> rewrites; ///< each once, in the order of the table
  std::vector<ReplacedOp> from;  ///< ops of the module as it came, in the order in which they went
  std::vector<std::string> made; ///< names of the ops for them
  Nanoseconds before, after;     ///< planned times of both, conversions that are made for them included

  /// Below zero if the part takes longer than what it stands for.
  Nanoseconds gain() const { return before - after; }
  /// Exact if each of its rewrites is.
  Exactness exactness() const;
};

/// The parts in the order of their first rewrites. `came` and `rewritten` are plans of the module without and with what was applied.
std::vector<RewrittenPart> rewrittenParts(llvm::ArrayRef<AppliedRewrite> applied,
                                          const OptimizationResult &came,
                                          const OptimizationResult &rewritten);

/// The ops that should stay as they came: those of parts that take more time than before. Parts that are the same, as layers have
/// them, stay or go together, by their sum. Empty if taking them back would gain less than a hundredth of `planned`.
KeptOps opsOfLosingParts(llvm::ArrayRef<RewrittenPart> parts, Nanoseconds planned);

/// As the decisions file has the parts of one function.
std::vector<decisions::RewrittenFacts> factsOf(llvm::ArrayRef<RewrittenPart> parts,
                                               const decisions::FunctionDecisions &function);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_REWRITTENPARTS_H
