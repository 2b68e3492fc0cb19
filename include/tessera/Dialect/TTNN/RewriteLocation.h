//===- RewriteLocation.h - Which ops came with the program ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_REWRITELOCATION_H
#define TESSERA_DIALECT_TTNN_REWRITELOCATION_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

namespace tessera::ttnn {

/// The location of an op that a rewrite of the graph makes: `location`, marked. It names the op as before.
mlir::Location madeByRewrite(mlir::Location location);
/// Whether a rewrite made the op, so that nobody who wrote the program can be told of it. Ops that a plan adds for it
/// are none.
bool isMadeByRewrite(mlir::Operation *op);

} // namespace tessera::ttnn

#endif // TESSERA_DIALECT_TTNN_REWRITELOCATION_H
