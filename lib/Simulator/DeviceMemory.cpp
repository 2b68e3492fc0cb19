//===- DeviceMemory.cpp - Every byte of a simulated chip ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/DeviceMemory.h"

#include "tessera/Simulator/DenseTensor.h"
#include "tessera/Simulator/Parallel.h"
#include "tessera/Support/Format.h"

#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace tessera::simulator {

llvm::Expected<DeviceMemory> DeviceMemory::create(const DeviceSpec &device) {
  DeviceMemory memory;
  memory.dramBanks = device.dramBanks;
  memory.cores = device.workerGrid.volume();
  memory.dramBank = device.dramBankSize;
  memory.l1 = device.l1Size;
  Bytes all = memory.dramBank * memory.dramBanks + memory.l1 * memory.cores;
  memory.size = size_t(all.value());
  // Gigabytes of which little is touched: the kernel gives pages as they are written.
  void *mapped =
      mmap(nullptr, memory.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return failure("cannot reserve " + formatBytes(all) + " of address space for a simulated " + device.name);
  madvise(mapped, memory.size, MADV_HUGEPAGE); // a wish, as in Elements.cpp
  memory.base = static_cast<uint8_t *>(mapped);
  return memory;
}

DeviceMemory::DeviceMemory(DeviceMemory &&other) noexcept
    : dramBanks(other.dramBanks), cores(other.cores), dramBank(other.dramBank), l1(other.l1),
      base(std::exchange(other.base, nullptr)), size(other.size) {}

DeviceMemory::~DeviceMemory() {
  if (base)
    munmap(base, size);
}

uint8_t *DeviceMemory::bank(BankedMemory memory, int64_t number) const {
  Bytes dram = dramBank * dramBanks;
  Bytes offset = memory == BankedMemory::Dram ? dramBank * number : dram + l1 * number;
  return base + offset.value();
}

llvm::MutableArrayRef<uint8_t> DeviceMemory::bytes(BankedMemory memory, int64_t number,
                                                   AddressRange range) const {
  assert(number >= 0 && number < banks(memory) && range.begin >= Bytes(0) && range.end <= bankSize(memory));
  return {bank(memory, number) + range.begin.value(), size_t(range.size().value())};
}

void DeviceMemory::overwrite(BankedMemory memory, AddressRange range, uint8_t pattern) const {
  AddressRange inside{range.begin, std::min(range.end, bankSize(memory))};
  if (inside.empty())
    return;
  parallelFor(banks(memory), [&](int64_t number) {
    std::memset(bytes(memory, number, inside).data(), pattern, size_t(inside.size().value()));
  });
}

} // namespace tessera::simulator
