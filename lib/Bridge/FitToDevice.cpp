//===- FitToDevice.cpp - Programs of a larger device ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a program says of cores that the device does not have runs nowhere on it. Layouts are decided anew, if the op is legal as it is
// declared or can be repaired by other layouts of its operands; a result on cores that are missing, and a grid of an attention's config, are
// neither. Nor is a result of a type that the backend does not make: it makes one of its operands' type, and says nothing.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/FitToDevice.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/OpModel/MadeTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

using namespace mlir;
using namespace tessera;

namespace {

/// The config with as many columns and rows as the device has; null if it has all that are asked for.
ttnn::SDPAProgramConfigAttr fitted(ttnn::SDPAProgramConfigAttr config, GridShape worker) {
  ttnn::CoreCoordAttr asked = config.getComputeWithStorageGridSize();
  auto columns = std::min(uint64_t(asked.getX()), uint64_t(worker.columns)),
       rows = std::min(uint64_t(asked.getY()), uint64_t(worker.rows));
  // An attribute that fits stays the object that it is, and the program unchanged.
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

bool isFloat(RankedTensorType type) { return isa<FloatType>(type.getElementType()); }

/// The tensor type `type` with other elements, in the same place; null if it has no layout that is understood.
RankedTensorType withElements(RankedTensorType type, Type element, DataType dtype) {
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(type);
  if (failed(placed))
    return {};
  placed->layout.dtype = dtype;
  FailureOr<ttnn::TTNNLayoutAttr> layout = ttnn::toAttr(type.getContext(), placed->layout, ttnn::EmitError());
  return succeeded(layout) ? RankedTensorType::get(type.getShape(), element, *layout) : RankedTensorType();
}

/// The op makes `made`, and a typecast behind it what was asked for.
void castResult(OpResult result, RankedTensorType made) {
  Type asked = result.getType();
  result.setType(made);
  OpBuilder builder(result.getContext());
  builder.setInsertionPointAfter(result.getOwner());
  auto cast = ttnn::TypecastOp::create(builder, result.getOwner()->getLoc(), asked, result);
  result.replaceAllUsesExcept(cast.getResult(), cast);
}

/// Floats for floats, and whole numbers for whole ones. Quotients of integers are those of f32, cut to whole numbers, as
/// a typecast cuts them.
void fitOperandType(OpResult result, RankedTensorType operand) {
  auto asked = cast<RankedTensorType>(result.getType());
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(operand);
  const bool mayBeAsked =
      isa<ttnn::DivideOp>(result.getOwner()) ? isFloat(operand) : isFloat(operand) == isFloat(asked);
  if (failed(placed) || !mayBeAsked || operand.getElementType() == asked.getElementType())
    return;
  if (RankedTensorType made = withElements(asked, operand.getElementType(), placed->layout.dtype))
    castResult(result, made);
}

/// Indices are the same numbers in any type, so a typecast of them can as well read what is made.
void fitIndices(OpResult result, DataType dtype) {
  auto asked = cast<RankedTensorType>(result.getType());
  // The library makes indices of 16 or 32 bits, without a sign.
  unsigned bits = dtype == DataType::UInt16 ? 16 : 32;
  Type element = IntegerType::get(result.getContext(), bits, IntegerType::Unsigned);
  RankedTensorType made =
      asked.getElementType() == element ? RankedTensorType() : withElements(asked, element, dtype);
  if (!made)
    return;
  auto readsAnyType = [&](Operation *user) {
    auto cast = dyn_cast<ttnn::TypecastOp>(user);
    return isa<ttnn::DeallocateOp>(user) || (cast && getElementTypeOrSelf(cast.getType()) != element);
  };
  // No cast in front of a cast.
  if (llvm::all_of(result.getUsers(), readsAnyType))
    result.setType(made);
  else
    castResult(result, made);
}

void fitTypes(Operation *op, BackendVersion version) {
  StringRef name = op->getName().getStringRef();
  auto operand =
      op->getNumOperands() > 0 ? dyn_cast<RankedTensorType>(op->getOperand(0).getType()) : RankedTensorType();
  if (!operand || !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return;
  // One rule for the result's type, another for indices beside it: ops have the one or the other.
  if (makesOperandType(name, version))
    return fitOperandType(op->getResult(0), operand);
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(operand);
  auto dim = dyn_cast_or_null<IntegerAttr>(op->getInherentAttr("dim").value_or(Attribute()));
  // How many bits indices have depends on how long the dimension is that they count.
  int64_t at = dim ? dim.getInt() : -1, rank = operand.getRank();
  at += at < 0 ? rank : 0;
  if (failed(placed) || op->getNumResults() != 2 || at < 0 || at >= rank)
    return;
  if (std::optional<DataType> made =
          typeOfIndices(name, placed->layout.dtype, operand.getDimSize(unsigned(at)), version))
    fitIndices(op->getResult(1), *made);
}

/// Numbers that are counted need 16 bits or more.
void fitCount(ttnn::ArangeOp count, BackendVersion version) {
  auto asked = cast<RankedTensorType>(count.getType());
  if (version < BackendVersion::Newest || !asked.getElementType().isUnsignedInteger(8))
    return;
  Type element = IntegerType::get(count.getContext(), 32, IntegerType::Signed);
  if (RankedTensorType made = withElements(asked, element, DataType::Int32))
    castResult(count->getResult(0), made);
}

/// Until October 2026 no sort keeps the order of equal elements, which shows in indices alone.
void fitSort(ttnn::SortOp sort, BackendVersion version) {
  if (version == BackendVersion::Newest && sort.getStable() &&
      llvm::all_of(sort->getResult(1).getUsers(), llvm::IsaPred<ttnn::DeallocateOp>))
    sort.setStable(false);
}

} // namespace

void tessera::fitToVersion(ModuleOp module, BackendVersion version) {
  module.walk([&](Operation *op) {
    fitTypes(op, version);
    if (auto sort = dyn_cast<ttnn::SortOp>(op))
      fitSort(sort, version);
    if (auto count = dyn_cast<ttnn::ArangeOp>(op))
      fitCount(count, version);
  });
}

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

void tessera::stateExactExponentials(func::FuncOp function, const DeviceSpec &device) {
  MLIRContext *context = function.getContext();
  function.walk([&](ttnn::ScaledDotProductAttentionOp attention) {
    auto compute = attention.getComputeConfigAttr();
    if (attention.getProgramConfigAttr() || !compute || !compute.getMathApproxMode() ||
        compute.getMathApproxMode().getValue())
      return;
    constexpr uint64_t tile = 32;
    attention.setProgramConfigAttr(ttnn::SDPAProgramConfigAttr::get(
        context, ttnn::CoreCoordAttr::get(context, device.workerGrid.columns, device.workerGrid.rows),
        /*sub_core_grids=*/nullptr, tile, tile, BoolAttr::get(context, false),
        /*max_cores_per_head_batch=*/std::nullopt));
  });
}
