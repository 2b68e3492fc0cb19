//===- Movement.cpp - Less of what only moves elements --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Permutes, slices and casts that meet become fewer, or move fewer bytes:
//
//   permute(permute(x))                         ->   permute(x)
//   permute(slice(x)), permute(slice(x)), ...   ->   slices of permute(x)
//   permute(cast(x)) to wider elements          ->   cast(permute(x))
//
// A permute goes through all elements whatever it does with them, so the number of permutes is what counts, and then
// the width of what they move.
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Rows.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

bool proposeOnePermute(Operation *root, Proposal &proposal) {
  auto second = cast<ttnn::PermuteOp>(root);
  auto first = second.getInput().getDefiningOp<ttnn::PermuteOp>();
  if (!first || !mayBeReadAt(operandOf(first, 0), root))
    return false;
  llvm::SmallVector<int64_t> order;
  for (int64_t dimension : second.getPermutation())
    order.push_back(first.getPermutation()[size_t(dimension)]);
  mlir::Value source = first.getInput();
  if (llvm::equal(order, llvm::seq<int64_t>(0, int64_t(order.size())))) {
    proposal.replace(root, source);
    return true;
  }
  auto made = proposal.make<ttnn::PermuteOp>(Proposal::typeLike(source, shapeOf(second.getResult())), source,
                                             ArrayRef<int64_t>(order), second.getPadValueAttr());
  proposal.replace(root, made.getResult());
  return true;
}

/// The order in which dimensions of `from` become `to`, as permuting `mid` by `order` does where unit dimensions come and go before and
/// after. nullopt if more than units do.
static std::optional<llvm::SmallVector<int64_t>> orderAround(ArrayRef<int64_t> from, ArrayRef<int64_t> mid,
                                                             ArrayRef<int64_t> order, ArrayRef<int64_t> to) {
  llvm::SmallVector<int64_t> turned =
      llvm::map_to_vector(order, [&](int64_t dimension) { return mid[size_t(dimension)]; });
  // Both reshapes may do no more than to move units; then each long dimension is found again by its place among the
  // long ones, and units may take any free place.
  if (from.size() != to.size() || !sameButForUnits(from, mid) || !sameButForUnits(turned, to))
    return std::nullopt;
  llvm::SmallVector<int64_t> units, others, ofMid(mid.size(), -1); // dimensions of `from`
  for (auto [i, extent] : llvm::enumerate(from))
    (extent == 1 ? units : others).push_back(int64_t(i));
  size_t next = 0;
  for (auto [i, extent] : llvm::enumerate(mid))
    if (extent != 1)
      ofMid[i] = others[next++];
  llvm::SmallVector<int64_t> moved; // dimensions of `from` other than units, in the order of `to`
  for (int64_t dimension : order)
    if (ofMid[size_t(dimension)] >= 0)
      moved.push_back(ofMid[size_t(dimension)]);
  llvm::SmallVector<int64_t> whole;
  size_t unit = 0, other = 0;
  for (int64_t extent : to)
    whole.push_back(extent == 1 ? units[unit++] : moved[other++]);
  return whole;
}

/// A permute between a reshape and one that only moves unit dimensions: one permute of what is reshaped, or of that with the unit dimensions
/// in front, or without them. So products of one batch read heads in the same form as those of several.
bool proposePermuteAroundUnits(Operation *root, Proposal &proposal) {
  auto permute = root->getOperand(0).getDefiningOp<ttnn::PermuteOp>();
  auto before = permute ? permute.getInput().getDefiningOp<ttnn::ReshapeOp>() : ttnn::ReshapeOp();
  if (!before || !permute->hasOneUse() || !isPlaced(before.getInput()) ||
      !mayBeReadAt(operandOf(before, 0), root))
    return false;
  mlir::Value x = before.getInput();
  ArrayRef<int64_t> mid = shapeOf(permute.getInput()), to = shapeOf(root->getResult(0));
  auto isLong = [&](int64_t dimension) { return mid[size_t(dimension)] != 1; };
  auto moved = llvm::to_vector(llvm::make_filter_range(permute.getPermutation(), isLong));
  if (llvm::is_sorted(moved)) {
    // Where units alone change places, elements stay where they are.
    proposal.replace(root, proposal.reshaped(x, to));
    return true;
  }
  auto order = orderAround(shapeOf(x), mid, permute.getPermutation(), to);
  // A permute has as many dimensions before as behind it, so units are added in front, or dropped, where the reshape
  // behind did that.
  if (!order && to.size() > mid.size()) {
    llvm::SmallVector<int64_t> from(to.size() - mid.size(), 1);
    llvm::append_range(from, mid);
    if ((order = orderAround(from, mid, permute.getPermutation(), to)))
      x = proposal.reshaped(x, from);
  }
  if (!order && to.size() < mid.size()) {
    // Without those that whoever reads fewer dimensions has none of. The first ones stay: rows that look for heads know
    // B x S x H x D, of one batch as of several.
    llvm::SmallVector<int64_t> from(mid);
    for (size_t i = from.size(); i-- > 0 && from.size() > to.size();)
      if (from[i] == 1)
        from.erase(from.begin() + ptrdiff_t(i));
    if (from.size() == to.size() && (order = orderAround(from, mid, permute.getPermutation(), to)))
      x = proposal.reshaped(x, from);
  }
  if (!order)
    return false;
  auto made = proposal.make<ttnn::PermuteOp>(Proposal::typeLike(x, to), x, ArrayRef<int64_t>(*order),
                                             permute.getPadValueAttr());
  proposal.isAbout(made);
  proposal.replace(root, made.getResult());
  return true;
}

/// Slices of a tensor that are all permuted alike, and cut nothing that the permutation splits: the tensor is permuted once, and sliced
/// then. The root is one of the permutes; a permute of the whole tensor may be among them.
bool proposeEarlyPermute(Operation *root, Proposal &proposal) {
  auto order = cast<ttnn::PermuteOp>(root).getPermutation();
  auto cut = root->getOperand(0).getDefiningOp<ttnn::SliceStaticOp>();
  if (!cut || !isPlaced(cut.getInput()))
    return false;
  mlir::Value whole = cut.getInput();
  llvm::SmallVector<std::pair<ttnn::SliceStaticOp, ttnn::PermuteOp>> parts;
  for (Operation *reader : whole.getUsers()) {
    auto slice = dyn_cast<ttnn::SliceStaticOp>(reader);
    auto permute =
        slice ? dyn_cast_or_null<ttnn::PermuteOp>(onlyReader(slice.getResult())) : ttnn::PermuteOp();
    // One reader of the whole tensor in its old order would keep that beside the permuted one.
    if (!permute || permute.getPermutation() != order || permute->getBlock() != root->getBlock())
      return false;
    parts.push_back({slice, permute});
  }
  llvm::sort(parts, [](auto &a, auto &b) { return standsBefore(a.second, b.second); });
  // The first to be read is where the new permute stands.
  if (parts.size() < 2 || parts.front().second != root || !mayBeReadAt(operandOf(cut, 0), root))
    return false;
  auto permuted = [&](ArrayRef<int64_t> values) {
    return llvm::map_to_vector(order, [&](int64_t dimension) { return values[size_t(dimension)]; });
  };
  auto once = proposal.make<ttnn::PermuteOp>(Proposal::typeLike(whole, permuted(shapeOf(whole))), whole,
                                             order, cast<ttnn::PermuteOp>(root).getPadValueAttr());
  proposal.isAbout(once);
  for (auto &[slice, permute] : parts) {
    const SliceBounds bounds = boundsOf(slice);
    mlir::Value part = proposal.slice(once.getResult(), permuted(bounds.begins), permuted(bounds.ends),
                                      permuted(bounds.steps));
    proposal.standsAt(part.getDefiningOp(), permute); // and not longer in memory than before
    proposal.replace(permute, part);
  }
  return true;
}

/// Moves of what a number scales: attention takes the number as its scale where it stands right before it, and heads that are not scaled
/// meanwhile can be split by one op.
bool proposeLateScale(Operation *root, Proposal &proposal) {
  // Only a product has a use for the number right before it; elsewhere the row would move scales through the program
  // for nothing.
  if (!llvm::all_of(root->getUsers(), llvm::IsaPred<ttnn::MatmulOp, ttnn::LinearOp>))
    return false;
  llvm::SmallVector<Operation *> moves{root}; // from the last to the first
  mlir::Value value = root->getOperand(0);
  if (auto reshape = value.getDefiningOp<ttnn::ReshapeOp>(); reshape && value.hasOneUse()) {
    moves.push_back(reshape);
    value = reshape.getInput();
  }
  std::optional<Scaled> scale = value.hasOneUse() ? scaled(value) : std::nullopt;
  if (!scale || !isPlaced(scale->tensor.value) ||
      typeOf(scale->tensor.value).getElementType() != typeOf(value).getElementType() ||
      !mayBeReadAt(scale->tensor, root))
    return false;
  Operation *scaling = value.getDefiningOp();
  mlir::Value number = scaling->getOperand(scaling->getOperand(0) == scale->tensor.value ? 1 : 0);
  if (!isPlaced(number))
    return false;
  mlir::Value now = scale->tensor.value;
  for (Operation *op : llvm::reverse(moves)) {
    IRMapping moved;
    moved.map(op->getOperand(0), now);
    now = proposal.copy(op, moved, shapeOf(op->getResult(0)))->getResult(0);
  }
  IRMapping moved;
  // One for all elements, wherever these are moved: as many as there were would stand beside others.
  const llvm::SmallVector<int64_t> one(shapeOf(number).size(), 1), ones(shapeOf(now).size(), 1);
  mlir::Value single = proposal.firstOf(number, one);
  moved.map(number, one.size() > ones.size() ? proposal.reshaped(single, ones) : single);
  moved.map(scale->tensor.value, now);
  Operation *late = proposal.copy(scaling, moved, shapeOf(now));
  proposal.isAbout(late);
  proposal.replace(root, late->getResult(0));
  return true;
}

/// A cast to wider elements, movement, and a cast back to the elements that there were: movement of the narrow ones. So may permutes of other
/// wide elements be, which are cast first then.
bool proposeNarrowMoves(Operation *root, Proposal &proposal) {
  auto narrow = cast<ttnn::TypecastOp>(root);
  if (!isFloat(narrow.getInput()) || !isFloat(narrow.getResult()))
    return false;
  // Ops of one operand that leave elements as they are, from the last to the first.
  llvm::SmallVector<Operation *> moves;
  mlir::Value value = narrow.getInput();
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ttnn::ReshapeOp, ttnn::PermuteOp, ttnn::TransposeOp, ttnn::RepeatOp, ttnn::SliceStaticOp,
             ttnn::RepeatInterleaveOp>(op) ||
        !value.hasOneUse())
      break;
    moves.push_back(op);
    value = op->getOperand(0);
  }
  Type narrowType = typeOf(narrow.getResult()).getElementType();
  // Of these two alone it is known that each bf16 is an f32: other casts there and back might change elements.
  if (!narrowType.isBF16() || !typeOf(value).getElementType().isF32())
    return false;
  mlir::Value now;
  // Conversions of pages may cast on their way.
  if (Operation *wide = value.getDefiningOp();
      isa_and_nonnull<ttnn::TypecastOp, ttnn::ToLayoutOp>(wide) && isPlaced(wide->getOperand(0)) &&
      isPlaced(value) && isBF16(wide->getOperand(0)) && mayBeReadAt(operandOf(wide, 0), root))
    now = proposal.paged(wide->getOperand(0), ttnn::placedTensor(typeOf(value))->layout.page);
  // Rounding element by element gives the same bits before a permute as after it.
  else if (!moves.empty() && llvm::all_of(moves, llvm::IsaPred<ttnn::PermuteOp, ttnn::TransposeOp>) &&
           isPlaced(value) && mayBeReadAt(operandOf(moves.back(), 0), root))
    now = proposal.cast(value, narrowType);
  else
    return false;
  for (Operation *op : llvm::reverse(moves)) {
    IRMapping moved;
    moved.map(op->getOperand(0), now);
    now = proposal.copy(op, moved, shapeOf(op->getResult(0)))->getResult(0);
  }
  proposal.replace(root, now);
  return true;
}

/// Where the largest of bf16 stands, cast to wider elements: their order is the same.
bool proposeNarrowSearch(Operation *root, Proposal &proposal) {
  Operation *wide = throughPages(root->getOperand(0)).getDefiningOp();
  if (!isa_and_nonnull<ttnn::TypecastOp, ttnn::ToLayoutOp>(wide) || !isPlaced(wide->getOperand(0)) ||
      !isBF16(wide->getOperand(0)) || !typeOf(root->getOperand(0)).getElementType().isF32() ||
      !mayBeReadAt(operandOf(wide, 0), root))
    return false;
  PageLayout page = ttnn::placedTensor(typeOf(root->getOperand(0)))->layout.page;
  IRMapping narrow;
  narrow.map(root->getOperand(0), proposal.paged(wide->getOperand(0), page));
  proposal.isAbout(proposal.clone(root, narrow));
  proposal.replace(root, proposal.newOps().back()->getResult(0));
  return true;
}

/// What is chosen, as bf16, to be read at `root`: what was cast from it, or one number, which may as well be rounded before it is chosen. Null of
/// all else.
static mlir::Value narrowChoice(Traced chosen, Operation *root, Proposal &proposal) {
  Type bf16 = BFloat16Type::get(root->getContext());
  if (auto wide = chosen.maker<ttnn::TypecastOp>();
      wide && isPlaced(wide.getInput()) && isBF16(wide.getInput()) && mayBeReadAt(chosen.before(), root))
    return wide.getInput();
  return isPlaced(chosen.value) && splatOf(chosen.value) ? proposal.cast(chosen.value, bf16) : nullptr;
}

/// A choice between tensors of bf16 that were cast to wider elements for it, as guards of attention have it, cast back: of the narrow ones.
bool proposeNarrowChoice(Operation *root, Proposal &proposal) {
  auto choice = root->getOperand(0).getDefiningOp<ttnn::WhereOp>();
  Type narrow = typeOf(root->getResult(0)).getElementType();
  if (!choice || !choice->hasOneUse() || ttnn::saysMore(choice) || !narrow.isBF16() ||
      !typeOf(choice.getResult()).getElementType().isF32())
    return false;
  Traced condition = operandOf(choice, 0);
  if (!isPlaced(condition.value) || !mayBeReadAt(condition, root))
    return false;
  mlir::Value made = condition.value;
  if (typeOf(made).getElementType().isF32()) {
    // Of another tensor than one of truths what bf16 rounds to 0 might be true. Rows have been moved beside heads since they were compared.
    Operation *maker = made.getDefiningOp();
    while (isa_and_nonnull<ttnn::ReshapeOp, ttnn::PermuteOp, ttnn::RepeatOp>(maker))
      maker = maker->getOperand(0).getDefiningOp();
    if (!isa_and_nonnull<ttnn::EqualOp, ttnn::NotEqualOp, ttnn::GreaterThanOp, ttnn::GreaterEqualOp,
                         ttnn::LessThanOp, ttnn::LessEqualOp>(maker))
      return false;
    made = proposal.cast(made, narrow);
  }
  if (typeOf(made).getElementType() != narrow)
    return false;
  mlir::Value first = narrowChoice(operandOf(choice, 1), root, proposal);
  mlir::Value second = first ? narrowChoice(operandOf(choice, 2), root, proposal) : nullptr;
  if (!second)
    return false;
  Operation *chosen = proposal.makeNamed("where", {made, first, second},
                                         Proposal::typeLike(first, shapeOf(root->getResult(0)), narrow));
  proposal.isAbout(chosen);
  proposal.replace(root, chosen->getResult(0));
  return true;
}

/// A function of one tensor of bf16, computed in f32: the device's kernels compute in f32 whatever they read and write.
bool proposeNarrowFunction(Operation *root, Proposal &proposal) {
  Operation *function = root->getOperand(0).getDefiningOp();
  // One operand: of two, the other may hold more bits than bf16 has.
  if (!function || function->getNumOperands() != 1 || !isElementwise(function) ||
      isa<ttnn::TypecastOp>(function) || !function->hasOneUse() || ttnn::saysMore(function))
    return false;
  auto wide = function->getOperand(0).getDefiningOp<ttnn::TypecastOp>();
  if (!wide || !isPlaced(wide.getInput()) || !isBF16(wide.getInput()) ||
      !typeOf(wide.getResult()).getElementType().isF32() ||
      !typeOf(root->getResult(0)).getElementType().isBF16() || !mayBeReadAt(operandOf(wide, 0), root))
    return false;
  IRMapping narrow;
  narrow.map(wide.getResult(), wide.getInput());
  Operation *made = proposal.copy(function, narrow, shapeOf(root->getResult(0)));
  proposal.isAbout(made);
  proposal.replace(root, made->getResult(0));
  return true;
}

/// A permute of what was only cast to wider elements: the narrow ones are moved, and cast then.
bool proposeLateCast(Operation *root, Proposal &proposal) {
  auto wide = root->getOperand(0).getDefiningOp<ttnn::TypecastOp>();
  if (!wide || !wide->hasOneUse() || !isPlaced(wide.getInput()) || !isBF16(wide.getInput()) ||
      !typeOf(wide.getResult()).getElementType().isF32() || !mayBeReadAt(operandOf(wide, 0), root))
    return false;
  IRMapping moved;
  moved.map(wide.getResult(), wide.getInput());
  Operation *narrow = proposal.copy(root, moved, shapeOf(root->getResult(0)));
  proposal.replace(root, proposal.cast(narrow->getResult(0), typeOf(wide.getResult()).getElementType()));
  return true;
}

} // namespace tessera::rewrite
