//===- Npy.cpp - NumPy's file of one array --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// "\x93NUMPY", version 1.0, length of the header as 16 bits, and the header as a
// Python dictionary, filled up with blanks so that the data begin at a multiple
// of 64 bytes: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
// Source: numpy.lib.format.
//
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <bit>
#include <cmath>
#include <utility>

namespace tessera::simulator {

namespace {

constexpr llvm::StringLiteral kMagic("\x93NUMPY");

/// What comes behind 'key': in the header, up to a comma or, for a tuple, its closing parenthesis.
std::optional<llvm::StringRef> field(llvm::StringRef header, llvm::StringRef key) {
  // No parser of Python: NumPy writes these three keys, in quotes, and no others.
  size_t begin = header.find(("'" + key + "'").str());
  if (begin == llvm::StringRef::npos)
    return std::nullopt;
  llvm::StringRef rest = header.drop_front(begin + key.size() + 2).ltrim();
  if (!rest.consume_front(":"))
    return std::nullopt;
  rest = rest.ltrim();
  return rest.starts_with("(") ? rest.take_until([](char c) { return c == ')'; }).drop_front().trim()
                               : rest.take_until([](char c) { return c == ',' || c == '}'; }).trim();
}

/// nullopt if it is no list of numbers.
std::optional<Shape> parseShape(llvm::StringRef text) {
  Shape shape;
  for (llvm::StringRef part : llvm::split(text, ',')) {
    int64_t extent = 0;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, extent) || extent < 0)
      return std::nullopt;
    shape.push_back(extent);
  }
  return shape;
}

/// One element as a number; nullopt if the type is not known.
std::optional<double> element(llvm::StringRef type, const char *bytes) {
  // Little-endian, as headers with another order of bytes are refused by their name ('>f4').
  using namespace llvm::support::endian;
  if (type == "f4")
    return std::bit_cast<float>(read32le(bytes));
  if (type == "f8")
    return std::bit_cast<double>(read64le(bytes));
  if (type == "i4")
    return int32_t(read32le(bytes));
  if (type == "u4")
    return read32le(bytes);
  if (type == "i8")
    return double(int64_t(read64le(bytes)));
  if (type == "u8")
    return double(read64le(bytes));
  if (type == "i2")
    return int16_t(read16le(bytes));
  if (type == "u2")
    return read16le(bytes);
  if (type == "i1")
    return int8_t(*bytes);
  if (type == "u1" || type == "b1")
    return uint8_t(*bytes);
  return std::nullopt;
}

/// A file cut into header and data.
struct NpyParts {
  llvm::StringRef header, data;
};

std::optional<NpyParts> cut(llvm::StringRef file) {
  if (!file.consume_front(kMagic) || file.size() < 6)
    return std::nullopt;
  // From version 2.0 on the length takes 32 bits.
  bool isLong = file[0] >= 2;
  size_t length = isLong ? llvm::support::endian::read32le(file.data() + 2)
                         : llvm::support::endian::read16le(file.data() + 2);
  file = file.drop_front(isLong ? 6 : 4);
  if (file.size() < length)
    return std::nullopt;
  return NpyParts{file.take_front(length), file.drop_front(length)};
}

} // namespace

namespace {

/// A file whose header is as it should be.
struct NpyFile {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::string type; ///< "f4"
  Shape shape;
  llvm::StringRef data;
};

llvm::Error wrong(llvm::StringRef path, const llvm::Twine &what) { return failure("'" + path + "' " + what); }

llvm::Expected<NpyFile> openNpy(llvm::StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, false);
  if (!file)
    return failure("cannot read '" + path + "': " + file.getError().message());
  std::optional<NpyParts> parts = cut((*file)->getBuffer());
  std::optional<llvm::StringRef> type = parts ? field(parts->header, "descr") : std::nullopt;
  std::optional<llvm::StringRef> order = parts ? field(parts->header, "fortran_order") : std::nullopt;
  std::optional<llvm::StringRef> extents = parts ? field(parts->header, "shape") : std::nullopt;
  std::optional<Shape> shape = extents ? parseShape(*extents) : std::nullopt;
  if (!type || !order || !shape)
    return wrong(path, "is no .npy file");
  llvm::StringRef code = type->trim("'\"").ltrim("<|=");
  // A type is known if an element of it can be read.
  char zeros[8] = {};
  if (!element(code, zeros) || *order != "False")
    return wrong(path, "holds " + *type + (*order == "False" ? "" : " in column-major order") +
                           "; f4, f8, i1 to i8, u1 to u8 and b1 in row-major order can be read");
  // The last character of a type is its size in bytes. A quotient, since the product of huge extents could overflow.
  if (parts->data.size() / size_t(code.back() - '0') < size_t(volumeOf(*shape)))
    return wrong(path, "ends before its data do");
  return NpyFile{std::move(*file), code.str(), std::move(*shape), parts->data};
}

llvm::Expected<NpyFile> openNpy(llvm::StringRef path, const TensorDesc &wanted) {
  llvm::Expected<NpyFile> file = openNpy(path);
  if (file && file->shape != wanted.shape)
    return wrong(path,
                 "holds " + describe({file->shape, wanted.dtype}) + "; the argument is " + describe(wanted));
  return file;
}

/// Least and largest number of a format of integers.
std::pair<double, double> rangeOf(DataType type) {
  if (type == DataType::Int32)
    return {-0x1p31, 0x1p31 - 1};
  return {0, type == DataType::Bool ? 1 : std::exp2(8 * double(scalarBytes(type).value())) - 1};
}

std::string asText(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

} // namespace

llvm::Error checkNpy(llvm::StringRef path, const TensorDesc &wanted) {
  return openNpy(path, wanted).takeError();
}

llvm::Expected<Shape> shapeOfNpy(llvm::StringRef path) {
  llvm::Expected<NpyFile> file = openNpy(path);
  if (!file)
    return file.takeError();
  return std::move(file->shape);
}

llvm::Expected<DenseTensor> readNpy(llvm::StringRef path, const TensorDesc &wanted) {
  llvm::Expected<NpyFile> file = openNpy(path, wanted);
  if (!file)
    return file.takeError();
  auto size = size_t(file->type.back() - '0');
  DenseTensor tensor = DenseTensor::unset(wanted);
  auto [least, most] = rangeOf(wanted.dtype);
  for (int64_t i = 0, end = tensor.volume(); i < end; ++i) {
    double number = *element(file->type, file->data.data() + size_t(i) * size);
    // What does not fit is an error: wrapped, an index would name another row without a word.
    if (tensor.isInteger() && !(number >= least && number <= most && number == std::floor(number)))
      return wrong(path, "holds " + asText(number) + " at element " + llvm::Twine(i) + "; the argument is " +
                             describe(wanted) + ", which cannot");
    tensor.set(i, number);
  }
  return tensor;
}

/// Floats as f4 whatever their format, since NumPy has no bf16 and no block float; integers with 32 bits.
void writeNpy(const DenseTensor &tensor, llvm::raw_ostream &os) {
  std::string shape;
  for (int64_t extent : tensor.shape())
    shape += std::to_string(extent) + ", ";
  // In Python a tuple of one number ends with a comma.
  if (tensor.rank() > 1)
    shape.resize(shape.size() - 2);
  llvm::StringRef type = !tensor.isInteger() ? "<f4" : tensor.desc.dtype == DataType::UInt32 ? "<u4" : "<i4";
  std::string header = ("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" +
                        llvm::StringRef(shape).rtrim() + "), }")
                           .str();
  size_t front = kMagic.size() + 4;
  header.append(size_t(alignUp(int64_t(front + header.size() + 1), 64)) - front - header.size() - 1, ' ');
  header += '\n';
  char length[2];
  llvm::support::endian::write16le(length, uint16_t(header.size()));
  os << kMagic << '\1' << '\0' << llvm::StringRef(length, 2) << header;
  auto write = [&](const auto &elements) {
    for (auto value : elements) {
      char bytes[4];
      llvm::support::endian::write32le(bytes, std::bit_cast<uint32_t>(value));
      os.write(bytes, 4);
    }
  };
  if (tensor.isInteger())
    write(tensor.integers);
  else
    write(tensor.floats);
}

} // namespace tessera::simulator
