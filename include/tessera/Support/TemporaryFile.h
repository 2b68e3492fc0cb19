//===- TemporaryFile.h - Files that are gone afterwards -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_TEMPORARYFILE_H
#define TESSERA_SUPPORT_TEMPORARYFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tessera {

/// An empty file in the folder for temporary files, by which two processes hand something on. It is removed at the end of its scope, and
/// when a signal ends the process.
class TemporaryFile {
public:
  /// "PREFIX-1a2b3c.SUFFIX". The error names the folder, and who says which it is.
  static llvm::Expected<TemporaryFile> make(llvm::StringRef prefix, llvm::StringRef suffix);
  TemporaryFile(TemporaryFile &&other) noexcept;
  ~TemporaryFile();

  const std::string &path() const { return name; }

private:
  explicit TemporaryFile(std::string name);

  std::string name; ///< "" of what was moved away
};

} // namespace tessera

#endif // TESSERA_SUPPORT_TEMPORARYFILE_H
