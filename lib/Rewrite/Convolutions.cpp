//===- Convolutions.cpp - What convolutions and pools can do on their way -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   conv(x, w) * s + t   ->   conv(x, w * s, t)        s and t one number per output channel, the same in every call
//   pool(pad(x))         ->   pool(x) with padding
//   conv(x, w), windows as large as their stride   ->   the same by a product of pixels, which the library makes if it may
//
// Letters in the shapes: N batch, H x W the image, C channels. Convolutions read and
// write 1 x 1 x NHW x C; around them there may be reshapes to N x H x W x C.
//
//===----------------------------------------------------------------------===//
#include "ConstEval.h"
#include "Match.h"
#include "Rows.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Support/WindowPadding.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;

namespace tessera::rewrite {

namespace {

// ---- Weights ---------------------------------------------------------------------------------------------

/// The constant as it was computed in f32 before it was rounded to be one of a convolution, or itself. Where a norm stands in several ops, each
/// is folded by itself: what would be rounded between them is wrong in the same way for all pixels of a channel, and no mean takes it away.
mlir::Value unrounded(mlir::Value constant) {
  mlir::Value value = constant;
  while (Operation *op = value.getDefiningOp()) {
    bool rounds = isa<ttnn::TypecastOp>(op);
    if (!rounds && !isa<ttnn::FromDeviceOp, ttnn::ToDeviceOp, ttnn::ToLayoutOp, ttnn::ReshapeOp>(op))
      break;
    value = op->getOperand(0);
    if (rounds)
      return typeOf(value).getElementType().isF32() ? value : constant;
  }
  return constant;
}

/// Constants of a convolution lie on the host or on the device, in rows. Ops on them are made on the device, in f32 and in tiles.
class OnDevice {
public:
  OnDevice(Proposal &proposal, mlir::Value device) : proposal(proposal), device(device) {}

  /// In that shape, which is taken while the elements are in rows: windows of one element fill tiles of their own else.
  mlir::Value wide(mlir::Value value, ArrayRef<int64_t> shape) {
    value = unrounded(value);
    FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(typeOf(value));
    if (!placed->layout.onDevice())
      value = proposal.make<ttnn::ToDeviceOp>(in(value, placed->tensor, placed->layout.page), value, device);
    value = proposal.paged(proposal.reshaped(value, shape), PageLayout::Tile);
    return proposal.cast(value, Float32Type::get(value.getContext()));
  }
  mlir::Value wide(mlir::Value value) { return wide(value, shapeOf(value)); }
  /// Where and as such a constant lay: `like` is its type.
  mlir::Value backTo(RankedTensorType like, mlir::Value value) {
    FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(like);
    value = proposal.paged(proposal.cast(value, like.getElementType()), placed->layout.page);
    value = proposal.reshaped(value, like.getShape());
    return placed->layout.onDevice() ? value : proposal.make<ttnn::FromDeviceOp>(like, value).getResult();
  }
  template <class Op>
  mlir::Value binary(mlir::Value a, mlir::Value b) {
    return proposal.make<Op>(Proposal::typeLike(a, shapeOf(a)), a, b, ArrayAttr(), ArrayAttr(), ArrayAttr());
  }
  /// A number that broadcasts to four dimensions, in elements of `like`.
  mlir::Value number(FloatAttr number, mlir::Value like) {
    const int64_t ones[] = {1, 1, 1, 1};
    return proposal.make<ttnn::FullOp>(Proposal::typeLike(like, ones), device,
                                       ttnn::ShapeAttr::get(like.getContext(), ones), number);
  }

private:
  static RankedTensorType in(mlir::Value value, const TensorDesc &tensor, PageLayout page) {
    return RankedTensorType::get(shapeOf(value), typeOf(value).getElementType(),
                                 ttnn::toAttr(value.getContext(), dramInterleaved(tensor, page)));
  }

  Proposal &proposal;
  mlir::Value device;
};

/// Floats whose layout has a plain form, on the host or on the device.
bool isKnownConstant(mlir::Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && isFloat(value) && succeeded(ttnn::placedTensor(type)) &&
         isConstant(value);
}

/// Weights as frameworks have them, which nobody has prepared yet: outputs x inputs x window.
bool areRaw(mlir::Value weight, ttnn::Conv2dOp conv) {
  ArrayRef<int64_t> shape = shapeOf(weight);
  return shape.size() == 4 && shape[0] == int64_t(conv.getOutChannels()) &&
         shape.take_back(2) == ArrayRef<int64_t>({conv.getKernelSize()[0], conv.getKernelSize()[1]});
}

/// Weights that lie on the device as its kernel reads them, in floats that nothing is shared between: a matrix with a column for each
/// output. Its rows may be in any order. Where outputs do not fill the tiles of each core, there are more columns than outputs, at places
/// that its width alone does not tell.
bool arePrepared(mlir::Value weight, ttnn::Conv2dOp conv) {
  const int64_t outputs = conv.getOutChannels();
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(typeOf(weight));
  ArrayRef<int64_t> shape = shapeOf(weight);
  return placed->layout.onDevice() && placed->layout.page == PageLayout::Tile && shape.size() == 4 &&
         shape[0] == 1 && shape[1] == 1 && shape[3] == outputs && outputs % 32 == 0 &&
         (placed->layout.dtype == DataType::BFloat16 || placed->layout.dtype == DataType::Float32);
}

/// The op that makes the value, in a const-eval function if it comes from one.
Operation *makerOf(mlir::Value value) {
  if (auto load = value ? value.getDefiningOp<ttcore::LoadCachedOp>() : ttcore::LoadCachedOp())
    value = computedBy(load, cast<OpResult>(value).getResultNumber());
  return value ? value.getDefiningOp() : nullptr;
}

/// The op that prepares the weights from those that a framework has, which may be others where outputs do not fill tiles. Null if there is
/// none, or if the bias was prepared, too.
ttnn::PrepareConv2dWeightsOp preparationOf(ttnn::Conv2dOp conv) {
  auto prepare = dyn_cast_or_null<ttnn::PrepareConv2dWeightsOp>(makerOf(conv.getWeight()));
  bool known = prepare && areRaw(prepare.getWeightTensor(), conv) &&
               !isa_and_nonnull<ttnn::PrepareConv2dBiasOp>(makerOf(conv.getBias()));
  return known ? prepare : ttnn::PrepareConv2dWeightsOp();
}

/// Whether weights and bias may be others: constants, raw or prepared, and no function of the sums.
bool takesOtherWeights(ttnn::Conv2dOp conv) {
  auto config = conv.getConv2dConfigAttr();
  return !ttnn::saysMore(conv) && (!config || !config.getActivation()) && isKnownConstant(conv.getWeight()) &&
         (areRaw(conv.getWeight(), conv) || arePrepared(conv.getWeight(), conv) || preparationOf(conv)) &&
         (!conv.getBias() || (isKnownConstant(conv.getBias()) &&
                              shapeOf(conv.getBias()).back() == int64_t(conv.getOutChannels())));
}

/// What a convolution makes, in other rows or with its dimensions in another order.
struct Sums {
  ttnn::Conv2dOp conv;
  llvm::SmallVector<Operation *> moves; ///< reshapes and permutes behind it, the last one first
  size_t channels;                      ///< the dimension that they are now

  /// The result of another convolution of that shape, moved alike.
  mlir::Value moved(mlir::Value made, Proposal &proposal) const {
    for (Operation *move : llvm::reverse(moves))
      if (auto permute = dyn_cast<ttnn::PermuteOp>(move))
        made = proposal.permute(made, permute.getPermutation());
      else
        made = proposal.reshaped(made, shapeOf(move->getResult(0)));
    return made;
  }
};

/// The convolution that makes the value, which nothing else reads. nullopt if its weights have to stay, or `at` is too late for what it
/// reads.
std::optional<Sums> sumsOf(mlir::Value value, Operation *at) {
  Sums sums;
  while (isa_and_nonnull<ttnn::ReshapeOp, ttnn::PermuteOp>(value.getDefiningOp())) {
    if (!value.hasOneUse())
      return std::nullopt;
    sums.moves.push_back(value.getDefiningOp());
    value = sums.moves.back()->getOperand(0);
  }
  sums.conv = value.getDefiningOp<ttnn::Conv2dOp>();
  if (!sums.conv || !value.hasOneUse() || !isPlaced(value) || !takesOtherWeights(sums.conv) ||
      !mayBeReadAt(operandOf(sums.conv, 0), at))
    return std::nullopt;
  sums.channels = shapeOf(value).size() - 1;
  for (Operation *move : llvm::reverse(sums.moves)) {
    ArrayRef<int64_t> before = shapeOf(move->getOperand(0)), behind = shapeOf(move->getResult(0));
    if (auto permute = dyn_cast<ttnn::PermuteOp>(move)) {
      sums.channels = size_t(llvm::find(permute.getPermutation(), int64_t(sums.channels)) -
                             permute.getPermutation().begin());
    } else {
      if (sums.channels + 1 != before.size() || before.back() != behind.back())
        return std::nullopt;
      sums.channels = behind.size() - 1;
    }
  }
  return sums;
}

/// Whether the value has a number for each channel, and broadcasts it to all that a tensor of so many dimensions has of the channel.
bool isPerChannel(mlir::Value value, const Sums &sums, size_t rank) {
  ArrayRef<int64_t> shape = shapeOf(value);
  const size_t behind = rank - sums.channels; // counted from the end, as shapes broadcast
  const int64_t channels = ttnn::Conv2dOp(sums.conv).getOutChannels();
  return isPlaced(value) && isFloat(value) && isConstant(value) && behind <= shape.size() &&
         shape[shape.size() - behind] == channels && typeOf(value).getNumElements() == channels;
}

/// A value of a const-eval function, computed where the proposal stands; `now` has what its arguments and its device are there.
mlir::Value recomputed(mlir::Value value, IRMapping &now, Proposal &proposal) {
  if (mlir::Value known = now.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (mlir::Value operand : op->getOperands())
    recomputed(operand, now, proposal);
  proposal.clone(op, now);
  return now.lookup(value);
}

/// What the values of a const-eval function, if the constant is loaded from one, are where the convolution stands: its arguments and its device.
IRMapping asNow(mlir::Value constant, Operation *prepare, ttnn::Conv2dOp conv) {
  IRMapping now;
  if (auto load = constant.getDefiningOp<ttcore::LoadCachedOp>()) {
    now.map(prepare->getBlock()->getArguments(), load.getInputs());
    prepare->getBlock()->walk(
        [&](ttnn::GetDeviceOp device) { now.map(device.getResult(), conv.getDevice()); });
  }
  return now;
}

/// The weights times a number per output, prepared again: in what is prepared, outputs that fill no tiles stand at places that nobody knows.
mlir::Value scaledBeforehand(ttnn::Conv2dOp conv, ttnn::PrepareConv2dWeightsOp prepare,
                             llvm::function_ref<mlir::Value(mlir::Value)> scaled, Proposal &proposal) {
  IRMapping now = asNow(conv.getWeight(), prepare, conv);
  mlir::Value raw = prepare.getWeightTensor();
  if (prepare->getBlock() != conv->getBlock())
    raw = recomputed(raw, now, proposal);
  now.map(prepare.getWeightTensor(), scaled(raw));
  return proposal.clone(prepare, now)->getResult(0);
}

/// The convolution with other weights, and another bias or none.
mlir::Value convolution(ttnn::Conv2dOp conv, mlir::Value weight, mlir::Value bias, Proposal &proposal) {
  auto made = proposal.make<ttnn::Conv2dOp>(
      Proposal::typeLike(conv.getResult(), shapeOf(conv.getResult())), conv.getInput(), weight, bias,
      conv.getDevice(), conv.getInChannelsAttr(), conv.getOutChannelsAttr(), conv.getBatchSizeAttr(),
      conv.getInputHeightAttr(), conv.getInputWidthAttr(), conv.getKernelSizeAttr(), conv.getStrideAttr(),
      conv.getPaddingAttr(), conv.getDilationAttr(), conv.getGroupsAttr(), conv.getConv2dConfigAttr(),
      conv.getComputeConfigAttr(), conv.getConv2dSliceConfigAttr());
  proposal.isAbout(made);
  return made.getResult();
}

/// A bias where the weights lie, in rows.
RankedTensorType biasLike(RankedTensorType weight, ArrayRef<int64_t> row) {
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(weight);
  TensorDesc desc{Shape(row), placed->layout.dtype};
  TensorLayout layout = placed->layout.onDevice() ? dramInterleaved(desc, placed->layout.page)
                                                  : systemMemory(desc, placed->layout.page);
  layout.mesh = placed->layout.mesh;
  return RankedTensorType::get(row, weight.getElementType(), ttnn::toAttr(weight.getContext(), layout));
}

/// conv(x, w) * scale + shift, for constants of an element per channel; either may be null.
mlir::Value folded(ttnn::Conv2dOp conv, mlir::Value scale, mlir::Value shift, Proposal &proposal) {
  OnDevice constants(proposal, conv.getDevice());
  const int64_t channels = conv.getOutChannels();
  const int64_t row[] = {1, 1, 1, channels}, column[] = {1, 1, channels, 1};
  mlir::Value weight = conv.getWeight(), bias = conv.getBias();
  RankedTensorType weightType = typeOf(weight);
  auto prepare = arePrepared(weight, conv) ? ttnn::PrepareConv2dWeightsOp() : preparationOf(conv);
  // Raw weights are a row for each output, prepared ones a column.
  const bool inRows = prepare || areRaw(weight, conv);
  auto scaled = [&](mlir::Value were) {
    const int64_t others = typeOf(were).getNumElements() / channels;
    const int64_t rows[] = {1, 1, channels, others}, columns[] = {1, 1, others, channels};
    mlir::Value product = constants.binary<ttnn::MultiplyOp>(constants.wide(were, inRows ? rows : columns),
                                                             constants.wide(scale, inRows ? column : row));
    return constants.backTo(typeOf(were), product);
  };
  if (scale)
    weight = prepare ? scaledBeforehand(conv, prepare, scaled, proposal) : scaled(weight);
  if (bias || shift) {
    mlir::Value sum = bias ? constants.wide(bias, row) : mlir::Value();
    if (sum && scale)
      sum = constants.binary<ttnn::MultiplyOp>(sum, constants.wide(scale, row));
    if (shift) {
      mlir::Value added = constants.wide(shift, row);
      sum = sum ? constants.binary<ttnn::AddOp>(sum, added) : added;
    }
    bias = constants.backTo(bias ? typeOf(bias) : biasLike(weightType, row), sum);
  }
  return convolution(conv, weight, bias, proposal);
}

// ---- Padding ---------------------------------------------------------------------------------------------

/// An image with a border: what it was before, N x H x W x C, and rows and columns around it.
struct Bordered {
  ttnn::PadOp pad;
  int64_t top, bottom, left, right;
};

/// The border that a pad put around what the window's input is, if it is all of the given number.
std::optional<Bordered> borderOf(Operation *window, bool (*isBorder)(double)) {
  Traced rows = operandOf(window, 0);
  auto flat = rows.maker<ttnn::ReshapeOp>();
  auto pad = flat && rows.value.hasOneUse() ? flat.getInput().getDefiningOp<ttnn::PadOp>() : ttnn::PadOp();
  if (!pad || !flat.getInput().hasOneUse() || !isBorder(pad.getValue().convertToDouble()))
    return std::nullopt;
  ArrayRef<int64_t> image = shapeOf(pad.getResult()), flattened = shapeOf(rows.value);
  ArrayRef<int32_t> around = pad.getPadding();
  if (image.size() != 4 || around.size() != 8 || flattened.back() != image.back() ||
      !isPlaced(pad.getInput()) ||
      llvm::any_of(ArrayRef<int32_t>{around[0], around[1], around[6], around[7]},
                   [](int32_t extent) { return extent != 0; }) ||
      !mayBeReadAt(operandOf(pad, 0), window))
    return std::nullopt;
  return Bordered{pad, around[2], around[3], around[4], around[5]};
}

/// What the window has around the image and the border together.
template <class Op>
WindowPadding paddingWith(Op window, const Bordered &border) {
  auto was = WindowPadding::read(Op::getOperationName(), window.getPadding());
  return {was.top + border.top, was.bottom + border.bottom, was.left + border.left, was.right + border.right};
}

/// Two entries (rows, columns) as long as they say it, else four.
template <class Op>
void setPadding(Op window, const WindowPadding &padding) {
  llvm::SmallVector<int32_t> entries;
  if (window.getPadding().size() == 2 && padding.top == padding.bottom && padding.left == padding.right)
    entries = {int32_t(padding.top), int32_t(padding.left)};
  else
    llvm::append_range(entries, padding.entries(Op::getOperationName()));
  window.setPadding(entries);
}

/// The op on the image without its border, which it supposes itself then.
template <class Op>
bool withoutBorder(Op window, Bordered border, IntegerAttr height, IntegerAttr width, Proposal &proposal) {
  ArrayRef<int64_t> image = shapeOf(border.pad.getInput()), padded = shapeOf(border.pad.getResult());
  if (integerOf(height) != padded[1] || integerOf(width) != padded[2] || window.getPadding().size() % 2 != 0)
    return false;
  IRMapping operands;
  operands.map(window->getOperand(0),
               proposal.reshaped(border.pad.getInput(), {1, 1, image[0] * image[1] * image[2], image[3]}));
  Operation *made = proposal.copy(window, operands, shapeOf(window->getResult(0)));
  made->getResult(0).setType(Proposal::typeLike(window->getResult(0), shapeOf(window->getResult(0))));
  auto now = cast<Op>(made);
  now.setInputHeightAttr(IntegerAttr::get(height.getType(), image[1]));
  now.setInputWidthAttr(IntegerAttr::get(width.getType(), image[2]));
  setPadding(now, paddingWith(window, border));
  proposal.isAbout(made);
  proposal.replace(window, made->getResult(0));
  return true;
}

// ---- Windows that share out the image --------------------------------------------------------------------

/// Whether each pixel of the image belongs to one window, as in patches: windows are as large as their stride, and whole ones fill the image.
bool sharesOutImage(ttnn::Conv2dOp conv) {
  ArrayRef<int32_t> kernel = conv.getKernelSize(), padding = conv.getPadding(), dilation = conv.getDilation();
  auto is = [](int32_t wanted) { return [wanted](int32_t each) { return each == wanted; }; };
  return kernel.size() == 2 && kernel == conv.getStride() && int64_t(kernel[0]) * kernel[1] > 1 &&
         llvm::all_of(padding, is(0)) && llvm::all_of(dilation, is(1)) && conv.getGroups() == 1 &&
         conv.getInputHeight() % kernel[0] == 0 && conv.getInputWidth() % kernel[1] == 0;
}

/// The config with the library's own default for such windows; what it says besides stays.
ttnn::Conv2dConfigAttr withFolding(ttnn::Conv2dConfigAttr base) {
  return ttnn::Conv2dConfigAttr::get(
      base.getContext(), base.getWeightsDtype(), base.getActivation(), base.getDeallocateActivation(),
      base.getReallocateHaloOutput(), base.getActBlockHOverride(), base.getActBlockWDiv(),
      base.getReshardIfNotOptimal(), base.getOverrideShardingConfig(), base.getShardLayout(),
      base.getCoreGrid(), base.getTransposeShards(), base.getOutputLayout(), base.getEnableActDoubleBuffer(),
      base.getEnableWeightsDoubleBuffer(), BoolAttr::get(base.getContext(), true),
      base.getConfigTensorsInDram());
}

/// The constant, prepared by the same op that is told otherwise.
mlir::Value preparedWith(StringRef attribute, Attribute told, mlir::Value constant, ttnn::Conv2dOp conv,
                         Proposal &proposal) {
  Operation *prepare = makerOf(constant);
  IRMapping now = asNow(constant, prepare, conv);
  if (prepare->getBlock() != conv->getBlock())
    for (mlir::Value operand : prepare->getOperands())
      recomputed(operand, now, proposal);
  Operation *made = proposal.clone(prepare, now);
  made->setAttr(attribute, told);
  return made->getResult(0);
}

} // namespace

bool proposeFoldedWindows(Operation *root, Proposal &proposal) {
  auto conv = cast<ttnn::Conv2dOp>(root);
  ttnn::Conv2dConfigAttr config = conv.getConv2dConfigAttr();
  BoolAttr folds = config ? config.getEnableKernelStrideFolding() : BoolAttr();
  if (!folds || folds.getValue() || !isPlaced(conv.getInput()) || !sharesOutImage(conv) ||
      !isKnownConstant(conv.getWeight()))
    return false;
  auto prepare = dyn_cast_or_null<ttnn::PrepareConv2dWeightsOp>(makerOf(conv.getWeight()));
  // What is prepared is another order of the same elements, where nothing is padded.
  ArrayRef<int64_t> rows = shapeOf(conv.getWeight());
  int64_t inputs = conv.getKernelSize()[0] * conv.getKernelSize()[1] * int64_t(conv.getInChannels());
  bool isWhole = prepare && areRaw(prepare.getWeightTensor(), conv) && rows.size() == 4 && rows[2] == inputs;
  if (!areRaw(conv.getWeight(), conv) && !isWhole)
    return false;
  config = withFolding(config);
  IRMapping now;
  if (isWhole)
    now.map(conv.getWeight(), preparedWith("conv2d_config", config, conv.getWeight(), conv, proposal));
  if (isa_and_nonnull<ttnn::PrepareConv2dBiasOp>(makerOf(conv.getBias())))
    now.map(conv.getBias(), preparedWith("conv2d_config", config, conv.getBias(), conv, proposal));
  auto made = cast<ttnn::Conv2dOp>(proposal.clone(root, now));
  made.setConv2dConfigAttr(config);
  proposal.isAbout(made);
  proposal.replace(root, made.getResult());
  return true;
}

bool proposeLateBias(Operation *root, Proposal &proposal) {
  auto conv = cast<ttnn::Conv2dOp>(root);
  auto config = conv.getConv2dConfigAttr();
  mlir::Value bias = conv.getBias();
  if (auto prepare = bias ? bias.getDefiningOp<ttnn::PrepareConv2dBiasOp>() : ttnn::PrepareConv2dBiasOp())
    bias = prepare.getBiasTensor();
  auto fetched = bias ? bias.getDefiningOp<ttnn::FromDeviceOp>() : ttnn::FromDeviceOp();
  if (!fetched || isConstant(bias) || (config && config.getActivation()) || !isPlaced(conv.getResult()) ||
      !isPlaced(fetched.getInput()) || !isKnownConstant(conv.getWeight()) ||
      !mayBeReadAt(operandOf(fetched, 0), root))
    return false;
  mlir::Value weight = conv.getWeight();
  if (auto prepare = dyn_cast_or_null<ttnn::PrepareConv2dWeightsOp>(makerOf(weight)))
    weight = preparedWith(prepare.getHasBiasAttrName(), BoolAttr::get(root->getContext(), false), weight,
                          conv, proposal);
  else if (!areRaw(weight, conv))
    return false;
  mlir::Value made = convolution(conv, weight, {}, proposal);
  mlir::Value source = fetched.getInput();
  if (auto rows = source.getDefiningOp<ttnn::ToLayoutOp>();
      rows && isPlaced(rows.getInput()) &&
      typeOf(rows.getInput()).getElementType() == typeOf(source).getElementType() &&
      mayBeReadAt(operandOf(rows, 0), root))
    source = rows.getInput();
  mlir::Value row = proposal.cast(proposal.paged(source, PageLayout::Tile), typeOf(made).getElementType());
  row = proposal.reshaped(row, {1, 1, 1, int64_t(conv.getOutChannels())});
  auto sum = proposal.make<ttnn::AddOp>(typeOf(made), made, row, ArrayAttr(), ArrayAttr(), ArrayAttr());
  proposal.replace(root, sum.getResult());
  return true;
}

bool proposeConvolutionWeights(Operation *root, Proposal &proposal) {
  // What the op applies to its result the convolution can apply instead.
  std::optional<StringRef> function = functionOf(root, "activations");
  if (!function || !appliesOnly(root, *function, "activations"))
    return false;
  for (unsigned number : {0u, 1u}) {
    mlir::Value sums = root->getOperand(number), perChannel = root->getOperand(1 - number);
    if (typeOf(sums) != typeOf(root->getResult(0)) || shapeOf(sums).empty())
      continue;
    // First, as most ops are behind no convolution, and what is constant is looked for through all that makes it.
    std::optional<Sums> found = sumsOf(sums, root);
    if (!found || !isPerChannel(perChannel, *found, shapeOf(sums).size()))
      continue;
    const bool isDifference = isa<ttnn::SubtractOp>(root);
    if (isDifference && number == 1)
      continue;
    if (isDifference)
      perChannel = proposal.makeUnary("neg", OnDevice(proposal, found->conv.getDevice()).wide(perChannel));
    mlir::Value made = isa<ttnn::MultiplyOp>(root) ? folded(found->conv, perChannel, {}, proposal)
                                                   : folded(found->conv, {}, perChannel, proposal);
    if (!function->empty()) {
      auto conv = made.getDefiningOp<ttnn::Conv2dOp>();
      if (!conv.getConv2dConfigAttr())
        return false;
      auto applied = ttnn::UnaryWithParamAttr::get(root->getContext(), *function, {});
      conv.setConv2dConfigAttr(withActivation(conv.getConv2dConfigAttr(), applied));
    }
    proposal.replace(root, found->moved(made, proposal));
    return true;
  }
  return false;
}

bool proposeFoldedBatchNorm(Operation *root, Proposal &proposal) {
  auto norm = cast<ttnn::BatchNormInferenceOp>(root);
  if (typeOf(norm.getInput()).getElementType() != typeOf(norm.getResult()).getElementType())
    return false;
  const size_t rank = shapeOf(norm.getInput()).size();
  std::optional<Sums> sums = sumsOf(norm.getInput(), root);
  auto isStatistic = [&](mlir::Value value) { return !value || isPerChannel(value, *sums, rank); };
  mlir::Value mean = norm.getRunningMean(), variance = norm.getRunningVar(), weight = norm.getWeight();
  if (!sums || sums->channels != 1 ||
      !llvm::all_of(ArrayRef<mlir::Value>{mean, variance, weight, norm.getBias()}, isStatistic))
    return false;
  OnDevice constants(proposal, sums->conv.getDevice());
  variance = constants.wide(variance);
  mlir::Value sum =
      constants.binary<ttnn::AddOp>(variance, constants.number(norm.getEpsilonAttr(), variance));
  mlir::Value scale = proposal.make<ttnn::RsqrtOp>(Proposal::typeLike(sum, shapeOf(sum)), sum);
  if (weight)
    scale = constants.binary<ttnn::MultiplyOp>(scale, constants.wide(weight));
  mlir::Value shift = constants.binary<ttnn::MultiplyOp>(scale, constants.wide(mean));
  shift = norm.getBias()
              ? constants.binary<ttnn::SubtractOp>(constants.wide(norm.getBias()), shift)
              : proposal.make<ttnn::NegOp>(Proposal::typeLike(shift, shapeOf(shift)), shift).getResult();
  proposal.replace(root, sums->moved(folded(sums->conv, scale, shift, proposal), proposal));
  return true;
}

bool proposeWindowPadding(Operation *root, Proposal &proposal) {
  if (auto conv = dyn_cast<ttnn::Conv2dOp>(root)) {
    std::optional<Bordered> border = borderOf(root, [](double value) { return value == 0; });
    return border &&
           withoutBorder(conv, *border, conv.getInputHeightAttr(), conv.getInputWidthAttr(), proposal);
  }
  // A maximum over minus infinity as well is the same maximum.
  auto pool = cast<ttnn::MaxPool2dOp>(root);
  std::optional<Bordered> border =
      borderOf(root, [](double value) { return std::isinf(value) && value < 0; });
  if (!border || pool.getCeilMode())
    return false;
  // The backend takes borders of up to half a window, so that each window has an element of the image.
  WindowPadding padding = paddingWith(pool, *border);
  auto kernel = pool.getKernelSize();
  if (std::max(padding.top, padding.bottom) > kernel[0] / 2 ||
      std::max(padding.left, padding.right) > kernel[1] / 2)
    return false;
  return withoutBorder(pool, *border, pool.getInputHeightAttr(), pool.getInputWidthAttr(), proposal);
}

} // namespace tessera::rewrite
