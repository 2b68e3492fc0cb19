//===- Goldens.h - What a real backend answered ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Reads facts/opmodel-goldens.csv: queries to a real backend and its answers.
// Columns: facts/formulas 0.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_GOLDENS_H
#define TESSERA_LIB_EVALUATION_GOLDENS_H

#include "tessera/Evaluation/Evaluation.h"

namespace tessera::evaluation {

struct Golden {
  std::string id, revision, op, kind;
  DeviceSpec device;
  OpSignature signature;
  std::vector<TensorLayout> inputs;
  std::optional<TensorLayout> output; ///< requested; nullopt: the backend's choice
  std::optional<bool> legal;
  bool operandsCounted = false; ///< the tensor peak and the total contain the operands
  std::optional<int64_t> circularBuffers, tensors, peak, outputBytes; ///< exact, per core
  /// Asserted inequalities: figure ("cb", "tensor", "peak", "output"), relation (">=", ">", "<="), value.
  struct Bound {
    std::string figure, relation;
    int64_t value;
  };
  std::vector<Bound> bounds;
};

/// All rows that describe a query of one op; the others go to `skipped`. Errors as in evaluateGoldens.
llvm::Expected<std::vector<Golden>> readGoldens(llvm::StringRef path, const DeviceSpec &device,
                                                std::vector<RowRemark> &skipped);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_GOLDENS_H
