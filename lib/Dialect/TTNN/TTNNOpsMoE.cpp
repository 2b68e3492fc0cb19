//===- TTNNOpsMoE.cpp - Verifiers of mixture-of-experts ops ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Rules: facts/dialect 9.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

//===- Between devices -----------------------------------------------------===//

/// Attributes that say which devices exchange tokens.
static LogicalResult verifyDevices(Operation *op, int64_t numDevices, int64_t clusterAxis) {
  return failure(failed(verifyPositive(op, "num_devices", numDevices)) ||
                 failed(verifyEither(op, "cluster_axis", clusterAxis, 0, 1)));
}

LogicalResult AllToAllDispatchOp::verify() {
  return failure(failed(verifyRanks(*this, 4,
                                    {{"input_tensor", getInputTensor()},
                                     {"expert_indices", getExpertIndices()},
                                     {"expert_mapping", getExpertMapping()},
                                     {"dispatched", getDispatched()},
                                     {"metadata", getMetadata()}})) ||
                 failed(verifyDevices(*this, getNumDevices(), getClusterAxis())));
}

LogicalResult AllToAllDispatchMetadataOp::verify() {
  return failure(
      failed(verifyRanks(*this, 4,
                         {{"input_tensor", getInputTensor()},
                          {"expert_indices", getExpertIndices()},
                          {"expert_scores", getExpertScores()}})) ||
      failed(verifyRanks(*this, 2, {{"expert_mapping", getExpertMapping()}})) ||
      failed(verifyRanks(
          *this, 3, {{"dispatched", getDispatched()}, {"indices", getIndices()}, {"scores", getScores()}})) ||
      failed(verifyDevices(*this, getNumDevices(), getClusterAxis())) ||
      failed(verifyAllOrNone(*this, {{"dispatched_buffer", getDispatchedBuffer()},
                                     {"indices_buffer", getIndicesBuffer()},
                                     {"scores_buffer", getScoresBuffer()}})));
}

LogicalResult AllToAllCombineOp::verify() {
  return failure(failed(verifyRanks(*this, 4,
                                    {{"input_tensor", getInputTensor()},
                                     {"expert_metadata", getExpertMetadata()},
                                     {"expert_mapping", getExpertMapping()},
                                     {"result", getResult()}})) ||
                 failed(verifyDevices(*this, getNumDevices(), getClusterAxis())) ||
                 failed(verifyPositive(*this, "num_experts_per_tok", getNumExpertsPerTok())) ||
                 failed(verifyEither(*this, "output_shard_dim", getOutputShardDim(), 1, 2)));
}

//===- On one device -------------------------------------------------------===//

LogicalResult MoEExpertTokenRemapOp::verify() {
  return failure(failed(verifyRanks(*this, 4,
                                    {{"topk_tensor", getTopkTensor()},
                                     {"expert_mapping", getExpertMapping()},
                                     {"expert_metadata", getExpertMetadata()},
                                     {"mapping", getMapping()},
                                     {"reduced", getReduced()}})) ||
                 failed(verifyPositive(*this, "reduction_size", getReductionSize())));
}

/// A dense a: A x B x M x K times 1 x E x K x N, one matrix for each pair. A sparse a has E matrices itself.
static LogicalResult verifySparseMatmulResult(SparseMatmulOp op) {
  RankedTensorType a = op.getA().getType(), b = op.getB().getType(), result = op.getType();
  if (op.getIsInputASparse())
    return verifyRanks(op, 4, {{"result of a sparse a", op.getResult()}});
  if (failed(verifyRanks(op, 6, {{"result of a dense a", op.getResult()}})))
    return failure();
  // What becomes of more leading dimensions is not known, so only the rank of the result is held against the rule.
  if (a.getRank() != 4)
    return success();
  return verifyResultShape(
      op, result, {a.getDimSize(0), a.getDimSize(1), 1, b.getDimSize(1), a.getDimSize(2), b.getDimSize(3)},
      "the product of a and all matrices of b");
}

LogicalResult SparseMatmulOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(), sparsity = getSparsity().getType();
  if (a.getRank() < 4)
    return emitOpError() << "a must have at least 4 dimensions, not " << a.getRank();
  if (failed(verifyRanks(*this, 4, {{"b", getB()}, {"sparsity", getSparsity()}})) ||
      failed(verifyExtent(*this, b, 0, 1, "b", "one set of matrices")) ||
      failed(verifyExtent(*this, b, 2, a.getShape().back(), "b", "a's last extent")) ||
      failed(verifyExtent(*this, sparsity, 3, b.getDimSize(1), "sparsity", "b's number of matrices")))
    return failure();
  if (!getIsInputASparse() && !getIsInputBSparse())
    return emitOpError() << "needs a sparse input: 'is_input_a_sparse' or 'is_input_b_sparse' must be true";
  if (getNnz() && failed(verifyPositive(*this, "nnz", *getNnz())))
    return failure();
  return verifySparseMatmulResult(*this);
}

LogicalResult TopKRouterGptOp::verify() {
  RankedTensorType input = getInput().getType();
  // What the kernel was written for.
  constexpr int64_t kBatch = 32, kExperts = 128;
  // A scalar has no rows at all, so it is refused with a shape in the message.
  std::optional<int64_t> batch =
      input.getRank() ? product(input.getShape().drop_back()) : std::optional<int64_t>();
  if (batch != kBatch)
    return emitOpError() << "input must have " << kBatch << " rows, not shape " << toText(input.getShape());
  if (getNumExperts() != uint32_t(kExperts))
    return emitOpError() << "attribute 'num_experts' must be " << kExperts << ", not " << getNumExperts();
  return success();
}

//===- Fused kernels -------------------------------------------------------===//

/// The kernel cuts both extents into whole tiles, which have 32 rows and columns.
LogicalResult MoEComputeOp::verify() {
  RankedTensorType input = getTilizeInputTensor().getType();
  if (input.getRank() == 0)
    return emitOpError() << "tilize_input_tensor must have dimensions";
  return failure(
      failed(verifyMultipleOf(*this, "attribute 'intermediate_size'", getIntermediateSize(), 32)) ||
      failed(verifyMultipleOf(*this, "tilize_input_tensor's last extent", input.getShape().back(), 32)));
}

/// Both kinds of weights are cut by the same two sizes.
template <class PrepareOp>
static LogicalResult verifyPrepareSizes(PrepareOp op) {
  return failure(failed(verifyMultipleOf(op, "attribute 'hidden_size'", op.getHiddenSize(), 32)) ||
                 failed(verifyMultipleOf(op, "attribute 'intermediate_size'", op.getIntermediateSize(), 32)));
}

LogicalResult PrepareMoEComputeW0W1WeightsOp::verify() {
  return failure(failed(verifyPrepareSizes(*this)) ||
                 failed(verifyAllOrNone(*this, {{"bias_0", getBias_0()}, {"bias_1", getBias_1()}})));
}

LogicalResult PrepareMoEComputeW2WeightsOp::verify() { return verifyPrepareSizes(*this); }

/// Weights come as an op has prepared them; of their six extents only the last is known, four tiles.
LogicalResult MoEGptOp::verify() {
  Named weights[] = {{"w0_w1_tensor", getW0W1Tensor()}, {"w2_tensor", getW2Tensor()}};
  if (failed(verifyRanks(*this, 6, weights)))
    return failure();
  for (const Named &weight : weights)
    if (failed(verifyExtent(*this, weight.type(), 5, 128, weight.name, "the kernel, 4 tiles,")))
      return failure();
  return success();
}

} // namespace tessera::ttnn
