//===- Groups.cpp - Channels in groups, where they are one row ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A group norm cuts the channels of each pixel into G groups of c, which takes a
// tile of its own where all channels filled one:
//
//   x: B x S x C   ->   reshape to B x S x G x c   ->   mean over S and c, ...
//
// What works element by element works on x as well, with a number per group spread
// over its channels first; a mean is one over pixels, and then, of one row, one over
// the channels of each group. That one, and what spreads its numbers over channels
// again, are products with matrices that are the same in every call:
//
//   row: B x C   ->   reshape to B x G x c, mean over c, f, repeat c times, reshape   ->   f(row M),  M of 1 / c and 0
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Pairs.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// The shape with its last two dimensions as one.
llvm::SmallVector<int64_t> ungrouped(ArrayRef<int64_t> grouped) {
  llvm::SmallVector<int64_t> shape(grouped.drop_back(2));
  shape.push_back(grouped[grouped.size() - 2] * grouped.back());
  return shape;
}

/// What the value is, if a reshape cut its rows into groups, and tiles got emptier by that: before, they hold whole rows.
std::optional<Traced> ungroupedSource(const Traced &grouped) {
  auto reshape = grouped.maker<ttnn::ReshapeOp>();
  ArrayRef<int64_t> to = shapeOf(grouped.value);
  if (!reshape || to.size() < 3 || to.back() == 1 || to[to.size() - 2] == 1 || !isPlaced(reshape.getInput()))
    return std::nullopt;
  ArrayRef<int64_t> from = shapeOf(reshape.getInput());
  llvm::SmallVector<int64_t> rows = ungrouped(to);
  return !from.empty() && from.back() == rows.back() && paddedVolume(rows) < paddedVolume(to)
             ? std::optional(operandOf(reshape, 0))
             : std::nullopt;
}

/// An operand that broadcasts to the groups, with a number for each group spread over its channels: of that many dimensions less one.
mlir::Value spread(mlir::Value value, ArrayRef<int64_t> grouped, Proposal &proposal) {
  if (typeOf(value).getNumElements() == 1)
    return proposal.reshaped(value, {1});
  llvm::SmallVector<int64_t> shape(grouped.size() - shapeOf(value).size(), 1);
  llvm::append_range(shape, shapeOf(value));
  llvm::SmallVector<int64_t> whole(shape);
  whole.back() = grouped.back();
  whole[whole.size() - 2] = grouped[grouped.size() - 2];
  return proposal.reshaped(proposal.repeated(proposal.reshaped(value, shape), whole), ungrouped(whole));
}

/// The mean or sum over those dimensions, which stay as extents of 1.
mlir::Value reduced(Operation *like, mlir::Value value, ArrayRef<int64_t> dimensions, Proposal &proposal) {
  llvm::SmallVector<int64_t> shape(shapeOf(value));
  for (int64_t dimension : dimensions)
    shape[size_t(dimension)] = 1;
  IRMapping operands;
  operands.map(like->getOperand(0), value);
  Operation *made = proposal.copy(like, operands, shape);
  made->setAttr("dim_arg", proposal.attributes().getI32ArrayAttr(llvm::map_to_vector(
                               dimensions, [](int64_t dimension) { return int32_t(dimension); })));
  made->setAttr("keep_dim", proposal.attributes().getBoolAttr(true));
  proposal.isAbout(made);
  return made->getResult(0);
}

/// What a row of channels becomes, group by group: its mean, a function of that, and the result for each channel of the group.
struct SpreadMeans {
  Traced row;                           ///< ... x C
  int64_t groups, channels;             ///< of each group
  llvm::SmallVector<Operation *> after; ///< what works on the means element by element, the last one first
};

/// What reshapes the spread numbers to rows of channels.
std::optional<SpreadMeans> spreadMeans(ttnn::ReshapeOp rows) {
  auto repeat = rows.getInput().getDefiningOp<ttnn::RepeatOp>();
  if (!repeat || !rows.getInput().hasOneUse())
    return std::nullopt;
  ArrayRef<int64_t> spread = shapeOf(repeat.getResult());
  SpreadMeans found{{}, 0, 0, {}};
  Traced value = operandOf(repeat, 0);
  auto isNumber = [](mlir::Value operand) {
    return isa<RankedTensorType>(operand.getType()) && typeOf(operand).getNumElements() == 1;
  };
  // Numbers per group only: what differs from channel to channel would not pass from one side of the product to the
  // other.
  while (Operation *op = value.value.getDefiningOp()) {
    if (!value.value.hasOneUse() || !isElementwise(op) || op->hasAttr("tessera.pin") ||
        !llvm::all_of(op->getOperands().drop_front(), isNumber))
      break;
    found.after.push_back(op);
    value = value.before();
  }
  auto mean = value.maker<ttnn::MeanOp>();
  std::optional<Traced> reduced = value.value.hasOneUse() ? reducedAlongRows(mean) : std::nullopt;
  auto groups = reduced ? reduced->maker<ttnn::ReshapeOp>() : ttnn::ReshapeOp();
  if (!groups || shapeOf(groups.getResult()) != spread || spread.size() < 2)
    return std::nullopt;
  found.row = operandOf(groups, 0);
  found.groups = spread[spread.size() - 2];
  found.channels = spread.back();
  const int64_t all = found.groups * found.channels;
  bool areRows = !shapeOf(found.row.value).empty() && shapeOf(found.row.value).back() == all &&
                 shapeOf(rows.getResult()).back() == all;
  return areRows && found.groups > 1 && found.channels > 1 ? std::optional(std::move(found)) : std::nullopt;
}

/// Products with matrices of f32, by a kernel that sums as exactly as means do.
mlir::Value product(mlir::Value left, mlir::Value right, bool transposeLeft, bool transposeRight,
                    Proposal &proposal) {
  llvm::SmallVector<int64_t> shape(shapeOf(left));
  if (transposeLeft)
    shape[shape.size() - 2] = shapeOf(left).back();
  shape.back() = shapeOf(right)[transposeRight ? 0 : 1];
  OpBuilder &builder = proposal.attributes();
  const NamedAttribute attributes[] = {
      builder.getNamedAttr("transpose_a", builder.getBoolAttr(transposeLeft)),
      builder.getNamedAttr("transpose_b", builder.getBoolAttr(transposeRight)),
      builder.getNamedAttr("compute_config", proposal.exactly(ttnn::MathFidelity::HiFi4))};
  return proposal.makeNamed("matmul", {left, right}, Proposal::typeLike(left, shape), attributes)
      ->getResult(0);
}

} // namespace

bool proposeMeansByProduct(Operation *root, Proposal &proposal) {
  std::optional<SpreadMeans> means = spreadMeans(cast<ttnn::ReshapeOp>(root));
  if (!means || !isPlaced(means->row.value) || !typeOf(means->row.value).getElementType().isF32() ||
      !mayBeReadAt(means->row, root))
    return false;
  const int64_t groups = means->groups, channels = means->channels, all = groups * channels;
  mlir::Value row = proposal.reshaped(means->row.value, shapeOf(root->getResult(0)));
  // What has a one where the channel is of the group, groups x channels: const-eval makes it of few numbers.
  mlir::Value ones = constantLike(row, identityMatrix(root->getContext(), groups), proposal);
  ones = proposal.reshaped(proposal.cast(ones, typeOf(row).getElementType()), {groups, groups, 1});
  ones = proposal.reshaped(proposal.repeated(ones, {groups, groups, channels}), {groups, all});
  mlir::Value share = proposal.full({1, 1}, float(1.0 / double(channels)), ones);
  mlir::Value shares =
      proposal.make<ttnn::MultiplyOp>(typeOf(ones), ones, share, ArrayAttr(), ArrayAttr(), ArrayAttr());
  // One product reads a square of channels; of many channels two products read less.
  constexpr int64_t kMostChannels = 512;
  const bool isOne = all <= kMostChannels;
  mlir::Value value = isOne
                          ? product(row, product(ones, shares, true, false, proposal), false, false, proposal)
                          : product(row, shares, false, true, proposal);
  proposal.isAbout(value.getDefiningOp());
  for (Operation *op : llvm::reverse(means->after)) {
    IRMapping operands;
    operands.map(op->getOperand(0), value);
    for (mlir::Value number : op->getOperands().drop_front())
      operands.map(number, proposal.reshaped(number, llvm::SmallVector<int64_t>(shapeOf(value).size(), 1)));
    value = proposal.copy(op, operands, shapeOf(value))->getResult(0);
  }
  proposal.replace(root, isOne ? value : product(value, ones, false, false, proposal));
  return true;
}

bool proposeUngroupedElements(Operation *root, Proposal &proposal) {
  if (root->getNumResults() != 1 || !isElementwise(root))
    return false;
  ArrayRef<int64_t> to = shapeOf(root->getResult(0));
  bool found = false;
  // First, as most ops read no groups.
  for (unsigned number = 0; number < root->getNumOperands(); ++number)
    found |= shapeOf(root->getOperand(number)) == to && ungroupedSource(operandOf(root, number));
  if (!found)
    return false;
  const llvm::SmallVector<int64_t> rows = ungrouped(to);
  IRMapping moved;
  for (unsigned number = 0; number < root->getNumOperands(); ++number) {
    Traced operand = operandOf(root, number);
    if (!isPlaced(operand.value))
      return false;
    if (moved.contains(operand.value))
      continue;
    if (shapeOf(operand.value) == to) {
      std::optional<Traced> source = ungroupedSource(operand);
      if (!source || !mayBeReadAt(*source, root))
        return false;
      moved.map(operand.value, proposal.reshaped(source->value, rows));
      continue;
    }
    // Only what is spread over pixels is small.
    // An eighth of the tensor once it is spread over channels.
    if (typeOf(operand.value).getNumElements() * to.back() * 8 > llvm::product_of(to) ||
        !mayBeReadAt(operand, root))
      return false;
    moved.map(operand.value, spread(operand.value, to, proposal));
  }
  Operation *made = proposal.copy(root, moved, rows);
  proposal.isAbout(made);
  proposal.replace(root, proposal.reshaped(made->getResult(0), to));
  return true;
}

bool proposeUngroupedMean(Operation *root, Proposal &proposal) {
  std::optional<Traced> source = ungroupedSource(operandOf(root, 0));
  auto listed = root->getAttrOfType<ArrayAttr>("dim_arg");
  mlir::Value grouped = root->getOperand(0);
  ArrayRef<int64_t> from = shapeOf(grouped);
  const auto rank = int64_t(from.size());
  // In f32, since what is rounded between the two means would be wrong for a whole group.
  if (!source || !listed || !mayBeReadAt(*source, root) || !typeOf(grouped).getElementType().isF32())
    return false;
  llvm::SmallVector<int64_t> pixels;
  bool ofChannels = false, ofGroups = false;
  for (int64_t dimension : integersOf(listed)) {
    dimension = (dimension + rank) % rank;
    ofChannels |= dimension == rank - 1;
    ofGroups |= dimension == rank - 2;
    if (dimension < rank - 2)
      pixels.push_back(dimension);
  }
  // Without channels it is no mean of a group; over groups as well it is one of whole rows; of one pixel there is no
  // row to save.
  if (!ofChannels || ofGroups || pixels.empty())
    return false;
  llvm::sort(pixels);
  // Pixels side by side are one dimension, over which one op goes once.
  llvm::SmallVector<int64_t> rows = ungrouped(from), over = pixels;
  if (pixels.back() - pixels.front() + 1 == int64_t(pixels.size())) {
    rows.assign(from.begin(), from.begin() + pixels.front());
    rows.push_back(llvm::product_of(from.slice(size_t(pixels.front()), pixels.size())));
    rows.append(from.begin() + pixels.back() + 1, from.end() - 2);
    rows.push_back(ungrouped(from).back());
    over = {pixels.front()};
  }
  mlir::Value perChannel = reduced(root, proposal.reshaped(source->value, rows), over, proposal);
  llvm::SmallVector<int64_t> groups(from);
  for (int64_t dimension : pixels)
    groups[size_t(dimension)] = 1;
  mlir::Value result = reduced(root, proposal.reshaped(perChannel, groups), {rank - 1}, proposal);
  proposal.replace(root, proposal.reshaped(result, shapeOf(root->getResult(0))));
  return true;
}

} // namespace tessera::rewrite
