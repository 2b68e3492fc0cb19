//===- DeviceBanks.h - The memories of a device while a program runs ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Addresses of tensors in L1, L1_SMALL and DRAM, op by op. An op is a chain of
// programs: what it needs while it runs is what the earlier ones made of its
// operands (copies cast, tilized, moved), and the last makes its results. Each is
// freed as soon as the op needs it no more, and the next may lie where it was:
//
//   temporary -> temporary -> first is freed -> results -> circular buffers -> check -> the rest is freed
//
// A convolution frees its input, if it is told to, once it has made its halo,
// and makes the halo anew, further up, in what that left (facts/allocator 8).
//
// Used by what predicts addresses (PlanReplay) and by what computes at them
// (Simulator). Knows sizes, not tensors.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_ALLOCATOR_DEVICEBANKS_H
#define TESSERA_ALLOCATOR_DEVICEBANKS_H

#include "tessera/Allocator/BankAllocator.h"
#include "tessera/Allocator/CircularBuffers.h"
#include "tessera/Allocator/MadeBlock.h"
#include "tessera/Layout/TensorLayout.h"
#include "tessera/Support/Id.h"

namespace tessera {

/// A buffer of a device: memory that one or more tensors share.
using BufferId = Id<struct BufferTag>;

/// What an op wants of the memories.
struct OpMemoryNeeds {
  struct Result {
    BufferType memory;
    Bytes size; ///< per bank; 0: nothing is allocated
  };
  llvm::SmallVector<Result, 1> results;
  std::optional<BufferId> viewed; ///< the result is another handle on this buffer; `results` has one entry
  MadeBlocks blocks;              ///< what it makes in L1, in order
  std::optional<Bytes> buffers;   ///< circular ones on each core; nullopt: not known, and not checked
  std::optional<BufferId> frees;  ///< an operand: freed once the first of `blocks` is made
};

/// A request that no hole takes.
struct RefusedRequest {
  std::optional<size_t> result; ///< nullopt: what the op needs while it runs
  Bytes reserved, freeBytes, largestHole;
};

/// What the op got.
struct OpMemory {
  llvm::SmallVector<std::optional<BufferId>, 1> results; ///< nullopt: nothing to allocate, or no room
  std::vector<AddressRange> temporaries;                 ///< already free again
  std::optional<AddressRange> buffers;
  std::optional<Bytes> lowest; ///< L1 block while the op runs
  LaunchCheck launch;          ///< the first that fails; `buffers` are those of its program then
  std::vector<RefusedRequest> refused;
};

/// L1, L1_SMALL and DRAM of one chip, which stand for all chips of a mesh: they have the same addresses
/// (facts/allocator 6). All figures are bytes of one core or one DRAM bank. What finds no room changes nothing and is
/// told; nothing here is an error.
class DeviceBanks {
public:
  /// All empty. `device.l1SmallSize` is what L1_SMALL takes off the top of L1.
  explicit DeviceBanks(const DeviceSpec &device);

  /// A buffer with one handle; nullopt if it has no size, lies on the host, or no hole takes it. The last is told by `refused`.
  std::optional<BufferId> allocate(BufferType memory, Bytes size, std::vector<RefusedRequest> &refused,
                                   std::optional<size_t> result = std::nullopt);
  /// One handle more.
  void share(BufferId id) { ++buffers[id.index()].handles; }
  /// Gives one handle back, or with `force` all. True if the memory is free now; nothing happens if it was before.
  bool release(BufferId id, bool force);
  /// Runs one op: makes its blocks and results in order, checks its circular buffers, frees what it needs no more.
  /// Results have one handle each then; operands stay, but for the one that it frees.
  OpMemory run(const OpMemoryNeeds &needs);

  /// Also of buffers that are freed.
  AddressRange range(BufferId id) const { return buffers[id.index()].range; }
  BufferType memory(BufferId id) const { return buffers[id.index()].memory; }
  /// Whether it has handles.
  bool isLive(BufferId id) const { return buffers[id.index()].handles > 0; }
  /// Bytes of each bank that buffers and temporaries hold now.
  Bytes used(BufferType memory) const;

private:
  struct Buffer {
    BufferType memory;
    AddressRange range;
    size_t handles = 1;
  };
  /// nullptr for memories that are not the device's allocator's.
  const BankAllocator *bankOf(BufferType memory) const;
  BankAllocator *bankOf(BufferType memory);
  /// Returns the lowest L1 block while the hungriest program may run.
  std::optional<Bytes> makeBlocks(const OpMemoryNeeds &needs, OpMemory &made);
  std::optional<AddressRange> makeTemporary(Bytes size, OpMemory &made);
  std::optional<BufferId> makeResult(const OpMemoryNeeds &needs, size_t i, OpMemory &made);
  void noteLowest(OpMemory &made) const;
  void launch(Bytes buffers, std::optional<Bytes> lowest, OpMemory &made) const;

  GridShape grid;
  Bytes l1Base, l1Size, alignment;
  BankAllocator l1, l1Small, dram;
  std::vector<Buffer> buffers;
};

} // namespace tessera

#endif // TESSERA_ALLOCATOR_DEVICEBANKS_H
