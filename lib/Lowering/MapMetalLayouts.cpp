//===- MapMetalLayouts.cpp - The compiler's layouts in a TTNN module ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The compiler hands over some tensors in layouts of another dialect, which says in more general terms what a TTNN
// layout says. A type is replaced in the whole module or not at all: a value whose maker and readers disagreed on its
// type would be no program. One that TTNN cannot say stays, and ops on it are left alone.
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/MetalLayoutConversion.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Lowering/MetalLayouts.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace tessera;

namespace {

ttcore::MetalLayoutAttr metalLayoutOf(mlir::Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<ttcore::MetalLayoutAttr>(tensor.getEncoding()) : ttcore::MetalLayoutAttr();
}

/// The same tensor as TTNN has it, or why TTNN cannot have it.
llvm::Expected<RankedTensorType> asTtnn(RankedTensorType type, const DeviceSpec &device) {
  MetalLayout metal = ttcore::toMetalLayout(metalLayoutOf(type));
  llvm::Expected<MetalGeometry> geometry = MetalGeometry::create(metal, type.getShape());
  if (!geometry)
    return geometry.takeError();
  if (metal.oob != OobValue::Undef && geometry->paddingVolume() > 0)
    return llvm::createStringError("its padding is filled with '" + name(metal.oob) +
                                   "', and TTNN says of none what it holds");
  llvm::Expected<TensorLayout> layout = toTensorLayout(metal, type.getShape(), device);
  if (!layout)
    return layout.takeError();
  FailureOr<ttnn::TTNNLayoutAttr> attr = ttnn::toAttr(type.getContext(), *layout, ttnn::EmitError());
  if (failed(attr))
    return llvm::createStringError("#ttnn.ttnn_layout cannot hold it");
  return RankedTensorType::get(type.getShape(), type.getElementType(), *attr);
}

/// What each type with a metal_layout becomes, found in the order of the program.
/// Looked up by type afterwards; the order shows in remarks alone.
class Mapping {
public:
  explicit Mapping(const DeviceSpec &device) : device(device) {}

  void add(mlir::Value value) {
    if (!metalLayoutOf(value.getType()))
      return;
    auto type = cast<RankedTensorType>(value.getType());
    // Types are many fewer than values, and one remark per type is enough.
    auto [entry, isNew] = known.try_emplace(type);
    if (!isNew)
      return;
    if (llvm::Expected<RankedTensorType> mapped = asTtnn(type, device))
      entry->second = *mapped;
    else
      emitRemark(value.getLoc()) << "ops on tensors such as this keep their layouts, because its "
                                    "#ttcore.metal_layout has no #ttnn.ttnn_layout: "
                                 << llvm::toString(mapped.takeError());
  }

  /// Null for a type that stays.
  RankedTensorType of(RankedTensorType type) const { return known.lookup(type); }
  size_t count() const {
    return llvm::count_if(known, [](const auto &entry) { return bool(entry.second); });
  }

private:
  const DeviceSpec &device;
  llvm::DenseMap<RankedTensorType, RankedTensorType> known;
};

} // namespace

void tessera::mapMetalLayouts(ModuleOp module, const DeviceSpec &device) {
  Mapping mapping(device);
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), [&](mlir::Value argument) { mapping.add(argument); });
    llvm::for_each(op->getResults(), [&](mlir::Value result) { mapping.add(result); });
  });
  if (mapping.count() == 0)
    return;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](RankedTensorType type) -> std::optional<mlir::Type> {
    RankedTensorType mapped = mapping.of(type);
    return mapped ? std::optional<mlir::Type>(mapped) : std::nullopt;
  });
  // Attributes, too, since a function's type is one; locations hold no types.
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  emitRemark(module.getLoc())
      << mapping.count() << " tensor type" << (mapping.count() == 1 ? " has" : "s have")
      << " a #ttcore.metal_layout; what is read and written is the #ttnn.ttnn_layout that "
         "says the same, as TTNN's ops have it";
}
