//===- Elements.cpp - Long vectors of numbers -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/Elements.h"

#include "tessera/Allocator/BankAllocator.h"

#include "llvm/Support/Compiler.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstdlib>
#include <mutex>
#include <sys/mman.h>

namespace tessera::simulator {

namespace {

constexpr int64_t kHugePage = int64_t(1) << 21;
/// Smaller blocks are malloc's, which gives larger ones back to the system each time that they are freed.
constexpr size_t kLeast = size_t(1) << 18;

/// Address space for large blocks, first fit. What is freed stays with the process: memory that was never touched costs more
/// than anything else in a run, since the system clears each page of it.
class Arena {
public:
  // 256 GB of addresses: only pages that are touched take memory.
  static constexpr int64_t kSize = int64_t(1) << 38;

  Arena() : blocks({Bytes(0), Bytes(kSize)}, Bytes(kHugePage)) {
    void *mapped =
        mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
      return;                              // a system that gives no such space: all blocks are malloc's
    madvise(mapped, kSize, MADV_HUGEPAGE); // a wish: without it, all works as well
    base = static_cast<uint8_t *>(mapped);
  }

  /// nullptr if it has no room.
  void *allocate(size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    std::optional<Bytes> address =
        base ? blocks.allocate(Bytes(int64_t(bytes)), Direction::Up) : std::nullopt;
    return address ? base + address->value() : nullptr;
  }

  /// False if the block is not of the arena.
  bool free(void *memory) {
    auto *bytes = static_cast<uint8_t *>(memory);
    if (!base || bytes < base || bytes >= base + kSize)
      return false;
    std::lock_guard<std::mutex> lock(mutex);
    return blocks.free(Bytes(bytes - base));
  }

private:
  std::mutex mutex;
  BankAllocator blocks;
  uint8_t *base = nullptr;
};

/// Not with sanitizers: they watch the ends of malloc's blocks. It is never destroyed, as tensors may live in static objects.
Arena *arena() {
#if LLVM_ADDRESS_SANITIZER_BUILD
  return nullptr;
#else
  static auto *const instance = new Arena();
  return instance;
#endif
}

} // namespace

void *allocateElements(size_t bytes) {
  if (bytes >= kLeast && arena())
    if (void *memory = arena()->allocate(bytes))
      return memory;
  // A cache line, and the widest vector that kernels load.
  void *memory = std::aligned_alloc(64, size_t(alignUp(int64_t(bytes), 64)));
  if (!memory)
    llvm::report_bad_alloc_error("tensor of a simulated device");
  return memory;
}

void freeElements(void *memory) {
  if (!arena() || !arena()->free(memory))
    std::free(memory);
}

} // namespace tessera::simulator
