//===- SortStably.h - Sorting that leaves equals in order -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_SORTSTABLY_H
#define TESSERA_SUPPORT_SORTSTABLY_H

#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <vector>

namespace tessera {

/// Sorts a list; of two entries of which neither is less the one that came first stays first. As std::stable_sort,
/// which libstdc++ 12 builds on a function that it deprecates itself, so that every call is a warning.
template <class List, class Less>
void sortStably(List &list, Less less) {
  std::vector<size_t> order(list.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t a, size_t b) {
    return less(list[a], list[b]) || (!less(list[b], list[a]) && a < b);
  });
  List sorted;
  for (size_t place : order)
    sorted.push_back(std::move(list[place]));
  list = std::move(sorted);
}

} // namespace tessera

#endif // TESSERA_SUPPORT_SORTSTABLY_H
