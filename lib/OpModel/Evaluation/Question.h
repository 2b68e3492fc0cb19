//===- Question.h - One query, built step by step -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_EVALUATION_QUESTION_H
#define TESSERA_LIB_OPMODEL_EVALUATION_QUESTION_H

#include "tessera/OpModel/OpModel.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace tessera::analytic {
class OpCall;
}

namespace tessera::evaluation {

/// ns as a function of the runtime parameters. Safe to call from several threads.
using KernelTime = std::function<double(const Calibration &)>;

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

  /// Nanoseconds of the kernel under any parameters. An error if the model refuses the query; one that does
  /// not fit in L1 is answered, since the chip ran it.
  llvm::Expected<KernelTime> kernelTime() const;
  /// The same, as another function of the resolved call sees it.
  llvm::Expected<KernelTime> ask(double (*time)(const analytic::OpCall &)) const;

private:
  DeviceSpec device;
  OpSignature signature;
  std::vector<TensorLayout> inputs, outputs;
  OpSpecificConfig specific;
  BackendVersion backend = BackendVersion::Pinned;
};

} // namespace tessera::evaluation

#endif // TESSERA_LIB_OPMODEL_EVALUATION_QUESTION_H
