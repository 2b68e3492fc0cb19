//===- Proposal.cpp - Ops that may come to stand for others --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops are made at once instead of being described: whoever is asked for consent sees the very op that would run, and
// a row reads shapes and types off what it has made. Until they are taken they stand in no block, which is also how
// the destructor knows what to destroy. They are users of what they read all the same: a row has to ask who reads a
// value (onlyReader, hasOneUse) before it makes an op that does.
//
//===----------------------------------------------------------------------===//
#include "Proposal.h"

#include "Match.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::rewrite;

Proposal::~Proposal() {
  // Readers before what they read.
  for (Operation *op : llvm::reverse(ops))
    if (!op->getBlock())
      op->destroy();
}

/// What elements of the type are stored as: as those of `like`, if they are of that type. Packed elements (bfp8) are bf16 to the type and not
/// to the layout.
static DataType storedLike(RankedTensorType like, Type elementType) {
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(like);
  return succeeded(placed) && elementType == like.getElementType() ? placed->layout.dtype
                                                                   : *ttnn::dataType(elementType);
}

/// The type of a tensor in the pages and on the chips of the value.
static RankedTensorType typeOn(mlir::Value value, ArrayRef<int64_t> shape, Type elementType,
                               DataType stored) {
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(typeOf(value));
  // Rows match tensors with layouts only (Match.h: isPlaced).
  assert(succeeded(placed) && "a rewrite of tensors that lie nowhere");
  TensorLayout layout = dramInterleaved({Shape(shape), stored}, placed->layout.page);
  layout.mesh = placed->layout.mesh;
  return RankedTensorType::get(shape, elementType, ttnn::toAttr(value.getContext(), layout));
}

RankedTensorType Proposal::typeLike(mlir::Value value, ArrayRef<int64_t> shape, Type elementType) {
  return typeOn(value, shape, elementType, storedLike(typeOf(value), elementType));
}

RankedTensorType Proposal::typeLike(mlir::Value value, ArrayRef<int64_t> shape) {
  return typeLike(value, shape, typeOf(value).getElementType());
}

static ArrayAttr integers(OpBuilder &builder, ArrayRef<int64_t> values) {
  return builder.getI32ArrayAttr(llvm::map_to_vector(values, [](int64_t value) { return int32_t(value); }));
}

/// In the attribute's order: no approximate exponentials, sums of 32 bits in the registers, none of the packer's in
/// L1; and what is not said, half or all of the registers at once, is the library's to choose.
ttnn::DeviceComputeKernelConfigAttr Proposal::exactly(ttnn::MathFidelity fidelity, bool areSumsWide) {
  return ttnn::DeviceComputeKernelConfigAttr::get(builder.getContext(), fidelity, builder.getBoolAttr(false),
                                                  builder.getBoolAttr(areSumsWide),
                                                  builder.getBoolAttr(false), nullptr);
}

mlir::Value Proposal::full(ArrayRef<int64_t> shape, float number, mlir::Value like) {
  return make<ttnn::FullOp>(typeLike(like, shape), device(), ttnn::ShapeAttr::get(like.getContext(), shape),
                            builder.getF32FloatAttr(number));
}

mlir::Value Proposal::timesNumber(mlir::Value value, double by) {
  const llvm::SmallVector<int64_t> ones(typeOf(value).getRank(), 1);
  mlir::Value number = full(ones, float(by), value);
  return makeNamed("multiply", {value, number}, typeLike(value, shapeOf(value)))->getResult(0);
}

mlir::Value Proposal::padded(mlir::Value value, int64_t dimension, int64_t size, float number) {
  llvm::SmallVector<int64_t> shape(shapeOf(value));
  int64_t &extent = shape[size_t(dimension)];
  if (extent == size)
    return value;
  llvm::SmallVector<int32_t> padding(2 * shape.size(), 0);
  padding[size_t(2 * dimension + 1)] = int32_t(size - extent);
  extent = size;
  return make<ttnn::PadOp>(typeLike(value, shape), value, padding, llvm::APFloat(number),
                           /*use_multicore=*/true)
      .getResult();
}

/// A new one must name the mesh that the program has, else its tensors would be on another device: so it is made like
/// any other of the module.
mlir::Value Proposal::device() {
  // It mostly stands in front of its block, so nobody has to look further; no op is numbered for that either.
  for (Operation &op : *root->getBlock()) {
    if (&op == root)
      break;
    if (auto here = dyn_cast<ttnn::GetDeviceOp>(op))
      return here.getDevice();
  }
  ttnn::GetDeviceOp elsewhere;
  root->getParentOfType<ModuleOp>()->walk([&](ttnn::GetDeviceOp each) {
    elsewhere = each;
    return WalkResult::interrupt();
  });
  return make<ttnn::GetDeviceOp>(ttnn::DeviceType::get(root->getContext()),
                                 elsewhere ? elsewhere.getMeshShapeAttr() : ttnn::MeshShapeAttr(),
                                 elsewhere ? elsewhere.getMeshOffsetAttr() : ttnn::MeshOffsetAttr());
}

mlir::Value Proposal::reshaped(mlir::Value value, ArrayRef<int64_t> shape) {
  if (typeOf(value).getShape() == shape)
    return value;
  return make<ttnn::ReshapeOp>(typeLike(value, shape), value, integers(builder, shape)).getResult();
}

mlir::Value Proposal::paged(mlir::Value value, PageLayout page) {
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(typeOf(value));
  if (placed->layout.page == page)
    return value;
  TensorLayout layout = dramInterleaved(placed->tensor, page);
  layout.mesh = placed->layout.mesh;
  auto type = RankedTensorType::get(typeOf(value).getShape(), typeOf(value).getElementType(),
                                    ttnn::toAttr(value.getContext(), layout));
  return make<ttnn::ToLayoutOp>(type, value).getResult();
}

mlir::Value Proposal::cast(mlir::Value value, Type elementType) {
  if (typeOf(value).getElementType() == elementType)
    return value;
  return make<ttnn::TypecastOp>(typeLike(value, typeOf(value).getShape(), elementType), value).getResult();
}

mlir::Value Proposal::firstOf(mlir::Value value, ArrayRef<int64_t> shape) {
  if (typeOf(value).getShape() == shape)
    return value;
  llvm::SmallVector<int64_t> zeros(shape.size(), 0), ones(shape.size(), 1);
  return slice(value, zeros, shape, ones);
}

mlir::Value Proposal::slice(mlir::Value value, ArrayRef<int64_t> begins, ArrayRef<int64_t> ends,
                            ArrayRef<int64_t> steps) {
  llvm::SmallVector<int64_t> shape;
  for (auto [begin, end, step] : llvm::zip_equal(begins, ends, steps))
    shape.push_back(step > 0 ? llvm::divideCeil(end - begin, step) : llvm::divideCeil(begin - end, -step));
  return make<ttnn::SliceStaticOp>(typeLike(value, shape), value, integers(builder, begins),
                                   integers(builder, ends), integers(builder, steps))
      .getResult();
}

/// Each extent of `shape` is a multiple of the one that there is.
mlir::Value Proposal::repeated(mlir::Value value, ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> times;
  for (auto [to, from] : llvm::zip_equal(shape, typeOf(value).getShape()))
    times.push_back(to / from);
  if (llvm::all_of(times, [](int64_t count) { return count == 1; }))
    return value;
  return make<ttnn::RepeatOp>(typeLike(value, shape), value, ttnn::ShapeAttr::get(value.getContext(), times))
      .getResult();
}

mlir::Value Proposal::permute(mlir::Value value, ArrayRef<int64_t> order) {
  llvm::SmallVector<int64_t> shape;
  for (int64_t dimension : order)
    shape.push_back(typeOf(value).getDimSize(unsigned(dimension)));
  return make<ttnn::PermuteOp>(typeLike(value, shape), value, order, FloatAttr()).getResult();
}

mlir::Value Proposal::concat(ArrayRef<mlir::Value> values, int64_t dimension) {
  llvm::SmallVector<int64_t> shape(typeOf(values.front()).getShape());
  for (mlir::Value value : values.drop_front())
    shape[size_t(dimension)] += typeOf(value).getDimSize(unsigned(dimension));
  return make<ttnn::ConcatOp>(typeLike(values.front(), shape), values,
                              builder.getSI32IntegerAttr(int32_t(dimension)))
      .getResult();
}

/// The clone has the result type of the op until it is set here: new operands may have another shape, or other
/// elements.
Operation *Proposal::copy(Operation *op, IRMapping &operands, ArrayRef<int64_t> shape) {
  Operation *made = op->clone(operands);
  // A cast's elements are its own; all others have those of what they read, or of what they made before, stored alike.
  RankedTensorType was = typeOf(op->getResult(0));
  bool moves = op->getNumOperands() == 1 && !isa<ttnn::TypecastOp>(op);
  mlir::Value first = made->getOperand(0);
  made->getResult(0).setType(
      moves ? typeLike(first, shape)
            : typeOn(first, shape, was.getElementType(), storedLike(was, was.getElementType())));
  ops.push_back(made);
  return made;
}

Operation *Proposal::clone(Operation *op, IRMapping &operands) {
  ops.push_back(op->clone(operands));
  return ops.back();
}

mlir::Value Proposal::makeUnary(StringRef name, mlir::Value value) {
  return makeNamed(name, value, typeLike(value, typeOf(value).getShape()))->getResult(0);
}

Operation *Proposal::makeNamed(StringRef name, ValueRange operands, RankedTensorType type,
                               ArrayRef<NamedAttribute> attributes) {
  OperationState state(root->getLoc(), ("ttnn." + name).str(), operands, TypeRange(type), attributes);
  ops.push_back(builder.create(state));
  return ops.back();
}

/// To a fixed point: taking one op away may leave another one without readers. A value that is to stand for a result
/// keeps its maker, though nobody reads it in its new place yet.
llvm::SmallVector<Operation *> Proposal::goneOps() const {
  llvm::SetVector<Operation *> gone;
  llvm::DenseSet<mlir::Value> handedOn; // which was there before and stands for a result now
  for (auto &[op, values] : replaced) {
    gone.insert(op);
    handedOn.insert(values.begin(), values.end());
  }
  // A maker is looked at once for each of its readers, so it is found when the last of them goes. New ops are readers, too.
  auto isNeeded = [&](Operation *maker) {
    bool isRead = llvm::any_of(maker->getResults(), [&](mlir::Value result) {
      return handedOn.contains(result) ||
             llvm::any_of(result.getUsers(), [&](Operation *user) { return !gone.contains(user); });
    });
    // As in mayBeReadAt: what has values alone, and is not read, does nothing.
    return isRead || !(maker->hasTrait<ttnn::OpTrait::ValueSemantics>() || wouldOpBeTriviallyDead(maker));
  };
  // The set grows while it is gone through: what only gone ops read goes as well.
  for (size_t i = 0; i < gone.size(); ++i)
    for (mlir::Value operand : gone[i]->getOperands())
      if (Operation *maker = operand.getDefiningOp(); maker && !gone.contains(maker) && !isNeeded(maker))
        gone.insert(maker);
  llvm::SmallVector<Operation *> ops(gone.begin(), gone.end());
  llvm::sort(ops, standsBefore);
  return ops;
}

/// Ops follow when a tensor that they read changes its layout, but what a function returns is agreed with its caller.
bool Proposal::keepsReturned() const {
  return llvm::all_of(replaced, [](const auto &entry) {
    return llvm::all_of(llvm::zip_equal(entry.first->getResults(), entry.second), [](auto pair) {
      auto [was, is] = pair;
      auto isReturn = [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); };
      return was.getType() == is.getType() || llvm::none_of(was.getUsers(), isReturn);
    });
  });
}

bool Proposal::keepsFormats() const {
  return llvm::all_of(replaced, [](const auto &entry) {
    return llvm::all_of(llvm::zip_equal(entry.first->getResults(), entry.second), [](auto pair) {
      auto [was, is] = pair;
      FailureOr<ttnn::PlacedTensor> had = ttnn::placedTensor(typeOf(was)),
                                    has = ttnn::placedTensor(typeOf(is));
      return failed(had) || failed(has) || had->layout.dtype == has->layout.dtype;
    });
  });
}

bool Proposal::keepsApart(bool isCalled) const {
  llvm::SmallDenseSet<mlir::Value> returned;
  // What the caller gave, or gets as another result as well; a view of it may be one now if it was one before.
  auto mayCallerHave = [&](mlir::Value was, mlir::Value is) {
    mlir::Value storage = storageOf(is);
    Operation *maker = storage.getDefiningOp();
    return storage != storageOf(was) && (!maker || !maker->hasTrait<ttnn::OpTrait::ValueSemantics>() ||
                                         isReturned(storage) || !returned.insert(storage).second);
  };
  return llvm::all_of(replaced, [&](const auto &entry) {
    auto &[op, values] = entry;
    return llvm::all_of(llvm::zip_equal(op->getResults(), values), [&, from = op](auto pair) {
      auto [was, is] = pair;
      if (isCalled && isReturned(was) && mayCallerHave(was, is))
        return false;
      Operation *maker = is.getDefiningOp();
      return (maker && llvm::is_contained(ops, maker)) || !(isWritten(was) || isWrittenFrom(is, from));
    });
  });
}

/// New ops first, as some of them take the place of results. They are inserted in the order in which they were made,
/// so each comes after what it reads even where several stand at one place.
void Proposal::take(RewriterBase &rewriter, llvm::function_ref<void(Operation *)> named) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (Operation *op : ops) {
    auto place = elsewhere.find(op);
    rewriter.setInsertionPoint(place == elsewhere.end() ? root : place->second);
    named(op);
    rewriter.insert(op);
  }
  for (auto &[op, values] : replaced)
    rewriter.replaceOp(op, values);
}
