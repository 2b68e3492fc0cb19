//===- Constants.cpp - Constants that meet ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   (x + a) + b   ->   x + (a + b)         (x * a) * b   ->   x * (a * b)
//
// const-eval computes a + b once. Such are the bias and the mask of window
// attention, which takes one mask, and the k * k that a mean over windows is multiplied by
// where a framework divides sums.
//
//===----------------------------------------------------------------------===//
#include "../ConstEval.h"
#include "../Match.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// A sum or product of a tensor and a constant that broadcasts to it.
struct WithConstant {
  Traced tensor;
  mlir::Value constant;
  std::optional<double> number; ///< what all elements of the constant are, or of one divided by it
};
/// Whether another such op may stand in front, maybe behind a cast and a reshape: asked first, since what is constant takes longer to
/// find out.
bool mayStandBehindOne(mlir::Value tensor) {
  for (unsigned between = 0; tensor.hasOneUse() && between <= 2; ++between) {
    Operation *maker = tensor.getDefiningOp();
    if (!isa_and_nonnull<ttnn::ReshapeOp, ttnn::TypecastOp>(maker))
      return isa_and_nonnull<ttnn::AddOp, ttnn::MultiplyOp, ttnn::DivideOp>(maker);
    tensor = maker->getOperand(0);
  }
  return false;
}

std::optional<WithConstant> withConstant(Operation *op, bool isSecond) {
  if (!isa_and_nonnull<ttnn::AddOp, ttnn::MultiplyOp, ttnn::DivideOp>(op) || appliesActivations(op))
    return std::nullopt;
  mlir::Value result = op->getResult(0);
  for (unsigned number : {0u, 1u}) {
    mlir::Value tensor = op->getOperand(number), constant = op->getOperand(1 - number);
    if (shapeOf(tensor) != shapeOf(result) || !isPlaced(tensor) || !isPlaced(constant) ||
        !isFloat(constant) || (isSecond && !mayStandBehindOne(tensor)) || isConstant(tensor) ||
        !isConstant(constant))
      continue;
    WithConstant found{operandOf(op, number), constant, splatOf(constant)};
    if (!isa<ttnn::DivideOp>(op))
      return found;
    if (number != 0 || !found.number || *found.number == 0)
      return std::nullopt;
    found.number = 1 / *found.number;
    return found;
  }
  return std::nullopt;
}

bool isSum(Operation *op) { return isa<ttnn::AddOp>(op); }

/// The constant, which broadcasts to `to`, as it broadcasts to what a reshape makes `to` of. Null if it has more elements then than `most`.
mlir::Value beforeReshape(mlir::Value constant, ArrayRef<int64_t> from, ArrayRef<int64_t> to, int64_t most,
                          Proposal &proposal) {
  llvm::SmallVector<int64_t> aligned(to.size() - shapeOf(constant).size(), 1), shape(from.size(), 1);
  llvm::append_range(aligned, shapeOf(constant));
  llvm::SmallVector<int64_t> whole(aligned);
  for (const KeptTogether &block : blocksOf(from, to)) {
    // Dimensions that are one before the reshape vary together.
    if (llvm::all_of(block.to, [&](int64_t dimension) { return aligned[size_t(dimension)] == 1; }))
      continue;
    for (int64_t dimension : block.to)
      whole[size_t(dimension)] = to[size_t(dimension)];
    for (int64_t dimension : block.from)
      shape[size_t(dimension)] = from[size_t(dimension)];
  }
  if (llvm::product_of(shape) > most)
    return {};
  return proposal.reshaped(proposal.repeated(proposal.reshaped(constant, aligned), whole), shape);
}

/// Whether elements of the type are the number, with all bits that f32 has of it.
bool areExactly(double number, Type type) {
  auto floats = dyn_cast<FloatType>(type);
  llvm::APFloat each(static_cast<float>(number));
  bool losesBits = false;
  if (floats)
    each.convert(floats.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesBits);
  return !losesBits;
}

/// Whether the type has the factor or what divides by it: 1/9 is none of bf16, but 9 is.
bool hasFactor(double number, Type type) { return areExactly(number, type) || areExactly(1 / number, type); }

/// Whether one number does to elements of the type what the two did, one after the other. A product may have no place in fp32 where what it
/// is multiplied with brings it back, and a number of which the type holds whole ones only rounds what it is added to, as x + 2^23 - 2^23 means
/// to: that is no sum that cancels.
bool maySumUp(Operation *op, double first, double second, Type elementType) {
  const double number = isSum(op) ? first + second : first * second;
  if (isSum(op)) {
    auto type = dyn_cast<FloatType>(elementType);
    return type && (std::abs(first) < std::ldexp(1.0, int(type.getFPMantissaWidth()) - 1) ||
                    std::abs(number) >= std::abs(first));
  }
  // All elements would be off by what the factor is rounded by.
  if (hasFactor(first, elementType) && hasFactor(second, elementType) && !hasFactor(number, elementType))
    return false;
  auto isNormal = [](double each) { return std::isnormal(float(each)); };
  return isNormal(number) || !isNormal(first) || !isNormal(second);
}

/// Whether a product with the number is a quotient of such elements, which have its inverse and not the number.
bool divides(Operation *op, double number, Type type) {
  return !isSum(op) && !areExactly(number, type) && areExactly(1 / number, type);
}

/// Both in one, of elements like those of `x`; null where there is nothing left to do.
mlir::Value inOne(Operation *op, mlir::Value x, const WithConstant &first, const WithConstant &second,
                  mlir::Value later, Proposal &proposal) {
  Type elementType = typeOf(op->getResult(0)).getElementType();
  if (first.number && second.number) {
    double number = isSum(op) ? *first.number + *second.number : *first.number * *second.number;
    if (number == (isSum(op) ? 0 : 1))
      return {};
    if (divides(op, number, elementType))
      number = 1 / number;
    const llvm::SmallVector<int64_t> ones(shapeOf(x).size(), 1);
    return proposal.make<ttnn::FullOp>(Proposal::typeLike(x, ones, elementType), proposal.device(),
                                       ttnn::ShapeAttr::get(x.getContext(), ones),
                                       proposal.attributes().getF32FloatAttr(float(number)));
  }
  llvm::SmallVector<int64_t> shape(shapeOf(x).size() - shapeOf(first.constant).size(), 1);
  llvm::append_range(shape, shapeOf(first.constant));
  mlir::Value early = proposal.reshaped(first.constant, shape);
  for (auto [extent, other] : llvm::zip_equal(shape, shapeOf(later)))
    extent = std::max(extent, other);
  return proposal
      .makeNamed(isSum(op) ? "add" : "multiply", {early, later}, Proposal::typeLike(x, shape, elementType))
      ->getResult(0);
}

} // namespace

bool proposeJoinedConstants(Operation *root, Proposal &proposal) {
  std::optional<WithConstant> second = withConstant(root, /*isSecond=*/true);
  if (!second)
    return false;
  mlir::Value between = second->tensor.value;
  const bool isCast = between.getDefiningOp<ttnn::TypecastOp>() && between.hasOneUse();
  if (isCast)
    between = throughWidening(second->tensor).value;
  const llvm::SmallVector<int64_t> to(shapeOf(between));
  if (auto reshape = between.getDefiningOp<ttnn::ReshapeOp>(); reshape && between.hasOneUse())
    between = reshape.getInput();
  Operation *inner = between.getDefiningOp();
  std::optional<WithConstant> first =
      between.hasOneUse() ? withConstant(inner, /*isSecond=*/false) : std::nullopt;
  Type elementType = typeOf(root->getResult(0)).getElementType();
  // In one type, but where nothing is left to do: the joined constant has no more bits than the others.
  if (!first || isSum(inner) != isSum(root) || !mayBeReadAt(first->tensor, root) ||
      (!isCast && typeOf(between).getElementType() != elementType))
    return false;
  mlir::Value x = first->tensor.value, later;
  const bool areNumbers = first->number && second->number;
  // A division by what is no number would have to stay one.
  if (!areNumbers && (isa<ttnn::DivideOp>(root) || isa<ttnn::DivideOp>(inner)))
    return false;
  if (areNumbers && !maySumUp(root, *first->number, *second->number, typeOf(between).getElementType()))
    return false;
  if (!areNumbers &&
      !(later = beforeReshape(second->constant, shapeOf(between), to, typeOf(x).getNumElements(), proposal)))
    return false;
  mlir::Value constant = inOne(root, x, *first, *second, later, proposal), made = x;
  if (constant && isCast)
    return false;
  if (constant) {
    const bool isQuotient = areNumbers && divides(root, *first->number * *second->number, elementType);
    Operation *once = proposal.makeNamed(isSum(root)  ? "add"
                                         : isQuotient ? "divide"
                                                      : "multiply",
                                         {x, constant}, Proposal::typeLike(x, shapeOf(between), elementType));
    proposal.isAbout(once);
    made = once->getResult(0);
  }
  proposal.replace(root, proposal.reshaped(proposal.cast(made, elementType), shapeOf(root->getResult(0))));
  return true;
}

} // namespace tessera::rewrite
