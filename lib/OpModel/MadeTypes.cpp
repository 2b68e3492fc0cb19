//===- MadeTypes.cpp - Element types that the backend makes ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/MadeTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

bool tessera::makesOperandType(llvm::StringRef op, BackendVersion version) {
  static constexpr llvm::StringLiteral kOps[] = {"ttnn.atan2",
                                                 "ttnn.bitwise_and",
                                                 "ttnn.bitwise_not",
                                                 "ttnn.bitwise_or",
                                                 "ttnn.bitwise_right_shift",
                                                 "ttnn.bitwise_xor",
                                                 "ttnn.isfinite",
                                                 "ttnn.logical_left_shift",
                                                 "ttnn.logical_not",
                                                 "ttnn.logical_right_shift",
                                                 "ttnn.maximum",
                                                 "ttnn.minimum",
                                                 "ttnn.pow_tensor",
                                                 "ttnn.remainder"};
  // Quotients are made in the type that is asked for since October 2026.
  bool divides = op == "ttnn.divide" && version < BackendVersion::October2026;
  return version >= BackendVersion::Newest && (divides || llvm::is_contained(kOps, op));
}

std::optional<DataType> tessera::typeOfIndices(llvm::StringRef op, DataType operand, int64_t length,
                                               BackendVersion version) {
  bool chooses = op == "ttnn.topk";
  if (version < BackendVersion::Newest || (!chooses && op != "ttnn.sort"))
    return std::nullopt;
  // 16 bits hold the last index of 65,536, of which only a choice makes use, since October 2026.
  int64_t most = chooses && version >= BackendVersion::October2026 ? 65536 : 65535;
  bool narrow = operand == DataType::BFloat16 || operand == DataType::BFP_BFloat8;
  return narrow && length <= most ? DataType::UInt16 : DataType::UInt32;
}
