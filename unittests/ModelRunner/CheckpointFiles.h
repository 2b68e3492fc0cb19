//===- CheckpointFiles.h - Checkpoints for tests --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_MODELRUNNER_CHECKPOINTFILES_H
#define TESSERA_UNITTESTS_MODELRUNNER_CHECKPOINTFILES_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tessera::runner {

/// A folder that goes with its object.
class TemporaryFolder {
public:
  TemporaryFolder() { llvm::sys::fs::createUniqueDirectory("tessera-test", folder); }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(folder); }
  std::string at(llvm::StringRef name) const { return (folder + "/" + name).str(); }
  void write(llvm::StringRef name, llvm::StringRef bytes) const {
    std::error_code error;
    llvm::raw_fd_ostream(at(name), error) << bytes;
  }

private:
  llvm::SmallString<128> folder;
};

/// A safetensors file of that header and data.
inline std::string safetensors(llvm::StringRef header, llvm::StringRef data) {
  std::string file(8, '\0');
  llvm::support::endian::write64le(file.data(), header.size());
  return file + header.str() + data.str();
}

inline std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

} // namespace tessera::runner

#endif // TESSERA_UNITTESTS_MODELRUNNER_CHECKPOINTFILES_H
