//===- Causal.cpp - Masks that leave each position its past, or a window --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Frameworks compute such a mask of positions, and compilers hand it to attention
// like any other. The kernel makes it itself, and passes over the keys that it
// forbids: half of the scores are never computed, and of windows more.
//
//===----------------------------------------------------------------------===//
#include "../Integers.h"
#include "../Match.h"
#include "../Numbers.h"
#include "../Rows.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Whether elements of the type have the number, as far as it is whole: one that wraps or is rounded compares otherwise. What forbids may be rounded.
bool mayBe(double number, Type type) {
  if (std::trunc(number) != number)
    return isa<FloatType>(type);
  if (isa<FloatType>(type) && std::abs(number) >= -kForbids)
    return true;
  return std::abs(number) < 0x1p53 && holds(type, int64_t(number));
}

/// The elements of matrices that follow from the program alone, row by row: what is computed of positions has too many to keep.
/// One row at a time: a mask of 4096 positions would be 16 million numbers for each op that it is computed by.
class KnownRows {
public:
  /// A row, or the one number that all its elements are; nullopt if they are not known.
  using Row = std::optional<llvm::SmallVector<double>>;
  Row row(mlir::Value value, int64_t number) {
    // Counted along all ways back, of which there are many where ops read the same: a mask takes a dozen.
    opsLeft = 64;
    return known(value, number);
  }

private:
  Row known(mlir::Value value, int64_t number) {
    Operation *op = value.getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!op || !type || !type.hasStaticShape() || type.getRank() == 0 || opsLeft == 0 || ttnn::saysMore(op))
      return std::nullopt;
    --opsLeft;
    if (Row found = ofVector(value, number))
      return found;
    if (auto load = dyn_cast<ttcore::LoadCachedOp>(op)) {
      mlir::Value made = computedBy(load, cast<OpResult>(value).getResultNumber());
      return made ? known(made, number) : std::nullopt;
    }
    if (isa<ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp, ttnn::ToDeviceOp, ttnn::ReshapeOp, ttnn::RepeatOp>(op))
      return keepsRows(op) ? known(op->getOperand(0), number) : std::nullopt;
    return ofElements(op, number);
  }

  struct Vector {
    std::optional<double> splat;
    std::optional<llvm::SmallVector<int64_t>> elements;
  };

  Row ofVector(mlir::Value value, int64_t number) {
    auto [found, isNew] = vectors.try_emplace(value);
    if (isNew) {
      found->second.splat = splatOf(value);
      if (!found->second.splat)
        found->second.elements = integersIn(value);
    }
    if (found->second.splat)
      return llvm::SmallVector<double>{*found->second.splat};
    if (!found->second.elements)
      return std::nullopt;
    ArrayRef<int64_t> shape = shapeOf(value);
    // A single row broadcasts to all.
    const int64_t rows = shape.size() > 1 ? shape[shape.size() - 2] : 1;
    ArrayRef<int64_t> elements = *found->second.elements;
    elements = elements.slice(size_t((rows == 1 ? 0 : number) * shape.back()), size_t(shape.back()));
    return llvm::map_to_vector(elements, [](int64_t element) { return double(element); });
  }

  /// Whether the result has the operand's rows, or one of them as often as wanted.
  static bool keepsRows(Operation *op) {
    auto lastTwo = [](mlir::Value value) {
      ArrayRef<int64_t> shape = shapeOf(value);
      return std::pair(shape.size() > 1 ? shape[shape.size() - 2] : 1, shape.back());
    };
    auto from = lastTwo(op->getOperand(0)), to = lastTwo(op->getResult(0));
    if (isa<ttnn::RepeatOp>(op))
      return (from.first == to.first || from.first == 1) && (from.second == to.second || from.second == 1);
    return from == to && typeOf(op->getOperand(0)).getNumElements() == from.first * from.second;
  }

  Row ofElements(Operation *op, int64_t number) {
    // Positions lose bits in bf16, and quotients of whole numbers are rounded somehow.
    const bool mayRound = isa<ttnn::TypecastOp>(op) && !isFloat(op->getOperand(0)) &&
                          typeOf(op->getResult(0)).getElementType().isBF16();
    NumberFunction function =
        op->getNumResults() == 1 && !mayRound && !isa<ttnn::DivideOp>(op) ? numberFunctionOf(op) : nullptr;
    if (!function || appliesActivations(op))
      return std::nullopt;
    llvm::SmallVector<llvm::SmallVector<double>, 3> read;
    size_t count = 1;
    for (mlir::Value operand : op->getOperands()) {
      Row its = known(operand, number);
      if (!its)
        return std::nullopt;
      count = std::max(count, its->size());
      read.push_back(std::move(*its));
    }
    llvm::SmallVector<double> made(count), elements(read.size());
    for (size_t i = 0; i < count; ++i) {
      for (auto [element, each] : llvm::zip_equal(elements, read))
        element = each[each.size() == 1 ? 0 : i];
      made[i] = function(elements);
    }
    // A cast to whole numbers rounds what is none, and what has no sign wraps below zero.
    Type type = typeOf(op->getResult(0)).getElementType();
    const bool areHeld = llvm::all_of(made, [&](double each) { return mayBe(each, type); });
    return areHeld ? Row(std::move(made)) : std::nullopt;
  }

  llvm::DenseMap<mlir::Value, Vector> vectors; ///< only looked up
  unsigned opsLeft = 0;
};

/// Keys that a mask leaves each position: itself, so many before it, and so many behind it, as far as there are any.
struct Band {
  int64_t before, behind;
};

/// Whether the row leaves what lies in the band, and forbids all else.
bool leavesBand(ArrayRef<double> row, int64_t at, const Band &band) {
  return llvm::all_of(llvm::enumerate(row), [&](auto indexed) {
    const int64_t key = int64_t(indexed.index());
    const bool isLeft = key >= at - band.before && key <= at + band.behind;
    return isLeft ? indexed.value() == 0 : indexed.value() < kForbids;
  });
}

/// The band that the mask leaves each position; nullopt if it leaves other keys.
/// All elements are looked at, S^2 of them by each op: a mask that differs in one place is another mask. Most fail in
/// their first row.
std::optional<Band> bandOf(mlir::Value mask, int64_t positions) {
  KnownRows known;
  auto isLeft = [](double each) { return each == 0; };
  // The first position tells how many are left behind it, the last one how many before it.
  KnownRows::Row first = known.row(mask, 0);
  if (!first || int64_t(first->size()) != positions)
    return std::nullopt;
  const int64_t behind = llvm::count_if(*first, isLeft) - 1;
  if (!leavesBand(*first, 0, {0, behind}))
    return std::nullopt;
  KnownRows::Row last = known.row(mask, positions - 1);
  if (!last)
    return std::nullopt;
  const Band band{llvm::count_if(*last, isLeft) - 1, behind};
  for (int64_t at = 1; at < positions; ++at) {
    KnownRows::Row row = known.row(mask, at);
    if (!row || int64_t(row->size()) != positions || !leavesBand(*row, at, band))
      return std::nullopt;
  }
  return band;
}

/// The band of attention whose mask is one matrix for all, of positions in whole tiles; nullopt if there is none.
std::optional<Band> bandOf(ttnn::ScaledDotProductAttentionOp attention) {
  mlir::Value mask = attention.getAttentionMask();
  const int64_t positions = shapeOf(attention.getQuery())[2];
  if (!mask || attention.getIsCausal() || attention.getSlidingWindowSize() || positions % kTile != 0 ||
      positions != shapeOf(attention.getKey())[2] || typeOf(mask).getNumElements() != positions * positions)
    return std::nullopt;
  return bandOf(mask, positions);
}

/// The same attention without its mask, which the kernel makes.
void replaceMasked(ttnn::ScaledDotProductAttentionOp attention, bool isCausal, IntegerAttr window,
                   Proposal &proposal) {
  auto made = proposal.make<ttnn::ScaledDotProductAttentionOp>(
      typeOf(attention.getResult()), attention.getQuery(), attention.getKey(), attention.getValue(),
      /*attention_mask=*/mlir::Value(), attention.getAttentionSink(), isCausal, attention.getScaleAttr(),
      window, attention.getProgramConfigAttr(), attention.getComputeConfigAttr());
  proposal.isAbout(made);
  proposal.replace(attention, made.getResult());
}

} // namespace

bool proposeCausal(Operation *root, Proposal &proposal) {
  auto attention = cast<ttnn::ScaledDotProductAttentionOp>(root);
  std::optional<Band> band = bandOf(attention);
  if (!band || band->behind != 0 || band->before != shapeOf(attention.getQuery())[2] - 1)
    return false;
  replaceMasked(attention, /*isCausal=*/true, /*window=*/IntegerAttr(), proposal);
  return true;
}

bool proposeSlidingWindow(Operation *root, Proposal &proposal) {
  auto attention = cast<ttnn::ScaledDotProductAttentionOp>(root);
  std::optional<Band> band = bandOf(attention);
  // Windows end with their position, or have it in their middle: of those the kernel is told twice what lies on each side.
  const bool isCausal = band && band->behind == 0;
  if (!band || (!isCausal && band->before != band->behind) ||
      band->before == shapeOf(attention.getQuery())[2] - 1)
    return false;
  const int64_t window = isCausal ? band->before + 1 : 2 * band->before;
  replaceMasked(attention, isCausal, mlir::Builder(root->getContext()).getUI32IntegerAttr(uint32_t(window)),
                proposal);
  return true;
}

} // namespace tessera::rewrite
