//===- DeviceSpec.cpp - The built-in devices -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Section numbers are those of facts/hardware. Grids there
// are columns x rows; here rows x columns.
//
// l1SmallSize is 0: it is a parameter of whoever opens the device. Demos mostly
// reserve 24,576 bytes (1.2), but nothing that a compiler-driven run needs is
// known to; the recorded op-model answers (facts/formulas 1) count
// L1_SMALL buffers among the tensors, as we then do.
//
//===----------------------------------------------------------------------===//

#include "tessera/Device/DeviceSpec.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace tessera {
namespace {

constexpr int64_t kMiB = 1024 * 1024;

/// One Wormhole chip.
DeviceSpec wormhole(StringRef name, StringRef description, GridShape workers, GridShape mesh) {
  DeviceSpec spec;
  spec.name = name;
  spec.description = description;
  spec.arch = Arch::WormholeB0;
  spec.workerGrid = workers;
  spec.mesh = mesh;
  spec.l1Size = Bytes(1499136);           // 1.2
  spec.l1UnreservedBase = Bytes(103712);  // 1.2, 2026-02
  spec.dramBanks = 12;                    // 1.5
  spec.dramBankSize = Bytes(1024 * kMiB); // 1.5
  spec.l1Alignment = Bytes(16);           // 1.3
  spec.dramAlignment = Bytes(32);         // 1.3
  spec.clockGHz = 1.0;                    // 1.6
  spec.dramReadGBs = 190;                 // 1.5, easy interleaved read on NOC0
  spec.dramWriteGBs = 80;                 // 1.5, 75-95 when all cores write a result
  spec.nocBytesPerCycle = 30;             // 1.4, packets of 2 KB and more
  spec.l1BytesPerCycle = 64;              // 1.6, one unpacker port
  spec.launch = Nanoseconds(2600);        // 1.7, 2.5-2.8 us for small kernels
  return spec;
}

/// One Blackhole chip.
DeviceSpec blackhole(StringRef name, StringRef description, GridShape workers, GridShape mesh) {
  DeviceSpec spec;
  spec.name = name;
  spec.description = description;
  spec.arch = Arch::Blackhole;
  spec.workerGrid = workers;
  spec.mesh = mesh;
  spec.l1Size = Bytes(1572864);          // 1.2
  spec.l1UnreservedBase = Bytes(111104); // 1.2, 2026-02
  spec.dramBanks = 8;                    // 1.5
  spec.dramBankSize = Bytes(4278190080); // 1.5
  spec.l1Alignment = Bytes(16);          // 1.3
  spec.dramAlignment = Bytes(64);        // 1.3
  spec.clockGHz = 1.35;                  // 1.6
  spec.dramReadGBs = 418;                // 1.4, all cores, 2 KB pages
  spec.dramWriteGBs = 255;               // 1.5, 250-260 when all cores write a result
  spec.nocBytesPerCycle = 59;            // 1.4, one to one
  spec.l1BytesPerCycle = 64;             // 1.6, one unpacker port
  spec.launch = Nanoseconds(2000);       // 1.7, 1.86-2.3 us for small kernels
  return spec;
}

/// A p100a has 7 DRAM banks (facts/deepseek, dram_sharded_weight_config); bandwidth goes with the banks.
DeviceSpec p100a() {
  DeviceSpec spec = blackhole("p100a", "Blackhole, 10x11 worker cores", {10, 11}, {1, 1}); // 1.1
  spec.dramReadGBs *= 7.0 / 8;
  spec.dramWriteGBs *= 7.0 / 8;
  spec.dramBanks = 7;
  return spec;
}

/// A board as the libraries of a month open it (1.1, 1.2): "p150@2026-10".
DeviceSpec since(StringRef month, DeviceSpec spec, int64_t unreservedBase) {
  spec.name += (Twine("@") + month).str();
  spec.description += (Twine(", as libraries of ") + month + " open it").str();
  spec.l1UnreservedBase = Bytes(unreservedBase);
  return spec;
}
/// On mock chips, where no column of cores dispatches.
DeviceSpec recentP150() {
  return blackhole("p150", "Blackhole, one chip, 10x12 worker cores", {10, 12}, {1, 1});
}

} // namespace

StringRef name(Arch arch) { return arch == Arch::WormholeB0 ? "wormhole_b0" : "blackhole"; }

ArrayRef<DeviceSpec> builtinDevices() {
  // Worker grids 1.1, meshes 1.8. Chips of an n300 or T3000 dispatch from ethernet cores and keep all 8x8;
  // those of a Galaxy dispatch from a row of Tensix cores (also facts/deepseek: 8x9). A Blackhole Galaxy
  // is left out: the facts do not state its grid.
  static const DeviceSpec devices[] = {
      wormhole("n150", "Wormhole, one chip, 8x8 worker cores", {8, 8}, {1, 1}),
      wormhole("n300", "Wormhole, two chips (mesh 1x2), 8x8 worker cores each", {8, 8}, {1, 2}),
      wormhole("t3000", "Wormhole, eight chips (mesh 2x4), 8x8 worker cores each", {8, 8}, {2, 4}),
      wormhole("galaxy", "Wormhole Galaxy, 32 chips (mesh 8x4), 9x8 worker cores each", {9, 8}, {8, 4}),
      p100a(),
      blackhole("p150", "Blackhole, one chip, 10x13 worker cores", {10, 13}, {1, 1}),
      blackhole("p150x4", "Blackhole, four chips (mesh 1x4), 10x13 worker cores each", {10, 13}, {1, 4}),
      since("2026-08", wormhole("n150", "Wormhole, one chip, 8x8 worker cores", {8, 8}, {1, 1}), 105664),
      since("2026-10", wormhole("n150", "Wormhole, one chip, 8x8 worker cores", {8, 8}, {1, 1}), 105824),
      since("2026-08", recentP150(), 111488),
      since("2026-10", recentP150(), 111744),
  };
  return devices;
}

const DeviceSpec *findDevice(StringRef name) {
  for (const DeviceSpec &device : builtinDevices())
    if (device.name == name)
      return &device;
  return nullptr;
}

} // namespace tessera
