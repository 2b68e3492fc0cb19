//===- BankAllocator.h - Addresses as the device gives them ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The device's allocator: one region of every bank (L1, L1_SMALL or DRAM), first fit by address. All banks of a
// memory go in lock-step: a buffer takes the same range in each of them, also in those where it holds nothing.
//
//   base                                                          top
//    | A A A . . . . B B . . . . . . . C C C C . . D D D D D D D D |
//            ^       ^   ^           ^         ^ ^
//            Up takes the low end of the lowest hole that fits,
//            Down the high end of the highest one
//
//   BankAllocator l1({Bytes(103712), Bytes(1499136)}, Bytes(32));
//   std::optional<Bytes> address = l1.allocate(Bytes(2000), Direction::Down);   // 1497120: 2,016 bytes
//   l1.free(*address);
//
// Holes are of any size and have no header; a block that is freed merges at once with the holes beside it; nothing
// ever moves. So free bytes may be enough and no hole be. Source: facts/allocator 3.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_ALLOCATOR_BANKALLOCATOR_H
#define TESSERA_ALLOCATOR_BANKALLOCATOR_H

#include "tessera/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tessera {

/// Half-open range of addresses in a bank.
struct AddressRange {
  Bytes begin, end;
  Bytes size() const { return end - begin; }
  bool empty() const { return begin >= end; }
  bool contains(Bytes address) const { return begin <= address && address < end; }
  bool operator==(const AddressRange &) const = default;
};

/// The end of a hole that a block is taken from: DRAM buffers go up, L1 and program binaries down.
enum class Direction : uint8_t { Up, Down };

/// Plain value: a copy goes on by itself. Space is linear in the number of blocks. allocate() takes time linear in the
/// number of holes, which is at most that of the live blocks and one.
class BankAllocator {
public:
  /// `region` begins and ends at multiples of `alignment`, which is the least size of a block, too.
  BankAllocator(AddressRange region, Bytes alignment);

  /// What a block for `size` bytes takes.
  Bytes reserved(Bytes size) const { return alignUp(std::max(size, alignment), alignment); }

  /// The address of a new block, nullopt if no hole takes it; nothing has changed then.
  std::optional<Bytes> allocate(Bytes size, Direction direction);
  /// Takes the block at `address`, as when a saved state is loaded. False if any byte of it is taken or outside.
  bool place(Bytes address, Bytes size);
  /// Frees the block that begins at `address`. False, and nothing happens, if none does: the device ignores it.
  bool free(Bytes address);
  void freeAll();

  /// Takes `bytes` more from the region's lower end. False if they do not lie in a hole that begins there.
  bool shrink(Bytes bytes);
  /// Gives back what all calls of shrink() took.
  void undoShrink();

  /// Where the lowest block begins; nullopt if there is none. Circular buffers must end there or below.
  std::optional<Bytes> lowestBlock() const;
  Bytes freeBytes() const;
  Bytes largestHole() const;
  /// In the order of their addresses. None is empty, no two touch.
  llvm::ArrayRef<AddressRange> holes() const { return gaps; }
  /// What may be allocated now, less than the whole region after shrink().
  AddressRange usable() const { return bounds; }

private:
  using Gap = std::vector<AddressRange>::iterator;
  void take(Gap gap, AddressRange block);
  void release(AddressRange block);

  AddressRange bounds;
  Bytes base; ///< lower end before shrink()
  Bytes alignment;
  std::vector<AddressRange> gaps;
  llvm::DenseMap<int64_t, Bytes> ends; ///< of blocks, by address; looked up only
};

} // namespace tessera

#endif // TESSERA_ALLOCATOR_BANKALLOCATOR_H
