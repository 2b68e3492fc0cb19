//===- Polish.cpp - Single and pairwise changes ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Polish.h"

#include "tessera/Optimizer/Table/Forms.h"
#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "tessera/Support/AddOnce.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::beam;

/// Each round makes room or surroundings in which the next may find something; it ends here although more may be left.
static constexpr unsigned kMaxRounds = 4;

Polish::Polish(Draft &draft, const Beams &beams, const PolicyOptions &options)
    : draft(draft), problem(draft.problem), beams(beams), options(options) {}

void Polish::run() {
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    size_t before = kept;
    ProgressFunction progress = options.progress.part(partOf(round, kMaxRounds));
    for (auto [position, op] : llvm::enumerate(draft.schedule())) {
      if (problem[op].role != OpRole::Fixed)
        improve(op);
      reportProgress(progress, "polishing", position + 1, problem.ops.size());
    }
    for (size_t i = 0; i < problem.values.size(); ++i)
      improveFork(ValueId(i));
    improveRegions();
    // Last, as what they change is no better by itself: before the others have found nothing more they would only lead elsewhere.
    for (OpId op : draft.schedule())
      if (kept == before && problem[op].role != OpRole::Fixed)
        improveSwaps(op);
    if (kept == before)
      break;
  }
}

void Polish::describe(OpId op, Words &words) const {
  // All that an attempt at the op looks at, but for L1: what failed for lack of room is not tried again when some comes free, as the
  // room changes with every change and nothing would ever be settled.
  auto addOp = [&](OpId id) {
    words.add(problem[id].signature, draft.config(id));
    words.addAll(draft.queryOf(id).second);
  };
  addOp(op);
  for (ValueId operand : problem[op].operands) {
    words.add(draft.made(operand));
    for (const Use &use : firstUses(problem[operand])) {
      Read read = draft.read(use.op, use.operand);
      words.add(draft.config(use.op), read.reshard, read.source);
    }
  }
  for (ValueId result : problem[op].results)
    for (const Use &use : firstUses(problem[result]))
      addOp(use.op);
}

/// Whatever is tried here looks at the op, its producers' results and its readers. So if nothing helped, nothing will
/// until one of these changes; an op of the next layer that stands in the same surroundings is passed over, too.
void Polish::improve(OpId op) {
  Words surroundings;
  describe(op, surroundings);
  if (settled.contains(surroundings))
    return;
  size_t before = kept;
  for (const Candidate &candidate : beams[op])
    for (Readers readers : {Readers::Follow, Readers::Stay})
      keepIfFaster([&] { take(draft, op, decisionOf(candidate), readers); });
  // Single candidates first: what they find already is no reason to change several things together.
  improveReads(op);
  improvePairs(op);
  improveJoin(op);
  if (kept == before)
    settled.insert(std::move(surroundings));
}

void Polish::keepIfFaster(llvm::function_ref<void()> change) {
  Nanoseconds before = draft.time();
  // A gain of rounding alone would let two changes undo each other for ever.
  Outcome outcome =
      draft.attempt(change, /*mayCost=*/false, [&] { return draft.time() < before - kLeastGain; });
  kept += outcome == Outcome::Applied;
}

/// The value as it is made, from home, in L1 interleaved, placed like the results, or as others read it.
llvm::SmallVector<Read, 8> Polish::readsOf(OpId op, ValueId value) const {
  llvm::SmallVector<Read, 8> reads = {{Source::Original, LayoutId()}, {Source::Home, LayoutId()}};
  auto add = [&](LayoutId layout) {
    if (!layout.valid() || reads.size() == kMaxReads)
      return;
    Read read = readIn(draft, value, layout);
    addOnce(reads, read);
  };
  // As others read it first: that copy is there already and costs no conversion.
  for (const Use &use : firstUses(problem[value]))
    if (use.op != op)
      add(layoutRead(draft, use.op, value));
  if (!problem.layout(problem[value].home).onDevice())
    return reads;
  add(draft.oracle.l1Interleaved(value));
  llvm::for_each(placedLikeResults(draft.oracle, problem, draft.config(op), value), add);
  return reads;
}

/// Each value read in another way, and each two.
void Polish::improveReads(OpId op) {
  auto values = distinctValues(problem[op]);
  for (size_t first = 0; first < values.size(); ++first)
    for (Read read : readsOf(op, values[first])) {
      tryReads(op, {{values[first], read}});
      for (size_t second = first + 1; second < std::min(values.size(), kMaxOperands); ++second)
        for (Read other : readsOf(op, values[second]))
          tryReads(op, {{values[first], read}, {values[second], other}});
    }
}

/// The op in any configuration that makes the same results.
void Polish::tryReads(OpId op, llvm::ArrayRef<std::pair<ValueId, Read>> reads) {
  // With other results it is another candidate of the beam, and these have been tried.
  for (ConfigId config : makingTheSame(draft.oracle, op, draft.config(op)))
    keepIfFaster([&] {
      draft.setConfig(op, config);
      for (auto [value, read] : reads)
        setReads(draft, op, value, read);
    });
}

/// The op with each of its readers: those ways that fit together, or that the beam saw together. Otherwise the reader converts
/// what it gets, and each of the two was changed alone.
void Polish::improvePairs(OpId op) {
  for (ValueId result : problem[op].results)
    for (const Use &use : firstUses(problem[result])) {
      if (problem[use.op].role == OpRole::Fixed || problem[result].uses.size() > kMaxForked)
        continue;
      // A pair is worth an attempt only if the reader takes what the op would make, or was found on that path: all
      // others put a conversion between them, which single changes have tried.
      size_t place = placeOf(problem[use.op], result);
      for (auto [index, candidate] : llvm::enumerate(beams[op]))
        for (const Candidate &reader : beams[use.op]) {
          LayoutId made = draft.oracle[candidate.config].outputs[problem[result].resultIndex];
          const Input &input = reader.inputs[place];
          if (input.layout == made || input.parent == index)
            for (Readers readers : {Readers::Follow, Readers::Stay})
              keepIfFaster([&] {
                take(draft, op, decisionOf(candidate), readers);
                take(draft, use.op, decisionOf(reader), readers);
              });
        }
    }
}

/// The op in another layout that a reader takes as it is, if it reads another operand otherwise: of two operands one must often be in tiles,
/// and it matters little which, until one of them is made so.
void Polish::improveSwaps(OpId op) {
  for (ValueId result : problem[op].results)
    for (const Use &use : firstUses(problem[result])) {
      auto values = distinctValues(problem[use.op]);
      if (problem[use.op].role == OpRole::Fixed || problem[result].uses.size() > kMaxForked ||
          values.size() < 2 || values.size() > kMaxOperands)
        continue;
      for (const Candidate &candidate : beams[op]) {
        LayoutId made = draft.oracle[candidate.config].outputs[problem[result].resultIndex];
        if (made == draft.made(result))
          continue;
        for (ValueId other : values)
          if (std::optional<Swap> swap = other == result ? std::nullopt : swapAt(use.op, result, made, other))
            // A reshard that others share may be long before, and its tensor in the way until here.
            for (bool shared : {true, false})
              keepIfFaster([&] {
                take(draft, op, decisionOf(candidate), Readers::Stay);
                draft.setConfig(use.op, swap->config);
                setReads(draft, use.op, result, {Source::Original, LayoutId()});
                setReads(draft, use.op, other,
                         {swap->read.source, swap->read.reshard, shared && swap->read.shared});
              });
      }
    }
}

/// The fastest way for the reader to go on with the same results from `made`, with `other` in another layout than now; nullopt if there is
/// none, or the conversion of `other` takes all that it saves.
std::optional<Polish::Swap> Polish::swapAt(OpId reader, ValueId result, LayoutId made, ValueId other) const {
  auto [now, inputs] = draft.queryOf(reader);
  LayoutId before = layoutRead(draft, reader, other);
  // Compared by the oracle's times before anything is tried on the draft, which takes far longer: of the operands' ways there are many,
  // and few of them save anything.
  auto conversion = [&](LayoutId layout) {
    StepCost cost = draft.oracle.convert(other, draft.made(other), layout);
    return cost.legal ? cost.time : Nanoseconds();
  };
  Nanoseconds least =
      draft.oracle.run(reader, inputs, now).time + conversion(before) +
      draft.oracle.convert(result, draft.made(result), layoutRead(draft, reader, result)).time;
  std::optional<Swap> best;
  setInput(problem[reader], result, made, inputs);
  for (Read read : readsOf(reader, other)) {
    LayoutId layout = read.reshard.valid()          ? read.reshard
                      : read.source == Source::Home ? draft.home(other)
                                                    : draft.made(other);
    if (layout == before)
      continue;
    setInput(problem[reader], other, layout, inputs);
    if (auto way = fastestOf(draft.oracle, reader, inputs, makingTheSame(draft.oracle, reader, now));
        way && way->first + conversion(layout) < least) {
      least = way->first + conversion(layout);
      best = {way->second, read};
    }
  }
  return best;
}
