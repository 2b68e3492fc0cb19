//===- BankAllocator.cpp - Addresses as the device gives them -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One bank: its holes in the order of addresses, and the end of each block by its
// beginning. That is all that first fit needs, from either end; each request is
// linear in the holes, of which a program has few.
//
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/BankAllocator.h"

#include <algorithm>

using namespace tessera;

BankAllocator::BankAllocator(AddressRange region, Bytes alignment)
    : bounds(region), base(region.begin), alignment(alignment) {
  if (!region.empty())
    gaps.push_back(region);
}

std::optional<Bytes> BankAllocator::allocate(Bytes size, Direction direction) {
  // The device sorts its holes into classes of size, but looks through all of them and takes the best address; so a
  // list by address gives the same answers.
  Bytes needed = reserved(size);
  auto fits = [needed](const AddressRange &gap) { return gap.size() >= needed; };
  if (direction == Direction::Up) {
    Gap gap = std::find_if(gaps.begin(), gaps.end(), fits);
    if (gap == gaps.end())
      return std::nullopt;
    Bytes address = gap->begin;
    take(gap, {address, address + needed});
    return address;
  }
  // Top-down: the highest hole that is big enough, at its upper end (facts/allocator 3).
  auto gap = std::find_if(gaps.rbegin(), gaps.rend(), fits);
  if (gap == gaps.rend())
    return std::nullopt;
  Bytes address = gap->end - needed;
  take(std::prev(gap.base()), {address, gap->end});
  return address;
}

bool BankAllocator::place(Bytes address, Bytes size) {
  AddressRange block{address, address + reserved(size)};
  // The only gap that can hold it is the last one that begins at or below it.
  Gap after = std::upper_bound(gaps.begin(), gaps.end(), address,
                               [](Bytes address, const AddressRange &gap) { return address < gap.begin; });
  if (after == gaps.begin() || std::prev(after)->end < block.end)
    return false;
  take(std::prev(after), block);
  return true;
}

void BankAllocator::take(Gap gap, AddressRange block) {
  // What is freed is named by its address alone, so the end is remembered.
  ends[block.begin.value()] = block.end;
  AddressRange below{gap->begin, block.begin}, above{block.end, gap->end};
  if (below.empty() && above.empty()) {
    gaps.erase(gap);
    return;
  }
  // What is left stays in the order of addresses without sorting: the lower part takes the hole's place in the list,
  // the upper one follows it. No part is too small to be a hole (facts/allocator 3).
  *gap = below.empty() ? above : below;
  if (!below.empty() && !above.empty())
    gaps.insert(std::next(gap), above);
}

bool BankAllocator::free(Bytes address) {
  // Any address may be asked for. The map keeps two numbers for itself, which must not be looked up and lie in no
  // region.
  auto block = usable().contains(address) ? ends.find(address.value()) : ends.end();
  if (block == ends.end())
    return false;
  AddressRange range{address, block->second};
  ends.erase(block);
  release(range);
  return true;
}

void BankAllocator::release(AddressRange block) {
  Gap above = std::lower_bound(gaps.begin(), gaps.end(), block.begin,
                               [](const AddressRange &gap, Bytes address) { return gap.begin < address; });
  // Merged at once, as the device does (facts/allocator 3): two holes side by side would refuse what one takes.
  bool meetsAbove = above != gaps.end() && above->begin == block.end;
  bool meetsBelow = above != gaps.begin() && std::prev(above)->end == block.begin;
  if (meetsBelow && meetsAbove) {
    std::prev(above)->end = above->end;
    gaps.erase(above);
  } else if (meetsBelow) {
    std::prev(above)->end = block.end;
  } else if (meetsAbove) {
    above->begin = block.begin;
  } else {
    gaps.insert(above, block);
  }
}

void BankAllocator::freeAll() {
  // Not the lower end: what shrink() took stays taken (docs/memory.md).
  ends.clear();
  gaps.clear();
  if (!bounds.empty())
    gaps.push_back(bounds);
}

bool BankAllocator::shrink(Bytes bytes) {
  // Only what is free at the lower end can be given up: blocks do not move.
  bool freeBelow = !gaps.empty() && gaps.front().begin == bounds.begin;
  if (!freeBelow || bytes > gaps.front().size())
    return false;
  bounds.begin += bytes;
  gaps.front().begin = bounds.begin;
  if (gaps.front().empty())
    gaps.erase(gaps.begin());
  return true;
}

void BankAllocator::undoShrink() {
  AddressRange taken{base, bounds.begin};
  bounds.begin = base;
  if (!taken.empty())
    release(taken);
}

std::optional<Bytes> BankAllocator::lowestBlock() const {
  // Blocks fill what is between the gaps.
  bool freeBelow = !gaps.empty() && gaps.front().begin == bounds.begin;
  Bytes lowest = freeBelow ? gaps.front().end : bounds.begin;
  return lowest < bounds.end ? std::optional(lowest) : std::nullopt;
}

Bytes BankAllocator::freeBytes() const {
  Bytes sum;
  for (const AddressRange &gap : gaps)
    sum += gap.size();
  return sum;
}

Bytes BankAllocator::largestHole() const {
  Bytes largest;
  for (const AddressRange &gap : gaps)
    largest = std::max(largest, gap.size());
  return largest;
}
