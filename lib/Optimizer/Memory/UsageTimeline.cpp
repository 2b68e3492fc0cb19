//===- UsageTimeline.cpp - How much of L1 is taken when -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Memory/UsageTimeline.h"

#include <algorithm>
#include <bit>
#include <limits>

using namespace tessera;

// Half of the least number, as `everywhere` of each level above is still added to it.
static constexpr Bytes kNothing(std::numeric_limits<int64_t>::min() / 2);

template <class Position>
static bool disjoint(Interval<Position> a, Interval<Position> b) {
  return a.end <= b.begin || b.end <= a.begin;
}
template <class Position>
static bool covers(Interval<Position> a, Interval<Position> b) {
  return a.begin <= b.begin && b.end <= a.end;
}

template <class Position>
typename UsageTimeline<Position>::Place UsageTimeline<Position>::Place::half(bool second) const {
  Position middle((positions.begin.index() + positions.end.index()) / 2);
  return {2 * node + second, second ? Range{middle, positions.end} : Range{positions.begin, middle}};
}

template <class Position>
void UsageTimeline<Position>::update(size_t node) {
  nodes[node].largest =
      nodes[node].everywhere + std::max(nodes[2 * node].largest, nodes[2 * node + 1].largest);
}

/// The tree becomes the first half of one that is twice as large: a node's path from the root starts with one more
/// step to the first half.
template <class Position>
void UsageTimeline<Position>::grow() {
  // Over n leaves the nodes are 1 to 2n - 1, and the larger tree has twice as many leaves.
  std::vector<Node> larger(4 * std::max<size_t>(leaves, 1));
  for (size_t node = 1; node < 2 * leaves; ++node)
    larger[node + std::bit_floor(node)] = nodes[node];
  nodes = std::move(larger);
  leaves = std::max<size_t>(2 * leaves, 2);
  update(1);
}

template <class Position>
void UsageTimeline<Position>::append(Bytes bytes) {
  if (count == leaves)
    grow();
  // Nothing is reserved above the leaf: a node that a reservation covers whole ends before it.
  size_t leaf = leaves + count++;
  nodes[leaf] = {Bytes(0), bytes};
  for (size_t node = leaf / 2; node > 0; node /= 2)
    update(node);
}

template <class Position>
void UsageTimeline<Position>::reserve(Range interval, Bytes bytes) {
  interval.end = std::min(interval.end, end());
  if (interval.empty())
    return;
  // Kept at the top of what is covered whole: that is why a reservation of any length touches O(log n) nodes.
  auto take = [&](size_t node) {
    nodes[node].everywhere += bytes;
    nodes[node].largest += bytes;
  };
  size_t first = leaves + interval.begin.index(), last = leaves + interval.end.index() - 1;
  for (size_t begin = first, end = last + 1; begin < end; begin /= 2, end /= 2) {
    if (begin % 2)
      take(begin++);
    if (end % 2)
      take(--end);
  }
  // Above what was taken both ends' paths to the root change. A node that was taken lies on one of them with its half
  // untouched: its figures follow from the halves all the same.
  for (size_t left = first / 2, right = last / 2; left > 0; left /= 2, right /= 2) {
    update(left);
    if (right != left)
      update(right);
  }
}

template <class Position>
Bytes UsageTimeline<Position>::peak(Range interval) const {
  interval.end = std::min(interval.end, end());
  return interval.empty() ? Bytes(0) : std::max(Bytes(0), peak(root(), interval));
}

template <class Position>
Bytes UsageTimeline<Position>::peak(Place place, Range interval) const {
  if (disjoint(interval, place.positions))
    return kNothing;
  if (covers(interval, place.positions))
    return nodes[place.node].largest;
  return nodes[place.node].everywhere +
         std::max(peak(place.half(false), interval), peak(place.half(true), interval));
}

template <class Position>
Bytes UsageTimeline<Position>::at(Position position) const {
  Bytes use = nodes[leaves + position.index()].largest;
  for (size_t node = (leaves + position.index()) / 2; node > 0; node /= 2)
    use += nodes[node].everywhere;
  return use;
}

template <class Position>
Position UsageTimeline<Position>::firstAbove(Range interval, Bytes limit) const {
  interval.end = std::min(interval.end, end());
  return interval.empty() ? end() : firstAbove(root(), interval, limit);
}

template <class Position>
Position UsageTimeline<Position>::firstAbove(Place place, Range interval, Bytes limit) const {
  // Nothing below exceeds the limit: that prunes the walk to one path per end of the interval.
  if (disjoint(interval, place.positions) || nodes[place.node].largest <= limit)
    return end();
  if (place.node >= leaves)
    return place.positions.begin;
  Bytes left = limit - nodes[place.node].everywhere;
  // The first half first, as the first such position is asked for.
  Position found = firstAbove(place.half(false), interval, left);
  return found < end() ? found : firstAbove(place.half(true), interval, left);
}

template class tessera::UsageTimeline<SchedulePos>;
template class tessera::UsageTimeline<StepIndex>;
