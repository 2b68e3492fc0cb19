//===- Parallel.cpp - Work in parts, whose results do not depend on threads ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/Parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace tessera::simulator {

static std::atomic<unsigned> threadCount = 2;

void setThreads(unsigned count) { threadCount = std::max(1u, count); }
unsigned threads() { return threadCount; }

void parallelFor(int64_t count, llvm::function_ref<void(int64_t)> part) {
  int64_t used = std::min<int64_t>(count, threads());
  std::atomic<int64_t> next = 0;
  auto work = [&] {
    // Parts are taken as threads get to them; which thread does which part cannot show, as parts do not share
    // what they write.
    for (int64_t i = next++; i < count; i = next++)
      part(i);
  };
  std::vector<std::thread> others;
  for (int64_t i = 1; i < used; ++i)
    others.emplace_back(work);
  work();
  for (std::thread &other : others)
    other.join();
}

} // namespace tessera::simulator
