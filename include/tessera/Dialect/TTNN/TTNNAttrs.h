//===- TTNNAttrs.h - Dialect, enums, attributes and types of ttnn ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// All of ttnn but its ops; TTNN.h has those too.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNATTRS_H
#define TESSERA_DIALECT_TTNN_TTNNATTRS_H

#include "tessera/Dialect/TTCore/TTCore.h"

#include "tessera/Dialect/TTNN/TTNNDialect.h.inc"
#include "tessera/Dialect/TTNN/TTNNEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/TTNN/TTNNAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/TTNN/TTNNTypes.h.inc"

#endif // TESSERA_DIALECT_TTNN_TTNNATTRS_H
