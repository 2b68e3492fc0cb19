//===- Integers.cpp - Whole numbers that are known before the call --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Indices of caches and masks are computed of positions: counted by arange, compared, chosen, repeated. Rows that
// want to know where something is written, or what a mask leaves, compute them as the program would, element by
// element. Only the ops that occur there are known; every other op makes the answer nullopt, which is never wrong.
//
//===----------------------------------------------------------------------===//
#include "Integers.h"

#include "Match.h"
#include "tessera/Dialect/TTCore/TTCore.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace tessera::rewrite {

namespace {

using Numbers = std::optional<llvm::SmallVector<int64_t>>;
/// Element by element, if the function has a result for each; an operand of one element belongs to all. Other broadcasts are not known.
template <class Function>
Numbers elementwise(Operation *op, int64_t most, Function function) {
  llvm::SmallVector<llvm::SmallVector<int64_t>> operands;
  auto count = size_t(typeOf(op->getResult(0)).getNumElements());
  for (mlir::Value operand : op->getOperands()) {
    Numbers numbers = integersIn(operand, most);
    if (!numbers || (numbers->size() != count && numbers->size() != 1))
      return std::nullopt;
    operands.push_back(std::move(*numbers));
  }
  llvm::SmallVector<int64_t> results(count);
  for (size_t i = 0; i < count; ++i) {
    auto at = [&](size_t operand) { return operands[operand][operands[operand].size() == 1 ? 0 : i]; };
    std::optional<int64_t> result = function(at);
    if (!result)
      return std::nullopt;
    results[i] = *result;
  }
  return results;
}

/// The sum; nullopt if 64 bits have no room for it.
std::optional<int64_t> sumOf(int64_t a, int64_t b) {
  int64_t sum = 0;
  return llvm::AddOverflow(a, b, sum) ? std::nullopt : std::optional(sum);
}

/// The length is that of the type, which the verifier has compared with begin, end and step.
Numbers counted(ttnn::ArangeOp range) {
  llvm::SmallVector<int64_t> numbers;
  std::optional<int64_t> next = integerOf(range.getStartAttr());
  for (int64_t i = 0; i < typeOf(range.getResult()).getNumElements(); ++i) {
    if (!next)
      return std::nullopt;
    numbers.push_back(*next);
    next = sumOf(*next, integerOf(range.getStepAttr()));
  }
  return numbers;
}

/// The operand again and again in each dimension.
Numbers repeated(ttnn::RepeatOp repeat, int64_t most) {
  Numbers once = integersIn(repeat.getInput(), most);
  ArrayRef<int64_t> to = shapeOf(repeat.getResult()), from = shapeOf(repeat.getInput());
  if (!once || to.size() != from.size())
    return std::nullopt;
  llvm::SmallVector<int64_t> numbers(size_t(typeOf(repeat.getResult()).getNumElements()));
  for (size_t i = 0; i < numbers.size(); ++i) {
    // Element i of the result by its index in each dimension, from the last on; within the operand that index starts
    // anew.
    int64_t rest = int64_t(i), at = 0, stride = 1;
    for (size_t dimension = to.size(); dimension-- > 0; rest /= to[dimension]) {
      at += rest % to[dimension] % from[dimension] * stride;
      stride *= from[dimension];
    }
    numbers[i] = (*once)[size_t(at)];
  }
  return numbers;
}

} // namespace

Numbers integersIn(mlir::Value value, int64_t most) {
  Operation *op = value.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!op || !type || !type.hasStaticShape() || type.getNumElements() > most || isWritten(value))
    return std::nullopt;
  if (std::optional<double> splat = splatOf(value))
    return std::trunc(*splat) == *splat && std::abs(*splat) < 0x1p31
               ? Numbers(llvm::SmallVector<int64_t>(size_t(type.getNumElements()), int64_t(*splat)))
               : std::nullopt;
  if (auto load = dyn_cast<ttcore::LoadCachedOp>(op)) {
    mlir::Value computed = computedBy(load, cast<OpResult>(value).getResultNumber());
    return computed ? integersIn(computed, most) : std::nullopt;
  }
  if (auto range = dyn_cast<ttnn::ArangeOp>(op))
    return counted(range);
  if (auto constant = dyn_cast<ttnn::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseIntElementsAttr>(constant.getValueAttr());
    if (!elements)
      return std::nullopt;
    return llvm::map_to_vector(elements.getValues<APInt>(), [&](const APInt &number) {
      return integerOf(number, elements.getElementType());
    });
  }
  if (auto repeat = dyn_cast<ttnn::RepeatOp>(op))
    return repeated(repeat, most);
  // What changes neither elements nor their order. A cast to fewer bits could; positions are small.
  if (isa<ttnn::ReshapeOp, ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp, ttnn::ToDeviceOp>(op))
    return integersIn(op->getOperand(0), most);
  if (isa<ttnn::AddOp, ttnn::GreaterThanOp>(op) && appliesActivations(op))
    return std::nullopt;
  if (isa<ttnn::AddOp>(op))
    return elementwise(op, most, [](auto at) { return sumOf(at(0), at(1)); });
  if (isa<ttnn::GreaterThanOp>(op))
    return elementwise(op, most, [](auto at) { return int64_t(at(0) > at(1)); });
  if (isa<ttnn::WhereOp>(op))
    return elementwise(op, most, [](auto at) { return at(0) != 0 ? at(1) : at(2); });
  return std::nullopt;
}

/// In-place updates trust their positions, so one out of bounds would overwrite another user's rows.
mlir::Value keptBelow(mlir::Value positions, ArrayRef<int64_t> shape, int64_t count, Proposal &proposal) {
  auto clamp = positions.getDefiningOp<ttnn::ClampScalarOp>();
  auto bound = [](Attribute attribute) {
    auto number = dyn_cast<IntegerAttr>(attribute);
    // Of a bound that is no whole number nothing is known.
    return number ? integerOf(number) : int64_t(-1);
  };
  bool isKept =
      clamp && bound(clamp.getMin()) >= 0 && bound(clamp.getMax()) >= 0 && bound(clamp.getMax()) < count;
  positions = proposal.reshaped(positions, shape);
  OpBuilder &b = proposal.attributes();
  return isKept
             ? positions
             : proposal
                   .make<ttnn::ClampScalarOp>(Proposal::typeLike(positions, shape), positions,
                                              b.getI32IntegerAttr(0), b.getI32IntegerAttr(int32_t(count - 1)))
                   .getResult();
}

} // namespace tessera::rewrite
