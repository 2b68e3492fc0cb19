//===- Json.cpp - JSON from files that others wrote -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Support/Json.h"

using namespace llvm;

namespace tessera {
namespace {

/// The place of the first bracket that stands too deep, or npos. Text that is not JSON may be misread, which is
/// harmless: the parser stops at the first character that is wrong, and up to there both read the same.
size_t findTooDeep(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestJson)
        return i;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return StringRef::npos;
}

} // namespace

Expected<json::Value> parseJson(StringRef text) {
  size_t tooDeep = findTooDeep(text);
  if (tooDeep == StringRef::npos)
    return json::parse(text);
  // The place in the form of LLVM's parser.
  StringRef before = text.take_front(tooDeep);
  size_t line = before.count('\n') + 1, column = before.size() - (before.rfind('\n') + 1);
  return createStringError("[" + Twine(line) + ":" + Twine(column) + ", byte=" + Twine(tooDeep) +
                           "]: arrays and objects nest more than " + Twine(kDeepestJson) + " deep");
}

} // namespace tessera
