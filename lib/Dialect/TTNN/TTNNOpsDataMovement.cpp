//===- TTNNOpsDataMovement.cpp - Verifiers of data movement ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops that move elements and compute nothing: their result's shape follows from
// the operands and the attributes, and is compared with what the type says. A
// dynamic extent anywhere makes a rule on shapes silent. Numbers come from
// text, so sums and products are those that notice an overflow (product,
// multiplyAdd); what overflows equals no extent.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include <numeric>

using namespace mlir;

namespace tessera::ttnn {

//===- One input -----------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  RankedTensorType input = getInput().getType();
  if (hasDynamicShape(*this))
    return success();
  std::optional<int64_t> before = product(input.getShape()), after = product(getType().getShape());
  if (before != after)
    return emitOpError() << "input " << toText(input.getShape()) << " and result "
                         << toText(getType().getShape()) << " differ in their number of elements";
  std::optional<Shape> shape = toInts(getShape());
  // One -1 stands for what is left of the elements, as in torch.
  if (shape && llvm::count(*shape, -1) == 1 && shape->size() == getType().getShape().size()) {
    auto *inferred = llvm::find(*shape, -1);
    *inferred = getType().getDimSize(inferred - shape->begin());
  }
  if (!shape || getType().getShape() != Dims(*shape))
    return emitOpError() << "attribute 'shape' is not the result's shape " << toText(getType().getShape());
  return success();
}

LogicalResult PermuteOp::verify() {
  RankedTensorType input = getInput().getType();
  ArrayRef<int64_t> permutation = getPermutation();
  llvm::SmallBitVector seen(input.getRank());
  Shape expected;
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= input.getRank() || seen[dim])
      break;
    seen.set(dim);
    expected.push_back(input.getDimSize(dim));
  }
  // The loop stops at the first wrong entry, which leaves a dimension unseen; entries behind a complete permutation
  // change the size.
  if (!seen.all() || permutation.size() != expected.size())
    return emitOpError() << "attribute 'permutation' must name each of the input's " << input.getRank()
                         << " dimensions once";
  return verifyResultShape(*this, getType(), expected, "the permutation");
}

LogicalResult TransposeOp::verify() {
  RankedTensorType input = getInput().getType();
  FailureOr<unsigned> first = verifyDim(*this, getDim0Attr(), input.getRank(), "dim0");
  FailureOr<unsigned> second =
      failed(first) ? first : verifyDim(*this, getDim1Attr(), input.getRank(), "dim1");
  if (failed(second))
    return failure();
  Shape expected(input.getShape());
  std::swap(expected[*first], expected[*second]);
  return verifyResultShape(*this, getType(), expected, "the transposition");
}

/// Elements of begin, begin + step, ... before end, in a dimension of that extent; begin and end count from
/// the end if negative. nullopt if the slice leaves the dimension.
static std::optional<int64_t> sliceExtent(int64_t begin, int64_t end, int64_t step, int64_t extent) {
  if (begin < 0)
    begin += extent;
  if (end < 0)
    end += extent;
  // A begin at the extent is an empty slice.
  if (begin < 0 || begin > extent || end < 0 || end > extent || step == 0)
    return std::nullopt;
  int64_t distance = step > 0 ? end - begin : begin - end, stride = step > 0 ? step : -step;
  // Backwards it would begin with what is no element.
  if (distance > 0 && begin == extent)
    return std::nullopt;
  return distance < 0 ? std::nullopt : std::optional(distance / stride + (distance % stride != 0));
}

LogicalResult SliceStaticOp::verify() {
  RankedTensorType input = getInput().getType();
  std::optional<Shape> begins = toInts(getBegins()), ends = toInts(getEnds()), steps = toInts(getStep());
  size_t rank = input.getRank();
  if (!begins || !ends || !steps || begins->size() != rank || ends->size() != rank || steps->size() != rank)
    return emitOpError()
           << "attributes 'begins', 'ends' and 'step' must have an entry for each of the input's " << rank
           << " dimensions";
  if (hasDynamicShape(*this))
    return success();
  Shape expected;
  for (size_t i = 0; i < rank; ++i) {
    std::optional<int64_t> extent = sliceExtent((*begins)[i], (*ends)[i], (*steps)[i], input.getDimSize(i));
    if (!extent)
      return emitOpError() << "slice from " << (*begins)[i] << " to " << (*ends)[i] << " by " << (*steps)[i]
                           << " is not within dimension " << i << " of extent " << input.getDimSize(i);
    expected.push_back(*extent);
  }
  return verifyResultShape(*this, getType(), expected, "the slice");
}

LogicalResult SliceDynamicOp::verify() {
  RankedTensorType input = getInput().getType();
  if (hasDynamicShape(*this))
    return success();
  // Where the slice begins and ends is known when the program runs; of the result only the rank can be checked.
  for (auto [bound, name] : {std::pair(getBegins(), "begins"), std::pair(getEnds(), "ends")})
    if (bound.getType().getRank() != 1 || bound.getType().getDimSize(0) != input.getRank())
      return emitOpError() << name << " must be a vector with an element for each of the input's "
                           << input.getRank() << " dimensions, not " << toText(bound.getType().getShape());
  return verifyRank(*this, getType(), input.getRank(), "result");
}

LogicalResult PadOp::verify() {
  RankedTensorType input = getInput().getType();
  ArrayRef<int32_t> padding = getPadding();
  if (padding.size() != 2 * size_t(input.getRank()))
    return emitOpError() << "attribute 'padding' must have two entries for each of the input's "
                         << input.getRank() << " dimensions, not " << padding.size();
  if (llvm::any_of(padding, [](int32_t pad) { return pad < 0; }))
    return emitOpError() << "attribute 'padding' must not be negative";
  Shape expected;
  for (auto [i, extent] : llvm::enumerate(input.getShape())) {
    // An extent beyond 64 bits is one that no result has.
    std::optional<int64_t> padded = multiplyAdd(extent, 1, int64_t(padding[2 * i]) + padding[2 * i + 1]);
    expected.push_back(padded.value_or(-1));
  }
  return verifyResultShape(*this, getType(), expected, "attribute 'padding'");
}

LogicalResult RepeatOp::verify() {
  Dims repeats = getRepeatDims().getShape(), input = getInput().getType().getShape();
  if (repeats.size() != input.size())
    return emitOpError() << "attribute 'repeat_dims' must have an entry for each of the input's "
                         << input.size() << " dimensions, not " << repeats.size();
  if (hasDynamicShape(*this))
    return verifyRank(*this, getType(), input.size(), "result");
  Shape expected(input);
  for (auto [extent, repeat] : llvm::zip(expected, repeats))
    extent = repeat > 0 ? product({extent, repeat}).value_or(-1) : -1;
  if (llvm::is_contained(expected, -1))
    return emitOpError() << "attribute 'repeat_dims' must be positive and keep extents within 64 bits";
  return verifyResultShape(*this, getType(), expected, "attribute 'repeat_dims'");
}

LogicalResult RepeatInterleaveOp::verify() {
  RankedTensorType input = getInput().getType();
  FailureOr<unsigned> dim = verifyDim(*this, getDimAttr(), input.getRank(), "dim");
  if (failed(dim))
    return failure();
  if (hasDynamicShape(*this))
    return success();
  std::optional<int64_t> repeats = toInt(getRepeatsAttr());
  std::optional<int64_t> extent =
      repeats && *repeats > 0 ? product({input.getDimSize(*dim), *repeats}) : std::nullopt;
  if (!extent)
    return emitOpError() << "attribute 'repeats' must be positive and keep the extent within 64 bits";
  Shape expected(input.getShape());
  expected[*dim] = *extent;
  return verifyResultShape(*this, getType(), expected, "attribute 'repeats'");
}

/// What a tensor is stored as; its element type if it has no layout.
static Type storedType(RankedTensorType type) {
  TTNNLayoutAttr layout = layoutOf(type);
  Type stored = layout ? layout.getMemref().getElementType() : type.getElementType();
  // Tiles and scalars of one number type are the same data type; block floats differ from their numbers.
  std::optional<DataType> dtype = dataType(stored);
  return dtype && !isBlockFloat(*dtype) ? scalarType(type.getContext(), *dtype) : stored;
}

LogicalResult AssignOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyResultShape(*this, getType(), input.getShape(), "the input's shape")))
    return failure();
  Type from = storedType(input), to = storedType(getType());
  if (from == to)
    return success();
  return emitOpError() << "must keep the data type, but turns " << from << " into " << to;
}

//===- Several inputs ------------------------------------------------------===//

LogicalResult ConcatOp::verify() {
  if (getInputs().empty())
    return emitOpError() << "needs at least one input";
  auto first = cast<RankedTensorType>(getInputs().front().getType());
  FailureOr<unsigned> dim = verifyDim(*this, getDimAttr(), first.getRank(), "dim");
  if (failed(dim))
    return failure();
  if (hasDynamicShape(*this))
    return success();
  Shape expected(first.getShape());
  for (auto [i, input] : llvm::enumerate(getInputs().drop_front())) {
    Shape shape(cast<RankedTensorType>(input.getType()).getShape());
    bool sameRank = shape.size() == expected.size();
    std::optional<int64_t> sum = sameRank ? multiplyAdd(shape[*dim], 1, expected[*dim]) : std::nullopt;
    // With both set to the sum, the comparison below is about the other dimensions only.
    if (sum)
      shape[*dim] = expected[*dim] = *sum;
    if (!sum || shape != expected)
      return emitOpError() << "input #" << i + 1 << " ("
                           << toText(cast<RankedTensorType>(input.getType()).getShape())
                           << ") must agree with input #0 (" << toText(first.getShape())
                           << ") in all dimensions but " << *dim;
  }
  return verifyResultShape(*this, getType(), expected, "the concatenation");
}

/// `index` has the input's rank and, except along `dim`, at most its extents.
static LogicalResult verifyIndex(Operation *op, RankedTensorType input, RankedTensorType index,
                                 IntegerAttr dimAttr) {
  FailureOr<unsigned> dim = verifyDim(op, dimAttr, input.getRank(), "dim");
  if (failed(dim) || failed(verifyRank(op, index, input.getRank(), "index")))
    return failure();
  for (int64_t i = 0; i < input.getRank(); ++i)
    if (i != *dim && index.getDimSize(i) > input.getDimSize(i) && !hasDynamicShape(op))
      return op->emitOpError() << "index " << toText(index.getShape()) << " leaves input "
                               << toText(input.getShape()) << " in dimension " << i;
  return success();
}

LogicalResult GatherOp::verify() {
  if (failed(verifyIndex(*this, getInput().getType(), getIndex().getType(), getDimAttr())))
    return failure();
  return verifyResultShape(*this, getType(), getIndex().getType().getShape(), "the index");
}

/// Elements of the source go where the index says, one for each entry of the index; a larger source is read in part.
LogicalResult ScatterOp::verify() {
  RankedTensorType input = getInput().getType(), index = getIndex().getType(), source = getSource().getType();
  if (failed(verifyIndex(*this, input, index, getDimAttr())) ||
      failed(verifyRank(*this, source, index.getRank(), "source")))
    return failure();
  for (int64_t i = 0; i < index.getRank(); ++i)
    if (source.getDimSize(i) < index.getDimSize(i) && !hasDynamicShape(*this))
      return emitOpError() << "source " << toText(source.getShape()) << " has less elements than index "
                           << toText(index.getShape()) << " in dimension " << i;
  return verifyResultShape(*this, getType(), input.getShape(), "the input's shape");
}

/// A window for each size, none longer.
static LogicalResult verifyWindows(Operation *op, Dims sizes, Dims windows) {
  if (sizes.size() != windows.size())
    return op->emitOpError() << "there are " << sizes.size() << " sizes, but " << windows.size()
                             << " windows";
  for (auto [size, window] : llvm::zip_equal(sizes, windows))
    if (window > size)
      return op->emitOpError() << "windows " << toText(windows) << " do not fit into sizes " << toText(sizes);
  return success();
}

LogicalResult RowsScatterOp::verify() {
  if (failed(verifySameElementTypes(*this, {{"input", getInput()}, {"source", getSource()}})) ||
      failed(verifyIntegers(*this, {{"index", getIndex()}})))
    return failure();
  if (failed(verifyWindows(*this, getSizes(), getWindows())))
    return failure();
  return verifyResultShape(*this, getType(), getInput().getType().getShape(), "the input's shape");
}

LogicalResult RowsGatherOp::verify() {
  if (failed(verifySameElementTypes(*this, {{"input", getInput()}, {"result", getResult()}})) ||
      failed(verifyIntegers(*this, {{"index", getIndex()}})))
    return failure();
  if (failed(verifyWindows(*this, getSizes(), getWindows())))
    return failure();
  if (hasDynamicShape(*this))
    return success();
  Dims index = getIndex().getType().getShape(), input = getInput().getType().getShape();
  if (index.size() != 3 || index[1] != int64_t(getSizes().size()))
    return emitOpError() << "index must be batches x " << getSizes().size() << " x windows, not "
                         << toText(index);
  // What is left of the input beside the positions: rows, or nothing where the last position is one in a row.
  std::optional<int64_t> positions = product(getSizes()), all = product(input),
                         window = product(getWindows());
  std::optional<int64_t> entries =
      positions && !input.empty() ? product({*positions, input[0]}) : std::nullopt;
  if (!entries || !all || *entries == 0 || *all % *entries != 0)
    return emitOpError() << "sizes " << toText(getSizes()) << " do not divide each entry of "
                         << toText(input);
  // No tensor has more elements than can be counted.
  std::optional<int64_t> expected =
      window ? product({input[0], index[2], *window, *all / *entries}) : std::nullopt;
  if (!expected)
    return emitOpError() << "windows " << toText(getWindows()) << " have more elements than there can be";
  if (std::optional<int64_t> has = product(getType().getShape()); has != expected)
    return emitOpError() << "the result has " << has.value_or(-1) << " elements, not the " << *expected
                         << " of " << index[2] << " windows";
  return success();
}

LogicalResult EmbeddingOp::verify() {
  Dims weight = getWeight().getType().getShape();
  if (hasDynamicShape(*this))
    return success();
  // Leading extents of 1 are how a matrix looks after it was brought to rank 4.
  if (weight.size() < 2 || llvm::any_of(weight.drop_back(2), [](int64_t extent) { return extent != 1; }))
    return emitOpError() << "weight must be a matrix, not " << toText(weight);
  Shape expected(getInput().getType().getShape());
  expected.push_back(weight.back());
  return verifyResultShape(*this, getType(), expected, "one row of weight per index");
}

} // namespace tessera::ttnn
