//===- ChildProcess.cpp - Programs that are run for their output ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ChildProcess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

/// A file of this run, gone with it.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef content) {
    TemporaryFile file;
    int descriptor = 0;
    if (std::error_code code =
            llvm::sys::fs::createTemporaryFile("tessera-ttnn", "txt", descriptor, file.name))
      return llvm::createStringError(code, "cannot make a temporary file: " + code.message());
    file.remover = std::make_unique<llvm::FileRemover>(file.name);
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << content;
    os.close();
    if (os.has_error())
      return llvm::createStringError(os.error(), "cannot write '" + file.name + "': " + os.error().message());
    return file;
  }

  llvm::StringRef path() const { return name; }
  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(name);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

private:
  llvm::SmallString<128> name;
  std::unique_ptr<llvm::FileRemover> remover;
};

llvm::Error ended(llvm::ArrayRef<std::string> command, int code, llvm::StringRef said) {
  if (code == 0)
    return llvm::Error::success();
  std::string how =
      code < 0 ? "could not be run, or crashed" : "ended with exit code " + std::to_string(code);
  llvm::StringRef last = said.rtrim().rsplit('\n').second;
  last = last.empty() ? said.rtrim() : last;
  return llvm::createStringError("'" + llvm::join(command, " ") + "' " + how +
                                 (last.empty() ? "" : ": " + last.str()));
}

int execute(llvm::ArrayRef<std::string> command, llvm::ArrayRef<std::optional<llvm::StringRef>> redirects,
            std::string &message) {
  llvm::SmallVector<llvm::StringRef> words(command.begin(), command.end());
  return llvm::sys::ExecuteAndWait(words.front(), words, std::nullopt, redirects, 0, 0, &message);
}

} // namespace

llvm::Error tessera::runChild(llvm::ArrayRef<std::string> command) {
  std::string message;
  int code = execute(command, {}, message);
  return ended(command, code, message);
}

llvm::Expected<std::string> tessera::runChild(llvm::ArrayRef<std::string> command, llvm::StringRef input) {
  llvm::Expected<TemporaryFile> in = TemporaryFile::create(input);
  if (!in)
    return in.takeError();
  llvm::Expected<TemporaryFile> out = TemporaryFile::create(""), err = TemporaryFile::create("");
  if (!out || !err)
    return llvm::joinErrors(out ? llvm::Error::success() : out.takeError(),
                            err ? llvm::Error::success() : err.takeError());
  std::string message;
  int code = execute(command, {in->path(), out->path(), err->path()}, message);
  if (llvm::Error error = ended(command, code, message.empty() ? err->read() : message))
    return error;
  return out->read();
}
