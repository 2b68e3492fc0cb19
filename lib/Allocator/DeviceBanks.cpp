//===- DeviceBanks.cpp - The memories of a device while a program runs ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/DeviceBanks.h"

#include <utility>

using namespace tessera;

DeviceBanks::DeviceBanks(const DeviceSpec &device)
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
  if (buffer.handles == 0)
    return false;
  buffer.handles = force ? 0 : buffer.handles - 1;
  if (buffer.handles == 0)
    bankOf(buffer.memory)->free(buffer.range.begin);
  return buffer.handles == 0;
}

OpMemory DeviceBanks::run(const OpMemoryNeeds &needs) {
  OpMemory made;
  made.temporaries = makeTemporaries(needs, made);
  makeResults(needs, made);
  launch(needs, made);
  if (needs.haloFrees && needs.noHalo && !made.temporaries)
    release(*needs.haloFrees, /*force=*/true);
  if (made.temporaries)
    l1.free(made.temporaries->begin);
  return made;
}

std::optional<AddressRange> DeviceBanks::makeTemporaries(const OpMemoryNeeds &needs, OpMemory &made) {
  auto make = [&]() -> std::optional<AddressRange> {
    if (needs.temporaries <= Bytes(0))
      return std::nullopt;
    Bytes reserved = l1.reserved(needs.temporaries);
    if (std::optional<Bytes> address = l1.allocate(needs.temporaries, Direction::Down))
      return AddressRange{*address, *address + reserved};
    made.refused.push_back({std::nullopt, reserved, l1.freeBytes(), l1.largestHole()});
    return std::nullopt;
  };
  std::optional<AddressRange> range = make();
  if (!needs.haloFrees || (needs.noHalo && !range))
    return range;
  release(*needs.haloFrees, /*force=*/true);
  if (!range || needs.noHalo)
    return range;
  l1.free(range->begin);
  return make();
}

void DeviceBanks::makeResults(const OpMemoryNeeds &needs, OpMemory &made) {
  if (needs.viewed) {
    share(*needs.viewed);
    made.results.push_back(needs.viewed);
    return;
  }
  for (size_t i = 0; i < needs.results.size(); ++i)
    made.results.push_back(allocate(needs.results[i].memory, needs.results[i].size, made.refused, i));
}

void DeviceBanks::launch(const OpMemoryNeeds &needs, OpMemory &made) {
  made.lowest = l1.lowestBlock();
  if (!needs.buffers)
    return;
  PlacedBuffers placed = placeCircularBuffers({{rectangleOfCores(grid), *needs.buffers}}, l1Base, alignment);
  made.buffers = AddressRange{l1Base, *placed.end()};
  if (!made.buffers->empty()) // else nothing is launched, or without circular buffers
    made.launch = checkLaunch(placed, l1Size, made.lowest);
}
