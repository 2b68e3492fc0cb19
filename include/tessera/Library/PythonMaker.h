//===- PythonMaker.h - What can make an environment of Python -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIBRARY_PYTHONMAKER_H
#define TESSERA_LIBRARY_PYTHONMAKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tessera {

/// How an environment can be made here.
struct PythonMaker {
  std::string program; ///< path of uv, or of a Python of a version that will do
  /// uv fetches a Python of a version that will do; a Python makes environments of its own version only.
  bool isUv = false;
};

/// uv, else a Python of one of these versions, in PATH or below pyenv's folder; nullopt if there is neither.
std::optional<PythonMaker> findPythonMaker(llvm::ArrayRef<llvm::StringRef> versions);

} // namespace tessera

#endif // TESSERA_LIBRARY_PYTHONMAKER_H
