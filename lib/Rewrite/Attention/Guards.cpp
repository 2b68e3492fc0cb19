//===- Guards.cpp - Rows of scores of which none is a number --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A softmax of minus infinities alone is none, so frameworks put 0 there, row by
// row:
//
//   where(any(s > -inf), softmax(s), 0) v   ->   where(any(m > -inf), softmax(s) v, 0)
//
// What is added to a product, or chosen instead of it, is all that can be infinite: a
// mask, which has fewer elements, or is constant, or cannot be infinite. And what is
// left is attention.
//
//===----------------------------------------------------------------------===//
#include "Guards.h"

#include "../Match.h"
#include "../Numbers.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;

namespace tessera::rewrite {

namespace {

bool isLowest(mlir::Value value) {
  std::optional<double> number = splatOf(value);
  return number && std::isinf(*number) && *number < 0;
}

/// Whether the op says of each element whether it is minus infinity; as `function`, which it applies to that, has it.
bool comparesWithLowest(Operation *op, mlir::Value scores, StringRef function) {
  auto comparison = dyn_cast_or_null<ttnn::EqualOp>(op);
  return comparison && comparison.getLhs() == scores && isLowest(comparison.getRhs()) &&
         (function.empty() ? !appliesActivations(op) : appliesOnly(op, function, "activations"));
}

} // namespace

llvm::SmallVector<Operation *> guardOf(mlir::Value condition, mlir::Value scores) {
  llvm::SmallVector<Operation *> ops;
  auto movesElements = [&](Operation *op) {
    return isa_and_nonnull<ttnn::TypecastOp, ttnn::ReshapeOp>(op) || reducedAlongRows(op) ||
           (isa_and_nonnull<ttnn::SumOp>(op) &&
            typeOf(op->getOperand(0)).getNumElements() == typeOf(op->getResult(0)).getNumElements());
  };
  // "Any" is written as a sum or a maximum of ones, or as several of them over what a reshape split.
  mlir::Value value = condition;
  for (Operation *op = value.getDefiningOp(); movesElements(op); op = value.getDefiningOp()) {
    if (isa<ttnn::MeanOp>(op))
      return {};
    ops.push_back(op);
    value = op->getOperand(0);
  }
  Operation *op = value.getDefiningOp();
  if (comparesWithLowest(op, scores, "logical_not_unary")) {
    ops.push_back(op);
    return ops;
  }
  auto isNot = dyn_cast_or_null<ttnn::LogicalNotOp>(op);
  if (!isNot || !comparesWithLowest(isNot.getInput().getDefiningOp(), scores, ""))
    return {};
  ops.append({op, isNot.getInput().getDefiningOp()});
  return ops;
}

namespace {

/// A product with weights that are 0 in rows without a score: `where(guard, softmax(scores), 0)`.
struct Guarded {
  ttnn::WhereOp where;
  ttnn::SoftmaxOp softmax;
  Operation *reader;                    ///< of the softmax: the choice, or a cast before it
  llvm::SmallVector<Operation *> guard; ///< as guardOf has it
};
std::optional<Guarded> guardedWeights(Operation *product) {
  auto where = throughUnits(operandOf(product, 0)).maker<ttnn::WhereOp>();
  if (!where || splatOf(where.getThird()) != 0.0)
    return std::nullopt;
  Traced weights = throughTypecasts(operandOf(where, 1));
  auto softmax = weights.maker<ttnn::SoftmaxOp>();
  const int64_t rank = softmax ? typeOf(softmax.getResult()).getRank() : 0;
  if (!softmax || (integerOf(softmax.getDimensionAttr()) + rank) % rank != rank - 1 ||
      shapeOf(where.getResult()) != shapeOf(softmax.getResult()))
    return std::nullopt;
  ArrayRef<int64_t> rows = shapeOf(softmax.getResult()).drop_back();
  if (!isForRows(where.getFirst()) || typeOf(where.getFirst()).getNumElements() != llvm::product_of(rows))
    return std::nullopt;
  llvm::SmallVector<Operation *> guard = guardOf(where.getFirst(), softmax.getInput());
  return guard.empty() ? std::nullopt
                       : std::optional(Guarded{where, softmax, weights.reader, std::move(guard)});
}

/// The number that all elements of the value are, as `like` has elements: one, with no more dimensions than what it is chosen beside.
mlir::Value oneElement(mlir::Value value, double number, mlir::Value like, mlir::Value beside,
                       Proposal &proposal) {
  const size_t rank = shapeOf(beside).size();
  if (typeOf(value).getNumElements() == 1 && shapeOf(value).size() <= rank)
    return proposal.cast(value, typeOf(like).getElementType());
  return proposal.full(llvm::SmallVector<int64_t>(rank, 1), float(number), like);
}

/// What of scores may be minus infinity: products are finite, and so is what is added to them, as far as it is known.
/// Scores are taken apart from the outside in: of a sum at most one part may be infinite, else no single tensor says
/// which rows are.
class InfinitePart {
public:
  InfinitePart(Operation *root, mlir::Value zero, Proposal &proposal)
      : root(root), zero(zero), proposal(proposal) {}

  /// Null if nothing of it is; nullopt if there is no one such part, or it may not be read any more.
  std::optional<mlir::Value> of(Traced scores) {
    scores = throughTypecasts(scores);
    if (std::optional<Range> range = rangeOf(scores.value); range && std::isfinite(range->low))
      return mlir::Value();
    Scaled unscaled = throughScales(scores);
    if (unscaled.by > 0 &&
        isa_and_nonnull<ttnn::MatmulOp, ttnn::LinearOp>(throughUnits(unscaled.tensor).value.getDefiningOp()))
      return mlir::Value();
    if (auto where = scores.maker<ttnn::WhereOp>())
      return ofChoice(where);
    auto sum = scores.maker<ttnn::AddOp>();
    if (!sum || appliesActivations(sum))
      return isPlaced(scores.value) && mayBeReadAt(scores, root) ? std::optional(scores.value) : std::nullopt;
    std::optional<mlir::Value> parts[] = {of(operandOf(sum, 0)), of(operandOf(sum, 1))};
    for (unsigned number : {0u, 1u})
      if (parts[number] && !*parts[number])
        return parts[1 - number];
    return std::nullopt;
  }

private:
  /// A number in place of some scores: where the others are finite, the condition alone says where it stands.
  std::optional<mlir::Value> ofChoice(ttnn::WhereOp where) {
    // where(c, s, -inf): of finite s the guard of where(c, 0, -inf) is the same, which has as few elements as c.
    for (unsigned number : {2u, 1u}) {
      std::optional<double> chosen = splatOf(where->getOperand(number));
      std::optional<mlir::Value> others = chosen ? of(operandOf(where, 3 - number)) : std::nullopt;
      if (!others || *others)
        continue;
      if (std::isfinite(*chosen))
        return mlir::Value();
      mlir::Value condition = where.getFirst();
      if (!isPlaced(condition) || !mayBeReadAt(operandOf(where, 0), root))
        return std::nullopt;
      IRMapping operands;
      operands.map(where->getOperand(3 - number),
                   oneElement(zero, 0, where.getResult(), condition, proposal));
      operands.map(where->getOperand(number),
                   oneElement(where->getOperand(number), *chosen, where.getResult(), condition, proposal));
      return proposal.copy(where, operands, shapeOf(condition))->getResult(0);
    }
    return std::nullopt;
  }

  Operation *root;
  mlir::Value zero;
  Proposal &proposal;
};

/// The guard of that part in place of the scores, which it broadcasts to: a number for each of its rows.
mlir::Value guardOfPart(Guarded &found, mlir::Value part, Proposal &proposal) {
  const size_t rank = shapeOf(found.softmax.getResult()).size();
  llvm::SmallVector<int64_t> shape(rank - shapeOf(part).size(), 1);
  llvm::append_range(shape, shapeOf(part));
  mlir::Value now = proposal.cast(proposal.reshaped(part, shape),
                                  typeOf(found.guard.back()->getOperand(0)).getElementType());
  for (Operation *op : llvm::reverse(found.guard)) {
    if (isa<ttnn::ReshapeOp>(op))
      continue; // which says where rows are, not what they are
    const bool reduces = reducedAlongRows(op).has_value();
    if (reduces)
      shape.back() = 1;
    IRMapping operands;
    operands.map(op->getOperand(0), now);
    Operation *made = proposal.copy(op, operands, shape);
    if (reduces) {
      OpBuilder &b = proposal.attributes();
      made->setAttr("dim_arg", b.getI32ArrayAttr({int32_t(rank) - 1}));
      made->setAttr("keep_dim", b.getBoolAttr(true));
    }
    now = made->getResult(0);
  }
  return now;
}

} // namespace

bool proposeLateGuard(Operation *root, Proposal &proposal) {
  std::optional<Product> product = plainProduct(root);
  std::optional<Guarded> found = product ? guardedWeights(root) : std::nullopt;
  if (!found)
    return false;
  // Rows of weights are rows of the product. Units elsewhere would have the guard meet other rows.
  mlir::Value softmax = found->softmax.getResult(), zero = found->where.getThird();
  if (shapeOf(softmax) != shapeOf(root->getOperand(0)) || !isPlaced(softmax) ||
      !mayBeReadAt({softmax, found->reader}, root) || !mayBeReadAt(operandOf(found->where, 2), root) ||
      !readAlike(found->softmax.getInput(), found->softmax, found->guard.back()))
    return false;
  std::optional<mlir::Value> part = InfinitePart(root, zero, proposal).of(operandOf(found->softmax, 0));
  if (!part)
    return false;
  if (*part && (shapeOf(*part).size() > shapeOf(softmax).size() || shapeOf(*part).empty() ||
                shapeOf(*part).back() != shapeOf(softmax).back()))
    return false;
  IRMapping operands;
  operands.map(root->getOperand(0), proposal.cast(proposal.reshaped(softmax, shapeOf(root->getOperand(0))),
                                                  typeOf(root->getOperand(0)).getElementType()));
  mlir::Value made = proposal.copy(root, operands, shapeOf(root->getResult(0)))->getResult(0);
  proposal.isAbout(made.getDefiningOp());
  // What is narrowed right behind the product is so before the guard: attention makes what is narrow.
  auto narrow = dyn_cast_or_null<ttnn::TypecastOp>(onlyReader(root->getResult(0)));
  Operation *last = *part && narrow && isFloat(narrow.getResult()) ? narrow.getOperation() : root;
  mlir::Value result = last->getResult(0);
  made = proposal.cast(made, typeOf(result).getElementType());
  if (*part) {
    mlir::Value guard = guardOfPart(*found, *part, proposal);
    zero = oneElement(zero, 0, result, made, proposal);
    made =
        proposal.make<ttnn::WhereOp>(Proposal::typeLike(made, shapeOf(made)), guard, made, zero).getResult();
  }
  proposal.replace(last, made);
  return true;
}

} // namespace tessera::rewrite
