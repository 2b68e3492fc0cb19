//===- Contest.cpp - Which plan stands ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Contest/Contest.h"

#include "Improve.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

bool Contest::enter(Noted noted) {
  if (!best.consider(std::move(noted.entry)))
    return false;
  log = std::move(noted.log);
  return true;
}

void Contest::consider(const Noted &noted) {
  // A plan of the same time is most likely the same plan, for which single changes would be looked for twice.
  auto isSame = [&](const Noted &other) { return other.entry.time == noted.entry.time; };
  if (!noted.entry.legal() || llvm::any_of(fastest, isSame))
    return;
  auto isFaster = [](const Noted &a, const Noted &b) { return a.entry.time < b.entry.time; };
  fastest.insert(llvm::upper_bound(fastest, noted, isFaster), noted);
  if (fastest.size() > kFastest)
    fastest.pop_back();
}

void Contest::improve(bool settlesDoubts) {
  Nanoseconds before = best.entry().time;
  Improved itself = improved(judge, best.entry());
  llvm::SmallVector<SingleChange> inDoubt = std::move(itself.inDoubt);
  best.consider(std::move(itself.entry));
  for (const Noted &other : fastest)
    // Equal times are taken as equal plans. What has no addresses does not gain any: the changed plan is asked for them again.
    if (other.entry.time != before && judge.isPlaced(other.entry)) {
      Improved changed = improved(judge, other.entry);
      if (enter({std::move(changed.entry), other.log}))
        inDoubt = std::move(changed.inDoubt);
    }
  // Last, of the plan that stands: changes in doubt were found in it, and cost it time that no other could win back.
  if (settlesDoubts && !inDoubt.empty() && !best.rank().first)
    best.replace(withFewerConversions(judge, best.entry(), inDoubt));
}
