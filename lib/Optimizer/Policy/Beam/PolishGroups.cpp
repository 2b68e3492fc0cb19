//===- PolishGroups.cpp - Changes of several ops that pay together --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Polish.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::beam;

/// Ops of a stretch of rows.
static constexpr size_t kMaxStretch = 32;

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
    if (layout.valid() && placements.size() < kMaxReads && problem.layout(layout).isL1() &&
        !llvm::is_contained(placements, layout))
      placements.push_back(layout);
  };
  add(draft.oracle.l1Interleaved(made.front()));
  for (LayoutId result : draft.oracle[draft.config(op)].outputs)
    add(draft.oracle.placedLike(result, made.front()));
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
    if (!config)
      return;
    changes.push_back({value, *config});
  }
  if (changes.size() < 2) // which was tried
    return;
  for (Readers readers : {Readers::Follow, Readers::FollowIfLegal})
    keepIfFaster([&] {
      for (auto [value, config] : changes) {
        OpId producer = problem[value].producer;
        llvm::SmallVector<LayoutId, 4> inputs;
        for (ValueId operand : distinctValues(problem[producer]))
          inputs.push_back(layoutRead(draft, producer, operand));
        take(draft, producer, config, inputs, readers);
      }
      for (ValueId value : made)
        setReads(draft, op, value, {Source::Original, LayoutId()});
    });
}

/// What makes the value in `layout` from what its producer reads now.
std::optional<ConfigId> Polish::fastestMaking(ValueId value, LayoutId layout) const {
  OpId producer = problem[value].producer;
  auto inputs = draft.queryOf(producer).second;
  std::optional<std::pair<Nanoseconds, ConfigId>> best;
  for (ConfigId config : draft.oracle.legal(producer)) {
    if (draft.oracle[config].outputs.front() != layout)
      continue;
    StepCost cost = draft.oracle.run(producer, inputs, config);
    if (cost.legal && (!best || cost.time < best->first))
      best = {cost.time, config};
  }
  return best ? std::optional(best->second) : std::nullopt;
}

// ---- Forks -----------------------------------------------------------------------------------------------

/// A copy of a value that several ops read may be worth it for all of them, and for none alone: in L1 interleaved, placed like what
/// one of them makes, or as one of them reads it now.
void Polish::improveFork(ValueId value) {
  const Value &data = problem[value];
  llvm::SmallVector<OpId, kMaxReaders> readers;
  for (const Use &use : firstUses(data))
    if (problem[use.op].role != OpRole::Fixed && !llvm::is_contained(readers, use.op))
      readers.push_back(use.op);
  if (readers.size() < 2 || data.uses.size() > kMaxForked || !problem.layout(data.home).onDevice())
    return;
  llvm::SmallVector<LayoutId, kMaxReads> layouts;
  auto add = [&](LayoutId layout) {
    if (layout.valid() && layouts.size() < kMaxReads && !llvm::is_contained(layouts, layout))
      layouts.push_back(layout);
  };
  add(draft.oracle.l1Interleaved(value));
  Surroundings surroundings = {uint32_t(draft.made(value).index())};
  for (OpId reader : readers) {
    add(layoutRead(draft, reader, value));
    for (LayoutId result : draft.oracle[draft.config(reader)].outputs)
      if (problem.layout(result).isL1())
        add(draft.oracle.placedLike(result, value));
    llvm::append_range(surroundings, surroundingsOf(reader));
  }
  if (settled.contains(surroundings))
    return;
  size_t before = kept;
  for (LayoutId layout : layouts)
    readTogether(value, readers, layout);
  if (kept == before)
    settled.insert(std::move(surroundings));
}

/// All readers that are faster so read the value in `layout`; what the first of them makes the others may read, too.
void Polish::readTogether(ValueId value, llvm::ArrayRef<OpId> readers, LayoutId layout) {
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
  StepCost least = draft.oracle.run(reader, inputs, now); // not legal if another reader made something else
  for (auto [input, operand] : llvm::zip_equal(inputs, problem[reader].operands))
    if (operand == value)
      input = layout;
  std::optional<ConfigId> best;
  for (ConfigId config : draft.oracle.legal(reader)) {
    if (results == Results::Same && draft.oracle[config].outputs != draft.oracle[now].outputs)
      continue;
    StepCost cost = draft.oracle.run(reader, inputs, config);
    if (!cost.legal || (least.legal && cost.time >= least.time))
      continue;
    least = cost;
    best = config;
  }
  return best;
}

// ---- Stretches of rows -----------------------------------------------------------------------------------

/// Most ops that move data keep the pages of what they read. One of them alone in rows stands between two conversions; what pays is
/// the whole stretch of those that are faster in rows, with others between them that are hardly slower.
void Polish::improveStretches() {
  for (Nanoseconds slack : {Nanoseconds(0), problem.device.launch}) {
    std::vector<bool> seen(problem.ops.size());
    for (OpId op : draft.schedule()) {
      if (seen[op.index()])
        continue;
      llvm::SmallVector<OpId> whole = stretchFrom(op, slack, seen);
      llvm::SmallVector<OpId> core = withoutIdleEnds(whole);
      for (const llvm::SmallVector<OpId> &stretch : {core, withoutFirst(core), whole})
        if (stretch.size() > 1)
          keepIfFaster([&] {
            for (OpId each : stretch)
              if (std::optional<InPages> rows = inPages(each, PageLayout::RowMajor))
                take(draft, each, rows->config, rows->inputs, Readers::FollowIfLegal);
          });
    }
  }
}

/// Without ops that read nothing of the stretch: what they read may be expensive to have in rows.
llvm::SmallVector<OpId> Polish::withoutFirst(llvm::ArrayRef<OpId> stretch) const {
  llvm::SmallVector<OpId> rest;
  llvm::copy_if(stretch, std::back_inserter(rest), [&](OpId op) {
    return llvm::any_of(problem[op].operands, [&](ValueId operand) {
      return llvm::is_contained(stretch, problem[operand].producer);
    });
  });
  return rest;
}

/// Without ops at its ends that rows do not make faster: conversions may as well stand behind or before them.
llvm::SmallVector<OpId> Polish::withoutIdleEnds(llvm::SmallVector<OpId> stretch) const {
  auto isInside = [&](OpId op) { return llvm::is_contained(stretch, op); };
  auto isIdleEnd = [&](OpId op) {
    bool reads = llvm::any_of(problem[op].operands,
                              [&](ValueId operand) { return isInside(problem[operand].producer); });
    bool isRead = llvm::any_of(problem[op].results, [&](ValueId result) {
      return llvm::any_of(problem[result].uses, [&](const Use &use) { return isInside(use.op); });
    });
    return !(reads && isRead) && slowerInRows(op).value_or(Nanoseconds(0)) > kLeastGain * -1;
  };
  for (OpId *end = nullptr; (end = llvm::find_if(stretch, isIdleEnd)) != stretch.end();)
    stretch.erase(end);
  return stretch;
}

/// The ops around one that is faster in rows, as far as each is no slower than that by `slack`; in schedule order.
llvm::SmallVector<OpId> Polish::stretchFrom(OpId op, Nanoseconds slack, std::vector<bool> &seen) const {
  llvm::SmallVector<OpId> stretch;
  auto add = [&](OpId next, Nanoseconds most) {
    if (!next.valid() || seen[next.index()] || stretch.size() == kMaxStretch)
      return;
    if (std::optional<Nanoseconds> slower = slowerInRows(next); !slower || *slower > most)
      return;
    seen[next.index()] = true;
    stretch.push_back(next);
  };
  add(op, kLeastGain * -1);
  for (size_t i = 0; i < stretch.size(); ++i) {
    for (ValueId operand : problem[stretch[i]].operands)
      add(problem[operand].producer, slack);
    for (ValueId result : problem[stretch[i]].results)
      for (const Use &use : firstUses(problem[result]))
        add(use.op, slack);
  }
  llvm::sort(stretch, [&](OpId a, OpId b) { return draft.position(a) < draft.position(b); });
  return stretch;
}

/// The op in L1 interleaved pages, its operands too.
std::optional<Polish::InPages> Polish::inPages(OpId op, PageLayout page) const {
  auto isThere = [&](LayoutId id) {
    return id.valid() && problem.layout(id).isL1() && !problem.layout(id).isSharded() &&
           problem.layout(id).page == page;
  };
  llvm::ArrayRef<ValueId> operands = problem[op].operands;
  for (ConfigId config : draft.oracle.legal(op)) {
    llvm::ArrayRef<LayoutId> outputs = draft.oracle[config].outputs;
    if (outputs.empty() || !llvm::all_of(outputs, isThere))
      continue;
    auto inputs = draft.queryOf(op).second;
    for (auto [input, operand] : llvm::zip_equal(inputs, operands)) {
      bool declared = problem.layout(problem[operand].declared).page == page;
      LayoutId wanted = declared ? draft.oracle.l1Interleaved(operand)
                                 : draft.oracle.l1InterleavedLike(outputs.front(), operand);
      if (wanted.valid() && problem[operand].kind != ValueKind::Constant)
        input = wanted;
    }
    StepCost cost = draft.oracle.run(op, inputs, config);
    if (!cost.legal)
      continue;
    InPages found{config, {}, cost.time};
    for (ValueId value : distinctValues(problem[op]))
      found.inputs.push_back(inputs[size_t(llvm::find(operands, value) - operands.begin())]);
    return found;
  }
  return std::nullopt;
}

/// How much longer the op takes in rows than now, or in tiles from L1: what rows save there is not what L1 does. Nullopt if it has no
/// such configuration, or is in rows.
std::optional<Nanoseconds> Polish::slowerInRows(OpId op) const {
  auto [now, inputs] = draft.queryOf(op);
  std::optional<InPages> rows = inPages(op, PageLayout::RowMajor), tiles = inPages(op, PageLayout::Tile);
  if (problem[op].role != OpRole::Compute || !rows || rows->config == now)
    return std::nullopt;
  Nanoseconds best = draft.oracle.run(op, inputs, now).time;
  return rows->time - (tiles ? std::min(best, tiles->time) : best);
}
