//===- UsageTimeline.cpp - How much of L1 is taken when -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Memory/UsageTimeline.h"

#include <algorithm>

using namespace tessera;

void UsageTimeline::reserve(Interval interval, Bytes bytes) {
  for (size_t i = interval.begin; i < std::min(interval.end, used.size()); ++i)
    used[i] += bytes;
}

Bytes UsageTimeline::peak(Interval interval) const {
  Bytes largest;
  for (size_t i = interval.begin; i < std::min(interval.end, used.size()); ++i)
    largest = std::max(largest, used[i]);
  return largest;
}
