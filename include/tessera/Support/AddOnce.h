//===- AddOnce.h - Short lists without repetitions ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_ADDONCE_H
#define TESSERA_SUPPORT_ADDONCE_H

#include "llvm/ADT/STLExtras.h"

namespace tessera {

/// Appends the entry unless the list has it; whether it did. For short lists, of which the order counts: it looks at all of them.
template <class List, class Entry>
bool addOnce(List &list, Entry &&entry) {
  bool isNew = !llvm::is_contained(list, entry);
  if (isNew)
    list.push_back(std::forward<Entry>(entry));
  return isNew;
}

} // namespace tessera

#endif // TESSERA_SUPPORT_ADDONCE_H
