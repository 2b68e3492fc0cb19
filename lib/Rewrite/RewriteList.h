//===- RewriteList.h - What each rewrite is -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_REWRITELIST_H
#define TESSERA_LIB_REWRITE_REWRITELIST_H

#include "tessera/Rewrite/Rewrite.h"

namespace tessera::rewrite {

/// rewrites().end() if there is none of that name.
const RewriteInfo *findRewrite(llvm::StringRef name);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_REWRITELIST_H
