//===- Norms.cpp - Norms from their parts ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   rms_norm      x / sqrt(mean(x^2) + epsilon)
//   layer_norm    the same of x - mean(x)
//
// along the last dimension, as compilers write them where the framework did not
// say that it is a norm.
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Rows.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// What the value is the mean of, along the last dimension.
std::optional<Traced> averaged(mlir::Value value) {
  return reducedAlongRows(value.getDefiningOp<ttnn::MeanOp>());
}

/// Back through casts and reshapes that leave rows as they are.
Traced throughRows(Traced traced) {
  traced = throughTypecasts(traced);
  while (auto reshape = traced.maker<ttnn::ReshapeOp>()) {
    ArrayRef<int64_t> from = shapeOf(reshape.getInput()), to = shapeOf(traced.value);
    if (!sameButForUnits(from, to) && (from.empty() || to.empty() || from.back() != to.back()))
      break;
    traced = throughTypecasts(traced.before());
  }
  return traced;
}

/// Whether both have the same rows, however these are counted, and `at` may read them, too.
bool haveSameRows(const Traced &a, const Traced &b, Operation *at) {
  ArrayRef<int64_t> left = shapeOf(a.value), right = shapeOf(b.value);
  if (left.empty() || right.empty() || left.back() != right.back())
    return false;
  Traced rows = throughRows(a), others = throughRows(b);
  return rows.value == others.value && mayBeReadAt(rows, at) && mayBeReadAt(others, at);
}

/// What the value is the square of.
std::optional<Traced> unsquared(mlir::Value value) {
  if (auto power = value.getDefiningOp<ttnn::PowScalarOp>())
    if (auto exponent = dyn_cast<FloatAttr>(power.getRhsAttr()))
      return exponent.getValueAsDouble() == 2 ? std::optional(operandOf(power, 0)) : std::nullopt;
  auto product = value.getDefiningOp<ttnn::MultiplyOp>();
  return product && !appliesActivations(product) && product.getLhs() == product.getRhs()
             ? std::optional(operandOf(product, 0))
             : std::nullopt;
}

/// What the value is at least: relu of it, or its maximum with 0. A variance is not below, whatever rounding makes of it.
Traced throughFloor(Traced value) {
  value = throughUnits(value);
  if (auto relu = value.maker<ttnn::ReluOp>())
    return throughUnits(operandOf(relu, 0));
  auto floor = value.maker<ttnn::MaximumOp>();
  if (floor && !appliesActivations(floor))
    for (unsigned number : {0u, 1u})
      if (splatOf(floor->getOperand(1 - number)) == 0)
        return throughUnits(operandOf(floor, number));
  return value;
}

/// 1 / sqrt(variance + epsilon).
struct InverseDeviation {
  Traced x;
  double epsilon = 0;
  bool isCentred = false;       ///< the variance is mean(x^2) - mean(x)^2, else mean(x^2)
  std::optional<Traced> weight; ///< a row by which it is multiplied, if it is
};

/// x of mean(x^2), or of mean(x^2) - mean(x)^2, as a framework computes it that goes through x only once.
std::optional<InverseDeviation> variance(Traced value) {
  value = throughFloor(value);
  auto squaredMean = [](Traced traced) {
    std::optional<Traced> squares = averaged(throughUnits(traced).value);
    return squares ? unsquared(throughTypecasts(*squares).value) : std::nullopt;
  };
  if (std::optional<Traced> x = squaredMean(value))
    return InverseDeviation{*x, 0, false, {}};
  auto difference = value.maker<ttnn::SubtractOp>();
  if (!difference || appliesActivations(difference))
    return std::nullopt;
  std::optional<Traced> x = squaredMean(operandOf(difference, 0));
  std::optional<Traced> mean = unsquared(throughUnits(operandOf(difference, 1)).value);
  std::optional<Traced> of = mean ? averaged(throughUnits(*mean).value) : std::nullopt;
  if (!x || !of)
    return std::nullopt;
  Traced squared = throughUnits(*x), meant = throughUnits(*of);
  return squared.value == meant.value && readAlike(squared.value, squared.reader, meant.reader)
             ? std::optional(InverseDeviation{*x, 0, true, {}})
             : std::nullopt;
}

/// variance + epsilon. The sum may apply relu to the variance, and `after` is all that it applies to its result.
std::optional<InverseDeviation> guarded(Traced value, StringRef after) {
  constexpr StringLiteral kBefore[] = {"input_tensor_a_activations", "input_tensor_b_activations"};
  auto sum = value.maker<ttnn::AddOp>();
  if (!sum || functionOf(sum, "activations") != after)
    return std::nullopt;
  for (unsigned number : {0u, 1u}) {
    std::optional<StringRef> floor = functionOf(sum, kBefore[number]);
    // A function of epsilon makes another number of it, and of the variance only relu leaves it as it is.
    if (functionOf(sum, kBefore[1 - number]) != "" || (floor != "" && floor != "relu"))
      continue;
    std::optional<double> epsilon = splatOf(sum->getOperand(1 - number));
    std::optional<InverseDeviation> found =
        epsilon ? variance(operandOf(sum, number)) : std::optional<InverseDeviation>();
    if (found) {
      found->epsilon = *epsilon;
      return found;
    }
  }
  return std::nullopt;
}

/// Factor `number` of a product, if it is one over a deviation: by an op, by the function that the sum applies to its result, or by the one
/// that the product applies to this factor alone; maybe times a row.
std::optional<InverseDeviation> inverseDeviation(ttnn::MultiplyOp product, unsigned number) {
  constexpr StringLiteral kIts[] = {"input_tensor_a_activations", "input_tensor_b_activations"};
  Traced factor = throughUnits(operandOf(product, number));
  const bool isOfRows = isForRows(product->getOperand(number));
  if (isOfRows && appliesOnly(product, "rsqrt", kIts[number]))
    return guarded(factor, "");
  if (appliesActivations(product))
    return std::nullopt;
  if (auto root = isOfRows ? factor.maker<ttnn::RsqrtOp>() : ttnn::RsqrtOp())
    return guarded(throughUnits(operandOf(root, 0)), "");
  if (std::optional<InverseDeviation> found =
          isOfRows ? guarded(factor, "rsqrt") : std::optional<InverseDeviation>())
    return found;
  // x (r w), which is (x r) w.
  auto weighted = factor.maker<ttnn::MultiplyOp>();
  int64_t width = shapeOf(product.getResult()).back();
  for (unsigned row : {0u, 1u}) {
    mlir::Value weight = weighted ? weighted->getOperand(row) : mlir::Value();
    if (!weight || !isPlaced(weight) || shapeOf(weight).empty() || shapeOf(weight).back() != width ||
        typeOf(weight).getNumElements() != width)
      continue;
    // A second row would have to be multiplied with the first: the op has one weight.
    std::optional<InverseDeviation> found = inverseDeviation(weighted, 1 - row);
    if (found && !found->weight) {
      found->weight = operandOf(weighted, row);
      return found;
    }
  }
  return std::nullopt;
}

/// The same of the denominator of a quotient, which is the deviation itself.
std::optional<InverseDeviation> deviation(ttnn::DivideOp quotient) {
  Traced divisor = throughUnits(operandOf(quotient, 1));
  if (!isForRows(quotient.getRhs()))
    return std::nullopt;
  if (appliesOnly(quotient, "sqrt", "input_tensor_b_activations"))
    return guarded(divisor, "");
  if (appliesActivations(quotient))
    return std::nullopt;
  if (auto root = divisor.maker<ttnn::SqrtOp>())
    return guarded(throughUnits(operandOf(root, 0)), "");
  return guarded(divisor, "sqrt");
}

/// What operand `number` of the product or quotient is divided by.
std::optional<InverseDeviation> dividing(Operation *op, unsigned number) {
  if (auto product = dyn_cast<ttnn::MultiplyOp>(op))
    return inverseDeviation(product, 1 - number);
  return number == 0 ? deviation(cast<ttnn::DivideOp>(op)) : std::nullopt;
}

/// What the value is less its mean, if it is that and `at` may read it.
std::optional<Traced> uncentred(mlir::Value value, Operation *at) {
  auto difference = value.getDefiningOp<ttnn::SubtractOp>();
  if (!difference || appliesActivations(difference) || !isForRows(difference.getRhs()))
    return std::nullopt;
  std::optional<Traced> of = averaged(throughUnits(operandOf(difference, 1)).value);
  Traced whole = operandOf(difference, 0);
  return of && haveSameRows(*of, whole, at) ? std::optional(whole) : std::nullopt;
}

template <class Norm>
Norm makeNorm(Proposal &proposal, mlir::Value x, mlir::Value weight, mlir::Value bias, FloatAttr epsilon,
              ttnn::DeviceComputeKernelConfigAttr compute) {
  auto made =
      proposal.make<Norm>(Proposal::typeLike(x, shapeOf(x)), x, weight, bias, epsilon,
                          /*program_config=*/ttnn::LayerNormShardedMultiCoreProgramConfigAttr(), compute);
  proposal.isAbout(made);
  return made;
}

/// The norm with the row as its weight or bias; null if it has one already.
template <class Norm>
mlir::Value withRow(Norm norm, Operation *root, mlir::Value row, Proposal &proposal) {
  const bool isBias = isa<ttnn::AddOp>(root);
  // The bias comes last, so what has one takes no weight any more.
  if (norm.getBias() || (!isBias && norm.getWeight()) || norm.getProgramConfig())
    return {};
  mlir::Value flat = proposal.reshaped(row, {shapeOf(row).back()});
  mlir::Value weight = isBias ? norm.getWeight() : flat, bias = isBias ? flat : mlir::Value();
  return makeNorm<Norm>(proposal, norm.getInput(), weight, bias, norm.getEpsilonAttr(),
                        norm.getComputeConfigAttr());
}

} // namespace

/// The tensor of bf16 that was widened to x, if what is made of the norm is narrow again right behind its weight or its bias: the norm's
/// kernel adds up in fp32 whatever it reads, and rounds once, as that does. Else x.
static Traced narrowInput(Traced x, Operation *root) {
  Traced narrow = throughTypecasts(x);
  Operation *reader = onlyReader(root->getResult(0));
  bool isNarrowAgain = reader && isa<ttnn::TypecastOp, ttnn::AddOp>(reader) &&
                       typeOf(reader->getResult(0)).getElementType() == typeOf(narrow.value).getElementType();
  return isNarrowAgain || typeOf(root->getResult(0)).getElementType() == typeOf(narrow.value).getElementType()
             ? narrow
             : x;
}

bool proposeNorm(Operation *root, Proposal &proposal) {
  mlir::Value result = root->getResult(0);
  for (unsigned number : {0u, 1u}) {
    std::optional<InverseDeviation> inverse = dividing(root, number);
    Traced scaledBy = throughUnits(operandOf(root, number));
    if (!inverse || shapeOf(root->getOperand(number)) != shapeOf(result))
      continue;
    // Casts and units aside, what is divided is what was squared; or that less its mean, if the variance is about its mean.
    std::optional<Traced> whole = uncentred(scaledBy.value, root);
    Traced divided = inverse->isCentred ? whole.value_or(scaledBy) : scaledBy;
    if (inverse->isCentred && !whole)
      continue;
    // Both may be x less its mean, each rounded in its own way.
    std::optional<Traced> squared = whole ? uncentred(throughUnits(inverse->x).value, root) : std::nullopt;
    const bool areCentredAlike = squared && haveSameRows(*squared, *whole, root);
    if (!areCentredAlike && !haveSameRows(divided, inverse->x, root))
      continue;
    Traced x = whole.value_or(inverse->x);
    if (!isPlaced(x.value) || !isFloat(x.value))
      return false;
    x = narrowInput(x, root);
    if (!isPlaced(x.value) || !mayBeReadAt(x, root) ||
        (inverse->weight && !mayBeReadAt(*inverse->weight, root)))
      return false;
    FloatAttr epsilon = proposal.attributes().getF32FloatAttr(float(inverse->epsilon));
    // In the shape of the product: what follows may be the norm's weight, and a reshape before may go.
    mlir::Value input = proposal.reshaped(x.value, shapeOf(result));
    mlir::Value weight;
    if (inverse->weight)
      weight = proposal.reshaped(inverse->weight->value, {shapeOf(inverse->weight->value).back()});
    auto exactly = proposal.exactly(ttnn::MathFidelity::HiFi4);
    mlir::Value made =
        whole ? makeNorm<ttnn::LayerNormOp>(proposal, input, weight, {}, epsilon, exactly).getResult()
              : makeNorm<ttnn::RMSNormOp>(proposal, input, weight, {}, epsilon, exactly).getResult();
    proposal.replace(root, proposal.cast(made, typeOf(result).getElementType()));
    return true;
  }
  return false;
}

/// Whether what is made of the value of fp32, element by element or as sums, leaves the function as fp32.
static bool leavesWide(mlir::Value value) {
  auto isWide = [](mlir::Value each) { return typeOf(each).getElementType().isF32(); };
  SmallVector<mlir::Value> open{value};
  SmallPtrSet<Operation *, 16> seen;
  while (!open.empty())
    for (Operation *reader : open.pop_back_val().getUsers()) {
      if (isa<func::ReturnOp>(reader))
        return true;
      bool goesOn = isElementwise(reader) || isa<ttnn::ReshapeOp, ttnn::PermuteOp, ttnn::SumOp, ttnn::MeanOp,
                                                 ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp>(reader);
      if (goesOn && isWide(reader->getResult(0)) && seen.insert(reader).second)
        open.push_back(reader->getResult(0));
    }
  return false;
}

/// rms_norm of x - mean(x), as a compiler leaves it that knows no other norm.
bool proposeCentredNorm(Operation *root, Proposal &proposal) {
  auto rms = cast<ttnn::RMSNormOp>(root);
  std::optional<Traced> whole = uncentred(rms.getInput(), root);
  if (!whole || rms.getProgramConfig())
    return false;
  // The norm adds up in fp32 whatever it reads, so what was widened for the mean need not be; unless its result is then the only thing that
  // is rounded to bf16 in the function.
  Traced x = leavesWide(rms.getResult()) ? *whole : throughTypecasts(*whole);
  if (!isPlaced(x.value) || shapeOf(x.value) != shapeOf(rms.getResult()) || !mayBeReadAt(x, root))
    return false;
  auto compute = rms.getComputeConfigAttr();
  auto made =
      makeNorm<ttnn::LayerNormOp>(proposal, x.value, rms.getWeight(), rms.getBias(), rms.getEpsilonAttr(),
                                  compute ? compute : proposal.exactly(ttnn::MathFidelity::HiFi4));
  proposal.replace(root, proposal.cast(made.getResult(), typeOf(rms.getResult()).getElementType()));
  return true;
}

/// What only the op reads, back through a cast.
static mlir::Value throughOwnCast(mlir::Value value) {
  auto cast = value.getDefiningOp<ttnn::TypecastOp>();
  return cast && cast->hasOneUse() ? cast.getInput() : value;
}

bool proposeNormWeights(Operation *root, Proposal &proposal) {
  if (appliesActivations(root))
    return false;
  for (unsigned number : {0u, 1u}) {
    // A norm that was widened for its row alone makes what the sum makes of it.
    mlir::Value normed = throughOwnCast(root->getOperand(number)), row = root->getOperand(1 - number);
    auto layer = normed.getDefiningOp<ttnn::LayerNormOp>();
    auto rms = normed.getDefiningOp<ttnn::RMSNormOp>();
    if ((!layer && !rms) || !normed.hasOneUse() || !isPlaced(row) || shapeOf(row).empty() ||
        typeOf(row).getNumElements() != shapeOf(row).back() ||
        shapeOf(row).back() != shapeOf(normed).back() || typeOf(normed) != typeOf(root->getResult(0)) ||
        !mayAllBeReadAt(normed.getDefiningOp(), root) || (rms && isa<ttnn::AddOp>(root)))
      continue;
    mlir::Value made = layer ? withRow(layer, root, row, proposal) : withRow(rms, root, row, proposal);
    if (!made)
      return false;
    proposal.replace(root, made);
    return true;
  }
  return false;
}

} // namespace tessera::rewrite
