//===- TTCoreAttrs.cpp - Attributes of the ttcore dialect ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/AttrSyntax.h"
#include "tessera/Dialect/TTCore/TTCore.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;

#include "tessera/Dialect/TTCore/TTCoreEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/TTCore/TTCoreAttrs.cpp.inc"

namespace tessera::ttcore {

void TTCoreDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/TTCore/TTCoreAttrs.cpp.inc"
      >();
}

Attribute TTCoreDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return parseAttributeOrKeepText(parser, getNamespace(), type, [&](StringRef *mnemonic, Attribute &attr) {
    return generatedAttributeParser(parser, mnemonic, type, attr);
  });
}

void TTCoreDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  // It fails for attributes of other dialects only, which do not come here.
  (void)generatedAttributePrinter(attr, printer);
}

//===- Grid ----------------------------------------------------------------===//

/// `, virt_to_physical_map = m, physical_to_virt_map = m` in any order, or one bare map: the virtual to
/// physical one as it was written before May 2026.
static ParseResult parseGridMaps(AsmParser &parser, AffineMap &virtToPhysical, AffineMap &physicalToVirt) {
  while (succeeded(parser.parseOptionalComma())) {
    AffineMap *map = &virtToPhysical;
    StringRef key;
    if (succeeded(parser.parseOptionalKeyword(&key, {"virt_to_physical_map", "physical_to_virt_map"}))) {
      map = key == "virt_to_physical_map" ? &virtToPhysical : &physicalToVirt;
      if (parser.parseEqual())
        return failure();
    }
    if (parser.parseAffineMap(*map))
      return failure();
  }
  return success();
}

Attribute GridAttr::parse(AsmParser &parser, Type) {
  AffineMap virtToPhysical, physicalToVirt;
  if (parser.parseLess())
    return {};
  auto shape = parseDims(parser);
  if (failed(shape) || parseGridMaps(parser, virtToPhysical, physicalToVirt) || parser.parseGreater())
    return {};
  return parser.getChecked<GridAttr>(parser.getContext(), ArrayRef<int64_t>(*shape), virtToPhysical,
                                     physicalToVirt);
}

void GridAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printDims(printer, getShape());
  if (getVirtToPhysicalMap())
    printer << ", virt_to_physical_map = " << getVirtToPhysicalMap();
  if (getPhysicalToVirtMap())
    printer << ", physical_to_virt_map = " << getPhysicalToVirtMap();
  printer << '>';
}

LogicalResult GridAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                               AffineMap virtToPhysical, AffineMap physicalToVirt) {
  if (shape.empty())
    return emitError() << "a grid needs at least one dimension";
  for (int64_t extent : shape)
    // So that a product of two fits 64 bits.
    if (extent < 1 || extent > std::numeric_limits<int32_t>::max())
      return emitError() << "grid extent " << extent << " is not within [1, 2^31)";
  if (virtToPhysical && virtToPhysical.getNumInputs() != shape.size())
    return emitError() << "the map to physical cores has " << virtToPhysical.getNumInputs()
                       << " dimensions, the grid " << shape.size();
  if (physicalToVirt && physicalToVirt.getNumResults() != shape.size())
    return emitError() << "the map from physical cores has " << physicalToVirt.getNumResults()
                       << " results, the grid " << shape.size() << " dimensions";
  return success();
}

//===- Core ranges ---------------------------------------------------------===//

LogicalResult CoreRangeAttr::verify(function_ref<InFlightDiagnostic()> emitError, CoreCoordAttr start,
                                    CoreCoordAttr end) {
  if (start.getY() >= 0 && start.getX() >= 0 && start.getY() <= end.getY() && start.getX() <= end.getX())
    return success();
  return emitError() << "core range (" << start.getY() << ", " << start.getX() << ")-(" << end.getY() << ", "
                     << end.getX() << ") is not a rectangle from upper left to lower right";
}

//===- Device --------------------------------------------------------------===//

LogicalResult DeviceAttr::verify(function_ref<InFlightDiagnostic()> emitError, GridAttr, GridAttr, AffineMap,
                                 AffineMap, ArrayRef<int64_t> meshShape, ArrayRef<int64_t>,
                                 ArrayRef<MeshTopology> meshTopology) {
  if (meshTopology.empty() || meshTopology.size() == meshShape.size())
    return success();
  return emitError() << "a mesh of " << meshShape.size() << " axes has links for " << meshTopology.size();
}

//===- System description --------------------------------------------------===//

LogicalResult SystemDescAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<CPUDescAttr>,
                                     ArrayRef<ChipDescAttr> chipDescs, ArrayRef<int64_t> indices,
                                     ArrayRef<IntegerAttr> capabilities, ArrayRef<ChipCoordAttr>,
                                     ArrayRef<ChipChannelAttr>) {
  for (int64_t index : indices)
    if (index < 0 || index >= static_cast<int64_t>(chipDescs.size()))
      return emitError() << "chip description " << index << " is not one of the " << chipDescs.size()
                         << " given";
  if (capabilities.size() != indices.size())
    return emitError() << indices.size() << " chips but capabilities of " << capabilities.size();
  return success();
}

} // namespace tessera::ttcore
