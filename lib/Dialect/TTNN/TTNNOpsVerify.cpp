//===- TTNNOpsVerify.cpp - Shape arithmetic of the op verifiers -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The vocabulary of the verifiers: arithmetic that notices overflow, and one
// function per kind of rule with its message, so that equal rules read alike in
// every op. Messages name what is wrong, what it is and what it should be, in
// this order.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::ttnn {

std::string toText(Dims shape) {
  return shape.empty() ? "scalar"
                       : llvm::join(llvm::map_range(shape, [](int64_t d) { return std::to_string(d); }), "x");
}

std::optional<int64_t> multiplyAdd(int64_t a, int64_t b, int64_t c) {
  int64_t scaled, sum;
  if (llvm::MulOverflow(a, b, scaled) || llvm::AddOverflow(scaled, c, sum))
    return std::nullopt;
  return sum;
}

std::optional<int64_t> product(Dims factors) {
  // A tensor without elements has none however large its other extents are: nothing overflows.
  if (llvm::is_contained(factors, 0))
    return 0;
  std::optional<int64_t> result = 1;
  for (int64_t factor : factors)
    if (result)
      result = multiplyAdd(*result, factor, 0);
  return result;
}

std::optional<unsigned> normalizeDim(int64_t dim, size_t rank) {
  if (dim < -int64_t(rank) || dim >= int64_t(rank))
    return std::nullopt;
  return unsigned(dim < 0 ? dim + int64_t(rank) : dim);
}

std::optional<int64_t> toInt(IntegerAttr attr) {
  const APInt &value = attr.getValue();
  // A one-bit 1 would read as -1.
  if (auto type = dyn_cast<IntegerType>(attr.getType()); type && (type.isUnsigned() || type.getWidth() == 1))
    // 63 bits: the largest unsigned number that a signed one of 64 bits can be.
    return value.isIntN(63) ? std::optional<int64_t>(value.getZExtValue()) : std::nullopt;
  return value.trySExtValue();
}

std::optional<Shape> toInts(ArrayAttr attr) {
  Shape values;
  for (Attribute element : attr) {
    auto integer = dyn_cast<IntegerAttr>(element);
    std::optional<int64_t> value = integer ? toInt(integer) : std::nullopt;
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<Shape> broadcast(Dims a, Dims b) {
  if (a.size() < b.size())
    // The longer shape gives the leading extents; the shorter one is laid at its end, as in NumPy.
    std::swap(a, b);
  Shape result(a);
  size_t offset = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t &extent = result[offset + i];
    if (extent != b[i] && extent != 1 && b[i] != 1)
      return std::nullopt;
    extent = extent == 1 ? b[i] : extent;
  }
  return result;
}

bool hasDynamicShape(Operation *op) {
  auto isDynamic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  return llvm::any_of(op->getOperandTypes(), isDynamic) || llvm::any_of(op->getResultTypes(), isDynamic);
}

LogicalResult verifyResultShape(Operation *op, RankedTensorType result, Dims expected, StringRef reason) {
  // One dynamic extent is enough to say nothing: what it will be is not known here, and tt-mlir does not ask either.
  if (result.getShape() == expected || hasDynamicShape(op))
    return success();
  return op->emitOpError() << "result has shape " << toText(result.getShape()) << ", but " << reason
                           << " gives " << toText(expected);
}

LogicalResult verifyRank(Operation *op, RankedTensorType type, int64_t rank, StringRef what) {
  // The rank is known also of a dynamic shape, so it is checked where extents are not.
  if (type.getRank() == rank)
    return success();
  return op->emitOpError() << what << " must have " << rank << " dimensions, not " << type.getRank();
}

LogicalResult verifyExtent(Operation *op, RankedTensorType type, unsigned dim, int64_t expected,
                           StringRef what, StringRef reason) {
  if (type.getDimSize(dim) == expected || hasDynamicShape(op))
    return success();
  return op->emitOpError() << what << " has extent " << type.getDimSize(dim) << " in dimension " << dim
                           << ", but " << reason << " gives " << expected;
}

FailureOr<unsigned> verifyDim(Operation *op, IntegerAttr dim, size_t rank, StringRef name) {
  std::optional<int64_t> value = toInt(dim);
  if (std::optional<unsigned> index = value ? normalizeDim(*value, rank) : std::nullopt)
    return *index;
  return op->emitOpError() << "attribute '" << name << "' is " << dim
                           << ", which is not a dimension of a tensor of rank " << rank;
}

LogicalResult verifySameShapeAlong(Operation *op, RankedTensorType input, IntegerAttr dim, StringRef name,
                                   RankedTensorType result) {
  if (failed(verifyDim(op, dim, input.getRank(), name)))
    return failure();
  return verifyResultShape(op, result, input.getShape(), "the input's shape");
}

TTNNLayoutAttr layoutOf(RankedTensorType type) {
  return dyn_cast_or_null<TTNNLayoutAttr>(type.getEncoding());
}

bool isOnDevice(RankedTensorType type) {
  TTNNLayoutAttr layout = layoutOf(type);
  return layout && layout.isOnDevice();
}

MemRefType memrefOf(RankedTensorType type) {
  if (TTNNLayoutAttr layout = layoutOf(type))
    return layout.getMemref();
  auto nd = dyn_cast_or_null<TTNNNDLayoutAttr>(type.getEncoding());
  return nd ? nd.getMemref() : MemRefType();
}

LogicalResult verifyHasLayout(Operation *op, RankedTensorType type, StringRef what, bool mayBeNd) {
  if (mayBeNd ? bool(memrefOf(type)) : bool(layoutOf(type)))
    return success();
  return op->emitOpError() << what << " needs a #ttnn.ttnn_layout as encoding";
}

//===- Named tensors and attributes ----------------------------------------===//

/// Runs the check on the tensors that are there, up to the first error.
static LogicalResult verifyEach(NamedTensors tensors, function_ref<LogicalResult(const Named &)> check) {
  for (const Named &tensor : tensors)
    if (tensor.value && failed(check(tensor)))
      return failure();
  return success();
}

LogicalResult verifyRanks(Operation *op, int64_t rank, NamedTensors tensors) {
  return verifyEach(tensors,
                    [&](const Named &tensor) { return verifyRank(op, tensor.type(), rank, tensor.name); });
}

LogicalResult verifyShapes(Operation *op, Dims shape, NamedTensors tensors, StringRef reason) {
  return verifyEach(tensors, [&](const Named &tensor) -> LogicalResult {
    if (tensor.type().getShape() == shape || hasDynamicShape(op))
      return success();
    return op->emitOpError() << tensor.name << " has shape " << toText(tensor.type().getShape()) << ", but "
                             << reason << " gives " << toText(shape);
  });
}

LogicalResult verifySameElementTypes(Operation *op, NamedTensors tensors) {
  // The first one is always there: what is optional stands behind it, and the message refers to it.
  const Named &first = tensors.front();
  return verifyEach(tensors, [&](const Named &tensor) -> LogicalResult {
    if (tensor.type().getElementType() == first.type().getElementType())
      return success();
    return op->emitOpError() << tensor.name << " has elements of " << tensor.type().getElementType()
                             << ", but must have those of " << first.name << ", "
                             << first.type().getElementType();
  });
}

LogicalResult verifyIntegers(Operation *op, NamedTensors tensors) {
  return verifyEach(tensors, [&](const Named &tensor) -> LogicalResult {
    if (isa<IntegerType>(tensor.type().getElementType()))
      return success();
    return op->emitOpError() << tensor.name << " must have integer elements, not "
                             << tensor.type().getElementType();
  });
}

LogicalResult verifyAllOrNone(Operation *op, NamedTensors tensors) {
  auto isThere = [](const Named &tensor) { return bool(tensor.value); };
  if (llvm::all_of(tensors, isThere) || llvm::none_of(tensors, isThere))
    return success();
  // All names, also of those that are there: which of both the author meant is not known.
  std::string names = llvm::join(llvm::map_range(tensors, [](const Named &t) { return t.name; }), ", ");
  return op->emitOpError() << "must have all of " << names << " or none";
}

LogicalResult verifyPositive(Operation *op, StringRef attribute, int64_t value) {
  if (value > 0)
    return success();
  return op->emitOpError() << "attribute '" << attribute << "' must be positive, not " << value;
}

LogicalResult verifyMultipleOf(Operation *op, StringRef what, int64_t value, int64_t factor) {
  // Zero is a multiple of everything, and no size.
  if (value > 0 && value % factor == 0)
    return success();
  return op->emitOpError() << what << " must be a positive multiple of " << factor << ", not " << value;
}

LogicalResult verifyEither(Operation *op, StringRef attribute, int64_t value, int64_t one, int64_t other) {
  if (value == one || value == other)
    return success();
  return op->emitOpError() << "attribute '" << attribute << "' must be " << one << " or " << other << ", not "
                           << value;
}

} // namespace tessera::ttnn
