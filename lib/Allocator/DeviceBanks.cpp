//===- DeviceBanks.cpp - The memories of a device while a program runs ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/DeviceBanks.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace tessera;

DeviceBanks::DeviceBanks(const DeviceSpec &device)
    // The DRAM's alignment rounds what is reserved in L1, too (facts/allocator 4).
    : grid(device.workerGrid), l1Base(device.l1UnreservedBase), l1Size(device.l1Size),
      alignment(device.dramAlignment), l1({l1Base, l1Size - device.l1SmallSize}, alignment),
      l1Small({l1Size - device.l1SmallSize, l1Size}, alignment),
      dram({Bytes(0), device.dramBankSize}, alignment) {}

const BankAllocator *DeviceBanks::bankOf(BufferType memory) const {
  switch (memory) {
  case BufferType::L1:
    return &l1;
  case BufferType::L1Small:
    return &l1Small;
  case BufferType::DRAM:
    return &dram;
  default:
    // The host's memory and the trace region: nobody but the runtime allocates there.
    return nullptr;
  }
}

BankAllocator *DeviceBanks::bankOf(BufferType memory) {
  return const_cast<BankAllocator *>(std::as_const(*this).bankOf(memory));
}

Bytes DeviceBanks::used(BufferType memory) const {
  const BankAllocator *bank = bankOf(memory);
  return bank ? bank->usable().size() - bank->freeBytes() : Bytes(0);
}

std::optional<BufferId> DeviceBanks::allocate(BufferType memory, Bytes size,
                                              std::vector<RefusedRequest> &refused,
                                              std::optional<size_t> result) {
  BankAllocator *bank = bankOf(memory);
  if (!bank || size == Bytes(0)) // tensors without elements take nothing
    return std::nullopt;
  Bytes reserved = bank->reserved(size);
  std::optional<Bytes> address =
      bank->allocate(size, memory == BufferType::DRAM ? Direction::Up : Direction::Down);
  if (!address) {
    refused.push_back({result, reserved, bank->freeBytes(), bank->largestHole()});
    return std::nullopt;
  }
  buffers.push_back({memory, {*address, *address + reserved}});
  return BufferId(buffers.size() - 1);
}

bool DeviceBanks::release(BufferId id, bool force) {
  Buffer &buffer = buffers[id.index()];
  // A second deallocate of one tensor is ignored. Freeing its address again would free whatever lies there by then.
  if (buffer.handles == 0)
    return false;
  // Without force the memory of a view goes with its last handle; with it at once, whoever still holds one
  // (facts/allocator 8).
  buffer.handles = force ? 0 : buffer.handles - 1;
  if (buffer.handles == 0)
    bankOf(buffer.memory)->free(buffer.range.begin);
  return buffer.handles == 0;
}

/// All that the op makes, the results that come last included.
static MadeBlocks inOrder(const OpMemoryNeeds &needs) {
  MadeBlocks blocks = needs.blocks;
  for (int16_t i = 0; i < int16_t(needs.results.size()); ++i)
    // Results that something is made after stand among the blocks already; a second entry would allocate them twice.
    if (llvm::none_of(needs.blocks, [i](const MadeBlock &block) { return block.result == i; }))
      blocks.push_back({Bytes(0), MadeBlock::kToTheEnd, i});
  return blocks;
}

OpMemory DeviceBanks::run(const OpMemoryNeeds &needs) {
  OpMemory made;
  made.results.resize(needs.results.size());
  // A view allocates nothing, so what circular buffers meet is what lies there already.
  std::optional<Bytes> lowest = l1.lowestBlock();
  if (needs.viewed) {
    share(*needs.viewed);
    made.results.front() = needs.viewed;
  } else {
    lowest = makeBlocks(needs, made);
  }
  noteLowest(made);
  if (needs.buffers)
    launch(*needs.buffers, lowest, made);
  return made;
}

std::optional<Bytes> DeviceBanks::makeBlocks(const OpMemoryNeeds &needs, OpMemory &made) {
  MadeBlocks blocks = inOrder(needs);
  std::optional<Bytes> lowest;
  llvm::SmallVector<std::optional<AddressRange>, 4> temporaries(blocks.size());
  auto freeUnread = [&](size_t count) {
    for (auto [block, range] : llvm::zip_equal(blocks, temporaries))
      if (range && block.until <= count)
        l1.free(std::exchange(range, std::nullopt)->begin);
  };
  for (auto [count, block] : llvm::enumerate(blocks)) {
    // Before the next is made: a block that is read no more leaves its hole to the one that follows
    // (facts/allocator 8).
    freeUnread(count);
    // A convolution frees its operand once the first block is made of it: shards, or the halo (facts/allocator
    // 8).
    if (needs.frees && count == std::min<size_t>(1, needs.blocks.size()))
      release(*needs.frees, /*force=*/true);
    if (block.isResult())
      // A result outlives the op by its handle; a temporary has none, so its range is remembered to free it by.
      made.results[block.result] = makeResult(needs, block.result, made);
    else
      temporaries[count] = makeTemporary(block.size, made);
    noteLowest(made);
    std::optional<Bytes> now = l1.lowestBlock();
    if (block.buffers)
      // A program of its own with known circular buffers is checked by itself; the others by the op's hungriest
      // one, against the lowest tensor of all of them.
      launch(*block.buffers, now, made);
    else if (now)
      lowest = std::min(lowest.value_or(*now), *now);
    if (temporaries[count])
      made.temporaries.push_back(*temporaries[count]);
  }
  // `lowest` was noted before: what lives to the end counts against the op's circular buffers, and is free for what
  // follows the op.
  freeUnread(MadeBlock::kToTheEnd);
  // For an op whose only block is its result, after which nothing is made. Of others it is gone already, and nothing
  // happens.
  if (needs.frees)
    release(*needs.frees, /*force=*/true);
  // Of an op that makes nothing, what lies there anyway is what its circular buffers meet.
  return blocks.empty() ? l1.lowestBlock() : lowest;
}

std::optional<BufferId> DeviceBanks::makeResult(const OpMemoryNeeds &needs, size_t i, OpMemory &made) {
  return allocate(needs.results[i].memory, needs.results[i].size, made.refused, i);
}

void DeviceBanks::noteLowest(OpMemory &made) const {
  if (std::optional<Bytes> lowest = l1.lowestBlock())
    made.lowest = std::min(made.lowest.value_or(*lowest), *lowest);
}

std::optional<AddressRange> DeviceBanks::makeTemporary(Bytes size, OpMemory &made) {
  Bytes reserved = l1.reserved(size);
  // What finds no room is noted and left out, and the op goes on: what follows is then found as well, in one run.
  if (std::optional<Bytes> address = l1.allocate(size, Direction::Down))
    return AddressRange{*address, *address + reserved};
  made.refused.push_back({std::nullopt, reserved, l1.freeBytes(), l1.largestHole()});
  return std::nullopt;
}

void DeviceBanks::launch(Bytes buffers, std::optional<Bytes> lowest, OpMemory &made) const {
  // The first clash of an op is the one at which the device stops.
  if (made.launch.verdict != LaunchVerdict::Ok)
    return;
  // One buffer on all cores stands for all of a program's: the op model knows their sum on the fullest core, and the
  // check is against the lowest tensor of any core.
  PlacedBuffers placed = placeCircularBuffers({{rectangleOfCores(grid), buffers}}, l1Base, alignment);
  made.buffers = AddressRange{l1Base, *placed.end()};
  if (!made.buffers->empty()) // else nothing is launched, or without circular buffers
    made.launch = checkLaunch(placed, l1Size, lowest);
}
