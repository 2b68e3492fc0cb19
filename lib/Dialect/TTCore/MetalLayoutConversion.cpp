//===- MetalLayoutConversion.cpp - #ttcore.metal_layout as plain data ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The verifiers of the attribute stand here too: a layout is legal if it
// converts and checkMetalLayout has no objection, so the rules exist once.
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/MetalLayoutConversion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tessera::ttcore {

// The enums are numbered alike, so they convert by a cast.
static_assert(static_cast<int>(OobValue::NegInf) == static_cast<int>(tessera::OobValue::NegInf));
static_assert(static_cast<int>(MemorySpace::DeviceL1) == static_cast<int>(tessera::MemorySpace::DeviceL1));

// ---- To plain data ---------------------------------------------------------------------------------------

/// Shard, tile, data type and memory.
static LogicalResult readMemRef(MemRefType memref, MetalLayout &layout, EmitError emitError) {
  auto space = dyn_cast_or_null<MemorySpaceAttr>(memref.getMemorySpace());
  if (!space)
    return fail(emitError, "the memref of a metal_layout needs a #ttcore.memory_space");
  if (!memref.hasStaticShape() || !memref.getLayout().isIdentity())
    return fail(emitError, "the memref of a metal_layout must be static and without a map of its own");
  std::optional<tessera::DataType> type = dataType(memref.getElementType());
  if (!type)
    return fail(emitError, "the memref of a metal_layout has an element type that no device can hold");
  if (auto tile = dyn_cast<TileType>(memref.getElementType())) {
    if (failed(verifyTileExtents(tile.getShape(), emitError)))
      return failure();
    layout.tile = {tile.getShape()[0], tile.getShape()[1]};
  }
  layout.shard.assign(memref.getShape().begin(), memref.getShape().end());
  layout.dtype = *type;
  layout.space = static_cast<tessera::MemorySpace>(space.getValue());
  return success();
}

static FailureOr<MetalLayout> fromParts(EmitError emitError, AffineMap linear, OobValue oob, GridAttr grid,
                                        MemRefType memref) {
  MetalLayout layout;
  FailureOr<LinearMap> map = toLinearMap(linear, emitError);
  if (failed(map) || failed(readMemRef(memref, layout, emitError)))
    return failure();
  if (grid.getVirtToPhysicalMap() || grid.getPhysicalToVirtMap())
    return fail(emitError, "the grid of a metal_layout is virtual; the maps to cores belong to the device");
  layout.linear = *map;
  layout.oob = static_cast<tessera::OobValue>(oob);
  layout.grid.assign(grid.getShape().begin(), grid.getShape().end());
  return layout;
}

/// All violations in one error, each with the rule that it breaks.
static LogicalResult report(EmitError emitError, ArrayRef<MetalViolation> violations) {
  if (violations.empty())
    return success();
  auto text = [](const MetalViolation &violation) {
    return violation.message + " [" + violation.rule.str() + "]";
  };
  return fail(emitError, llvm::join(llvm::map_range(violations, text), "; "));
}

// ---- Verifiers -------------------------------------------------------------------------------------------

LogicalResult MetalLayoutAttr::verify(EmitError emitError, AffineMap linear, OobValue oob, GridAttr grid,
                                      MemRefType memref) {
  FailureOr<MetalLayout> layout = fromParts(emitError, linear, oob, grid, memref);
  if (failed(layout))
    return failure();
  // What is wrong for a tensor without elements is wrong for all of that rank, except for the shard, whose
  // shape follows from the tensor's.
  Shape noElements(layout->linear.dims, 0);
  std::vector<MetalViolation> violations = checkMetalLayout(*layout, noElements);
  llvm::erase_if(violations,
                 [](const MetalViolation &each) { return each.rule == "metal_layout.shard_shape"; });
  return report(emitError, violations);
}

LogicalResult MetalLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type, EmitError emitError) const {
  return report(emitError, checkMetalLayout(toMetalLayout(*this), shape));
}

// ---- Conversion ------------------------------------------------------------------------------------------

MetalLayout toMetalLayout(MetalLayoutAttr attr) {
  FailureOr<MetalLayout> layout =
      fromParts({}, attr.getLinear(), attr.getOobVal(), attr.getGrid(), attr.getMemref());
  assert(succeeded(layout) && "the verifier accepts only what converts");
  return *layout;
}

FailureOr<MetalLayoutAttr> toAttr(MLIRContext *context, const MetalLayout &layout, EmitError emitError) {
  // The parts are made first and each by getChecked, so that the error is about the part that is at fault.
  auto grid =
      GridAttr::getChecked(emitError, context, ArrayRef<int64_t>(layout.grid), AffineMap(), AffineMap());
  if (!grid)
    return failure();
  auto space = MemorySpaceAttr::get(context, static_cast<MemorySpace>(layout.space));
  auto memref =
      MemRefType::getChecked(emitError, layout.shard, memrefElementType(context, layout.dtype, layout.tile),
                             MemRefLayoutAttrInterface(), space);
  if (!memref)
    return failure();
  auto attr = MetalLayoutAttr::getChecked(emitError, context, toAffineMap(context, layout.linear),
                                          static_cast<OobValue>(layout.oob), grid, memref);
  if (!attr)
    return failure();
  return attr;
}

} // namespace tessera::ttcore
