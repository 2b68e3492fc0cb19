//===- TensorFile.cpp - .tensorbin files ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Headers of .tensorbin files: a flatbuffer between a length and the data.
// Files that are read may come from elsewhere. Flatbuffers' verifier sees that
// the header holds together; that its numbers fit the file (types that are
// known, shards that lie within it and have the size that shape and type say)
// is checked here, once, so that WeightReader may take pointers into a mapped
// file.
//
//===----------------------------------------------------------------------===//
#include "TensorFile.h"

#include "tensorbin_generated.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace tessera;
using namespace tessera::runner;
namespace fb = tessera::runner::tensorbin;

namespace {

/// By the number that stands in files.
constexpr DataType kTypes[] = {DataType::BFloat16,    DataType::Float32,     DataType::UInt32,
                               DataType::BFP_BFloat8, DataType::BFP_BFloat4, DataType::UInt8,
                               DataType::UInt16,      DataType::Int32};
constexpr size_t kSizeField = 8;
constexpr int64_t kTileEdge = 32; // of a tile

using Builder = flatbuffers::FlatBufferBuilder;

std::vector<uint32_t> narrow(llvm::ArrayRef<int64_t> numbers) { return {numbers.begin(), numbers.end()}; }

flatbuffers::Offset<fb::MemoryConfig> encodeMemory(Builder &builder, const MemoryConfig &memory) {
  flatbuffers::Offset<fb::ShardSpec> spec;
  if (memory.shard_spec) {
    std::vector<flatbuffers::Offset<fb::CoreRange>> ranges;
    for (const CoreRange &range : memory.shard_spec->grid) {
      auto start = fb::CreateCoreCoord(builder, int32_t(range.start.x), int32_t(range.start.y));
      ranges.push_back(fb::CreateCoreRange(
          builder, start, fb::CreateCoreCoord(builder, int32_t(range.end.x), int32_t(range.end.y))));
    }
    spec = fb::CreateShardSpec(builder, fb::CreateCoreRangeSetDirect(builder, &ranges),
                               uint32_t(memory.shard_spec->shape[0]), uint32_t(memory.shard_spec->shape[1]));
  }
  return fb::CreateMemoryConfig(builder, uint16_t(memory.memory_layout), uint16_t(memory.buffer_type), spec);
}

flatbuffers::Offset<fb::TensorSpec> encodeSpec(Builder &builder, const TensorHeader &header) {
  bool tiled = header.layout == PageLayout::Tile;
  auto page = tiled ? fb::CreateTilePageConfig(builder, fb::CreateTile(builder, kTileEdge, kTileEdge)).Union()
                    : fb::CreateRowMajorPageConfig(builder).Union();
  std::vector<uint32_t> alignment =
      tiled ? std::vector<uint32_t>{kTileEdge, kTileEdge} : std::vector<uint32_t>{1};
  auto type = uint8_t(llvm::find(kTypes, header.type) - std::begin(kTypes));
  auto layout =
      fb::CreateTensorLayoutDirect(builder, type, tiled ? fb::PageConfig_tile : fb::PageConfig_row_major,
                                   page, encodeMemory(builder, header.memory), &alignment);
  std::vector<uint32_t> shape = narrow(header.shape);
  return fb::CreateTensorSpecDirect(builder, &shape, layout);
}

flatbuffers::Offset<fb::MeshCoordinate> coordinate(Builder &builder, const TensorHeader &header,
                                                   size_t device) {
  std::vector<uint32_t> values = {uint32_t(device / header.mesh.columns),
                                  uint32_t(device % header.mesh.columns)};
  return fb::CreateMeshCoordinateDirect(builder, &values);
}

flatbuffers::Offset<fb::TensorTopology> encodeTopology(Builder &builder, const TensorHeader &header) {
  std::vector<flatbuffers::Offset<fb::Placement>> placements;
  for (int64_t dim : {header.rowDim, header.columnDim})
    // A placement without a dimension says replicated.
    placements.push_back(fb::CreatePlacement(builder, dim >= 0, int32_t(dim)));
  std::vector<flatbuffers::Offset<fb::MeshCoordinate>> coordinates;
  for (size_t device = 0; device != header.stored.size(); ++device)
    coordinates.push_back(coordinate(builder, header, device));
  std::vector<uint32_t> mesh = narrow({header.mesh.rows, header.mesh.columns});
  return fb::CreateTensorTopologyDirect(builder, fb::CreateMeshShapeDirect(builder, &mesh), &placements,
                                        &coordinates);
}

} // namespace

uint32_t TensorHeader::storedCount() const { return stored.empty() ? 0 : *llvm::max_element(stored) + 1; }

uint64_t runner::bytesOfShard(llvm::ArrayRef<int64_t> shape, DataType type, PageLayout layout) {
  // Saturates: shapes come from files.
  Bytes bytes = layout == PageLayout::Tile ? tileBytes(type) : scalarBytes(type);
  for (auto [i, extent] : llvm::enumerate(shape))
    bytes =
        bytes * (layout == PageLayout::Tile && i + 2 >= shape.size() ? ceilDiv(extent, kTileEdge) : extent);
  return bytes.value();
}

std::string runner::encodeHeader(const TensorHeader &header) {
  Builder builder;
  auto spec = encodeSpec(builder, header);
  std::vector<flatbuffers::Offset<fb::TensorShard>> shards;
  for (auto [device, stored] : llvm::enumerate(header.stored)) {
    fb::InlineFileStorage storage(header.offsetOf(stored), header.shardBytes);
    auto buffer = builder.CreateStruct(storage).Union();
    shards.push_back(fb::CreateTensorShard(builder, fb::TensorBuffer_InlineFileStorage, buffer,
                                           coordinate(builder, header, device)));
  }
  std::vector<uint32_t> mesh = narrow({header.mesh.rows, header.mesh.columns});
  auto meshShape = fb::CreateMeshShapeDirect(builder, &mesh);
  auto all = builder.CreateVector(shards);
  builder.Finish(fb::CreateTensor(builder, spec, meshShape, all, encodeTopology(builder, header)));
  // Room for the size, which is known when all that follows is there.
  std::string bytes(kSizeField, '\0');
  bytes.append(reinterpret_cast<const char *>(builder.GetBufferPointer()), builder.GetSize());
  bytes.resize(alignUp(int64_t(bytes.size()), 8)); // the data region is aligned
  llvm::support::endian::write64le(bytes.data(), bytes.size() - kSizeField);
  return bytes;
}

// ---- Reading ---------------------------------------------------------------------------------------------

namespace {

/// What every reader needs is there; the rest may be missing.
bool isComplete(const fb::Tensor *tensor) {
  const fb::TensorSpec *spec = tensor->tensor_spec();
  return spec && spec->shape() && spec->tensor_layout() && spec->tensor_layout()->page_config() &&
         tensor->shards() && tensor->shards()->size() > 0 && tensor->mesh_shape() &&
         tensor->mesh_shape()->dimensions() && tensor->mesh_shape()->dimensions()->size() == 2;
}

llvm::Expected<MemoryConfig> decodeMemory(const fb::MemoryConfig *stored) {
  MemoryConfig memory;
  if (!stored)
    return memory;
  constexpr unsigned kBuffers = 5, kLayouts = 5;
  // No layout has the number 1, and ND shards (5) have another description than this.
  if (stored->memory_layout() >= kLayouts || stored->memory_layout() == 1 ||
      stored->buffer_type() >= kBuffers)
    return llvm::createStringError("its memory config has unknown numbers");
  memory.memory_layout = MemoryLayout(stored->memory_layout());
  memory.buffer_type = BufferType(stored->buffer_type());
  const fb::ShardSpec *spec = stored->shard_spec();
  if (!spec)
    return memory;
  memory.shard_spec = ShardSpec{{}, {spec->shape_h(), spec->shape_w()}};
  if (spec->grid() && spec->grid()->ranges())
    for (const fb::CoreRange *range : *spec->grid()->ranges()) {
      if (!range->start() || !range->end())
        return llvm::createStringError("its memory config has a core range without corners");
      memory.shard_spec->grid.push_back(
          {{range->start()->x(), range->start()->y()}, {range->end()->x(), range->end()->y()}});
    }
  return memory;
}

llvm::Error decodeShards(const fb::Tensor *tensor, uint64_t dataBytes, TensorHeader &header) {
  header.shardBytes = bytesOfShard(header.shape, header.type, header.layout);
  // Shards of the same bytes are stored once, so that several devices may have one offset: the offset names the stored
  // shard. Upstream does not check where a shard lies (facts/deepseek 5.1); a file that was cut would be read past its
  // end.
  // Files that we write place shards back to back, each at a multiple of 8 bytes. A file that places them otherwise is
  // refused rather than read, as there is no number of a stored shard to give it.
  uint64_t step = std::max<uint64_t>(alignUp(Bytes(header.shardBytes), Bytes(8)).value(), 8);
  for (const fb::TensorShard *shard : *tensor->shards()) {
    const fb::InlineFileStorage *storage = shard->buffer_as_InlineFileStorage();
    if (!storage)
      return llvm::createStringError("a shard has no place in the file");
    if (storage->size() != header.shardBytes || storage->offset() % step != 0)
      return llvm::createStringError("a shard's size or place does not fit its shape");
    if (storage->offset() > dataBytes || storage->size() > dataBytes - storage->offset())
      return llvm::createStringError("a shard ends behind the file: it is cut or its header is wrong");
    header.stored.push_back(uint32_t(storage->offset() / step));
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<TensorHeader> runner::decodeHeader(llvm::StringRef file, uint64_t &dataBegin) {
  if (file.size() < kSizeField)
    return llvm::createStringError("it has " + llvm::Twine(file.size()) +
                                   " bytes, too few for a tensor file");
  uint64_t size = llvm::support::endian::read64le(file.data());
  if (size > file.size() - kSizeField)
    return llvm::createStringError("its header claims " + llvm::Twine(size) + " bytes of a file of " +
                                   llvm::Twine(file.size()));
  dataBegin = kSizeField + size;
  // The verifier needs aligned bytes.
  std::vector<uint64_t> aligned((size + 7) / 8);
  std::memcpy(aligned.data(), file.data() + kSizeField, size);
  const auto *bytes = reinterpret_cast<const uint8_t *>(aligned.data());
  flatbuffers::Verifier verifier(bytes, size);
  if (!fb::VerifyTensorBuffer(verifier) || !isComplete(fb::GetTensor(bytes)))
    return llvm::createStringError("its header is not a valid description of a tensor");
  const fb::Tensor *tensor = fb::GetTensor(bytes);
  const fb::TensorLayout *layout = tensor->tensor_spec()->tensor_layout();
  if (layout->data_type() >= std::size(kTypes))
    return llvm::createStringError("its data type has the unknown number " +
                                   llvm::Twine(layout->data_type()));
  TensorHeader header;
  header.shape.assign(tensor->tensor_spec()->shape()->begin(), tensor->tensor_spec()->shape()->end());
  header.type = kTypes[layout->data_type()];
  header.layout = layout->page_config_type() == fb::PageConfig_tile ? PageLayout::Tile : PageLayout::RowMajor;
  // Tiles of other shapes have their numbers in another order.
  if (const fb::TilePageConfig *page = layout->page_config_as_tile(); page && page->tile())
    if (const fb::Tile &tile = *page->tile();
        tile.tile_shape_h() != kTileEdge || tile.tile_shape_w() != kTileEdge)
      return llvm::createStringError("it has tiles of " + llvm::Twine(tile.tile_shape_h()) + "x" +
                                     llvm::Twine(tile.tile_shape_w()) + "; those of 32x32 are read");
  header.mesh = {(*tensor->mesh_shape()->dimensions())[0], (*tensor->mesh_shape()->dimensions())[1]};
  if (isBlockFloat(header.type) && header.layout != PageLayout::Tile)
    return llvm::createStringError("it is row-major, and " + name(header.type) + " exists in tiles only");
  llvm::Expected<MemoryConfig> memory = decodeMemory(layout->memory_config());
  if (!memory)
    return memory.takeError();
  header.memory = std::move(*memory);
  if (const fb::TensorTopology *topology = tensor->tensor_topology())
    // Of one or of more axes there is nothing that a mesh of rows and columns could take.
    if (const auto *placements = topology->placements(); placements && placements->size() == 2) {
      header.rowDim = placements->Get(0)->tensor_dim();
      header.columnDim = placements->Get(1)->tensor_dim();
    }
  if (llvm::Error error = decodeShards(tensor, file.size() - dataBegin, header))
    return std::move(error);
  return header;
}
