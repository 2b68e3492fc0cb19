//===- TTNNOpsAttention.cpp - Verifiers of chunked and latent attention ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Rules: facts/dialect 9.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

/// Positions are read from a paged cache `blocks x K x block x D`, by way of a table with a row per user.
static LogicalResult verifyPages(ChunkedScaledDotProductAttentionOp op) {
  RankedTensorType query = op.getQuery().getType(), key = op.getKey().getType(),
                   table = op.getPageTable().getType();
  if (failed(verifyMultipleOf(op, "key's block size (dimension 2)", key.getDimSize(2), 32)) ||
      failed(verifyRanks(op, 2, {{"page_table", op.getPageTable()}})) ||
      failed(verifyIntegers(op, {{"page_table", op.getPageTable()}})))
    return failure();
  return verifyExtent(op, table, 0, query.getDimSize(0), "page_table", "the query's number of users");
}

LogicalResult ChunkedScaledDotProductAttentionOp::verify() {
  RankedTensorType query = getQuery().getType(), key = getKey().getType();
  Named tensors[] = {{"query", getQuery()}, {"key", getKey()}, {"value", getValue()}};
  if (failed(verifyRanks(*this, 4, tensors)))
    return failure();
  for (const Named &tensor : tensors)
    if (!isa<FloatType, ttcore::TileType>(tensor.type().getElementType()))
      return emitOpError() << tensor.name << " must have float elements, not "
                           << tensor.type().getElementType();
  if (failed(verifyShapes(*this, key.getShape(), {{"value", getValue()}}, "the key's shape")) ||
      failed(verifySameElementTypes(*this, {{"key", getKey()}, {"value", getValue()}})) ||
      failed(verifyExtent(*this, key, 3, query.getDimSize(3), "key", "the query's head size")))
    return failure();
  if (key.getDimSize(1) == 0 || query.getDimSize(1) % key.getDimSize(1) != 0)
    return emitOpError() << "query's " << query.getDimSize(1) << " heads must be a multiple of the key's "
                         << key.getDimSize(1);
  Named start = {"chunk_start_idx", getChunkStartIdx()};
  return failure(failed(verifyPages(*this)) ||
                 failed(verifyShapes(*this, {1}, start, "one start for all users")) ||
                 failed(verifyIntegers(*this, start)) ||
                 failed(verifyResultShape(*this, getType(), query.getShape(), "the query's shape")));
}

/// Queries are 1 x heads x rows x D, keys are latents of the same D, and values are the first `head_dim_v` columns of
/// the latents, which is why the op may do without a tensor of values.
LogicalResult FlashMLAPrefillOp::verify() {
  RankedTensorType query = getQuery().getType();
  if (failed(verifyRanks(*this, 4,
                         {{"query", getQuery()},
                          {"key", getKey()},
                          {"value", getValue()},
                          {"attention_mask", getAttentionMask()},
                          {"result", getResult()}})) ||
      failed(verifySameElementTypes(
          *this,
          {{"query", getQuery()}, {"key", getKey()}, {"value", getValue()}, {"result", getResult()}})) ||
      failed(verifyPositive(*this, "head_dim_v", getHeadDimV())))
    return failure();
  // A causal mask is one already; upstream does not combine two.
  if (getAttentionMask() && getIsCausal())
    return emitOpError() << "takes attention_mask only if 'is_causal' is false";
  Shape expected(query.getShape());
  expected.back() = getHeadDimV();
  return verifyResultShape(*this, getType(), expected, "the query's shape with 'head_dim_v'");
}

LogicalResult PagedFlashMultiLatentAttentionDecodeOp::verify() {
  if (failed(verifyRanks(*this, 4, {{"query", getQuery()}, {"key", getKey()}, {"value", getValue()}})))
    return failure();
  for (const Named &cache : {Named{"key", getKey()}, Named{"value", getValue()}})
    if (cache.value && failed(verifyExtent(*this, cache.type(), 1, 1, cache.name, "one latent head")))
      return failure();
  Named table = {"page_table", getPageTable()};
  return failure(failed(verifyRanks(*this, 2, table)) || failed(verifyIntegers(*this, table)));
}

/// Scores by which sparse attention chooses its keys: one for each query and key, from all heads with a weight each.
LogicalResult IndexerScoreDSAOp::verify() {
  RankedTensorType query = getQuery().getType(), key = getKey().getType();
  if (failed(verifyRanks(*this, 4, {{"query", getQuery()}, {"key", getKey()}})) ||
      failed(verifyExtent(*this, query, 0, 1, "query", "a batch of one")))
    return failure();
  int64_t heads = query.getDimSize(1), queries = query.getDimSize(2), keys = key.getDimSize(2);
  return failure(
      failed(verifyShapes(*this, {1, 1, keys, query.getDimSize(3)}, {{"key", getKey()}},
                          "one head of the query's size")) ||
      failed(verifyShapes(*this, {1, heads, queries, 1}, {{"weights", getWeights()}},
                          "one weight for each query")) ||
      failed(verifyShapes(*this, {1, 1, queries, keys}, {{"result", getResult()}},
                          "one score for each query and key")) ||
      failed(verifySameElementTypes(
          *this,
          {{"query", getQuery()}, {"key", getKey()}, {"weights", getWeights()}, {"result", getResult()}})));
}

/// Rank 4, and a mask exactly if the op says that there is one of the caller's.
template <class Op>
static LogicalResult verifyTraining(Op op) {
  if (failed(verifyRanks(op, 4, {{"query", op.getQuery()}, {"key", op.getKey()}, {"value", op.getValue()}})))
    return failure();
  std::string kind;
  llvm::raw_string_ostream(kind) << op.getMaskType();
  // The attribute is kept as text, so its kind is looked for in its spelling.
  bool isArbitrary = StringRef(kind).contains("<arbitrary>");
  if (isArbitrary != bool(op.getAttentionMask()))
    return op.emitOpError() << (isArbitrary ? "needs" : "cannot have") << " an attention mask with mask_type "
                            << kind;
  return success();
}

LogicalResult SDPAForwardOp::verify() {
  if (getReturnIntermediates() != bool(getIntermediates()))
    return emitOpError() << "has intermediates exactly if return_intermediates is true";
  return verifyTraining(*this);
}

LogicalResult SDPABackwardOp::verify() { return verifyTraining(*this); }

} // namespace tessera::ttnn
