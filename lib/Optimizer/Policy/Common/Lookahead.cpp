//===- Lookahead.cpp - What a layout is worth to those who read it --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Lookahead.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "tessera/Optimizer/Table/Forms.h"
#include "tessera/Support/AddOnce.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

/// Sharded placements of a reader's results that its operands may be brought to.
static constexpr size_t kMaxPlacements = 8;

static Price priceOf(const StepCost &step) { return step.legal ? Price{0, step.time} : kNoWay; }

/// The entry of a memo that is a short list, or nullptr.
template <class Memo>
static const Price *remembered(const Memo &memo, LayoutId layout) {
  for (const auto &[key, value] : memo)
    if (key == layout)
      return &value;
  return nullptr;
}

Lookahead::Lookahead(const Problem &problem, Oracle &oracle)
    : problem(problem), oracle(oracle), writtenInPlace(valuesWrittenInPlace(problem)),
      kinds(problem.ops.size()), readers(problem.values.size()), known(problem.values.size()) {
  WordNumbers numbers;
  for (size_t i = 0; i < problem.ops.size(); ++i)
    shapes.push_back(numbers.of(wordsOf(OpId(i))));
  collectReaders();
  // Readers stand in program order and ops come from the end, so each op is the last reader that is left of what it
  // reads.
  std::vector<size_t> left; // readers of each value that have no reading yet
  for (const std::vector<Reader> &all : readers)
    left.push_back(all.size());
  // Backwards, so that the worth of what a reader makes is known when its operands ask for it: the recursion never goes
  // deep.
  WordNumbers kindNumbers;
  for (size_t i = problem.ops.size(); i-- > 0;) {
    const Op &op = problem.ops[i];
    for (ConfigId config : oracle.legal(OpId(i)))
      for (auto [result, layout] : llvm::zip_equal(op.results, oracle[config].outputs))
        if (layout.valid())
          worth(result, layout);
    findKind(OpId(i), kindNumbers);
    setReadings(OpId(i), left);
  }
}

/// All that is asked about the op here, but for the worth of what it makes.
Words Lookahead::wordsOf(OpId id) const {
  const Op &op = problem[id];
  Words words;
  oracle.describe(id, words);
  words.add(op.restricted, oracle.legal(id).size());
  words.addAll(oracle.legal(id));
  for (ValueId operand : distinctValues(op))
    words.add(problem[operand], bool(writtenInPlace[operand.index()]), isDemanded(problem, operand));
  return words;
}

void Lookahead::collectReaders() {
  for (auto [index, value] : llvm::enumerate(problem.values))
    // An op that reads the value by several operands is one reader: it reads one copy.
    for (OpId op : readingOps(value)) {
      Reader &reader = readers[index].emplace_back();
      reader.op = op;
      reader.position = uint32_t(placeOf(problem[op], ValueId(index)));
      auto [entry, isNew] = sources.try_emplace({shapes[op.index()], reader.position});
      if (isNew)
        entry->second = sourcesOf(ValueId(index), reader);
    }
}

/// Once the worth of all that the op makes is known.
void Lookahead::findKind(OpId op, WordNumbers &numbers) {
  Words words;
  words.add(shapes[op.index()]);
  for (ValueId result : problem[op].results) {
    words.add(known[result.index()].size());
    for (auto [layout, price] : known[result.index()])
      words.add(layout, price.stuck, price.time);
  }
  kinds[op.index()] = numbers.of(std::move(words));
}

void Lookahead::setReadings(OpId op, std::vector<size_t> &left) {
  for (auto [position, value] : llvm::enumerate(distinctValues(problem[op]))) {
    // Readers stand in the program's order, and ops come from its end.
    Reader &reader = readers[value.index()][--left[value.index()]];
    assert(reader.op == op && reader.position == position);
    reader.reading = &readings[{kinds[op.index()], reader.position}];
    reader.reading->sources = sources.at({shapes[op.index()], reader.position});
  }
}

/// Whether the reader takes the value in its base input and no other layout.
bool Lookahead::readsBaseInput(ValueId value, const Reader &reader) const {
  return problem[reader.op].role == OpRole::Fixed || writtenInPlace[value.index()];
}

std::vector<LayoutId> Lookahead::sourcesOf(ValueId value, const Reader &reader) {
  if (readsBaseInput(value, reader))
    return {baseInput(problem, reader.op, value)};
  std::vector<LayoutId> found;
  // L1, and the placements of the reader's own results, where element-wise ops read in place. The rest of what a value may be
  // converted to is left out: a worth is asked for each layout of each value, and who chooses for the reader looks at the rest once.
  for (LayoutId layout : conversionTargets(oracle, problem,
                                           {reader.op,
                                            value,
                                            oracle.legal(reader.op),
                                            {},
                                            /*reshards=*/true,
                                            /*anywhere=*/false}))
    if (found.size() < kMaxPlacements)
      addOnce(found, layout);
  return found;
}

Nanoseconds Lookahead::residencyCharge(LayoutId layout) const {
  // A fiftieth of a launch decides between plans that the model calls equal, and nothing else.
  Nanoseconds dram(problem.device.launch.value() / 50);
  return dram * (0.5 * residencyOf(problem.layout(layout)));
}

Price Lookahead::worthUntil(ValueId value, LayoutId layout, SchedulePos leavesAt) {
  // What is not in L1 need not leave it.
  if (leavesAt >= problem.end() || !problem.layout(layout).isL1())
    return worth(value, layout);
  return worthOf(value, layout, leavesAt);
}

Price Lookahead::worthOf(ValueId value, LayoutId layout, SchedulePos leavesAt) {
  bool stays = leavesAt >= problem.end();
  auto &memo = known[value.index()];
  if (stays)
    if (const Price *sum = remembered(memo, layout))
      return *sum;
  LayoutId home = problem[value].home, dram = stays ? layout : oracle.dram(value);
  Price sum = writtenInPlace[value.index()] && layout != home ? kNoWay : Price();
  for (Reader &reader : readers[value.index()]) {
    LayoutId found = problem.position(reader.op) < leavesAt ? layout : dram;
    // Against reading it at home: only differences count, so a value from which no reader gains has worth 0 wherever it
    // lies.
    if (found != home)
      sum += readCost(value, reader, found) - readCost(value, reader, home);
  }
  // Once, whoever reads it behind: the copy in DRAM is made for all of them.
  if (!stays)
    sum += priceOf(oracle.convert(value, layout, dram));
  // Where DRAM is home the spill above has brought it there already.
  if (problem[value].returned && (stays || dram != home))
    sum += priceOf(oracle.bring(value, layout, home)); // from there it is converted in every plan
  if (stays)
    memo.emplace_back(layout, sum);
  return sum;
}

Price Lookahead::readCost(ValueId value, Reader &reader, LayoutId layout) {
  Reading &reading = *reader.reading;
  if (const Price *cost = remembered(reading.best, layout))
    return *cost;
  // A reader that takes one layout only pays for the way there, or cannot have the value at all.
  bool elsewhere = readsBaseInput(value, reader) && layout != reading.sources.front();
  Price best = elsewhere ? kNoWay : directCost(value, reader, layout);
  for (LayoutId source : reading.sources) {
    StepCost conversion = isDemanded(problem, value) ? StepCost() : oracle.convert(value, layout, source);
    if (conversion.legal && priceOf(conversion) < best)
      best = std::min(best, directCost(value, reader, source) + conversion.time);
  }
  reading.best.emplace_back(layout, best);
  return best;
}

Price Lookahead::directCost(ValueId value, Reader &reader, LayoutId layout) {
  Reading &reading = *reader.reading;
  if (const Price *cost = remembered(reading.direct, layout))
    return *cost;
  Price cost = problem[reader.op].role == OpRole::Fixed ? Price() : compute(value, reader.op, layout);
  reading.direct.emplace_back(layout, cost);
  return cost;
}

Price Lookahead::compute(ValueId value, OpId id, LayoutId layout) {
  OperandLayouts inputs = baseInputs(problem, id);
  setInput(problem[id], value, layout, inputs);
  OperandLayouts placed = inputs;
  // At a join the other operands may come along: else add(a, b) would never shard a before b, nor b before a.
  // Constants do not move with their readers.
  for (auto [operand, input] : llvm::zip_equal(problem[id].operands, placed))
    if (operand != value && problem[operand].kind == ValueKind::Activation && problem.layout(layout).isL1() &&
        !writtenInPlace[operand.index()])
      if (LayoutId like = oracle.placedLike(layout, operand); like.valid())
        input = like;
  Price best = cheapestConfig(id, inputs);
  return placed == inputs ? best : std::min(best, cheapestConfig(id, placed));
}

Price Lookahead::cheapestConfig(OpId id, llvm::ArrayRef<LayoutId> inputs) {
  Price best = kNoWay;
  for (ConfigId config : oracle.legal(id)) {
    StepCost answer = oracle.run(id, inputs, config);
    if (!answer.legal)
      continue;
    Price cost{0, answer.time};
    for (auto [result, layout] : llvm::zip_equal(problem[id].results, oracle[config].outputs))
      // What a reader makes in this layout is worth something to its own readers: without that a chain of
      // sharded ops never looks worth beginning.
      cost += worth(result, layout) + residencyCharge(layout);
    best = std::min(best, cost);
  }
  return best;
}
