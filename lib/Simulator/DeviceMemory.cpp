//===- DeviceMemory.cpp - Every byte of a simulated chip ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/DeviceMemory.h"

#include "tessera/Simulator/DenseTensor.h"
#include "tessera/Simulator/Parallel.h"
#include "tessera/Support/Format.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace tessera::simulator {

/// Address space, of which little is touched: the system gives pages as they are written. What is handed out is noted, so that
/// it can be cleared when the next device takes the memory; all that was never handed out is zero.
class ReservedMemory {
public:
  static constexpr size_t kChunk = 1 << 14;

  /// nullptr if the system has no such space.
  static std::shared_ptr<ReservedMemory> reserve(size_t size, bool isLarge) {
    void *mapped =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
      return nullptr;
    if (isLarge)
      madvise(mapped, size, MADV_HUGEPAGE); // a wish, as in Elements.cpp
    return std::shared_ptr<ReservedMemory>(new ReservedMemory(static_cast<uint8_t *>(mapped), size, isLarge));
  }
  ~ReservedMemory() { munmap(base, size); }
  ReservedMemory(const ReservedMemory &) = delete;

  bool fits(size_t bytes, bool large) const { return size == bytes && isLarge == large; }

  uint8_t *bytes(size_t begin, size_t end) {
    for (size_t chunk = begin / kChunk; chunk * kChunk < end; ++chunk)
      if (!used[chunk].load(std::memory_order_relaxed))
        used[chunk].store(true, std::memory_order_relaxed);
    return base + begin;
  }

  void clear() {
    constexpr size_t kPart = 4096;
    parallelFor(int64_t(ceilDiv(used.size(), kPart)), [&](int64_t part) {
      for (size_t chunk = size_t(part) * kPart, end = std::min(used.size(), chunk + kPart); chunk < end;
           ++chunk)
        if (used[chunk].exchange(false))
          std::memset(base + chunk * kChunk, 0, std::min(kChunk, size - chunk * kChunk));
    });
  }

private:
  ReservedMemory(uint8_t *base, size_t size, bool isLarge)
      : base(base), size(size), isLarge(isLarge), used(size / kChunk + 1) {}

  uint8_t *base;
  size_t size;
  bool isLarge;
  std::vector<std::atomic<bool>> used; ///< by chunk
};

namespace {

/// The memory of the last device that is gone, for the next one: the system need not clear it page by page.
class KeptMemory {
public:
  std::shared_ptr<ReservedMemory> take(size_t size, bool isLarge) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!memory || !memory->fits(size, isLarge))
      return nullptr;
    memory->clear();
    return std::move(memory);
  }
  void put(std::shared_ptr<ReservedMemory> other) {
    std::lock_guard<std::mutex> lock(mutex);
    memory = std::move(other);
  }

private:
  std::mutex mutex;
  std::shared_ptr<ReservedMemory> memory;
};

KeptMemory &kept() {
  static KeptMemory instance;
  return instance;
}

} // namespace

llvm::Expected<DeviceMemory> DeviceMemory::create(const DeviceSpec &device, Bytes expected) {
  constexpr Bytes kLarge(int64_t(1) << 28);
  DeviceMemory memory;
  memory.dramBanks = device.dramBanks;
  memory.cores = device.workerGrid.volume();
  memory.dramBank = device.dramBankSize;
  memory.l1 = device.l1Size;
  Bytes all = memory.dramBank * memory.dramBanks + memory.l1 * memory.cores;
  auto size = size_t(all.value());
  memory.reserved = kept().take(size, expected >= kLarge);
  if (!memory.reserved)
    memory.reserved = ReservedMemory::reserve(size, expected >= kLarge);
  if (!memory.reserved)
    return failure("cannot reserve " + formatBytes(all) + " of address space for a simulated " + device.name);
  return memory;
}

DeviceMemory::~DeviceMemory() {
  if (reserved)
    kept().put(std::move(reserved));
}

llvm::MutableArrayRef<uint8_t> DeviceMemory::bytes(BankedMemory memory, int64_t number,
                                                   AddressRange range) const {
  assert(number >= 0 && number < banks(memory) && range.begin >= Bytes(0) && range.end <= bankSize(memory));
  Bytes bank = memory == BankedMemory::Dram ? dramBank * number : dramBank * dramBanks + l1 * number;
  return {reserved->bytes(size_t((bank + range.begin).value()), size_t((bank + range.end).value())),
          size_t(range.size().value())};
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
