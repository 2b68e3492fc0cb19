//===- TTNNTypes.cpp - Types of the ttnn dialect ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/AttrSyntax.h"
#include "tessera/Dialect/TTNN/TTNNAttrs.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/TTNN/TTNNTypes.cpp.inc"

namespace tessera::ttnn {

void TTNNDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tessera/Dialect/TTNN/TTNNTypes.cpp.inc"
      >();
}

Type TTNNDialect::parseType(DialectAsmParser &parser) const {
  return parseTypeOrKeepText(parser, getNamespace(), [&](StringRef *mnemonic, Type &type) {
    return generatedTypeParser(parser, mnemonic, type);
  });
}

void TTNNDialect::printType(Type type, DialectAsmPrinter &printer) const {
  (void)generatedTypePrinter(type, printer);
}

} // namespace tessera::ttnn
