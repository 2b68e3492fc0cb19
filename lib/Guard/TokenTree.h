//===- TokenTree.h - Text of attributes as trees of tokens -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_GUARD_TOKENTREE_H
#define TESSERA_LIB_GUARD_TOKENTREE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tessera::guard {

/// One token, or a pair of brackets with what stands between its commas.
struct Node {
  /// Tokens in a row.
  using Sequence = std::vector<Node>;

  std::string text;            ///< of a token; the opening bracket of a group
  std::vector<Sequence> items; ///< of a group
  bool isGroup = false;

  bool isGroupOf(char bracket) const { return isGroup && text.front() == bracket; }
  bool operator==(const Node &other) const = default;
};

/// What an alias (`#dram`) stands for.
using Aliases = llvm::StringMap<std::string>;

/// The text as a tree, aliases put in. Brackets that do not match end at the end of the text.
Node::Sequence parseTokens(llvm::StringRef text, const Aliases &aliases);

/// The first thing of `before` that `after` does not have, as text; "" if it has all. Items with a key (`key = value`, in
/// braces also `key`) may stand in any order and `after` may have more of them; others must be the same in number and
/// order. `#dialect.name` in front of `<` may be missing on one side.
std::string firstMissing(const Node::Sequence &before, const Node::Sequence &after);

/// The same text for all texts that differ in blanks, in the order of keys and in prefixes only.
std::string canonicalText(const Node::Sequence &sequence);

/// The value of `key` in the outermost group, or nullptr.
const Node::Sequence *valueOf(const Node::Sequence &sequence, llvm::StringRef key);
/// The sequence without those items of the outermost group that have one of the keys.
Node::Sequence withoutKeys(Node::Sequence sequence, llvm::ArrayRef<llvm::StringLiteral> keys);

} // namespace tessera::guard

#endif // TESSERA_LIB_GUARD_TOKENTREE_H
