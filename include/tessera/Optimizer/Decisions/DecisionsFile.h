//===- DecisionsFile.h - The decisions file as text -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_DECISIONS_DECISIONSFILE_H
#define TESSERA_OPTIMIZER_DECISIONS_DECISIONSFILE_H

#include "tessera/Optimizer/Decisions/Decisions.h"

namespace tessera::decisions {

/// The inverse of write(), record by record: a tree of the whole takes forty times the memory of the text. The error is that of
/// parseJson, or names the entry that is missing, of another kind, or the number of nothing.
llvm::Expected<Decisions> decisionsFromText(llvm::StringRef text);

} // namespace tessera::decisions

#endif // TESSERA_OPTIMIZER_DECISIONS_DECISIONSFILE_H
