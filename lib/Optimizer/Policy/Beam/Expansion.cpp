//===- Expansion.cpp - Regions that go in other pages together ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Expansion.h"

#include "tessera/Support/MinCut.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <map>

using namespace tessera;
using namespace tessera::beam;

namespace {

// Eleven days: longer than any program runs, and still a whole number of picoseconds in 64 bits.
constexpr Nanoseconds kImpossible(1e15);

/// Capacities are whole picoseconds: sums of doubles would depend on the order of paths.
int64_t capacity(Nanoseconds time) {
  return time < kImpossible ? llround(time.value() * 1e3) : MinCut::kUncuttable;
}

/// Which ops move, as a minimal cut: an op is a node, on the source's side if it moves. Each edge is a price that
/// is paid if its ends part company, and the cut of least capacity is the choice of least time. Unlike a change of
/// single ops it sees that a conversion goes away only if the producer and all readers move at once.
class Choice {
public:
  /// `moves` by OpId: what each op may do instead.
  Choice(Draft &draft, std::vector<std::optional<Move>> moves)
      : draft(draft), problem(draft.problem), moves(std::move(moves)) {}

  std::vector<Region> run() {
    connect();
    return regions(graph.sourceSide(kSource, kSink));
  }

private:
  static constexpr MinCut::Node kSource = 0, kSink = 1; ///< moves, stays

  Nanoseconds conversion(ValueId value, LayoutId from, LayoutId to) const {
    StepCost cost = draft.oracle.bring(value, from, to);
    return cost.legal ? cost.time : kImpossible;
  }
  /// What cannot move, or is made outside, is one node with the side that stays: no edge to it can ask it to move.
  MinCut::Node nodeOf(OpId op) const {
    return op.valid() && moves[op.index()] ? MinCut::Node(op.index() + 2) : kSink;
  }
  /// One op that reads a value, or the function's return.
  struct Reader {
    OpId op; ///< invalid: the return
    MinCut::Node node;
    LayoutId now, moved; ///< in which it reads the value; `moved` is invalid if it cannot move
  };
  llvm::SmallVector<Reader> readersOf(ValueId value) const;
  Nanoseconds extra(OpId op, ConfigId config, llvm::ArrayRef<LayoutId> inputs, ValueId value,
                    LayoutId instead) const;
  Nanoseconds extraStaying(const Reader &reader, ValueId value, LayoutId moved) const;
  Nanoseconds extraMoving(const Reader &reader, ValueId value, LayoutId made) const;
  void connect();
  void connect(ValueId value);
  bool isChange(const Move &move) const;
  std::vector<Region> regions(const std::vector<bool> &moving);

  Draft &draft;
  const Problem &problem;
  std::vector<std::optional<Move>> moves; ///< by OpId
  MinCut graph{problem.ops.size() + 2};
};

void Choice::connect() {
  for (const std::optional<Move> &move : moves)
    if (move) {
      // An op on the side of the source moves, so what moving costs is cut off towards the sink, and the other way round.
      auto [now, inputs] = draft.queryOf(move->op);
      graph.connect(nodeOf(move->op), kSink, capacity(move->time));
      graph.connect(kSource, nodeOf(move->op), capacity(draft.oracle.run(move->op, inputs, now).time));
    }
  for (size_t value = 0; value < problem.values.size(); ++value)
    connect(ValueId(value));
}

/// Readers on the other side than the producer pay for a conversion, once for all that want the same layout: the price hangs on a node
/// between the producer and them. Each of them may pay for reading the value as it is instead.
void Choice::connect(ValueId value) {
  OpId op = problem[value].producer;
  MinCut::Node producer = nodeOf(op);
  LayoutId made = draft.made(value), moved;
  if (producer != kSink)
    moved = draft.oracle[moves[op.index()]->config].outputs[problem[value].resultIndex];
  // An edge is cut, and paid for, where it leads from what moves to what stays:
  //   the producer moves, readers stay:  producer -> shared -> each reader
  //   the producer stays, readers move:  each reader -> shared -> producer
  // The conversion is on the edge between the producer and the shared node, the other edges are what reading it as it
  // is costs.
  std::map<LayoutId, llvm::SmallVector<Reader>> staying, moving;
  for (const Reader &reader : readersOf(value)) {
    staying[reader.now].push_back(reader);
    if (reader.moved.valid())
      moving[reader.moved].push_back(reader);
  }
  Nanoseconds saved; // if all readers move and the producer stays
  for (auto &[layout, readers] : staying) {
    Nanoseconds now = conversion(value, made, layout);
    if (now >= kImpossible) // read from home, which is made anyway
      now = Nanoseconds();
    MinCut::Node shared = graph.addNode();
    // The producer stays whatever happens: the conversion that there is now is spared only if all who want it move.
    if (producer == kSink) {
      graph.connect(kSource, shared, capacity(now));
      for (const Reader &reader : readers)
        graph.connect(shared, reader.node, MinCut::kUncuttable);
      continue;
    }
    // No cut has a price where both sides stay: the producer pays, and readers that move get it back.
    graph.connect(kSource, producer, capacity(now));
    if (llvm::all_of(readers, [](const Reader &reader) { return reader.moved.valid(); }))
      saved += now;
    graph.connect(producer, shared, capacity(conversion(value, moved, layout)));
    for (const Reader &reader : readers)
      graph.connect(shared, reader.node, capacity(extraStaying(reader, value, moved)));
  }
  // The producer stays and these move. What that saves is given back here, as far as a capacity goes, which is not below nothing.
  for (auto &[layout, readers] : moving) {
    MinCut::Node shared = graph.addNode();
    graph.connect(shared, producer,
                  capacity(std::max(Nanoseconds(), conversion(value, made, layout) - saved)));
    for (const Reader &reader : readers)
      graph.connect(reader.node, shared, capacity(extraMoving(reader, value, made)));
  }
}

/// Each op that reads the value, once, and the return.
llvm::SmallVector<Choice::Reader> Choice::readersOf(ValueId value) const {
  llvm::SmallVector<Reader> readers;
  for (OpId op : readingOps(problem[value])) {
    Reader reader{op, nodeOf(op), layoutRead(draft, op, value), LayoutId()};
    if (const std::optional<Move> &move = moves[op.index()])
      reader.moved = move->inputs[placeOf(problem[op], value)];
    readers.push_back(reader);
  }
  if (problem[value].returned)
    readers.push_back({OpId(), kSink, problem[value].declared, LayoutId()});
  return readers;
}

/// How much longer the op takes if it reads the value in another layout.
Nanoseconds Choice::extra(OpId op, ConfigId config, llvm::ArrayRef<LayoutId> inputs, ValueId value,
                          LayoutId instead) const {
  StepCost before = draft.oracle.run(op, inputs, config);
  llvm::SmallVector<LayoutId, 8> others(inputs);
  setInput(problem[op], value, instead, others);
  StepCost after = draft.oracle.run(op, others, config);
  // A capacity cannot be below nothing. What is faster so by itself is found without a region (Polish::improveReads).
  return before.legal && after.legal ? std::max(Nanoseconds(), after.time - before.time) : kImpossible;
}

/// A return, or an op that keeps its layouts, cannot read anything else: the conversion is the only way.
Nanoseconds Choice::extraStaying(const Reader &reader, ValueId value, LayoutId moved) const {
  if (!reader.op.valid() || problem[reader.op].role == OpRole::Fixed)
    return kImpossible;
  auto [config, inputs] = draft.queryOf(reader.op);
  return extra(reader.op, config, inputs, value, moved);
}

Nanoseconds Choice::extraMoving(const Reader &reader, ValueId value, LayoutId made) const {
  const Move &move = *moves[reader.op.index()];
  return extra(reader.op, move.config, byOperand<LayoutId>(problem[reader.op], move.inputs), value, made);
}

bool Choice::isChange(const Move &move) const {
  return move.config != draft.config(move.op) ||
         byOperand<LayoutId>(problem[move.op], move.inputs) != draft.queryOf(move.op).second;
}

/// Connected by values from op to op, each region can be tried by itself. Ops in schedule order, regions by their
/// first op.
std::vector<Region> Choice::regions(const std::vector<bool> &moving) {
  // An op whose move changes nothing may stand on either side, and would join regions that have nothing to do with each other.
  auto isMoving = [&](OpId op) {
    return nodeOf(op) != kSink && moving[nodeOf(op)] && isChange(*moves[op.index()]);
  };
  llvm::EquivalenceClasses<size_t> connected;
  for (OpId op : draft.schedule())
    if (isMoving(op)) {
      connected.insert(op.index());
      for (ValueId operand : problem[op].operands)
        if (OpId producer = problem[operand].producer; isMoving(producer))
          connected.unionSets(op.index(), producer.index());
    }
  llvm::MapVector<size_t, Region> regions;
  for (OpId op : draft.schedule())
    if (isMoving(op))
      regions[connected.getLeaderValue(op.index())].push_back(*moves[op.index()]);
  std::vector<Region> found;
  for (auto &[leader, region] : regions)
    found.push_back(std::move(region));
  return found;
}

bool makesResultsIn(const Draft &draft, Place place, OpId op, ConfigId config) {
  const Problem &problem = draft.problem;
  llvm::ArrayRef<LayoutId> outputs = draft.oracle[config].outputs;
  return !outputs.empty() && llvm::all_of(llvm::zip_equal(outputs, problem[op].results), [&](auto pair) {
    auto [output, result] = pair;
    if (!output.valid())
      return false;
    // What is returned goes home in the end: if the pages are right, it is best made there.
    if (problem[result].returned && problem.layout(problem[result].home).page == place.page)
      return output == problem[result].home;
    const TensorLayout &layout = problem.layout(output);
    return layout.buffer == place.memory && !layout.isSharded() && layout.page == place.page;
  });
}

/// The fastest way to make all results there: its operands there, too, apart from constants, or in that memory in their own pages, or
/// as they are.
std::optional<Move> moveTo(Draft &draft, Place place, OpId op) {
  const Problem &problem = draft.problem;
  // The others keep their layouts, or make nothing that could lie elsewhere.
  if (problem[op].role != OpRole::Compute && problem[op].role != OpRole::Conversion)
    return std::nullopt;
  llvm::ArrayRef<ValueId> operands = problem[op].operands;
  auto now = draft.queryOf(op).second;
  std::optional<Move> best;
  for (ConfigId config : draft.oracle.legal(op)) {
    if (!makesResultsIn(draft, place, op, config))
      continue;
    // Three ways to read: all in the pages that are made, all in their own pages, and as the op reads now. Mixtures are
    // left to polishing, which tries single reads.
    auto there = now, own = now;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (problem[operands[i]].kind == ValueKind::Constant || !draft.mayReadElsewhere(op, i))
        continue;
      PageLayout declared = problem.layout(problem[operands[i]].declared).page;
      if (LayoutId layout = draft.oracle.interleaved(operands[i], place.memory, place.page); layout.valid())
        there[i] = layout;
      if (LayoutId layout = draft.oracle.interleaved(operands[i], place.memory, declared); layout.valid())
        own[i] = layout;
    }
    // Of equal times the one that leaves most of the region in its pages.
    for (const auto &inputs : {there, own, now})
      if (StepCost cost = draft.oracle.run(op, inputs, config);
          cost.legal && (!best || cost.time < best->time))
        best = Move{op, config, byValue<LayoutId>(problem[op], inputs), cost.time};
  }
  return best;
}

} // namespace

std::vector<Region> beam::expansion(Draft &draft, Place place) {
  std::vector<std::optional<Move>> moves(draft.problem.ops.size());
  for (OpId op : draft.schedule())
    moves[op.index()] = moveTo(draft, place, op);
  return Choice(draft, std::move(moves)).run();
}

/// Whether the op, as the draft has it, is no slower for reading the value as it is made than for a conversion to `layout`.
static bool readsAsMade(Draft &draft, OpId op, ValueId value, LayoutId layout) {
  LayoutId made = draft.made(value);
  auto [config, inputs] = draft.queryOf(op);
  StepCost now = draft.oracle.run(op, inputs, config), converted = draft.oracle.convert(value, made, layout);
  setInput(draft.problem[op], value, made, inputs);
  StepCost direct = draft.oracle.run(op, inputs, config);
  return direct.legal && (!now.legal || !converted.legal || direct.time <= now.time + converted.time);
}

/// Producers before readers, in the order of the schedule: what an op reads is then what its producers will make.
void beam::move(Draft &draft, llvm::ArrayRef<Region> regions) {
  llvm::SmallVector<const Move *> moves;
  for (const Region &region : regions)
    for (const Move &move : region) {
      // Readers that move come later and are set by their own move; all others go on as they are.
      take(draft, move.op, move.config, move.inputs, Readers::Stay);
      moves.push_back(&move);
    }
  // What is cheaper as it is, for those that moved and for those that read them.
  for (const Move *move : moves) {
    for (auto [value, layout] : llvm::zip_equal(distinctValues(draft.problem[move->op]), move->inputs))
      if (layout != draft.made(value) && draft.problem[value].producer.valid() &&
          readsAsMade(draft, move->op, value, layout))
        setReads(draft, move->op, value, {Source::Original, LayoutId()});
    for (ValueId result : draft.problem[move->op].results)
      for (const Use &use : draft.problem[result].uses)
        if (LayoutId layout = layoutRead(draft, use.op, result);
            layout != draft.made(result) && readsAsMade(draft, use.op, result, layout))
          setReads(draft, use.op, result, {Source::Original, LayoutId()});
  }
}
