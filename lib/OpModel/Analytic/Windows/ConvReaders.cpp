//===- ConvReaders.cpp - Whether two readers share a convolution's input -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The library decides by an estimate of its own whether the second data-movement core reads half of the activation.
// This is that estimate, as decisions about buffers follow from it; it is no part of our times.
//
//===----------------------------------------------------------------------===//
#include "ConvReaders.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

/// GB/s of transfers: rising from `least` at 16 bytes to `most` at `saturates` bytes and more.
struct Rate {
  float saturates, least, most;
  float at(float bytes) const {
    constexpr float smallest = 16;
    return least +
           (most - least) / (saturates - smallest) * (std::clamp(bytes, smallest, saturates) - smallest);
  }
};

/// What the library takes for a chip.
struct Chip {
  float ghz;
  Rate local, dram, multicast;
  /// Cycles to tilize a tile, by input (f32, bf16), result (f32, bf16, block float) and accumulation in fp32.
  int tilize[2][3][2];
};

constexpr Chip kWormhole = {1.0f,
                            {1024, 0.868f, 27.84f},
                            {2048, 0.436f, 28.411f},
                            {65536, 0.318f, 25.345f},
                            {{{107, 128}, {74, 74}, {74, 70}}, {{92, 117}, {61, 68}, {40, 43}}}};
constexpr Chip kBlackhole = {1.35f,
                             {4096, 1.124f, 80.48f},
                             {2048, 0.671f, 80.885f},
                             {65536, 0.182f, 57.677f},
                             {{{132, 132}, {132, 80}, {132, 77}}, {{105, 128}, {72, 72}, {60, 60}}}};

int tilizeCycles(const Chip &chip, const OpCall &call) {
  int64_t tile = call.out[0].tile;
  bool fp32 = call.op().boolean("compute_config.fp32_dest_acc_en", false);
  return chip.tilize[call.in[0].scalar == 4 ? 0 : 1][tile == 4096 ? 0 : tile == 2048 ? 1 : 2][fp32 ? 1 : 0];
}

// In floats and in this order of operations, as the library reckons: a comparison that is close must come out alike.
bool worthSharing(const OpCall &call, const ConvPlan &plan) {
  const Chip &chip = call.device().arch == Arch::WormholeB0 ? kWormhole : kBlackhole;
  const Window &w = plan.window;
  float channels = float(plan.channels * call.in[0].scalar),
        together = float(w.dilationW == 1 ? w.kernelW : 1);
  float activation =
      chip.ghz * float(plan.blockH * 32 * w.kernelW) * channels / chip.local.at(channels * together);
  float tile = float(convWeightTile(call)), bytes = tile * float(plan.perCoreN * plan.blockW);
  float weights = chip.ghz * bytes * (1 / chip.dram.at(tile) + 1 / chip.multicast.at(bytes));
  float tilize = float(int64_t(tilizeCycles(chip, call)) * plan.blockW * plan.blockH);
  return activation / 2 + std::max(weights, tilize) < std::max(activation + tilize, weights);
}

} // namespace

bool sharesReading(const OpCall &call, const ConvPlan &plan) {
  if (plan.blockH <= 1 || plan.kind == MemoryLayout::WidthSharded)
    return false;
  return plan.kind == MemoryLayout::BlockSharded || worthSharing(call, plan);
}

} // namespace tessera::analytic
