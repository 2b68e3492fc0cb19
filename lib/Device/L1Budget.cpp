//===- L1Budget.cpp - How much L1 a program may use -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Device/L1Budget.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace tessera;

std::string tessera::checkL1UsageCap(double cap) {
  if (cap >= 0 && cap <= 1) // false for NaN
    return "";
  return llvm::formatv("tensor-l1-usage-cap must lie between 0 and 1; got {0}", cap).str();
}

Bytes tessera::l1Budget(const DeviceSpec &device, double cap) {
  Bytes usable = device.usableL1(), share(int64_t(double(usable.value()) * cap));
  // A device that was described with L1_SMALL has it off already.
  Bytes left = usable - std::max(Bytes(0), kL1SmallSize - device.l1SmallSize);
  return std::clamp(share, Bytes(0), std::max(Bytes(0), left));
}
