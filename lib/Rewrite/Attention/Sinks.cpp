//===- Sinks.cpp - Scores that take weight and give no value -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Models whose heads may attend to nothing learn a score for that, one for each
// head, and put it behind the scores of all positions:
//
//   softmax(concat(scores, sink))[..., :-1] x value
//
//===----------------------------------------------------------------------===//
#include "Sinks.h"

using namespace mlir;

namespace tessera::rewrite {

/// Back through pages, casts and unit dimensions.
static Traced throughAll(Traced traced) {
  for (mlir::Value before; before != traced.value;) {
    before = traced.value;
    traced = throughUnits(throughForms(traced));
  }
  return traced;
}

/// The tensor of which the slice leaves the last column out, and nothing else.
static std::optional<Traced> withLastColumn(const Traced &traced) {
  auto slice = traced.maker<ttnn::SliceStaticOp>();
  if (!slice)
    return std::nullopt;
  llvm::SmallVector<int64_t> ends(shapeOf(slice.getInput()));
  --ends.back();
  auto areAll = [](ArrayRef<int64_t> list, int64_t number) {
    return llvm::all_of(list, [&](int64_t each) { return each == number; });
  };
  const SliceBounds bounds = boundsOf(slice);
  return areAll(bounds.begins, 0) && areAll(bounds.steps, 1) && bounds.ends == ends
             ? std::optional(throughAll(operandOf(slice, 0)))
             : std::nullopt;
}

RowWeights rowWeightsOf(mlir::Value value) {
  Traced weights = throughUnits({value, nullptr});
  std::optional<Traced> whole = withLastColumn(throughAll(weights));
  if (whole)
    weights = *whole;
  auto softmax = weights.maker<ttnn::SoftmaxOp>();
  int64_t rank = typeOf(weights.value).getRank();
  const bool isIt = softmax && shapeOf(weights.value).back() == shapeOf(value).back() + (whole ? 1 : 0) &&
                    (integerOf(softmax.getDimensionAttr()) + rank) % rank == rank - 1;
  return isIt ? RowWeights{softmax, whole.has_value()} : RowWeights{};
}

/// Rows before the maximum of each was taken from it.
/// softmax(s - max(s)) = softmax(s): frameworks write it so that exp does not overflow, and the kernel does it by
/// itself.
static Traced unlessened(Traced rows) {
  auto difference = throughTypecasts(rows).maker<ttnn::SubtractOp>();
  if (!difference || appliesActivations(difference) || !isForRows(difference.getRhs()))
    return rows;
  Traced whole = throughAll(operandOf(difference, 0)), largest = throughAll(operandOf(difference, 1));
  std::optional<Traced> reduced =
      largest.maker<ttnn::MaxOp>() ? reducedAlongRows(largest.value.getDefiningOp()) : std::nullopt;
  return reduced && throughAll(*reduced).value == whole.value ? whole : rows;
}

/// Whether elements of the value are the same all along a dimension.
static bool isSameAlong(mlir::Value value, unsigned dimension) {
  while (shapeOf(value)[dimension] != 1) {
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast_or_null<ttcore::LoadCachedOp>(op))
      value = computedBy(load, cast<OpResult>(value).getResultNumber());
    else if (isa_and_nonnull<ttnn::RepeatOp, ttnn::TypecastOp, ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp,
                             ttnn::ToDeviceOp>(op))
      value = op->getOperand(0);
    else
      return false;
    if (!value || !isa<RankedTensorType>(value.getType()))
      return false;
  }
  return true;
}

std::optional<SunkScores> scoresOf(const RowWeights &weights) {
  Traced rows = operandOf(weights.softmax, 0);
  if (!weights.isLastLeftOut)
    return SunkScores{rows, std::nullopt};
  auto concat = throughAll(unlessened(rows)).maker<ttnn::ConcatOp>();
  if (!concat || concat.getInputs().size() != 2)
    return std::nullopt;
  const int64_t rank = typeOf(concat.getResult()).getRank();
  Traced scores = throughForms(operandOf(concat, 0)), sink = throughForms(operandOf(concat, 1));
  if (rank < 3 || (integerOf(concat.getDimAttr()) + rank) % rank != rank - 1 ||
      shapeOf(sink.value).size() != size_t(rank) || shapeOf(sink.value).back() != 1 ||
      !isSameAlong(sink.value, unsigned(rank - 2)))
    return std::nullopt;
  return SunkScores{scores, sink};
}

bool standsBeside(mlir::Value column, ArrayRef<int64_t> product) {
  auto rowsOf = [](ArrayRef<int64_t> shape) {
    return shape.drop_back().drop_while([](int64_t extent) { return extent == 1; });
  };
  return rowsOf(shapeOf(column)) == rowsOf(product);
}

/// Of ... x H x S x 1 that are the same for all positions and batches, the first of each head.
mlir::Value sinksIn(const Traced &sink, int64_t heads, double scale, Proposal &proposal) {
  const llvm::SmallVector<int64_t> shape(shapeOf(sink.value));
  const size_t head = shape.size() - 3;
  llvm::SmallVector<int64_t> begins(shape.size(), 0), ends(shape), steps(shape.size(), 1);
  ends[head + 1] = 1;
  for (size_t batch = 0; batch < head; ++batch) {
    if (!isSameAlong(sink.value, unsigned(batch)))
      return {};
    ends[batch] = 1;
  }
  if (shape[head] != heads || !isPlaced(sink.value) || !isFloat(sink.value))
    return {};
  mlir::Value each = proposal.slice(sink.value, begins, ends, steps);
  each = proposal.paged(proposal.reshaped(each, {1, heads, 1, 1}), PageLayout::Tile);
  // The kernel scales them together with the scores.
  each = proposal.cast(proposal.timesNumber(each, 1 / scale), BFloat16Type::get(each.getContext()));
  return each;
}

} // namespace tessera::rewrite
