//===- Elements.h - Long vectors of numbers -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_ELEMENTS_H
#define TESSERA_SIMULATOR_ELEMENTS_H

#include <cstddef>
#include <utility>
#include <vector>

namespace tessera::simulator {

/// Memory for elements; not initialized. Large blocks are used again when they are freed, and lie in huge pages where the
/// system has them: else a run spends more time on page faults than on anything else, as each op makes its tensors anew. Ends
/// the program if there is none.
void *allocateElements(size_t bytes);
/// Takes what allocateElements() gave, from any thread.
void freeElements(void *memory);

/// As the standard asks for one: std::vector calls construct() of each element, which leaves numbers as the memory
/// has them.
template <class T>
struct ElementAllocator {
  using value_type = T; // NOLINT(readability-identifier-naming): the standard's name
  ElementAllocator() = default;
  template <class U>
  ElementAllocator(const ElementAllocator<U> &) {}
  T *allocate(size_t count) { return static_cast<T *>(allocateElements(count * sizeof(T))); }
  void deallocate(T *memory, size_t) { freeElements(memory); }
  template <class U>
  void construct(U *element) {
    ::new (static_cast<void *>(element)) U; // not set to 0, other than std::allocator's
  }
  template <class U, class... Arguments>
  void construct(U *element, Arguments &&...arguments) {
    ::new (static_cast<void *>(element)) U(std::forward<Arguments>(arguments)...);
  }
  bool operator==(const ElementAllocator &) const { return true; }
};

/// `Elements<T>(count)` and `resize(count)` set nothing: whoever makes them writes all of them.
template <class T>
using Elements = std::vector<T, ElementAllocator<T>>;

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_ELEMENTS_H
