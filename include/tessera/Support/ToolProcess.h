//===- ToolProcess.h - What holds for every tool while it runs ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_TOOLPROCESS_H
#define TESSERA_SUPPORT_TOOLPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/InitLLVM.h"

#include <string>

namespace tessera {

/// The words of a command line, as a shell takes them.
std::string quotedCommandLine(llvm::ArrayRef<std::string> words);

/// Exit code of a tool that ran out of memory.
constexpr int kOutOfMemoryExitCode = 4;

/// To be created first in main. A crash prints a stack trace, memory that runs out is one line on standard error and
/// exit code kOutOfMemoryExitCode; in both cases files that were being written are removed.
class ToolProcess {
public:
  ToolProcess(int &argc, char **&argv);

  /// Flushes standard output: `code`, or 1 after a message if that fails.
  int finish(int code);

private:
  llvm::InitLLVM init;
};

} // namespace tessera

#endif // TESSERA_SUPPORT_TOOLPROCESS_H
