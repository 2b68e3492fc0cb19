//===- ConvolutionWeights.cpp - What scales and shifts channels ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   f(conv(x, w) * s + t)   ->   conv(x, w * s, t) with f      s and t one number per output channel, the same in every call
//   conv(x, w, fetched(b))  ->   conv(x, w) + b                b computed by the call
//
// Convolutions read and write 1 x 1 x NHW x C: N batch, H x W the image, C channels.
// Around them there may be reshapes to N x H x W x C, and permutes.
//
//===----------------------------------------------------------------------===//
#include "../ConstEval.h"
#include "../Rows.h"
#include "Weights.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

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
      // A reshape may count pixels anew; one that has channels in it would put them into rows.
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

/// The weights times a number per output, prepared again: the form that they are prepared for is the plan's to choose, which finds the op that
/// prepares, and in what is prepared, outputs that fill no tiles stand at places that nobody knows.
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
  auto prepare = preparationOf(conv);
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
    // Whether there is a bias decides about blocks where the library chooses them.
    if (prepare && !bias)
      weight = preparedWith(prepare.getHasBiasAttrName(), BoolAttr::get(conv.getContext(), true), weight,
                            conv, proposal);
    bias = constants.backTo(bias ? typeOf(bias) : biasLike(weightType, row), sum);
  }
  return convolution(conv, weight, bias, proposal);
}

} // namespace

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
    // A constant less the sums is the sums negated: another thing than a shift.
    if (isDifference && number == 1)
      continue;
    if (isDifference)
      perChannel = proposal.makeUnary("neg", OnDevice(proposal, found->conv.getDevice()).wide(perChannel));
    mlir::Value made = isa<ttnn::MultiplyOp>(root) ? folded(found->conv, perChannel, {}, proposal)
                                                   : folded(found->conv, {}, perChannel, proposal);
    if (!function->empty()) {
      auto conv = made.getDefiningOp<ttnn::Conv2dOp>();
      // A config that was made for the function would have to state all that the library decides where there is none.
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
  // The op's channels are dimension 1, N x C x H x W.
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
  // Rows were wanted for the host alone; the sum reads tiles.
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

} // namespace tessera::rewrite
