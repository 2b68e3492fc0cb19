//===- DeviceNames.h - A board by its name --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DEVICE_DEVICENAMES_H
#define TESSERA_DEVICE_DEVICENAMES_H

#include "tessera/Device/DeviceSpec.h"
#include "llvm/Support/Error.h"

namespace tessera {

/// The built-in device of that name; fails with the nearest names and with all that are known. Never nullptr.
llvm::Expected<const DeviceSpec *> deviceNamed(llvm::StringRef name);

/// Whether `described` is the board `named` with fewer cores: of the same architecture, mesh and DRAM banks, as harvested chips are, and chips that
/// a library opens with columns of cores that dispatch.
bool hasFewerCores(const DeviceSpec &described, const DeviceSpec &named);

/// The device that a program is for, which may describe its own, and for which a board may have been named. The name leads, unless the
/// description is of that very board with fewer cores: layouts on the others would run nowhere. An n150 if neither is there.
DeviceSpec deviceFor(const std::optional<DeviceSpec> &described, const DeviceSpec *named);

} // namespace tessera

#endif // TESSERA_DEVICE_DEVICENAMES_H
