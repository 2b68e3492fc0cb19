//===- InternPool.h - Equal values under one dense id ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Interning takes a lock; reading by id takes none. Values lie in segments of
// doubling size that never move, so a reference stays valid as long as the
// pool:
//
//   segment 0: ids 0..63   segment 1: ids 64..191   segment 2: ids 192..447 ...
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_INTERNPOOL_H
#define TESSERA_SUPPORT_INTERNPOOL_H

#include "tessera/Support/Id.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <memory>
#include <mutex>

namespace tessera {

/// `Value` needs operator== and an llvm::hash_value; `IdType` is an Id<...>. Ids count up in order of first
/// appearance.
template <class Value, class IdType>
class InternPool {
public:
  InternPool() = default;
  InternPool(const InternPool &) = delete;
  InternPool &operator=(const InternPool &) = delete;
  ~InternPool() {
    for (std::atomic<Value *> &segment : segments)
      delete[] segment.load(std::memory_order_relaxed);
  }

  /// The id of `value`. From several threads, ids are as deterministic as the order of the calls.
  IdType intern(const Value &value) {
    uint64_t key = uint64_t(size_t(hash_value(value)));
    std::lock_guard<std::mutex> lock(mutex);
    llvm::SmallVector<uint32_t, 1> &sameHash = byHash[key];
    for (uint32_t index : sameHash)
      if ((*this)[IdType(index)] == value)
        return IdType(index);
    uint32_t index = count.load(std::memory_order_relaxed);
    Slot slot = slotOf(index);
    if (slot.offset == 0)
      segments[slot.segment].store(new Value[kFirstSegment << slot.segment], std::memory_order_release);
    segments[slot.segment].load(std::memory_order_relaxed)[slot.offset] = value;
    sameHash.push_back(index);
    count.store(index + 1, std::memory_order_release);
    return IdType(index);
  }

  /// Requires an id that intern() gave out.
  const Value &operator[](IdType id) const {
    assert(id.valid() && id.index() < size() && "id of another pool");
    Slot slot = slotOf(id.index());
    return segments[slot.segment].load(std::memory_order_acquire)[slot.offset];
  }

  size_t size() const { return count.load(std::memory_order_acquire); }

private:
  static constexpr size_t kFirstSegment = 64;
  /// Where an id's value lies: see the picture above.
  struct Slot {
    size_t segment, offset;
  };
  static Slot slotOf(size_t index) {
    size_t shifted = index + kFirstSegment;
    size_t segment = std::bit_width(shifted) - std::bit_width(kFirstSegment);
    return {segment, shifted - (kFirstSegment << segment)};
  }

  /// Writers alone take it: a reader of an id has it from a writer that was done.
  std::mutex mutex;
  /// By the value's own hash, as a key and not as a place: values of one hash are compared.
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint32_t, 1>> byHash;
  std::array<std::atomic<Value *>, 27> segments{}; // 64 * 2^27 values: all that an Id can number
  std::atomic<uint32_t> count{0};
};

} // namespace tessera

#endif // TESSERA_SUPPORT_INTERNPOOL_H
