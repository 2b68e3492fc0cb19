//===- Choices.cpp - The ways to run an op from what is there -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Choices.h"

#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "tessera/Support/AddOnce.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::dp;

/// Combinations of ways to read that are looked at. An op with more has those that differ from the first in one
/// value or in all.
static constexpr size_t kMaxCombinations = 1024;
/// Choices for each place of the results in programs that are not short.
static constexpr size_t kFewChoices = 6;

Choices::Choices(const Problem &problem, Oracle &oracle, const Forms &forms)
    : problem(problem), oracle(oracle), forms(forms), leasts(problem.ops.size()),
      leastWith(problem.ops.size()) {
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    values.push_back(distinctValues(problem.ops[i]));
    configs.push_back(configsOf(OpId(i)));
  }
  for (size_t i = 0; i < problem.ops.size(); ++i)
    findLeast(OpId(i));
}

/// Whether all results come out in forms of theirs.
bool Choices::isForm(OpId op, ConfigId config) const {
  for (auto [result, layout] : llvm::zip_equal(problem[op].results, oracle[config].outputs))
    if (!llvm::is_contained(forms.of(result), layout))
      return false;
  return true;
}

std::vector<ConfigId> Choices::configsOf(OpId op) const {
  std::vector<ConfigId> all;
  auto add = [&](ConfigId config) {
    if (isForm(op, config))
      addOnce(all, config);
  };
  // The given plan's configuration comes first, so that among equal times the layouts stay as they were given.
  if (problem[op].role != OpRole::Fixed) {
    add(forms.given(op));
    llvm::for_each(oracle.legal(op), add);
  }
  // The base comes even if it makes no form: where the given one does not fit, there must be something to fall
  // back to.
  addOnce(all, oracle.base(op));
  return all;
}

/// All combinations if they are few; else the first of each, one that differs, and the last ways that all have. True if
/// all.
template <class Visit>
bool Choices::forEachCombination(llvm::ArrayRef<std::vector<InputChoice>> ways, Visit visit) {
  size_t combinations = 1;
  for (const std::vector<InputChoice> &list : ways) {
    if (list.empty())
      return true;
    // Capped as it grows, since the product of dozens of operands overflows.
    combinations = std::min(kMaxCombinations + 1, combinations * list.size());
  }
  auto chosen = llvm::map_to_vector(ways, [](const std::vector<InputChoice> &list) { return list.front(); });
  if (combinations <= kMaxCombinations) {
    llvm::SmallVector<size_t, 4> at(ways.size(), 0);
    for (;;) {
      for (size_t i = 0; i < ways.size(); ++i)
        chosen[i] = ways[i][at[i]];
      visit(llvm::ArrayRef(chosen));
      size_t wheel = 0;
      while (wheel < ways.size() && ++at[wheel] == ways[wheel].size())
        at[wheel++] = 0;
      if (wheel == ways.size())
        return true;
    }
  }
  visit(llvm::ArrayRef(chosen));
  // An op of many operands (a concat) is in the end read in one of few patterns: as it lies, one operand
  // otherwise, or all alike. The rest is given up, and `complete` says so.
  size_t longest = 0;
  for (size_t i = 0; i < ways.size(); ++i) {
    for (const InputChoice &way : llvm::ArrayRef(ways[i]).drop_front()) {
      chosen[i] = way;
      visit(llvm::ArrayRef(chosen));
    }
    chosen[i] = ways[i].front();
    longest = std::max(longest, ways[i].size());
  }
  // Forms stand at the same places for values of the same kind, so one place for all is often one placement for
  // all.
  for (size_t place = 1; place < longest; ++place) {
    for (size_t i = 0; i < ways.size(); ++i)
      chosen[i] = ways[i][std::min(place, ways[i].size() - 1)];
    visit(llvm::ArrayRef(chosen));
  }
  return false;
}

/// Over all forms of all values, no conversion counted.
void Choices::findLeast(OpId op) {
  // A Fixed op takes what it takes: no choice changes its time, so no lower bound may count it.
  bool fixed = problem[op].role == OpRole::Fixed;
  std::vector<std::vector<InputChoice>> ways;
  auto &with = leastWith[op.index()];
  for (ValueId value : values[op.index()]) {
    // In forms and not in what is there: the least must hold whatever the search makes of memory. Conversions
    // are not counted, which only makes it smaller.
    with.emplace_back(forms.of(value).size(), kEndless);
    std::vector<InputChoice> &list = ways.emplace_back();
    for (LayoutId form : forms.of(value))
      list.push_back({form, LayoutId(), Bytes(0)});
  }
  Nanoseconds least = kEndless;
  bool all = forEachCombination(ways, [&](llvm::ArrayRef<InputChoice> inputs) {
    auto byValue = llvm::map_to_vector(inputs, [](const InputChoice &input) { return input.source; });
    llvm::SmallVector<LayoutId, 8> operands = byOperand<LayoutId>(problem[op], byValue);
    auto fastest = fastestOf(oracle, op, operands, configs[op.index()]);
    Nanoseconds time = fastest ? fastest->first : kEndless;
    least = std::min(least, time);
    for (size_t i = 0; i < inputs.size(); ++i) {
      size_t form = size_t(llvm::find(forms.of(values[op.index()][i]), byValue[i]) -
                           forms.of(values[op.index()][i]).begin());
      with[i][form] = std::min(with[i][form], time);
    }
  });
  // An op that cannot be judged takes what it takes.
  leasts[op.index()] = fixed || least == kEndless || !all ? Nanoseconds(0) : least;
  isComplete &= all;
}

Nanoseconds Choices::penalty(OpId op, size_t index, llvm::ArrayRef<LayoutId> present) {
  ValueId value = values[op.index()][index];
  const std::vector<Nanoseconds> &with = leastWith[op.index()][index];
  Nanoseconds best = kEndless, least = kEndless;
  for (auto [form, time] : llvm::zip_equal(forms.of(value), with)) {
    least = std::min(least, time);
    for (LayoutId source : present) {
      // A lower bound of what the reader loses: each of its values is taken by itself, the others as they suit
      // best.
      StepCost conversion = oracle.bring(value, source, form);
      if (conversion.legal)
        best = std::min(best, time + conversion.time);
    }
  }
  // Where no way is legal the reader has no time that could be lost; the choice itself will be refused when it
  // is tried.
  return best == kEndless ? Nanoseconds(0) : best - least;
}

/// As it is first; the given plan's layout is the first conversion.
std::vector<InputChoice> Choices::waysToRead(OpId op, size_t index, llvm::ArrayRef<LayoutId> present) {
  ValueId value = values[op.index()][index];
  // A Fixed op reads its declared layouts and no others (docs/policies, "Rules that hold for all").
  bool fixed = problem[op].role == OpRole::Fixed;
  LayoutId only = fixed ? baseInput(problem, op, value) : LayoutId();
  std::vector<InputChoice> ways;
  auto convert = [&](LayoutId form) {
    if (llvm::is_contained(present, form))
      return;
    // Which copy is converted makes no difference to later readers, as all of them stay while somebody reads
    // them.
    if (auto nearest = oracle.nearest(value, present, form))
      ways.push_back({present[nearest->first], form, nearest->second.own});
  };
  for (LayoutId layout : present)
    if (!fixed || layout == only)
      ways.push_back({layout, LayoutId(), Bytes(0)});
  // A copy of what is written in place would not see later writes, and an override may demand the value as it
  // is.
  if (!forms.mayBeCopied(value))
    return ways;
  if (fixed) {
    convert(only);
    return ways;
  }
  // What the policy chose has the best chances, and stands first where only some combinations are looked at.
  LayoutId given = forms.givenInput(op, firstOperand(problem[op], value));
  convert(given);
  for (LayoutId form : forms.of(value))
    if (form != given)
      convert(form);
  return ways;
}

void Choices::addRuns(OpId op, llvm::ArrayRef<InputChoice> inputs, Nanoseconds conversions, Frees mayFree,
                      std::vector<Choice> &choices) {
  auto byValue = llvm::map_to_vector(inputs, [](const InputChoice &input) { return input.read(); });
  llvm::SmallVector<LayoutId, 8> operands = byOperand<LayoutId>(problem[op], byValue);
  bool fixed = problem[op].role == OpRole::Fixed;
  size_t first = choices.size();
  for (ConfigId config : configs[op.index()]) {
    // A configuration that frees its operand is only itself where that operand is not read again: the value
    // itself, or a copy that is converted for this op alone. Elsewhere the same configuration runs without
    // freeing.
    bool frees = mayFree == Frees::Operand ||
                 (mayFree == Frees::Copy && !inputs.empty() && inputs.front().target.valid());
    ConfigId runs = frees || fixed ? config : oracle.keepingInput(config);
    if (runs != config && !isAllowed(problem[op], oracle[runs]))
      continue;
    auto [cost, alone] = oracle.needs(op, operands, runs);
    if (!cost.legal)
      continue;
    Choice choice{{inputs.begin(), inputs.end()}, runs, conversions + cost.time, cost.own, alone};
    // Readers cannot tell apart two runs with the same results, so only time and L1 count.
    auto beats = [&](const Choice &a, const Choice &b) {
      return oracle[a.config].outputs == oracle[b.config].outputs && a.time <= b.time && a.own <= b.own;
    };
    auto mine = llvm::make_range(choices.begin() + ptrdiff_t(first), choices.end());
    if (llvm::any_of(mine, [&](const Choice &other) { return beats(other, choice); }))
      continue;
    choices.erase(
        std::remove_if(mine.begin(), mine.end(), [&](const Choice &other) { return beats(choice, other); }),
        choices.end());
    choices.push_back(std::move(choice));
  }
}

const std::vector<Choice> &Choices::of(OpId op, llvm::ArrayRef<Layouts> present, Frees frees) {
  // States differ in what other ops will read, which does not change the ways to run this one.
  Words key;
  key.add(op, frees);
  for (const Layouts &layouts : present) {
    key.add(layouts.size());
    key.addAll(layouts);
  }
  auto [entry, isNew] = known.try_emplace(std::move(key));
  if (!isNew)
    return entry->second;
  std::vector<std::vector<InputChoice>> ways;
  for (size_t i = 0; i < present.size(); ++i)
    ways.push_back(waysToRead(op, i, present[i]));
  isComplete &= forEachCombination(ways, [&](llvm::ArrayRef<InputChoice> inputs) {
    Nanoseconds conversions;
    for (auto [value, input] : llvm::zip_equal(values[op.index()], inputs))
      if (input.target.valid())
        conversions += oracle.convert(value, input.source, input.target).time;
    addRuns(op, inputs, conversions, frees, entry->second);
  });
  // Short programs keep all of them, so that the search is exact there (the test against every plan needs
  // that).
  if (problem.ops.size() > kShortProgram)
    keepFew(entry->second);
  return entry->second;
}

/// For each place of the results the fastest few, and the one that needs least L1.
void Choices::keepFew(std::vector<Choice> &choices) {
  // The search is exact only if nothing is dropped, so that is noted at the end.
  size_t before = choices.size();
  std::vector<size_t> order(choices.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::tuple(choices[a].time, choices[a].own, a) < std::tuple(choices[b].time, choices[b].own, b);
  });
  struct Faster {
    size_t count = 0;
    Bytes least;
  };
  std::map<std::vector<LayoutId>, Faster> faster; // by layouts of the results
  std::vector<bool> keep(choices.size(), false);
  for (size_t at : order) {
    const auto &outputs = oracle[choices[at].config].outputs;
    Faster &before = faster[{outputs.begin(), outputs.end()}];
    bool needsLess = before.count == 0 || choices[at].own < before.least;
    // By time, so one that needs less L1 than all before it is on the front of time against L1: where L1 is
    // short it may be the only one that fits.
    keep[at] = before.count++ < kFewChoices || needsLess;
    before.least = needsLess ? choices[at].own : before.least;
  }
  size_t index = 0;
  llvm::erase_if(choices, [&](const Choice &) { return !keep[index++]; });
  isComplete &= choices.size() == before;
}
