//===- ChildProcess.cpp - Programs that are run for their output ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Children are ended by the end of their input and never by a signal: what they hold open, they close themselves. What
// they complain of is kept until it is known whether they failed, and then the last line of it says why.
//
//===----------------------------------------------------------------------===//
#include "ChildProcess.h"

#include "tessera/Support/TemporaryFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <array>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera;

namespace {

llvm::Error endedBadly(llvm::ArrayRef<std::string> command, const std::string &how, llvm::StringRef said) {
  // The last line of a Python traceback is the one that says what is wrong.
  llvm::StringRef last = said.rtrim().rsplit('\n').second;
  last = last.empty() ? said.rtrim() : last;
  return llvm::createStringError("'" + llvm::join(command, " ") + "' " + how +
                                 (last.empty() ? "" : ": " + last.str()));
}

std::string howItEnded(int status) {
  return WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status))
                             : "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

std::string contentOf(std::FILE *file) {
  std::string text;
  char part[4096];
  if (std::fseek(file, 0, SEEK_SET) != 0)
    return text;
  while (size_t read = std::fread(part, 1, sizeof(part), file))
    text.append(part, read);
  return text;
}

/// posix_spawn() with `stream` as standard input and output; returns its error.
int spawn(llvm::ArrayRef<std::string> command, int stream, int complaints, pid_t &child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // The copies are inherited, while the socket itself is closed on exec: another child that is started meanwhile must
  // not hold it open, or the end of the input would never come.
  posix_spawn_file_actions_adddup2(&actions, stream, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, stream, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
  // posix_spawn takes words that it promises not to change.
  llvm::SmallVector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  int error = posix_spawn(&child, words.front(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

} // namespace

/// `streams`: files in place of standard input, output and error; empty: those of the console.
static llvm::Error runWith(llvm::ArrayRef<std::string> command,
                           llvm::ArrayRef<std::optional<llvm::StringRef>> streams) {
  llvm::SmallVector<llvm::StringRef> words(command.begin(), command.end());
  std::string message;
  int code = llvm::sys::ExecuteAndWait(words.front(), words, std::nullopt, streams, 0, 0, &message);
  if (code == 0)
    return llvm::Error::success();
  return endedBadly(
      command, code < 0 ? "could not be run, or crashed" : "ended with exit code " + std::to_string(code),
      message);
}

llvm::Error tessera::runChild(llvm::ArrayRef<std::string> command) { return runWith(command, {}); }

llvm::Error tessera::runChildQuietly(llvm::ArrayRef<std::string> command, std::string &said) {
  llvm::Expected<TemporaryFile> log = TemporaryFile::make("tessera-child", "log");
  if (!log)
    return log.takeError();
  // Both in one file, in the order in which they were said.
  llvm::StringRef path = log->path();
  llvm::Error error = runWith(command, {std::nullopt, path, path});
  if (auto file = llvm::MemoryBuffer::getFile(path))
    said = (*file)->getBuffer().str();
  return error;
}

Conversation::Conversation(std::vector<std::string> command, int socket, pid_t child, std::FILE *complaints)
    : command(std::move(command)), socket(socket), child(child), complaints(complaints, std::fclose) {}

Conversation::Conversation(Conversation &&other) noexcept
    : command(std::move(other.command)), socket(std::exchange(other.socket, -1)),
      child(std::exchange(other.child, 0)), complaints(std::move(other.complaints)),
      unread(std::move(other.unread)) {}

Conversation::~Conversation() {
  if (socket >= 0)
    close(socket); // the end of its input, at which it stops
  if (child > 0)
    waitpid(child, nullptr, 0);
}

llvm::Expected<Conversation> Conversation::begin(std::vector<std::string> command) {
  // A file, not a pipe: nobody reads it while the program runs, and a full pipe would stop it.
  std::FILE *complaints = std::tmpfile();
  int ends[2];
  // Sockets, not pipes: only on these can a signal be turned off for one call (send), which a library must not do for
  // the whole process.
  if (!complaints || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    std::string why = llvm::sys::StrError();
    if (complaints)
      std::fclose(complaints);
    return endedBadly(command, "could not be run", why);
  }
  pid_t child = 0;
  int error = spawn(command, ends[1], fileno(complaints), child);
  // The child has its own copy. With ours open, its end would never be seen.
  close(ends[1]);
  Conversation conversation(std::move(command), ends[0], child, complaints);
  if (error)
    return endedBadly(conversation.command, "could not be run", llvm::sys::StrError(error));
  return conversation;
}

bool Conversation::send(llvm::StringRef text) const {
  while (!text.empty()) {
    // No signal if the program is gone: that is an answer like any other.
    ssize_t sent = llvm::sys::RetryAfterSignal(-1, ::send, socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0)
      return false;
    text = text.drop_front(sent);
  }
  return true;
}

llvm::Error Conversation::ended() {
  int status = 0;
  // Before waiting: a program that still reads would never end.
  shutdown(socket, SHUT_RDWR);
  waitpid(std::exchange(child, 0), &status, 0);
  return endedBadly(command, howItEnded(status), contentOf(complaints.get()));
}

llvm::Expected<std::string> Conversation::exchange(llvm::StringRef line) {
  if (!child || !send(line) || !send("\n"))
    return ended();
  size_t end;
  while ((end = unread.find('\n')) == std::string::npos) {
    // Answers are of any length. What comes behind a line is kept, though one question at a time leaves nothing there.
    std::array<char, 65536> part;
    ssize_t got = llvm::sys::RetryAfterSignal(-1, recv, socket, part.data(), part.size(), 0);
    if (got <= 0)
      return ended();
    unread.append(part.data(), got);
  }
  std::string answer = unread.substr(0, end);
  unread.erase(0, end + 1);
  return answer;
}
