//===- MetalLayoutAttr.cpp - Syntax of #ttcore.metal_layout ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Its verifiers stand in MetalLayoutConversion.cpp.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/MetalLayoutConversion.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace tessera::ttcore {

//===- Accessors -----------------------------------------------------------===//

TileType MetalLayoutAttr::getTile() const { return dyn_cast<TileType>(getMemref().getElementType()); }

MemorySpace MetalLayoutAttr::getMemorySpace() const {
  return cast<MemorySpaceAttr>(getMemref().getMemorySpace()).getValue();
}

llvm::Expected<MetalGeometry> MetalLayoutAttr::getGeometry(ArrayRef<int64_t> shape) const {
  return MetalGeometry::create(toMetalLayout(*this), shape);
}

llvm::Expected<TtnnTerms> MetalLayoutAttr::getTtnnTerms(ArrayRef<int64_t> shape) const {
  return ttnnTerms(toMetalLayout(*this), shape);
}

//===- Syntax --------------------------------------------------------------===//

Attribute MetalLayoutAttr::parse(AsmParser &parser, Type) {
  AffineMap linear;
  GridAttr grid;
  MemRefType memref;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseAffineMap(linear) || parser.parseComma())
    return {};
  FailureOr<OobValue> oob = FieldParser<OobValue>::parse(parser);
  if (failed(oob) || parser.parseComma() || parser.parseCustomAttributeWithFallback(grid) ||
      parser.parseComma() || parser.parseType(memref) || parser.parseGreater())
    return {};
  return parser.getChecked<MetalLayoutAttr>(loc, parser.getContext(), linear, *oob, grid, memref);
}

void MetalLayoutAttr::print(AsmPrinter &printer) const {
  printer << '<' << getLinear() << ", " << stringifyOobValue(getOobVal()) << ", ";
  printer.printStrippedAttrOrType(getGrid());
  printer << ", " << getMemref() << '>';
}

} // namespace tessera::ttcore
