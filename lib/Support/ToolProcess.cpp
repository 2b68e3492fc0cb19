//===- ToolProcess.cpp - What holds for every tool while it runs ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Support/ToolProcess.h"

#include "tessera/Support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>
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

std::string quotedCommandLine(ArrayRef<std::string> words) {
  auto quoted = [](StringRef word) {
    bool plain = !word.empty() &&
                 all_of(word, [](char c) { return isAlnum(c) || StringRef("_./,:=@%+-").contains(c); });
    if (plain)
      return word.str();
    std::string text = word.str();
    // A quote cannot stand within single quotes: they end, an escaped one follows, and they begin again.
    for (size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += strlen("'\\''"))
      text.replace(at, 1, "'\\''");
    return "'" + text + "'";
  };
  return join(map_range(words, quoted), " ");
}

ToolProcess::ToolProcess(int &argc, char **&argv) : init(argc, argv) {
  // Of LLVM's own command lines, which would name LLVM alone.
  cl::SetVersionPrinter([](raw_ostream &os) { os << versionText(); });
  setBugReportMsg("tessera: internal error: please report it with the input and the lines below\n");
  install_bad_alloc_error_handler(outOfMemory);
  // A file beyond the limit of the shell is an error of who writes it. LLVM takes the signal for a crash.
  std::signal(SIGXFSZ, SIG_IGN);
  // https://no-color.org; that TERM=dumb has no colours LLVM knows itself.
  if (std::optional<std::string> none = sys::Process::GetEnv("NO_COLOR"); none && !none->empty()) {
    outs().enable_colors(false);
    errs().enable_colors(false);
  }
}

int ToolProcess::finish(int code) {
  outs().flush();
  std::error_code error = outs().error();
  if (!error)
    return code;
  outs().clear_error(); // reported here; the destructor would end the process
  // A full disk or a closed pipe shows only when the last bytes are flushed. Without this the command would say nothing
  // and exit with 0, and a script would take half a file for the whole.
  errs() << "tessera: error: cannot write to standard output: " << error.message() << "\n";
  // A failure of the command's own says more than that its text was lost.
  return code == 0 ? 1 : code;
}

} // namespace tessera
