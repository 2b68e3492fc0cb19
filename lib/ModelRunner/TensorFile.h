//===- TensorFile.h - .tensorbin files ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The files that TTNN loads: eight bytes with the size of a flatbuffer, the
// flatbuffer (lib/ModelRunner/tensorbin.fbs), and the data of the shards
// (facts/deepseek 5.1). Shards with the same content are stored once.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_MODELRUNNER_TENSORFILE_H
#define TESSERA_LIB_MODELRUNNER_TENSORFILE_H

#include "tessera/ModelRunner/TtnnValues.h"

#include "llvm/Support/Error.h"

namespace tessera::runner {

/// What stands in front of the data.
struct TensorHeader {
  std::vector<int64_t> shape; ///< of a device's shard
  DataType type = DataType::BFloat16;
  PageLayout layout = PageLayout::Tile;
  MemoryConfig memory;
  GridShape mesh;
  /// Which dimension of the shape each axis of the mesh cuts, or -1: replicated.
  int64_t rowDim = -1, columnDim = -1;
  uint64_t shardBytes = 0;      ///< all shards have the same size
  std::vector<uint32_t> stored; ///< per device, row by row: which of the stored shards is its own

  uint32_t storedCount() const;
  /// Where a stored shard begins in the data region.
  uint64_t offsetOf(uint32_t shard) const { return alignUp(int64_t(shardBytes), 8) * shard; }
};

/// Bytes of a shard in that layout: tiles, or rows as they are.
uint64_t bytesOfShard(llvm::ArrayRef<int64_t> shape, DataType type, PageLayout layout);

/// The size field and the flatbuffer; the data follows. Requires a type that .tensorbin has.
std::string encodeHeader(const TensorHeader &header);

/// Reads the header of a file's bytes, and where its data begins. One error says what is wrong: too short, no valid
/// flatbuffer, a type or shape that the shards' sizes contradict, shards that end behind the file.
llvm::Expected<TensorHeader> decodeHeader(llvm::StringRef file, uint64_t &dataBegin);

} // namespace tessera::runner

#endif // TESSERA_LIB_MODELRUNNER_TENSORFILE_H
