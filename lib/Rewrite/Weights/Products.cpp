//===- Products.cpp - Products of one activation, made at once ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// x W1, x W2, x W3   ->   x [W1 W2 W3], cut
//
// Cutting costs more than reading x thrice, unless one op does it: products are
// joined where each becomes heads, which one op makes of the joined one.
//
//   x W + b            ->   linear(x, W, b)
//
//   (W x^T)^T          ->   x W^T
//
//===----------------------------------------------------------------------===//
#include "../ConstEval.h"
#include "../Match.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Queries, keys and values.
constexpr size_t kJoined = 3;
/// One op cuts heads of so many users at one position at most (`tessera ops ttnn.nlp_create_qkv_heads_decode`).
constexpr int64_t kMostUsers = 32;

/// Weights and bias of an op that multiplies rows with a matrix that is the same in every call, and does no more.
template <class Op>
bool isProductWithConstants(Op op) {
  auto isColumns = [&](mlir::Value value) {
    // Of the bias, too: one number for all columns would have to be spread before it is joined with others.
    return isPlaced(value) && isConstant(value) && shapeOf(value).back() == shapeOf(op.getResult()).back();
  };
  return !op.getTransposeA() && !op.getTransposeB() && !appliesFunction(op) &&
         typeOf(op.getB()).getRank() == 2 && llvm::all_of(op->getOperands().drop_front(), isColumns);
}

bool isProductWithConstants(Operation *op) {
  if (auto matmul = dyn_cast<ttnn::MatmulOp>(op))
    return isProductWithConstants(matmul);
  auto linear = dyn_cast<ttnn::LinearOp>(op);
  return linear && isProductWithConstants(linear);
}

/// Whether nothing is done with rows but to make heads of them: B x H x S x D of rows of B S, or those of one position.
bool becomesHeads(Operation *product) {
  Operation *reader = onlyReader(product->getResult(0));
  if (isa_and_nonnull<ttnn::TypecastOp>(reader))
    reader = onlyReader(reader->getResult(0));
  auto reshape = dyn_cast_or_null<ttnn::ReshapeOp>(reader);
  if (!reshape)
    return false;
  auto permute = dyn_cast_or_null<ttnn::PermuteOp>(onlyReader(reshape.getResult()));
  ArrayRef<int64_t> rows = shapeOf(reshape.getInput());
  return (permute && permute.getPermutation() == ArrayRef<int64_t>({0, 2, 1, 3})) ||
         (rows.size() == 2 && rows.front() <= kMostUsers &&
          headsOfOnePosition(shapeOf(reshape.getResult()), rows.front()) != 0);
}

/// Whether both compute alike, but for what they multiply with; which kernel does it is the plan's to say.
bool isLike(Operation *a, Operation *b) {
  // Joined, all columns are computed at one fidelity and in one element type; a product that asked for another would be
  // rounded otherwise.
  auto config = [](Operation *op) { return op->getInherentAttr("compute_config").value_or(Attribute()); };
  return a->getName() == b->getName() && a->getNumOperands() == b->getNumOperands() &&
         typeOf(a->getResult(0)).getElementType() == typeOf(b->getResult(0)).getElementType() &&
         typeOf(a->getOperand(1)).getElementType() == typeOf(b->getOperand(1)).getElementType() &&
         llvm::equal(shapeOf(a->getResult(0)).drop_back(), shapeOf(b->getResult(0)).drop_back()) &&
         config(a) == config(b);
}

/// The value where `root` stands; null if it is made later. A reshape or permute may be made earlier than it was.
mlir::Value availableAt(Operation *root, mlir::Value value, Proposal &proposal) {
  auto isThere = [&](mlir::Value each) {
    Operation *maker = each.getDefiningOp();
    return !maker || standsBefore(maker, root);
  };
  // The joined product stands at the first of the three, and weights are often reshaped or permuted right before their
  // own product.
  if (isThere(value))
    return value;
  if (auto reshape = value.getDefiningOp<ttnn::ReshapeOp>(); reshape && isThere(reshape.getInput()))
    return proposal.reshaped(reshape.getInput(), shapeOf(value));
  if (auto permute = value.getDefiningOp<ttnn::PermuteOp>(); permute && isThere(permute.getInput()))
    return proposal.permute(permute.getInput(), permute.getPermutation());
  return {};
}

/// Of each product the operand of that number, one behind the other; null if one is made too late.
mlir::Value joined(ArrayRef<Operation *> products, unsigned number, Proposal &proposal) {
  llvm::SmallVector<mlir::Value> values;
  for (Operation *op : products) {
    values.push_back(availableAt(products.front(), op->getOperand(number), proposal));
    if (!values.back())
      return {};
  }
  return proposal.concat(values, typeOf(values.front()).getRank() - 1);
}

} // namespace

bool proposeJoinedProducts(Operation *root, Proposal &proposal) {
  mlir::Value rows = root->getOperand(0);
  llvm::SmallVector<Operation *> products;
  for (Operation *user : rows.getUsers())
    if (user->getBlock() == root->getBlock() && user->getNumOperands() >= 2 && user->getOperand(0) == rows &&
        isProductWithConstants(user) && isLike(user, root) && becomesHeads(user))
      products.push_back(user);
  llvm::sort(products, standsBefore);
  // Only the first proposes, or each of them would join the same ones again.
  if (products.size() != kJoined || products.front() != root || typeOf(root->getResult(0)).getRank() != 2 ||
      !mayBeReadAt(operandOf(root, 0), products.back()))
    return false;
  IRMapping operands;
  for (unsigned number = 1; number < root->getNumOperands(); ++number) {
    mlir::Value whole = joined(products, number, proposal);
    if (!whole)
      return false;
    operands.map(root->getOperand(number), whole);
  }
  llvm::SmallVector<int64_t> shape(shapeOf(root->getResult(0)));
  shape.back() = 0;
  for (Operation *product : products)
    shape.back() += shapeOf(product->getResult(0)).back();
  Operation *made = proposal.copy(root, operands, shape);
  // It was made for the width of one of them.
  made->removeAttr("matmul_program_config");
  proposal.isAbout(made);
  int64_t begin = 0;
  for (Operation *product : products) {
    int64_t end = begin + shapeOf(product->getResult(0)).back();
    proposal.replace(product, proposal.slice(made->getResult(0), {0, begin}, {shape.front(), end}, {1, 1}));
    begin = end;
  }
  return true;
}

/// The product that makes the value, in whatever rows, if nothing else reads it and it does no more than multiply.
static ttnn::MatmulOp onlyProduct(mlir::Value value) {
  while (auto reshape = value.getDefiningOp<ttnn::ReshapeOp>()) {
    if (!value.hasOneUse() || shapeOf(reshape.getInput()).back() != shapeOf(value).back())
      return {};
    value = reshape.getInput();
  }
  auto product = value.getDefiningOp<ttnn::MatmulOp>();
  // Of one matrix: batches of them have a bias each.
  return product && value.hasOneUse() && typeOf(product.getB()).getRank() == 2 && !appliesFunction(product) &&
                 !ttnn::saysMore(product)
             ? product
             : ttnn::MatmulOp();
}

bool proposeBias(Operation *root, Proposal &proposal) {
  mlir::Value result = root->getResult(0);
  // The function would be applied to the product, the sum or an operand; `linear` has a place for one behind the sum
  // only.
  if (appliesActivations(root) || shapeOf(result).empty())
    return false;
  for (unsigned number : {0u, 1u}) {
    mlir::Value sums = root->getOperand(number), row = root->getOperand(1 - number);
    ttnn::MatmulOp product = shapeOf(sums) == shapeOf(result) ? onlyProduct(sums) : ttnn::MatmulOp();
    int64_t width = shapeOf(result).back();
    auto type = typeOf(result).getElementType();
    if (!product || !isPlaced(row) || shapeOf(row).empty() || shapeOf(row).back() != width ||
        typeOf(row).getNumElements() != width || typeOf(row).getElementType() != type ||
        typeOf(product.getResult()).getElementType() != type || !mayBeReadAt(operandOf(product, 0), root) ||
        !mayBeReadAt(operandOf(product, 1), root))
      continue;
    auto attributes = llvm::to_vector(product->getAttrDictionary().getValue());
    // It was made for a product alone.
    llvm::erase_if(attributes, [](NamedAttribute each) { return each.getName() == "matmul_program_config"; });
    mlir::Value bias = proposal.reshaped(row, {width});
    Operation *made =
        proposal.makeNamed("linear", {product.getA(), product.getB(), bias},
                           Proposal::typeLike(product.getResult(), shapeOf(product.getResult())), attributes);
    proposal.isAbout(made);
    proposal.replace(root, proposal.reshaped(made->getResult(0), shapeOf(result)));
    return true;
  }
  return false;
}

namespace {

/// Rows of a product, cut into `parts` of `rows` each, that a permute puts behind its columns: P R x N becomes P x N x R.
struct TurnedParts {
  int64_t parts, rows;
};

/// What the permute does with a product of `rows` rows whose elements have the shape `shape`; nullopt if it is something else.
std::optional<TurnedParts> turnedParts(int64_t rows, ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  size_t split = 0; // dimensions that are the product's rows
  int64_t volume = 1;
  // At least one dimension is rows, also of a product of one row.
  while (split < shape.size() && (volume < rows || split == 0))
    volume *= shape[split++];
  if (volume != rows || split == shape.size())
    return std::nullopt;
  llvm::SmallVector<int64_t> turned = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(split) - 1));
  llvm::append_range(turned, llvm::seq<int64_t>(int64_t(split), int64_t(shape.size())));
  turned.push_back(int64_t(split) - 1);
  return order == ArrayRef(turned) ? std::optional(TurnedParts{rows / shape[split - 1], shape[split - 1]})
                                   : std::nullopt;
}

} // namespace

bool proposeConstantRight(Operation *root, Proposal &proposal) {
  auto permute = cast<ttnn::PermuteOp>(root);
  mlir::Value turned = permute.getInput(), value = turned;
  if (auto reshape = value.getDefiningOp<ttnn::ReshapeOp>(); reshape && value.hasOneUse())
    value = reshape.getInput();
  auto product = value.getDefiningOp<ttnn::MatmulOp>();
  if (!product || !value.hasOneUse() || typeOf(value).getRank() != 2 || product.getTransposeA() ||
      appliesFunction(product) || ttnn::saysMore(product) || !isPlaced(product.getA()) ||
      !isPlaced(product.getB()) || !isConstant(product.getA()) || isConstant(product.getB()) ||
      !mayBeReadAt(operandOf(product, 0), root) || !mayBeReadAt(operandOf(product, 1), root))
    return false;
  int64_t columns = shapeOf(value)[1], inner = shapeOf(product.getA())[1];
  std::optional<TurnedParts> of = turnedParts(shapeOf(value)[0], shapeOf(turned), permute.getPermutation());
  if (!of)
    return false;
  // (W x^T)^T = x W^T: a right side that the product turns already is x as it lies.
  mlir::Value left = product.getTransposeB() ? product.getB() : proposal.permute(product.getB(), {1, 0});
  mlir::Value right = product.getA();
  llvm::SmallVector<int64_t> shape = {columns, of->rows};
  if (of->parts == 1) {
    right = proposal.permute(right, {1, 0});
  } else {
    // A product of batches repeats neither of them: each part has its own rows.
    left = proposal.repeated(proposal.reshaped(left, {1, columns, inner}), {of->parts, columns, inner});
    right = proposal.permute(proposal.reshaped(right, {of->parts, of->rows, inner}), {0, 2, 1});
    shape.insert(shape.begin(), of->parts);
  }
  auto attributes = llvm::to_vector(product->getAttrDictionary().getValue());
  llvm::erase_if(attributes, [](NamedAttribute each) {
    return llvm::is_contained({"matmul_program_config", "transpose_a", "transpose_b"},
                              each.getName().strref());
  });
  for (llvm::StringRef name : {"transpose_a", "transpose_b"})
    attributes.push_back(proposal.attributes().getNamedAttr(name, proposal.attributes().getBoolAttr(false)));
  Operation *made = proposal.makeNamed("matmul", {left, right}, Proposal::typeLike(value, shape), attributes);
  proposal.isAbout(made);
  proposal.replace(root, proposal.reshaped(made->getResult(0), shapeOf(permute.getResult())));
  return true;
}

/// Whether rows that fill no tiles, as the 49 of a window, stay apart at a cost that moving them together would exceed.
static bool mayStayApart(ArrayRef<int64_t> apart, ArrayRef<int64_t> together) {
  return apart.size() >= 3 && apart[apart.size() - 2] % 32 != 0 &&
         2 * paddedVolume(apart) <= 3 * paddedVolume(together);
}

/// What does to each row of operand 0 the same, whichever batch it is of: a product with one matrix, a norm along rows, or what works element by
/// element, the other operands rows or numbers that all rows have in common.
static bool worksByRows(Operation *op) {
  auto isShared = [](mlir::Value operand) {
    ArrayRef<int64_t> shape = shapeOf(operand);
    return shape.empty() || llvm::all_of(shape.drop_back(), [](int64_t extent) { return extent == 1; });
  };
  OperandRange others = op->getOperands().drop_front();
  if (!llvm::all_of(op->getOperands(), isPlaced))
    return false;
  if (auto matmul = dyn_cast<ttnn::MatmulOp>(op))
    return !matmul.getTransposeA() && !fusesFunction(op) && typeOf(matmul.getB()).getRank() == 2;
  if (auto linear = dyn_cast<ttnn::LinearOp>(op))
    return !linear.getTransposeA() && !fusesFunction(op) && typeOf(linear.getB()).getRank() == 2 &&
           llvm::all_of(others.drop_front(), isShared);
  bool keepsShape = shapeOf(op->getOperand(0)) == shapeOf(op->getResult(0));
  return keepsShape && (isa<ttnn::RMSNormOp, ttnn::LayerNormOp>(op) || isElementwise(op)) &&
         llvm::all_of(others, isShared);
}

/// The ops that make the value of rows that a reshape made, the last one first, if all work by rows, one at least is a product, and nobody else
/// reads what is between; with operands that may be read at `root`. Empty otherwise.
static llvm::SmallVector<Operation *> madeByRows(mlir::Value value, Operation *root) {
  llvm::SmallVector<Operation *> ops;
  for (Operation *op = value.getDefiningOp(); op && !isa<ttnn::ReshapeOp>(op);
       op = op->getOperand(0).getDefiningOp()) {
    if (op->getBlock() != root->getBlock() || op->getNumOperands() == 0 || op->getNumResults() != 1 ||
        !op->hasOneUse() || !worksByRows(op))
      return {};
    for (unsigned number = 0; number < op->getNumOperands(); ++number)
      if (!mayBeReadAt(operandOf(op, number), root))
        return {};
    ops.push_back(op);
  }
  bool hasProduct = llvm::any_of(ops, llvm::IsaPred<ttnn::MatmulOp, ttnn::LinearOp>);
  return hasProduct ? ops : llvm::SmallVector<Operation *>();
}

/// Products of rows of many batches with one matrix, and what else works by rows, between two reshapes that leave rows as they are: in the batches
/// that are there, or in those that are wanted. One of the two reshapes goes.
bool proposeProductOfBatches(Operation *root, Proposal &proposal) {
  mlir::Value result = cast<ttnn::ReshapeOp>(root).getInput();
  llvm::SmallVector<Operation *> ops = madeByRows(result, root);
  if (ops.empty())
    return false;
  auto before = ops.back()->getOperand(0).getDefiningOp<ttnn::ReshapeOp>();
  if (!before || !before->hasOneUse() || !isPlaced(before.getInput()) ||
      before.getInput().getDefiningOp<ttnn::ReshapeOp>())
    return false; // two reshapes may be none
  ArrayRef<int64_t> there = shapeOf(before.getInput()), rows = shapeOf(before.getResult()),
                    sums = shapeOf(result), wanted = shapeOf(root->getResult(0));
  if (!mayBeReadAt(operandOf(before, 0), root) || there.empty() || wanted.empty() ||
      there.back() != rows.back() || wanted.back() != sums.back() || there == rows)
    return false;
  llvm::SmallVector<int64_t> batches(there);
  // Either side's batches will do: which reshape goes is no matter, as long as rows padded batch by batch stay within
  // half as many again.
  if (!mayStayApart(there, rows)) {
    batches.assign(wanted.begin(), wanted.end());
    batches.back() = rows.back();
    if (!mayStayApart(batches, rows))
      return false;
  }
  IRMapping operands;
  operands.map(before.getResult(), proposal.reshaped(before.getInput(), batches));
  for (Operation *op : llvm::reverse(ops)) {
    batches.back() = shapeOf(op->getResult(0)).back();
    // A row for all may have more dimensions than there are now, all of one element.
    for (mlir::Value shared : op->getOperands().drop_front())
      if (shapeOf(shared).size() > batches.size())
        operands.map(shared, proposal.reshaped(shared, shapeOf(shared).take_back(batches.size())));
    Operation *moved = proposal.copy(op, operands, batches);
    operands.map(op->getResult(0), moved->getResult(0));
    // It was made for rows of one batch.
    moved->removeAttr("matmul_program_config");
    if (isa<ttnn::MatmulOp, ttnn::LinearOp>(op))
      proposal.isAbout(moved);
  }
  proposal.replace(root, proposal.reshaped(operands.lookup(result), wanted));
  return true;
}

/// A product of tensors whose batches are folded to one dimension, as bmm has them: the product in the batches that there were. Where there
/// were others on either side, in those of which there are fewer dimensions.
bool proposeUnfoldedProduct(Operation *root, Proposal &proposal) {
  if (fusesFunction(root))
    return false;
  Traced sources[2];
  for (unsigned number : {0u, 1u}) {
    Traced folded = operandOf(root, number);
    sources[number] = throughFolding(folded);
    if (shapeOf(sources[number].value).size() <= 3 || shapeOf(folded.value).size() != 3 ||
        !isPlaced(sources[number].value) || !mayBeReadAt(sources[number], root))
      return false;
  }
  ArrayRef<int64_t> left = shapeOf(sources[0].value).drop_back(2),
                    right = shapeOf(sources[1].value).drop_back(2);
  // So the other side's batches are folded in part, and none are taken apart.
  ArrayRef<int64_t> batches = left.size() <= right.size() ? left : right;
  auto inBatches = [&](ArrayRef<int64_t> rows) {
    llvm::SmallVector<int64_t> shape(batches);
    llvm::append_range(shape, rows.take_back(2));
    return shape;
  };
  IRMapping operands;
  for (unsigned number : {0u, 1u}) {
    mlir::Value source = sources[number].value;
    operands.map(root->getOperand(number), proposal.reshaped(source, inBatches(shapeOf(source))));
  }
  Operation *made = proposal.copy(root, operands, inBatches(shapeOf(root->getResult(0))));
  made->removeAttr("matmul_program_config");
  proposal.isAbout(made);
  proposal.replace(root, proposal.reshaped(made->getResult(0), shapeOf(root->getResult(0))));
  return true;
}

namespace {

/// A slice of columns, plus a constant row of as many.
struct ShiftedSlice {
  ttnn::SliceStaticOp slice;
  ttnn::AddOp sum;
  mlir::Value row;
  SliceBounds bounds;
};
std::optional<ShiftedSlice> shiftedSlice(ttnn::SliceStaticOp slice) {
  auto sum = slice ? dyn_cast_or_null<ttnn::AddOp>(onlyReader(slice.getResult())) : ttnn::AddOp();
  if (!sum || appliesActivations(sum) || sum.getResult().getType() != slice.getResult().getType())
    return std::nullopt;
  mlir::Value row = sum.getLhs() == slice.getResult() ? sum.getRhs() : sum.getLhs();
  if (!isPlaced(row) || shapeOf(row).empty() || shapeOf(row).back() != typeOf(row).getNumElements() ||
      shapeOf(row).back() != shapeOf(slice.getResult()).back() ||
      typeOf(row).getElementType() != typeOf(slice.getResult()).getElementType() || !isConstant(row))
    return std::nullopt;
  return ShiftedSlice{slice, sum, row, boundsOf(slice)};
}

/// All readers of the value, if each is one, in the order of columns; none if they do not share out its columns.
llvm::SmallVector<ShiftedSlice> shiftedSlices(mlir::Value whole) {
  llvm::SmallVector<ShiftedSlice> parts;
  for (Operation *reader : whole.getUsers()) {
    std::optional<ShiftedSlice> part = shiftedSlice(dyn_cast<ttnn::SliceStaticOp>(reader));
    if (!part || part->sum->getBlock() != whole.getDefiningOp()->getBlock())
      return {};
    parts.push_back(*part);
  }
  // Readers come in the order of uses. Columns are shared out if each part begins where the one before it ends.
  llvm::sort(parts, [](const ShiftedSlice &a, const ShiftedSlice &b) {
    return a.bounds.begins.back() < b.bounds.begins.back();
  });
  llvm::SmallVector<int64_t> begins(shapeOf(whole).size(), 0), ends(shapeOf(whole));
  ends.back() = 0;
  for (const ShiftedSlice &part : parts) {
    begins.back() = ends.back();
    ends.back() = part.bounds.ends.back();
    if (part.bounds.begins != begins || part.bounds.ends != ends ||
        llvm::any_of(part.bounds.steps, [](int64_t step) { return step != 1; }))
      return {};
  }
  return ends.back() == shapeOf(whole).back() ? parts : llvm::SmallVector<ShiftedSlice>();
}

} // namespace

/// Slices that share out the columns of a product, each plus a row, as joined products of several biases are: the sum before the slices.
bool proposeJoinedBias(Operation *root, Proposal &proposal) {
  ttnn::SliceStaticOp cut;
  for (mlir::Value operand : root->getOperands())
    cut = cut ? cut : operand.getDefiningOp<ttnn::SliceStaticOp>();
  mlir::Value whole = cut ? cut.getInput() : mlir::Value();
  if (!whole || !isPlaced(whole) || !isa_and_nonnull<ttnn::MatmulOp>(whole.getDefiningOp()))
    return false;
  llvm::SmallVector<ShiftedSlice> parts = shiftedSlices(whole);
  // The new sum stands before the first of them.
  if (parts.size() < 2 || llvm::any_of(parts, [&](ShiftedSlice &part) {
        Operation *maker = part.row.getDefiningOp();
        return (part.sum != root && standsBefore(part.sum, root)) || !readAlike(whole, part.slice, root) ||
               (maker && maker->getBlock() == root->getBlock() && !standsBefore(maker, root));
      }))
    return false;
  llvm::SmallVector<mlir::Value> rows;
  for (ShiftedSlice &part : parts)
    rows.push_back(proposal.reshaped(part.row, {shapeOf(part.row).back()}));
  Operation *sum = proposal.makeNamed("add", {whole, proposal.concat(rows, 0)}, typeOf(whole));
  proposal.isAbout(sum);
  for (ShiftedSlice &part : parts) {
    mlir::Value slice =
        proposal.slice(sum->getResult(0), part.bounds.begins, part.bounds.ends, part.bounds.steps);
    proposal.standsAt(slice.getDefiningOp(), part.sum); // and not longer in memory than before
    proposal.replace(part.sum, slice);
  }
  return true;
}

} // namespace tessera::rewrite
