//===- ShardSolver.h - One configuration per op of a chain ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Finds, for a chain of ops with numbered configurations, one configuration per
// op such that every edge is compatible, with the most cores in use
// (facts/optimizer-design 3.3). Which pairs go together is asked of a
// ShardConstraints; the solver itself knows nothing of layouts. The design solves
// graphs with forks and joins, but chains are all that it is given.
//
//   1. preprocessFirstOp  which configurations accept what comes from outside,
//                         else a reshard in front of the op
//   2. paths of an edge   (producer configuration, consumer configuration) pairs,
//                         else a reshard on the edge
//   3. propagation        a configuration without a path on some edge is out, on
//                         both ends, until nothing changes
//   4. core usage         accumulated from the last op to the first
//   5. selection          from the first op to the last, most cores first; each
//                         choice is propagated before the next. None fails: what
//                         is left of an op goes together with something on both
//                         sides
//
//   Op0   {4, 8, 4}    remaining 111      Bit i of an op: configuration i is
//    |    paths 0-0 1-1 2-2               still possible. Path i-j of an edge:
//   Op1   {8, 4, 4}    remaining 111      i of the producer goes with j of the
//                                         consumer.
//
// Steps 1 and 2 ask P x C questions per edge (P, C: configurations of its ends)
// and R x C more if a reshard is needed (R: reshard targets). The rest is
// linear in the paths times the number of removed configurations: a choice
// costs what it changes, not what the chain is long.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_SHARDSOLVER_H
#define TESSERA_OPTIMIZER_POLICY_SHARDSOLVER_H

#include "tessera/Layout/TensorLayout.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tessera {

/// One configuration, as far as the solver cares.
struct ShardConfig {
  CoreCount cores; ///< volume of the result's shard grid
  MemoryLayout kind = MemoryLayout::HeightSharded;
};

/// One op of the chain: any number of configurations (the published solver stops at 512).
struct ShardSolverOp {
  std::string name; ///< for dumps
  std::vector<ShardConfig> configs;
};

/// What is compatible. Edge i is the data flow into op i of the chain, from outside into the first; a reshard target is a number below
/// reshardTargets.
class ShardConstraints {
public:
  virtual ~ShardConstraints() = default;
  /// Whether the consumer runs with `config` on what comes from outside as it is.
  virtual bool acceptsOutside(unsigned edge, unsigned config) = 0;
  /// Whether the consumer runs with its configuration on what the producer makes with its own.
  virtual bool accepts(unsigned edge, unsigned producerConfig, unsigned consumerConfig) = 0;
  /// How many layouts the edge's tensor could be resharded to.
  virtual unsigned reshardTargets(unsigned edge) = 0;
  /// Whether the consumer runs with `consumerConfig` on the edge's tensor in that layout.
  virtual bool acceptsReshard(unsigned edge, unsigned target, unsigned consumerConfig) = 0;
  /// Whether what the producer of an inner edge makes with that configuration can be resharded to the target.
  virtual bool canReshard(unsigned edge, unsigned producerConfig, unsigned target) = 0;
};

/// What the solver just did.
struct ShardSolverStep {
  enum class Kind : uint8_t { FirstOp, Paths, Reshard, Propagated, CoreUsage, Selected, Failed };
  Kind kind = Kind::Paths;
  unsigned op = 0;     ///< the selected one, or that of the edge: FirstOp, Paths, Reshard, Failed
  unsigned config = 0; ///< Selected

  /// Whether it is about the edge into the op.
  bool isOnEdge() const {
    return kind == Kind::FirstOp || kind == Kind::Paths || kind == Kind::Reshard || kind == Kind::Failed;
  }
};
llvm::StringRef name(ShardSolverStep::Kind kind); ///< "first_op", "paths", "reshard", ...

class ShardSolver;

/// Sees the solver after every step.
class ShardSolverObserver {
public:
  virtual ~ShardSolverObserver() = default;
  /// A new solver starts; `title` names its chain.
  virtual void begin(llvm::StringRef title, const ShardSolver &solver) = 0;
  virtual void step(const ShardSolverStep &step, const ShardSolver &solver) = 0;
};

/// One chain, solved once: resolve(), then select(). The rest is for observers and tests.
class ShardSolver {
public:
  /// Two configurations of an edge that go together.
  struct Path {
    unsigned producer = 0, consumer = 0; ///< configurations
    bool operator==(const Path &) const = default;
  };
  /// By consumer configuration: the reshard targets that it accepts, ascending.
  using ReshardMap = std::vector<std::vector<unsigned>>;

  /// `chain`: in schedule order, at least one op. `constraints` and `observer` (may be null) must outlive the solver.
  ShardSolver(std::vector<ShardSolverOp> chain, ShardConstraints &constraints,
              ShardSolverObserver *observer = nullptr, llvm::StringRef title = "");

  /// Steps 1 to 3. False if some edge has no path and no reshard helps; failedEdge() says which.
  [[nodiscard]] bool resolve();
  /// Step 4 (produceMaxCoreUsage): by op and configuration
  ///   cores + max over paths of usage[next op]
  /// 0 for configurations that are out.
  std::vector<std::vector<int64_t>> accumulatedCoreUsage() const;
  /// Step 5, after resolve(): one configuration per op. Most accumulated core usage first; ties: not block
  /// sharded, then the earlier one. With `preferred`, the last op is fixed first, to its best configuration
  /// of that kind if one remains.
  std::vector<unsigned> select(std::optional<MemoryLayout> preferred = std::nullopt);

  llvm::ArrayRef<ShardSolverOp> ops() const { return chain; }
  /// Which configurations of the op are still possible.
  const llvm::BitVector &remaining(unsigned op) const { return bits[op]; }
  /// Those that are left; none of the edge from outside.
  llvm::ArrayRef<Path> paths(unsigned edge) const { return pathSets[edge]; }
  /// nullptr if the edge needs no reshard.
  const ReshardMap *reshards(unsigned edge) const {
    return reshardMaps[edge] ? &*reshardMaps[edge] : nullptr;
  }
  /// Nullopt if none did.
  std::optional<unsigned> failedEdge() const { return failed; }

private:
  /// Step 1: keeps what runs on the outside as it is; reshards if nothing does. False if that does not help.
  bool preprocessFirstOp();
  /// Fills the edge's reshard map; false if no target helps any configuration of the consumer.
  bool insertReshard(unsigned edge);
  /// Step 2: pairs of configurations that agree, with a reshard if none do.
  bool buildPaths(unsigned edge);
  void pathsFromReshardMap(unsigned edge);
  /// Step 3 on one inner edge: drops paths without both ends, and configurations without a path.
  void narrow(unsigned edge);
  /// Leaves `config` as the only possibility of `op` and propagates.
  void set(unsigned op, unsigned config);
  std::optional<unsigned> bestConfig(unsigned op, llvm::ArrayRef<int64_t> usage,
                                     std::optional<MemoryLayout> kind = std::nullopt) const;
  void notify(ShardSolverStep step);

  std::vector<ShardSolverOp> chain;
  ShardConstraints &constraints;
  ShardSolverObserver *observer;
  std::vector<llvm::BitVector> bits;                  ///< by op
  std::vector<std::vector<Path>> pathSets;            ///< by edge; empty for the one from outside
  std::vector<std::optional<ReshardMap>> reshardMaps; ///< by edge
  std::optional<unsigned> failed;
};

/// Writes every step and the state after it as text.
class ShardSolverTextDump final : public ShardSolverObserver {
public:
  explicit ShardSolverTextDump(llvm::raw_ostream &os) : os(os) {}
  void begin(llvm::StringRef title, const ShardSolver &solver) override;
  void step(const ShardSolverStep &step, const ShardSolver &solver) override;

private:
  llvm::raw_ostream &os;
};

/// Collects every step and the state after it: `[{"chain", "steps": [{"step", "op", ..., "state"}]}]`.
class ShardSolverJsonDump final : public ShardSolverObserver {
public:
  void begin(llvm::StringRef title, const ShardSolver &solver) override;
  void step(const ShardSolverStep &step, const ShardSolver &solver) override;
  /// Everything seen so far.
  llvm::json::Value take();

private:
  llvm::json::Array chains;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_SHARDSOLVER_H
