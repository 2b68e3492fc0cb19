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
// the channels of each group.
//
//===----------------------------------------------------------------------===//
#include "Match.h"
#include "Rows.h"

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

} // namespace

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
