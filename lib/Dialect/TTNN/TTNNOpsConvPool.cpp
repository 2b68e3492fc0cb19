//===- TTNNOpsConvPool.cpp - Verifiers of sliding-window ops --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

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
  bool four = padding.size() == 4;
  std::array<int64_t, 4> pads{padding[0], padding[four ? 1 : 0], padding[four ? 2 : 1],
                              padding[four ? 3 : 1]};
  return std::pair(WindowDim{height, kernel[0], stride[0], pads[0], pads[1], dilation[0]},
                   WindowDim{width, kernel[1], stride[1], pads[2], pads[3], dilation[1]});
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
  Shape expected{1, 1, rows.value_or(-1), image.back()};
  if (rows && type.getShape() == Dims(expected))
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

/// The weight is `expected`, or what a prepare op made of it: 1 x 1 x rows x columns of at least as many
/// elements.
static LogicalResult verifyWeight(Operation *op, RankedTensorType weight, Dims expected, StringRef format) {
  Dims shape = weight.getShape();
  std::optional<int64_t> given = product(shape), needed = product(expected);
  bool prepared = shape.size() == 4 && shape[0] == 1 && shape[1] == 1 && given && needed && *given >= *needed;
  if (shape == expected || prepared)
    return success();
  return op->emitOpError() << "weight must be " << format << " " << toText(expected) << " or prepared, not "
                           << toText(shape);
}

static LogicalResult verifyBias(Operation *op, TypedValue<RankedTensorType> bias, int64_t channels) {
  if (!bias || (bias.getType().getRank() > 0 && bias.getType().getShape().back() == channels))
    return success();
  return op->emitOpError() << "bias must have out_channels (" << channels << ") as last extent, not shape "
                           << toText(bias.getType().getShape());
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

/// Input, bias and result of conv2d and conv_transpose2d, given the extents that the window yields.
template <class ConvOp>
static LogicalResult verifyImages(ConvOp op, const Window2D &window, int64_t height, int64_t width) {
  int64_t out = op.getOutChannels();
  if (failed(verifyFlattened(op, op.getInput().getType(),
                             {window.batch, window.height.input, window.width.input, window.channels},
                             "input")) ||
      failed(verifyBias(op, op.getBias(), out)))
    return failure();
  return verifyFlattened(op, op.getType(), {window.batch, height, width, out}, "result");
}

LogicalResult Conv2dOp::verify() {
  FailureOr<Window2D> window = convolutionWindow(*this);
  if (failed(window) || failed(verifyWindowFits(*this, window->height, "height")) ||
      failed(verifyWindowFits(*this, window->width, "width")) ||
      failed(verifyWeight(
          *this, getWeight().getType(),
          {getOutChannels(), window->channels / getGroups(), window->height.kernel, window->width.kernel},
          "OIHW")))
    return failure();
  return verifyImages(*this, *window, window->height.convolved(), window->width.convolved());
}

LogicalResult ConvTranspose2dOp::verify() {
  FailureOr<Window2D> window = convolutionWindow(*this);
  if (failed(window) || failed(verifyEntries(*this, getOutputPadding(), 2, 0, "output_padding")) ||
      failed(verifyWeight(
          *this, getWeight().getType(),
          {window->channels, getOutChannels() / getGroups(), window->height.kernel, window->width.kernel},
          "IOHW")))
    return failure();
  return verifyImages(*this, *window, window->height.transposed(getOutputPadding()[0]),
                      window->width.transposed(getOutputPadding()[1]));
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
      failed(verifyEntries(op, op.getPadding(), 3, 0, "padding")))
    return failure();
  return verifyGroups(op, op.getGroups(), op.getInChannels(), op.getOutChannels());
}

LogicalResult Conv3dOp::verify() {
  if (failed(verifyWindow3D(*this)) || failed(verifyBias(*this, getBias(), getOutChannels())))
    return failure();
  Shape input{getBatchSize(), getInputDepth(), getInputHeight(), getInputWidth(), getInChannels()};
  if (getInput().getType().getShape() != Dims(input))
    return emitOpError() << "input must be NDHWC " << toText(input) << ", not "
                         << toText(getInput().getType().getShape());
  Shape result{getBatchSize()};
  constexpr StringLiteral kNames[] = {"depth", "height", "width"};
  for (auto [i, name] : llvm::enumerate(kNames)) {
    int64_t pad = getPadding()[i];
    WindowDim dim{input[i + 1], getKernelSize()[i], getStride()[i], pad, pad, /*dilation=*/1};
    if (failed(verifyWindowFits(*this, dim, name)))
      return failure();
    result.push_back(dim.convolved());
  }
  result.push_back(getOutChannels());
  return verifyResultShape(*this, getType(), result, "the convolution");
}

//===- Preparing convolution parameters ------------------------------------===//

template <class PrepareOp>
LogicalResult verifyPrepare(PrepareOp op) {
  if (failed(convolutionWindow(op)))
    return failure();
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  std::optional<int64_t> before = product(input.getShape()), after = product(op.getType().getShape());
  if (before && after && *after >= *before)
    return success();
  return op->emitOpError() << "result " << toText(op.getType().getShape())
                           << " does not hold the elements of " << toText(input.getShape());
}

template <class PrepareOp>
LogicalResult setPreparedDataType(PrepareOp op, DataType type) {
  if (failed(setResultDataType(op, type)))
    return failure();
  op.setOutputDtype(toAttrDataType(type));
  return success();
}

template LogicalResult verifyPrepare(PrepareConv2dWeightsOp);
template LogicalResult verifyPrepare(PrepareConv2dBiasOp);
template LogicalResult verifyPrepare(PrepareConvTranspose2dWeightsOp);
template LogicalResult verifyPrepare(PrepareConvTranspose2dBiasOp);
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
