//===- ChildProcess.h - Programs that are run for their output ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_LIBRARY_CHILDPROCESS_H
#define TESSERA_LIB_LIBRARY_CHILDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace tessera {

/// Runs a program with the console's streams. The error names the command and how it ended.
llvm::Error runChild(llvm::ArrayRef<std::string> command);
/// The same, with what it says in `said` instead of on the console.
llvm::Error runChildQuietly(llvm::ArrayRef<std::string> command, std::string &said);

/// A program that answers lines with lines. It is ended with the object.
class Conversation {
public:
  /// Starts the program; `command` begins with its path, which is not looked for in PATH. What it says on standard
  /// error is kept for the error, not shown.
  static llvm::Expected<Conversation> begin(std::vector<std::string> command);
  Conversation(Conversation &&other) noexcept;
  Conversation &operator=(Conversation &&other) = delete;
  /// Closes the program's input and waits until it has ended: one that does not stop at the end of its input keeps
  /// this waiting.
  ~Conversation();

  /// Sends `line`, and a line break behind it; returns the next line that the program writes, without the break. If the
  /// program ends instead, the error says how, with the last line of what it wrote on standard error.
  llvm::Expected<std::string> exchange(llvm::StringRef line);

private:
  Conversation(std::vector<std::string> command, int socket, pid_t child, std::FILE *complaints);
  /// False if the program is gone.
  bool send(llvm::StringRef text) const;
  /// Waits for the end of the program.
  llvm::Error ended();

  // For errors: they name what was run.
  std::vector<std::string> command;
  // Ours of a pair, on which the program reads and writes; -1 of an object that was moved from.
  int socket;
  // 0 once it was waited for: its number may belong to another process then.
  pid_t child;
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> complaints;
  std::string unread; ///< what came behind the last line
};

} // namespace tessera

#endif // TESSERA_LIB_LIBRARY_CHILDPROCESS_H
