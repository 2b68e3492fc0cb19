//===- ProblemWords.cpp - Words, numbers, types and layouts of a text ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ProblemWords.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

/// Limits that keep arithmetic on bytes away from overflow.
static constexpr int64_t kMaxBytes = int64_t(1) << 40, kMaxExtent = int64_t(1) << 32, kMaxGrid = 1024;

bool ProblemWords::fail(const Token &token, const llvm::Twine &message) {
  // The first complaint counts: what is read after it may have lost its place.
  if (complaint.empty())
    complaint = llvm::formatv("{0}:{1}:{2}: {3}", fileName, token.line, token.column, message.str()).str();
  return false;
}

std::optional<Token> ProblemWords::word(llvm::StringRef what) {
  if (lexer.peek().kind != Token::Kind::Word) {
    fail(lexer.peek(), "expected " + what);
    return std::nullopt;
  }
  return lexer.take();
}

bool ProblemWords::mark(char c) {
  return take(c) || fail(lexer.peek(), llvm::Twine("expected '") + llvm::Twine(c) + "'");
}

bool ProblemWords::lineEnd() {
  Token::Kind kind = lexer.peek().kind;
  return kind == Token::Kind::LineEnd || kind == Token::Kind::FileEnd ||
         fail(lexer.peek(), "expected the end of the line");
}

bool ProblemWords::take(char c) {
  if (!lexer.peek().is(c))
    return false;
  lexer.take();
  return true;
}

bool ProblemWords::takeWord(llvm::StringRef text) {
  if (!lexer.peek().isWord(text))
    return false;
  lexer.take();
  return true;
}

bool ProblemWords::bytes(Bytes &out) {
  std::optional<Token> token = word("a size like 1300KiB");
  if (!token)
    return false;
  llvm::StringRef text = token->text;
  int64_t unit = text.consume_back("KiB") ? 1024 : text.consume_back("MiB") ? 1024 * 1024 : 1;
  int64_t number = 0;
  if (text.getAsInteger(10, number) || number < 0 || number > kMaxBytes / unit)
    return fail(*token, "'" + token->text + "' is not a size like 1300KiB");
  out = Bytes(number * unit);
  return true;
}

bool ProblemWords::time(Nanoseconds &out) {
  std::optional<Token> token = word("a time in nanoseconds");
  int64_t number = 0;
  if (!token)
    return false;
  if (token->text.getAsInteger(10, number) || number < 0)
    return fail(*token, "'" + token->text + "' is not a time in whole nanoseconds");
  out = Nanoseconds(double(number));
  return true;
}

bool ProblemWords::tensorType(TensorDesc &out) {
  std::optional<Token> token = word("a tensor type like 32x64xbf16");
  if (!token)
    return false;
  llvm::SmallVector<llvm::StringRef> parts;
  token->text.split(parts, 'x');
  std::optional<DataType> dtype = parseDataType(parts.pop_back_val());
  for (llvm::StringRef part : parts) {
    int64_t extent = 0;
    if (part.getAsInteger(10, extent) || extent < 0 || extent > kMaxExtent)
      dtype.reset();
    out.shape.push_back(extent);
  }
  if (!dtype)
    return fail(*token, "'" + token->text + "' is not a tensor type like 32x64xbf16");
  out.dtype = *dtype;
  return true;
}

bool ProblemWords::grid(const Token &token, llvm::StringRef text, GridShape &out) {
  auto [rows, columns] = text.split('x');
  bool wrong = rows.getAsInteger(10, out.rows) || columns.getAsInteger(10, out.columns) || out.rows < 1 ||
               out.columns < 1 || out.rows > kMaxGrid || out.columns > kMaxGrid;
  return !wrong || fail(token, "'" + text + "' is not a grid like 8x8");
}

bool ProblemWords::layout(const Token &token, llvm::StringRef text, const TensorDesc &tensor,
                          const DeviceSpec &device, TensorLayout &out) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, '/');
  PageLayout page = PageLayout::Tile;
  if (parts.size() > 1 && parts.back() == "row_major") {
    page = PageLayout::RowMajor;
    parts.pop_back();
  }
  GridShape workers = device.workerGrid;
  if (parts.size() == 1 && parts[0] == "dram")
    out = dramInterleaved(tensor, page);
  else if (parts.size() == 1 && parts[0] == "host")
    out = systemMemory(tensor);
  else if (parts.size() == 1 && parts[0] == "l1")
    out = l1Interleaved(tensor, workers, page);
  else if (parts.size() != 3 || parts[0] != "l1")
    return fail(token, "'" + text + "' is not a layout like dram or l1/height_sharded/8x1");
  else if (!shardedLayout(token, parts[1], parts[2], tensor, page, workers, out))
    return false;
  std::string wrong = checkLayoutFor(out, tensor.shape, device);
  return wrong.empty() || fail(token, "'" + text + "' does not fit the tensor: " + wrong);
}

bool ProblemWords::shardedLayout(const Token &token, llvm::StringRef kindName, llvm::StringRef gridText,
                                 const TensorDesc &tensor, PageLayout page, GridShape workers,
                                 TensorLayout &out) {
  std::optional<MemoryLayout> kind = parseMemoryLayout(kindName);
  GridShape shards;
  if (!kind || *kind == MemoryLayout::Interleaved || *kind == MemoryLayout::NDSharded)
    return fail(token, "'" + kindName + "' is not height_sharded, width_sharded or block_sharded");
  if (!grid(token, gridText, shards))
    return false;
  // Shards in one row or column go over the cores row by row, so that their number must fit; block shards lie on the
  // cores as the grid says, so that each side must.
  bool fits = shards.volume() <= workers.volume() &&
              (*kind == MemoryLayout::HeightSharded ? shards.columns : shards.rows) == 1;
  if (*kind == MemoryLayout::BlockSharded)
    fits = shards.rows <= workers.rows && shards.columns <= workers.columns;
  if (!fits)
    return fail(token, "grid " + gridText + " does not fit " + kindName + " on the device");
  out = l1Sharded(tensor, *kind, shards, workers, page);
  return true;
}
