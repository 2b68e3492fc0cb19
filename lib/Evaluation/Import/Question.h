//===- Question.h - One call, built step by step --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_IMPORT_QUESTION_H
#define TESSERA_LIB_EVALUATION_IMPORT_QUESTION_H

#include "../Call.h"

namespace tessera::evaluation {

/// The call that a row is about, as its importer learns of it.
class Question {
public:
  Question(llvm::StringRef op, DeviceSpec device);

  /// Operands and results in their order. Each operand is a tensor of its own: tables do not tell of values that are
  /// read twice.
  Question &operand(const TensorDesc &tensor, const TensorLayout &layout);
  Question &result(const TensorDesc &tensor, const TensorLayout &layout);
  /// Under the name that the op model reads.
  Question &attribute(llvm::StringRef name, AttrValue value);
  Question &config(OpSpecificConfig specific);
  /// The backend that ran it; the pinned one unless said otherwise.
  Question &version(BackendVersion of);

  Call call() { return {std::move(query), {}}; }

private:
  KernelQuery query;
};

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_IMPORT_QUESTION_H
