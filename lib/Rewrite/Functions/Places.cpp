//===- Places.cpp - Where the maxima of many rows are ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The device's argmax takes one row after the other: all cores search parts of it, and
// wait for each other. Codebooks and maps of classes have hundreds of rows and more,
// which other ops work on at once. With a number for each place that falls along the row,
//
//   argmax(x)   ->   the first place less max((x == max(x)) * number)
//
// Numbers of bf16 are exact up to 256, so the place is found in two steps: which 256
// elements it is among, and which of these it is.
//
//===----------------------------------------------------------------------===//
#include "../Pairs.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Integers that bf16 holds without a gap, and what two digits of so many come to.
constexpr int64_t kDigits = 256, kMostPlaces = kDigits * kDigits;

/// Ops on rows of bf16 that look for places.
class Places {
public:
  Places(mlir::Value x, Proposal &proposal) : x(x), proposal(proposal), single(shapeOf(x)) {
    single.back() = 1;
  }

  /// The first place of each row's maximum, as f32.
  mlir::Value ofMaxima() {
    const int64_t size = shapeOf(x).back(), high = llvm::divideCeil(size, kDigits);
    // 1  Which elements are the maximum.
    // 2  Which 256 of them the first is among, in rows longer than that.
    // 3  Which of these it is.
    // Numbers fall along the row, so that the largest is the first's; none is 0, as those of all other elements are.
    mlir::Value isWanted = binary("eq", x, largest(x));
    mlir::Value first;
    if (high > 1) {
      mlir::Value numbers =
          binary("multiply", isWanted, row([&](int64_t place) { return high - place / kDigits; }));
      first = largest(numbers);
      isWanted = binary("eq", numbers, first);
    }
    mlir::Value last = wide(
        largest(binary("multiply", isWanted, row([](int64_t place) { return kDigits - place % kDigits; }))));
    if (first)
      last = binary("add", last, binary("multiply", wide(first), proposal.full({1}, float(kDigits), last)));
    mlir::Value place =
        binary("subtract", proposal.full(single, float((first ? high + 1 : 1) * kDigits), last), last);
    // None is beyond the end, should there be no maximum, as of none-numbers.
    OpBuilder &b = proposal.attributes();
    return proposal
        .make<ttnn::ClampScalarOp>(Proposal::typeLike(place, single), place, b.getF32FloatAttr(0),
                                   b.getF32FloatAttr(float(size - 1)))
        .getResult();
  }

private:
  mlir::Value binary(StringRef name, mlir::Value a, mlir::Value b) {
    return proposal.makeNamed(name, {a, b}, Proposal::typeLike(a, shapeOf(a)))->getResult(0);
  }

  mlir::Value largest(mlir::Value value) {
    OpBuilder &b = proposal.attributes();
    const NamedAttribute attributes[] = {
        b.getNamedAttr("dim_arg", b.getI32ArrayAttr({int32_t(single.size()) - 1})),
        b.getNamedAttr("keep_dim", b.getBoolAttr(true))};
    return proposal.makeNamed("max", value, Proposal::typeLike(value, single), attributes)->getResult(0);
  }

  /// A number for each place, the same in all rows.
  mlir::Value row(llvm::function_ref<int64_t(int64_t place)> numberAt) {
    llvm::SmallVector<int64_t> shape(single.size(), 1);
    shape.back() = shapeOf(x).back();
    auto numbers = llvm::map_to_vector(llvm::seq<int64_t>(shape.back()),
                                       [&](int64_t place) { return float(numberAt(place)); });
    return constantLike(x, narrowNumbers(x.getContext(), shape, numbers), proposal);
  }

  mlir::Value wide(mlir::Value value) { return proposal.cast(value, Float32Type::get(value.getContext())); }

  mlir::Value x;
  Proposal &proposal;
  llvm::SmallVector<int64_t> single; ///< rows of one element
};

} // namespace

bool proposePlaces(Operation *root, Proposal &proposal) {
  auto argmax = cast<ttnn::ArgMaxOp>(root);
  Traced x = throughForms(operandOf(root, 0));
  const int64_t rank = typeOf(x.value).getRank();
  if (rank < 2 || !argmax.getDimAttr() || (integerOf(argmax.getDimAttr()) + rank) % rank != rank - 1 ||
      !isPlaced(x.value) || !isBF16(x.value) || !mayBeReadAt(x, root))
    return false;
  const int64_t size = shapeOf(x.value).back(), rows = typeOf(x.value).getNumElements() / size;
  // Fewer rows than fill a tile are as well searched one after the other.
  if (size < 2 || size > kMostPlaces || rows < kTile)
    return false;
  mlir::Value places = Places(proposal.paged(x.value, PageLayout::Tile), proposal).ofMaxima();
  proposal.isAbout(places.getDefiningOp());
  places = proposal.cast(places, typeOf(root->getResult(0)).getElementType());
  proposal.replace(
      root, proposal.reshaped(proposal.paged(places, PageLayout::RowMajor), shapeOf(root->getResult(0))));
  return true;
}

} // namespace tessera::rewrite
