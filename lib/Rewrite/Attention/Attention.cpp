//===- Attention.cpp - Products with a softmax between, as one op ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Letters in the shapes: B batch or users, H query heads, K key/value heads, S
// positions of the queries, T of the keys, D head size.
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Rows.h"
#include "Sinks.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Of three dimensions those behind the first are of one head; of five the first two are batches, as windows of images are.
llvm::SmallVector<int64_t> withHeads(ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> four(shape);
  if (four.size() == 3)
    four.insert(four.begin() + 1, 1);
  if (four.size() == 5) {
    four[1] *= four[0];
    four.erase(four.begin());
  }
  return four;
}

/// softmax(query x key^T * scale + mask) x value
struct Attention {
  Traced query; ///< of the elements of B x H x S x D, maybe with extents of 1 elsewhere
  Traced key, value;
  std::optional<Traced> mask; ///< as it is added
  std::optional<Traced> sink; ///< what is a column of the scores behind the keys'
  double scale = 1;
  llvm::SmallVector<int64_t> scoresShape;  ///< of what it is added to, whose last dimensions the mask has
  llvm::SmallVector<int64_t> productShape; ///< of the scores as the product makes them, maybe other units
  llvm::SmallVector<int64_t> queryShape;   ///< B, H, S, D

  llvm::SmallVector<int64_t> keyShape; ///< B, K, T, D
  bool hasKeysByPosition = false;      ///< the key is B x T x K x D as it comes, or T x K x D
  bool hasValuesByPosition = false;    ///< so is the value
  bool isTurned = false;               ///< the product is B x H x D x S: of transposed values and weights

  /// The `where` that puts one number, far below all scores, where there is to be none: instead of a mask that is added.
  ttnn::WhereOp choice = {};
  unsigned forbidden = 0; ///< which operand of it is that number

  /// `multiply` or `divide` of the scores by one element that nobody knows yet, besides `scale`; may be null.
  Operation *scaledLater = nullptr;
  double queryBy = 1; ///< what of the scale queries take, so that the kernel's is a power of two

  /// Keys and values as the kernel takes them.
  mlir::Value keysIn(Proposal &proposal) const { return headsFirst(key.value, hasKeysByPosition, proposal); }
  mlir::Value valuesIn(Proposal &proposal) const {
    return headsFirst(value.value, hasValuesByPosition, proposal);
  }
  /// B x K x T x D, or B x T x K x D by position, of what may have a unit dimension behind its heads, or two of batches.
  static llvm::SmallVector<int64_t> headShape(mlir::Value heads, bool areByPosition) {
    llvm::SmallVector<int64_t> shape(shapeOf(heads));
    const unsigned unit = areByPosition ? 3 : 2;
    if (shape.size() == 5 && shape[unit] == 1)
      shape.erase(shape.begin() + unit);
    return shape.size() == 5 ? withHeads(shape) : shape;
  }
  mlir::Value headsFirst(mlir::Value heads, bool areByPosition, Proposal &proposal) const {
    heads = proposal.reshaped(heads, headShape(heads, areByPosition));
    if (!areByPosition)
      return proposal.reshaped(heads, keyShape);
    bool hasBatch = shapeOf(heads).size() == 4;
    return proposal.reshaped(
        hasBatch ? proposal.permute(heads, {0, 2, 1, 3}) : proposal.permute(heads, {1, 0, 2}), keyShape);
  }
  /// What the kernel makes, B x H x S x D or 1 x B x H x D of one position, as the product has it.
  mlir::Value asProduct(mlir::Value result, Operation *root, Proposal &proposal) const {
    // The cast before the reshape: heads in one tile are cast faster than heads in a tile each.
    result = proposal.cast(result, typeOf(root->getResult(0)).getElementType());
    if (isTurned)
      result = proposal.permute(proposal.reshaped(result, queryShape), {0, 1, 3, 2});
    return proposal.reshaped(result, shapeOf(root->getResult(0)));
  }
  /// The query as the kernel takes it. What the scores are scaled by later goes in with it, as it has fewer elements.
  mlir::Value queryIn(Proposal &proposal, ArrayRef<int64_t> shape) const {
    mlir::Value value = query.value;
    if (scaledLater) {
      ArrayRef<int64_t> from = shapeOf(value);
      mlir::Value by =
          proposal.reshaped(scaledLater->getOperand(1), llvm::SmallVector<int64_t>(from.size(), 1));
      IRMapping operands;
      operands.map(scaledLater->getOperand(0), value);
      operands.map(scaledLater->getOperand(1), proposal.cast(by, typeOf(value).getElementType()));
      Operation *made = proposal.copy(scaledLater, operands, from);
      made->getResult(0).setType(Proposal::typeLike(value, from));
      value = made->getResult(0);
    }
    return proposal.reshaped(queryBy == 1 ? value : proposal.timesNumber(value, queryBy), shape);
  }
};

/// Scores times or by one element, in the second operand.
bool scalesByOne(Operation *op) {
  return isa_and_nonnull<ttnn::MultiplyOp, ttnn::DivideOp>(op) && !appliesActivations(op) &&
         isPlaced(op->getOperand(1)) && isFloat(op->getOperand(1)) &&
         typeOf(op->getOperand(1)).getNumElements() == 1;
}

/// Keys B x T x K x D of which the value is the permutation to B x K x D x T: heads come first and are transposed at once. Or those without
/// batches. Batches may have been taken apart afterwards.
std::optional<Traced> permutedKeys(Traced traced) {
  traced = throughFolding(traced);
  auto permute = traced.maker<ttnn::PermuteOp>();
  bool isIt = permute && (permute.getPermutation() == ArrayRef<int64_t>({0, 2, 3, 1}) ||
                          permute.getPermutation() == ArrayRef<int64_t>({0, 1, 3, 4, 2}) ||
                          permute.getPermutation() == ArrayRef<int64_t>({1, 2, 0}));
  return isIt ? std::optional(traced.before()) : std::nullopt;
}

/// `to`, which stands before `from`; or the last value between them that the kernel takes, where `to` has more bits than that.
Traced narrowest(Traced from, const Traced &to) {
  auto isNarrow = [](const Traced &traced) { return typeOf(traced.value).getElementType().isBF16(); };
  Traced found = to;
  for (; from.value != to.value && !isNarrow(to); from = from.before())
    if (isNarrow(from))
      found = from;
  return found;
}

/// Before scales and casts, but none that makes the elements that the kernel takes.
Scaled narrowBeforeScales(const Traced &traced) {
  Scaled found = throughScales(traced);
  return typeOf(throughUnits(found.tensor).value).getElementType().isBF16()
             ? found
             : Scaled{narrowest(traced, throughTypecasts(traced))};
}

/// Operands of a product with the second one transposed, which does no more than that.
std::optional<Product> productWithTransposed(Operation *op) {
  auto matmul = dyn_cast_or_null<ttnn::MatmulOp>(op);
  bool isIt = matmul && !matmul.getTransposeA() && matmul.getTransposeB() && !appliesFunction(op);
  return isIt ? std::optional(Product{operandOf(op, 0), operandOf(op, 1)}) : std::nullopt;
}

/// The scores without their mask: a product, scaled before or after.
std::optional<Attention> matchScores(Traced scores) {
  Scaled unscaled = throughScales(scores);
  // Rows of scores stay rows, whatever stands before them; a number may have been there before that.
  Traced rows = throughUnits(unscaled.tensor);
  while (std::optional<Scaled> earlier = scaled(rows.value)) {
    unscaled.by *= earlier->by;
    rows = throughUnits(earlier->tensor);
  }
  Operation *scaledLater = rows.value.getDefiningOp();
  if (scalesByOne(scaledLater))
    rows = throughUnits(operandOf(scaledLater, 0));
  else
    scaledLater = nullptr;
  Operation *op = rows.value.getDefiningOp();
  std::optional<Product> product = plainProduct(op);
  // Keys may come transposed, or be so for the product.
  const bool areUpright = !product && (product = productWithTransposed(op));
  if (!product || shapeOf(rows.value).back() != shapeOf(scores.value).back())
    return std::nullopt;
  Scaled query = narrowBeforeScales(product->left);
  // The key's scale may stand before or after its transposition.
  Scaled late = areUpright ? Scaled{product->right} : throughScales(product->right);
  std::optional<Traced> key = areUpright ? product->right : untransposed(late.tensor);
  const bool byPosition = !key && (key = permutedKeys(late.tensor));
  if (!key)
    return std::nullopt;
  Scaled early = narrowBeforeScales(*key);
  Traced heads = withoutRepeatedHeads(early.tensor, byPosition ? 2 : 1);
  Attention found{narrowest(query.tensor, throughUnits(query.tensor)),
                  narrowest(heads, throughTypecasts(heads)),
                  {},
                  {},
                  {},
                  1,
                  {},
                  llvm::SmallVector<int64_t>(shapeOf(rows.value)),
                  {},
                  {}};
  found.hasKeysByPosition = byPosition;
  found.scale = unscaled.by * query.by * late.by * early.by;
  found.scaledLater = scaledLater;
  found.queryShape = withHeads(shapeOf(query.tensor.value));
  llvm::SmallVector<int64_t> keyShape = Attention::headShape(found.key.value, byPosition);
  if (byPosition)
    std::swap(keyShape[keyShape.size() - 3], keyShape[keyShape.size() - 2]);
  found.keyShape = withHeads(keyShape);
  return found;
}

/// Scores of which some are replaced by a number that no score reaches.
std::optional<Attention> matchChosenScores(ttnn::WhereOp where) {
  // The condition may say which scores stay or which go. A number with more elements than one could be a bias as well.
  for (unsigned number : {2u, 1u}) {
    mlir::Value lowest = where->getOperand(number);
    std::optional<double> bound = splatOf(lowest);
    if (!bound || *bound > kForbids || typeOf(lowest).getNumElements() != 1 || !isPlaced(lowest) ||
        !isPlaced(where.getFirst()))
      continue;
    std::optional<Attention> found = matchScores(operandOf(where, 3 - number));
    // A factor that only the call knows may make scores as low as the number.
    if (!found || found->scaledLater)
      return std::nullopt;
    found->mask = operandOf(where, 0);
    found->scoresShape = llvm::SmallVector<int64_t>(shapeOf(where.getResult()));
    found->choice = where;
    found->forbidden = number;
    return found;
  }
  return std::nullopt;
}

std::optional<Attention> matchMaskedScores(Traced scores) {
  scores = throughTypecasts(scores);
  if (auto where = scores.maker<ttnn::WhereOp>())
    return matchChosenScores(where);
  auto sum = scores.maker<ttnn::AddOp>();
  if (!sum)
    return matchScores(scores);
  if (appliesActivations(sum))
    return std::nullopt;
  for (unsigned number : {0u, 1u})
    if (std::optional<Attention> found = matchScores(operandOf(sum, number))) {
      found->mask = throughTypecasts(operandOf(sum, 1 - number));
      found->scoresShape = llvm::SmallVector<int64_t>(shapeOf(sum.getResult()));
      return found;
    }
  return std::nullopt;
}

/// What a mask has of B x H x S x T, 1 where it has one for all; empty if it broadcasts in another way. Units may stand elsewhere in what it is
/// added to than in the product, as 1 x B x H x T of B x H x 1 x T, but the other dimensions are the product's, in its order.
llvm::SmallVector<int64_t> maskShape(const Attention &found, mlir::Value mask) {
  ArrayRef<int64_t> own = shapeOf(mask), scores = found.scoresShape;
  if (own.size() > scores.size() || !sameButForUnits(scores, found.productShape))
    return {};
  llvm::SmallVector<int64_t> all(scores.size() - own.size(), 1), extents;
  llvm::append_range(all, own);
  for (auto [its, extent] : llvm::zip_equal(all, scores)) {
    if (its != 1 && its != extent)
      return {};
    if (extent != 1)
      extents.push_back(its);
  }
  llvm::SmallVector<int64_t> shape(found.productShape);
  const int64_t *next = extents.begin();
  for (int64_t &extent : shape)
    extent = extent == 1 ? 1 : *next++;
  return withHeads(shape);
}

/// Queries B x H x S x D, keys and values B x K x T x D, all of them of the types that the device's kernels take; the mask is
/// added to B x H x S x T.
bool isAttention(const Attention &found) {
  auto isNarrow = [](mlir::Value value) {
    return isPlaced(value) && typeOf(value).getElementType().isBF16();
  };
  if (!isNarrow(found.query.value) || !isNarrow(found.key.value) || !isNarrow(found.value.value))
    return false;
  ArrayRef<int64_t> query = found.queryShape, key = found.keyShape;
  if (query.size() != 4 || key.size() != 4)
    return false;
  llvm::SmallVector<int64_t> value = Attention::headShape(found.value.value, found.hasValuesByPosition);
  if (found.hasValuesByPosition)
    std::swap(value[value.size() - 3], value[value.size() - 2]);
  // Of one batch values may come without it.
  if (value.size() == 3 && key[0] == 1)
    value.insert(value.begin(), 1);
  if (withHeads(value) != llvm::SmallVector<int64_t>(key) || query[0] != key[0] || query[3] != key[3] ||
      query[1] % key[1] != 0)
    return false;
  if (!found.mask)
    return true;
  // A mask of other elements than floats, or one that broadcasts in another way, is not this.
  if (!isPlaced(found.mask->value) || !isFloat(found.mask->value))
    return false;
  llvm::SmallVector<int64_t> mask = maskShape(found, found.mask->value);
  const int64_t scores[] = {query[0], query[1], query[2], key[2]};
  return mask.size() == 4 && mask[3] == key[2] && llvm::all_of(llvm::zip_equal(mask, scores), [](auto pair) {
           return std::get<0>(pair) == std::get<1>(pair) || std::get<0>(pair) == 1;
         });
}

/// transpose(value) x transpose(weights), which is the transpose of weights x value: so einsum writes it where it wants heads behind positions.
/// The product as if it were the other one, with the values transposed.
std::optional<Product> turnedProduct(Operation *op) {
  auto matmul = dyn_cast_or_null<ttnn::MatmulOp>(op);
  if (!matmul || matmul.getTransposeA() || appliesFunction(op) || shapeOf(matmul.getResult()).size() < 4)
    return std::nullopt;
  std::optional<Traced> weights = operandOf(op, 1);
  if (!matmul.getTransposeB())
    weights = untransposed(throughTypecasts(*weights));
  return weights ? std::optional(Product{*weights, operandOf(op, 0)}) : std::nullopt;
}

/// The values that a product reads, heads first or behind positions.
bool matchValues(Attention &found, Traced values) {
  if (found.isTurned) {
    std::optional<Traced> upright = untransposed(throughTypecasts(values));
    if (!upright) {
      upright = permutedKeys(throughTypecasts(values));
      found.hasValuesByPosition = true;
    }
    if (!upright)
      return false;
    values = *upright;
  }
  values = narrowest(values, throughTypecasts(values));
  Traced heads = withoutRepeatedHeads(values, found.hasValuesByPosition ? 2 : 1);
  found.value = narrowest(heads, throughTypecasts(heads));
  return true;
}

/// The value before it was repeated along dimensions of extent 1, and before casts.
Traced unrepeated(Traced mask, ArrayRef<unsigned> dimensions) {
  mask = throughTypecasts(mask);
  auto repeat = mask.maker<ttnn::RepeatOp>();
  if (!repeat)
    return mask;
  for (auto [i, extents] :
       llvm::enumerate(llvm::zip_equal(shapeOf(repeat.getInput()), shapeOf(repeat.getResult()))))
    // A repeat along any other dimension is needed: the kernel broadcasts the mask over heads alone.
    if (std::get<0>(extents) != std::get<1>(extents) && !llvm::is_contained(dimensions, i))
      return mask;
  return throughTypecasts(mask.before());
}

/// Whether each element is 0, or so far below that no scale that heads have brings it back: such a mask means the same scaled.
bool allowsOrForbids(mlir::Value mask) {
  // Positive factors keep zeros, and what forbids stays far below all scores, so both are looked through; so is what
  // only moves elements.
  while (Operation *op = mask.getDefiningOp()) {
    if (auto where = dyn_cast<ttnn::WhereOp>(op)) {
      auto isHard = [](std::optional<double> number) {
        return number && (*number == 0 || *number < kForbids);
      };
      return isHard(splatOf(where.getSecond())) && isHard(splatOf(where.getThird()));
    }
    std::optional<Scaled> scale = scaled(mask);
    if (scale && scale->by > 0)
      mask = scale->tensor.value;
    else if (isa<ttnn::TypecastOp, ttnn::RepeatOp, ttnn::ReshapeOp>(op))
      mask = op->getOperand(0);
    else
      break;
  }
  return false;
}

/// Whether bf16 holds what matters of a mask: elements of bf16 that were cast, numbers of which each allows or forbids a key, or what times
/// such a number does. Other sums, such as a bias by distance, lose bits that the scores had.
bool mayBeNarrow(mlir::Value mask) {
  if (!typeOf(mask).getElementType().isF32() || allowsOrForbids(mask))
    return true;
  Operation *op = mask.getDefiningOp();
  if (!op)
    return false;
  if (auto load = dyn_cast<ttcore::LoadCachedOp>(op)) {
    mlir::Value made = computedBy(load, cast<OpResult>(mask).getResultNumber());
    return made && mayBeNarrow(made);
  }
  // 0 times such a number is 0, 1 times it forbids, and nothing between is meant: bits of the other factor do not
  // matter.
  if (std::optional<Scaled> scale = scaled(mask); scale && std::abs(scale->by) > -kForbids)
    return true;
  if (auto sum = dyn_cast<ttnn::AddOp>(op); sum && !appliesActivations(sum))
    return mayBeNarrow(sum.getLhs()) && mayBeNarrow(sum.getRhs());
  return isa<ttnn::TypecastOp, ttnn::RepeatOp, ttnn::ReshapeOp, ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp,
             ttnn::PermuteOp, ttnn::SliceStaticOp, ttnn::ToDeviceOp>(op) &&
         isa<RankedTensorType>(op->getOperand(0).getType()) && isFloat(op->getOperand(0)) &&
         mayBeNarrow(op->getOperand(0));
}

std::optional<Attention> matchAttention(Operation *root) {
  std::optional<Product> product = plainProduct(root);
  RowWeights weights = product ? rowWeightsOf(product->left.value) : RowWeights();
  const bool isTurned = !weights && (product = turnedProduct(root));
  if (isTurned)
    weights = rowWeightsOf(product->left.value);
  std::optional<SunkScores> scores = weights ? scoresOf(weights) : std::nullopt;
  std::optional<Attention> found = scores ? matchMaskedScores(scores->scores) : std::nullopt;
  if (!found || (scores->sink && (!mayBeReadAt(*scores->sink, root) ||
                                  !standsBeside(scores->sink->value, found->productShape))))
    return std::nullopt;
  found->sink = scores->sink;
  found->isTurned = isTurned;
  if (!matchValues(*found, product->right) || !isAttention(*found) || !(found->scale > 0) ||
      !std::isfinite(found->scale))
    return std::nullopt;
  // It moves to the query, so it is read where the attention stands and no longer where the scores were.
  if (found->scaledLater && !mayBeReadAt(operandOf(found->scaledLater, 1), root))
    return std::nullopt;
  // What was read early, caches among it, is read late now.
  for (const Traced &operand : {found->query, found->key, found->value})
    if (!mayBeReadAt(operand, root))
      return std::nullopt;
  if (found->sink && !mayBeNarrow(found->sink->value))
    return std::nullopt;
  return mayBeReadAt(found->mask.value_or(found->query), root) ? found : std::nullopt;
}

/// A mask of that shape, B x H x 1 x T or B x 1 x 1 x T, as the kernel of decode takes it, B x 1 x H x T.
mlir::Value forEachHead(mlir::Value mask, ArrayRef<int64_t> shape, const Attention &found,
                        Proposal &proposal) {
  mask = proposal.reshaped(mask, {shape[0], 1, shape[1], shape[3]});
  return proposal.repeated(mask, {shape[0], 1, found.queryShape[1], shape[3]});
}

/// Whether elements that are not 0 are all infinite, as far as they are known.
bool isInfiniteOrNothing(mlir::Value mask) {
  while (isa_and_nonnull<ttnn::TypecastOp, ttnn::RepeatOp, ttnn::ReshapeOp>(mask.getDefiningOp()))
    mask = mask.getDefiningOp()->getOperand(0);
  auto where = mask.getDefiningOp<ttnn::WhereOp>();
  auto isSafe = [](std::optional<double> number) { return number && (*number == 0 || std::isinf(*number)); };
  return where && isSafe(splatOf(where.getSecond())) && isSafe(splatOf(where.getThird()));
}

/// The mask such that it may be divided by the scale, as the kernel of many positions has it: finite numbers that forbid a key, often the
/// lowest there is, must not become infinite. Where all keys are forbidden by them, all weigh the same.
mlir::Value divisible(mlir::Value mask, double scale, Proposal &proposal) {
  constexpr double kLargest = 3.3895313892515355e38; // of bf16
  if (scale >= 1 || isInfiniteOrNothing(mask))
    return mask;
  OpBuilder &b = proposal.attributes();
  return proposal
      .make<ttnn::ClampScalarOp>(Proposal::typeLike(mask, shapeOf(mask)), mask,
                                 b.getF32FloatAttr(float(-kLargest * scale)),
                                 b.getF32FloatAttr(float(kLargest)))
      .getResult();
}

/// The mask as the kernel of decode takes it, B x 1 x H x T: that adds it before it scales the sum (facts/real-kernels 3), so
/// what was scaled together with the scores goes in unscaled, and other masks divided by the scale. Null if that would round them.
mlir::Value decodeMask(Traced mask, Attention &found, Proposal &proposal, Operation *root) {
  const llvm::SmallVector<int64_t> added = maskShape(found, mask.value);
  llvm::SmallVector<int64_t> wanted{added[0], 1, found.queryShape[1], added[3]};
  // Often heads were put there by a reshape, which was no matter as long as there is one position.
  if (auto reshape = mask.maker<ttnn::ReshapeOp>();
      reshape && shapeOf(reshape.getInput()) == ArrayRef(wanted))
    mask = throughTypecasts(mask.before());
  Scaled unscaled = throughScales(mask);
  double by = 1;
  if (unscaled.by == found.scale && shapeOf(unscaled.tensor.value) == shapeOf(mask.value))
    mask = unscaled.tensor;
  else if (!allowsOrForbids(mask.value))
    by = 1 / found.scale;
  if (!mayBeReadAt(mask, root) || (by != 1 && !mayBeNarrow(mask.value)))
    return {};
  mlir::Value narrow = proposal.cast(mask.value, typeOf(found.query.value).getElementType());
  if (by != 1) {
    // A power of two leaves all bits of the mask. Queries take the rest, which is none where the scale is the product of two rounded roots.
    const double power = std::exp2(std::round(std::log2(by))), rest = found.scale * power;
    found.queryBy = std::abs(rest - 1) < 0x1p-20 ? 1 : rest;
    found.scale = 1 / power;
    narrow = proposal.timesNumber(divisible(narrow, found.scale, proposal), power);
  }
  return forEachHead(narrow, added, found, proposal);
}

FloatAttr scaleAttribute(Proposal &proposal, double scale) {
  return proposal.attributes().getF32FloatAttr(float(scale));
}

} // namespace

/// What is added for the scores that a `where` puts aside: the number where they were, nothing elsewhere.
static mlir::Value maskOf(const Attention &found, Proposal &proposal) {
  ttnn::WhereOp where = found.choice;
  Type element = typeOf(found.query.value).getElementType();
  // Of one element, and with no more dimensions than the condition.
  const llvm::SmallVector<int64_t> one(shapeOf(where.getFirst()).size(), 1);
  mlir::Value lowest = proposal.cast(proposal.reshaped(where->getOperand(found.forbidden), one), element);
  FloatAttr zero = proposal.attributes().getF32FloatAttr(0);
  // Whatever number it is.
  mlir::Value nothing =
      proposal.make<ttnn::ClampScalarOp>(Proposal::typeLike(lowest, shapeOf(lowest)), lowest, zero, zero)
          .getResult();
  mlir::Value condition = where.getFirst(), second = nothing, third = lowest;
  if (found.forbidden == 1)
    std::swap(second, third);
  return proposal
      .make<ttnn::WhereOp>(Proposal::typeLike(lowest, shapeOf(condition)), condition, second, third)
      .getResult();
}

bool proposeAttention(Operation *root, Proposal &proposal) {
  std::optional<Attention> found = matchAttention(root);
  // One position has a kernel of its own, which keeps heads in the rows of a tile; this one would fill 31 of 32 rows
  // with nothing.
  if (!found || found->queryShape[2] == 1)
    return false;
  // Batches of one head each are as well heads of one batch, which one op cuts and joins.
  const bool areHeads = found->queryShape[1] == 1 && found->keyShape[1] == 1;
  mlir::Value mask;
  if (found->mask) {
    // The kernel takes one mask for all heads, so repeats along them are no use.
    Traced source = found->choice ? *found->mask : unrepeated(*found->mask, {1});
    if (!mayBeReadAt(source, root) || (!found->choice && !mayBeNarrow(source.value)))
      return false;
    mask = found->choice ? maskOf(*found, proposal)
                         : proposal.cast(source.value, typeOf(found->query.value).getElementType());
    llvm::SmallVector<int64_t> shape = maskShape(*found, mask);
    if (shape.empty())
      return false;
    if (areHeads)
      std::swap(shape[0], shape[1]);
    mask = divisible(proposal.reshaped(mask, shape), found->scale, proposal);
    mask = proposal.repeated(mask, {shape[0], shape[1], found->queryShape[2], shape[3]});
  }
  if (areHeads)
    for (llvm::SmallVector<int64_t> *shape : {&found->queryShape, &found->keyShape})
      std::swap((*shape)[0], (*shape)[1]);
  ArrayRef<int64_t> query = found->queryShape;
  // The kernel takes heads of whole tiles; zeros behind a head add nothing to a score, and make zeros of values.
  llvm::SmallVector<int64_t> whole(query);
  whole[3] = int64_t(llvm::alignTo(uint64_t(query[3]), 32));
  auto wide = [&](mlir::Value heads) { return proposal.padded(heads, 3, whole[3]); };
  mlir::Value queries = wide(found->queryIn(proposal, query)), keys = wide(found->keysIn(proposal)),
              values = wide(found->valuesIn(proposal));
  // Multiplied in two passes, as products are whose fidelity nobody states.
  mlir::Value sinks = found->sink ? sinksIn(*found->sink, query[1], found->scale, proposal) : mlir::Value();
  if (found->sink && !sinks)
    return false;
  auto attention = proposal.make<ttnn::ScaledDotProductAttentionOp>(
      Proposal::typeLike(queries, whole), queries, keys, values, mask, sinks, /*is_causal=*/false,
      scaleAttribute(proposal, found->scale),
      /*sliding_window_size=*/IntegerAttr(), ttnn::SDPAProgramConfigAttr(),
      proposal.exactly(ttnn::MathFidelity::HiFi2));
  proposal.isAbout(attention);
  mlir::Value heads = proposal.firstOf(attention.getResult(), query);
  proposal.replace(root, found->asProduct(heads, root, proposal));
  return true;
}

bool proposeDecodeAttention(Operation *root, Proposal &proposal) {
  std::optional<Attention> found = matchAttention(root);
  // Its kernel scales what is added, too; compilers add masks where there is one position.
  if (!found || found->queryShape[2] != 1)
    return false;
  ArrayRef<int64_t> shape = found->queryShape;
  const int64_t perUser[] = {1, shape[0], shape[1], shape[3]}; // 1 x B x H x D
  mlir::Value mask;
  if (found->choice)
    mask = forEachHead(maskOf(*found, proposal), maskShape(*found, found->mask->value), *found, proposal);
  else if (found->mask && !(mask = decodeMask(*found->mask, *found, proposal, root)))
    return false;
  mlir::Value query = found->queryIn(proposal, perUser), keys = found->keysIn(proposal),
              values = found->valuesIn(proposal);
  mlir::Value sinks = found->sink ? sinksIn(*found->sink, shape[1], found->scale, proposal) : mlir::Value();
  if (found->sink && !sinks)
    return false;
  if (sinks) // a row of a tile for each head
    sinks = proposal.reshaped(sinks, {shape[1], 1});
  // Multiplied in four passes: keys come from memory more slowly than that.
  auto attention = proposal.make<ttnn::ScaledDotProductAttentionDecodeOp>(
      Proposal::typeLike(query, perUser), query, keys, values, mask,
      /*cur_pos_tensor=*/mlir::Value(), sinks, /*is_causal=*/false, scaleAttribute(proposal, found->scale),
      /*sliding_window_size=*/IntegerAttr(), ttnn::SDPAProgramConfigAttr(),
      proposal.exactly(ttnn::MathFidelity::HiFi4));
  proposal.isAbout(attention);
  proposal.replace(root, found->asProduct(attention.getResult(), root, proposal));
  return true;
}

// ---- Repeated heads --------------------------------------------------------------------------------------

/// The heads of which the value has each several times in a row, once: B x K x T x D. Null if it has no such heads.
static mlir::Value ungrouped(Traced traced, Operation *at, Proposal &proposal) {
  Traced source = withoutRepeatedHeads(traced, 1);
  if (source.value == traced.value || !isPlaced(source.value) || !mayBeReadAt(source, at))
    return {};
  return proposal.reshaped(source.value, Attention::headShape(source.value, /*areByPosition=*/false));
}

/// Attention over keys and values that are repeated for groups of heads: the kernels share them themselves.
bool proposeGroupedHeads(Operation *root, Proposal &proposal) {
  mlir::Value key = ungrouped(operandOf(root, 1), root, proposal);
  mlir::Value value = key ? ungrouped(operandOf(root, 2), root, proposal) : mlir::Value();
  // The kernel has one number of heads, and one of positions, for keys and values.
  if (!value || shapeOf(value).take_front(3) != shapeOf(key).take_front(3))
    return false;
  IRMapping operands;
  operands.map(root->getOperand(1), key);
  operands.map(root->getOperand(2), value);
  Operation *made = proposal.copy(root, operands, shapeOf(root->getResult(0)));
  proposal.isAbout(made);
  proposal.replace(root, made->getResult(0));
  return true;
}

} // namespace tessera::rewrite
