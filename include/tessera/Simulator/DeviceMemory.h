//===- DeviceMemory.h - Every byte of a simulated chip --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_DEVICEMEMORY_H
#define TESSERA_SIMULATOR_DEVICEMEMORY_H

#include "tessera/Allocator/BankAllocator.h"
#include "tessera/Device/DeviceSpec.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace tessera::simulator {

/// The memories that have banks: L1 has one per core, L1_SMALL is the top of it.
enum class BankedMemory : uint8_t { Dram, L1 };

/// Gives the address space back when the last DeviceMemory that shares it goes.
class ReservedMemory;

/// DRAM banks and L1 of one chip as byte arrays. Address space is reserved as a whole; what is never written takes no memory.
class DeviceMemory {
public:
  /// `expected` bytes of it will be written, roughly: what is small does not pay for huge pages.
  static llvm::Expected<DeviceMemory> create(const DeviceSpec &device, Bytes expected = Bytes(0));
  DeviceMemory(DeviceMemory &&) = default;
  DeviceMemory &operator=(DeviceMemory &&) = delete;
  ~DeviceMemory();

  /// The bytes of a range of a bank. The range must lie in the bank: callers get it from an allocator.
  llvm::MutableArrayRef<uint8_t> bytes(BankedMemory memory, int64_t bank, AddressRange range) const;
  /// Overwrites a range of every bank with `pattern`. Memory that is not asked for afterwards is not touched by it.
  void overwrite(BankedMemory memory, AddressRange range, uint8_t pattern) const;

private:
  DeviceMemory() = default;
  int64_t banks(BankedMemory memory) const { return memory == BankedMemory::Dram ? dramBanks : cores; }
  Bytes bankSize(BankedMemory memory) const { return memory == BankedMemory::Dram ? dramBank : l1; }
  /// Counted from the beginning of all memory.
  Bytes bankBegin(BankedMemory memory, int64_t number) const {
    return memory == BankedMemory::Dram ? dramBank * number : dramBank * dramBanks + l1 * number;
  }

  int64_t dramBanks = 0, cores = 0;
  Bytes dramBank, l1;
  std::shared_ptr<ReservedMemory> reserved;
};

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_DEVICEMEMORY_H
