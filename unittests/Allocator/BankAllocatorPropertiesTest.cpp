//===- BankAllocatorPropertiesTest.cpp - What holds of any requests -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/BankAllocator.h"
#include "gtest/gtest.h"
#include <rapidcheck/gtest.h>

#include <map>

using namespace tessera;

namespace {

constexpr int64_t kAlignment = 32, kUnits = 40, kBase = 320;
const AddressRange kRegion{Bytes(kBase), Bytes(kBase + kUnits * kAlignment)};

/// One request; `which` chooses among live blocks.
struct Request {
  int kind; ///< 0-3 allocate, 4-6 free, 7 place, 8 shrink, 9 undo; rarely 10: free all
  int64_t bytes;
  int64_t which;
  bool up;
  Direction direction() const { return up ? Direction::Up : Direction::Down; }
};

rc::Gen<std::vector<Request>> requests() {
  return rc::gen::container<std::vector<Request>>(rc::gen::construct<Request>(
      rc::gen::weightedElement<int>({{40, 0}, {30, 4}, {5, 7}, {3, 8}, {2, 9}, {1, 10}}),
      rc::gen::inRange<int64_t>(0, 8 * kAlignment), rc::gen::inRange<int64_t>(0, kUnits),
      rc::gen::arbitrary<bool>()));
}

/// The same device without a list of holes: whether each unit of 32 bytes is taken, and blocks by address.
class UnitMap {
public:
  std::optional<int64_t> allocate(int64_t bytes, bool up) {
    int64_t units = unitsOf(bytes);
    for (int64_t i = 0; i + units <= kUnits; ++i)
      if (int64_t first = up ? i : kUnits - units - i; take(first, units))
        return kBase + first * kAlignment;
    return std::nullopt;
  }
  bool place(int64_t address, int64_t bytes) { return take((address - kBase) / kAlignment, unitsOf(bytes)); }
  void free(int64_t address) {
    auto block = blocks.find(address);
    mark((address - kBase) / kAlignment, block->second, false);
    blocks.erase(block);
  }
  bool shrink(int64_t bytes) {
    int64_t units = unitsOf(bytes);
    if (units > freeFrom(shrunk))
      return false;
    mark(shrunk, units, true);
    shrunk += units;
    return true;
  }
  void undoShrink() {
    mark(0, shrunk, false);
    shrunk = 0;
  }
  int64_t freeUnits() const { return std::count(taken.begin(), taken.end(), false); }
  int64_t largestHole() const {
    int64_t largest = 0;
    for (int64_t i = 0; i < kUnits; ++i)
      largest = std::max(largest, freeFrom(i));
    return largest;
  }
  std::map<int64_t, int64_t> blocks; ///< units by address

private:
  static int64_t unitsOf(int64_t bytes) { return std::max<int64_t>(1, ceilDiv(bytes, kAlignment)); }
  int64_t freeFrom(int64_t first) const {
    int64_t last = first;
    while (last < kUnits && !taken[last])
      ++last;
    return last - first;
  }
  void mark(int64_t first, int64_t units, bool value) { std::fill_n(taken.begin() + first, units, value); }
  bool take(int64_t first, int64_t units) {
    if (first < 0 || first + units > kUnits || freeFrom(first) < units)
      return false;
    mark(first, units, true);
    blocks[kBase + first * kAlignment] = units;
    return true;
  }
  std::vector<bool> taken = std::vector<bool>(kUnits, false);
  int64_t shrunk = 0;
};

/// Both devices, asked the same.
struct Pair {
  BankAllocator bank{kRegion, Bytes(kAlignment)};
  UnitMap map;

  std::optional<int64_t> liveBlock(int64_t which) const {
    if (map.blocks.empty())
      return std::nullopt;
    return std::next(map.blocks.begin(), which % int64_t(map.blocks.size()))->first;
  }

  void allocate(const Request &request) {
    std::optional<Bytes> address = bank.allocate(Bytes(request.bytes), request.direction());
    std::optional<int64_t> expected = map.allocate(request.bytes, request.up);
    RC_ASSERT(address.has_value() == expected.has_value());
    if (address)
      RC_ASSERT(address->value() == *expected);
  }

  void free(const Request &request) {
    if (std::optional<int64_t> address = liveBlock(request.which)) {
      RC_ASSERT(bank.free(Bytes(*address)));
      map.free(*address);
    }
  }

  void run(const Request &request) {
    int64_t address = kBase + request.which * kAlignment;
    if (request.kind < 4)
      allocate(request);
    else if (request.kind < 7)
      free(request);
    else if (request.kind == 7)
      RC_ASSERT(bank.place(Bytes(address), Bytes(request.bytes)) == map.place(address, request.bytes));
    else if (request.kind == 8)
      RC_ASSERT(bank.shrink(bank.reserved(Bytes(request.bytes))) == map.shrink(request.bytes));
    else if (request.kind == 9) {
      bank.undoShrink();
      map.undoShrink();
    } else {
      bank.freeAll();
      while (!map.blocks.empty())
        map.free(map.blocks.begin()->first);
    }
  }
};

RC_GTEST_PROP(BankAllocatorProperties, AgreesWithAMapOfUnits, ()) {
  Pair pair;
  for (const Request &request : *requests()) {
    pair.run(request);
    RC_ASSERT(pair.bank.freeBytes() == Bytes(pair.map.freeUnits() * kAlignment));
    RC_ASSERT(pair.bank.largestHole() == Bytes(pair.map.largestHole() * kAlignment));
    std::optional<Bytes> lowest = pair.bank.lowestBlock();
    RC_ASSERT(lowest.has_value() == !pair.map.blocks.empty());
    if (lowest)
      RC_ASSERT(lowest->value() == pair.map.blocks.begin()->first);
  }
}

RC_GTEST_PROP(BankAllocatorProperties, BlocksAndHolesTileTheRegion, ()) {
  Pair pair;
  for (const Request &request : *requests())
    pair.run(request);
  std::map<int64_t, int64_t> ends; // of blocks and holes
  for (auto [address, units] : pair.map.blocks)
    RC_ASSERT(ends.emplace(address, address + units * kAlignment).second);
  for (const AddressRange &hole : pair.bank.holes())
    RC_ASSERT(ends.emplace(hole.begin.value(), hole.end.value()).second);
  int64_t at = pair.bank.usable().begin.value();
  for (auto [begin, end] : ends) {
    RC_ASSERT(begin == at);
    at = end;
  }
  RC_ASSERT(at == kRegion.end.value());
}

RC_GTEST_PROP(BankAllocatorProperties, HolesNeverTouch, ()) {
  Pair pair;
  for (const Request &request : *requests()) {
    pair.run(request);
    for (size_t i = 1; i < pair.bank.holes().size(); ++i)
      RC_ASSERT(pair.bank.holes()[i - 1].end < pair.bank.holes()[i].begin);
  }
}

// Where blocks come to lie depends on the order of requests; what is left when blocks go does not.
RC_GTEST_PROP(BankAllocatorProperties, TheOrderOfFreeingDoesNotShow, ()) {
  BankAllocator first(kRegion, Bytes(kAlignment));
  std::vector<Bytes> addresses;
  for (const Request &request : *requests())
    if (std::optional<Bytes> address = first.allocate(Bytes(request.bytes), request.direction()))
      addresses.push_back(*address);
  size_t freed = *rc::gen::inRange<size_t>(0, addresses.size() + 1);
  addresses.resize(freed);
  BankAllocator second = first;
  for (Bytes address : addresses)
    first.free(address);
  while (!addresses.empty()) {
    auto next = addresses.begin() + *rc::gen::inRange<size_t>(0, addresses.size());
    second.free(*next);
    addresses.erase(next);
  }
  RC_ASSERT(first.holes() == second.holes());
}

// A region seen in a mirror: Up there is Down here.
RC_GTEST_PROP(BankAllocatorProperties, UpIsDownInAMirror, ()) {
  BankAllocator bank(kRegion, Bytes(kAlignment)), mirror(kRegion, Bytes(kAlignment));
  std::map<int64_t, int64_t> mirrored; // address there by address here
  for (const Request &request : *requests()) {
    if (request.kind < 4) {
      Bytes size = bank.reserved(Bytes(request.bytes));
      std::optional<Bytes> here = bank.allocate(size, request.direction());
      std::optional<Bytes> there = mirror.allocate(size, request.up ? Direction::Down : Direction::Up);
      RC_ASSERT(here.has_value() == there.has_value());
      if (here) {
        RC_ASSERT(*here - kRegion.begin == kRegion.end - (*there + size));
        mirrored[here->value()] = there->value();
      }
    } else if (!mirrored.empty()) {
      auto block = std::next(mirrored.begin(), request.which % int64_t(mirrored.size()));
      RC_ASSERT(bank.free(Bytes(block->first)) && mirror.free(Bytes(block->second)));
      mirrored.erase(block);
    }
  }
}

} // namespace
