//===- Reproducer.cpp - What is needed to see a defect again --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A crash inside a planner is of use only with the module that it crashed on.
// That is written by a signal handler, in which next to nothing may be done:
// whatever can fail or allocate is done when the command begins.
//
//===----------------------------------------------------------------------===//
#include "Reproducer.h"

#include "tessera/Support/ToolProcess.h"
#include "tessera/Support/Version.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace tessera;

namespace {

/// Atomic, as a crash may come between any two instructions.
std::atomic<const Reproducer *> current = nullptr;

void writeCurrent(void *) {
  if (const Reproducer *reproducer = current.exchange(nullptr)) // a crash while it is written writes nothing
    reproducer->write();
}

/// False if not all of it could be written.
bool writeAll(int descriptor, llvm::StringRef text) {
  while (!text.empty()) {
    // The system's own calls: streams allocate, which a crashed process may not be able to.
    ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    text = text.drop_front(written);
  }
  return true;
}

/// Bytecode begins with these bytes, and has no comments.
bool isBytecode(llvm::StringRef input) { return input.starts_with("ML\xefR"); }

} // namespace

Reproducer::Reproducer(llvm::ArrayRef<std::string> commandLine, llvm::StringRef input) : input(input) {
  llvm::SmallString<128> unique;
  llvm::StringRef ending = isBytecode(input) ? ".mlirbc" : ".mlir";
  llvm::sys::fs::createUniquePath("tessera-reproducer-%%%%%%%%" + ending, unique, /*MakeAbsolute=*/true);
  // All texts are made now, since write() may allocate nothing.
  path = unique.str().str();
  std::string line = quotedCommandLine(commandLine);
  message = "tessera: note: the input of '" + line + "' is in '" + path + "', for a report of this defect\n";
  failure = "tessera: note: '" + path + "', for a report of this defect, cannot be written\n";
  std::string comment = isBytecode(input) ? "" : versionText().str() + line;
  if (!comment.empty())
    // Line by line: a line break in an argument would end the comment.
    for (llvm::StringRef each : llvm::split(comment, '\n'))
      head += ("// " + each + "\n").str();
  // Once for all reproducers: LLVM takes a handler and does not give it back.
  [[maybe_unused]] static bool registered = (llvm::sys::AddSignalHandler(writeCurrent, nullptr), true);
  current = this;
}

Reproducer::~Reproducer() { current = nullptr; }

void Reproducer::write() const {
  // A folder for temporary files is open to all: what somebody else has put there is not written to, and the input is
  // for its owner alone.
  int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool written = descriptor >= 0 && writeAll(descriptor, head) && writeAll(descriptor, input);
  // Some file systems tell only now that a write has failed.
  written &= descriptor >= 0 && ::close(descriptor) == 0;
  writeAll(STDERR_FILENO, written ? message : failure);
}
