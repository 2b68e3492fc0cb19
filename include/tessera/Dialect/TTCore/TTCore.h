//===- TTCore.h - The ttcore dialect --------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_TTCORE_H
#define TESSERA_DIALECT_TTCORE_TTCORE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/Error.h"

namespace tessera {
class MetalGeometry;
struct TtnnTerms;
namespace ttcore {
class TileType;
} // namespace ttcore
} // namespace tessera

#include "tessera/Dialect/TTCore/TTCoreDialect.h.inc"
#include "tessera/Dialect/TTCore/TTCoreEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/TTCore/TTCoreAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/TTCore/TTCoreTypes.h.inc"
#define GET_OP_CLASSES
#include "tessera/Dialect/TTCore/TTCoreOps.h.inc"

#endif // TESSERA_DIALECT_TTCORE_TTCORE_H
