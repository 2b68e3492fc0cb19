//===- L1SharesText.cpp - Who holds L1 at a step, for people --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Who holds L1 at a step, the largest first, each with when it goes: who wants
// room at that step looks here for what could leave sooner.
//
//===----------------------------------------------------------------------===//
#include "DecisionText.h"

#include "tessera/Optimizer/Decisions/DecisionWords.h"
#include "tessera/Support/SortStably.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::decisions;
namespace json = llvm::json;

/// Until when a tensor holds L1.
static std::string until(const DecisionWords &w, Index tensor) {
  const TensorFacts &data = w.tensor(tensor);
  // Readers stand in the order of the steps, so that the last one is the latest.
  return data.returned || data.readers.empty() ? "the end" : w.stepName(data.readers.back());
}

static std::string sentence(const DecisionWords &w, Index step, const L1Share &share) {
  std::string text = w.share(share);
  if (!share.tensor)
    return text;
  bool made = llvm::is_contained(w.step(step).writes, *share.tensor);
  if (share.bytes < w.tensor(*share.tensor).l1 && !w.tensor(*share.tensor).viewOf)
    text += ", of " + formatBytes(w.tensor(*share.tensor).l1) + " not yet there at the op's peak";
  text += " in " + w.layoutOf(*share.tensor) + ", ";
  if (std::optional<Index> maker = w.tensor(*share.tensor).madeBy; maker && step < *maker)
    return text + "its place, kept until " + w.stepName(*maker);
  return text +
         (made                                                    ? "made here, until "
          : llvm::is_contained(w.step(step).reads, *share.tensor) ? "read here, until "
                                                                  : "until ") +
         until(w, *share.tensor);
}

void tessera::printShares(llvm::raw_ostream &os, const FunctionDecisions &f, Index step, size_t most) {
  DecisionWords w(f);
  std::vector<L1Share> shares = l1Shares(f, step);
  // Equal shares stay in the order in which the checker counts them.
  sortStably(shares, [](const L1Share &a, const L1Share &b) { return a.bytes > b.bytes; });
  for (const L1Share &share : llvm::ArrayRef(shares).take_front(most))
    os << llvm::formatv("    {0,10}  {1}\n", formatBytes(share.bytes), sentence(w, step, share));
  if (shares.size() <= most)
    return;
  Bytes rest;
  for (const L1Share &share : llvm::ArrayRef(shares).drop_front(most))
    rest += share.bytes;
  os << llvm::formatv("    {0,10}  {1} more\n", formatBytes(rest), shares.size() - most);
}

json::Value tessera::sharesAsJson(const FunctionDecisions &f, Index step) {
  DecisionWords w(f);
  json::Array list;
  for (const L1Share &share : l1Shares(f, step))
    list.push_back(json::Object{{"holder", word(share.holder)},
                                {"tensor", share.tensor ? json::Value(*share.tensor) : json::Value(nullptr)},
                                {"name", w.share(share)},
                                {"bytes", share.bytes.value()}});
  return list;
}
