//===- AtomicFile.cpp - Files that are whole or untouched ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/AtomicFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

using namespace llvm;

namespace tessera {
namespace {

Error cannotWrite(StringRef path, std::error_code reason) {
  return createStringError(reason, "cannot write '%s': %s", path.str().c_str(), reason.message().c_str());
}

/// Prints to an open file. The stream does not close the descriptor.
std::error_code print(int descriptor, function_ref<void(raw_ostream &)> write) {
  raw_fd_ostream stream(descriptor, /*shouldClose=*/false);
  write(stream);
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error(); // reported by us; the destructor would end the process
  return error;
}

Error writeInPlace(StringRef path, function_ref<void(raw_ostream &)> write) {
  int descriptor = -1;
  if (std::error_code error = sys::fs::openFileForWrite(path, descriptor, sys::fs::CD_OpenExisting))
    return cannotWrite(path, error);
  std::error_code error = print(descriptor, write);
  sys::fs::file_t file = sys::fs::convertFDToNativeFile(descriptor);
  std::error_code closeError = sys::fs::closeFile(file);
  if (error || closeError)
    return cannotWrite(path, error ? error : closeError);
  return Error::success();
}

Error writeBeside(StringRef path, StringRef target, unsigned mode, function_ref<void(raw_ostream &)> write) {
  Expected<sys::fs::TempFile> temporary = sys::fs::TempFile::create(target + ".tmp-%%%%%%%%", mode);
  if (!temporary)
    return cannotWrite(path, errorToErrorCode(temporary.takeError()));
  if (std::error_code error = print(temporary->FD, write)) {
    consumeError(temporary->discard());
    return cannotWrite(path, error);
  }
  // A failing keep() removes the temporary itself.
  if (Error error = temporary->keep(target))
    return cannotWrite(path, errorToErrorCode(std::move(error)));
  return Error::success();
}

} // namespace

Error writeFileAtomically(StringRef path, function_ref<void(raw_ostream &)> write) {
  if (path == "-") {
    outs().flush();
    if (std::error_code error = print(/*descriptor=*/1, write))
      return cannotWrite("<stdout>", error);
    return Error::success();
  }
  sys::fs::file_status status;
  if (sys::fs::status(path, status))
    return writeBeside(path, path, sys::fs::all_read | sys::fs::all_write, write);
  if (sys::fs::is_directory(status))
    return cannotWrite(path, std::make_error_code(std::errc::is_a_directory));
  if (!sys::fs::is_regular_file(status))
    return writeInPlace(path, write);
  SmallString<128> target;
  if (std::error_code error = sys::fs::real_path(path, target))
    return cannotWrite(path, error);
  return writeBeside(path, target, status.permissions(), write);
}

} // namespace tessera
