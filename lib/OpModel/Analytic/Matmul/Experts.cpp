//===- Experts.cpp - Tokens on their way to experts and back -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Which tokens go where is data. Times are those of a router that spreads tokens
// evenly: every chip of the axis gets every token (K experts of E on a few chips
// leave hardly one out), and gives back K results for each of its own.
//
//===----------------------------------------------------------------------===//
#include "../Family.h"
#include "../Runtime.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned { Dispatch, Combine };

bool operandsRowMajor(const OpCall &call) {
  return llvm::all_of(call.in, [](const TensorRef &operand) { return operand.rowMajor(); });
}

constexpr Rule kRules[] = {
    {{"experts.row_major", "the operands must be row-major",
      "facts/deepseek, tt-metal: all_to_all_dispatch, all_to_all_combine"},
     operandsRowMajor},
    {{"experts.interleaved", "operands and results must be interleaved", "tt-metal source, unconfirmed"},
     everythingInterleaved},
};

/// Chips along the axis.
double chips(const OpCall &call) {
  GridShape mesh = call.device().mesh;
  int64_t axis = call.op().integer("cluster_axis", 0);
  return double(std::max<int64_t>(1, call.op().integer("num_devices", axis == 1 ? mesh.columns : mesh.rows)));
}

/// A token, its experts and where these are.
void travelMemory(const OpCall &call, MemoryUse &use) {
  use.buffer("tokens", 2, alignUp(call.in[0].rowBytes(), 32));
  use.buffer("experts of a token", 2, alignUp(call.in[1].rowBytes(), 32));
  use.buffer("chips of an expert", 1, alignUp(call.in[2].rowBytes(), 32));
}

OpRuntime travelTime(const OpCall &call) {
  double n = chips(call);
  bool dispatch = call.row.variant == Dispatch;
  double bytes = dispatch ? double(call.in[0].bytes()) * (n - 1) : double(call.out[0].bytes()) * (n - 1) / n;
  OpRuntime time;
  time.noc = Nanoseconds(bytes / call[dispatch ? P::DispatchRate : P::CombineRate]);
  time.dispatch = call.device().launch + Nanoseconds(call[P::ExpertsStart]);
  time.total = time.dispatch + time.noc;
  return time;
}

/// One core walks over the tokens, and waits for the experts of each.
OpRuntime remapTime(const OpCall &call) {
  Work work;
  addDramTraffic(call, work);
  work.noc =
      double(call.in[2].elements()) / double(std::max<int64_t>(1, call.in[2].width)) * call[P::RemapToken];
  return timeOf(call, work);
}

constexpr llvm::StringRef kDispatchOperands[] = {"tokens", "experts", "mapping"};
constexpr llvm::StringRef kRemapOperands[] = {"scores", "mapping", "experts"};
const Family kTravel = {"experts_travel", kDispatchOperands, kRules,        outputsInDramRowMajor,
                        travelMemory,     travelTime,        neverConfirmed};
const Family kRemap = {"moe_expert_token_remap",
                       kRemapOperands,
                       kRules,
                       outputsInDramRowMajor,
                       travelMemory,
                       remapTime,
                       neverConfirmed};

const OpRow kRows[] = {
    {"ttnn.all_to_all_combine", &kTravel, 3, 3, 1, 0, Combine},
    {"ttnn.all_to_all_dispatch", &kTravel, 3, 3, 2, 0, Dispatch},
    {"ttnn.moe_expert_token_remap", &kRemap, 3, 3, 2},
};

} // namespace

Rows expertsRows() { return kRows; }

} // namespace tessera::analytic
