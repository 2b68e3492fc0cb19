//===- ShardSolver.h - One configuration per op of a chain ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Finds, for a small graph of ops with numbered configurations, one
// configuration per op such that every edge is compatible, with the most cores
// in use (facts/optimizer-design 3.3). Which pairs go together
// is asked of a ShardConstraints; the solver itself knows nothing of layouts.
//
//   1. preprocessFirstOp  which configurations accept what comes from outside,
//                         else a reshard in front of the op
//   2. paths of an edge   (producer configuration, consumer configuration) pairs,
//                         else a reshard on the edge
//   3. propagation        a configuration without a path on some edge is out, on
//                         both ends, until nothing changes
//   4. core usage         accumulated from the last op to the first
//   5. selection          from the first op to the last, most cores first; each
//                         choice is propagated before the next
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
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <set>
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

/// One op of the graph: any number of configurations (the published solver stops at 512).
struct ShardSolverOp {
  std::string name; ///< for dumps
  std::vector<ShardConfig> configs;
};

/// The data flow between two ops, by their index in the graph. `producer` is an earlier op.
struct ShardSolverEdge {
  static constexpr unsigned kOutside = ~0u; ///< the producer is not an op of the graph
  unsigned producer = kOutside, consumer = 0;
};

/// What is solved. A chain has one edge into each op; any graph whose edges go forward will do.
struct ShardSolverGraph {
  std::vector<ShardSolverOp> ops; ///< in schedule order
  /// One edge with producer kOutside for each op that starts the chain, then the inner edges, by consumer.
  std::vector<ShardSolverEdge> edges;
};

/// What is compatible. All indices are those of the graph; a reshard target is a number below reshardTargets.
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

/// How several consumers of one op count towards its accumulated core usage. The published implementation
/// adds them up (facts/ir 3.3); the worked example of facts/optimizer-design 3.3.8 takes the largest.
enum class ForkRule : uint8_t { Sum, Max };

/// What the solver just did.
struct ShardSolverStep {
  enum class Kind : uint8_t { FirstOp, Paths, Reshard, Propagated, CoreUsage, Selected, Failed };
  Kind kind = Kind::Paths;
  unsigned op = 0;                           ///< the op at hand: the edge's consumer, or the selected one
  unsigned edge = ShardSolverEdge::kOutside; ///< FirstOp, Paths, Reshard, Failed on an edge
  unsigned config = 0;                       ///< Selected
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

/// One graph, solved once: resolve(), then select(), or single set()s between them. The rest is for observers and
/// tests.
class ShardSolver {
public:
  /// Two configurations of an edge that go together.
  struct Path {
    unsigned producer = 0, consumer = 0; ///< configurations
    bool operator==(const Path &) const = default;
  };
  /// By consumer configuration: the reshard targets that it accepts, ascending.
  using ReshardMap = std::vector<std::vector<unsigned>>;

  /// `constraints` and `observer` (may be null) must outlive the solver.
  ShardSolver(ShardSolverGraph graph, ShardConstraints &constraints, ForkRule rule = ForkRule::Sum,
              ShardSolverObserver *observer = nullptr, llvm::StringRef title = "");

  /// Steps 1 to 3. False if some edge has no path and no reshard helps; failedEdge() says which.
  [[nodiscard]] bool resolve();
  /// Leaves `config` as the only possibility of `op` and propagates. False, and nothing changed, if another
  /// op would be left without any.
  [[nodiscard]] bool set(unsigned op, unsigned config);
  /// Step 4 (produceMaxCoreUsage): by op and configuration
  ///   cores + over the op's edges, by ForkRule: max over paths of usage[consumer] / (inner edges into the
  ///   consumer)
  /// 0 for configurations that are out.
  std::vector<std::vector<double>> accumulatedCoreUsage() const;
  /// Step 5, after resolve(): one configuration per op. Most accumulated core usage first; ties: not block
  /// sharded, then the earlier one. With `preferred`, the last op is fixed first, to its best configuration
  /// of that kind if one remains. Empty if no consistent selection was found (possible for diamonds only: a
  /// chain always has one).
  std::vector<unsigned> select(std::optional<MemoryLayout> preferred = std::nullopt);

  const ShardSolverGraph &graph() const { return data; }
  /// Which configurations of the op are still possible.
  const llvm::BitVector &remaining(unsigned op) const { return bits[op]; }
  /// Those that are left; none of an edge from outside.
  llvm::ArrayRef<Path> paths(unsigned edge) const { return pathSets[edge]; }
  /// nullptr if the edge needs no reshard.
  const ReshardMap *reshards(unsigned edge) const {
    return reshardMaps[edge] ? &*reshardMaps[edge] : nullptr;
  }
  /// Nullopt if none did, or propagation found nothing left.
  std::optional<unsigned> failedEdge() const { return failed; }

private:
  /// Step 1: keeps what runs on the outside as it is; reshards if nothing does. False if that does not help.
  bool preprocessFirstOp(unsigned edge);
  /// Fills the edge's reshard map; false if no target helps any configuration of the consumer.
  bool insertReshard(unsigned edge);
  /// Step 2: pairs of configurations that agree, with a reshard if none do.
  bool buildPaths(unsigned edge);
  void pathsFromReshardMap(unsigned edge);
  /// Step 3 on one edge: drops paths without both ends, and configurations without a path.
  bool narrow(unsigned edge);
  /// narrow() until nothing changes, from these ops on; false if an op is left without any.
  bool updateSolver(std::vector<unsigned> worklist);
  /// These two note what was there before, for takeBack().
  void keepBits(unsigned op, llvm::BitVector kept);
  void setPaths(unsigned edge, std::vector<Path> paths);
  /// Undoes all since the last set() began.
  void takeBack();
  /// Among how many the op's usage is shared.
  unsigned innerEdgesInto(unsigned op) const;
  std::optional<unsigned> bestConfig(unsigned op, llvm::ArrayRef<double> usage,
                                     const llvm::BitVector &candidates) const;
  /// accumulatedCoreUsage of one op, from that of its consumers.
  std::vector<double> coreUsageOf(unsigned op, llvm::ArrayRef<std::vector<double>> usage) const;
  void refreshUsage(std::vector<std::vector<double>> &usage);
  bool selectOp(unsigned op, llvm::BitVector candidates, std::vector<std::vector<double>> &usage,
                std::vector<unsigned> &chosen);
  void notify(ShardSolverStep step);
  bool fail(unsigned edge);

  /// What narrowing replaced since the last set() began, so that a set() that fails is taken back at the price of what
  /// it touched.
  struct Changes {
    std::vector<std::pair<unsigned, llvm::BitVector>> bits;    ///< op, before
    std::vector<std::pair<unsigned, std::vector<Path>>> paths; ///< edge, before
  };

  ShardSolverGraph data;
  ShardConstraints &constraints;
  ForkRule rule;
  ShardSolverObserver *observer;
  std::vector<llvm::BitVector> bits;                  ///< by op
  std::vector<std::vector<Path>> pathSets;            ///< by edge; empty for edges from outside
  std::vector<std::optional<ReshardMap>> reshardMaps; ///< by edge
  std::vector<std::vector<unsigned>> edgesOf;         ///< by op: inner edges at either end, ascending
  std::optional<unsigned> failed;
  Changes changes;
  std::set<unsigned> staleUsage; ///< ops whose accumulated core usage may have changed since it was computed
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
