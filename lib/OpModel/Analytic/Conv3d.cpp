//===- Conv3d.cpp - Convolution over depth, height and width --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each core gathers the patch under one row of results, tilizes it and multiplies
// it with the prepared weights. The goldens confirm what is legal; the buffers are
// from source, unconfirmed.
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

bool operandRows(const OpCall &call) { return call.in[0].rowMajor() && call.in[0].rank() == 5; }

/// One matrix, a row per element of a patch.
bool weightMatrix(const OpCall &call) {
  return call.in[1].tiled() && call.in[1].batch == 1 && call.in[1].onDevice();
}

constexpr Rule kRules[] = {
    {{"conv3d.operand", "the operand must be row-major, batch x depth x height x width x channels",
      "facts/ir 5.1"},
     operandRows},
    {{"conv3d.weight", "the weight must be prepared: one tiled matrix on the device", "facts/formulas 11"},
     weightMatrix},
    {{"conv3d.interleaved", "operands and result must be interleaved", "facts/ir 4.6"},
     everythingInterleaved},
};

void memory(const OpCall &call, MemoryUse &use) {
  const TensorRef &weight = call.in[1];
  int64_t patch = ceilDiv(weight.height, 32), columns = weight.tileCols;
  bool fp32 = call.op().boolean("compute_config.fp32_dest_acc_en", false);
  use.buffer("patch rows", patch, 1024 * call.in[0].scalar);
  use.buffer("tilized patch", patch, 1024 * call.in[0].scalar);
  use.buffer("weights", patch * columns, weight.tile);
  use.buffer("partial sums", columns, fp32 ? 4096 : 2048);
  use.buffer("result, also as rows", 2 * columns, call.out[0].tile);
  if (call.hasOperand(2))
    use.buffer("bias", columns, call.in[2].tile);
}

OpRuntime runtime(const OpCall &call) {
  const TensorRef &weight = call.in[1];
  double results = double(call.out[0].elements()) / double(std::max<int64_t>(1, weight.width));
  double products = results / 32 * double(weight.tiles());
  Work work;
  addDramTraffic(call, work);
  work.compute = products / double(call.cores()) * call[P::Conv3dProduct];
  work.noc = results / double(call.cores()) * double(weight.height * call.in[0].scalar) / call[P::Conv3dRate];
  return timeOf(call, work);
}

constexpr llvm::StringRef kOperands[] = {"input", "weight", "bias"};
const Family kConv3d = {"conv3d", kOperands, kRules, outputsInDramRowMajor, memory, runtime, neverConfirmed};
const OpRow kRows[] = {{"ttnn.conv3d", &kConv3d, 2, 3}};

} // namespace

Rows conv3dRows() { return kRows; }

} // namespace tessera::analytic
