//===- RandomModule.h - TTNN functions that mean nothing ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_RANDOMMODULE_H
#define TESSERA_UNITTESTS_OPTIMIZER_RANDOMMODULE_H

#include <cstdint>
#include <string>

namespace tessera {

/// The text of a module with one function `main` of that many ops, of all families: element-wise ops with and without
/// broadcasting, matrix products, softmax, norms, reductions, data movement, embeddings, attention, caches that are written in
/// place, pools and convolutions; on bf16, f32 and bfp_bf8 tensors of odd and even shapes in DRAM. Operands are drawn from all
/// earlier values, so there are chains, forks, joins and values that nobody reads. The same for the same seed.
std::string randomModule(uint64_t seed, unsigned ops);

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_RANDOMMODULE_H
