//===- ChildProcess.h - Programs that are run for their output ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_LIBRARY_CHILDPROCESS_H
#define TESSERA_LIB_LIBRARY_CHILDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tessera {

/// Runs a program with the console's streams. The error names the command and how it ended.
llvm::Error runChild(llvm::ArrayRef<std::string> command);
/// Runs a program with `input` on its standard input; returns its standard output. The error has the last line of
/// what it said on standard error.
llvm::Expected<std::string> runChild(llvm::ArrayRef<std::string> command, llvm::StringRef input);

} // namespace tessera

#endif // TESSERA_LIB_LIBRARY_CHILDPROCESS_H
