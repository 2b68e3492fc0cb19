//===- DeviceNames.cpp - A board by its name ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Device/DeviceNames.h"

#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace tessera;

llvm::Expected<const DeviceSpec *> tessera::deviceNamed(llvm::StringRef name) {
  if (const DeviceSpec *device = findDevice(name))
    return device;
  auto known = llvm::map_to_vector(builtinDevices(),
                                   [](const DeviceSpec &device) { return llvm::StringRef(device.name); });
  return llvm::createStringError(unknownName("device", name, known));
}

bool tessera::hasFewerCores(const DeviceSpec &described, const DeviceSpec &named) {
  return described.arch == named.arch && described.mesh == named.mesh &&
         described.dramBanks == named.dramBanks && described.workerGrid != named.workerGrid &&
         described.workerGrid.rows <= named.workerGrid.rows &&
         described.workerGrid.columns <= named.workerGrid.columns;
}

DeviceSpec tessera::deviceFor(const std::optional<DeviceSpec> &described, const DeviceSpec *named) {
  if (!described)
    return named ? *named : *findDevice("n150");
  return !named || hasFewerCores(*described, *named) ? *described : *named;
}
