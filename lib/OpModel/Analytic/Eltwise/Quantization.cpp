//===- Quantization.cpp - quantize, dequantize, requantize ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Composed of element-wise kernels with the scale and zero point written out to
// the operand's shape (facts/formulas 4.3). Scales per channel cost a
// row broadcast: eight tiles instead of six. Which temporaries live at the peak
// is confirmed by a handful of goldens each.
//
//===----------------------------------------------------------------------===//
#include "../Runtime.h"
#include "EltwiseTypes.h"
#include "QuantizationMemory.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned { Quantize, Dequantize, Requantize };

constexpr int64_t kWideTile = 4096; ///< i32 and f32

bool since2026(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }

bool integerOperand(const OpCall &call) {
  return call.row.variant != Requantize || call.in[0].dtype() == DataType::Int32;
}

bool interleaved(const OpCall &call) { return since2026(call) || everythingInterleaved(call); }

/// A typecast makes the result of a quantization, and of a requantization with one scale.
bool keepsMemoryLayout(const OpCall &call) {
  bool casts = call.row.variant == Quantize || (call.row.variant == Requantize && !perChannel(call));
  return !casts || !call.out[0].decided() || call.in[0].layout->memory == call.out[0].layout->memory;
}

/// Types of one size are cast where they lie, shard by shard.
bool castCoresMatch(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool inPlace = since2026(call) && call.row.variant == Quantize && in.tile == out.tile;
  return !inPlace || !in.sharded() || !out.sharded() || in.shardCores() == out.shardCores();
}

bool takes(llvm::ArrayRef<DataType> types, const TensorRef &tensor) {
  return llvm::is_contained(types, tensor.dtype());
}

/// Of operand and result. Since 2026, as far as is known.
bool typesOfKernels(const OpCall &call) {
  static constexpr DataType kReal[] = {DataType::Float32, DataType::BFloat16},
                            kQuantized[] = {DataType::Int32, DataType::UInt8};
  if (!since2026(call))
    return true;
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (call.row.variant == Dequantize)
    return takes(kQuantized, in) && takes(kReal, out);
  bool operand = call.row.variant == Quantize ? !isWhole(in.dtype()) : takes(kQuantized, in);
  // A cast of many channels to u8 would wrap around.
  return operand && takes(kQuantized, out) && !(perChannel(call) && out.dtype() == DataType::UInt8);
}

bool typesOfScales(const OpCall &call) {
  for (size_t i = 1; since2026(call) && i < call.in.size(); ++i) {
    DataType type = call.in[i].dtype();
    bool zeroPoint = i % 2 == 0;
    if (zeroPoint ? type != DataType::Int32 : isWhole(type) || isBlockFloat(type))
      return false;
  }
  return true;
}

/// One number; with an axis one for each channel.
bool countOfScales(const OpCall &call) {
  if (!since2026(call))
    return true;
  const TensorRef &in = call.in[0];
  size_t axis = normalizedDim(call.op().integer("axis", -1), in.rank());
  bool channels = call.op().attribute("axis") != nullptr;
  int64_t numbers = channels && axis < in.rank() ? in.desc->shape[axis] : 1;
  return llvm::all_of(llvm::ArrayRef(call.in).drop_front(), [&](const TensorRef &scale) {
    return scale.elements() == numbers && (!channels || scale.rank() == 1);
  });
}

constexpr Rule kRules[] = {
    {{"quantization.tiled", "quantization needs tiled operands", "facts/hardware 4.2"}, allOperandsTiled},
    {{"quantization.interleaved", "quantization takes interleaved tensors only (this model's bound)",
      "facts/formulas 4.3"},
     interleaved},
    {{"quantization.same_memory_layout",
      "the result needs the operand's memory layout, unless it is dequantized or requantized per channel",
      "ttnn 0.77.0"},
     keepsMemoryLayout},
    {{"quantization.integer_operand", "requantize needs an si32 operand", "facts/formulas 4.3"},
     integerOperand},
    {{"quantization.same_cores", "f32 in shards that becomes si32 must lie on as many cores before as after",
      "ttnn 0.77.0 and 0.81.1 (typecast_sharded_program_factory.cpp)"},
     castCoresMatch},
    {{"quantization.types",
      "real numbers and quantized ones must be f32 or bf16, and si32 or, without an axis, u8; quantize takes "
      "block "
      "floats, too, and dequantize u8 with an axis",
      "ttnn 0.77.0 and 0.81.1 (quantization.cpp)"},
     typesOfKernels},
    {{"quantization.scale_types", "scales must be f32 or bf16, zero points si32",
      "ttnn 0.77.0 and 0.81.1 (quantization.cpp)"},
     typesOfScales},
    {{"quantization.scale_count",
      "scales and zero points must be one number each, or with an axis vectors of one for each of its "
      "indices",
      "ttnn 0.77.0 and 0.81.1 (quantization.cpp)"},
     countOfScales},
};

/// What a step needs: L1 per core of its temporaries and result, and where its tensors lie.
struct Step {
  int64_t narrow, wide; ///< bytes per core of the operand's tiles at 2 and 4 bytes per element
  bool channels;        ///< a scale and a zero point per channel
  bool scaleL1, inL1, outL1;
};

Step stepOf(const OpCall &call) {
  int64_t tiles = ceilDiv(call.out[0].tiles(), call.cores());
  return {2048 * tiles,    kWideTile * tiles, perChannel(call),
          call.in[1].l1(), call.in[0].l1(),   call.out[0].l1()};
}

/// Zero point, scale if per channel, operand, quotient, result.
/// `result`: bytes per core of what the last step makes, beside the quotient that it makes it of.
int64_t quantizeTensors(const Step &s, int64_t result) {
  return (s.scaleL1 ? s.narrow * (s.channels ? 2 : 1) : 0) + (s.inL1 ? s.narrow : 0) +
         (s.outL1 ? s.narrow : 0) + result;
}

/// Per channel: zero point, scale, f32 operand; difference, result.
int64_t dequantizeTensors(const Step &s, int64_t result) {
  return (s.channels && s.scaleL1 ? 2 * s.wide : 0) + (s.channels && s.inL1 ? s.wide : 0) +
         (s.outL1 ? s.wide : 0) + result;
}

/// Per channel: both scales and zero points and the operand in f32; ratio of the scales, scaled zero point,
/// product, sum, result.
int64_t requantizeTensors(const Step &s) {
  return (s.scaleL1 ? 4 * s.wide : 0) + (s.inL1 ? s.wide : 0) + (s.outL1 ? 5 * s.wide : 0);
}

void program(const OpCall &call, MemoryUse &use, llvm::StringRef name, int64_t tile) {
  use.program(name);
  use.buffer("operand, zero point and result", 6, tile);
  if (perChannel(call))
    use.buffer("broadcast row", 2, tile);
}

void quantizeMemory(const OpCall &call, MemoryUse &use) {
  int64_t result = call.perCore(call.out[0]), tensors = quantizeTensors(stepOf(call), result);
  program(call, use, "add the zero point", call.in[0].tile);
  use.tensors(tensors);
  if (call.context.version > BackendVersion::Autumn2025)
    return;
  // A division took the divisor's reciprocal first (EltwiseBinary.cpp); the result did not exist yet.
  int64_t last = use.circularBuffers() + tensors;
  program(call, use, "divide by the scale", call.in[0].tile);
  use.buffer("reciprocal", 1, call.in[0].tile);
  use.combinedPeak(std::max(last, use.circularBuffers() + tensors - result));
}

void dequantizeMemory(const OpCall &call, MemoryUse &use) {
  program(call, use, "subtract and multiply", kWideTile);
  use.tensors(dequantizeTensors(stepOf(call), call.perCore(call.out[0])));
}

/// With one scale it is a dequantization to bf16, then a quantization of that.
void requantizeMemory(const OpCall &call, MemoryUse &use) {
  constexpr int64_t narrowTile = 2048;
  Step step = stepOf(call);
  program(call, use, step.channels ? "multiply and add" : "subtract and multiply", kWideTile);
  if (step.channels)
    return use.tensors(requantizeTensors(step));
  // bf16 values between the two halves: they take L1 where the result does, and are the operand of the second half.
  int64_t between = step.outL1 ? step.narrow : 0, buffers = use.circularBuffers();
  int64_t first = dequantizeTensors(step, between);
  step.inL1 = step.outL1;
  int64_t second = between + quantizeTensors(step, call.perCore(call.out[0]));
  program(call, use, "divide and add", narrowTile);
  use.tensors(std::max(first, second));
  use.combinedPeak(std::max(buffers + first, 6 * narrowTile + second));
}

void memory(const OpCall &call, MemoryUse &use) {
  static constexpr void (*kMemory[])(const OpCall &, MemoryUse &) = {quantizeMemory, dequantizeMemory,
                                                                     requantizeMemory};
  static constexpr void (*kMemorySince2026[])(const OpCall &, MemoryUse &) = {
      quantizeMemorySince2026, dequantizeMemorySince2026, requantizeMemorySince2026};
  (since2026(call) ? kMemorySince2026 : kMemory)[call.row.variant](call, use);
}

constexpr PathCost kTiles = {P::QuantizationTile, P::QuantizationMove, P::QuantizationMove};

// Estimates: no timing of a quantization was published.
OpRuntime runtime(const OpCall &call) {
  Work work = streamWork(call, busiestTiles(call), kTiles);
  // A requantization is both others, less what they share.
  work.programs = call.row.variant == Requantize ? 6 : 4;
  return timeOf(call, work);
}

constexpr llvm::StringRef kOperands[] = {"operand", "scale", "zero_point", "out_scale", "out_zero_point"};
const Family kQuantization = {"quantization", kOperands, kRules, outputsLikeOperand0, memory, runtime};

const OpRow kRows[] = {
    {"ttnn.dequantize", &kQuantization, 3, 3, 1, 0, Dequantize},
    {"ttnn.quantize", &kQuantization, 3, 3, 1, 0, Quantize},
    {"ttnn.requantize", &kQuantization, 5, 5, 1, 0, Requantize},
};

} // namespace

Rows quantizationRows() { return kRows; }

} // namespace tessera::analytic
