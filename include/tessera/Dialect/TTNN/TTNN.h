//===- TTNN.h - The ttnn dialect ------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNN_H
#define TESSERA_DIALECT_TTNN_TTNN_H

#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "tessera/Dialect/TTNN/TTNNAttrs.h"
#include "tessera/Dialect/TTNN/TTNNInterfaces.h"

#define GET_OP_CLASSES
#include "tessera/Dialect/TTNN/TTNNOps.h.inc"

#endif // TESSERA_DIALECT_TTNN_TTNN_H
