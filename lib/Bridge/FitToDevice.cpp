//===- FitToDevice.cpp - Programs of a larger device ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a program says of cores that the device does not have runs nowhere on it. Layouts are decided anew, if the op is legal as it is
// declared or can be repaired by other layouts of its operands; a result on cores that are missing, and a grid of an attention's config, are
// neither.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/FitToDevice.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <algorithm>

using namespace mlir;
using namespace tessera;

namespace {

/// The config with as many columns and rows as the device has; null if it has all that are asked for.
ttnn::SDPAProgramConfigAttr fitted(ttnn::SDPAProgramConfigAttr config, GridShape worker) {
  ttnn::CoreCoordAttr asked = config.getComputeWithStorageGridSize();
  auto columns = std::min(uint64_t(asked.getX()), uint64_t(worker.columns)),
       rows = std::min(uint64_t(asked.getY()), uint64_t(worker.rows));
  if (columns == uint64_t(asked.getX()) && rows == uint64_t(asked.getY()))
    return {};
  MLIRContext *context = config.getContext();
  return ttnn::SDPAProgramConfigAttr::get(context, ttnn::CoreCoordAttr::get(context, columns, rows),
                                          config.getSubCoreGrids(), config.getQChunkSize(),
                                          config.getKChunkSize(), config.getExpApproxMode(),
                                          config.getMaxCoresPerHeadBatch());
}

void fitConfig(Operation *op, const DeviceSpec &device) {
  constexpr StringLiteral name = "program_config";
  auto config =
      dyn_cast_or_null<ttnn::SDPAProgramConfigAttr>(op->getInherentAttr(name).value_or(Attribute()));
  ttnn::SDPAProgramConfigAttr fits =
      config ? fitted(config, device.workerGrid) : ttnn::SDPAProgramConfigAttr();
  if (!fits)
    return;
  op->setInherentAttr(StringAttr::get(op->getContext(), name), fits);
  op->emitRemark() << "its program config asks for more cores than " << device.name << " has: it gets "
                   << device.workerGrid.rows << "x" << device.workerGrid.columns << " of them";
}

bool liesOn(const TensorLayout &layout, GridShape worker) {
  if (!layout.isL1() || !layout.cores)
    return true;
  CoreCoord last = layout.cores->boundingBox().end;
  return last.x < worker.columns && last.y < worker.rows;
}

/// A result that lies on missing cores is interleaved in DRAM, where any op may read it. Those of a function stay: their places are asked for.
void fitResult(OpResult result, const DeviceSpec &device) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !isa_and_nonnull<ttnn::TTNNLayoutAttr>(type.getEncoding()) ||
      llvm::any_of(result.getUsers(), llvm::IsaPred<func::ReturnOp>))
    return;
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(type);
  if (failed(placed) || liesOn(placed->layout, device.workerGrid))
    return;
  FailureOr<ttnn::TTNNLayoutAttr> layout = ttnn::toAttr(
      type.getContext(), dramInterleaved(placed->tensor, placed->layout.page), ttnn::EmitError());
  if (succeeded(layout))
    result.setType(RankedTensorType::get(type.getShape(), type.getElementType(), *layout));
}

} // namespace

void tessera::fitToDevice(ModuleOp module, const DeviceSpec &device) {
  module.walk([&](Operation *op) {
    if (!isa_and_nonnull<ttnn::TTNNDialect>(op->getDialect()))
      return;
    fitConfig(op, device);
    // An op that names its result's place is left alone, since the two would contradict each other.
    if (!op->getInherentAttr("memory_config").value_or(Attribute()))
      for (OpResult result : op->getOpResults())
        fitResult(result, device);
  });
}
