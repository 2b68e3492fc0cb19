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
#include "Match.h"
#include "Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// What the value is the mean of, along the last dimension.
std::optional<Traced> averaged(mlir::Value value) {
  return reducedAlongRows(value.getDefiningOp<ttnn::MeanOp>());
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

/// What the factor `number` of the product is one over the root of: by an op, or by the function that the product applies to this factor
/// alone.
std::optional<Traced> underInverseRoot(ttnn::MultiplyOp product, unsigned number) {
  const StringRef its[] = {"input_tensor_a_activations", "input_tensor_b_activations"};
  Traced factor = throughUnits(operandOf(product, number));
  if (appliesOnly(product, "rsqrt", its[number]))
    return factor;
  auto root = factor.maker<ttnn::RsqrtOp>();
  return root && !appliesActivations(product) ? std::optional(throughUnits(operandOf(root, 0)))
                                              : std::nullopt;
}

/// 1 / sqrt(mean(x^2) + epsilon).
struct InverseDeviation {
  Traced x;
  double epsilon;
};
std::optional<InverseDeviation> inverseDeviation(ttnn::MultiplyOp product, unsigned number) {
  std::optional<Traced> under = underInverseRoot(product, number);
  auto sum = under ? under->maker<ttnn::AddOp>() : ttnn::AddOp();
  if (!sum || appliesActivations(sum))
    return std::nullopt;
  for (unsigned number : {0u, 1u}) {
    std::optional<double> epsilon = splatOf(sum->getOperand(1 - number));
    std::optional<Traced> squares = averaged(throughUnits(operandOf(sum, number)).value);
    std::optional<Traced> x = squares ? unsquared(throughTypecasts(*squares).value) : std::nullopt;
    if (epsilon && x)
      return InverseDeviation{*x, *epsilon};
  }
  return std::nullopt;
}

/// What the value is less its mean, if it is that.
std::optional<Traced> uncentred(mlir::Value value) {
  auto difference = value.getDefiningOp<ttnn::SubtractOp>();
  if (!difference || appliesActivations(difference))
    return std::nullopt;
  std::optional<Traced> of = averaged(throughUnits(operandOf(difference, 1)).value);
  Traced whole = operandOf(difference, 0);
  return of && throughUnits(*of).value == throughUnits(whole).value ? std::optional(whole) : std::nullopt;
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

bool proposeNorm(Operation *root, Proposal &proposal) {
  auto product = cast<ttnn::MultiplyOp>(root);
  for (unsigned number : {0u, 1u}) {
    std::optional<InverseDeviation> inverse = inverseDeviation(product, 1 - number);
    Traced scaledBy = throughUnits(operandOf(product, number));
    // Casts and units aside, what is divided is what was squared.
    if (!inverse || scaledBy.value != throughUnits(inverse->x).value ||
        shapeOf(product->getOperand(number)) != shapeOf(product.getResult()))
      continue;
    std::optional<Traced> whole = uncentred(scaledBy.value);
    Traced x = whole.value_or(inverse->x);
    if (!isPlaced(x.value) || !isFloat(x.value) || !mayBeReadAt(x, root))
      return false;
    FloatAttr epsilon = proposal.attributes().getF32FloatAttr(float(inverse->epsilon));
    // In the shape of the product: what follows may be the norm's weight, and a reshape before may go.
    mlir::Value input = proposal.reshaped(x.value, shapeOf(product.getResult()));
    auto exactly = proposal.exactly(ttnn::MathFidelity::HiFi4);
    mlir::Value made =
        whole ? makeNorm<ttnn::LayerNormOp>(proposal, input, {}, {}, epsilon, exactly).getResult()
              : makeNorm<ttnn::RMSNormOp>(proposal, input, {}, {}, epsilon, exactly).getResult();
    proposal.replace(root, proposal.cast(made, typeOf(product.getResult()).getElementType()));
    return true;
  }
  return false;
}

/// rms_norm of x - mean(x), as a compiler leaves it that knows no other norm.
bool proposeCentredNorm(Operation *root, Proposal &proposal) {
  auto rms = cast<ttnn::RMSNormOp>(root);
  std::optional<Traced> whole = uncentred(rms.getInput());
  if (!whole || rms.getProgramConfig())
    return false;
  // The norm adds up in fp32 whatever it reads, so what was widened for the mean need not be.
  Traced x = throughTypecasts(*whole);
  if (!isPlaced(x.value) || shapeOf(x.value) != shapeOf(rms.getResult()) || !mayBeReadAt(x, root))
    return false;
  auto compute = rms.getComputeConfigAttr();
  auto made =
      makeNorm<ttnn::LayerNormOp>(proposal, x.value, rms.getWeight(), rms.getBias(), rms.getEpsilonAttr(),
                                  compute ? compute : proposal.exactly(ttnn::MathFidelity::HiFi4));
  proposal.replace(root, proposal.cast(made.getResult(), typeOf(rms.getResult()).getElementType()));
  return true;
}

bool proposeNormWeights(Operation *root, Proposal &proposal) {
  if (appliesActivations(root))
    return false;
  for (unsigned number : {0u, 1u}) {
    mlir::Value normed = root->getOperand(number), row = root->getOperand(1 - number);
    auto layer = normed.getDefiningOp<ttnn::LayerNormOp>();
    auto rms = normed.getDefiningOp<ttnn::RMSNormOp>();
    if ((!layer && !rms) || !normed.hasOneUse() || !isPlaced(row) || shapeOf(row).empty() ||
        typeOf(row).getNumElements() != shapeOf(row).back() ||
        shapeOf(row).back() != shapeOf(normed).back() || typeOf(normed) != typeOf(root->getResult(0)) ||
        !mayBeReadAt(operandOf(normed.getDefiningOp(), 0), root) || (rms && isa<ttnn::AddOp>(root)))
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
