//===- Checkpoint.cpp - A Hugging Face checkpoint's tensors ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A safetensors file is a length of 8 bytes, a JSON header and the tensors'
// data. The header comes from elsewhere, so all of it is checked before a
// tensor is read: lengths against the file, every tensor's bytes against its
// shape and type, and all of them against one another, as the format allows
// neither gaps nor overlaps. After that a read cannot go wrong but for the
// disk. Only headers are held in memory. Tensors are read with pread, piece by
// piece and by any thread, since a checkpoint is larger than a host's memory.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/Checkpoint.h"

#include "tessera/Support/Json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;

namespace {

constexpr llvm::StringLiteral kTypes[] = {"F32", "BF16", "F8_E4M3"};
constexpr int64_t kBytes[] = {4, 2, 1};
/// What safetensors itself takes at most.
constexpr uint64_t kLongestHeader = 100'000'000;

// ---- Headers ---------------------------------------------------------------------------------------------

/// The bytes that a tensor of that shape has, or nullopt if there is no such shape.
std::optional<uint64_t> bytesOfShape(llvm::ArrayRef<int64_t> shape, SourceType type) {
  int64_t bytes = bytesOf(type);
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes))
      return std::nullopt;
  return bytes;
}

std::optional<std::vector<int64_t>> wholeNumbers(const json::Array *array) {
  if (!array)
    return std::nullopt;
  std::vector<int64_t> numbers;
  for (const json::Value &value : *array) {
    std::optional<int64_t> number = value.getAsInteger();
    // Extents and offsets are counts; JSON would also have fractions and negative numbers.
    if (!number || *number < 0)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// One entry of a header. `offset` counts from the first byte after it.
llvm::Expected<SourceTensor> readEntry(llvm::StringRef name, const json::Value &value, uint64_t &end) {
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError("tensor '" + name + "': " + what);
  };
  const json::Object *entry = value.getAsObject();
  if (!entry)
    return fail("its entry is not an object");
  llvm::StringRef typeName = entry->getString("dtype").value_or("");
  const auto *type = llvm::find(kTypes, typeName);
  if (type == std::end(kTypes))
    return fail("its dtype is '" + typeName + "'; F32, BF16 and F8_E4M3 are read");
  auto shape = wholeNumbers(entry->getArray("shape")),
       offsets = wholeNumbers(entry->getArray("data_offsets"));
  if (!shape || !offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
    return fail("'shape' or 'data_offsets' is missing or is not a list of whole numbers in order");
  SourceTensor tensor{name.str(), SourceType(type - std::begin(kTypes)), *shape, 0, uint64_t((*offsets)[0])};
  end = (*offsets)[1];
  std::optional<uint64_t> bytes = bytesOfShape(*shape, tensor.type);
  if (!bytes || *bytes != end - tensor.offset)
    return fail("its shape and dtype do not fill bytes " + llvm::Twine((*offsets)[0]) + " to " +
                llvm::Twine(end));
  return tensor;
}

/// All entries, checked against one another and the size of the data.
llvm::Expected<std::vector<SourceTensor>> readEntries(const json::Object &header, uint64_t dataBytes) {
  std::vector<std::pair<uint64_t, SourceTensor>> entries; // with where they end
  for (const auto &[key, value] : header) {
    if (key == "__metadata__")
      continue;
    uint64_t end = 0;
    llvm::Expected<SourceTensor> tensor = readEntry(key, value, end);
    if (!tensor)
      return tensor.takeError();
    entries.emplace_back(end, std::move(*tensor));
  }
  // By place in the file; of two at one place the empty one first, else it would seem to overlap.
  llvm::sort(entries, [](const auto &a, const auto &b) {
    return std::tie(a.second.offset, a.first, a.second.name) <
           std::tie(b.second.offset, b.first, b.second.name);
  });
  std::vector<SourceTensor> tensors;
  uint64_t reached = 0;
  for (auto &[end, tensor] : entries) {
    if (tensor.offset < reached)
      return llvm::createStringError("tensor '" + tensor.name + "' overlaps '" + tensors.back().name + "'");
    // Gaps are as wrong as overlaps: the format knows neither, so the header belongs to another file.
    if (tensor.offset > reached)
      return llvm::createStringError("bytes " + llvm::Twine(reached) + " to " + llvm::Twine(tensor.offset) +
                                     " of the data belong to no tensor");
    if (end > dataBytes)
      return llvm::createStringError("tensor '" + tensor.name + "' ends at byte " + llvm::Twine(end) +
                                     " of the data, which has " + llvm::Twine(dataBytes) +
                                     "; the file is cut or its header is wrong");
    reached = end;
    tensors.push_back(std::move(tensor));
  }
  if (reached != dataBytes)
    return llvm::createStringError("bytes " + llvm::Twine(reached) + " to " + llvm::Twine(dataBytes) +
                                   " of the data belong to no tensor");
  return tensors;
}

/// The header as JSON, and where the data begins.
llvm::Expected<json::Value> readHeader(const SourceFile &file, uint64_t &dataBegin) {
  char length[8];
  if (file.bytes < sizeof(length))
    return llvm::createStringError("it has " + llvm::Twine(file.bytes) +
                                   " bytes, too few for a safetensors file");
  if (llvm::Error error = file.read(0, sizeof(length), length))
    return std::move(error);
  uint64_t bytes = llvm::support::endian::read64le(length);
  // Before a buffer of that size is made: the length is the first thing that a damaged file gets wrong.
  if (bytes > kLongestHeader || bytes > file.bytes - sizeof(length))
    return llvm::createStringError("its header claims " + llvm::Twine(bytes) + " bytes of a file of " +
                                   llvm::Twine(file.bytes));
  std::string text(bytes, '\0');
  if (llvm::Error error = file.read(sizeof(length), bytes, text.data()))
    return std::move(error);
  dataBegin = sizeof(length) + bytes;
  return parseJson(text);
}

} // namespace

llvm::StringRef runner::name(SourceType type) { return kTypes[unsigned(type)]; }
int64_t runner::bytesOf(SourceType type) { return kBytes[unsigned(type)]; }

SourceFile::~SourceFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

llvm::Error SourceFile::read(uint64_t offset, uint64_t count, void *to) const {
  char *at = static_cast<char *>(to);
  while (count > 0) {
    ssize_t done = ::pread(descriptor, at, count, off_t(offset));
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return llvm::createStringError("cannot read '" + path +
                                     "': " + (done == 0 ? "it has become shorter" : strerror(errno)));
    at += done, offset += done, count -= done;
  }
  return llvm::Error::success();
}

// ---- Folders ---------------------------------------------------------------------------------------------

llvm::Error Checkpoint::addFile(const std::string &path) {
  auto fail = [&](llvm::Error error) {
    return llvm::createStringError(path + ": " + llvm::toString(std::move(error)));
  };
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return llvm::createStringError("cannot read '" + path + "': " + strerror(errno));
  // To open a pipe would wait for whoever writes it.
  if (!S_ISREG(status.st_mode))
    return llvm::createStringError("cannot read '" + path + "': it is not a file");
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return llvm::createStringError("cannot read '" + path + "': " + strerror(errno));
  SourceFile file(path, descriptor);
  file.bytes = status.st_size;
  // In nanoseconds. It is part of the key by which a converted file is known to be up to date (keyOf in
  // WeightConverter.cpp).
  file.modified = status.st_mtim.tv_sec * int64_t(1'000'000'000) + status.st_mtim.tv_nsec;
  uint64_t dataBegin = 0;
  llvm::Expected<json::Value> header = readHeader(file, dataBegin);
  if (!header)
    return fail(header.takeError());
  const json::Object *object = header->getAsObject();
  if (!object)
    return llvm::createStringError(path + ": its header is not a JSON object");
  llvm::Expected<std::vector<SourceTensor>> read = readEntries(*object, file.bytes - dataBegin);
  if (!read)
    return fail(read.takeError());
  for (SourceTensor &tensor : *read) {
    tensor.file = files.size();
    tensor.offset += dataBegin;
    // A copy, as the tensor is moved into the map under its own name.
    std::string name = tensor.name;
    if (!tensors.try_emplace(name, std::move(tensor)).second)
      return llvm::createStringError(path + ": tensor '" + name + "' is in another file, too");
  }
  files.push_back(std::move(file));
  return llvm::Error::success();
}

llvm::Expected<Checkpoint> Checkpoint::open(const std::string &folder) {
  Checkpoint checkpoint;
  std::string index = folder + "/model.safetensors.index.json";
  auto buffer = llvm::MemoryBuffer::getFile(index);
  // A checkpoint of one file has no index.
  if (!buffer && llvm::sys::fs::exists(folder + "/model.safetensors")) {
    if (llvm::Error error = checkpoint.addFile(folder + "/model.safetensors"))
      return std::move(error);
    return checkpoint;
  }
  if (!buffer)
    return llvm::createStringError("cannot read '" + index + "': " + buffer.getError().message());
  llvm::Expected<json::Value> value = parseJson((*buffer)->getBuffer());
  if (!value)
    return llvm::createStringError(index + ": " + llvm::toString(value.takeError()));
  const json::Object *map = value->getAsObject() ? value->getAsObject()->getObject("weight_map") : nullptr;
  if (!map)
    return llvm::createStringError(index + ": there is no object 'weight_map'");
  std::vector<std::pair<std::string, std::string>> listed; // file, tensor
  for (const auto &[name, file] : *map) {
    llvm::StringRef text = file.getAsString().value_or("");
    // A checkpoint is one folder; an index from elsewhere must not make this open other files.
    if (text.empty() || text.contains('/'))
      return llvm::createStringError(index + ": '" + llvm::StringRef(name) +
                                     "' should be in a file of this folder");
    listed.emplace_back(text.str(), llvm::StringRef(name).str());
  }
  // By file, so that each is opened once, and in the same order on every run: an index is an object, which has none.
  llvm::sort(listed);
  for (size_t i = 0; i != listed.size(); ++i)
    if (i == 0 || listed[i].first != listed[i - 1].first)
      if (llvm::Error error = checkpoint.addFile(folder + "/" + listed[i].first))
        return std::move(error);
  // An index that promises more than the files hold is as wrong as a file that is cut.
  for (const auto &[file, name] : listed)
    if (const SourceTensor *tensor = checkpoint.find(name);
        !tensor || checkpoint.fileOf(*tensor).path != folder + "/" + file)
      return llvm::createStringError(index + ": tensor '" + name + "' is not in " + file);
  return checkpoint;
}

const SourceTensor *Checkpoint::find(llvm::StringRef name) const {
  auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : &found->second;
}

std::vector<llvm::StringRef> Checkpoint::names() const {
  std::vector<llvm::StringRef> names(tensors.keys().begin(), tensors.keys().end());
  llvm::sort(names);
  return names;
}

llvm::Error Checkpoint::read(const SourceTensor &tensor, int64_t first, int64_t count, void *to) const {
  int64_t size = bytesOf(tensor.type);
  return files[tensor.file].read(tensor.offset + first * size, count * size, to);
}
