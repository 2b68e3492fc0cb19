//===- DeviceAttention.h - Attention as the library's kernels -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_KERNELS_DEVICEATTENTION_H
#define TESSERA_LIB_SIMULATOR_KERNELS_DEVICEATTENTION_H

#include "Families.h"
#include "MatrixEngine.h"
#include "tessera/Device/DeviceSpec.h"

namespace tessera::simulator {

/// How attention's kernel computes.
struct AttentionNumerics {
  engine::Precision precision;
  int64_t chunk = 32;           ///< keys at a time
  bool approximateExp = true;   ///< of scores; corrections between chunks are exact to bf16
  Arch arch = Arch::WormholeB0; ///< their reciprocals differ
};
/// Of a prefill, or with the chunk that the decode kernel takes for so many positions.
AttentionNumerics attentionNumerics(const KernelCall &call);
AttentionNumerics decodeNumerics(const KernelCall &call, int64_t positions);

/// Queries that attend to the same keys.
struct AttentionRows {
  AttentionLine
      first; ///< of the first query; the others' follow it in memory. `first`, `last` and `mask` are not used
  std::vector<int64_t> begins, last; ///< per query: the positions that are attended to at least and at most
  std::vector<const float *> masks;  ///< per query, as in AttentionLine
  std::vector<float> sinks;          ///< likewise
  void add(int64_t lastPosition, const float *mask, float sink, int64_t firstPosition = 0) {
    begins.push_back(firstPosition);
    last.push_back(lastPosition);
    masks.push_back(mask);
    sinks.push_back(sink);
  }
};
/// Writes a row of values per query, one after the other.
void attendOnDevice(const AttentionRows &rows, const AttentionNumerics &numerics, float *to);

} // namespace tessera::simulator

#endif // TESSERA_LIB_SIMULATOR_KERNELS_DEVICEATTENTION_H
