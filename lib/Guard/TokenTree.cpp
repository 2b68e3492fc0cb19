//===- TokenTree.cpp - Text of attributes as trees of tokens ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// No grammar of any attribute is known here, as it would have to change with every new one: only brackets, commas, keys
// and what a printer may leave out. Two texts that mean the same may come out as different by that, which a person then
// looks into. Two that mean different things must not come out as the same; numbers alone are compared only as far as
// an f32 holds them, unless they say that they are f64 or are none that an f32 has.
//
//===----------------------------------------------------------------------===//
#include "TokenTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tessera::guard {
namespace {

using llvm::ArrayRef;
using llvm::StringLiteral;
using llvm::StringRef;

using Sequence = Node::Sequence;

// ---- Reading ----------------------------------------------------------------------------------------------

bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; }

/// How long the token is that `text` begins with.
size_t tokenLength(StringRef text) {
  char c = text.front();
  auto wordEnd = [&](size_t from) {
    while (from < text.size() && isWordCharacter(text[from]))
      ++from;
    return from;
  };
  if (c == '"') {
    size_t end = 1;
    while (end < text.size() && text[end] != '"')
      end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  // Before single characters, or the `>` of an arrow would close a bracket.
  if (text.starts_with("->") || text.starts_with(">=") || text.starts_with("=="))
    return 2;
  if (llvm::isDigit(c)) {
    size_t end = text.find_first_not_of("0123456789.", 1);
    if (end == StringRef::npos)
      return text.size();
    // 1.0e-05, but not the x of 1x2.
    if ((text[end] == 'e' || text[end] == 'E') && text.take_front(end).contains('.')) {
      size_t digits = end + 1 + (end + 1 < text.size() && StringRef("+-").contains(text[end + 1]));
      return std::max(end, std::min(text.find_first_not_of("0123456789", digits), text.size()));
    }
    return end;
  }
  if (c == 'x' && text.size() > 1 && llvm::isDigit(text[1])) // of 2x3, which is also written as 2 x 3
    return 1;
  if (llvm::isAlpha(c) || c == '_' || StringRef("#!@%^").contains(c))
    return wordEnd(1);
  return 1;
}

/// `<5x1, (d0, d1) -> (0, d0, d1)>`, as grids had a map before May 2026; core ranges say it now (facts/ir 1.1).
bool isGridWithMap(const std::vector<Sequence> &items) {
  return items.size() == 2 && items[0].size() >= 3 && !items[0][1].isGroup && items[0][1].text == "x" &&
         items[1].size() == 3 && items[1][1].text == "->";
}

/// `ignorePhysicalLayout = false` of a layout, which printers leave out: they write the key only where it is true.
bool isUnsaid(const Sequence &item) {
  return item.size() == 3 && item[0].text == "ignorePhysicalLayout" && item[2].text == "false";
}

class Reader {
public:
  Reader(StringRef text, const Aliases &aliases) : rest(text), aliases(aliases) {}

  Sequence sequence() {
    std::vector<Sequence> items = list(0);
    // Commas outside of brackets are tokens like others.
    Sequence all = std::move(items.front());
    for (Sequence &item : llvm::drop_begin(items)) {
      all.push_back({",", {}, false});
      llvm::move(item, std::back_inserter(all));
    }
    return all;
  }

private:
  /// What stands between commas up to `closing`.
  std::vector<Sequence> list(char closing) {
    std::vector<Sequence> items(1);
    while (skipBlanks(), !rest.empty()) {
      // In maps and sets `>=` is one token, and no end of a bracket.
      if (rest.front() == closing && !rest.starts_with(">=")) {
        rest = rest.drop_front();
        return items;
      }
      StringRef token = rest.take_front(tokenLength(rest));
      rest = rest.drop_front(token.size());
      if (token == ",")
        items.emplace_back();
      else
        add(token, items.back());
    }
    return items;
  }

  void add(StringRef token, Sequence &to) {
    static constexpr StringLiteral kOpening = "<([{", kClosing = ">)]}";
    if (size_t bracket = kOpening.find(token.front()); bracket != StringRef::npos && token.size() == 1) {
      // A bracket without its end takes all that is left. The texts were printed or parsed by MLIR before, so
      // no message is needed here.
      std::vector<Sequence> items = list(kClosing[bracket]);
      if (items.size() == 1 && items.front().empty())
        items.clear();
      if (isGridWithMap(items))
        items.pop_back();
      llvm::erase_if(items, isUnsaid);
      to.push_back({token.str(), std::move(items), true});
      return;
    }
    // What an alias stands for may name other aliases, so it is read like any other text.
    auto alias = StringRef("#!").contains(token.front()) ? aliases.find(token) : aliases.end();
    if (alias == aliases.end()) {
      to.push_back({token.str(), {}, false});
      return;
    }
    Sequence meant = Reader(alias->second, aliases).sequence();
    llvm::move(meant, std::back_inserter(to));
  }

  void skipBlanks() {
    while (!rest.empty()) {
      rest = rest.ltrim();
      if (!rest.starts_with("//"))
        return;
      rest = rest.drop_front(std::min(rest.find('\n'), rest.size()));
    }
  }

  StringRef rest;
  const Aliases &aliases;
};

// ---- Comparing --------------------------------------------------------------------------------------------

/// `#ttnn.core_coord` in front of `<`.
bool isPrefix(ArrayRef<Node> rest) {
  return rest.size() > 1 && !rest[0].isGroup && rest[0].text.front() == '#' && rest[1].isGroupOf('<');
}

/// The key of an item, or "".
StringRef keyOf(const Sequence &item, bool inBraces) {
  bool named = !item.empty() && !item[0].isGroup &&
               (llvm::isAlpha(item[0].text[0]) || StringRef("_\"").contains(item[0].text[0]));
  if (!named)
    return "";
  if (item.size() > 1 && !item[1].isGroup && (item[1].text == "=" || (inBraces && item[1].text == ":")))
    return StringRef(item[0].text).trim('"');
  return inBraces && item.size() == 1 ? StringRef(item[0].text).trim('"') : "";
}

/// The same number, written otherwise (0.5 and 5.000000e-01); `areDoubles` if their type says that all bits count.
bool isSameNumber(StringRef a, StringRef b, bool areDoubles) {
  if (!llvm::isDigit(a.front()) || !llvm::isDigit(b.front()) || !(a.contains('.') || b.contains('.')))
    return false;
  double first = 0, second = 0;
  if (a.getAsDouble(first) || b.getAsDouble(second))
    return false;
  // A printer writes as many digits as the type needs; the file may have had more. What is too large or too small for an f32 is no f32 at
  // all, and would be the same infinity or 0 as any other such number.
  auto isFloat = [](double number) { return std::isfinite(float(number)) && float(number) != 0; };
  return first == second ||
         (!areDoubles && isFloat(first) && isFloat(second) && float(first) == float(second));
}

std::string missingItems(const Node &before, const Node &after) {
  bool inBraces = before.isGroupOf('{');
  auto find = [&](StringRef key) {
    return llvm::find_if(after.items, [&](const Sequence &item) { return keyOf(item, inBraces) == key; });
  };
  // What has a key is looked for by it, as readers and printers put keys in an order of their own. What has
  // none is known by its place only, so that one more or one less of it is a difference.
  auto isPositional = [&](const Sequence &item) { return keyOf(item, inBraces).empty(); };
  auto nextPositional = llvm::find_if(after.items, isPositional);
  for (const Sequence &item : before.items) {
    StringRef key = keyOf(item, inBraces);
    auto other = key.empty() ? nextPositional : find(key);
    if (other == after.items.end())
      return canonicalText(item);
    if (std::string missing = firstMissing(item, *other); !missing.empty())
      return key.empty() ? missing : (key + ": " + missing).str();
    if (key.empty())
      nextPositional = std::find_if(std::next(other), after.items.end(), isPositional);
  }
  return nextPositional == after.items.end() ? "" : "fewer than " + canonicalText(*nextPositional);
}

} // namespace

Node::Sequence parseTokens(StringRef text, const Aliases &aliases) {
  return Reader(text, aliases).sequence();
}

std::string firstMissing(const Sequence &before, const Sequence &after) {
  // A printer leaves the prefix out where the kind of a parameter says it, so that it may stand on one side
  // alone.
  ArrayRef<Node> a = before, b = after;
  while (!a.empty() && !b.empty()) {
    if (isPrefix(a) != isPrefix(b)) {
      (isPrefix(a) ? a : b) = (isPrefix(a) ? a : b).drop_front();
      continue;
    }
    const Node &first = a.front(), &second = b.front();
    const bool areDoubles = a.size() > 2 && a[1].text == ":" && a[2].text == "f64";
    if (first.isGroup != second.isGroup ||
        (first.text != second.text && (first.isGroup || !isSameNumber(first.text, second.text, areDoubles))))
      break;
    if (first.isGroup)
      if (std::string missing = missingItems(first, second); !missing.empty())
        return missing;
    a = a.drop_front();
    b = b.drop_front();
  }
  // The type of an integer is printed unless it is i64, and read with or without.
  static const Sequence kDefaultType = {{":", {}, false}, {"i64", {}, false}};
  if ((a.empty() || a == ArrayRef<Node>(kDefaultType)) && (b.empty() || b == ArrayRef<Node>(kDefaultType)))
    return "";
  return canonicalText(before);
}

std::string canonicalText(const Sequence &sequence) {
  std::string text;
  for (ArrayRef<Node> rest = sequence; !rest.empty(); rest = rest.drop_front()) {
    if (isPrefix(rest))
      continue;
    const Node &node = rest.front();
    if (!text.empty())
      text += ' ';
    text += node.text;
    if (!node.isGroup)
      continue;
    bool inBraces = node.isGroupOf('{');
    // Sorted, so that two spellings of one type are one string and may be part of a key of the numbering.
    std::vector<std::string> keyed, all;
    for (const Sequence &item : node.items)
      (keyOf(item, inBraces).empty() ? all : keyed).push_back(canonicalText(item));
    llvm::sort(keyed);
    all.insert(all.end(), keyed.begin(), keyed.end());
    text += llvm::join(all, ", ");
    static constexpr StringLiteral kOpening = "<([{", kClosing = ">)]}";
    text += kClosing[kOpening.find(node.text.front())];
  }
  return text;
}

static const Node *outermost(const Sequence &sequence) {
  auto group = llvm::find_if(sequence, [](const Node &node) { return node.isGroup; });
  return group == sequence.end() ? nullptr : &*group;
}

const Sequence *valueOf(const Sequence &sequence, StringRef key) {
  if (const Node *group = outermost(sequence))
    for (const Sequence &item : group->items)
      if (keyOf(item, group->isGroupOf('{')) == key)
        return &item;
  return nullptr;
}

Sequence withoutKeys(Sequence sequence, ArrayRef<StringLiteral> keys) {
  for (Node &node : sequence)
    if (node.isGroup)
      llvm::erase_if(node.items, [&](const Sequence &item) {
        return is_contained(keys, keyOf(item, node.isGroupOf('{')));
      });
  return sequence;
}

} // namespace tessera::guard
