//===- Question.h - One query, built step by step -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_QUESTION_H
#define TESSERA_LIB_EVALUATION_QUESTION_H

#include "tessera/OpModel/KernelTime.h"

namespace tessera::evaluation {

/// A query to the analytic model for one program, whose launch takes no time: what remains is the time of the
/// kernel, which is what profilers print.
class Question {
public:
  Question(llvm::StringRef op, DeviceSpec device);

  Question &operand(const TensorDesc &tensor, const TensorLayout &layout);
  Question &result(const TensorDesc &tensor, const TensorLayout &layout);
  Question &attribute(llvm::StringRef name, AttrValue value);
  Question &config(OpSpecificConfig specific);
  /// The backend that ran it; the pinned one unless said otherwise.
  Question &version(BackendVersion of);

  /// See kernelTime of KernelTime.h.
  llvm::Expected<KernelTime> kernelTime(KernelPart part = KernelPart::Op) const;

private:
  KernelQuery query;
};

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_QUESTION_H
