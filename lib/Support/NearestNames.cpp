//===- NearestNames.cpp - "did you mean" ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A slip changes few letters of a long name and one of a short one, so the
// distance that still counts grows with the length: a third of the longer name,
// at least 1. "interleavd" finds "interleaved", "l2" finds "l1", and "foo"
// finds no name of three other letters. Names at the same distance keep the
// caller's order, so that messages are the same on every run.
//
//===----------------------------------------------------------------------===//

#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <utility>

using namespace llvm;

namespace tessera {

/// Whether two letters beside each other changed places, the commonest slip of those who type fast.
static bool isTurned(StringRef a, StringRef b) {
  auto [inA, inB] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (a.size() != b.size() || a.end() - inA < 2)
    return false;
  return inA[0] == inB[1] && inA[1] == inB[0] &&
         StringRef(inA + 2, a.end() - inA - 2) == StringRef(inB + 2, b.end() - inB - 2);
}

/// Beyond so many edits a name that begins with what was typed is more likely meant than one that is spelt like it.
static constexpr unsigned kSlip = 2;

/// Whether the name was not typed to its end, as who knows the first words of a long one does. One or two letters begin too many.
static bool isBegun(StringRef wanted, StringRef name) {
  return wanted.size() > 2 && name.starts_with_insensitive(wanted);
}

SmallVector<StringRef, 3> closestNames(StringRef wanted, ArrayRef<StringRef> known, size_t count) {
  SmallVector<std::pair<unsigned, size_t>, 16> near; // distance, position: the order of ties
  for (size_t i = 0; i != known.size(); ++i) {
    StringRef name = known[i];
    unsigned limit = std::max<size_t>(1, std::max(wanted.size(), name.size()) / 3);
    unsigned distance = wanted.edit_distance_insensitive(name, /*AllowReplacements=*/true, limit);
    if (isTurned(wanted, name))
      distance = 1;
    // Of two short words the limit allows all letters to differ: that is another word, not a slip.
    if (distance <= limit && distance < std::max(wanted.size(), name.size()))
      near.push_back({distance, i});
  }
  sort(near);
  SmallVector<StringRef, 3> names;
  auto add = [&](StringRef name) {
    if (names.size() < count && !is_contained(names, name))
      names.push_back(name);
  };
  if (near.empty() || near.front().first > kSlip)
    for_each(make_filter_range(known, [&](StringRef name) { return isBegun(wanted, name); }), add);
  for (auto [distance, position] : near)
    add(known[position]);
  return names;
}

std::string didYouMean(StringRef wanted, ArrayRef<StringRef> known) {
  SmallVector<StringRef, 3> names = closestNames(wanted, known);
  if (names.empty())
    return "";
  std::string text = "; did you mean ";
  for (size_t i = 0; i != names.size(); ++i) {
    if (i > 0)
      text += i + 1 == names.size() ? " or " : ", ";
    text += ("'" + names[i].str() + "'");
  }
  return text + "?";
}

std::string unknownName(StringRef what, StringRef name, ArrayRef<StringRef> known) {
  return ("unknown " + what + " '" + name + "'" + didYouMean(name, known) + "; known: ").str() +
         join(known, ", ");
}

} // namespace tessera
