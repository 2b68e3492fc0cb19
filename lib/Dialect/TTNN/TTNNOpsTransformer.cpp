//===- TTNNOpsTransformer.cpp - Verifiers of attention, heads, caches -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Caches, attention, rotary embeddings and the splitting and joining of heads.
// The letters in comments: B users, H heads of queries, K heads of keys and
// values, S positions, D the size of a head. A fused projection has the heads
// of all three side by side: B x S x (H + 2K) * D.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

using namespace mlir;

namespace tessera::ttnn {

//===- Caches --------------------------------------------------------------===//

/// Cache (.. x K x S x D) and input (.. x .. x .. x D) have 4 dimensions and the same head size.
static LogicalResult verifyCacheAndInput(Operation *op, RankedTensorType cache, RankedTensorType input) {
  return failure(failed(verifyRank(op, cache, 4, "cache")) || failed(verifyRank(op, input, 4, "input")) ||
                 failed(verifyExtent(op, input, 3, cache.getDimSize(3), "input", "the cache's head size")));
}

static LogicalResult verifyBatchOffset(Operation *op, IntegerAttr offset, RankedTensorType cache,
                                       int64_t entries) {
  std::optional<int64_t> first = toInt(offset);
  // As a difference, since offset plus entries could overflow.
  if (first && *first >= 0 && *first <= cache.getDimSize(0) && entries <= cache.getDimSize(0) - *first)
    return success();
  return op->emitOpError() << "attribute 'batch_offset' (" << offset << ") and " << entries
                           << " batch entries of the input leave the cache's " << cache.getDimSize(0);
}

LogicalResult FillCacheOp::verify() {
  RankedTensorType cache = getCache().getType(), input = getInput().getType();
  if (failed(verifyCacheAndInput(*this, cache, input)) ||
      failed(verifyExtent(*this, input, 1, cache.getDimSize(1), "input", "the cache's number of heads")))
    return failure();
  if (hasDynamicShape(*this))
    return success();
  if (input.getDimSize(2) > cache.getDimSize(2))
    return emitOpError() << "input's " << input.getDimSize(2) << " positions exceed the cache's "
                         << cache.getDimSize(2);
  return verifyBatchOffset(*this, getBatchOffsetAttr(), cache, input.getDimSize(0));
}

/// Writes one position of each user's cache.
LogicalResult UpdateCacheOp::verify() {
  RankedTensorType cache = getCache().getType(), input = getInput().getType();
  if (failed(verifyCacheAndInput(*this, cache, input)) ||
      failed(verifyExtent(*this, input, 1, cache.getDimSize(1), "input", "the cache's number of heads")))
    return failure();
  // One position of every user is written, so the input's batch takes no entries behind the offset.
  return hasDynamicShape(*this) ? success() : verifyBatchOffset(*this, getBatchOffsetAttr(), cache, 0);
}

/// Blocks of a paged cache are whole tiles.
static LogicalResult verifyBlock(Operation *op, RankedTensorType cache) {
  return hasDynamicShape(op)
             ? success()
             : verifyMultipleOf(op, "block size (dimension 2 of the cache)", cache.getDimSize(2), 32);
}

LogicalResult PagedUpdateCacheOp::verify() {
  RankedTensorType cache = getCache().getType(), input = getInput().getType();
  if (failed(verifyCacheAndInput(*this, cache, input)) ||
      failed(verifyExtent(*this, input, 0, 1, "input", "one position per user")))
    return failure();
  int64_t users = input.getDimSize(1);
  if (failed(verifyIntegers(*this, {{"update_index", getUpdateIndex()}})) ||
      failed(verifyShapes(*this, {users}, {{"update_index", getUpdateIndex()}}, "one position per user")))
    return failure();
  if (!getPageTable())
    return success();
  RankedTensorType table = getPageTable().getType();
  return failure(failed(verifyRank(*this, table, 2, "page_table")) ||
                 failed(verifyIntegers(*this, {{"page_table", getPageTable()}})) ||
                 failed(verifyExtent(*this, table, 0, users, "page_table", "one row per user")) ||
                 failed(verifyBlock(*this, cache)));
}

LogicalResult PagedFillCacheOp::verify() {
  RankedTensorType cache = getCache().getType(), input = getInput().getType();
  if (failed(verifyCacheAndInput(*this, cache, input)) ||
      failed(verifyExtent(*this, input, 1, cache.getDimSize(1), "input", "the cache's number of heads")) ||
      failed(verifySameElementTypes(*this, {{"cache", getCache()}, {"input", getInput()}})))
    return failure();
  // All floats stand before the first integer in DataType.
  if (std::optional<DataType> type = dataType(cache.getElementType()); !type || *type >= DataType::UInt32)
    return emitOpError() << "cache must have floating-point elements, not " << cache.getElementType();
  if (failed(verifyBlock(*this, cache)) ||
      failed(verifyRank(*this, getPageTable().getType(), 2, "page_table")) ||
      failed(
          verifyIntegers(*this, {{"page_table", getPageTable()}, {"batch_idx_tensor", getBatchIdxTensor()}})))
    return failure();
  int64_t entries = input.getDimSize(0);
  if (getBatchIdxTensor())
    return verifyShapes(*this, {entries}, {{"batch_idx_tensor", getBatchIdxTensor()}},
                        "one index per batch entry of the input");
  // Without indices all goes to one user, and a batch of more would not say whose it is.
  if (entries == 1)
    return success();
  return emitOpError() << "without batch_idx_tensor, extent 0 of the input must be 1, not "
                       << (ShapedType::isDynamic(entries) ? "unknown" : std::to_string(entries));
}

//===- Attention -----------------------------------------------------------===//

template <class AttentionOp>
LogicalResult verifyAttention(AttentionOp op) {
  RankedTensorType query = op.getQuery().getType(), key = op.getKey().getType(),
                   value = op.getValue().getType();
  if (failed(verifyRank(op, query, 4, "query")) || failed(verifyRank(op, key, 4, "key")) ||
      failed(verifyRank(op, value, 4, "value")) ||
      failed(verifyExtent(op, key, 3, query.getDimSize(3), "key", "the query's head size")))
    return failure();
  if (key.getShape().drop_back() != value.getShape().drop_back() && !hasDynamicShape(op))
    return op->emitOpError() << "key " << toText(key.getShape()) << " and value " << toText(value.getShape())
                             << " must agree in all dimensions but the last";
  Shape expected(query.getShape());
  expected.back() = value.getDimSize(3);
  return verifyResultShape(op, op.getType(), expected, "the query's shape and the value's head size");
}
template LogicalResult verifyAttention(ScaledDotProductAttentionOp);
template LogicalResult verifyAttention(ScaledDotProductAttentionDecodeOp);
template LogicalResult verifyAttention(PagedScaledDotProductAttentionDecodeOp);

/// cos and sin have one shape, and the input's head size.
static LogicalResult verifyRotary(Operation *op, RankedTensorType input, RankedTensorType cos,
                                  RankedTensorType sin) {
  if (hasDynamicShape(op))
    return success();
  if (cos.getShape() != sin.getShape())
    return op->emitOpError() << "cos " << toText(cos.getShape()) << " and sin " << toText(sin.getShape())
                             << " must have the same shape";
  if (input.getRank() == 0 || cos.getRank() == 0 || cos.getShape().back() != input.getShape().back())
    return op->emitOpError() << "cos and sin " << toText(cos.getShape())
                             << " must have the input's head size, but it is " << toText(input.getShape());
  return success();
}

LogicalResult RotaryEmbeddingOp::verify() {
  Named cos{"cos_cache", getCosCache()}, sin{"sin_cache", getSinCache()};
  return failure(failed(verifyRanks(*this, 4, {{"input", getInput()}, cos, sin, {"result", getResult()}})) ||
                 failed(verifySameElementTypes(*this, {cos, sin})) ||
                 failed(verifyRotary(*this, getInput().getType(), cos.type(), sin.type())));
}

/// bf16 in tiles on the device, in decode mode height sharded.
static LogicalResult verifyLlamaOperand(Operation *op, const Named &operand, bool decodes) {
  TTNNLayoutAttr layout = layoutOf(operand.type());
  if (!operand.type().getElementType().isBF16())
    return op->emitOpError() << operand.name << " must have elements of bf16, not "
                             << operand.type().getElementType();
  if (!layout || !layout.isOnDevice() || layout.getLayout() != Layout::Tile)
    return op->emitOpError() << operand.name << " must lie on the device in tiles";
  if (decodes && layout.getMemoryLayout() != TensorMemoryLayout::HeightSharded)
    return op->emitOpError() << operand.name << " must be height_sharded in decode mode, not "
                             << stringifyTensorMemoryLayout(*layout.getMemoryLayout());
  return success();
}

LogicalResult RotaryEmbeddingLlamaOp::verify() {
  constexpr int64_t kMaxHeadSize = 256;
  RankedTensorType input = getInput().getType();
  const Named operands[] = {{"input", getInput()},
                            {"cos_cache", getCosCache()},
                            {"sin_cache", getSinCache()},
                            {"trans_mat", getTransMat()}};
  for (const Named &operand : operands)
    if (failed(verifyLlamaOperand(*this, operand, getIsDecodeMode())))
      return failure();
  if (failed(verifyRotary(*this, input, getCosCache().getType(), getSinCache().getType())))
    return failure();
  if (input.getShape().back() > kMaxHeadSize)
    return emitOpError() << "head size (" << input.getShape().back() << ") must be at most " << kMaxHeadSize;
  return failure(failed(verifyShapes(*this, {1, 1, 32, 32}, {{"trans_mat", getTransMat()}}, "the op")) ||
                 failed(verifyResultShape(*this, getType(), input.getShape(), "the input's shape")));
}

//===- Heads ---------------------------------------------------------------===//

/// The positive value of a count of heads, or an error.
static FailureOr<int64_t> verifyHeads(Operation *op, IntegerAttr attr, StringRef name) {
  std::optional<int64_t> heads = toInt(attr);
  if (heads && *heads > 0 && llvm::isInt<32>(*heads))
    return *heads;
  return op->emitOpError() << "attribute '" << name << "' must be positive and fit 32 bits";
}

/// H * D of an input whose heads lie in dimension 1.
static FailureOr<int64_t> hiddenSize(Operation *op, RankedTensorType input) {
  if (failed(verifyRank(op, input, 4, "input")))
    return failure();
  if (hasDynamicShape(op))
    return 0;
  if (std::optional<int64_t> size = product({input.getDimSize(1), input.getDimSize(3)}))
    return *size;
  return op->emitOpError() << "heads times head size leaves 64 bits";
}

LogicalResult ConcatenateHeadsOp::verify() {
  RankedTensorType input = getInput().getType();
  FailureOr<int64_t> hidden = hiddenSize(*this, input);
  if (failed(hidden))
    return failure();
  return verifyResultShape(*this, getType(), {input.getDimSize(0), input.getDimSize(2), *hidden},
                           "joining the heads");
}

LogicalResult NLPConcatHeadsOp::verify() {
  RankedTensorType input = getInput().getType();
  FailureOr<int64_t> hidden = hiddenSize(*this, input);
  if (failed(hidden))
    return failure();
  return verifyResultShape(*this, getType(), {input.getDimSize(0), 1, input.getDimSize(2), *hidden},
                           "joining the heads");
}

/// The result's extent 2 is the number of users padded to some tile: not compared.
LogicalResult NLPConcatHeadsDecodeOp::verify() {
  RankedTensorType input = getInput().getType();
  FailureOr<int64_t> heads = verifyHeads(*this, getNumHeadsAttr(), "num_heads");
  if (failed(heads) || failed(verifyRanks(*this, 4, {{"input", getInput()}, {"result", getResult()}})))
    return failure();
  if (hasDynamicShape(*this))
    return success();
  if (*heads > input.getDimSize(2))
    return emitOpError() << "attribute 'num_heads' (" << *heads << ") exceeds the input's "
                         << input.getDimSize(2) << " heads";
  std::optional<int64_t> hidden = product({*heads, input.getDimSize(3)});
  if (!hidden)
    return emitOpError() << "heads times head size leaves 64 bits";
  return verifyResultShape(*this, getType(), {input.getDimSize(0), 1, getType().getDimSize(2), *hidden},
                           "joining the heads");
}

//===- Splitting heads -----------------------------------------------------===//

namespace {

/// How a fused query/key/value projection splits.
struct HeadSplit {
  int64_t queryHeads, kvHeads, headSize;
};

} // namespace

/// num_kv_heads is num_heads if absent. `width` elements hold all three, or the query alone.
static FailureOr<HeadSplit> splitHeads(Operation *op, IntegerAttr numHeads, IntegerAttr numKvHeads,
                                       int64_t width, bool queryOnly) {
  FailureOr<int64_t> heads = verifyHeads(op, numHeads, "num_heads");
  FailureOr<int64_t> kvHeads =
      numKvHeads && succeeded(heads) ? verifyHeads(op, numKvHeads, "num_kv_heads") : heads;
  if (failed(kvHeads))
    return failure();
  // With a tensor of its own for keys and values, the operand holds the queries only.
  int64_t all = queryOnly ? *heads : *heads + 2 * *kvHeads;
  if (width % all != 0 && !hasDynamicShape(op))
    return op->emitOpError() << "input's last extent (" << width << ") is not a multiple of its " << all
                             << " heads";
  return HeadSplit{*heads, *kvHeads, width / all};
}

static LogicalResult verifyPart(Operation *op, TypedValue<RankedTensorType> part, Dims expected,
                                StringRef what) {
  if (part.getType().getShape() == expected || hasDynamicShape(op))
    return success();
  return op->emitOpError() << what << " has shape " << toText(part.getType().getShape())
                           << ", but splitting the heads gives " << toText(expected);
}

LogicalResult SplitQueryKeyValueAndSplitHeadsOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyRank(*this, input, 3, "input")))
    return failure();
  FailureOr<HeadSplit> split = splitHeads(*this, getNumHeadsAttr(), getNumKvHeadsAttr(), input.getDimSize(2),
                                          /*queryOnly=*/bool(getKvInputTensor()));
  if (failed(split))
    return failure();
  int64_t batch = input.getDimSize(0), sequence = input.getDimSize(1), size = split->headSize;
  Shape kv{batch, split->kvHeads, sequence, size}, key = kv;
  if (getTransposeKey())
    std::swap(key[2], key[3]);
  return failure(failed(verifyPart(*this, getQuery(), {batch, split->queryHeads, sequence, size}, "query")) ||
                 failed(verifyPart(*this, getKey(), key, "key")) ||
                 failed(verifyPart(*this, getValue(), kv, "value")));
}

LogicalResult NLPCreateQKVHeadsDecodeOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyRank(*this, input, 4, "input")))
    return failure();
  FailureOr<HeadSplit> split =
      splitHeads(*this, getNumHeadsAttr(), getNumKvHeadsAttr(), input.getDimSize(3), /*queryOnly=*/false);
  if (failed(split))
    return failure();
  // A slice takes some of the batch's users; without one all are split.
  int64_t users = getSliceSizeAttr() ? toInt(getSliceSizeAttr()).value_or(-1) : input.getDimSize(2);
  Shape kv{1, users, split->kvHeads, split->headSize};
  return failure(
      failed(verifyPart(*this, getQuery(), {1, users, split->queryHeads, split->headSize}, "query")) ||
      failed(verifyPart(*this, getKey(), kv, "key")) || failed(verifyPart(*this, getValue(), kv, "value")));
}

} // namespace tessera::ttnn
