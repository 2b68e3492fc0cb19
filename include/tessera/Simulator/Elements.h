//===- Elements.h - Long vectors of numbers -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_ELEMENTS_H
#define TESSERA_SIMULATOR_ELEMENTS_H

#include <cstddef>
#include <vector>

namespace tessera::simulator {

/// Memory for elements; not initialized. Large blocks lie in huge pages where the system has them: with small ones, a run
/// spends more time on page faults than on anything else, as each op makes its tensors anew. Ends the program if there is none.
void *allocateElements(size_t bytes);
void freeElements(void *memory);

template <class T>
struct ElementAllocator {
  using value_type = T; // NOLINT(readability-identifier-naming): the standard's name
  ElementAllocator() = default;
  template <class U>
  ElementAllocator(const ElementAllocator<U> &) {}
  T *allocate(size_t count) { return static_cast<T *>(allocateElements(count * sizeof(T))); }
  void deallocate(T *memory, size_t) { freeElements(memory); }
  bool operator==(const ElementAllocator &) const { return true; }
};

template <class T>
using Elements = std::vector<T, ElementAllocator<T>>;

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_ELEMENTS_H
