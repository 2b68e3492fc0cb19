//===- UsageTimeline.cpp - How much of L1 is taken when -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Memory/UsageTimeline.h"

#include <algorithm>
#include <bit>
#include <limits>

using namespace tessera;

static constexpr Bytes kNothing(std::numeric_limits<int64_t>::min() / 2);

static bool disjoint(Interval a, Interval b) { return a.end <= b.begin || b.end <= a.begin; }
static bool covers(Interval a, Interval b) { return a.begin <= b.begin && b.end <= a.end; }

UsageTimeline::Place UsageTimeline::Place::half(bool second) const {
  size_t middle = (positions.begin + positions.end) / 2;
  return {2 * node + second, second ? Interval{middle, positions.end} : Interval{positions.begin, middle}};
}

void UsageTimeline::update(size_t node) {
  nodes[node].largest =
      nodes[node].everywhere + std::max(nodes[2 * node].largest, nodes[2 * node + 1].largest);
}

/// The tree becomes the first half of one that is twice as large: a node's path from the root starts with one more
/// step to the first half.
void UsageTimeline::grow() {
  std::vector<Node> larger(4 * std::max<size_t>(leaves, 1));
  for (size_t node = 1; node < 2 * leaves; ++node)
    larger[node + std::bit_floor(node)] = nodes[node];
  nodes = std::move(larger);
  leaves = std::max<size_t>(2 * leaves, 2);
  update(1);
}

void UsageTimeline::append(Bytes bytes) {
  if (count == leaves)
    grow();
  // What is reserved further up is already there, also by reservations from before a truncation.
  size_t leaf = leaves + count++;
  for (size_t node = leaf / 2; node > 0; node /= 2)
    bytes -= nodes[node].everywhere;
  nodes[leaf] = {Bytes(0), bytes};
  for (size_t node = leaf / 2; node > 0; node /= 2)
    update(node);
}

void UsageTimeline::truncate(size_t size) { count = std::min(count, size); }

void UsageTimeline::reserve(Interval interval, Bytes bytes) {
  interval.end = std::min(interval.end, count);
  if (!interval.empty())
    reserve(root(), interval, bytes);
}

void UsageTimeline::reserve(Place place, Interval interval, Bytes bytes) {
  if (disjoint(interval, place.positions))
    return;
  if (covers(interval, place.positions)) {
    nodes[place.node].everywhere += bytes;
    nodes[place.node].largest += bytes;
    return;
  }
  reserve(place.half(false), interval, bytes);
  reserve(place.half(true), interval, bytes);
  update(place.node);
}

Bytes UsageTimeline::peak(Interval interval) const {
  interval.end = std::min(interval.end, count);
  return interval.empty() ? Bytes(0) : std::max(Bytes(0), peak(root(), interval));
}

Bytes UsageTimeline::peak(Place place, Interval interval) const {
  if (disjoint(interval, place.positions))
    return kNothing;
  if (covers(interval, place.positions))
    return nodes[place.node].largest;
  return nodes[place.node].everywhere +
         std::max(peak(place.half(false), interval), peak(place.half(true), interval));
}

Bytes UsageTimeline::at(size_t position) const {
  Bytes use = nodes[leaves + position].largest;
  for (size_t node = (leaves + position) / 2; node > 0; node /= 2)
    use += nodes[node].everywhere;
  return use;
}

size_t UsageTimeline::firstAbove(Interval interval, Bytes limit) const {
  interval.end = std::min(interval.end, count);
  return interval.empty() ? count : firstAbove(root(), interval, limit);
}

size_t UsageTimeline::firstAbove(Place place, Interval interval, Bytes limit) const {
  if (disjoint(interval, place.positions) || nodes[place.node].largest <= limit)
    return count;
  if (place.node >= leaves)
    return place.positions.begin;
  Bytes left = limit - nodes[place.node].everywhere;
  size_t found = firstAbove(place.half(false), interval, left);
  return found < count ? found : firstAbove(place.half(true), interval, left);
}
