//===- Passes.h - Normal form of TTNN modules, as passes ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LOWERING_PASSES_H
#define TESSERA_LOWERING_PASSES_H

#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tessera/Lowering/Passes.h.inc"

} // namespace tessera

#endif // TESSERA_LOWERING_PASSES_H
