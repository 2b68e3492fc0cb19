//===- ShardSolver.cpp - One configuration per op of a chain -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Steps 1 to 3 leave out configurations until each that is left goes together
// with one at the other end of each of its edges; 4 and 5 choose among them by
// cores, from the front. A choice may leave nothing elsewhere. It is then taken
// back from a record of what it changed (Changes), and the next best is tried.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/ShardSolver.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>
#include <utility>

using namespace tessera;

static constexpr unsigned kOutside = ShardSolverEdge::kOutside;

ShardSolver::ShardSolver(ShardSolverGraph graph, ShardConstraints &constraints, ForkRule rule,
                         ShardSolverObserver *observer, llvm::StringRef title)
    : data(std::move(graph)), constraints(constraints), rule(rule), observer(observer),
      pathSets(data.edges.size()), reshardMaps(data.edges.size()), edgesOf(data.ops.size()) {
  for (const ShardSolverOp &op : data.ops)
    bits.emplace_back(unsigned(op.configs.size()), true);
  for (auto [index, edge] : llvm::enumerate(data.edges)) {
    // An edge from outside has no paths, and nothing at its other end that could be narrowed.
    if (edge.producer == kOutside)
      continue;
    edgesOf[edge.producer].push_back(unsigned(index));
    edgesOf[edge.consumer].push_back(unsigned(index));
  }
  if (observer)
    observer->begin(title, *this);
}

void ShardSolver::notify(ShardSolverStep step) {
  if (observer)
    observer->step(step, *this);
}

bool ShardSolver::fail(unsigned edge) {
  failed = edge;
  notify({ShardSolverStep::Kind::Failed, data.edges[edge].consumer, edge});
  return false;
}

// ---- Steps 1 to 3 ----------------------------------------------------------------------------------------

bool ShardSolver::resolve() {
  // A chain's edges come in its order, so what a producer can make is narrowed down before its reader is asked.
  for (unsigned edge = 0; edge < data.edges.size(); ++edge) {
    bool found = data.edges[edge].producer == kOutside ? preprocessFirstOp(edge) : buildPaths(edge);
    if (!found)
      return fail(edge);
  }
  std::vector<unsigned> all;
  for (unsigned op = 0; op < data.ops.size(); ++op)
    all.push_back(op);
  if (!updateSolver(std::move(all)) ||
      llvm::any_of(bits, [](const llvm::BitVector &op) { return op.none(); })) {
    notify({ShardSolverStep::Kind::Failed, 0});
    return false;
  }
  changes = {}; // nothing of this is ever taken back
  notify({ShardSolverStep::Kind::Propagated, 0});
  return true;
}

bool ShardSolver::preprocessFirstOp(unsigned edge) {
  unsigned op = data.edges[edge].consumer;
  llvm::BitVector accepting(bits[op].size());
  for (unsigned config : bits[op].set_bits())
    if (constraints.acceptsOutside(edge, config))
      accepting.set(config);
  if (accepting.none())
    // Only if no configuration takes what comes in; the published solver reshards in front of each conv2d
    // (docs/df-sharding).
    return insertReshard(edge);
  bits[op] = std::move(accepting);
  notify({ShardSolverStep::Kind::FirstOp, op, edge});
  return true;
}

bool ShardSolver::buildPaths(unsigned edge) {
  auto [producer, consumer] = data.edges[edge];
  for (unsigned from : bits[producer].set_bits())
    for (unsigned to : bits[consumer].set_bits())
      // All pairs are asked once, here. What follows only takes pairs away, so the constraints are not asked
      // again.
      if (constraints.accepts(edge, from, to))
        pathSets[edge].push_back({from, to});
  // A conversion only where nothing goes together without one (facts/optimizer-design 3.3).
  if (pathSets[edge].empty())
    return insertReshard(edge);
  notify({ShardSolverStep::Kind::Paths, consumer, edge});
  return narrow(edge);
}

/// Collects the whole map (reshard target -> consumer configurations), so that the final choice is free.
bool ShardSolver::insertReshard(unsigned edge) {
  unsigned consumer = data.edges[edge].consumer;
  ReshardMap map(bits[consumer].size());
  llvm::BitVector accepting(bits[consumer].size());
  for (unsigned target = 0, count = constraints.reshardTargets(edge); target < count; ++target)
    for (unsigned config : bits[consumer].set_bits())
      if (constraints.acceptsReshard(edge, target, config)) {
        map[config].push_back(target);
        accepting.set(config);
      }
  if (accepting.none())
    return false;
  bits[consumer] = std::move(accepting);
  reshardMaps[edge] = std::move(map);
  bool inner = data.edges[edge].producer != kOutside;
  if (inner)
    pathsFromReshardMap(edge);
  notify({ShardSolverStep::Kind::Reshard, consumer, edge});
  return !inner || narrow(edge);
}

/// A pair goes together if what the producer makes can be brought to one of the consumer's targets. (The published
/// solver takes every pair: facts/ir 3.3. The chain then fails if the pair that it selects has no such target, however
/// many others have.)
void ShardSolver::pathsFromReshardMap(unsigned edge) {
  auto [producer, consumer] = data.edges[edge];
  for (unsigned from : bits[producer].set_bits())
    for (unsigned to : bits[consumer].set_bits())
      if (llvm::any_of((*reshardMaps[edge])[to], [&, from = from](unsigned target) {
            return constraints.canReshard(edge, from, target);
          }))
        pathSets[edge].push_back({from, to});
}

/// Drops paths with an end that is out, then configurations without a path. False if nothing is left.
bool ShardSolver::narrow(unsigned edge) {
  auto [producer, consumer] = data.edges[edge];
  auto isOut = [&, producer = producer, consumer = consumer](const Path &path) {
    return !bits[producer].test(path.producer) || !bits[consumer].test(path.consumer);
  };
  if (llvm::any_of(pathSets[edge], isOut)) {
    std::vector<Path> paths = pathSets[edge];
    llvm::erase_if(paths, isOut);
    setPaths(edge, std::move(paths));
  }
  llvm::BitVector from(bits[producer].size()), to(bits[consumer].size());
  for (const Path &path : pathSets[edge]) {
    from.set(path.producer);
    to.set(path.consumer);
  }
  keepBits(producer, std::move(from));
  keepBits(consumer, std::move(to));
  return !pathSets[edge].empty();
}

void ShardSolver::keepBits(unsigned op, llvm::BitVector kept) {
  // A configuration that is out once stays out, so sets are only ever cut.
  kept &= bits[op];
  if (kept == bits[op])
    return;
  // The old set is kept to be put back: `set` tries a configuration and takes it back if nothing is left
  // somewhere.
  std::swap(bits[op], kept);
  changes.bits.emplace_back(op, std::move(kept));
  staleUsage.insert(op);
}

void ShardSolver::setPaths(unsigned edge, std::vector<Path> paths) {
  std::swap(pathSets[edge], paths);
  changes.paths.emplace_back(edge, std::move(paths));
  staleUsage.insert(data.edges[edge].producer);
}

bool ShardSolver::updateSolver(std::vector<unsigned> worklist) {
  // Sets only shrink, so the order of the work does not matter for what is left, and it ends.
  // The set is asked and never walked, so its order shows nowhere.
  llvm::DenseSet<unsigned> waiting(worklist.begin(), worklist.end());
  while (!worklist.empty()) {
    unsigned op = worklist.back();
    worklist.pop_back();
    waiting.erase(op);
    for (unsigned edge : edgesOf[op]) {
      auto [producer, consumer] = data.edges[edge];
      unsigned before[] = {bits[producer].count(), bits[consumer].count()};
      if (!narrow(edge))
        return false;
      for (auto [end, count] : {std::pair(producer, before[0]), std::pair(consumer, before[1])})
        if (bits[end].count() != count && waiting.insert(end).second)
          worklist.push_back(end);
    }
  }
  return true;
}

bool ShardSolver::set(unsigned op, unsigned config) {
  if (op >= bits.size() || config >= bits[op].size() || !bits[op].test(config))
    return false;
  // One attempt can be taken back, the last one.
  changes = {};
  llvm::BitVector only(bits[op].size());
  only.set(config);
  keepBits(op, std::move(only));
  if (updateSolver({op}))
    return true;
  takeBack();
  return false;
}

void ShardSolver::takeBack() {
  Changes done = std::exchange(changes, {});
  // In reverse, so that what was narrowed twice ends as it was.
  for (auto &[op, before] : llvm::reverse(done.bits)) {
    bits[op] = std::move(before);
    staleUsage.insert(op);
  }
  for (auto &[edge, before] : llvm::reverse(done.paths)) {
    pathSets[edge] = std::move(before);
    staleUsage.insert(data.edges[edge].producer);
  }
}

// ---- Steps 4 and 5 ---------------------------------------------------------------------------------------

unsigned ShardSolver::innerEdgesInto(unsigned op) const {
  return unsigned(
      llvm::count_if(edgesOf[op], [&](unsigned edge) { return data.edges[edge].consumer == op; }));
}

std::vector<double> ShardSolver::coreUsageOf(unsigned op, llvm::ArrayRef<std::vector<double>> usage) const {
  const std::vector<ShardConfig> &configs = data.ops[op].configs;
  std::vector<double> downstream(configs.size(), 0);
  for (unsigned edge : edgesOf[op]) {
    if (data.edges[edge].producer != op)
      continue;
    unsigned consumer = data.edges[edge].consumer;
    // A join's usage is shared among its operands, else it would count once per branch (facts/optimizer-design 3.3.8).
    double factor = innerEdgesInto(consumer);
    std::vector<double> best(configs.size(), 0);
    for (const Path &path : pathSets[edge])
      best[path.producer] = std::max(best[path.producer], usage[consumer][path.consumer] / factor);
    for (size_t i = 0; i < configs.size(); ++i)
      downstream[i] = rule == ForkRule::Sum ? downstream[i] + best[i] : std::max(downstream[i], best[i]);
  }
  std::vector<double> own(configs.size(), 0);
  for (unsigned config : bits[op].set_bits())
    own[config] = double(configs[config].cores.value()) + downstream[config];
  return own;
}

std::vector<std::vector<double>> ShardSolver::accumulatedCoreUsage() const {
  std::vector<std::vector<double>> usage(data.ops.size());
  // Consumers stand behind their producers, so their usage is there when it is asked for.
  for (unsigned op = unsigned(data.ops.size()); op-- > 0;)
    usage[op] = coreUsageOf(op, usage);
  return usage;
}

/// From the last stale op to the first: a consumer comes after its producers, so each op is computed once.
void ShardSolver::refreshUsage(std::vector<std::vector<double>> &usage) {
  while (!staleUsage.empty()) {
    unsigned op = *staleUsage.rbegin();
    staleUsage.erase(op);
    std::vector<double> now = coreUsageOf(op, usage);
    if (now == usage[op])
      continue;
    usage[op] = std::move(now);
    for (unsigned edge : edgesOf[op])
      if (data.edges[edge].consumer == op)
        staleUsage.insert(data.edges[edge].producer);
  }
}

std::optional<unsigned> ShardSolver::bestConfig(unsigned op, llvm::ArrayRef<double> usage,
                                                const llvm::BitVector &candidates) const {
  auto rank = [&](unsigned config) {
    // Ties go away from block sharding, as in the published solver (facts/ir 3.3); then to the earlier configuration,
    // so that plans do not depend on chance.
    return std::tuple(-usage[config], data.ops[op].configs[config].kind == MemoryLayout::BlockSharded,
                      config);
  };
  std::optional<unsigned> best;
  for (unsigned config : candidates.set_bits())
    if (bits[op].test(config) && (!best || rank(config) < rank(*best)))
      best = config;
  return best;
}

/// Tries the candidates of `op`, best first, until one can be set.
bool ShardSolver::selectOp(unsigned op, llvm::BitVector candidates, std::vector<std::vector<double>> &usage,
                           std::vector<unsigned> &chosen) {
  refreshUsage(usage);
  while (std::optional<unsigned> config = bestConfig(op, usage[op], candidates)) {
    if (set(op, *config)) {
      chosen[op] = *config;
      notify({ShardSolverStep::Kind::Selected, op, kOutside, *config});
      return true;
    }
    candidates.reset(*config);
  }
  return false;
}

std::vector<unsigned> ShardSolver::select(std::optional<MemoryLayout> preferred) {
  std::vector<unsigned> chosen(data.ops.size());
  if (data.ops.empty())
    return chosen;
  std::vector<std::vector<double>> usage = accumulatedCoreUsage();
  // All that resolve() narrowed is counted in it.
  staleUsage.clear();
  notify({ShardSolverStep::Kind::CoreUsage, 0});
  unsigned last = unsigned(data.ops.size()) - 1;
  if (preferred) {
    llvm::BitVector ofKind = bits[last];
    for (unsigned config : bits[last].set_bits())
      if (data.ops[last].configs[config].kind != *preferred)
        ofKind.reset(config);
    selectOp(last, ofKind, usage, chosen); // a wish: without such a configuration the usual order decides
  }
  // From the front, each by the cores of all that follows: usage is accumulated from the back, so taking the
  // best one after the other finds the path with most cores where there is no fork or join.
  for (unsigned op = 0; op <= last; ++op)
    if (!selectOp(op, bits[op], usage, chosen))
      return {};
  return chosen;
}
