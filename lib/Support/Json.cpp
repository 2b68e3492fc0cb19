//===- Json.cpp - JSON from files that others wrote -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// LLVM's parser recurses for every bracket and keeps the last of two equal
// keys. A file of a few kilobytes of '[' would overflow the stack, and a key
// that stands twice would make one of its values vanish without a word. Both
// are looked for in one walk over the text in front of the parser, linear in
// its length but for keys that are written with escapes.
//
//===----------------------------------------------------------------------===//
#include "tessera/Support/Json.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

#include <vector>

using namespace llvm;

namespace tessera {
namespace {

/// Finds what LLVM's parser does not: brackets that nest too deep, and a key that an object has twice. Text that is not
/// JSON may be misread, which is harmless: the parser stops at the first character that is wrong, and up to there both
/// read the same.
class JsonScan {
public:
  explicit JsonScan(StringRef text) : text(text) {
    for (size_t at = 0; at < text.size() && tooDeep == StringRef::npos; ++at)
      if (text[at] == '"')
        at = readString(at);
      else if (text[at] == '[' || text[at] == '{')
        open(at);
      else if ((text[at] == ']' || text[at] == '}') && !levels.empty())
        levels.pop_back();
  }
  size_t tooDeep = StringRef::npos, secondKey = StringRef::npos;
  StringRef key; ///< at secondKey, with its quotes

private:
  struct Level {
    bool isObject = false;
    SmallDenseSet<StringRef, 8> keys;
  };

  void open(size_t at) {
    // Remembered and not returned: the constructor's loop stops at the first such place.
    if (levels.size() == kDeepestJson)
      tooDeep = at;
    levels.emplace_back().isObject = text[at] == '{';
  }

  /// Returns where it ends.
  size_t readString(size_t begin) {
    size_t end = begin + 1;
    while (end < text.size() && text[end] != '"')
      end += text[end] == '\\' ? 2 : 1;
    // A string that a colon follows is a key; no value is followed by one.
    size_t next = text.find_first_not_of(" \t\r\n", end + 1);
    bool isKey = !levels.empty() && levels.back().isObject && next != StringRef::npos && text[next] == ':';
    if (StringRef quoted = text.slice(begin, end + 1);
        isKey && !levels.back().keys.insert(spelled(quoted)).second && secondKey == StringRef::npos)
      secondKey = begin, key = quoted;
    return end;
  }

  /// A key may be written in several ways.
  StringRef spelled(StringRef quoted) {
    if (!quoted.contains('\\'))
      return quoted;
    Expected<json::Value> value = json::parse(quoted);
    if (!value)
      consumeError(value.takeError());
    else if (std::optional<StringRef> plain = value->getAsString())
      return unescaped.insert("\"" + plain->str() + "\"").first->getKey();
    return quoted;
  }

  StringRef text;
  std::vector<Level> levels;
  StringSet<> unescaped;
};

/// The place in the form of LLVM's parser.
Error errorAt(StringRef text, size_t at, const Twine &what) {
  StringRef before = text.take_front(at);
  size_t line = before.count('\n') + 1, column = before.size() - (before.rfind('\n') + 1);
  return createStringError("[" + Twine(line) + ":" + Twine(column) + ", byte=" + Twine(at) + "]: " + what);
}

} // namespace

Expected<json::Value> parseJson(StringRef text) {
  JsonScan scan(text);
  // Keys count only in text that parses: in any other the scan may have misread them.
  if (scan.tooDeep != StringRef::npos)
    return errorAt(text, scan.tooDeep, "arrays and objects nest more than " + Twine(kDeepestJson) + " deep");
  Expected<json::Value> value = json::parse(text);
  if (value && scan.secondKey != StringRef::npos)
    return errorAt(text, scan.secondKey, "the object has the key " + scan.key + " already");
  return value;
}

} // namespace tessera
