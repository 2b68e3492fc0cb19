//===- Conversions.h - Layout conversions as tt-mlir has them today -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LOWERING_CONVERSIONS_H
#define TESSERA_LOWERING_CONVERSIONS_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LogicalResult.h"

namespace tessera {

/// Splits every `ttnn.to_layout` and `ttnn.to_tensor_spec` below `root` that changes more than today's ops may into
/// such ops (pass ttnn-split-conversions).
void splitConversions(mlir::Operation *root);

/// Fails, with a diagnostic on each op, on conversions below `root` that tt-mlir 19c86fca45 refuses: facts/dialect
/// section 4 (pass ttnn-verify-conversions).
mlir::LogicalResult verifyConversions(mlir::Operation *root);

} // namespace tessera

#endif // TESSERA_LOWERING_CONVERSIONS_H
