//===- DeviceMemory.cpp - Every byte of a simulated chip ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A chip has gigabytes of DRAM, of which most programs touch little; and a run
// fills much of it with patterns that nobody ever reads. So memory is reserved as
// addresses, which the system backs with pages where they are touched, and a
// pattern is a note until somebody asks for the bytes. Memory outlives its device
// by one: the next device of that size takes it over, with notes that make all of
// it zero.
//
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/DeviceMemory.h"

#include "tessera/Simulator/DenseTensor.h"
#include "tessera/Support/Format.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <utility>
#include <vector>

namespace tessera::simulator {

/// Address space, of which little is touched: the system gives pages as they are written. What is overwritten with a pattern is
/// noted by chunk, and the pattern is written when the chunk is next asked for; all that was never asked for is zero.
class ReservedMemory {
public:
  // Bytes that are noted together: 12 GB of DRAM take 1.5 MB of states.
  static constexpr size_t kChunk = 1 << 14;

  /// nullptr if the system has no such space.
  static std::shared_ptr<ReservedMemory> reserve(size_t size, size_t dram, bool isLarge) {
    void *mapped =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
      return nullptr;
    // A wish, as in Elements.cpp. Not for L1: many programs use little of each core's.
    if (isLarge)
      madvise(mapped, dram, MADV_HUGEPAGE);
    return std::shared_ptr<ReservedMemory>(new ReservedMemory(static_cast<uint8_t *>(mapped), size, isLarge));
  }
  ~ReservedMemory() { munmap(base, size); }
  ReservedMemory(const ReservedMemory &) = delete;

  bool fits(size_t bytes, bool large) const { return size == bytes && isLarge == large; }

  uint8_t *bytes(size_t begin, size_t end) {
    for (size_t chunk = begin / kChunk; chunk * kChunk < end; ++chunk)
      if (states[chunk].load(std::memory_order_acquire) != kWritten)
        touch(chunk);
    return base + begin;
  }

  /// Not while others ask for the same bytes.
  void fill(size_t begin, size_t end, uint8_t pattern) {
    // Chunks at either end hold other tensors as well, so they are written at once.
    auto write = [&](size_t from, size_t to) {
      if (from < to)
        std::memset(bytes(from, to), pattern, to - from);
    };
    size_t first = ceilDiv(begin, kChunk), last = end / kChunk; // chunks that are filled as a whole
    if (first >= last)
      return write(begin, end);
    write(begin, first * kChunk);
    for (size_t chunk = first; chunk < last; ++chunk)
      states[chunk].store(kFilledWith | pattern, std::memory_order_release);
    write(last * kChunk, end);
  }

  void clear() {
    for (std::atomic<uint16_t> &state : states)
      if (state.load(std::memory_order_relaxed) != kUntouched)
        // Zero, as the system gives it: a run must not depend on the one before.
        state.store(kFilledWith, std::memory_order_relaxed);
  }

private:
  /// Of a chunk: zero since the system gave it, as it was written, being made, or all bytes are what is added to the last one.
  enum State : uint16_t { kUntouched, kWritten, kInWork, kFilledWith = 0x100 };

  ReservedMemory(uint8_t *base, size_t size, bool isLarge)
      : base(base), size(size), isLarge(isLarge), states(size / kChunk + 1) {}

  /// Makes a chunk what it should be; several threads may want it at a time.
  void touch(size_t chunk) {
    std::atomic<uint16_t> &state = states[chunk];
    uint16_t before = state.load(std::memory_order_acquire);
    while (before != kWritten) {
      // Whoever returns from here reads or writes the bytes at once, so a chunk in another thread's work is waited for.
      if (before == kInWork)
        std::this_thread::yield();
      else if (state.compare_exchange_weak(before, kInWork, std::memory_order_acquire)) {
        if (before & kFilledWith)
          std::memset(base + chunk * kChunk, before & 0xff, std::min(kChunk, size - chunk * kChunk));
        state.store(kWritten, std::memory_order_release);
      }
      before = state.load(std::memory_order_acquire);
    }
  }

  uint8_t *base;
  size_t size;
  bool isLarge;
  std::vector<std::atomic<uint16_t>> states; ///< by chunk
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
  // Huge pages are cleared 2 MB at a time, which a run that touches a little here and there would pay for.
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
    memory.reserved = ReservedMemory::reserve(size, size_t((memory.dramBank * memory.dramBanks).value()),
                                              expected >= kLarge);
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
  Bytes bank = bankBegin(memory, number);
  return {reserved->bytes(size_t((bank + range.begin).value()), size_t((bank + range.end).value())),
          size_t(range.size().value())};
}

void DeviceMemory::overwrite(BankedMemory memory, AddressRange range, uint8_t pattern) const {
  // Circular buffers that clash may reach beyond the bank; the clash is told elsewhere.
  AddressRange inside{range.begin, std::min(range.end, bankSize(memory))};
  if (inside.empty())
    return;
  // All banks, since one range of addresses serves all of them (facts/allocator 6).
  for (int64_t number = 0; number < banks(memory); ++number) {
    Bytes bank = bankBegin(memory, number);
    reserved->fill(size_t((bank + inside.begin).value()), size_t((bank + inside.end).value()), pattern);
  }
}

} // namespace tessera::simulator
