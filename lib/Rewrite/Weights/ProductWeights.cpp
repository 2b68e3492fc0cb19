//===- ProductWeights.cpp - What scales and shifts columns of a product --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   (x W + b) * s + t   ->   x (W * s) + (b * s + t)      s and t one number per column, the same in every call
//
// Norms over a batch, as they stand behind layers, and the scale that some models
// give each branch before it joins the others.
//
//===----------------------------------------------------------------------===//
#include "../ConstEval.h"
#include "../Rows.h"
#include "Weights.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// The product that makes the value, in whatever rows, which nothing else reads and that applies no function: of a matrix that is the same
/// in every call, with a column of it for each of the value's. Null if there is none, or `at` is too late for what it reads.
Operation *productOf(mlir::Value value, Operation *at) {
  while (auto reshape = value.getDefiningOp<ttnn::ReshapeOp>()) {
    if (!value.hasOneUse() || shapeOf(reshape.getInput()).back() != shapeOf(value).back())
      return nullptr;
    value = reshape.getInput();
  }
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<ttnn::MatmulOp, ttnn::LinearOp>(op) || !value.hasOneUse() || !isPlaced(value) ||
      ttnn::saysMore(op) || appliesFunction(op) || cast<BoolAttr>(op->getAttr("transpose_b")).getValue())
    return nullptr;
  auto isKnown = [](mlir::Value constant) { return isPlaced(constant) && isKnownConstant(constant); };
  mlir::Value matrix = op->getOperand(1);
  // Blocks of floats share exponents: their columns were rounded together, and would be so anew.
  return typeOf(matrix).getRank() == 2 && (isBF16(matrix) || typeOf(matrix).getElementType().isF32()) &&
                 llvm::all_of(op->getOperands().drop_front(), isKnown) && mayBeReadAt(operandOf(op, 0), at)
             ? op
             : nullptr;
}

/// A number for each column, the same in every call.
bool isPerColumn(mlir::Value value, int64_t columns) {
  return columns > 1 && isPlaced(value) && isFloat(value) && !shapeOf(value).empty() &&
         shapeOf(value).back() == columns && typeOf(value).getNumElements() == columns && isConstant(value);
}

} // namespace

bool proposeProductWeights(Operation *root, Proposal &proposal) {
  if (appliesActivations(root))
    return false;
  for (unsigned number : {0u, 1u}) {
    mlir::Value sums = root->getOperand(number), row = root->getOperand(1 - number);
    if (typeOf(sums) != typeOf(root->getResult(0)) || shapeOf(sums).empty() ||
        (isa<ttnn::SubtractOp>(root) && number == 1))
      continue;
    // First, as most ops are behind no product, and what is constant is looked for through all that makes it.
    Operation *product = productOf(sums, root);
    const int64_t columns = shapeOf(sums).back();
    const bool hasBias = product && product->getNumOperands() > 2;
    // A row that is added to a product alone becomes its bias by another rewrite.
    if (!product || !isPerColumn(row, columns) || (isa<ttnn::AddOp>(root) && !hasBias))
      continue;
    OnDevice constants(proposal, proposal.device());
    mlir::Value matrix = product->getOperand(1), bias = hasBias ? product->getOperand(2) : mlir::Value();
    RankedTensorType biasType = hasBias ? typeOf(bias) : Proposal::typeLike(matrix, {columns});
    const int64_t one[] = {1, columns};
    mlir::Value wide = constants.wide(row, one);
    mlir::Value sum = bias ? constants.wide(bias, one) : mlir::Value();
    if (isa<ttnn::MultiplyOp>(root)) {
      matrix =
          constants.backTo(typeOf(matrix), constants.binary<ttnn::MultiplyOp>(constants.wide(matrix), wide));
      sum = sum ? constants.binary<ttnn::MultiplyOp>(sum, wide) : mlir::Value();
    } else if (isa<ttnn::AddOp>(root)) {
      sum = constants.binary<ttnn::AddOp>(sum, wide);
    } else {
      sum = sum ? constants.binary<ttnn::SubtractOp>(sum, wide) : proposal.makeUnary("neg", wide);
    }
    llvm::SmallVector<mlir::Value> operands{product->getOperand(0), matrix};
    if (sum)
      operands.push_back(constants.backTo(biasType, proposal.reshaped(sum, biasType.getShape())));
    auto attributes = llvm::to_vector(product->getAttrDictionary().getValue());
    // It was made for the product that there was.
    llvm::erase_if(attributes, [](NamedAttribute each) { return each.getName() == "matmul_program_config"; });
    mlir::Value were = product->getResult(0);
    Operation *made = proposal.makeNamed(sum ? "linear" : "matmul", operands,
                                         Proposal::typeLike(were, shapeOf(were)), attributes);
    proposal.isAbout(made);
    proposal.replace(root, proposal.reshaped(made->getResult(0), shapeOf(sums)));
    return true;
  }
  return false;
}

} // namespace tessera::rewrite
