//===- Softmax.cpp - Softmax from its parts -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   e = exp(x - max(x)),  e / sum(e)   ->   softmax(x)
//
// along the last dimension, as frameworks write it where casts stand between the
// parts.
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Rows.h"

using namespace mlir;

namespace tessera::rewrite {

/// x of exp(x), the function an op of its own or applied by the difference that x is; with whether it is that.
static std::optional<std::pair<Traced, ttnn::SubtractOp>> exponent(Traced value) {
  if (auto exp = value.maker<ttnn::ExpOp>()) {
    Traced x = throughTypecasts(operandOf(exp, 0));
    auto difference = x.maker<ttnn::SubtractOp>();
    if (difference && !appliesActivations(difference))
      return std::pair(operandOf(difference, 0), difference);
  }
  auto difference = value.maker<ttnn::SubtractOp>();
  return difference && appliesOnly(difference, "exp", "activations")
             ? std::optional(std::pair(operandOf(difference, 0), difference))
             : std::nullopt;
}

/// What the value is the largest of, along rows; a bound below all numbers beside it changes nothing.
static std::optional<Traced> largestOf(Traced value) {
  value = throughUnits(value);
  if (auto bounded = value.maker<ttnn::MaximumOp>(); bounded && !appliesActivations(bounded))
    for (unsigned number : {0u, 1u})
      if (std::optional<double> bound = splatOf(bounded->getOperand(number)); bound && *bound < -1e38)
        value = throughUnits(operandOf(bounded, 1 - number));
  return reducedAlongRows(value.maker<ttnn::MaxOp>());
}

bool proposeSoftmax(Operation *root, Proposal &proposal) {
  auto quotient = cast<ttnn::DivideOp>(root);
  if (appliesActivations(quotient))
    return false;
  Traced numerator = throughTypecasts(operandOf(quotient, 0));
  std::optional<Traced> summed = reducedAlongRows(throughUnits(operandOf(quotient, 1)).maker<ttnn::SumOp>());
  auto parts = exponent(numerator);
  if (!summed || !parts || throughTypecasts(*summed).value != numerator.value ||
      !isForRows(quotient.getRhs()))
    return false;
  auto &[x, difference] = *parts;
  std::optional<Traced> largest = largestOf(operandOf(difference, 1));
  if (!largest || !isForRows(difference.getRhs()) ||
      throughTypecasts(*largest).value != throughTypecasts(x).value || !isPlaced(x.value) ||
      !isFloat(x.value) || shapeOf(x.value) != shapeOf(quotient.getResult()) || !mayBeReadAt(x, root))
    return false;
  OpBuilder &b = proposal.attributes();
  int64_t last = int64_t(shapeOf(x.value).size()) - 1;
  auto made = proposal.make<ttnn::SoftmaxOp>(Proposal::typeLike(x.value, shapeOf(x.value)), x.value,
                                             b.getSI32IntegerAttr(int32_t(last)), /*numericStable=*/true,
                                             proposal.exactly(ttnn::MathFidelity::HiFi4));
  proposal.isAbout(made);
  proposal.replace(root, proposal.cast(made.getResult(), typeOf(quotient.getResult()).getElementType()));
  return true;
}

} // namespace tessera::rewrite
