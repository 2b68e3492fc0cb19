//===- TtnnFiles.h - What lies where in the library's folder --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   ~/.cache/tessera/ttnn/venv-0.77.0/                 an environment of Python per version
//   ~/.cache/tessera/ttnn/venv-0.77.0/tessera.ready    there when it is complete
//   ~/.cache/tessera/ttnn/python/HASH/                 the Python side of Tessera, as a binary has it
//   ~/.cache/tessera/ttnn/answers.sqlite               what was answered to --op-model ttnn
//   ~/.cache/tessera/ttnn/chips/                       descriptions of mock chips, and the library's caches
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_LIBRARY_TTNNFILES_H
#define TESSERA_LIB_LIBRARY_TTNNFILES_H

#include "PythonEnvironment.h"

namespace tessera {

/// The environment of a version.
std::string environmentOf(llvm::StringRef version);

/// Writes the Python side where it can be run; returns its folder. Files that are there already stay untouched.
llvm::Expected<std::string> unpackPackage();

} // namespace tessera

#endif // TESSERA_LIB_LIBRARY_TTNNFILES_H
