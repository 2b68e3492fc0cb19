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

/// L1 per core of `copies` copies of the scales in tiles of `tile` bytes.
int64_t scales(const OpCall &call, int64_t copies, int64_t tile) {
  const TensorRef &scale = call.in[1];
  return scale.l1() ? copies * ceilDiv(scale.tiles(), call.cores()) * tile : 0;
}

/// The steps of one call.
class Steps {
public:
  Steps(const OpCall &call, MemoryUse &use) : call(call), use(use), desc(*call.in[1].desc) {
    if (!perChannel(call))
      return;
    // A scale per channel is a tensor of the operand's rank.
    const TensorRef &in = call.in[0];
    size_t axis = normalizedDim(call.op().integer("axis", -1), in.rank());
    desc.shape.assign(in.rank(), 1);
    if (axis < in.rank())
      desc.shape[axis] = in.desc->shape[axis];
  }

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

/// Division and addition, where the operand lies, and the cast to the result; `tile` of the operand. Returns L1 per core.
int64_t quantizeSteps(const OpCall &call, Steps &steps, int64_t tile) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  steps.apply("divide by the scale", in, tile, in, tile);
  steps.apply("add the zero point", in, tile, in, tile);
  steps.cast(in, tile, out.tile);
  int64_t casts = scales(call, 1, tile) + (perChannel(call) ? scales(call, 1, kWide) : 0);
  return 2 * bytesOf(call, in, tile) + call.perCore(out) + casts;
}

/// Subtraction, cast and multiplication. Returns L1 per core, with the result in `to` of tiles `toTile`.
int64_t dequantizeSteps(const OpCall &call, Steps &steps, const TensorRef &to, int64_t toTile) {
  const TensorRef &in = call.in[0];
  steps.apply("subtract the zero point", in, kWide, in, kWide);
  steps.cast(in, kWide, kWide);
  steps.apply("multiply by the scale", in, kWide, to, toTile);
  int64_t wide = bytesOf(call, in, kWide), result = bytesOf(call, to, toTile);
  if (perChannel(call))
    return wide + std::max(wide, result) + scales(call, 2, kWide);
  // A single scale is cast last, if it is not wide.
  return wide + std::max(wide, result + scales(call, call.in[1].tile < kWide ? 1 : 0, kWide));
}

/// By the ratio of the scales, in f32.
int64_t requantizeByRatio(const OpCall &call, Steps &steps) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  steps.combineScales();
  steps.cast(in, in.tile, kWide);
  steps.apply("multiply by the ratio", in, kWide, in, kWide);
  steps.apply("add the zero point", in, kWide, out, kWide);
  steps.cast(out, kWide, out.tile);
  int64_t wide = bytesOf(call, in, kWide);
  constexpr int64_t casts = 4, combined = 3;
  return std::max(2 * wide, wide + bytesOf(call, out, kWide) + call.perCore(out)) +
         scales(call, casts + combined, kWide);
}

} // namespace

bool perChannel(const OpCall &call) { return call.in[1].elements() > 1; }

void quantizeMemorySince2026(const OpCall &call, MemoryUse &use) {
  Steps steps(call, use);
  use.tensors(quantizeSteps(call, steps, call.in[0].tile));
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
  use.tensors(bytesOf(call, in, kNarrow) + quantizeSteps(call, steps, kNarrow));
}

} // namespace tessera::analytic
