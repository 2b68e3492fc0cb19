//===- DecisionText.h - Decisions for people ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_DECISIONTEXT_H
#define TESSERA_LIB_DRIVER_MODULES_DECISIONTEXT_H

#include "tessera/Optimizer/Decisions/Collect.h"

namespace llvm {
class raw_ostream;
}

namespace tessera {

/// An op of one of the functions.
struct DecidedOp {
  const decisions::FunctionDecisions *function = nullptr;
  decisions::Index op = 0;
};

/// The op that `wanted` names: by its location ("matmul_3"), as the n-th of its kind ("ttnn.matmul#3"), or by its kind
/// if there is one.
/// The error names the nearest, or all that are meant. ResultNames is for names of results.
llvm::Expected<DecidedOp> findOp(const decisions::Decisions &all, llvm::StringRef wanted);

/// What findOp may find, to be asked as PricedOps are: pricing all ops is most of an answer's time. Every op if
/// `wanted` is empty.
PricedOps priceOnly(const std::string &wanted);

/// Why the op runs as it does, in a few lines.
void print(llvm::raw_ostream &os, const DecidedOp &op);
/// The same as JSON: entries of docs/decisions-format.md, with layouts written out.
llvm::json::Value toJson(const DecidedOp &op);

/// Who holds L1 at a step, the largest first: the first `most` by name, the others as one, so that all add up to the
/// checker's figure.
void printShares(llvm::raw_ostream &os, const decisions::FunctionDecisions &function, decisions::Index step,
                 size_t most);
/// All of them: `holder`, `tensor`, `name`, `bytes`.
llvm::json::Value sharesAsJson(const decisions::FunctionDecisions &function, decisions::Index step);

/// The ops and conversions that take most time, a sentence each, and who holds L1 where it is fullest.
void printCostliest(llvm::raw_ostream &os, const decisions::FunctionDecisions &function, size_t most);
llvm::json::Value costliestAsJson(const decisions::FunctionDecisions &function, size_t most);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_DECISIONTEXT_H
