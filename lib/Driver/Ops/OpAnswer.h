//===- OpAnswer.h - All that is known about one op ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_OPS_OPANSWER_H
#define TESSERA_LIB_DRIVER_OPS_OPANSWER_H

#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/OpTable.h"
#include "llvm/Support/JSON.h"

namespace tessera {

/// A question to an op model with its answer. References must outlive it.
struct OpAnswer {
  OpQuery query;
  const OpModel &model;
  std::string backendVersion;
  std::string where; ///< "model.mlir: line 12, ttnn.matmul#3"; empty if the op is of no file
  std::string note;  ///< what the question leaves out; empty if nothing
  ValidationResult result;
  OpRuntime runtime;
  llvm::StringRef family; ///< empty if the built-in formulas do not know the op
  /// As in Explanation; only the built-in formulas tell.
  std::vector<CircularBuffer> buffers;
  ProgramCounts counts; ///< likewise
};

/// Whether the answer has layouts, sizes and times: the op is legal, or would be with more L1 or another result.
bool isMeasured(const OpAnswer &answer);

/// Asks.
OpAnswer ask(const OpModelBackend &backend, const OpQuery &query);

/// For people.
void print(llvm::raw_ostream &os, const OpAnswer &answer);
/// Bytes per core, times in nanoseconds; docs/op-model-backends.md lists the keys.
llvm::json::Value toJson(const OpAnswer &answer);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_OPS_OPANSWER_H
