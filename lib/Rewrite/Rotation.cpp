//===- Rotation.cpp - Rotary embedding from its parts ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// x * cos + (second half of x, negated, before the first) * sin
//
// Letters in the shapes: B batch, H heads, S positions, D head size.
//
//===----------------------------------------------------------------------===//
#include "Match.h"
#include "Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// The tensor of which the slice takes elements `begin` to `end` of the last dimension, and all of the others.
std::optional<Traced> sliced(mlir::Value value, int64_t begin, int64_t end) {
  auto slice = value.getDefiningOp<ttnn::SliceStaticOp>();
  if (!slice)
    return std::nullopt;
  llvm::SmallVector<int64_t> begins(typeOf(slice.getInput()).getRank(), 0), ends(shapeOf(slice.getInput()));
  begins.back() = begin;
  ends.back() = end;
  bool isIt = integersOf(slice.getBegins()) == begins && integersOf(slice.getEnds()) == ends &&
              llvm::all_of(integersOf(slice.getStep()), [](int64_t step) { return step == 1; });
  return isIt ? std::optional(operandOf(slice, 0)) : std::nullopt;
}

/// What the value is the turn of by a quarter: its halves exchanged, the one that comes first negated.
std::optional<Traced> unturned(mlir::Value value) {
  auto concat = value.getDefiningOp<ttnn::ConcatOp>();
  int64_t rank = typeOf(value).getRank(), size = shapeOf(value).back();
  if (!concat || concat.getInputs().size() != 2 || (integerOf(concat.getDimAttr()) + rank) % rank != rank - 1)
    return std::nullopt;
  auto negated = concat.getInputs()[0].getDefiningOp<ttnn::NegOp>();
  std::optional<Traced> second = negated ? sliced(negated.getInput(), size / 2, size) : std::nullopt;
  std::optional<Traced> first = sliced(concat.getInputs()[1], 0, size / 2);
  return first && second && first->value == second->value ? second : std::nullopt;
}

struct Factors {
  Traced tensor, table;
};
/// The operands of a product, the table being the one with fewer elements; nullopt if one is broadcast to more, or computed on first.
std::optional<Factors> factorsOf(mlir::Value value) {
  auto product = value.getDefiningOp<ttnn::MultiplyOp>();
  if (!product || appliesActivations(product))
    return std::nullopt;
  for (unsigned number : {0u, 1u})
    if (shapeOf(product->getOperand(number)) == shapeOf(value))
      return Factors{operandOf(product, number), operandOf(product, 1 - number)};
  return std::nullopt;
}

/// Whether the table has a row for each position, the same for all users and heads (1 x 1 x S x D), or for each user, the same for all
/// heads of one position (B x 1 x 1 x D).
bool hasRowsFor(mlir::Value table, ArrayRef<int64_t> turned, bool perUser) {
  ArrayRef<int64_t> shape = shapeOf(table);
  llvm::SmallVector<int64_t> aligned(4, 1);
  if (shape.size() > 4)
    return false;
  llvm::copy(shape, aligned.end() - ptrdiff_t(shape.size()));
  return perUser ? turned[2] == 1 && ArrayRef(aligned) == ArrayRef<int64_t>({turned[0], 1, 1, turned[3]})
                 : ArrayRef(aligned) == ArrayRef<int64_t>({1, 1, turned[2], turned[3]});
}

/// B x H x S x D turned by rows of the tables, 1 x 1 x S x D. With fewer positions than fill tiles the op makes those that fill them as well.
mlir::Value turn(mlir::Value x, mlir::Value cosines, mlir::Value sines, Proposal &proposal) {
  llvm::SmallVector<int64_t> shape(shapeOf(x)), padded(shape);
  const int64_t rows[] = {1, 1, shape[2], shape[3]};
  padded[2] = int64_t(llvm::alignTo(uint64_t(shape[2]), 32));
  auto made = proposal.make<ttnn::RotaryEmbeddingOp>(
      Proposal::typeLike(x, padded), x, proposal.reshaped(cosines, rows), proposal.reshaped(sines, rows),
      /*token_index=*/IntegerAttr(), ttnn::DeviceComputeKernelConfigAttr());
  proposal.isAbout(made);
  return proposal.firstOf(made.getResult(), shape);
}

/// B x H x 1 x D turned by a row for each user: users stand where positions do, 1 x H x B x D. There a head's users share tiles, too, where
/// each user of each head had a tile of its own.
mlir::Value turnUsers(mlir::Value x, mlir::Value cosines, mlir::Value sines, Proposal &proposal) {
  const llvm::SmallVector<int64_t> shape(shapeOf(x));
  const int64_t exchanged[] = {0, 2, 1, 3};
  mlir::Value users = proposal.permute(proposal.reshaped(x, {1, shape[0], shape[1], shape[3]}), exchanged);
  mlir::Value turned = turn(users, cosines, sines, proposal);
  return proposal.reshaped(proposal.permute(turned, exchanged), shape);
}

} // namespace

/// Halves are whole tiles on the device.
bool proposeRotation(Operation *root, Proposal &proposal) {
  auto sum = cast<ttnn::AddOp>(root);
  if (appliesActivations(sum))
    return false;
  for (unsigned straight : {0u, 1u}) {
    std::optional<Factors> cosine = factorsOf(sum->getOperand(straight)),
                           sine = factorsOf(sum->getOperand(1 - straight));
    std::optional<Traced> turned = cosine && sine ? unturned(sine->tensor.value) : std::nullopt;
    if (!turned || turned->value != cosine->tensor.value)
      continue;
    ArrayRef<int64_t> shape = shapeOf(turned->value);
    if (shape.size() != 4 || shape[3] % 64 != 0 || shape != shapeOf(sum.getResult()) ||
        !llvm::all_of(ArrayRef{*turned, cosine->tensor, cosine->table, sine->table},
                      [&](const Traced &read) { return mayBeReadAt(read, root); }))
      return false;
    for (bool perUser : {false, true})
      if (hasRowsFor(cosine->table.value, shape, perUser) && hasRowsFor(sine->table.value, shape, perUser)) {
        auto turns = perUser ? turnUsers : turn;
        proposal.replace(root, turns(turned->value, cosine->table.value, sine->table.value, proposal));
        return true;
      }
    return false;
  }
  return false;
}

} // namespace tessera::rewrite
