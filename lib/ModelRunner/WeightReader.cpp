//===- WeightReader.cpp - Tensor files as numbers -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Converted weights, read for a run. Files are mapped and not copied; a tensor
// is decoded into floats when an op asks for it. decodeHeader() has checked
// that every shard lies within its file, so that read() only computes
// addresses.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/WeightReader.h"

#include "TensorFile.h"
#include "tessera/Layout/BlockFloat.h"
#include "tessera/ModelRunner/ConfigHelpers.h"
#include "tessera/ModelRunner/ItemJson.h"
#include "tessera/ModelRunner/WeightFolder.h"
#include "tessera/Support/Json.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <bit>

using namespace tessera;
using namespace tessera::runner;

/// `header.stored` says per device which shard it has; shards begin at `dataBegin`.
struct WeightReader::File {
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  TensorHeader header;
  uint64_t dataBegin = 0;
  StoredTensor stored;
};

WeightReader::WeightReader() = default;
WeightReader::WeightReader(WeightReader &&) noexcept = default;
WeightReader::~WeightReader() = default;

namespace {

/// The files that a weight config names.
void addPaths(const Item &item, std::vector<std::string> &paths) {
  if (const auto *saved = item.get<SavedWeight>())
    paths.push_back(saved->path);
  if (const auto *dict = item.get<Dict>())
    for (const auto &[key, value] : dict->entries)
      addPaths(value, paths);
  if (const auto *list = item.get<Sequence>())
    for (const Item &each : list->items)
      addPaths(each, paths);
}

llvm::Expected<Item> readWeightConfig(const std::string &folder) {
  std::string path = folder + "/weights.json";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message() +
                                   "; 'tessera weights convert' writes it when all files are there");
  llvm::Expected<llvm::json::Value> json = parseJson((*buffer)->getBuffer());
  llvm::Expected<Item> item = json ? itemFromJson(*json) : llvm::Expected<Item>(json.takeError());
  if (!item)
    return llvm::createStringError(path + ": " + llvm::toString(item.takeError()));
  return item;
}

int64_t volume(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// A matrix of tiles, as rows.
void untile(DataType type, const uint8_t *bytes, int64_t height, int64_t width, float *elements) {
  float tile[kTile * kTile];
  for (int64_t row = 0; row < height; row += kTile)
    for (int64_t column = 0; column < width; column += kTile, bytes += tileBytes(type).value()) {
      unpackTile(type, bytes, tile);
      for (int64_t i = 0; i != std::min(kTile, height - row); ++i)
        std::copy_n(tile + i * kTile, std::min(kTile, width - column), elements + (row + i) * width + column);
    }
}

} // namespace

/// All files at once: what is wrong with any of them is told before hours of a run.
llvm::Expected<WeightReader> WeightReader::open(const std::string &folder) {
  WeightReader reader;
  llvm::Expected<HfConfig> hf = readHfFolder(folder);
  if (!hf)
    return hf.takeError();
  reader.config = *hf;
  llvm::Expected<Item> weights = readWeightConfig(folder);
  if (!weights)
    return weights.takeError();
  reader.weights = std::move(*weights);
  std::vector<std::string> paths;
  addPaths(reader.weights, paths);
  for (const std::string &path : paths) {
    // The config may come from elsewhere: it must not name files of the reader's that are no weights.
    if (!staysInside(path))
      return llvm::createStringError(folder + "/weights.json: '" + path +
                                     "' is not the name of a tensor file of this folder");
    // To map a pipe would wait for whoever writes it.
    if (llvm::sys::fs::exists(folder + "/" + path) && !llvm::sys::fs::is_regular_file(folder + "/" + path))
      return llvm::createStringError("cannot read '" + folder + "/" + path + "': it is not a file");
    // Mapped, not read: a model has more bytes than a host has memory, and most of them are read once, a tensor
    // at a time.
    auto bytes = llvm::MemoryBuffer::getFile(folder + "/" + path, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
    if (!bytes)
      return llvm::createStringError("cannot read '" + folder + "/" + path +
                                     "': " + bytes.getError().message());
    auto file = std::make_unique<File>();
    llvm::Expected<TensorHeader> header = decodeHeader((*bytes)->getBuffer(), file->dataBegin);
    if (!header)
      return llvm::createStringError(folder + "/" + path + ": " + llvm::toString(header.takeError()));
    if (!canPackTile(header->type))
      return llvm::createStringError(folder + "/" + path + ": weights of type " + name(header->type) +
                                     " are not read");
    // The first file decides for which mesh the folder is; the others must agree.
    if (reader.meshShape.volume() == 0)
      reader.meshShape = header->mesh;
    if (header->mesh != reader.meshShape || int64_t(header->stored.size()) != reader.meshShape.volume())
      return llvm::createStringError(folder + "/" + path + ": is for another mesh than the files before it");
    file->bytes = std::move(*bytes);
    file->stored = {header->shape, header->type, header->layout};
    file->header = std::move(*header);
    reader.files[path] = std::move(file);
  }
  if (paths.empty())
    return llvm::createStringError("'" + folder + "/weights.json' names no weights");
  return reader;
}

uint64_t WeightReader::bytesMapped() const {
  uint64_t bytes = 0;
  for (const auto &file : files)
    bytes += file.second->bytes->getBufferSize();
  return bytes;
}

const StoredTensor *WeightReader::find(llvm::StringRef file) const {
  auto found = files.find(file);
  return found == files.end() ? nullptr : &found->second->stored;
}

/// All elements of one device's shard, row-major. `elements` has as many as its shape says.
void WeightReader::read(llvm::StringRef name, size_t device, llvm::MutableArrayRef<float> elements) const {
  const File &file = *files.find(name)->second;
  const auto *data = reinterpret_cast<const uint8_t *>(file.bytes->getBufferStart()) + file.dataBegin +
                     file.header.offsetOf(file.header.stored[device]);
  llvm::ArrayRef<int64_t> shape = file.stored.shape;
  // bf16 or f32: block floats, the other two that are read, exist in tiles only.
  if (file.stored.layout == PageLayout::RowMajor) {
    for (size_t i = 0; i != elements.size(); ++i)
      elements[i] = file.stored.type == DataType::BFloat16
                        ? fromBFloat16(llvm::support::endian::read16le(data + 2 * i))
                        : std::bit_cast<float>(llvm::support::endian::read32le(data + 4 * i));
    return;
  }
  int64_t width = shape.back(), height = shape.size() > 1 ? shape[shape.size() - 2] : 1;
  int64_t matrices = volume(shape) / std::max<int64_t>(width * height, 1);
  // Each matrix is padded to whole tiles by itself, so that its bytes do not follow from its elements.
  uint64_t bytes = file.header.shardBytes / std::max<int64_t>(matrices, 1);
  for (int64_t i = 0; i != matrices; ++i)
    untile(file.stored.type, data + i * bytes, height, width, elements.data() + i * width * height);
}
