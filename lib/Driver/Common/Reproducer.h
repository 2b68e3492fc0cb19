//===- Reproducer.h - What is needed to see a defect again ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// If Tessera fails for a reason that is not a mistake of its user, it leaves one
// file behind: the input, and on top of it the command line as a comment.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_REPRODUCER_H
#define TESSERA_LIB_DRIVER_COMMON_REPRODUCER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera {

/// While one lives, a crash writes it. Not more than one lives at a time.
class Reproducer {
public:
  /// `input` must outlive this.
  Reproducer(llvm::ArrayRef<std::string> commandLine, llvm::StringRef input);
  ~Reproducer();
  Reproducer(const Reproducer &) = delete;
  Reproducer &operator=(const Reproducer &) = delete;

  /// Writes the file to the folder for temporary files and says on standard error where it is, or that it
  /// could not be written. Allocates nothing: may be called by a signal handler.
  void write() const;

private:
  std::string path, head, message, failure;
  llvm::StringRef input;
};

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_REPRODUCER_H
