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

/// A table that has one row for each position, the same for all users and heads, as rows of 1 x 1 x S x D; null if it is none.
mlir::Value rowsOf(mlir::Value table, ArrayRef<int64_t> turned, Proposal &proposal) {
  const int64_t positions = turned[2], size = turned[3];
  ArrayRef<int64_t> shape = shapeOf(table);
  llvm::SmallVector<int64_t> aligned(4, 1);
  if (shape.size() > 4)
    return {};
  llvm::copy(shape, aligned.end() - ptrdiff_t(shape.size()));
  return ArrayRef(aligned) == ArrayRef<int64_t>({1, 1, positions, size}) ? proposal.reshaped(table, aligned)
                                                                         : mlir::Value();
}

} // namespace

/// Halves are whole tiles on the device. With fewer positions than fill tiles the op makes those that fill them as well.
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
    mlir::Value cosines = rowsOf(cosine->table.value, shape, proposal),
                sines = rowsOf(sine->table.value, shape, proposal);
    if (!cosines || !sines)
      return false;
    llvm::SmallVector<int64_t> padded(shape);
    padded[2] = int64_t(llvm::alignTo(uint64_t(shape[2]), 32));
    auto made = proposal.make<ttnn::RotaryEmbeddingOp>(
        Proposal::typeLike(turned->value, padded), turned->value, cosines, sines,
        /*token_index=*/IntegerAttr(), ttnn::DeviceComputeKernelConfigAttr());
    proposal.isAbout(made);
    proposal.replace(root, proposal.firstOf(made.getResult(), shape));
    return true;
  }
  return false;
}

} // namespace tessera::rewrite
