//===- TemporaryFile.cpp - Files that are gone afterwards -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Support/TemporaryFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <utility>

using namespace tessera;

llvm::Expected<TemporaryFile> TemporaryFile::make(llvm::StringRef prefix, llvm::StringRef suffix) {
  llvm::SmallString<128> path, folder;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile(prefix, suffix, path)) {
    llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, folder);
    return llvm::createStringError(
        code, "cannot make a file in '" + folder.str() +
                  "', the folder for temporary files (TMPDIR names another): " + code.message());
  }
  return TemporaryFile(path.str().str());
}

TemporaryFile::TemporaryFile(std::string name) : name(std::move(name)) {
  llvm::sys::RemoveFileOnSignal(this->name);
}

TemporaryFile::TemporaryFile(TemporaryFile &&other) noexcept : name(std::exchange(other.name, "")) {}

TemporaryFile::~TemporaryFile() {
  if (name.empty())
    return;
  // It may be gone already. NOLINTNEXTLINE(bugprone-unused-return-value)
  llvm::sys::fs::remove(name);
  llvm::sys::DontRemoveFileOnSignal(name);
}
