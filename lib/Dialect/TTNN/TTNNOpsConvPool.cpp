//===- TTNNOpsConvPool.cpp - Verifiers of sliding-window ops --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops with a window that slides over an image. Images are flattened, 1 x 1 x
// batch*height*width x channels, and their extents stand in attributes, so a
// verifier computes what the window makes of the attributes' image and compares
// that with the operands' rows. An input 1x1x196x64 of one image of 14x14 under
// a window of 3x3 with stride 2 and padding 1 gives 1x1x49x64. Extents are
// 32-bit attributes that may say anything: they are bounded first, and all
// formulas are in 64 bits.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Support/WindowPadding.h"

#include <array>

using namespace mlir;

namespace tessera::ttnn {
namespace {

/// One dimension of a sliding window. Attributes are 32 bits wide, so 64 bits hold every product of two.
struct WindowDim {
  int64_t input, kernel, stride, before, after, dilation;

  /// Elements from a window's first tap to its last.
  int64_t span() const { return dilation * (kernel - 1) + 1; }
  /// Formulas in TTNNOpsConvPool.td. Requires that the window fits.
  int64_t convolved() const { return (input + before + after - span()) / stride + 1; }
  /// As convolved, but a last window that is cut off counts if it starts before the padding behind the input.
  int64_t pooledUp() const {
    int64_t count = ceilDiv(input + before + after - span(), stride) + 1;
    return (count - 1) * stride >= input + before ? count - 1 : count;
  }
  /// The input size whose convolution would give `input`, as PyTorch counts it, and `outputPadding` more, of which a
  /// convolution could not tell.
  int64_t transposed(int64_t outputPadding) const {
    return (input - 1) * stride - before - after + span() + outputPadding;
  }
};

/// The attributes of a 2-D window as numbers.
struct Window2D {
  int64_t batch, channels;
  WindowDim height, width;
};

} // namespace

/// The array `values` has `count` entries, each at least `least`.
static LogicalResult verifyEntries(Operation *op, ArrayRef<int32_t> values, size_t count, int32_t least,
                                   StringRef name) {
  if (values.size() != count)
    return op->emitOpError() << "attribute '" << name << "' must have " << count << " entries, not "
                             << values.size();
  if (llvm::any_of(values, [&](int32_t value) { return value < least; }))
    return op->emitOpError() << "attribute '" << name << "' must have entries of at least " << least;
  return success();
}

static LogicalResult verifyPositive(Operation *op,
                                    std::initializer_list<std::pair<StringRef, IntegerAttr>> attrs) {
  for (auto [name, attr] : attrs)
    // WindowDim's formulas are exact for numbers of 32 bits.
    if (std::optional<int64_t> value = toInt(attr); !value || *value < 1 || !llvm::isInt<32>(*value))
      return op->emitOpError() << "attribute '" << name << "' must be positive and fit 32 bits";
  return success();
}

/// Kernel, stride, dilation and padding as windows over `height` and `width`; padding of 2 or 4 entries.
template <class WindowOp>
static FailureOr<std::pair<WindowDim, WindowDim>> windowDims(WindowOp op, int64_t height, int64_t width) {
  ArrayRef<int32_t> kernel = op.getKernelSize(), stride = op.getStride(), dilation = op.getDilation(),
                    padding = op.getPadding();
  if (failed(verifyEntries(op, kernel, 2, 1, "kernel_size")) ||
      failed(verifyEntries(op, stride, 2, 1, "stride")) ||
      failed(verifyEntries(op, dilation, 2, 1, "dilation")))
    return failure();
  if (padding.size() != 2 && padding.size() != 4)
    return op->emitOpError() << "attribute 'padding' must have 2 or 4 entries, not " << padding.size();
  if (failed(verifyEntries(op, padding, padding.size(), 0, "padding")))
    return failure();
  auto pads = WindowPadding::read(op->getName().getStringRef(), padding);
  return std::pair(WindowDim{height, kernel[0], stride[0], pads.top, pads.bottom, dilation[0]},
                   WindowDim{width, kernel[1], stride[1], pads.left, pads.right, dilation[1]});
}

static LogicalResult verifyWindowFits(Operation *op, const WindowDim &dim, StringRef name) {
  if (dim.span() <= dim.input + dim.before + dim.after)
    return success();
  return op->emitOpError() << "window spans " << dim.span() << " elements in " << name
                           << ", but the padded input has " << dim.input + dim.before + dim.after;
}

/// `type` is a flattened image: 1 x 1 x batch*height*width x channels.
static LogicalResult verifyFlattened(Operation *op, RankedTensorType type, Dims image, StringRef what) {
  std::optional<int64_t> rows = product(image.drop_back());
  // An image whose pixels 64 bits cannot count is one that no tensor holds.
  Shape expected{1, 1, rows.value_or(-1), image.back()};
  if ((rows && type.getShape() == Dims(expected)) || hasDynamicShape(op))
    return success();
  return op->emitOpError() << what << " must be a flattened image 1x1x(" << toText(image.drop_back()) << ")x"
                           << image.back() << ", not " << toText(type.getShape());
}

//===- Convolutions --------------------------------------------------------===//

static LogicalResult verifyGroups(Operation *op, int64_t groups, int64_t in, int64_t out) {
  if (in % groups == 0 && out % groups == 0)
    return success();
  return op->emitOpError() << "attribute 'groups' (" << groups << ") must divide in_channels (" << in
                           << ") and out_channels (" << out << ")";
}

/// What a prepare op makes of a weight: its extents are the backend's affair.
static bool isPrepared(TypedValue<RankedTensorType> weight) {
  if (isa_and_present<PrepareConv2dWeightsOp, PrepareConvTranspose2dWeightsOp, ttcore::LoadCachedOp>(
          weight.getDefiningOp()))
    return true;
  // A weight that comes as an argument tells by its shape only: prepared ones are 1 x 1 x rows x columns. A raw one of
  // a single input and output channel looks alike, and is not checked.
  Dims shape = weight.getType().getShape();
  return shape.size() == 4 && shape[0] == 1 && shape[1] == 1;
}

/// The weight has the extents `expected`, which `format` names.
static LogicalResult verifyWeight(Operation *op, TypedValue<RankedTensorType> weight, Dims expected,
                                  StringRef format) {
  Dims shape = weight.getType().getShape();
  if (shape == expected || hasDynamicShape(op))
    return success();
  return op->emitOpError() << "weight must be " << format << " " << toText(expected) << ", not "
                           << toText(shape);
}

/// 4-D, with an element per output channel in the last dimension.
static LogicalResult verifyBias(Operation *op, TypedValue<RankedTensorType> bias, int64_t channels) {
  if (!bias)
    return success();
  return failure(failed(verifyRank(op, bias.getType(), 4, "bias")) ||
                 failed(verifyExtent(op, bias.getType(), 3, channels, "bias", "attribute 'out_channels'")));
}

/// Positive sizes, groups, windows: what all ops with TTNN_Window2D share.
template <class WindowOp>
static FailureOr<Window2D> convolutionWindow(WindowOp op) {
  if (failed(verifyPositive(op, {{"batch_size", op.getBatchSizeAttr()},
                                 {"input_height", op.getInputHeightAttr()},
                                 {"input_width", op.getInputWidthAttr()},
                                 {"in_channels", op.getInChannelsAttr()},
                                 {"out_channels", op.getOutChannelsAttr()},
                                 {"groups", op.getGroupsAttr()}})) ||
      failed(verifyGroups(op, op.getGroups(), op.getInChannels(), op.getOutChannels())))
    return failure();
  auto dims = windowDims(op, int32_t(op.getInputHeight()), int32_t(op.getInputWidth()));
  if (failed(dims))
    return failure();
  return Window2D{int32_t(op.getBatchSize()), int32_t(op.getInChannels()), dims->first, dims->second};
}

/// The extents of a convolution's weight: O x I/groups x kernel. Transposed, I x O/groups x kernel.
template <class WindowOp>
static LogicalResult verifyRawWeight(WindowOp op, TypedValue<RankedTensorType> weight, bool transposed) {
  int64_t in = op.getInChannels(), out = op.getOutChannels(), groups = op.getGroups();
  ArrayRef<int32_t> kernel = op.getKernelSize();
  if (transposed)
    return verifyWeight(op, weight, {in, out / groups, kernel[0], kernel[1]}, "IOHW");
  return verifyWeight(op, weight, {out, in / groups, kernel[0], kernel[1]}, "OIHW");
}

LogicalResult Conv2dOp::verify() {
  if (failed(
          verifyRanks(*this, 4, {{"input", getInput()}, {"weight", getWeight()}, {"result", getResult()}})))
    return failure();
  FailureOr<Window2D> window = convolutionWindow(*this);
  if (failed(window) || failed(verifyWindowFits(*this, window->height, "height")) ||
      failed(verifyWindowFits(*this, window->width, "width")) ||
      (!isPrepared(getWeight()) && failed(verifyRawWeight(*this, getWeight(), /*transposed=*/false))) ||
      failed(verifyBias(*this, getBias(), getOutChannels())))
    return failure();
  Shape input{window->batch, window->height.input, window->width.input, window->channels};
  Shape result{window->batch, window->height.convolved(), window->width.convolved(), getOutChannels()};
  return failure(failed(verifyFlattened(*this, getInput().getType(), input, "input")) ||
                 failed(verifyFlattened(*this, getType(), result, "result")));
}

/// The image NHWC, or as many rows as it has pixels.
static LogicalResult verifyImage(Operation *op, RankedTensorType type, Dims image, StringRef what) {
  Dims shape = type.getShape();
  bool flattened = shape[2] == product(image.drop_back()) && shape.back() == image.back();
  if (flattened || shape == image || hasDynamicShape(op))
    return success();
  return op->emitOpError() << what << " must be an image " << toText(image) << " or flattened to 1x1x("
                           << toText(image.drop_back()) << ")x" << image.back() << ", not " << toText(shape);
}

LogicalResult ConvTranspose2dOp::verify() {
  if (failed(
          verifyRanks(*this, 4, {{"input", getInput()}, {"weight", getWeight()}, {"result", getResult()}})))
    return failure();
  FailureOr<Window2D> window = convolutionWindow(*this);
  if (failed(window) || failed(verifyEntries(*this, getOutputPadding(), 2, 0, "output_padding")) ||
      (!isPrepared(getWeight()) && failed(verifyRawWeight(*this, getWeight(), /*transposed=*/true))) ||
      failed(verifyBias(*this, getBias(), getOutChannels())) ||
      failed(verifyImage(*this, getInput().getType(),
                         {window->batch, window->height.input, window->width.input, window->channels},
                         "input")))
    return failure();
  int64_t height = window->height.transposed(getOutputPadding()[0]),
          width = window->width.transposed(getOutputPadding()[1]);
  if (height < 0 || width < 0)
    return emitOpError() << "output would have " << height << "x" << width << " elements";
  return verifyExtent(*this, getType(), 3, getOutChannels(), "result", "attribute 'out_channels'");
}

/// Kernel, stride and padding of a conv3d have an entry for depth, height and width each.
static LogicalResult verifyWindow3D(Conv3dOp op) {
  if (failed(verifyPositive(op, {{"batch_size", op.getBatchSizeAttr()},
                                 {"input_depth", op.getInputDepthAttr()},
                                 {"input_height", op.getInputHeightAttr()},
                                 {"input_width", op.getInputWidthAttr()},
                                 {"in_channels", op.getInChannelsAttr()},
                                 {"out_channels", op.getOutChannelsAttr()},
                                 {"groups", op.getGroupsAttr()}})) ||
      failed(verifyEntries(op, op.getKernelSize(), 3, 1, "kernel_size")) ||
      failed(verifyEntries(op, op.getStride(), 3, 1, "stride")) ||
      failed(verifyEntries(op, op.getPadding(), 3, 0, "padding")) ||
      (op.getDilation() && failed(verifyEntries(op, *op.getDilation(), 3, 1, "dilation"))))
    return failure();
  return verifyGroups(op, op.getGroups(), op.getInChannels(), op.getOutChannels());
}

/// O x C/groups x kernel, or as prepared: one column per output channel, of all that it multiplies.
/// Of groups tt-mlir's verifier has a column of kernel and input channels of its group; its pipeline and the library have the channels of
/// all groups, filled up to tiles, with zeros for those of others (tt-metal: prepare_conv3d_weights.cpp). Both are read.
static LogicalResult verifyWeight3D(Conv3dOp op) {
  constexpr int64_t tile = 32;
  Dims shape = op.getWeight().getType().getShape();
  Shape raw{op.getOutChannels(), int64_t(op.getInChannels()) / op.getGroups()};
  llvm::append_range(raw, op.getKernelSize());
  Shape whole(raw);
  whole[1] = llvm::alignTo(op.getInChannels(), tile);
  auto prepared = [&](const Shape &of) {
    return Shape{product(Dims(of).drop_front()).value_or(-1), op.getOutChannels()};
  };
  if (hasDynamicShape(op) || shape == Dims(raw) || shape == Dims(prepared(raw)) ||
      (op.getGroups() > 1 && shape == Dims(prepared(whole))))
    return success();
  InFlightDiagnostic error = op.emitOpError();
  error << "weight must be OIDHW " << toText(raw) << " or prepared " << toText(prepared(raw));
  if (op.getGroups() > 1)
    error << " or " << toText(prepared(whole));
  return error << ", not " << toText(shape);
}

LogicalResult Conv3dOp::verify() {
  if (failed(verifyWindow3D(*this)) || failed(verifyWeight3D(*this)))
    return failure();
  if (getPaddingMode() != "zeros" && getPaddingMode() != "replicate")
    return emitOpError() << "attribute 'padding_mode' must be zeros or replicate, not " << getPaddingMode();
  if (failed(verifyShapes(*this, {1, getOutChannels()}, {{"bias", getBias()}}, "attribute 'out_channels'")))
    return failure();
  Shape input{getBatchSize(), getInputDepth(), getInputHeight(), getInputWidth(), getInChannels()};
  if (failed(verifyShapes(*this, input, {{"input", getInput()}}, "NDHWC")))
    return failure();
  Shape result{getBatchSize()};
  constexpr StringLiteral kNames[] = {"depth", "height", "width"};
  for (auto [i, name] : llvm::enumerate(kNames)) {
    int64_t pad = getPadding()[i], dilation = getDilation() ? (*getDilation())[i] : 1;
    WindowDim dim{input[i + 1], getKernelSize()[i], getStride()[i], pad, pad, dilation};
    if (failed(verifyWindowFits(*this, dim, name)))
      return failure();
    result.push_back(dim.convolved());
  }
  result.push_back(getOutChannels());
  return verifyResultShape(*this, getType(), result, "the convolution");
}

//===- Preparing convolution parameters ------------------------------------===//

/// The weight is in the format of its convolution.
template <class PrepareOp>
static LogicalResult verifyPrepareWeights(PrepareOp op, bool transposed) {
  StringRef format = transposed ? "IOHW" : "OIHW";
  if (op.getWeightsFormat() != format)
    return op.emitOpError() << "attribute 'weights_format' must be " << format << ", not "
                            << op.getWeightsFormat();
  if (failed(convolutionWindow(op)) ||
      failed(verifyRank(op, op.getWeightTensor().getType(), 4, "weight_tensor")))
    return failure();
  return verifyRawWeight(op, op.getWeightTensor(), transposed);
}

template <class PrepareOp>
static LogicalResult verifyPrepareBias(PrepareOp op) {
  return failure(failed(convolutionWindow(op)) ||
                 failed(verifyBias(op, op.getBiasTensor(), op.getOutChannels())));
}

LogicalResult PrepareConv2dWeightsOp::verify() { return verifyPrepareWeights(*this, /*transposed=*/false); }
LogicalResult PrepareConvTranspose2dWeightsOp::verify() {
  return verifyPrepareWeights(*this, /*transposed=*/true);
}
LogicalResult PrepareConv2dBiasOp::verify() { return verifyPrepareBias(*this); }
LogicalResult PrepareConvTranspose2dBiasOp::verify() { return verifyPrepareBias(*this); }

template <class PrepareOp>
LogicalResult setPreparedDataType(PrepareOp op, DataType type) {
  if (failed(setResultDataType(op, type)))
    return failure();
  op.setOutputDtype(toAttrDataType(type));
  return success();
}

template LogicalResult setPreparedDataType(PrepareConv2dWeightsOp, DataType);
template LogicalResult setPreparedDataType(PrepareConv2dBiasOp, DataType);
template LogicalResult setPreparedDataType(PrepareConvTranspose2dWeightsOp, DataType);
template LogicalResult setPreparedDataType(PrepareConvTranspose2dBiasOp, DataType);

//===- Pools ---------------------------------------------------------------===//

template <class PoolOp>
LogicalResult verifyPool(PoolOp op) {
  if (failed(verifyPositive(op, {{"batch_size", op.getBatchSizeAttr()},
                                 {"input_height", op.getInputHeightAttr()},
                                 {"input_width", op.getInputWidthAttr()},
                                 {"channels", op.getChannelsAttr()}})))
    return failure();
  int64_t batch = *toInt(op.getBatchSizeAttr()), channels = *toInt(op.getChannelsAttr());
  auto dims = windowDims(op, *toInt(op.getInputHeightAttr()), *toInt(op.getInputWidthAttr()));
  if (failed(dims))
    return failure();
  auto [height, width] = *dims;
  if (failed(verifyWindowFits(op, height, "height")) || failed(verifyWindowFits(op, width, "width")) ||
      failed(verifyFlattened(op, op.getInput().getType(), {batch, height.input, width.input, channels},
                             "input")))
    return failure();
  bool up = op.getCeilMode();
  Shape image{batch, up ? height.pooledUp() : height.convolved(), up ? width.pooledUp() : width.convolved(),
              channels};
  for (Type type : op->getResultTypes())
    if (failed(verifyFlattened(op, cast<RankedTensorType>(type), image, "result")))
      return failure();
  return success();
}
template LogicalResult verifyPool(MaxPool2dOp);
template LogicalResult verifyPool(MaxPool2dWithIndicesOp);
template LogicalResult verifyPool(AvgPool2dOp);

LogicalResult GlobalAvgPool2dOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyRank(*this, input, 4, "input")))
    return failure();
  return verifyResultShape(*this, getType(), {input.getDimSize(0), 1, 1, input.getDimSize(3)},
                           "the mean of each image");
}

LogicalResult UpsampleOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyRank(*this, input, 4, "input")))
    return failure();
  if (getMode() && *getMode() != "nearest" && *getMode() != "bilinear")
    return emitOpError() << "attribute 'mode' must be nearest or bilinear, not " << *getMode();
  std::array<std::optional<int64_t>, 2> factors;
  if (auto both = dyn_cast<IntegerAttr>(getScaleFactor())) {
    factors = {toInt(both), toInt(both)};
  } else {
    ArrayRef<int32_t> each = cast<DenseI32ArrayAttr>(getScaleFactor()).asArrayRef();
    if (failed(verifyEntries(*this, each, 2, 1, "scale_factor")))
      return failure();
    factors = {each[0], each[1]};
  }
  if (hasDynamicShape(*this))
    return verifyRank(*this, getType(), 4, "result");
  Shape expected(input.getShape());
  for (auto [i, factor] : llvm::enumerate(factors)) {
    std::optional<int64_t> scaled =
        factor && *factor > 0 ? product({expected[i + 1], *factor}) : std::nullopt;
    if (!scaled)
      return emitOpError() << "attribute 'scale_factor' must be positive and keep extents within 64 bits";
    expected[i + 1] = *scaled;
  }
  return verifyResultShape(*this, getType(), expected, "attribute 'scale_factor'");
}

} // namespace tessera::ttnn
