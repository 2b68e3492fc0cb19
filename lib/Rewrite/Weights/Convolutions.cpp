//===- Convolutions.cpp - What convolutions and pools can do on their way -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   pool(pad(x))         ->   pool(x) with padding
//   conv(x, w), windows as large as their stride   ->   the same by a product of pixels, which the library makes if it may
//
// Letters in the shapes: N batch, H x W the image, C channels. Convolutions read and
// write 1 x 1 x NHW x C; around them there may be reshapes to N x H x W x C.
//
//===----------------------------------------------------------------------===//
#include "../Rows.h"
#include "Weights.h"

#include "tessera/Support/WindowPadding.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;

namespace tessera::rewrite {

namespace {

// ---- Padding ---------------------------------------------------------------------------------------------

/// An image with a border: what it was before, N x H x W x C, and rows and columns around it.
struct Bordered {
  ttnn::PadOp pad;
  int64_t top, bottom, left, right;
};

/// The border that a pad put around what the window's input is, if it is all of the given number.
std::optional<Bordered> borderOf(Operation *window, bool (*isBorder)(double)) {
  mlir::Value rows = throughPages(window->getOperand(0));
  auto flat = rows.getDefiningOp<ttnn::ReshapeOp>();
  auto pad = flat ? throughPages(flat.getInput()).getDefiningOp<ttnn::PadOp>() : ttnn::PadOp();
  if (!pad || !rows.hasOneUse() || !pad.getResult().hasOneUse() ||
      !isBorder(pad.getValue().convertToDouble()))
    return std::nullopt;
  ArrayRef<int64_t> image = shapeOf(pad.getResult()), flattened = shapeOf(rows);
  ArrayRef<int32_t> around = pad.getPadding();
  // Neither batches nor channels may have a border: a window makes one around the pixels of an image only.
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
