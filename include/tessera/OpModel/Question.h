//===- Question.h - A query as canonical text -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One line of JSON without blanks, fields in fixed order, so that equal queries
// give equal bytes. It is the key of a record and what a plug-in is asked:
//
//   {"op":"ttnn.relu","operands":[{"shape":[64,64],"dtype":"bf16","same_as":0,"constant":false}],
//    "results":[{"shape":[64,64],"dtype":"bf16"}],"attributes":{},"inputs":[LAYOUT],
//    "outputs":[LAYOUT],"config":null}
//
// docs/op-model-backends.md describes every field. Pressure is not part of it:
// the caller adds it to the answer.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_QUESTION_H
#define TESSERA_OPMODEL_QUESTION_H

#include "tessera/OpModel/OpModel.h"
#include "llvm/Support/JSON.h"

namespace tessera {

/// Writes questions, and keeps the text of each layout that it has written. Not thread-safe.
class QuestionWriter {
public:
  explicit QuestionWriter(const LayoutPool &layouts) : layouts(layouts) {}
  /// Requires idsValid(query).
  std::string write(const OpQuery &query);

private:
  llvm::StringRef layoutText(LayoutId id);

  const LayoutPool &layouts;
  std::vector<std::string> texts; ///< by layout id; empty: not written yet
};

/// The part of a question that names the op, its operands, results and attributes, whatever their layouts.
llvm::StringRef signatureText(llvm::StringRef question);

/// A layout as questions have it.
llvm::json::Value toCanonicalJson(const TensorLayout &layout);

/// All figures of a device that an answer may depend on, in the same kind of text.
std::string deviceText(const DeviceSpec &device);

} // namespace tessera

#endif // TESSERA_OPMODEL_QUESTION_H
