//===- VectorFile.cpp - NumPy's archives of arrays, for tests -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// An .npz file is a ZIP archive of .npy files, stored or deflated. Its directory
// stands at the end (APPNOTE.TXT 4.3.12 and 4.3.16).
//
//===----------------------------------------------------------------------===//
#include "VectorFile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>
#include <zlib.h>

namespace tessera::simulator {

namespace {

using llvm::support::endian::read16le;
using llvm::support::endian::read32le;

/// Data without zlib's header, as ZIP has it.
std::string inflated(llvm::StringRef from, size_t size) {
  std::string to(size, '\0');
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(from.data()));
  stream.avail_in = unsigned(from.size());
  stream.next_out = reinterpret_cast<Bytef *>(to.data());
  stream.avail_out = unsigned(size);
  bool done = inflateInit2(&stream, -MAX_WBITS) == Z_OK && inflate(&stream, Z_FINISH) == Z_STREAM_END;
  inflateEnd(&stream);
  return done ? to : std::string();
}

/// An entry of the directory.
struct Entry {
  llvm::StringRef name;
  std::string content;
  size_t length; ///< of the entry itself
};

Entry readEntry(llvm::StringRef archive, size_t at) {
  const char *entry = archive.data() + at;
  size_t packed = read32le(entry + 20), size = read32le(entry + 24), nameLength = read16le(entry + 28);
  const char *local = archive.data() + read32le(entry + 42);
  llvm::StringRef data(local + 30 + read16le(local + 26) + read16le(local + 28), packed);
  constexpr uint16_t kStored = 0;
  return {archive.substr(at + 46, nameLength),
          read16le(entry + 10) == kStored ? data.str() : inflated(data, size),
          46 + nameLength + read16le(entry + 30) + read16le(entry + 32)};
}

/// The elements of an .npy file of fp32.
std::vector<float> floatsOf(llvm::StringRef file) {
  if (file.size() < 10)
    return {};
  size_t header = read16le(file.data() + 8), begin = 10 + header;
  if (!file.substr(10, header).contains("'<f4'"))
    return {};
  std::vector<float> floats((file.size() - begin) / sizeof(float));
  std::memcpy(floats.data(), file.data() + begin, floats.size() * sizeof(float));
  return floats;
}

} // namespace

std::map<std::string, std::vector<float>> readVectors(const std::filesystem::path &file) {
  std::map<std::string, std::vector<float>> arrays;
  auto buffer = llvm::MemoryBuffer::getFile(file.string());
  if (!buffer)
    return arrays;
  llvm::StringRef archive = (*buffer)->getBuffer();
  size_t end = archive.rfind("PK\x05\x06");
  if (end == llvm::StringRef::npos)
    return arrays;
  size_t at = read32le(archive.data() + end + 16);
  for (unsigned i = 0, count = read16le(archive.data() + end + 10); i < count; ++i) {
    Entry entry = readEntry(archive, at);
    entry.name.consume_back(".npy");
    if (std::vector<float> floats = floatsOf(entry.content); !floats.empty())
      arrays[entry.name.str()] = std::move(floats);
    at += entry.length;
  }
  return arrays;
}

} // namespace tessera::simulator
