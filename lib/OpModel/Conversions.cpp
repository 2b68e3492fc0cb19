//===- Conversions.cpp - From one layout to another, in single ops -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A conversion is one op where there is one that changes just that, and else a path of several over layouts between,
// the fastest that the op model finds legal. All three of place, pages and data type may differ, and no op changes
// all.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Conversions.h"

#include "KnownConversions.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

std::optional<ConversionKind> tessera::narrowConversion(const TensorLayout &from, const TensorLayout &to) {
  if (!from.onDevice() || !to.onDevice())
    return std::nullopt;
  // to_memory_config moves between any two places; to_layout may change all but the place (facts/dialect 4).
  if (from.page == to.page && from.dtype == to.dtype)
    return ConversionKind::MemoryConfig;
  // Cores too: HEAD does not compare them, but no kernel moves a shard while it tilizes it.
  if (from.buffer != to.buffer || from.memory != to.memory || from.grid != to.grid || from.cores != to.cores)
    return std::nullopt;
  return from.page == to.page ? ConversionKind::Typecast : ConversionKind::Layout;
}

OpSignature tessera::conversionSignature(const Shape &shape, const TensorLayout &from,
                                         const TensorLayout &to) {
  TensorDesc source{shape, from.dtype}, target{shape, to.dtype};
  switch (narrowConversion(from, to).value_or(ConversionKind::Layout)) {
  case ConversionKind::MemoryConfig:
    return toMemoryConfigSignature(source);
  case ConversionKind::Layout:
    return toLayoutSignature(source, target);
  case ConversionKind::Typecast:
    return typecastSignature(source, target);
  }
  llvm_unreachable("every kind has its op");
}

StepCost tessera::stepCost(const OpCostTable &table, const OpNeeds &row) {
  return row.asRequested && table.fits(row) ? StepCost{true, row.time, row.own} : StepCost();
}

/// What fits beside nothing is legal only for who asks for it (Alone::Allowed); it then counts as all of L1 that is
/// left.
StepCost tessera::stepCost(const OpCostTable &table, const OpCost &row, Alone alone) {
  Bytes budget = table.context().l1Budget;
  if (alone == Alone::Refused || table.fits(row) || !row.asRequested ||
      !fitsAlone(row, budget, table.context()))
    return stepCost(table, row);
  // All that its operands leave, so that no account finds room for another tensor beside it.
  return {true, row.time, budget - row.operands};
}

namespace {

/// Dijkstra over the layouts that a conversion may pass through.
class ShortestPath {
public:
  ShortestPath(const OpCostTable &model, const Shape &shape, LayoutId from, LayoutId to, Alone alone)
      : model(model), pool(model.layouts()), shape(shape), from(from), to(to), alone(alone) {}

  Conversion run() {
    collectLayouts();
    nodes.front().reached = true;
    // There are few nodes (collectLayouts), so a list is searched instead of a queue.
    while (Node *node = nearestOpen()) {
      if (node->layout == to)
        return pathTo(*node);
      node->done = true;
      for (Node &next : nodes)
        if (!next.done)
          relax(*node, next);
    }
    // No path: not legal, and no stops.
    return {};
  }

private:
  struct Node {
    LayoutId layout;
    bool reached = false, done = false;
    Nanoseconds time;
    unsigned steps = 0; ///< among equally fast paths the one of fewer ops
    size_t previous = 0;
    Bytes own; ///< of the last op
  };

  /// The source first; equal layouts once.
  void collectLayouts() {
    add(from);
    add(to);
    const TensorLayout &source = pool[from], &target = pool[to];
    llvm::SmallVector<TensorLayout, 3> shards = shardsOnMostCores();
    // Beside the two ends: each of their places with the pages and numbers of the other, and interleaved memory. An op of a path
    // changes one thing, so what it stops at has each thing from one end; by way of interleaved memory come shards that no op brings
    // to the others at once.
    for (PageLayout page : {source.page, target.page})
      for (DataType dtype : {source.dtype, target.dtype}) {
        TensorDesc tensor{shape, dtype};
        for (const TensorLayout &placement : {source, target})
          if (page != placement.page || dtype != placement.dtype)
            add(placedLike(placement, page, tensor));
        add(onMesh(dramInterleaved(tensor, page)));
        add(onMesh(l1Interleaved(tensor, model.device().workerGrid, page)));
        for (const TensorLayout &placement : shards)
          add(placedLike(placement, page, tensor));
      }
  }

  /// A kernel that changes the pages of shards works on all their cores, and one of interleaved tensors on as many as there are rows of
  /// tiles at most: so shards on the most cores may be worth two moves.
  llvm::SmallVector<TensorLayout, 3> shardsOnMostCores() const {
    const TensorLayout &source = pool[from], &target = pool[to];
    llvm::SmallVector<TensorLayout, 3> shards;
    if (source.page == target.page)
      return shards;
    TensorDesc tensor{shape, source.dtype};
    GridShape workers = model.device().workerGrid;
    GridShape units = physicalShapeInUnits(dramInterleaved(tensor), shape);
    if (units.volume() == 0)
      return shards;
    // The cores that get work if each takes as many units as the fullest: 100 rows of tiles on 64 cores are 2 each on
    // 50.
    auto split = [](int64_t units, int64_t cores) { return ceilDiv(units, ceilDiv(units, cores)); };
    auto add = [&](MemoryLayout kind, GridShape grid) {
      shards.push_back(onMesh(l1Sharded(tensor, kind, grid, workers)));
    };
    add(MemoryLayout::HeightSharded, {split(units.rows, workers.volume()), 1});
    add(MemoryLayout::WidthSharded, {1, split(units.columns, workers.volume())});
    add(MemoryLayout::BlockSharded, {split(units.rows, workers.rows), split(units.columns, workers.columns)});
    return shards;
  }

  TensorLayout placedLike(TensorLayout placement, PageLayout page, const TensorDesc &tensor) const {
    placement.page = page;
    return withTensor(placement, tensor, model.device().workerGrid);
  }

  TensorLayout onMesh(TensorLayout layout) const {
    layout.mesh = pool[from].mesh;
    return layout;
  }

  void add(const TensorLayout &layout) {
    // Block floats share exponents within the rows of a tile's faces, so they exist in no other pages.
    bool rowsOfTiles = isBlockFloat(layout.dtype) && !layout.isTiled();
    if (!rowsOfTiles && checkLayoutFor(layout, shape, model.device()).empty())
      add(pool.intern(layout));
  }
  void add(LayoutId layout) {
    if (llvm::none_of(nodes, [&](const Node &node) { return node.layout == layout; }))
      nodes.emplace_back().layout = layout;
  }

  Node *nearestOpen() {
    Node *best = nullptr;
    for (Node &node : nodes)
      if (node.reached && !node.done && (!best || isNearer(node.time, node.steps, *best)))
        best = &node;
    return best;
  }

  static bool isNearer(Nanoseconds time, unsigned steps, const Node &than) {
    return std::pair(time, steps) < std::pair(than.time, than.steps);
  }

  void relax(const Node &node, Node &next) {
    const TensorLayout &source = pool[node.layout], &target = pool[next.layout];
    // Only what one op can do is an edge.
    if (!narrowConversion(source, target))
      return;
    OpSignature signature = conversionSignature(shape, source, target);
    OpConfig config;
    config.outputs = {next.layout};
    StepCost cost = stepCost(model, {signature, node.layout, config}, alone);
    if (!cost.legal || (next.reached && !isNearer(node.time + cost.time, node.steps + 1, next)))
      return;
    next = {next.layout, true, false, node.time + cost.time, node.steps + 1, size_t(&node - nodes.data()),
            cost.own};
  }

  Conversion pathTo(const Node &target) const {
    Conversion conversion;
    conversion.cost.legal = true;
    conversion.cost.time = target.time;
    for (const Node *node = &target; node->layout != from; node = &nodes[node->previous]) {
      LayoutId before = nodes[node->previous].layout;
      // Between two ops of a path a tensor of its own lives; the source and the target are the caller's to count.
      Bytes between = before == from ? Bytes(0) : l1BytesPerCore(pool[before], model.device());
      // Steps run one after the other, so the hungriest moment counts, not the sum.
      conversion.cost.own = std::max(conversion.cost.own, node->own + between);
      conversion.stops.insert(conversion.stops.begin(), node->layout);
    }
    return conversion;
  }

  OpCostTable model;
  LayoutPool &pool;
  const Shape &shape;
  LayoutId from, to;
  Alone alone;
  std::vector<Node> nodes;
};

// The target is the only stop, legal or not: who asks looks at the cost first.
Conversion oneStep(const OpCostTable &model, const Shape &shape, LayoutId from, LayoutId to, Alone alone) {
  OpSignature signature = conversionSignature(shape, model.layouts()[from], model.layouts()[to]);
  OpConfig config;
  config.outputs = {to};
  return {stepCost(model, {signature, from, config}, alone), {to}};
}

} // namespace

ConvertedId Conversions::idOf(const TensorDesc &tensor) { return store->tensors.intern(tensor); }

StepCost Conversions::byOneOp(const TensorDesc &tensor, LayoutId from, LayoutId to) const {
  bool isOne = narrowConversion(table.layouts()[from], table.layouts()[to]).has_value();
  return isOne ? oneStep(table, tensor.shape, from, to, Alone::Refused).cost : StepCost();
}

const Conversion &Conversions::find(ConvertedId tensor, LayoutId from, LayoutId to) {
  OpCostTable::KnownConversions::Key key{unsigned(tensor.index()), unsigned(from.index()),
                                         unsigned(to.index())};
  {
    std::lock_guard lock(store->mutex);
    if (const Conversion *known = store->known.lookup(key))
      return *known;
  }
  // Without the lock, as the table's rows: two threads find the same.
  const Shape &shape = store->tensors[tensor].shape;
  Conversion found;
  // A move is one op, in tt-mlir as well; one that the op model refuses stays refused.
  bool move = narrowConversion(table.layouts()[from], table.layouts()[to]) == ConversionKind::MemoryConfig;
  // A way that keeps the cap first, even if it is longer.
  for (Alone alone : {Alone::Refused, Alone::Allowed})
    if (!found.cost.legal)
      found =
          move ? oneStep(table, shape, from, to, alone) : ShortestPath(table, shape, from, to, alone).run();
  std::lock_guard lock(store->mutex);
  const Conversion *&known = store->known[key];
  if (!known)
    known = &store->made.emplace_back(std::move(found));
  return *known;
}
