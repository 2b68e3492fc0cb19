//===- CliffReasons.cpp - What the hardware says about jumps of times -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One row per family and kind of change, tried in order. A row that holds for
// nothing any more is a row too many; scripts/update-cliffs lists those.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Cliffs.h"

namespace tessera {
namespace {

/// Words are "*" for any, or alternatives with | between them.
struct Reason {
  CliffKind kind;
  llvm::StringLiteral family, slot, from, to;
  llvm::StringLiteral reason;
};
using enum CliffKind;
constexpr Reason kReasons[] = {
    {Ratio, "*", "*", "*", "*", ""},
};

bool matches(llvm::StringRef pattern, llvm::StringRef text) {
  if (pattern == "*")
    return true;
  llvm::SmallVector<llvm::StringRef> words;
  pattern.split(words, '|');
  return llvm::is_contained(words, text);
}

} // namespace

llvm::StringRef reasonOf(const LayoutChange &change) {
  const Reason *found = llvm::find_if(kReasons, [&](const Reason &r) {
    return r.kind == change.kind && matches(r.family, change.family) && matches(r.slot, change.slot) &&
           matches(r.from, change.from) && matches(r.to, change.to);
  });
  return found == std::end(kReasons) ? llvm::StringRef() : llvm::StringRef(found->reason);
}

} // namespace tessera
