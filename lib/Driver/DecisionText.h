//===- DecisionText.h - Decisions for people ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_DECISIONTEXT_H
#define TESSERA_LIB_DRIVER_DECISIONTEXT_H

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

/// The op that `wanted` names: by its location ("matmul_3"), as the n-th of its kind ("ttnn.matmul#3"), by its kind if there is one, or
/// by a result ("%5"). The error names the nearest, or all that are meant.
llvm::Expected<DecidedOp> findOp(const decisions::Decisions &all, llvm::StringRef wanted);

/// What findOp may find, to be asked as PricedOps are: pricing all ops is most of an answer's time. Every op if `wanted` is empty.
PricedOps priceOnly(const std::string &wanted);

/// Why the op runs as it does, in a few lines.
void print(llvm::raw_ostream &os, const DecidedOp &op);
/// The same as JSON: entries of docs/decisions-format.md, with layouts written out.
llvm::json::Value toJson(const DecidedOp &op);

/// The ops and conversions that take most time, a sentence each.
void printCostliest(llvm::raw_ostream &os, const decisions::FunctionDecisions &function);
llvm::json::Value costliestAsJson(const decisions::FunctionDecisions &function);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_DECISIONTEXT_H
