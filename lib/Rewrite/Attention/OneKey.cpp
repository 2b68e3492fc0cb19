//===- OneKey.cpp - Attention to one position, which weighs it with 1 -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Where a query sees one key, softmax makes 1 of whatever score that has, so the result is the value:
//
//   softmax(q x transpose(k)), ... x 1, times v   ->   v
//
// Products and sums that made the score are then read by nobody.
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Rows.h"
#include "Guards.h"

using namespace mlir;

namespace tessera::rewrite {

/// Whether each element is the softmax of a row of one, for scores that are numbers.
/// A guard against rows without any score leaves the weight 1 where the score is a number, and scores are.
static bool isOnlyWeight(mlir::Value weights) {
  // All of them are 1, so it is no matter which of them are moved where.
  while (isa_and_nonnull<ttnn::TypecastOp, ttnn::ReshapeOp, ttnn::RepeatOp, ttnn::RepeatInterleaveOp,
                         ttnn::PermuteOp, ttnn::TransposeOp>(weights.getDefiningOp()))
    weights = weights.getDefiningOp()->getOperand(0);
  if (auto guard = weights.getDefiningOp<ttnn::WhereOp>()) {
    auto softmax = throughTypecasts({guard.getSecond(), guard}).maker<ttnn::SoftmaxOp>();
    return softmax && !guardOf(guard.getFirst(), softmax.getInput()).empty() &&
           isOnlyWeight(softmax.getResult());
  }
  auto softmax = weights.getDefiningOp<ttnn::SoftmaxOp>();
  if (!softmax)
    return false;
  ArrayRef<int64_t> shape = shapeOf(weights);
  int64_t rank = int64_t(shape.size()), dimension = integerOf(softmax.getDimensionAttr());
  return shape[size_t((dimension + rank) % rank)] == 1;
}

bool proposeOneKey(Operation *root, Proposal &proposal) {
  bool isProduct = isa<ttnn::MatmulOp>(root);
  if (isProduct ? !plainProduct(root) : appliesActivations(root))
    return false;
  mlir::Value result = root->getResult(0);
  for (unsigned number : {0u, 1u}) {
    if (isProduct && number == 1) // weights x values
      break;
    mlir::Value weights = root->getOperand(number), values = root->getOperand(1 - number);
    // Of a product the one key is the last dimension of the weights.
    if ((isProduct && shapeOf(weights).back() != 1) || !isPlaced(values) ||
        shapeOf(values) != shapeOf(result) || !isFloat(values) || !isOnlyWeight(weights))
      continue;
    proposal.replace(root, proposal.cast(values, typeOf(result).getElementType()));
    return true;
  }
  return false;
}

} // namespace tessera::rewrite
