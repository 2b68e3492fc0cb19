//===- Checkpoint.h - A Hugging Face checkpoint's tensors -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A folder of safetensors files: each begins with the length of its header, the
// header is JSON, {name: {dtype, shape, data_offsets}}, and the tensors' bytes
// follow (facts/deepseek 4.3). Headers are read when the folder is opened, and
// nothing of them is trusted; tensors are read piece by piece, so that memory
// does not depend on the size of the checkpoint.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_CHECKPOINT_H
#define TESSERA_MODELRUNNER_CHECKPOINT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::runner {

/// Formats of checkpoints that are read.
enum class SourceType : uint8_t { F32, BF16, F8_E4M3 };
/// "F32" "BF16" "F8_E4M3", as in headers.
llvm::StringRef name(SourceType type);
/// Of one element.
int64_t bytesOf(SourceType type);

struct SourceTensor {
  std::string name;
  SourceType type = SourceType::F32;
  std::vector<int64_t> shape;
  size_t file = 0;     ///< index into Checkpoint::files
  uint64_t offset = 0; ///< of the first byte in the file
};

/// An open file; closed at the end.
class SourceFile {
public:
  SourceFile(std::string path, int descriptor) : path(std::move(path)), descriptor(descriptor) {}
  SourceFile(SourceFile &&other) noexcept
      : path(std::move(other.path)), bytes(other.bytes), modified(other.modified),
        descriptor(other.descriptor) {
    other.descriptor = -1;
  }
  ~SourceFile();
  /// Exactly `count` bytes, or an error.
  llvm::Error read(uint64_t offset, uint64_t count, void *to) const;

  std::string path;
  uint64_t bytes = 0;
  int64_t modified = 0; ///< nanoseconds since 1970

private:
  int descriptor;
};

class Checkpoint {
public:
  /// Opens what DIR/model.safetensors.index.json lists, or DIR/model.safetensors. One error names the file and what is
  /// wrong with it.
  static llvm::Expected<Checkpoint> open(const std::string &folder);

  /// nullptr if there is none.
  const SourceTensor *find(llvm::StringRef name) const;
  const SourceFile &fileOf(const SourceTensor &tensor) const { return files[tensor.file]; }
  /// Names, sorted.
  std::vector<llvm::StringRef> names() const;

  /// Reads `count` elements from the `first` on, in row-major order. Any thread may.
  llvm::Error read(const SourceTensor &tensor, int64_t first, int64_t count, void *to) const;

private:
  Checkpoint() = default;
  llvm::Error addFile(const std::string &path);

  std::vector<SourceFile> files;
  llvm::StringMap<SourceTensor> tensors;
};

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_CHECKPOINT_H
