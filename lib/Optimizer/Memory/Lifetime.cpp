//===- Lifetime.cpp - Who is alive when -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Memory/Lifetime.h"

#include <algorithm>

using namespace tessera;

LifetimeEvents::LifetimeEvents(llvm::ArrayRef<Interval> source, size_t steps) : intervals(source) {
  for (Interval &interval : intervals)
    interval.end = std::min(interval.end, steps);
  born.fill(intervals, steps, [](const Interval &interval) { return interval.begin; });
  dead.fill(intervals, steps, [](const Interval &interval) { return interval.end - 1; });
}

std::vector<TensorId> LifetimeEvents::liveDuring(size_t step) const {
  std::vector<TensorId> live;
  for (size_t i = 0; i < intervals.size(); ++i)
    if (intervals[i].contains(step))
      live.push_back(TensorId(i));
  return live;
}

llvm::ArrayRef<TensorId> LifetimeEvents::Buckets::at(size_t step) const {
  if (step + 1 >= starts.size())
    return {};
  return llvm::ArrayRef(tensors).slice(starts[step], starts[step + 1] - starts[step]);
}

void LifetimeEvents::Buckets::fill(llvm::ArrayRef<Interval> intervals, size_t steps,
                                   size_t (*stepOf)(const Interval &)) {
  // Counting sort: count per step, sum up to the ends of the lists, then place from the back.
  starts.assign(steps + 1, 0);
  for (const Interval &interval : intervals)
    if (!interval.empty())
      ++starts[stepOf(interval)];
  size_t sum = 0;
  for (size_t &start : starts)
    start = sum += start;
  tensors.resize(sum);
  for (size_t i = intervals.size(); i-- > 0;)
    if (!intervals[i].empty())
      tensors[--starts[stepOf(intervals[i])]] = TensorId(i);
}
