//===- NearestNames.h - "did you mean" ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_NEARESTNAMES_H
#define TESSERA_SUPPORT_NEARESTNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera {

/// Up to `count` of the known names, nearest to `wanted` first by edit distance without regard to case; ties
/// in the order of `known`. Names whose distance is more than a third of the longer word (at least one edit)
/// do not help and are left out.
llvm::SmallVector<llvm::StringRef, 3> closestNames(llvm::StringRef wanted,
                                                   llvm::ArrayRef<llvm::StringRef> known, size_t count = 3);

/// The end of an error message: "; did you mean 'n150' or 'n300'?", or "" if no name is near.
std::string didYouMean(llvm::StringRef wanted, llvm::ArrayRef<llvm::StringRef> known);

} // namespace tessera

#endif // TESSERA_SUPPORT_NEARESTNAMES_H
