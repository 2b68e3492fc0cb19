//===- Version.h - What this build is -------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_VERSION_H
#define TESSERA_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace tessera {

/// The revision of tt-mlir whose TTNN text Tessera reads and writes, with its date
/// (facts/dialect).
inline constexpr llvm::StringLiteral kMatchedRevision = "19c86fca45 (2026-08-21)";

/// Three lines for --version: Tessera's version, LLVM's, and the revision of tt-mlir that is matched.
llvm::StringRef versionText();

} // namespace tessera

#endif // TESSERA_SUPPORT_VERSION_H
