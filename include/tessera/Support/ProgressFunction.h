//===- ProgressFunction.h - How far long work has got ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_PROGRESSFUNCTION_H
#define TESSERA_SUPPORT_PROGRESSFUNCTION_H

#include "llvm/ADT/StringRef.h"

#include <functional>

namespace tessera {

/// Called now and then with what is being done ("merging chains"), how much of it is, and how much there is in all. May
/// be empty. Work that consists of several parts names each; a part that is done again begins at 1 again.
using ProgressFunction = std::function<void(llvm::StringRef what, size_t done, size_t all)>;

inline void reportProgress(const ProgressFunction &progress, llvm::StringRef what, size_t done, size_t all) {
  if (progress)
    progress(what, done, all);
}

} // namespace tessera

#endif // TESSERA_SUPPORT_PROGRESSFUNCTION_H
