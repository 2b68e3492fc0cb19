//===- RewriteLocation.cpp - Which ops came with the program -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops that a rewrite made carry a mark in their location and not as an
// attribute: an attribute would be part of the program that is written, and
// would count as something that the op says (saysMore). The mark is metadata of
// a fused location, within which the op's own location, its name, stays as it
// was.
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTNN/RewriteLocation.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tessera;

static constexpr llvm::StringLiteral kMark = "tessera.rewrite";

Location ttnn::madeByRewrite(Location location) {
  MLIRContext *context = location->getContext();
  return FusedLoc::get(context, {location}, StringAttr::get(context, kMark));
}

bool ttnn::isMadeByRewrite(Operation *op) {
  auto fused = dyn_cast<FusedLoc>(op->getLoc());
  auto mark = fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : StringAttr();
  return mark && mark.getValue() == kMark;
}
