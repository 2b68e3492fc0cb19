//===- WeightReader.h - Tensor files as numbers ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Files are mapped into memory, each once for all who read it, so that prefill
// and decode share one copy and pages come from disk when they are needed.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_WEIGHTREADER_H
#define TESSERA_MODELRUNNER_WEIGHTREADER_H

#include "tessera/ModelRunner/HfConfig.h"

#include "llvm/ADT/StringMap.h"

namespace tessera::runner {

/// What a device's shard of a file holds.
struct StoredTensor {
  std::vector<int64_t> shape;
  DataType type = DataType::BFloat16;
  PageLayout layout = PageLayout::Tile;
};

class WeightReader {
public:
  /// Opens a folder that `tessera weights convert` has finished. An error if it is none, or if a file is damaged at its
  /// head, or if files are for different meshes.
  static llvm::Expected<WeightReader> open(const std::string &folder);
  WeightReader(WeightReader &&) noexcept;
  ~WeightReader();

  const HfConfig &hf() const { return config; }
  const Item &weightConfig() const { return weights; }
  /// That the weights are cut for.
  GridShape mesh() const { return meshShape; }
  uint64_t bytesMapped() const;

  /// nullptr if there is no such file.
  const StoredTensor *find(llvm::StringRef file) const;
  /// The elements of a device's shard, in row-major order. Requires that the file is there, that `device` is one of the
  /// mesh, and room for as many elements as the shape has.
  void read(llvm::StringRef file, size_t device, llvm::MutableArrayRef<float> elements) const;

private:
  struct File;
  WeightReader();

  HfConfig config;
  Item weights;
  GridShape meshShape{0, 0};
  llvm::StringMap<std::unique_ptr<File>> files;
};

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_WEIGHTREADER_H
