//===- Window.cpp - Sliding windows over flattened images ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Window.h"

#include "../OpCall.h"

#include "tessera/Support/WindowPadding.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

// Of each attribute by itself, so that sums and products of two of them stay within 64 bits; valid() bounds whole
// images.
constexpr int64_t kMaxSize = int64_t(1) << 20;
/// Runs repeat their position within rows and images; beyond a few hundred cores nothing new comes.
constexpr int64_t kCoresLookedAt = 512;
/// More do not fit in any core's L1, whatever else lies there.
constexpr int64_t kMostSticks = 1 << 17;

int64_t at(llvm::ArrayRef<int64_t> list, size_t index, int64_t otherwise) {
  return index < list.size() ? list[index] : otherwise;
}

// An op has the one or the other.
int64_t integerOf(const OpCall &call, llvm::StringRef first, llvm::StringRef second) {
  return call.op().integer(first, call.op().integer(second, 0));
}

/// Windows along a dimension of `padded` elements, of which `after` are padding behind the image.
int64_t outputSize(int64_t padded, int64_t after, int64_t kernel, int64_t dilation, int64_t stride,
                   bool ceilMode) {
  // A kernel that is larger than the padded operand, or a stride of 0, has no result; rules refuse the window
  // then.
  int64_t span = padded - dilation * (kernel - 1) - 1;
  if (span < 0 || stride < 1)
    return 0;
  if (!ceilMode)
    return span / stride + 1;
  int64_t count = ceilDiv(span, stride) + 1;
  // A last window that begins in the padding behind the image is none.
  return (count - 1) * stride >= padded - after ? count - 1 : count;
}

/// One dimension: an image of a single row.
void readLine(const OpSignature &op, Window &w) {
  w.inHeight = 1;
  w.inWidth = op.integer("input_length", 0);
  w.kernelW = op.integer("kernel_size", 0);
  w.strideW = op.integer("stride", 1);
  w.dilationW = op.integer("dilation", 1);
  auto padding = op.integers("padding");
  w.padLeft = at(padding, 0, op.integer("padding", 0));
  w.padRight = at(padding, 1, w.padLeft);
}

/// Attributes only; output sizes not yet worked out.
Window readAttributes(const OpCall &call) {
  const OpSignature &op = call.op();
  Window w;
  // Convolutions, pools and upsamples spell the same things differently, and upstream's versions, too; a key
  // that is absent has the meaning that the op's definition gives it.
  w.batch = integerOf(call, "batch_size", "batch");
  if (op.attribute("input_length")) {
    w.inChannels = op.integer("in_channels", 0);
    w.outChannels = op.integer("out_channels", w.inChannels);
    readLine(op, w);
    return w;
  }
  w.inHeight = op.integer("input_height", 0);
  w.inWidth = op.integer("input_width", 0);
  w.inChannels = integerOf(call, "in_channels", "channels");
  w.outChannels = op.integer("out_channels", w.inChannels);
  auto kernel = op.integers("kernel_size"), stride = op.integers("stride"),
       dilation = op.integers("dilation");
  // Two numbers mean both sides of each dimension, four are in an order that depends on the op.
  auto padding = WindowPadding::read(op.name, op.integers("padding"));
  w.kernelH = at(kernel, 0, 0);
  w.kernelW = at(kernel, 1, w.kernelH);
  w.strideH = at(stride, 0, 1);
  w.strideW = at(stride, 1, w.strideH);
  w.dilationH = at(dilation, 0, 1);
  w.dilationW = at(dilation, 1, w.dilationH);
  w.padTop = padding.top;
  w.padBottom = padding.bottom;
  w.padLeft = padding.left;
  w.padRight = padding.right;
  return w;
}

bool inRange(int64_t value, int64_t least) { return value >= least && value <= kMaxSize; }

bool attributesInRange(const Window &w) {
  for (int64_t size : {w.batch, w.inHeight, w.inWidth, w.inChannels, w.outChannels, w.kernelH, w.kernelW,
                       w.strideH, w.strideW, w.dilationH, w.dilationW})
    if (!inRange(size, 1))
      return false;
  for (int64_t pad : {w.padTop, w.padBottom, w.padLeft, w.padRight})
    if (!inRange(pad, 0))
      return false;
  return true;
}

/// A transposed convolution as a plain one: stride - 1 zeros between the elements of the operand, the kernel turned
/// around, so that what was padding is what the kernel reaches beyond it.
void spreadInput(const OpCall &call, Window &w) {
  auto extra = call.op().integers("output_padding");
  int64_t reachH = w.dilationH * (w.kernelH - 1), reachW = w.dilationW * (w.kernelW - 1);
  w.everyH = w.strideH;
  w.everyW = w.strideW;
  w.inHeight = (w.inHeight - 1) * w.strideH + 1;
  w.inWidth = (w.inWidth - 1) * w.strideW + 1;
  // More padding than the kernel reaches makes these negative, which valid() refuses.
  w.padTop = reachH - w.padTop;
  w.padBottom = reachH - w.padBottom + at(extra, 0, 0);
  w.padLeft = reachW - w.padLeft;
  w.padRight = reachW - w.padRight + at(extra, 1, at(extra, 0, 0));
  w.strideH = w.strideW = 1;
}

} // namespace

bool Window::valid() const {
  return attributesInRange(*this) && outHeight >= 1 && outWidth >= 1 &&
         outSticks() <= kMaxElements / outChannels && batch * inHeight * inWidth <= kMaxElements / inChannels;
}

int64_t Window::inputStick(int64_t outStick) const {
  // Sticks count through the padded operand, so that what a core reads is one range without gaps.
  int64_t image = outStick / (outHeight * outWidth), inImage = outStick % (outHeight * outWidth);
  int64_t row = inImage / outWidth, column = inImage % outWidth;
  return image * paddedHeight() * paddedWidth() + row * strideH * paddedWidth() + column * strideW;
}

int64_t Window::haloSticks(int64_t perCore) const {
  int64_t reach = (kernelH - 1) * dilationH * paddedWidth() + (kernelW - 1) * dilationW;
  // The reach is the same for all cores; what differs is how many row ends and images a core's run crosses.
  int64_t all = outSticks(), most = 1;
  for (int64_t first = 0, core = 0; first < all && core < kCoresLookedAt; first += perCore, ++core) {
    int64_t last = std::min(first + perCore, all) - 1;
    most = std::max(most, inputStick(last) + reach - inputStick(first) + 1);
  }
  return most;
}

int64_t Window::readerTableBytes(int64_t perCore, int64_t blockSticks, int64_t readers) const {
  constexpr int64_t entryBytes = 2;
  int64_t all = outSticks(), most = 0, block = std::max<int64_t>(1, blockSticks);
  if (perCore > kMostSticks)
    return 0;
  // What the first reader takes of a block; the second has the rest.
  int64_t first = readers > 1 && block > 32 ? ceilDiv(block / 32, 2) * 32 : block;
  // Where a row follows the one before without a gap, both are one piece.
  bool joined = strideH * paddedWidth() == outWidth * strideW;
  int64_t row = !joined ? outWidth : paddedHeight() == outHeight * strideH ? all : outWidth * outHeight;
  // Cores begin at different places of a row, so that the pieces they need differ by a few; the table is as long as
  // the longest.
  for (int64_t core = 0; core < kCoresLookedAt && core * perCore < all; ++core) {
    int64_t entries = 0, end = std::min((core + 1) * perCore, all);
    for (int64_t begin = core * perCore, turn = 0; begin < end; ++turn) {
      int64_t size = std::min(turn % 2 == 0 ? first : block - first, end - begin);
      if (size > 0)
        entries += 2 + 2 * ((begin + size - 1) / row - begin / row + 1);
      begin += size;
    }
    most = std::max(most, entries);
  }
  return entryBytes * most;
}

int64_t Window::padded(int64_t stick) const {
  int64_t row = stick / givenWidth(), image = row / givenHeight();
  return image * paddedHeight() * paddedWidth() + (row % givenHeight() * everyH + padTop) * paddedWidth() +
         stick % givenWidth() * everyW + padLeft;
}

int64_t Window::pieceEnd(int64_t stick) const {
  // With zeros between elements every stick is a piece by itself; else a row is one.
  return everyW > 1 ? stick + 1 : (stick / givenWidth() + 1) * givenWidth();
}

Window::Range Window::haloOf(int64_t core, int64_t perCore) const {
  int64_t last = std::min((core + 1) * perCore, outSticks()) - 1, first = std::min(core * perCore, last);
  // The library takes the last stick where it finds no more (tt-metal: generate_shard_boundaries).
  if (core > 0 && inputStick(first) == 0)
    return {};
  int64_t reach = (kernelH - 1) * dilationH * paddedWidth() + (kernelW - 1) * dilationW;
  return {inputStick(first), inputStick(last) + reach + 1};
}

int64_t Window::piecesIn(Range sticks, Range halo) const {
  int64_t pieces = 0;
  for (int64_t begin = sticks.begin; begin < sticks.end;) {
    int64_t end = std::min(sticks.end, pieceEnd(begin)), from = padded(begin);
    pieces += from < halo.end && from + (end - begin) > halo.begin;
    begin = end;
  }
  // Without padding beside them rows follow each other without a gap, and all of them are one piece.
  return paddedWidth() > inWidth || inSticks() < batch * inHeight * inWidth ? pieces
                                                                            : std::min<int64_t>(pieces, 1);
}

int64_t Window::paddingRuns(Range halo) const {
  if (paddedWidth() == inWidth && paddedHeight() == inHeight && everyH == 1 && everyW == 1)
    return 0;
  int64_t runs = 0, at = halo.begin;
  // Input rows, or elements with zeros between them, cut the padding into runs.
  // Images before it end before the halo begins.
  int64_t image = halo.begin / (paddedHeight() * paddedWidth());
  for (int64_t stick = image * givenHeight() * givenWidth(); stick < inSticks() && at < halo.end;
       stick = pieceEnd(stick)) {
    int64_t begin = padded(stick), end = begin + pieceEnd(stick) - stick;
    if (end <= at)
      continue;
    runs += begin > at;
    at = end;
  }
  return runs + (at < halo.end);
}

int64_t Window::haloTableBytes(int64_t perCore, int64_t inPerCore, bool tiled) const {
  constexpr int64_t entryBytes = 2, header = 3, transfer = 3, padding = 2;
  if (perCore > kMostSticks || inPerCore > kMostSticks)
    return 0;
  int64_t given = inSticks(), cores = ceilDiv(outSticks(), perCore);
  int64_t block = tiled ? 32 : std::max<int64_t>(1, inPerCore), pads = 0, sends[2] = {0, 0};
  // Four stand for all: the first and the last, whose halos end in padding, and two in the middle with neighbours on
  // both sides.
  for (int64_t core : {int64_t(0), cores / 2, cores / 2 + 1, cores - 1}) {
    pads = std::max(pads, paddingRuns(haloOf(std::min(core, cores - 1), perCore)));
    int64_t entries[2] = {0, 0}, end = std::min((core + 1) * inPerCore, given);
    // Two processors send, block by block in turn, each by a list of its own.
    for (int64_t begin = core * inPerCore, turn = 0; begin < end; begin += block, ++turn) {
      Range sticks{begin, std::min(begin + block, end)};
      int64_t target = core; // those that need the block lie around the core it lies on
      while (target > 0 && haloOf(target - 1, perCore).end > padded(sticks.begin))
        --target;
      for (; target < cores && haloOf(target, perCore).begin <= padded(sticks.end - 1); ++target)
        if (int64_t pieces = piecesIn(sticks, haloOf(target, perCore)))
          entries[turn % 2] += header + transfer * pieces;
    }
    for (size_t i = 0; i < 2; ++i)
      sends[i] = std::max(sends[i], entries[i]);
  }
  // A list of padding ends with an empty entry, one of transfers starts with their number; both are even.
  int64_t all = 2 * padding * (ceilDiv(pads, 2) + 1);
  for (int64_t entries : sends)
    all += alignUp(1 + entries, 2);
  return entryBytes * all;
}

Window Window::slice(int64_t slices, bool alongWidth) const {
  // The rows that so many rows of the result need, with the padding of both ends: slices in the middle need more
  // (facts/vendor-library 4).
  Window part = *this;
  if (alongWidth) {
    part.outWidth = ceilDiv(outWidth, slices);
    part.inWidth = std::max<int64_t>(1, (part.outWidth - 1) * strideW + (kernelW - 1) * dilationW + 1 -
                                            padLeft - padRight);
  } else {
    part.outHeight = ceilDiv(outHeight, slices);
    part.inHeight = std::max<int64_t>(1, (part.outHeight - 1) * strideH + (kernelH - 1) * dilationH + 1 -
                                             padTop - padBottom);
  }
  return part;
}

Window windowOf(const OpCall &call, bool transposed) {
  Window w = readAttributes(call);
  // Not valid(): rules look at windows before anything computes with them.
  if (!attributesInRange(w)) {
    w.outHeight = w.outWidth = 0;
    return w;
  }
  if (transposed)
    spreadInput(call, w);
  bool ceilMode = call.op().boolean("ceil_mode", false);
  w.outHeight = outputSize(w.paddedHeight(), w.padBottom, w.kernelH, w.dilationH, w.strideH, ceilMode);
  w.outWidth = outputSize(w.paddedWidth(), w.padRight, w.kernelW, w.dilationW, w.strideW, ceilMode);
  // Whole strides, also where the last window would begin in the padding and is none.
  auto beyond = [](int64_t padded, int64_t kernel, int64_t dilation, int64_t stride) {
    int64_t left = (padded - (kernel - 1) * dilation - 1) % stride;
    return left > 0 ? stride - left : 0;
  };
  if (ceilMode && w.outHeight > 0 && w.outWidth > 0) {
    w.ceilBottom = beyond(w.paddedHeight(), w.kernelH, w.dilationH, w.strideH);
    w.ceilRight = beyond(w.paddedWidth(), w.kernelW, w.dilationW, w.strideW);
  }
  return w;
}

int64_t busyCores(int64_t units, int64_t available, int64_t multiple) {
  int64_t cores = std::max<int64_t>(1, std::min(units, available));
  auto padded = [&] { return alignUp(units, cores * multiple); };
  // As conv2d chooses (facts/formulas 11): downwards until no core is left without work.
  while (cores > 1 && padded() - units >= padded() / cores)
    --cores;
  return cores;
}

int64_t commonDivisor(int64_t a, int64_t b, int64_t most) {
  // Downwards, since the largest is wanted; 1 divides everything.
  int64_t divisor = std::max<int64_t>(1, most);
  while (a % divisor != 0 || b % divisor != 0)
    --divisor;
  return divisor;
}

} // namespace tessera::analytic
