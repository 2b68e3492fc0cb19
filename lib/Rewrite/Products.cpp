//===- Products.cpp - Products of one activation, made at once ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// x W1, x W2, x W3   ->   x [W1 W2 W3], cut
//
// Cutting costs more than reading x thrice, unless one op does it: products are
// joined where each becomes heads, which one op makes of the joined one.
//
//===----------------------------------------------------------------------===//
#include "ConstEval.h"
#include "Match.h"
#include "Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Queries, keys and values.
constexpr size_t kJoined = 3;
/// One op cuts heads of so many users at one position at most (`tessera ops ttnn.nlp_create_qkv_heads_decode`).
constexpr int64_t kMostUsers = 32;

/// Weights and bias of an op that multiplies rows with a matrix that is the same in every call, and does no more.
template <class Op>
bool isProductWithConstants(Op op) {
  auto isColumns = [&](mlir::Value value) {
    return isPlaced(value) && isConstant(value) && shapeOf(value).back() == shapeOf(op.getResult()).back();
  };
  return !op.getTransposeA() && !op.getTransposeB() && !op.getActivation() &&
         typeOf(op.getB()).getRank() == 2 && llvm::all_of(op->getOperands().drop_front(), isColumns);
}

bool isProductWithConstants(Operation *op) {
  if (auto matmul = dyn_cast<ttnn::MatmulOp>(op))
    return isProductWithConstants(matmul);
  auto linear = dyn_cast<ttnn::LinearOp>(op);
  return linear && isProductWithConstants(linear);
}

/// Whether nothing is done with rows but to make heads of them: B x H x S x D of rows of B S, or those of one position.
bool becomesHeads(Operation *product) {
  Operation *reader = onlyReader(product->getResult(0));
  if (isa_and_nonnull<ttnn::TypecastOp>(reader))
    reader = onlyReader(reader->getResult(0));
  auto reshape = dyn_cast_or_null<ttnn::ReshapeOp>(reader);
  if (!reshape)
    return false;
  auto permute = dyn_cast_or_null<ttnn::PermuteOp>(onlyReader(reshape.getResult()));
  ArrayRef<int64_t> rows = shapeOf(reshape.getInput());
  return (permute && permute.getPermutation() == ArrayRef<int64_t>({0, 2, 1, 3})) ||
         (rows.size() == 2 && rows.front() <= kMostUsers &&
          headsOfOnePosition(shapeOf(reshape.getResult()), rows.front()) != 0);
}

/// Whether both compute alike, but for what they multiply with; which kernel does it is the plan's to say.
bool isLike(Operation *a, Operation *b) {
  auto config = [](Operation *op) { return op->getInherentAttr("compute_config").value_or(Attribute()); };
  return a->getName() == b->getName() && a->getNumOperands() == b->getNumOperands() &&
         typeOf(a->getResult(0)).getElementType() == typeOf(b->getResult(0)).getElementType() &&
         typeOf(a->getOperand(1)).getElementType() == typeOf(b->getOperand(1)).getElementType() &&
         llvm::equal(shapeOf(a->getResult(0)).drop_back(), shapeOf(b->getResult(0)).drop_back()) &&
         config(a) == config(b);
}

/// Of each product the operand of that number, one behind the other.
mlir::Value joined(ArrayRef<Operation *> products, unsigned number, Proposal &proposal) {
  auto values = llvm::map_to_vector(products, [&](Operation *op) { return op->getOperand(number); });
  return proposal.concat(values, typeOf(values.front()).getRank() - 1);
}

} // namespace

bool proposeJoinedProducts(Operation *root, Proposal &proposal) {
  mlir::Value rows = root->getOperand(0);
  llvm::SmallVector<Operation *> products;
  for (Operation *user : rows.getUsers())
    if (user->getBlock() == root->getBlock() && user->getNumOperands() >= 2 && user->getOperand(0) == rows &&
        isProductWithConstants(user) && isLike(user, root) && becomesHeads(user))
      products.push_back(user);
  llvm::sort(products, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  // Only the first proposes, or each of them would join the same ones again.
  if (products.size() != kJoined || products.front() != root || typeOf(root->getResult(0)).getRank() != 2)
    return false;
  IRMapping operands;
  for (unsigned number = 1; number < root->getNumOperands(); ++number) {
    for (Operation *product : products)
      if (Operation *maker = product->getOperand(number).getDefiningOp();
          maker && !maker->isBeforeInBlock(root))
        return false;
    operands.map(root->getOperand(number), joined(products, number, proposal));
  }
  llvm::SmallVector<int64_t> shape(shapeOf(root->getResult(0)));
  shape.back() = 0;
  for (Operation *product : products)
    shape.back() += shapeOf(product->getResult(0)).back();
  Operation *made = proposal.copy(root, operands, shape);
  // It was made for the width of one of them.
  made->removeAttr("matmul_program_config");
  proposal.isAbout(made);
  int64_t begin = 0;
  for (Operation *product : products) {
    int64_t end = begin + shapeOf(product->getResult(0)).back();
    proposal.replace(product, proposal.slice(made->getResult(0), {0, begin}, {shape.front(), end}, {1, 1}));
    begin = end;
  }
  return true;
}

} // namespace tessera::rewrite
