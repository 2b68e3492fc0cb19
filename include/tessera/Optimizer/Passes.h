//===- Passes.h - The optimizer as passes ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PASSES_H
#define TESSERA_OPTIMIZER_PASSES_H

#include "tessera/Device/L1Budget.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tessera/Optimizer/Passes.h.inc"

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PASSES_H
