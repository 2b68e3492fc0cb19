//===- Answer.h - What came back from outside -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_BACKENDS_ANSWER_H
#define TESSERA_LIB_OPMODEL_BACKENDS_ANSWER_H

#include "ExternalOpModel.h"

namespace tessera {

/// An answer of that status and nothing else.
Answer refusal(ValidationStatus status, llvm::StringRef rule, std::string message);

/// The output layouts of an answer as JSON: a list with one layout per result, `null` where it is the
/// requested one.
std::string outputsText(const OpQuery &query, llvm::ArrayRef<LayoutId> outputs, const LayoutPool &layouts);

/// The inverse: interns what it reads. `null` stands for the requested layout, no text at all for "all as
/// requested". Returns what is wrong with the text, or "".
std::string readOutputs(llvm::StringRef text, const OpQuery &query, LayoutPool &layouts,
                        llvm::SmallVectorImpl<LayoutId> &outputs);

/// What is wrong with the figures (sizes that are negative or beyond 2^50, times that are negative or no
/// numbers, a legal answer that does not lay out every result), or "".
std::string checkFigures(const Answer &answer, const OpQuery &query);

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_BACKENDS_ANSWER_H
