//===- PolishGroups.cpp - Changes of several ops that pay together --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Polish.h"

#include "tessera/Optimizer/Table/Forms.h"
#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "tessera/Support/AddOnce.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::beam;

// Single changes are the business of Polish.cpp. What follows needs several at once, since each alone makes the
// plan slower: operands of a join, readers of a fork, a region.
// ---- Joins -----------------------------------------------------------------------------------------------

/// Ops that join values want them placed alike: one producer alone that makes another layout only adds a conversion.
void Polish::improveJoin(OpId op) {
  llvm::SmallVector<ValueId, kMaxOperands> made;
  for (ValueId value : distinctValues(problem[op]))
    if (OpId producer = problem[value].producer;
        producer.valid() && problem[producer].role != OpRole::Fixed &&
        problem[producer].results.size() == 1 && problem[value].uses.size() <= kMaxForked)
      made.push_back(value);
  if (made.size() < 2 || made.size() > kMaxOperands)
    return;
  llvm::SmallVector<LayoutId, kMaxReads> placements;
  auto add = [&](LayoutId layout) {
    if (layout.valid() && placements.size() < kMaxReads && problem.layout(layout).isL1())
      addOnce(placements, layout);
  };
  // Few, as each is tried with all producers: interleaved, as the op's results lie, and as one of the operands is made.
  add(draft.oracle.l1Interleaved(made.front()));
  llvm::for_each(placedLikeResults(draft.oracle, problem, draft.config(op), made.front()), add);
  for (ValueId value : made)
    add(draft.oracle.placedLike(draft.made(value), made.front()));
  for (LayoutId placement : placements)
    makeAlike(op, made, placement);
}

/// The producers of these operands place them alike, and the op reads them as they are.
void Polish::makeAlike(OpId op, llvm::ArrayRef<ValueId> made, LayoutId placement) {
  llvm::SmallVector<std::pair<ValueId, ConfigId>, kMaxOperands> changes;
  for (ValueId value : made) {
    LayoutId layout = draft.oracle.placedLike(placement, value);
    if (!layout.valid() || layout == draft.made(value))
      continue;
    std::optional<ConfigId> config = fastestMaking(value, layout);
    // One that cannot leaves the op with unlike operands after all, and the others have been tried one by one.
    if (!config)
      return;
    changes.push_back({value, *config});
  }
  if (changes.size() < 2) // which was tried
    return;
  // Other readers of these values first follow whatever it costs, then only where they may; the faster plan of the
  // two is what stays.
  for (Readers readers : {Readers::Follow, Readers::FollowIfLegal})
    keepIfFaster([&] {
      for (auto [value, config] : changes) {
        OpId producer = problem[value].producer;
        take(draft, producer, config, inputsOf(draft, producer), readers);
      }
      for (ValueId value : made)
        setReads(draft, op, value, {Source::Original, LayoutId()});
    });
}

/// What makes the value in `layout` from what its producer reads now.
std::optional<ConfigId> Polish::fastestMaking(ValueId value, LayoutId layout) const {
  OpId producer = problem[value].producer;
  auto best = fastestOf(draft.oracle, producer, draft.queryOf(producer).second,
                        llvm::make_filter_range(draft.oracle.legal(producer), [&](ConfigId config) {
                          return draft.oracle[config].outputs.front() == layout;
                        }));
  return best ? std::optional(best->second) : std::nullopt;
}

// ---- Forks -----------------------------------------------------------------------------------------------

/// A copy of a value that several ops read may be worth it for all of them, and for none alone: in L1 interleaved, placed like what
/// one of them makes, or as one of them reads it now.
void Polish::improveFork(ValueId value) {
  const Value &data = problem[value];
  llvm::SmallVector<OpId, kMaxReaders> readers;
  for (const Use &use : firstUses(data))
    if (problem[use.op].role != OpRole::Fixed)
      addOnce(readers, use.op);
  if (readers.size() < 2 || data.uses.size() > kMaxForked || !problem.layout(data.home).onDevice())
    return;
  llvm::SmallVector<LayoutId, kMaxReads> layouts;
  auto add = [&](LayoutId layout) {
    if (layout.valid() && layouts.size() < kMaxReads)
      addOnce(layouts, layout);
  };
  add(draft.oracle.l1Interleaved(value));
  // All that is looked at below: equal layers whose forks found nothing are looked at once.
  Words surroundings;
  surroundings.add(draft.made(value));
  for (OpId reader : readers) {
    add(layoutRead(draft, reader, value));
    llvm::for_each(placedLikeResults(draft.oracle, problem, draft.config(reader), value), add);
    describe(reader, surroundings);
  }
  if (settled.contains(surroundings))
    return;
  size_t before = kept;
  for (LayoutId layout : layouts)
    readTogether(value, readers, layout);
  // Only what found nothing: where something was kept, the same surroundings do not come back.
  if (kept == before)
    settled.insert(std::move(surroundings));
}

/// All readers that are faster so read the value in `layout`; what the first of them makes the others may read, too.
void Polish::readTogether(ValueId value, llvm::ArrayRef<OpId> readers, LayoutId layout) {
  // First so that nothing changes for those behind the readers; a reader that makes something else may cost them what is saved here.
  for (Results results : {Results::Same, Results::Any})
    keepIfFaster([&] {
      for (OpId reader : readers)
        if (std::optional<ConfigId> config = fasterIn(reader, value, layout, results)) {
          draft.setConfig(reader, *config);
          setReads(draft, reader, value, readIn(draft, value, layout));
        }
    });
}

/// The reader's fastest configuration with the value in `layout`; nullopt if none is faster than what it does now.
std::optional<ConfigId> Polish::fasterIn(OpId reader, ValueId value, LayoutId layout, Results results) const {
  auto [now, inputs] = draft.queryOf(reader);
  StepCost before = draft.oracle.run(reader, inputs, now); // not legal if another reader made something else
  setInput(problem[reader], value, layout, inputs);
  auto best = results == Results::Same
                  ? fastestOf(draft.oracle, reader, inputs, makingTheSame(draft.oracle, reader, now))
                  : fastestOf(draft.oracle, reader, inputs, draft.oracle.legal(reader));
  bool isFaster = best && (!before.legal || best->first < before.time);
  return isFaster ? std::optional(best->second) : std::nullopt;
}

// ---- Regions ---------------------------------------------------------------------------------------------

/// What moves to other pages, or to DRAM, together: all regions at once or, if that has no room or is not faster after all, each by itself.
void Polish::improveRegions() {
  for (Place place : kPlaces) {
    std::vector<Region> regions = expansion(draft, place);
    size_t before = kept;
    if (!regions.empty())
      keepIfFaster([&] { move(draft, regions); });
    if (kept == before && regions.size() > 1)
      for (const Region &region : regions)
        keepIfFaster([&] { move(draft, region); });
  }
}
