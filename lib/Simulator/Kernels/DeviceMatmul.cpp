//===- DeviceMatmul.cpp - matmul and linear as the library's kernels ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// K is cut into the blocks that the library would take for these operands where they
// lie, which the op model knows (OpModel/MatmulBlocking.h); what cores do with rows
// and columns changes no values. A bias is added from registers, then the program
// config's activation works on what they hold, and the result is packed. The op's own
// activation takes what was packed, as an op behind it would.
//
//===----------------------------------------------------------------------===//
#include "DeviceMatmul.h"

#include "DeviceRows.h"

#include "tessera/OpModel/MatmulBlocking.h"

namespace tessera::simulator {

namespace {

/// All of K at once if nothing is known of where tensors lie.
MatmulBlocking blockingOf(const KernelCall &call) {
  if (!call.launch)
    return {std::numeric_limits<int64_t>::max(), 1};
  OpConfig config;
  config.specific = call.config;
  config.outputs.assign(call.launch->results.begin(), call.launch->results.end());
  return matmulBlocking(call.launch->model.context(), {call.op, call.launch->operands, config});
}

bool hasBias(const KernelCall &call) { return call.operands.size() > 2; }

llvm::Error addBiasOnDevice(DenseTensor &result, const DenseTensor &bias, bool fp32Dest) {
  llvm::Expected<Shape> strides = broadcastStrides(bias.shape(), result.shape());
  if (!strides)
    return strides.takeError();
  int64_t width = result.shape().back(), step = strides->back();
  forEachRow(result.shape(), *strides, [&](int64_t to, llvm::ArrayRef<int64_t> from) {
    for (int64_t i = 0; i < width; ++i) {
      float &value = result.floats[size_t(to + i)];
      value =
          addOnDevice(fp32Dest ? value : packed(value), bias.floats[size_t(from[0] + i * step)], fp32Dest);
    }
  });
  return llvm::Error::success();
}

} // namespace

ComputeConfig productConfigOf(const KernelCall &call) {
  return *computeConfigOf(call.op, call.config, archOf(call), BackendVersion::Newest);
}

Summation matmulSummation(const KernelCall &call) {
  ComputeConfig config = productConfigOf(call);
  MatmulBlocking blocking = blockingOf(call);
  Summation summation{{config.fidelity, config.fp32Accumulate}, blocking.blockK};
  // Packers add in L1 from the third block on, with a bias from the second.
  if (config.packerL1Accumulate && blocking.kBlocks > (hasBias(call) ? 1 : 2))
    summation.between = hasBias(call) ? Summation::Between::AccumulateAll : Summation::Between::Accumulate;
  return summation;
}

// An activation in the kernel works on what Dest holds, so in its width; the op's own on the result's type.
llvm::Error finishMatmulOnDevice(KernelCall &call, const Summation &summation) {
  DenseTensor &result = call.result();
  bool wide = summation.precision.fp32Dest;
  if (hasBias(call))
    if (llvm::Error error = addBiasOnDevice(result, call.operand(2), wide))
      return error;
  const auto *program = std::get_if<MatmulProgramConfig>(&call.config);
  if (program)
    if (llvm::Error error = activateOnDevice(program->fusedActivation, result,
                                             wide ? DataType::Float32 : DataType::BFloat16, call))
      return error;
  packResult(result);
  return activateOnDevice(call.op.string("activation"), result, result.desc.dtype, call);
}

} // namespace tessera::simulator
