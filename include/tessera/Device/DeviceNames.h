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

} // namespace tessera

#endif // TESSERA_DEVICE_DEVICENAMES_H
