//===- Elements.cpp - Long vectors of numbers -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/Elements.h"

#include "tessera/Support/Units.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdlib>
#include <sys/mman.h>

namespace tessera::simulator {

void *allocateElements(size_t bytes) {
  constexpr int64_t kHugePage = int64_t(1) << 21;
  bool isLarge = bytes >= 2 * size_t(kHugePage);
  auto size = size_t(alignUp(int64_t(bytes), isLarge ? kHugePage : 64));
  void *memory = std::aligned_alloc(isLarge ? size_t(kHugePage) : 64, size);
  if (!memory)
    llvm::report_bad_alloc_error("tensor of a simulated device");
  if (isLarge)
    madvise(memory, size, MADV_HUGEPAGE); // a wish: without it, all works as well
  return memory;
}

void freeElements(void *memory) { std::free(memory); }

} // namespace tessera::simulator
