//===- ToolProcess.cpp - What holds for every tool while it runs ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Support/ToolProcess.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace llvm;

namespace tessera {
namespace {

/// Neither allocates nor unwinds: LLVM calls it for operator new and for its own containers.
void outOfMemory(void *, const char *, bool) {
  constexpr StringLiteral kMessage = "tessera: out of memory; nothing was written\n";
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  sys::RunInterruptHandlers(); // removes temporary files
  ::_exit(kOutOfMemoryExitCode);
}

} // namespace

ToolProcess::ToolProcess(int &argc, char **&argv) : init(argc, argv) {
  setBugReportMsg("tessera: internal error: please report it with the input and the lines below\n");
  install_bad_alloc_error_handler(outOfMemory);
}

int ToolProcess::finish(int code) {
  outs().flush();
  std::error_code error = outs().error();
  if (!error)
    return code;
  outs().clear_error(); // reported here; the destructor would end the process
  errs() << "tessera: error: cannot write to standard output: " << error.message() << "\n";
  return code == 0 ? 1 : code;
}

} // namespace tessera
