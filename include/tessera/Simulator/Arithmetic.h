//===- Arithmetic.h - How kernels compute ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_ARITHMETIC_H
#define TESSERA_SIMULATOR_ARITHMETIC_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tessera::simulator {

/// What kernels compute with. Exact arithmetic tells whether two programs compute the same, since no plan changes its
/// bits; kernels' arithmetic tells how far either is from the truth on a device, and differs between plans
/// (docs/simulator.md).
enum class Arithmetic : uint8_t {
  Exact,   ///< in fp32; results are rounded once, to nearest, ties to even
  Kernels, ///< in the steps and the precision of the device's own kernels, where they are known
};
/// "exact", "kernels".
inline llvm::StringRef name(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::Exact ? "exact" : "kernels";
}

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_ARITHMETIC_H
