//===- Pools.cpp - Means over windows at the border of an image ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A mean over windows of which the padding does not count divides each sum by another
// number at the border. Compilers know means that count the padding, so that is what
// they make a sum of, multiplied by what the mean divided by:
//
//   avg_pool2d(x) * 9 / counts   ->   avg_pool2d(x), which does not count the padding
//
//===----------------------------------------------------------------------===//
#include "../Rows.h"
#include "Weights.h"

#include "tessera/Support/WindowPadding.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Whether a permute leaves the order of elements: only dimensions of extent 1 change places.
bool movesUnits(ttnn::PermuteOp permute) {
  int64_t last = -1;
  for (int64_t dimension : permute.getPermutation())
    if (shapeOf(permute.getInput())[size_t(dimension)] != 1 && std::exchange(last, dimension) > dimension)
      return false;
  return true;
}

/// The elements of a constant of floats, in the order of rows; none if they are not known.
DenseFPElementsAttr numbersOf(mlir::Value value) {
  for (Operation *op = makerOf(value); op; op = makerOf(op->getOperand(0))) {
    if (auto constant = dyn_cast<ttnn::ConstantOp>(op))
      return dyn_cast<DenseFPElementsAttr>(constant.getValueAttr());
    auto permute = dyn_cast<ttnn::PermuteOp>(op);
    if (!isa<ttnn::ReshapeOp, ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp, ttnn::ToDeviceOp>(op) &&
        !(permute && movesUnits(permute)))
      break;
  }
  return {};
}

/// Of each window along one dimension the elements that lie in the image.
llvm::SmallVector<int64_t> inImage(int64_t size, int64_t kernel, int64_t stride, int64_t before,
                                   int64_t after) {
  llvm::SmallVector<int64_t> counts;
  for (int64_t begin = -before; begin + kernel <= size + after; begin += stride)
    counts.push_back(std::min(begin + kernel, size) - std::max<int64_t>(begin, 0));
  return counts;
}

/// The counts of all windows of an image, in the order of its pixels.
llvm::SmallVector<int64_t> countsOf(ttnn::AvgPool2dOp pool) {
  auto kernel = pool.getKernelSize(), stride = pool.getStride();
  const auto padding = WindowPadding::read(ttnn::AvgPool2dOp::getOperationName(), pool.getPadding());
  llvm::SmallVector<int64_t> all,
      rows = inImage(integerOf(pool.getInputHeightAttr()), kernel[0], stride[0], padding.top, padding.bottom),
      columns =
          inImage(integerOf(pool.getInputWidthAttr()), kernel[1], stride[1], padding.left, padding.right);
  for (int64_t row : rows)
    for (int64_t column : columns)
      all.push_back(row * column);
  return all;
}

/// A mean that divides by as many elements as windows have, wherever these lie.
bool countsPadding(ttnn::AvgPool2dOp pool) {
  IntegerAttr divisor = pool.getDivisorOverrideAttr();
  return pool.getCountIncludePad().value_or(true) && (!divisor || integerOf(divisor) == 0) &&
         !pool.getCeilMode() && llvm::all_of(pool.getDilation(), [](int32_t step) { return step == 1; }) &&
         integerOf(pool.getBatchSizeAttr()) == 1;
}

} // namespace

bool proposeCountedPool(Operation *root, Proposal &proposal) {
  auto quotient = cast<ttnn::DivideOp>(root);
  if (appliesActivations(root) || shapeOf(quotient.getLhs()) != shapeOf(quotient.getResult()))
    return false;
  Scaled sums = throughScales(operandOf(root, 0));
  while (sums.tensor.maker<ttnn::ToMemoryConfigOp>() || sums.tensor.maker<ttnn::ToLayoutOp>())
    sums.tensor = sums.tensor.before();
  auto pool = sums.tensor.maker<ttnn::AvgPool2dOp>();
  if (!pool || shapeOf(pool.getResult()) != shapeOf(quotient.getResult()) || !countsPadding(pool) ||
      sums.by != double(pool.getKernelSize()[0]) * double(pool.getKernelSize()[1]))
    return false;
  // One for each pixel.
  ArrayRef<int64_t> divisors = shapeOf(quotient.getRhs());
  DenseFPElementsAttr numbers = numbersOf(quotient.getRhs());
  llvm::SmallVector<int64_t> counts = countsOf(pool);
  const auto pixels = int64_t(counts.size());
  if (!numbers || divisors.empty() || divisors.back() != 1 ||
      typeOf(quotient.getRhs()).getNumElements() != pixels || numbers.getNumElements() != pixels ||
      divisors[divisors.size() - 2] != pixels)
    return false;
  for (auto [number, count] : llvm::zip_equal(numbers.getValues<APFloat>(), counts))
    if (count < 1 || number.convertToDouble() != double(count))
      return false;
  const Traced image = operandOf(pool, 0);
  if (!isPlaced(image.value) || !mayBeReadAt(image, root))
    return false;
  IRMapping same;
  auto made = cast<ttnn::AvgPool2dOp>(proposal.copy(pool, same, shapeOf(pool.getResult())));
  made.setCountIncludePad(false);
  proposal.isAbout(made);
  proposal.replace(root, proposal.cast(proposal.paged(made.getResult(), PageLayout::Tile),
                                       typeOf(quotient.getResult()).getElementType()));
  return true;
}

} // namespace tessera::rewrite
