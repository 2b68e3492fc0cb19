//===- DeviceSpec.h - What Tessera knows of a device ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DEVICE_DEVICESPEC_H
#define TESSERA_DEVICE_DEVICESPEC_H

#include "tessera/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tessera {

/// Stands in records and in parameters by its name; the number is an index into what there is one of per architecture.
enum class Arch : uint8_t { WormholeB0, Blackhole };
/// As tt-mlir spells it.
llvm::StringRef name(Arch arch); ///< "wormhole_b0", "blackhole"

/// Rows x columns: of a grid of cores, or of a grid of shards.
struct GridShape {
  int64_t rows = 1, columns = 1;
  /// Cores, or shards.
  constexpr int64_t volume() const { return rows * columns; }
  /// By rows, then columns: an order for sorting, not "fits into".
  constexpr auto operator<=>(const GridShape &) const = default;
  friend llvm::hash_code hash_value(GridShape g) { return llvm::hash_combine(g.rows, g.columns); }
};

/// One chip as the optimizer sees it, and how many of them form the mesh. Plain data; every figure comes from
/// facts/hardware 1.
struct DeviceSpec {
  std::string name;        ///< "n150"
  std::string description; ///< one line for people
  std::string board; ///< of a device that a module describes: the built-in board that it is like; else ""
  Arch arch = Arch::WormholeB0;

  /// Default figures are Wormhole's, as far as there are any; sizes of L1 have none, so that a spec that nobody filled
  /// in fits nothing.
  GridShape workerGrid{8, 8}; ///< usable worker cores
  GridShape mesh{1, 1};       ///< chips

  Bytes l1Size;           ///< raw L1 of a core
  Bytes l1UnreservedBase; ///< below it: firmware, mailboxes, kernel configuration ring
  Bytes l1SmallSize;      ///< taken from the top of L1 for sliding-window tables

  /// Interleaved pages go round these.
  int64_t dramBanks = 12;
  Bytes dramBankSize;
  Bytes l1Alignment{16}, dramAlignment{32};

  /// Rates are what kernels reach, not what data sheets say. GB/s are of the whole chip, bytes per cycle of one core.
  double clockGHz = 1.0;
  double dramReadGBs = 190, dramWriteGBs = 80; ///< achieved, interleaved pages, all cores
  double nocBytesPerCycle = 30;                ///< one core, large packets
  double l1BytesPerCycle = 64;                 ///< unpacker port of one core
  Nanoseconds launch{2600};                    ///< one program in trace replay

  /// In messages: "n150", or of a described device, whose name tells nothing of it, "system_desc (p150)".
  std::string called() const { return board.empty() ? name : name + " (" + board + ")"; }
  /// Of one chip.
  CoreCount cores() const { return CoreCount(workerGrid.volume()); }
  /// What tensors and circular buffers share on each core.
  Bytes usableL1() const { return l1Size - l1UnreservedBase - l1SmallSize; }
  bool operator==(const DeviceSpec &) const = default;
};

/// The built-in devices, in the order in which `tessera devices` lists them.
llvm::ArrayRef<DeviceSpec> builtinDevices();
/// The built-in device of that name, or nullptr.
const DeviceSpec *findDevice(llvm::StringRef name);

} // namespace tessera

#endif // TESSERA_DEVICE_DEVICESPEC_H
