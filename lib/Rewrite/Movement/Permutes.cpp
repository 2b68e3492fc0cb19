//===- Permutes.cpp - Two orders of dimensions made one ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Convolutions have channels last, and what stands around them often has them
// first: tensors are permuted back and forth, with ops between the two permutes
// that could work in either order. The last permute goes up through these until it
// meets the first:
//
//   permute(gelu(reshape(permute(x))))   ->   gelu(reshape(x))
//   permute(concat(slice(permute(x)), permute(y)))   ->   concat(slice(x), y)
//
// What others read as well, as each sum of a residual stream is, would be computed twice.
// There the op itself changes sides with permutes, if fewer are left:
//
//   z = add(permute(x), permute(y)), permute(z)   ->   w = add(x, y), permute(w), w
//
// What is reduced is reduced before a permute:   mean(permute(x))   ->   permute(mean(x))
//
//===----------------------------------------------------------------------===//
#include "../ConstEval.h"
#include "../Match.h"
#include "../Rows.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

using Order = llvm::SmallVector<int64_t>;

/// A tensor has few elements beside one that has this many times as many.
constexpr int64_t kFew = 16;

Order permuted(ArrayRef<int64_t> values, ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t dimension) { return values[size_t(dimension)]; });
}

bool isIdentity(ArrayRef<int64_t> order) {
  return llvm::equal(order, llvm::seq<int64_t>(0, int64_t(order.size())));
}

/// Whether extents above 1 stay in their order, so that a reshape does what a permute would.
bool movesOnesAlone(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  Order kept;
  llvm::copy_if(order, std::back_inserter(kept),
                [&](int64_t dimension) { return shape[size_t(dimension)] != 1; });
  return llvm::is_sorted(kept);
}

/// The order in which dimensions before a reshape have to be for those behind it to be in `order`; nullopt if the order takes a block
/// apart.
std::optional<Order> orderBefore(ArrayRef<int64_t> from, ArrayRef<int64_t> to, ArrayRef<int64_t> order) {
  llvm::SmallVector<KeptTogether> blocks = blocksOf(from, to);
  Order before;
  for (size_t position = 0; position < order.size();) {
    const KeptTogether *block =
        llvm::find_if(blocks, [&](const KeptTogether &each) { return each.to.front() == order[position]; });
    if (block == blocks.end() || order.size() - position < block->to.size() ||
        !llvm::equal(block->to, order.slice(position, block->to.size())))
      return std::nullopt;
    llvm::append_range(before, block->from);
    position += block->to.size();
  }
  return before;
}

/// Makes values with their dimensions in another order, from what they are made of.
class Reordering {
public:
  Reordering(Operation *root, Proposal &proposal) : root(root), proposal(proposal) {}

  /// Null if a permute would have to stand where none stood.
  mlir::Value reordered(Traced traced, ArrayRef<int64_t> order) {
    mlir::Value value = traced.value;
    if (!isPlaced(value) || !mayBeReadAt(traced, root))
      return {};
    ArrayRef<int64_t> shape = shapeOf(value);
    // Nothing moves if all extents are 1, and const-eval permutes what is constant.
    if (isIdentity(order) || llvm::all_of(shape, [](int64_t extent) { return extent == 1; }))
      return value;
    if (isConstant(value))
      return proposal.permute(value, order);
    // A number per channel that is spread over pixels, as the embedding of a step is: new tiles for few elements.
    if (kFew * typeOf(value).getNumElements() <= typeOf(root->getResult(0)).getNumElements() &&
        movesOnesAlone(shape, order))
      return proposal.reshaped(value, permuted(shape, order));
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != root->getBlock() || op->hasAttr("tessera.pin") || ttnn::saysMore(op))
      return {};
    if (auto first = dyn_cast<ttnn::PermuteOp>(op)) {
      Order composed = permuted(first.getPermutation(), order);
      Traced source = traced.before();
      if (!isPlaced(source.value) || !mayBeReadAt(source, root))
        return {};
      ++met;
      // The permute goes if nothing else reads it. One of its source takes its place, unless the two orders cancel.
      fewer += int64_t(value.hasOneUse()) - int64_t(!isIdentity(composed));
      return isIdentity(composed) ? source.value : proposal.permute(source.value, composed);
    }
    // Who else reads it would have it computed twice. Of a slice that is no more than to cut twice, and a permute less to cut from.
    if (!value.hasOneUse() && !isCutFromPermute(op))
      return {};
    return remade(op, order);
  }

  /// What the op makes, from operands in an order that leads to that one. Null if one of them is not to be had, or if that takes very many
  /// ops: this goes as deep as they stand behind each other.
  mlir::Value remade(Operation *op, ArrayRef<int64_t> order) {
    if (++visited > kMostOps)
      return {};
    if (isa<ttnn::ReshapeOp>(op)) {
      ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
      std::optional<Order> before = orderBefore(shapeOf(op->getOperand(0)), shape, order);
      mlir::Value source = before ? reordered(operandOf(op, 0), *before) : mlir::Value();
      return source ? proposal.reshaped(source, permuted(shape, order)) : mlir::Value();
    }
    if (isa<ttnn::ToLayoutOp>(op) &&
        typeOf(op->getOperand(0)).getElementType() == typeOf(op->getResult(0)).getElementType()) {
      mlir::Value source = reordered(operandOf(op, 0), order);
      return source ? proposal.paged(source, ttnn::placedTensor(typeOf(op->getResult(0)))->layout.page)
                    : mlir::Value();
    }
    if (auto pad = dyn_cast<ttnn::PadOp>(op))
      return bordered(pad, order);
    if (auto concat = dyn_cast<ttnn::ConcatOp>(op))
      return joined(concat, order);
    if (auto slice = dyn_cast<ttnn::SliceStaticOp>(op))
      return cutOut(slice, order);
    return isElementwise(op) ? computed(op, order) : mlir::Value();
  }

  size_t met = 0;    ///< permutes on the way, which end there
  int64_t fewer = 0; ///< of these there will be so many less, once nothing reads what is made anew

private:
  static bool isCutFromPermute(Operation *op) {
    return isa<ttnn::SliceStaticOp>(op) && op->getOperand(0).getDefiningOp<ttnn::PermuteOp>();
  }

  /// A slice in another order; one that is there already, if it is.
  mlir::Value cutOut(ttnn::SliceStaticOp slice, ArrayRef<int64_t> order) {
    mlir::Value source = reordered(operandOf(slice, 0), order);
    if (!source)
      return {};
    const SliceBounds bounds = boundsOf(slice);
    Order begins = permuted(bounds.begins, order), ends = permuted(bounds.ends, order),
          step = permuted(bounds.steps, order);
    // The slice's other reader may have been reordered before, and have cut the same; unless that was written since.
    for (Operation *user : source.getUsers())
      if (auto same = dyn_cast<ttnn::SliceStaticOp>(user);
          same && same->getBlock() == root->getBlock() && standsBefore(same, root) &&
          isPlaced(same.getResult()) && mayBeReadAt(operandOf(same, 0), root))
        if (SliceBounds its = boundsOf(same); its.begins == begins && its.ends == ends && its.steps == step)
          return same.getResult();
    return proposal.slice(source, begins, ends, step);
  }

  mlir::Value joined(ttnn::ConcatOp concat, ArrayRef<int64_t> order) {
    llvm::SmallVector<mlir::Value> parts;
    for (unsigned number = 0; number < concat->getNumOperands(); ++number) {
      parts.push_back(reordered(operandOf(concat, number), order));
      if (!parts.back())
        return {};
    }
    int64_t rank = int64_t(order.size()), dimension = (integerOf(concat.getDimAttr()) + rank) % rank;
    return proposal.concat(parts, llvm::find(order, dimension) - order.begin());
  }

  mlir::Value bordered(ttnn::PadOp pad, ArrayRef<int64_t> order) {
    mlir::Value source = reordered(operandOf(pad, 0), order);
    if (!source)
      return {};
    llvm::SmallVector<int32_t> padding;
    for (int64_t dimension : order)
      llvm::append_range(padding, pad.getPadding().slice(size_t(2 * dimension), 2));
    return proposal.make<ttnn::PadOp>(Proposal::typeLike(source, permuted(shapeOf(pad.getResult()), order)),
                                      source, padding, pad.getValueAttr().getValue(), pad.getUseMulticore());
  }

  mlir::Value computed(Operation *op, ArrayRef<int64_t> order) {
    IRMapping operands;
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      if (!isa<RankedTensorType>(operand.getType()) || typeOf(operand).getRank() != int64_t(order.size()))
        return {};
      mlir::Value moved = operands.contains(operand) ? operands.lookup(operand)
                                                     : reordered(operandOf(op, unsigned(number)), order);
      if (!moved)
        return {};
      operands.map(operand, moved);
    }
    return proposal.copy(op, operands, permuted(shapeOf(op->getResult(0)), order))->getResult(0);
  }

  // Of one proposal. It bounds the depth of the recursion as well.
  static constexpr size_t kMostOps = 256;

  Operation *root;
  Proposal &proposal;
  size_t visited = 0;
};

Order inverse(ArrayRef<int64_t> order) {
  Order back(order.size());
  for (auto [position, dimension] : llvm::enumerate(order))
    back[size_t(dimension)] = int64_t(position);
  return back;
}

/// As far as permutes are looked for from one op on: chains may be as long as the program.
constexpr unsigned kNear = 16;

/// What reads the value behind ops that work element by element, which nothing else reads.
Operation *readerBehind(Operation *reader) {
  for (unsigned i = 0; i < kNear && isElementwise(reader) && reader->hasOneUse(); ++i)
    reader = *reader->getUsers().begin();
  return reader;
}

bool reduces(Operation *op) {
  return isa<ttnn::MeanOp, ttnn::SumOp, ttnn::MaxOp, ttnn::MinOp>(op) &&
         op->getAttrOfType<ArrayAttr>("dim_arg");
}

/// The order in which the value was before a permute, which only ops that work element by element stand behind.
std::optional<Order> orderBeforePermute(mlir::Value value) {
  for (unsigned i = 0; i < kNear; ++i) {
    Operation *op = value.getDefiningOp();
    if (auto permute = dyn_cast_or_null<ttnn::PermuteOp>(op))
      return inverse(permute.getPermutation());
    if (!op || !isElementwise(op))
      return std::nullopt;
    // First operands only: this guesses an order, and Reordering finds out whether it leads anywhere.
    value = op->getOperand(0);
  }
  return std::nullopt;
}

/// An order that a reader of the value wants; else the one from which an operand came.
std::optional<Order> otherOrderOf(Operation *op) {
  for (Operation *reader : op->getUsers())
    if (auto permute = dyn_cast<ttnn::PermuteOp>(readerBehind(reader)))
      return Order(permute.getPermutation());
  for (mlir::Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      if (std::optional<Order> before = orderBeforePermute(operand))
        return before;
  return std::nullopt;
}

} // namespace

bool proposePermutesBehind(Operation *root, Proposal &proposal) {
  if (root->getNumResults() != 1 || !isPlaced(root->getResult(0)) || isa<ttnn::PermuteOp>(root))
    return false;
  std::optional<Order> order = otherOrderOf(root);
  if (!order || isIdentity(*order) || order->size() != shapeOf(root->getResult(0)).size() ||
      isConstant(root->getResult(0)))
    return false;
  Reordering reordering(root, proposal);
  mlir::Value value = reordering.remade(root, *order);
  if (!value)
    return false;
  if (Operation *made = value.getDefiningOp())
    proposal.isAbout(made);
  int64_t fewer = reordering.fewer;
  bool readAsItWas = false, stays = false; // a permute for those who read it as it was
  auto isPermute = [&](Operation *op) {
    auto permute = dyn_cast<ttnn::PermuteOp>(op);
    return permute && permute.getPermutation() == ArrayRef(*order);
  };
  for (Operation *reader : root->getUsers()) {
    if (isPermute(reader)) {
      proposal.replace(reader, value);
      ++fewer;
      continue;
    }
    readAsItWas = true;
    Operation *last = readerBehind(reader);
    stays |= !isPermute(last) && !reduces(last); // with these it will meet
  }
  // A row that looks up from the last op finds what it alone reads, and casts to wider elements come behind permutes (late-cast).
  const bool isForOthers = !root->hasOneUse() && !isa<ttnn::TypecastOp>(root);
  if (fewer <= int64_t(isForOthers ? stays : readAsItWas))
    return false;
  if (readAsItWas)
    proposal.replace(root, proposal.permute(value, inverse(*order)));
  return true;
}

bool proposeMetPermutes(Operation *root, Proposal &proposal) {
  auto permute = cast<ttnn::PermuteOp>(root);
  // Two in a row are another rewrite.
  if (permute.getInput().getDefiningOp<ttnn::PermuteOp>() || isConstant(permute.getInput()))
    return false;
  Reordering reordering(root, proposal);
  mlir::Value value = reordering.reordered(operandOf(root, 0), permute.getPermutation());
  if (!value || reordering.met == 0)
    return false;
  proposal.replace(root, value);
  return true;
}

bool proposeLatePermute(Operation *root, Proposal &proposal) {
  auto listed = root->getAttrOfType<ArrayAttr>("dim_arg");
  mlir::Value value = root->getOperand(0);
  std::optional<Order> order = listed && !listed.empty() ? orderBeforePermute(value) : std::nullopt;
  if (!order || order->size() != shapeOf(value).size() || isConstant(root->getResult(0)))
    return false;
  Reordering reordering(root, proposal);
  mlir::Value source = reordering.reordered(operandOf(root, 0), *order);
  if (!source || reordering.met == 0)
    return false;
  const auto rank = int64_t(order->size());
  Order over = llvm::map_to_vector(integersOf(listed), [&](int64_t dimension) {
    return int64_t(llvm::find(*order, (dimension + rank) % rank) - order->begin());
  });
  llvm::sort(over);
  Order kept(shapeOf(source)); // as the op would leave them
  for (int64_t dimension : over)
    kept[size_t(dimension)] = 1;
  // What is side by side is one dimension, over which one op goes once.
  Order shape(shapeOf(source));
  if (over.back() - over.front() + 1 == int64_t(over.size())) {
    auto first = shape.begin() + over.front(), last = shape.begin() + over.back() + 1;
    *first = llvm::product_of(llvm::make_range(first, last));
    shape.erase(first + 1, last);
    over.truncate(1);
  }
  Order reduced(shape);
  for (int64_t dimension : over)
    reduced[size_t(dimension)] = 1;
  IRMapping operands;
  operands.map(value, proposal.reshaped(source, shape));
  Operation *made = proposal.copy(root, operands, reduced);
  OpBuilder &builder = proposal.attributes();
  made->setAttr("dim_arg", builder.getI32ArrayAttr(llvm::map_to_vector(
                               over, [](int64_t dimension) { return int32_t(dimension); })));
  // With all dimensions, so that the permute back finds the order that it undoes.
  made->setAttr("keep_dim", builder.getBoolAttr(true));
  proposal.isAbout(made);
  mlir::Value result = made->getResult(0);
  if (Order back = inverse(*order); !movesOnesAlone(kept, back)) {
    // The permute of what is left stands for the one before, so that one has to go.
    if (reordering.fewer <= 0)
      return false;
    result = proposal.permute(proposal.reshaped(result, kept), back);
  }
  proposal.replace(root, proposal.reshaped(result, shapeOf(root->getResult(0))));
  return true;
}

} // namespace tessera::rewrite
