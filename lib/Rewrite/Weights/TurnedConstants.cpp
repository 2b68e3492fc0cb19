//===- TurnedConstants.cpp - Products with constants that a call would turn -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   x W^T, W constant   ->   x V, V = W^T
//
// PyTorch keeps the weights of a layer as rows of outputs, and a compiler makes of that a product that turns them, in each call, tile by tile or by an
// op of its own. const-eval turns them once; and what joins products, or looks for them, finds columns of outputs as everywhere else.
//
//===----------------------------------------------------------------------===//
#include "../ConstEval.h"
#include "../Match.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

bool proposeTurnedConstant(Operation *root, Proposal &proposal) {
  mlir::Value matrix = root->getOperand(1);
  auto turns = root->getAttrOfType<BoolAttr>("transpose_b");
  if (!turns || !turns.getValue() || fusesFunction(root) || typeOf(matrix).getRank() != 2 ||
      !isPlaced(matrix) || !isConstant(matrix))
    return false;
  mlir::Value turned = proposal.permute(matrix, {1, 0});
  IRMapping asBefore;
  Operation *made = proposal.copy(root, asBefore, shapeOf(root->getResult(0)));
  made->setOperand(1, turned); // alone: the product may read the matrix as rows, too
  made->setAttr("transpose_b", proposal.attributes().getBoolAttr(false));
  // It was chosen for the matrix as it lay.
  made->removeAttr("matmul_program_config");
  proposal.isAbout(made);
  proposal.replace(root, made->getResults());
  return true;
}

} // namespace tessera::rewrite
