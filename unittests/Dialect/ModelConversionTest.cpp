//===- ModelConversionTest.cpp - Conversions on all of models/ttnn ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "DialectTest.h"
#include "SharedFiles.h"
#include "tessera/Dialect/TTCore/SystemDesc.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

namespace {

class ModelConversion : public DialectTest {
protected:
  void check(ModuleOp module) {
    llvm::SetVector<ttnn::TTNNLayoutAttr> layouts;
    llvm::SetVector<RankedTensorType> tensors;
    AttrTypeWalker walker;
    walker.addWalk([&](ttnn::TTNNLayoutAttr layout) { layouts.insert(layout); });
    walker.addWalk([&](RankedTensorType type) { tensors.insert(type); });
    module.walk([&](Operation *op) {
      walker.walk(op->getAttrDictionary());
      for (Type type : op->getResultTypes())
        walker.walk(type);
    });
    EXPECT_FALSE(layouts.empty());
    for (ttnn::TTNNLayoutAttr layout : layouts)
      EXPECT_EQ(ttnn::toAttr(&context, *ttnn::toTensorLayout(layout)), layout);
    for (RankedTensorType type : tensors)
      if (isa_and_nonnull<ttnn::TTNNLayoutAttr>(type.getEncoding()))
        EXPECT_TRUE(succeeded(ttnn::placedTensor(type, [&] { return emitError(); }))) << messages;
  }
};

TEST_F(ModelConversion, LayoutsAndDevices) {
  std::vector<std::filesystem::path> files = modelFiles();
  for (const auto &file : files) {
    SCOPED_TRACE(file.filename().string());
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file.string(), &context);
    ASSERT_TRUE(module) << messages;
    check(*module);
    ttcore::SystemDescAttr system;
    module->walk([&](ModuleOp inner) {
      if (auto attr = inner->getAttrOfType<ttcore::SystemDescAttr>("ttcore.system_desc"))
        system = attr;
    });
    ASSERT_TRUE(system);
    FailureOr<DeviceSpec> device = ttcore::deviceSpecFromSystemDesc(system, [&] { return emitError(); });
    ASSERT_TRUE(succeeded(device)) << messages;
    // All files are for a Wormhole chip, or two; the mock's figures are those of the real ones but for the
    // base.
    bool pair = file.filename() == "llama_3_2_3b_tp_decode_two_layers.mlir";
    EXPECT_EQ(*device, *findDevice(pair ? "n300" : "n150"));
  }
}

} // namespace
