//===- SplitConversions.cpp - Old conversions into today's ops ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The order is tt-mlir's own (facts/ir 5, "DecomposeLayouts"):
//
//   to_device           from the host, as it is there
//   to_memory_config    out of the shards, if pages or data types change
//   to_layout           into tiles
//   typecast            in tiles
//   to_layout           out of tiles
//   to_memory_config    to where the result lies
//   from_device         to the host
//
// Which of these are needed depends on the layouts. Pages change in interleaved
// tensors because that is always legal; where another way is faster, the plan
// takes it (OpModel/Conversions.h).
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Lowering/Conversions.h"
#include "tessera/Lowering/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera {
#define GEN_PASS_DEF_TTNNSPLITCONVERSIONS
#include "tessera/Lowering/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

namespace {

/// The device that `op` may use: the function's get_device, moved up if it stands later, or a new one, of the mesh that another function of the
/// module has. A module without one is of a single chip.
mlir::Value deviceFor(Operation *op) {
  Block &entry = op->getParentOfType<func::FuncOp>().getBody().front();
  auto existing = entry.getOps<ttnn::GetDeviceOp>();
  if (!existing.empty()) {
    // It has no operands, so it can stand anywhere in front.
    ttnn::GetDeviceOp device = *existing.begin();
    if (!device->isBeforeInBlock(entry.findAncestorOpInBlock(*op)))
      device->moveBefore(&entry, entry.begin());
    return device;
  }
  ttnn::GetDeviceOp elsewhere;
  if (auto module = op->getParentOfType<ModuleOp>())
    module.walk([&](ttnn::GetDeviceOp each) {
      elsewhere = each;
      return WalkResult::interrupt();
    });
  OpBuilder builder(&entry, entry.begin());
  MLIRContext *context = op->getContext();
  return ttnn::GetDeviceOp::create(
      builder, op->getLoc(), ttnn::DeviceType::get(context),
      elsewhere ? elsewhere.getMeshShapeAttr() : ttnn::MeshShapeAttr::get(context, 1, 1),
      elsewhere ? elsewhere.getMeshOffsetAttr() : ttnn::MeshOffsetAttr::get(context, 0, 0));
}

class Split {
public:
  Split(Operation *op, const TensorLayout &from, const TensorLayout &to)
      : op(op), builder(op), value(op->getOperand(0)), now(from), target(to),
        shape(cast<RankedTensorType>(value.getType()).getShape()) {
    decide();
  }

  /// False if a tensor in between would need a layout that there is not: rows that are spread over L1 lie in one shard
  /// per core, which can hold less than shards that cut the rows.
  bool isPossible() const {
    return llvm::all_of(steps, [](const Step &step) { return checkLayout(step.to).empty(); });
  }

  void write() {
    for (const Step &step : steps)
      value = (this->*step.create)(typeIn(step.to));
    nameSteps();
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

private:
  struct Step {
    mlir::Value (Split::*create)(RankedTensorType type);
    TensorLayout to;
  };

  /// All steps before any is written, so that a conversion that cannot be split leaves the program as it was.
  void decide() {
    bool changesPages = now.page != target.page || now.dtype != target.dtype;
    if (!now.onDevice() && target.onDevice())
      toDevice(changesPages);
    if (now.onDevice())
      convertOnDevice(changesPages);
    else if (changesPages)
      step<ttnn::ToLayoutOp>(target); // host to host
    if (now.onDevice() && !target.onDevice())
      step<ttnn::FromDeviceOp>(target);
  }

  void toDevice(bool changesPages) {
    // Pages change on the device and in interleaved tensors; where they stay, the tensor goes to its place at once.
    now = changesPages ? interleaved() : target;
    steps.push_back({&Split::createToDevice, now});
  }

  void convertOnDevice(bool changesPages) {
    if (changesPages && now.isSharded())
      step<ttnn::ToMemoryConfigOp>(interleaved());
    if (!now.isTiled() && (target.isTiled() || now.dtype != target.dtype))
      step<ttnn::ToLayoutOp>(inPlace(PageLayout::Tile, now.dtype));
    if (now.dtype != target.dtype)
      step<ttnn::TypecastOp>(inPlace(now.page, target.dtype));
    if (now.isTiled() && !target.isTiled())
      step<ttnn::ToLayoutOp>(inPlace(PageLayout::RowMajor, now.dtype));
    if (target.onDevice() && now != target)
      step<ttnn::ToMemoryConfigOp>(target);
  }

  /// DRAM interleaved, pages and data type as now.
  TensorLayout interleaved() const {
    TensorLayout layout = dramInterleaved({shape, now.dtype}, now.page);
    layout.mesh = now.mesh;
    return layout;
  }

  /// The target if only the map or the shards differ from it: its maker chose them.
  TensorLayout inPlace(PageLayout page, tessera::DataType dtype) const {
    TensorLayout layout = now;
    layout.page = page;
    layout.dtype = dtype;
    bool isTarget = page == target.page && dtype == target.dtype && now.buffer == target.buffer &&
                    now.memory == target.memory && now.grid == target.grid;
    return isTarget ? target : withTensor(layout, {shape, dtype}, now.grid);
  }

  /// The element type follows the data type, as the op's own result has it once that is reached.
  RankedTensorType typeIn(const TensorLayout &layout) const {
    auto type = cast<RankedTensorType>(value.getType()),
         result = cast<RankedTensorType>(op->getResult(0).getType());
    bool keeps = ttnn::tensorDesc(type)->dtype == layout.dtype;
    return RankedTensorType::get(type.getShape(), keeps ? type.getElementType() : result.getElementType(),
                                 ttnn::toAttr(op->getContext(), layout));
  }

  template <class Conversion>
  void step(const TensorLayout &layout) {
    steps.push_back({&Split::create<Conversion>, layout});
    now = layout;
  }

  template <class Conversion>
  mlir::Value create(RankedTensorType type) {
    return Conversion::create(builder, op->getLoc(), type, value);
  }
  mlir::Value createToDevice(RankedTensorType type) {
    return ttnn::ToDeviceOp::create(builder, op->getLoc(), type, value, deviceFor(op));
  }

  /// The last op keeps the name, for overrides; those before it are its conversions (facts/ir 1.4).
  void nameSteps() {
    auto name = op->getLoc()->findInstanceOf<NameLoc>();
    if (!name)
      return;
    auto inFront = builder.getStringAttr(name.getName().getValue() + "_mem_reconfig");
    for (mlir::Value made = value; made != op->getOperand(0); made = made.getDefiningOp()->getOperand(0))
      if (made != value)
        made.getDefiningOp()->setLoc(NameLoc::get(inFront, op->getLoc()));
  }

  Operation *op;
  OpBuilder builder;
  mlir::Value value; ///< what has been written
  TensorLayout now;  ///< where what has been decided leads
  std::vector<Step> steps;
  const TensorLayout &target;
  Shape shape;
};

bool isNarrow(Operation *op, const TensorLayout &from, const TensorLayout &to) {
  // What a to_layout of the public dialect may do (facts/dialect 4).
  return isa<ttnn::ToLayoutOp>(op) && from.buffer == to.buffer && from.memory == to.memory &&
         from.grid == to.grid;
}

void splitConversion(Operation *op) {
  auto input = cast<RankedTensorType>(op->getOperand(0).getType()),
       result = cast<RankedTensorType>(op->getResult(0).getType());
  auto from = dyn_cast_or_null<ttnn::TTNNLayoutAttr>(input.getEncoding());
  auto to = dyn_cast_or_null<ttnn::TTNNLayoutAttr>(result.getEncoding());
  // What cannot be placed, or says more than a conversion, cannot be split; it stays, and is Fixed.
  if (!from || !to || ttnn::saysMore(op) || !input.hasStaticShape() ||
      input.getShape() != result.getShape() || !fitsLayouts(input.getShape()))
    return;
  FailureOr<TensorLayout> source = ttnn::toTensorLayout(from), target = ttnn::toTensorLayout(to);
  if (failed(source) || failed(target) || isNarrow(op, *source, *target))
    return;
  if (Split split(op, *source, *target); split.isPossible())
    split.write();
}

struct SplitConversionsPass : tessera::impl::TTNNSplitConversionsBase<SplitConversionsPass> {
  void runOnOperation() override { splitConversions(getOperation()); }
};

} // namespace

void tessera::splitConversions(Operation *root) {
  // Collected first: the walk must not meet the ops that a split writes.
  SmallVector<Operation *> conversions;
  root->walk([&](Operation *op) {
    if (isa<ttnn::ToLayoutOp, ttnn::ToTensorSpecOp>(op) && op->getParentOfType<func::FuncOp>())
      conversions.push_back(op);
  });
  for (Operation *op : conversions)
    splitConversion(op);
}
