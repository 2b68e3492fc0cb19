//===- JsonPieces.cpp - Long JSON, cut without a tree ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Support/JsonPieces.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tessera {

static constexpr StringLiteral kSpace = " \t\r\n";
/// Text that is short enough to be a tree, in bytes.
static constexpr size_t kShort = size_t(1) << 16;

/// The end of the string that begins at `at`: behind its quote, or the end of the text.
static size_t endOfString(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    at += text[at] == '\\';
  return std::min(at + 1, text.size());
}

/// What lies between the brackets, cut at the commas of the outermost level. False where brackets do not match in
/// number.
static bool split(StringRef text, char open, char close, std::vector<StringRef> &pieces) {
  text = text.trim(kSpace);
  if (text.size() < 2 || text.front() != open || text.back() != close)
    return false;
  text = text.drop_front().drop_back();
  if (text.trim(kSpace).empty())
    return true;
  // Brackets are counted and not told apart: a parser reads each piece afterwards and says what is wrong with it.
  size_t depth = 0, begin = 0;
  for (size_t at = 0; at < text.size(); ++at)
    switch (text[at]) {
    case '"':
      at = endOfString(text, at) - 1;
      break;
    case '[':
    case '{':
      ++depth;
      break;
    case ']':
    case '}':
      if (depth-- == 0)
        return false;
      break;
    case ',':
      if (depth == 0) {
        pieces.push_back(text.slice(begin, at));
        begin = at + 1;
      }
      break;
    default:
      break;
    }
  pieces.push_back(text.drop_front(begin));
  return depth == 0;
}

bool splitArray(StringRef text, std::vector<StringRef> &elements) { return split(text, '[', ']', elements); }

bool splitObject(StringRef text, std::vector<std::pair<StringRef, StringRef>> &members) {
  std::vector<StringRef> pieces;
  if (!split(text, '{', '}', pieces))
    return false;
  return all_of(pieces, [&](StringRef piece) {
    piece = piece.ltrim(kSpace);
    if (!piece.starts_with("\""))
      return false;
    size_t end = endOfString(piece, 0);
    StringRef value = piece.drop_front(end).ltrim(kSpace);
    if (!value.consume_front(":"))
      return false;
    members.emplace_back(piece.take_front(end), value);
    return true;
  });
}

/// What nests deeper than `levels` is left to parseJson, which refuses what nests too deep.
// A tree of the whole text takes many times its length in memory, and files of decisions are long. So a long array or
// object is cut first, each piece is judged by itself, and no tree is of more than kShort bytes unless a single value
// is longer.
static bool isJson(StringRef text, unsigned levels) {
  std::vector<StringRef> pieces;
  if (levels > 0 && text.size() > kShort && splitArray(text, pieces))
    return all_of(pieces, [&](StringRef piece) { return isJson(piece, levels - 1); });
  std::vector<std::pair<StringRef, StringRef>> members;
  if (levels > 0 && text.size() > kShort && splitObject(text, members)) {
    // The keys by themselves, each with a value of 0: that one stands twice is seen in no piece.
    std::string keys = "{";
    for (auto [key, value] : members)
      keys += (keys.size() > 1 ? "," : "") + key.str() + ":0";
    return isJson(keys + "}", 0) &&
           all_of(members, [&](auto &member) { return isJson(member.second, levels - 1); });
  }
  Expected<json::Value> value = parseJson(text);
  bool parses = bool(value);
  if (!parses)
    consumeError(value.takeError());
  return parses;
}

bool isJson(StringRef text) { return isJson(text, kDeepestJson); }

} // namespace tessera
