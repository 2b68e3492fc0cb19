//===- L1Budget.h - How much L1 a program may use -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Circular buffers and tensors share a core's usable L1. The device's
// allocator loses some of it to fragmentation, so decisions are made for a
// share of it, the cap; what the runtime keeps for itself is off in any case.
// This is the one place where the cap has a default and becomes bytes.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DEVICE_L1BUDGET_H
#define TESSERA_DEVICE_L1BUDGET_H

#include "tessera/Device/DeviceSpec.h"

namespace tessera {

/// `tensor-l1-usage-cap` unless given: that of the newer public code (facts/ir 2.1),
/// which leads over the 1.0 of facts/optimizer-design Appendix B.
inline constexpr double kDefaultL1UsageCap = 0.95;

/// What is wrong with a cap, or "" if it is a share: 0 to 1, and a number.
std::string checkL1UsageCap(double cap);

/// What L1_SMALL takes off the top of L1 where tt-mlir opens the device, as op model and as runtime (facts/allocator 5).
inline constexpr Bytes kL1SmallSize(65536);

/// Per core: floor(cap x usable L1), but no more than kL1SmallSize leaves of it, which binds above 95.3 % on Wormhole. `cap`
/// has passed checkL1UsageCap.
Bytes l1Budget(const DeviceSpec &device, double cap = kDefaultL1UsageCap);

} // namespace tessera

#endif // TESSERA_DEVICE_L1BUDGET_H
