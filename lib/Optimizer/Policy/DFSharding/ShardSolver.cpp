//===- ShardSolver.cpp - One configuration per op of a chain -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Steps 1 to 3 leave out configurations until each that is left goes together
// with one at the other end of each of its edges. In a chain each of them is then
// part of a solution, so that 4 and 5 choose by cores, from the front, and never
// have to take a choice back.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/ShardSolver.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace tessera;

ShardSolver::ShardSolver(std::vector<ShardSolverOp> ops, ShardConstraints &constraints,
                         ShardSolverObserver *observer, llvm::StringRef title)
    : chain(std::move(ops)), constraints(constraints), observer(observer), pathSets(chain.size()),
      reshardMaps(chain.size()) {
  for (const ShardSolverOp &op : chain)
    bits.emplace_back(unsigned(op.configs.size()), true);
  if (observer)
    observer->begin(title, *this);
}

void ShardSolver::notify(ShardSolverStep step) {
  if (observer)
    observer->step(step, *this);
}

// ---- Steps 1 to 3 ----------------------------------------------------------------------------------------

bool ShardSolver::resolve() {
  // In the chain's order, so that what a producer can make is narrowed down before its reader is asked.
  for (unsigned edge = 0; edge < chain.size(); ++edge)
    if (!(edge == 0 ? preprocessFirstOp() : buildPaths(edge))) {
      failed = edge;
      notify({ShardSolverStep::Kind::Failed, edge});
      return false;
    }
  // Forwards all agrees by now, as each edge was narrowed when it was built; what an op's readers do not take is left to be told to those
  // in front of it.
  for (unsigned edge = unsigned(chain.size()) - 1; edge > 0; --edge)
    narrow(edge);
  notify({ShardSolverStep::Kind::Propagated});
  return true;
}

bool ShardSolver::preprocessFirstOp() {
  llvm::BitVector accepting(bits[0].size());
  for (unsigned config : bits[0].set_bits())
    if (constraints.acceptsOutside(0, config))
      accepting.set(config);
  if (accepting.none())
    // Only if no configuration takes what comes in; the published solver reshards in front of each conv2d
    // (docs/df-sharding).
    return insertReshard(0);
  bits[0] = std::move(accepting);
  notify({ShardSolverStep::Kind::FirstOp, 0});
  return true;
}

bool ShardSolver::buildPaths(unsigned edge) {
  for (unsigned from : bits[edge - 1].set_bits())
    for (unsigned to : bits[edge].set_bits())
      // All pairs are asked once, here. What follows only takes pairs away, so the constraints are not asked
      // again.
      if (constraints.accepts(edge, from, to))
        pathSets[edge].push_back({from, to});
  // A conversion only where nothing goes together without one (facts/optimizer-design 3.3).
  if (pathSets[edge].empty())
    return insertReshard(edge);
  notify({ShardSolverStep::Kind::Paths, edge});
  narrow(edge);
  return true;
}

/// Collects the whole map (reshard target -> consumer configurations), so that the final choice is free.
bool ShardSolver::insertReshard(unsigned edge) {
  ReshardMap map(bits[edge].size());
  llvm::BitVector accepting(bits[edge].size());
  for (unsigned target = 0, count = constraints.reshardTargets(edge); target < count; ++target)
    for (unsigned config : bits[edge].set_bits())
      if (constraints.acceptsReshard(edge, target, config)) {
        map[config].push_back(target);
        accepting.set(config);
      }
  if (accepting.none())
    return false;
  bits[edge] = std::move(accepting);
  reshardMaps[edge] = std::move(map);
  if (edge > 0)
    pathsFromReshardMap(edge);
  notify({ShardSolverStep::Kind::Reshard, edge});
  if (edge == 0)
    return true;
  narrow(edge);
  return !pathSets[edge].empty();
}

/// A pair goes together if what the producer makes can be brought to one of the consumer's targets. (The published
/// solver takes every pair: facts/ir 3.3. The chain then fails if the pair that it selects has no such target, however
/// many others have.)
void ShardSolver::pathsFromReshardMap(unsigned edge) {
  for (unsigned from : bits[edge - 1].set_bits())
    for (unsigned to : bits[edge].set_bits())
      if (llvm::any_of((*reshardMaps[edge])[to], [&, from = from](unsigned target) {
            return constraints.canReshard(edge, from, target);
          }))
        pathSets[edge].push_back({from, to});
}

void ShardSolver::narrow(unsigned edge) {
  llvm::erase_if(pathSets[edge], [&](const Path &path) {
    return !bits[edge - 1].test(path.producer) || !bits[edge].test(path.consumer);
  });
  llvm::BitVector from(bits[edge - 1].size()), to(bits[edge].size());
  for (const Path &path : pathSets[edge]) {
    from.set(path.producer);
    to.set(path.consumer);
  }
  // A configuration that is out once stays out, so sets are only ever cut.
  bits[edge - 1] &= from;
  bits[edge] &= to;
}

void ShardSolver::set(unsigned op, unsigned config) {
  bits[op].reset();
  bits[op].set(config);
  // On each side until nothing changes: beyond that all went together before.
  for (unsigned edge = op, before = 0; edge > 0; --edge) {
    before = bits[edge - 1].count();
    narrow(edge);
    if (bits[edge - 1].count() == before)
      break;
  }
  for (unsigned edge = op + 1, before = 0; edge < chain.size(); ++edge) {
    before = bits[edge].count();
    narrow(edge);
    if (bits[edge].count() == before)
      break;
  }
}

// ---- Steps 4 and 5 ---------------------------------------------------------------------------------------

std::vector<std::vector<int64_t>> ShardSolver::accumulatedCoreUsage() const {
  std::vector<std::vector<int64_t>> usage(chain.size());
  for (unsigned op = unsigned(chain.size()); op-- > 0;) {
    std::vector<int64_t> behind(chain[op].configs.size(), 0);
    if (op + 1 < chain.size())
      for (const Path &path : pathSets[op + 1])
        behind[path.producer] = std::max(behind[path.producer], usage[op + 1][path.consumer]);
    usage[op].assign(chain[op].configs.size(), 0);
    for (unsigned config : bits[op].set_bits())
      usage[op][config] = chain[op].configs[config].cores.value() + behind[config];
  }
  return usage;
}

/// Nullopt if none of that kind is left.
std::optional<unsigned> ShardSolver::bestConfig(unsigned op, llvm::ArrayRef<int64_t> usage,
                                                std::optional<MemoryLayout> kind) const {
  auto kindOf = [&](unsigned config) { return chain[op].configs[config].kind; };
  auto rank = [&](unsigned config) {
    // Ties go away from block sharding, as in the published solver (facts/ir 3.3); then to the earlier configuration,
    // so that plans do not depend on chance.
    return std::tuple(-usage[config], kindOf(config) == MemoryLayout::BlockSharded, config);
  };
  std::optional<unsigned> best;
  for (unsigned config : bits[op].set_bits())
    if ((!kind || kindOf(config) == *kind) && (!best || rank(config) < rank(*best)))
      best = config;
  return best;
}

std::vector<unsigned> ShardSolver::select(std::optional<MemoryLayout> preferred) {
  std::vector<std::vector<int64_t>> usage = accumulatedCoreUsage();
  notify({ShardSolverStep::Kind::CoreUsage});
  auto choose = [&](unsigned op, unsigned config) {
    set(op, config);
    notify({ShardSolverStep::Kind::Selected, op, config});
    return config;
  };
  unsigned last = unsigned(chain.size()) - 1;
  // A wish: without such a configuration the usual order decides.
  if (std::optional<unsigned> wanted = preferred ? bestConfig(last, usage[last], preferred) : std::nullopt) {
    choose(last, *wanted);
    // What cannot lead there counts no more.
    usage = accumulatedCoreUsage();
  }
  // From the front, each by the cores of all that follows: usage is accumulated from the back, so taking the best one after the other finds
  // the path with most cores. What is chosen in front changes nothing of that for what is left.
  std::vector<unsigned> chosen;
  for (unsigned op = 0; op <= last; ++op)
    chosen.push_back(choose(op, *bestConfig(op, usage[op])));
  return chosen;
}
