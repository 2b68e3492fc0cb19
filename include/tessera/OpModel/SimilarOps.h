//===- SimilarOps.h - What a misspelt op may mean -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_SIMILAROPS_H
#define TESSERA_OPMODEL_SIMILAROPS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera {

/// For the end of a message on an op that the op model does not know: "; did you mean 'ttnn.matmul'?", or "".
std::string similarOps(llvm::StringRef op);

} // namespace tessera

#endif // TESSERA_OPMODEL_SIMILAROPS_H
