//===- WholeHeads.cpp - Heads that fill no tiles, made to fill them -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Heads of 16, 40, 72 or 80 elements begin within tiles: a reshape moves rows of
// them element by element. Attention over heads with zeros behind them is the same,
// and the zeros cost nothing where they are columns of the weights that make heads.
//
//   pad(permute(reshape(x W)))              ->   permute(reshape(x V)),  V = W with columns of zeros behind each head
//   reshape(permute(slice(y))) W            ->   reshape(permute(y)) V,  V = W with rows of zeros behind each head
//
// Letters in the shapes: H heads, D head size, and D' with zeros behind it.
//
//===----------------------------------------------------------------------===//
#include "../ConstEval.h"
#include "../Match.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// The size that the last dimension has without zeros behind it, if the op puts such there and nothing else.
std::optional<int64_t> sizeBeforeZeros(ttnn::PadOp pad) {
  ArrayRef<int32_t> padding = pad.getPadding();
  bool isLastAlone = padding.size() >= 2 && padding.back() > 0 && pad.getValue().isZero() &&
                     llvm::all_of(padding.drop_back(), [](int32_t extent) { return extent == 0; });
  return isLastAlone ? std::optional(shapeOf(pad.getInput()).back()) : std::nullopt;
}

/// Values with zeros behind each head, made by weights that have them. Null where something is on the way that the zeros would not leave as it is.
class Whole {
public:
  Whole(Operation *root, int64_t size, int64_t whole, Proposal &proposal)
      : root(root), size(size), whole(whole), proposal(proposal) {}

  /// ... x D as ... x D'.
  mlir::Value heads(const Traced &traced) {
    // Each value once, as halves that are turned come back to the same product. The entry is looked up again: what is
    // computed on the way may have moved it.
    auto [known, isNew] = made.try_emplace(traced.value);
    if (isNew)
      made[traced.value] = computed(traced);
    return made[traced.value];
  }

private:
  /// Up the graph from the pad to a product with constant weights, through all that leaves zeros behind a head zeros:
  /// moves, casts, sums of two such, products with anything.
  mlir::Value computed(const Traced &traced) {
    Operation *op = traced.value.getDefiningOp();
    // Tables that are the same for all heads.
    if (shapeOf(traced.value).back() == size && (!op || isConstant(traced.value) || isTable(traced.value)))
      return isPlaced(traced.value) && mayBeReadAt(traced, root)
                 ? proposal.padded(traced.value, typeOf(traced.value).getRank() - 1, whole)
                 : mlir::Value();
    if (!op || op->getBlock() != root->getBlock() || ttnn::saysMore(op))
      return {};
    if (auto permute = dyn_cast<ttnn::PermuteOp>(op)) {
      llvm::ArrayRef<int64_t> order = permute.getPermutation();
      mlir::Value source =
          // Zeros stand behind the last dimension, so a permute has to leave that one last.
          order.back() == int64_t(order.size()) - 1 ? heads(operandOf(op, 0)) : mlir::Value();
      return source ? proposal.permute(source, order) : source;
    }
    if (isa<ttnn::ReshapeOp>(op))
      return reshaped(op);
    if (isa<ttnn::TypecastOp, ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp>(op))
      return again(op, heads(operandOf(op, 0)));
    if (isa<ttnn::AddOp, ttnn::SubtractOp, ttnn::MultiplyOp>(op) && !appliesActivations(op))
      return elementwise(op);
    return turned(op);
  }

  /// What is the same for all heads and, but for rows that are positions, for all else: it has few elements.
  bool isTable(mlir::Value value) const {
    ArrayRef<int64_t> shape = shapeOf(value);
    return llvm::count_if(shape, [](int64_t extent) { return extent != 1; }) <= 2;
  }

  mlir::Value reshaped(Operation *op) {
    ArrayRef<int64_t> from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
    llvm::SmallVector<int64_t> shape(to);
    shape.back() = whole;
    mlir::Value source;
    if (from.back() == size && to.back() == size)
      source = heads(operandOf(op, 0));
    else if (to.size() >= 2 && to.back() == size && from.back() == to[to.size() - 2] * size)
      source = columns(operandOf(op, 0), to[to.size() - 2]);
    return source ? proposal.reshaped(source, shape) : source;
  }

  /// The op again, of another operand in the same pages.
  mlir::Value again(Operation *op, mlir::Value source) {
    if (!source || isa<ttnn::ToMemoryConfigOp>(op))
      return source;
    if (isa<ttnn::TypecastOp>(op))
      return proposal.cast(source, typeOf(op->getResult(0)).getElementType());
    source = proposal.paged(source, PageLayout::Tile);
    return proposal.cast(source, typeOf(op->getResult(0)).getElementType());
  }

  mlir::Value elementwise(Operation *op) {
    IRMapping operands;
    for (unsigned number : {0u, 1u}) {
      Traced operand = operandOf(op, number);
      // A number for all elements of a head makes zeros of zeros if it is multiplied, but other numbers if it is added.
      const bool isSpread = shapeOf(operand.value).empty() || shapeOf(operand.value).back() == 1;
      if (isSpread && isa<ttnn::MultiplyOp>(op) && mayBeReadAt(operand, root))
        continue;
      mlir::Value source = isSpread ? mlir::Value() : heads(operand);
      if (!source)
        return {};
      operands.map(operand.value, source);
    }
    llvm::SmallVector<int64_t> shape(shapeOf(op->getResult(0)));
    shape.back() = whole;
    return proposal.copy(op, operands, shape)->getResult(0);
  }

  /// Heads times a constant matrix, as parts of them are exchanged: zeros make zeros.
  mlir::Value turned(Operation *op) {
    std::optional<Product> product = plainProduct(op);
    // The program config is one for the narrower matrix.
    if (!product || shapeOf(product->left.value).back() != size || shapeOf(op->getResult(0)).back() != size ||
        typeOf(product->right.value).getRank() != 2 || !isPlaced(product->right.value) ||
        !isConstant(product->right.value) || product->right.value != op->getOperand(1) ||
        op->getAttr("matmul_program_config"))
      return {};
    mlir::Value left = heads(product->left);
    if (!left)
      return {};
    IRMapping operands;
    operands.map(op->getOperand(0), left);
    operands.map(op->getOperand(1),
                 proposal.padded(proposal.padded(product->right.value, 1, whole), 0, whole));
    llvm::SmallVector<int64_t> shape(shapeOf(op->getResult(0)));
    shape.back() = whole;
    return proposal.copy(op, operands, shape)->getResult(0);
  }

  /// ... x HD as ... x HD'.
  mlir::Value columns(const Traced &traced, int64_t count, int64_t begin = 0) {
    Operation *op = traced.value.getDefiningOp();
    if (!op || op->getBlock() != root->getBlock() || ttnn::saysMore(op))
      return {};
    if (isa<ttnn::TypecastOp, ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp>(op))
      return again(op, columns(operandOf(op, 0), count, begin));
    if (isa<ttnn::ReshapeOp>(op)) {
      llvm::SmallVector<int64_t> shape(shapeOf(op->getResult(0)));
      mlir::Value source = shape.back() == shapeOf(op->getOperand(0)).back()
                               ? columns(operandOf(op, 0), count, begin)
                               : mlir::Value();
      shape.back() = count * whole;
      return source ? proposal.reshaped(source, shape) : source;
    }
    if (auto slice = dyn_cast<ttnn::SliceStaticOp>(op))
      // A slice of a slice is left: its columns would be counted from another beginning.
      return begin == 0 ? ofSlice(slice, count) : mlir::Value();
    return isa<ttnn::MatmulOp, ttnn::LinearOp>(op) ? ofProduct(op, count, begin) : mlir::Value();
  }

  mlir::Value ofSlice(ttnn::SliceStaticOp slice, int64_t count) {
    const auto [begins, ends, steps] = boundsOf(slice);
    const bool isOfColumns = llvm::all_of(steps, [](int64_t step) { return step == 1; }) &&
                             llvm::all_of(ArrayRef(begins).drop_back(), [](int64_t at) { return at == 0; }) &&
                             ArrayRef(ends).drop_back() == shapeOf(slice.getInput()).drop_back();
    return isOfColumns ? columns(operandOf(slice, 0), count, begins.back()) : mlir::Value();
  }

  /// Columns of a product with constant weights.
  mlir::Value ofProduct(Operation *op, int64_t count, int64_t begin) {
    mlir::Value matrix = op->getOperand(1);
    auto turns = op->getAttrOfType<BoolAttr>("transpose_b"),
         turnsLeft = op->getAttrOfType<BoolAttr>("transpose_a");
    if (!turns || !turnsLeft || turnsLeft.getValue() || op->getAttr("activation") ||
        op->getAttr("matmul_program_config") || typeOf(matrix).getRank() != 2 ||
        !mayBeReadAt(operandOf(op, 0), root) ||
        !llvm::all_of(op->getOperands().drop_front(),
                      [](mlir::Value each) { return isPlaced(each) && isConstant(each); }))
      return {};
    if (turns.getValue())
      matrix = proposal.permute(matrix, {1, 0});
    IRMapping none;
    llvm::SmallVector<int64_t> shape(shapeOf(op->getResult(0)));
    shape.back() = count * whole;
    mlir::Value bias = op->getNumOperands() > 2 ? op->getOperand(2) : mlir::Value();
    if (bias && shapeOf(bias).back() != typeOf(bias).getNumElements())
      return {};
    matrix = spread(matrix, count, begin);
    if (bias)
      bias = spread(bias, count, begin);
    Operation *made = proposal.copy(op, none, shape);
    // Operands are set one by one, since the bias or the left side may be the matrix, too.
    made->setOperand(1, matrix);
    if (bias)
      made->setOperand(2, bias);
    made->setAttr("transpose_b", proposal.attributes().getBoolAttr(false));
    return made->getResult(0);
  }

  /// The columns of a constant, from `begin` on, with zeros behind each head.
  // Of 3 heads of 40 in a matrix of 120 columns: K x 120 -> K x 3 x 40 -> K x 3 x 64 -> K x 192.
  mlir::Value spread(mlir::Value constant, int64_t count, int64_t begin) {
    llvm::SmallVector<int64_t> begins(shapeOf(constant).size(), 0), ends(shapeOf(constant)),
        steps(begins.size(), 1), parts(ends), all(ends);
    if (begin != 0 || ends.back() != count * size) {
      begins.back() = begin;
      ends.back() = begin + count * size;
      constant = proposal.slice(constant, begins, ends, steps);
    }
    parts.back() = count;
    parts.push_back(size);
    all.back() = count * whole;
    constant = proposal.padded(proposal.reshaped(constant, parts), int64_t(parts.size()) - 1, whole);
    return proposal.reshaped(constant, all);
  }

  Operation *root;
  int64_t size, whole;
  Proposal &proposal;
  llvm::DenseMap<mlir::Value, mlir::Value> made; ///< only looked up
};

/// Heads without the zeros behind them, which are cut off: ... x D of ... x D'.
std::optional<Traced> beforeCut(const Traced &traced) {
  auto slice = traced.maker<ttnn::SliceStaticOp>();
  if (!slice)
    return std::nullopt;
  const auto [begins, ends, steps] = boundsOf(slice);
  const bool isCut = llvm::all_of(begins, [](int64_t at) { return at == 0; }) &&
                     llvm::all_of(steps, [](int64_t step) { return step == 1; }) &&
                     ArrayRef(ends).drop_back() == shapeOf(slice.getInput()).drop_back();
  return isCut ? std::optional(operandOf(slice, 0)) : std::nullopt;
}

/// Heads whose zeros are cut off, and the ops between them and the product that reads them joined, the first of these last.
struct CutHeads {
  Traced whole;
  int64_t size; ///< without the zeros
  llvm::SmallVector<Operation *> way;
};
std::optional<CutHeads> cutHeads(Operation *product) {
  // More than a permute, two reshapes and the casts and conversions around them take.
  constexpr size_t kMostOps = 8;
  llvm::SmallVector<Operation *> way;
  Traced traced = operandOf(product, 0);
  std::optional<Traced> whole;
  for (; !(whole = beforeCut(traced)); traced = traced.before()) {
    Operation *op = traced.value.getDefiningOp();
    if (!isa_and_nonnull<ttnn::ReshapeOp, ttnn::PermuteOp, ttnn::ToLayoutOp, ttnn::TypecastOp>(op) ||
        op->getBlock() != product->getBlock() || ttnn::saysMore(op) || way.size() == kMostOps)
      return std::nullopt;
    way.push_back(op);
  }
  // Attention makes zeros of values that are zeros.
  const int64_t size = shapeOf(traced.value).back();
  return whole->maker<ttnn::ScaledDotProductAttentionOp>() && size < shapeOf(whole->value).back()
             ? std::optional(CutHeads{*whole, size, way})
             : std::nullopt;
}

/// The heads with their zeros, side by side as they are without: one reshape joins them, others and permutes leave them. Null if something else
/// becomes of them.
/// With D = 40 and D' = 64: B x H x S x 64, B x S x H x 64, B x S x 64 H where there was B x S x 40 H.
mlir::Value joined(const CutHeads &heads, int64_t count, Proposal &proposal) {
  mlir::Value value = heads.whole.value;
  const int64_t whole = shapeOf(value).back();
  bool areJoined = count == 1;
  for (Operation *op : llvm::reverse(heads.way)) {
    ArrayRef<int64_t> from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
    if (auto permute = dyn_cast<ttnn::PermuteOp>(op)) {
      if (permute.getPermutation().back() != int64_t(from.size()) - 1)
        return {};
      value = proposal.permute(value, permute.getPermutation());
    } else if (isa<ttnn::ReshapeOp>(op)) {
      const bool joins = !areJoined && to.back() == count * heads.size && from.size() >= 2 &&
                         from.back() == heads.size && from[from.size() - 2] == count;
      if (!joins && to.back() != from.back())
        return {};
      areJoined |= joins;
      llvm::SmallVector<int64_t> shape(to);
      shape.back() = areJoined ? count * whole : whole;
      value = proposal.reshaped(value, shape);
    } else {
      value = proposal.cast(value, typeOf(op->getResult(0)).getElementType());
    }
  }
  return areJoined ? value : mlir::Value();
}

/// Whether the right side of the product, which is not turned, is one constant matrix.
bool isOfConstantMatrix(Operation *product) {
  auto turns = product->getAttrOfType<BoolAttr>("transpose_b"),
       turnsLeft = product->getAttrOfType<BoolAttr>("transpose_a");
  mlir::Value matrix = product->getOperand(1);
  return turns && !turns.getValue() && turnsLeft && !turnsLeft.getValue() && typeOf(matrix).getRank() == 2 &&
         isPlaced(matrix) && !product->getAttr("matmul_program_config") && isConstant(matrix);
}

} // namespace

bool proposeWholeHeads(Operation *root, Proposal &proposal) {
  auto pad = cast<ttnn::PadOp>(root);
  std::optional<int64_t> size = sizeBeforeZeros(pad);
  if (!size || !isPlaced(pad.getResult()) || pad.getInput().getDefiningOp() == nullptr)
    return false;
  const int64_t whole = shapeOf(pad.getResult()).back();
  // Tables by themselves are as well padded where they are.
  Operation *source = pad.getInput().getDefiningOp();
  if (whole % 32 != 0 || isConstant(pad.getInput()) ||
      !isa<ttnn::PermuteOp, ttnn::ReshapeOp, ttnn::TypecastOp, ttnn::ToLayoutOp, ttnn::AddOp,
           ttnn::MultiplyOp>(source))
    return false;
  mlir::Value made = Whole(root, *size, whole, proposal).heads(operandOf(root, 0));
  if (!made || made.getDefiningOp<ttnn::PadOp>())
    return false;
  proposal.isAbout(made.getDefiningOp());
  proposal.replace(root, proposal.cast(made, typeOf(root->getResult(0)).getElementType()));
  return true;
}

bool proposeWholeHeadsJoined(Operation *root, Proposal &proposal) {
  std::optional<CutHeads> heads = cutHeads(root);
  if (!heads || !isOfConstantMatrix(root) || !mayBeReadAt(heads->whole, root))
    return false;
  mlir::Value matrix = root->getOperand(1);
  const int64_t rows = shapeOf(matrix)[0], columns = shapeOf(matrix)[1], count = rows / heads->size,
                whole = shapeOf(heads->whole.value).back();
  mlir::Value value = count * heads->size == rows ? joined(*heads, count, proposal) : mlir::Value();
  if (!value)
    return false;
  mlir::Value parts = proposal.padded(proposal.reshaped(matrix, {count, heads->size, columns}), 1, whole);
  IRMapping none;
  Operation *made = proposal.copy(root, none, shapeOf(root->getResult(0)));
  made->setOperand(0, value);
  made->setOperand(1, proposal.reshaped(parts, {count * whole, columns}));
  proposal.isAbout(made);
  proposal.replace(root, made->getResult(0));
  return true;
}

} // namespace tessera::rewrite
