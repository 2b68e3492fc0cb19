//===- JsonPieces.h - Long JSON, cut without a tree -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_JSONPIECES_H
#define TESSERA_SUPPORT_JSONPIECES_H

#include "tessera/Support/Json.h"

#include <utility>
#include <vector>

namespace tessera {

/// The texts of an array's elements, in order; false if `text` is no array. The elements may be no JSON: who parses
/// them sees it. What is JSON in all its pieces is JSON.
bool splitArray(llvm::StringRef text, std::vector<llvm::StringRef> &elements);

/// The keys of an object, with their quotes, and the texts of their values; false if `text` is no object.
bool splitObject(llvm::StringRef text, std::vector<std::pair<llvm::StringRef, llvm::StringRef>> &members);

/// Whether parseJson takes the text; trees are made of parts of it.
bool isJson(llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_SUPPORT_JSONPIECES_H
