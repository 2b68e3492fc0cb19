//===- AtomicFile.h - Files that are whole or untouched ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_ATOMICFILE_H
#define TESSERA_SUPPORT_ATOMICFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace tessera {

/// A file to write, and who prints it. The path "-" is standard output.
struct OutputFile {
  std::string path;
  std::function<void(llvm::raw_ostream &)> write;
};

/// Writes all files or none: each goes to disk as a temporary file beside its path, and when all lie there, they take
/// their names. A reader sees the old file or the new one, never a part, even after a power failure. On any error
/// the old files stay, the temporaries are removed, and the message names the path and the reason. A symbolic link
/// keeps pointing where it points. Paths must name different files (see sameFile).
///
/// What exists and is not a regular file (/dev/null, a pipe) is written to in place, since a rename would replace it;
/// so is standard output. Both come after the temporaries and before the first rename: what they have swallowed
/// cannot be taken back, so all that is likely to fail has succeeded by then.
///
/// A temporary is called PATH.tmp-N, and locked as long as its process lives. The next run that writes PATH removes
/// those that a killed run has left.
llvm::Error writeFilesAtomically(llvm::ArrayRef<OutputFile> files);

/// The same for one file.
llvm::Error writeFileAtomically(llvm::StringRef path, std::function<void(llvm::raw_ostream &)> write);

/// The same for one file, if what prints it can fail: then the old file stays, and its error is returned.
llvm::Error tryWriteFileAtomically(llvm::StringRef path,
                                   llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// Whether two outputs would overwrite one another: the same file by whatever path, existing or not, or both standard
/// output. Character devices (/dev/null) take any number of outputs.
bool sameFile(llvm::StringRef a, llvm::StringRef b);

} // namespace tessera

#endif // TESSERA_SUPPORT_ATOMICFILE_H
