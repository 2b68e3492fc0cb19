//===- Lifetime.cpp - Who is alive when -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Memory/Lifetime.h"

#include <algorithm>

using namespace tessera;

LifetimeEvents::LifetimeEvents(llvm::ArrayRef<StepInterval> source, StepIndex end) : intervals(source) {
  for (StepInterval &interval : intervals)
    // A returned tensor ends behind the last step; there is no step at which that could be an event.
    interval.end = std::min(interval.end, end);
  born.fill(intervals, end, [](const StepInterval &interval) { return interval.begin; });
  dead.fill(intervals, end, [](const StepInterval &interval) { return interval.end - 1; });
}

std::vector<TensorId> LifetimeEvents::liveDuring(StepIndex step) const {
  std::vector<TensorId> live;
  for (size_t i = 0; i < intervals.size(); ++i)
    if (intervals[i].contains(step))
      live.push_back(TensorId(i));
  return live;
}

llvm::ArrayRef<TensorId> LifetimeEvents::Buckets::at(StepIndex step) const {
  size_t index = step.index();
  if (index + 1 >= starts.size())
    return {};
  return llvm::ArrayRef(tensors).slice(starts[index], starts[index + 1] - starts[index]);
}

void LifetimeEvents::Buckets::fill(llvm::ArrayRef<StepInterval> intervals, StepIndex end,
                                   StepIndex (*stepOf)(const StepInterval &)) {
  // Counting sort: count per step, sum up to the ends of the lists, then place from the back.
  starts.assign(end.index() + 1, 0);
  for (const StepInterval &interval : intervals)
    if (!interval.empty())
      ++starts[stepOf(interval).index()];
  size_t sum = 0;
  for (size_t &start : starts)
    start = sum += start;
  tensors.resize(sum);
  // From the back, so that each list ascends in ids: who is born first at a step does not depend on how lists
  // are built.
  for (size_t i = intervals.size(); i-- > 0;)
    if (!intervals[i].empty())
      tensors[--starts[stepOf(intervals[i]).index()]] = TensorId(i);
}
