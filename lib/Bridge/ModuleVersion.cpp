//===- ModuleVersion.cpp - The version of the library that a module is for ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The version stands in the module's location, as metadata of a fused one:
//
//   module { ... } loc(fused<["tessera.ttnn", "0.81.1"]>["model.mlir":1:1])
//
// An attribute of a dialect that the public compiler does not have would make it refuse the module; locations it
// takes as they are.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/ModuleVersion.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tessera;

static constexpr llvm::StringLiteral kMark = "tessera.ttnn";

/// What a location that has the mark says; nullptr of any other.
static StringAttr markedVersion(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  auto mark = fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
  bool ours = mark && mark.size() == 2 && mark[0] == StringAttr::get(location.getContext(), kMark);
  return ours ? dyn_cast<StringAttr>(mark[1]) : StringAttr();
}

llvm::StringRef tessera::versionOfModule(ModuleOp module) {
  StringAttr version;
  // Who reads a file puts places around what the file says.
  module.getLoc()->walk([&](Location location) {
    version = markedVersion(location);
    return version ? WalkResult::interrupt() : WalkResult::advance();
  });
  return version ? version.getValue() : "";
}

void tessera::setVersionOfModule(ModuleOp module, llvm::StringRef version) {
  MLIRContext *context = module.getContext();
  // Wherever an earlier one stands, within a place or without, so that one version replaces another.
  AttrTypeReplacer unmarked;
  unmarked.addReplacement([](FusedLoc location) -> std::optional<Attribute> {
    if (!markedVersion(location))
      return std::nullopt;
    return Attribute(location.getLocations().front());
  });
  auto location = cast<LocationAttr>(unmarked.replace(Attribute(module.getLoc())));
  Attribute mark =
      ArrayAttr::get(context, {StringAttr::get(context, kMark), StringAttr::get(context, version)});
  module->setLoc(FusedLoc::get({Location(location)}, mark, context));
}
