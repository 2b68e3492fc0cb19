//===- TTCoreTypes.cpp - Types of the ttcore dialect -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/AttrSyntax.h"
#include "tessera/Dialect/TTCore/TTCore.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/TTCore/TTCoreTypes.cpp.inc"

namespace tessera::ttcore {

void TTCoreDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tessera/Dialect/TTCore/TTCoreTypes.cpp.inc"
      >();
}

Type TTCoreDialect::parseType(DialectAsmParser &parser) const {
  return parseTypeOrKeepText(parser, getNamespace(), [&](StringRef *mnemonic, Type &type) {
    return generatedTypeParser(parser, mnemonic, type);
  });
}

void TTCoreDialect::printType(Type type, DialectAsmPrinter &printer) const {
  (void)generatedTypePrinter(type, printer);
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                               DataType) {
  if (shape.size() != 2)
    return emitError() << "a tile has two dimensions, not " << shape.size();
  return success();
}

} // namespace tessera::ttcore
