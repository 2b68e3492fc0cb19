//===- AtomicFile.h - Files that are whole or untouched ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_ATOMICFILE_H
#define TESSERA_SUPPORT_ATOMICFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
}

namespace tessera {

/// Writes what `write` prints to the file `path`: into a temporary file beside it, which then takes its name.
/// A reader sees the old file or the new one, never a part. On any error the old file stays, the temporary is
/// removed, and the message names the path and the reason. A symbolic link keeps pointing where it points.
///
/// "-" is standard output. What exists and is no regular file (/dev/null, a pipe) is written to in place,
/// since a rename would replace it.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write);

} // namespace tessera

#endif // TESSERA_SUPPORT_ATOMICFILE_H
