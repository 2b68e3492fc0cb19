//===- Pixels.cpp - Convolutions of single pixels as products -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   conv(x, w), windows of one pixel   ->   x W,  W a column for each output channel
//
// The library makes a product of such a convolution itself, and chooses its kernel by
// the shards of the image. One of so many channels that no core has room for it is not
// sharded; then it takes the product of single tiles, which fetches both operands for
// each of them. An image of a few pixels, as squeeze-and-excite has it, lies on one core.
// A product of the program's own may be given any kernel.
//
//===----------------------------------------------------------------------===//
#include "../Rows.h"
#include "Weights.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Pixels that lie on one core, and weights of which the kernels for shards have no room for a block of rows with all columns.
constexpr int64_t kFewPixels = 32, kManyWeights = int64_t(1) << 22;

/// Whether the library would choose a kernel that wastes what it has.
bool isServedBadly(ttnn::Conv2dOp conv) {
  const int64_t channels = conv.getInChannels();
  return typeOf(conv.getInput()).getNumElements() <= kFewPixels * channels ||
         channels * int64_t(conv.getOutChannels()) >= kManyWeights;
}

/// Whether each result pixel is made of the pixel at its place and nothing else.
bool isOfPixels(ttnn::Conv2dOp conv) {
  auto are = [](ArrayRef<int32_t> entries, int32_t wanted) {
    return llvm::all_of(entries, [=](int32_t each) { return each == wanted; });
  };
  return are(conv.getKernelSize(), 1) && are(conv.getStride(), 1) && are(conv.getPadding(), 0) &&
         conv.getGroups() == 1 &&
         shapeOf(conv.getInput()).drop_back() == shapeOf(conv.getResult()).drop_back() &&
         shapeOf(conv.getInput()).back() == int64_t(conv.getInChannels()) &&
         shapeOf(conv.getResult()).back() == int64_t(conv.getOutChannels());
}

/// A constant of the convolution as it was before it was prepared for that, where the convolution stands; null if it is prepared otherwise.
template <class Prepare>
mlir::Value unprepared(mlir::Value constant, ttnn::Conv2dOp conv, Proposal &proposal) {
  Operation *maker = makerOf(constant);
  if (!isa_and_nonnull<ttnn::PrepareConv2dWeightsOp, ttnn::PrepareConv2dBiasOp>(maker))
    return constant;
  auto prepare = dyn_cast<Prepare>(maker);
  if (!prepare)
    return {};
  IRMapping now = asNow(constant, maker, conv);
  return maker->getBlock() == conv->getBlock() ? maker->getOperand(0)
                                               : recomputed(maker->getOperand(0), now, proposal);
}

/// Whether the config says nothing that a product could not say.
bool isPlainConfig(ttnn::Conv2dConfigAttr config, mlir::Value weight) {
  if (!config)
    return true;
  if (ttnn::UnaryWithParamAttr activation = config.getActivation();
      activation && !activation.getParams().empty())
    return false;
  return !config.getWeightsDtype() || typeOf(weight).getElementType().isBF16();
}

/// What the product says: what the convolution said of how it computes, and the function that it applied.
llvm::SmallVector<NamedAttribute> attributesOf(ttnn::Conv2dOp conv, OpBuilder &builder) {
  llvm::SmallVector<NamedAttribute> attributes{
      builder.getNamedAttr("transpose_a", builder.getBoolAttr(false)),
      builder.getNamedAttr("transpose_b", builder.getBoolAttr(false))};
  if (ttnn::DeviceComputeKernelConfigAttr computes = conv.getComputeConfigAttr())
    attributes.push_back(builder.getNamedAttr("compute_config", computes));
  ttnn::Conv2dConfigAttr config = conv.getConv2dConfigAttr();
  if (config && config.getActivation())
    attributes.push_back(
        builder.getNamedAttr("activation", builder.getStringAttr(config.getActivation().getOpType())));
  return attributes;
}

} // namespace

bool proposePixelProduct(Operation *root, Proposal &proposal) {
  auto conv = cast<ttnn::Conv2dOp>(root);
  if (!isPlaced(conv.getInput()) || !isOfPixels(conv) || !isServedBadly(conv) ||
      !isKnownConstant(conv.getWeight()) || (conv.getBias() && !isKnownConstant(conv.getBias())) ||
      !isPlainConfig(conv.getConv2dConfigAttr(), conv.getWeight()))
    return false;
  mlir::Value weight = unprepared<ttnn::PrepareConv2dWeightsOp>(conv.getWeight(), conv, proposal);
  mlir::Value bias =
      conv.getBias() ? unprepared<ttnn::PrepareConv2dBiasOp>(conv.getBias(), conv, proposal) : mlir::Value();
  const int64_t inputs = conv.getInChannels(), outputs = conv.getOutChannels();
  Type elementType = typeOf(conv.getWeight()).getElementType();
  if (!weight || !areRaw(weight, conv) || !(elementType.isBF16() || elementType.isF32()) ||
      (bias && typeOf(bias).getNumElements() != outputs))
    return false;
  OnDevice constants(proposal, conv.getDevice());
  llvm::SmallVector<mlir::Value> operands{
      conv.getInput(),
      proposal.cast(proposal.permute(constants.wide(weight, {outputs, inputs}), {1, 0}), elementType)};
  if (bias)
    operands.push_back(
        proposal.cast(constants.wide(bias, {1, outputs}), typeOf(conv.getBias()).getElementType()));
  Operation *product = proposal.makeNamed(bias ? "linear" : "matmul", operands,
                                          Proposal::typeLike(conv.getResult(), shapeOf(conv.getResult())),
                                          attributesOf(conv, proposal.attributes()));
  proposal.isAbout(product);
  proposal.replace(root, product->getResult(0));
  return true;
}

} // namespace tessera::rewrite
