//===- QuantizationMemory.cpp - What quantization keeps since 2026 --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Element-wise kernels and typecasts one after the other, between tensors of their
// own, as ttnn 0.77.0 shows them. All but the last kernel write where the operand
// lies, and scales and zero points are cast where they lie.
//
//===----------------------------------------------------------------------===//
#include "QuantizationMemory.h"

namespace tessera::analytic {
namespace {

constexpr int64_t kNarrow = 2048, kWide = 4096; ///< tiles of bf16; of i32 and f32

/// The tensor with elements of another type.
TensorRef retyped(TensorRef tensor, int64_t tile) {
  tensor.tile = tile;
  return tensor;
}

/// L1 per core of the tensor with elements of another type.
int64_t bytesOf(const OpCall &call, const TensorRef &tensor, int64_t tile) {
  return call.perCore(tensor) * tile / tensor.tile;
}

/// The scale or zero point as it stands beside the operand: per channel of the operand's rank, so that channels of an
/// outer dimension have a tile each.
TensorDesc besideOperand(const OpCall &call, const TensorRef &scale) {
  TensorDesc desc = *scale.desc;
  if (!perChannel(call))
    return desc;
  const TensorRef &in = call.in[0];
  size_t axis = normalizedDim(call.op().integer("axis", -1), in.rank());
  desc.shape.assign(in.rank(), 1);
  if (axis < in.rank())
    desc.shape[axis] = in.desc->shape[axis];
  return desc;
}

/// L1 per core of a copy of operand `index`, a scale or zero point, in tiles of `tile` bytes. It lies where that does.
int64_t copyOf(const OpCall &call, size_t index, int64_t tile) {
  const TensorRef &scale = call.in[index];
  if (!scale.l1())
    return 0;
  TensorDesc desc = besideOperand(call, scale);
  return ceilDiv(makeTensorRef(desc, nullptr).tiles(), call.cores()) * tile;
}

/// The same where the operand has tiles of other bytes: one of that type is taken as it is.
int64_t castOf(const OpCall &call, size_t index, int64_t tile) {
  return call.in[index].tile == tile ? 0 : copyOf(call, index, tile);
}

/// The steps of one call.
class Steps {
public:
  Steps(const OpCall &call, MemoryUse &use) : call(call), use(use), desc(besideOperand(call, call.in[1])) {}

  /// A kernel of the tensor and a scale or zero point of the same type.
  void apply(llvm::StringRef name, const TensorRef &from, int64_t fromTile, const TensorRef &to,
             int64_t toTile) {
    use.program(name);
    binaryBuffers(call, use, retyped(from, fromTile), retyped(makeTensorRef(desc, nullptr), fromTile),
                  retyped(to, toTile));
  }

  /// Types of equal size are cast in shards where they lie.
  void cast(const TensorRef &from, int64_t fromTile, int64_t toTile) {
    use.program("typecast");
    if (from.sharded() && fromTile == toTile)
      return;
    use.buffer("operand", 2, fromTile);
    use.buffer("result", 2, toTile);
  }

  /// Kernels of scales with each other.
  void combineScales() {
    use.program("scales");
    use.buffer("both and the result", 6, kWide);
  }

private:
  const OpCall &call;
  MemoryUse &use;
  TensorDesc desc;
};

/// A scale and its zero point, by their numbers among the operands.
struct Pair {
  size_t scale, zeroPoint;
};

/// Division and addition, where the operand lies, and the cast to the result; `tile` of the operand. Returns L1 per core.
int64_t quantizeSteps(const OpCall &call, Steps &steps, int64_t tile, Pair by) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  steps.apply("divide by the scale", in, tile, in, tile);
  steps.apply("add the zero point", in, tile, in, tile);
  steps.cast(in, tile, out.tile);
  int64_t zeroPoint = copyOf(call, by.zeroPoint, tile), kept = 0, divisor = 0;
  bool castFirst = perChannel(call) || answersAsOctober2026(call);
  if (castFirst) {
    // The scale to f32, and for the division to the operand's type.
    kept = zeroPoint + (perChannel(call) ? copyOf(call, by.scale, kWide) : castOf(call, by.scale, kWide));
    divisor = tile == kWide ? 0 : copyOf(call, by.scale, tile);
  } else {
    divisor = castOf(call, by.scale, tile);
  }
  int64_t quotient = bytesOf(call, in, tile);
  return kept + std::max(quotient + divisor, (castFirst ? 0 : zeroPoint) + 2 * quotient + call.perCore(out));
}

/// Subtraction, cast and multiplication. Returns L1 per core, with the result in `to` of tiles `toTile`.
int64_t dequantizeSteps(const OpCall &call, Steps &steps, const TensorRef &to, int64_t toTile) {
  const TensorRef &in = call.in[0];
  // What is narrower is cast to 32 bits first.
  bool narrow = in.tile < kWide, channels = perChannel(call);
  if (narrow)
    steps.cast(in, in.tile, kWide);
  steps.apply("subtract the zero point", in, kWide, in, kWide);
  steps.cast(in, kWide, kWide);
  steps.apply("multiply by the scale", in, kWide, to, toTile);
  int64_t wide = bytesOf(call, in, kWide), result = bytesOf(call, to, toTile);
  int64_t kept = channels ? copyOf(call, 1, kWide) + copyOf(call, 2, kWide) : 0;
  // A single scale is cast last, if it is not wide. What was widened is kept to the end before October 2026.
  int64_t factor = channels ? 0 : castOf(call, 1, kWide);
  bool keptWide = narrow && !answersAsOctober2026(call);
  return kept + std::max((narrow ? 3 : 2) * wide, (keptWide ? 2 : 1) * wide + result + factor);
}

/// By the ratio of the scales, in f32.
int64_t requantizeByRatio(const OpCall &call, Steps &steps) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  steps.combineScales();
  steps.cast(in, in.tile, kWide);
  steps.apply("multiply by the ratio", in, kWide, in, kWide);
  steps.apply("add the zero point", in, kWide, out, kWide);
  steps.cast(out, kWide, out.tile);
  int64_t wide = bytesOf(call, in, kWide), kept = 0;
  // Both scales and zero points in f32; and the ratio, the zero point by it, and the sum of zero points, each where the
  // first that it is made of lies.
  for (size_t index : {1, 2, 3, 4, 1, 2, 4})
    kept += copyOf(call, index, kWide);
  return std::max(2 * wide, wide + bytesOf(call, out, kWide) + call.perCore(out)) + kept;
}

} // namespace

bool perChannel(const OpCall &call) {
  return call.op().attribute("axis") != nullptr || call.in[1].elements() > 1;
}

void quantizeMemorySince2026(const OpCall &call, MemoryUse &use) {
  Steps steps(call, use);
  use.tensors(quantizeSteps(call, steps, call.in[0].tile, {1, 2}));
}

void dequantizeMemorySince2026(const OpCall &call, MemoryUse &use) {
  Steps steps(call, use);
  use.tensors(dequantizeSteps(call, steps, call.out[0], call.out[0].tile));
}

void requantizeMemorySince2026(const OpCall &call, MemoryUse &use) {
  Steps steps(call, use);
  if (perChannel(call))
    return use.tensors(requantizeByRatio(call, steps));
  // A dequantization to bf16, then a quantization of that.
  const TensorRef &in = call.in[0];
  use.tensors(dequantizeSteps(call, steps, in, kNarrow));
  use.tensors(bytesOf(call, in, kNarrow) + quantizeSteps(call, steps, kNarrow, {3, 4}));
}

} // namespace tessera::analytic
