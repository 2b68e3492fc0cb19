//===- RewriteLocation.cpp - Which ops came with the program -------------===//
// Part of Tessera, under the Apache License v2.0.
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
