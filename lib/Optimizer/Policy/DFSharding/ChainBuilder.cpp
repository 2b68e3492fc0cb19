//===- ChainBuilder.cpp - Chains of sharded ops along the schedule ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ChainBuilder.h"

#include "tessera/Optimizer/Problem/Schedule.h"
#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::df_sharding;

/// facts/optimizer-design 3.2.3; the last row is what the published code adds (facts/ir 3.2).
static constexpr llvm::StringLiteral kShardable[] = {
    "ttnn.conv2d",     "ttnn.conv_transpose2d",
    "ttnn.add",        "ttnn.multiply",
    "ttnn.relu",       "ttnn.relu6",
    "ttnn.silu",       "ttnn.typecast",
    "ttnn.matmul",     "ttnn.linear",
    "ttnn.minimum",    "ttnn.rms_norm",
    "ttnn.gelu",       "ttnn.rotary_embedding",
    "ttnn.neg",        "ttnn.rsqrt",
    "ttnn.pow_scalar",
};
static constexpr llvm::StringLiteral kConcat = "ttnn.concat";

static bool mayBeSharded(const Problem &problem, OpId id, const std::vector<bool> &writtenInPlace) {
  const Op &op = problem[id];
  // A conversion that an override demands may stand in a chain: it makes shards like any other op.
  return (op.role == OpRole::Compute || op.mustConvert) && op.results.size() == 1 &&
         !writtenInPlace[op.results.front().index()] &&
         llvm::any_of(op.legal, [&](const OpConfig &config) { return writesSharded(problem, config); });
}

bool tessera::df_sharding::isShardable(const Problem &problem, OpId op,
                                       const std::vector<bool> &writtenInPlace) {
  return (problem[op].mustConvert || llvm::is_contained(kShardable, llvm::StringRef(problem[op].name))) &&
         mayBeSharded(problem, op, writtenInPlace);
}

namespace {

/// One pass along the schedule. A chain is open while the op before was taken and its only reader is the op at
/// hand; so chains never interleave, and an op is in one chain at most.
class ChainBuilder {
public:
  ChainBuilder(const Problem &problem, bool isolateConcats)
      : problem(problem), isolateConcats(isolateConcats), writtenInPlace(valuesWrittenInPlace(problem)) {}

  std::vector<L1Chain> run() {
    for (size_t i = 0; i < problem.ops.size(); ++i)
      visit(OpId(i));
    return std::move(chains);
  }

private:
  /// Takes the op into a chain if it may join one.
  void visit(OpId op) {
    // In version 1.0 a concat is in no chain; in 2.0 it is a chain of its own (facts/optimizer-design 4.1.6).
    bool isConcat = problem[op].name == kConcat;
    bool joins = isConcat ? isolateConcats && mayBeSharded(problem, op, writtenInPlace)
                          : isShardable(problem, op, writtenInPlace);
    if (!joins)
      return;
    // None is open at a concat: it is not shardable, so the chain before it has ended.
    append(op, isConcat);
    ChainEnd end = endAfter(op);
    // Ids are the schedule, so the op behind is the next id.
    bool goesOn = end == ChainEnd::Unsuitable && !isConcat &&
                  isShardable(problem, OpId(op.index() + 1), writtenInPlace);
    if (!goesOn)
      close(isConcat ? ChainEnd::Concat : end);
  }

  /// Why the chain ends here; Unsuitable if the next op reads the result as a chain would, and only that it may not be
  /// sharded can end it.
  ChainEnd endAfter(OpId op) const {
    // A reader that comes later waits for other operands; the ops between would run while the chain holds L1,
    // which chains do not look at.
    if (OpId next = soleFirstReader(problem, op); next.valid())
      return next == OpId(op.index() + 1) ? ChainEnd::Unsuitable : ChainEnd::NotReady;
    if (problem[op].results.size() != 1)
      return ChainEnd::Fork;
    const Value &value = problem[problem[op].results.front()];
    if (value.uses.empty())
      return ChainEnd::Output;
    if (value.uses.size() > 1 || value.returned)
      return ChainEnd::Fork;
    return problem[value.uses.front().op].name == kConcat ? ChainEnd::Concat : ChainEnd::OtherOperand;
  }

  void append(OpId op, bool isConcat) {
    if (!open)
      chains.emplace_back().isConcat = isConcat;
    open = true;
    chains.back().ops.push_back(op);
  }

  void close(ChainEnd end) {
    chains.back().end = end;
    open = false;
  }

  const Problem &problem;
  bool isolateConcats;
  std::vector<bool> writtenInPlace;
  std::vector<L1Chain> chains;
  bool open = false; ///< the last chain takes more ops
};

} // namespace

std::vector<L1Chain> tessera::df_sharding::buildChains(const Problem &problem, bool isolateConcats) {
  return ChainBuilder(problem, isolateConcats).run();
}
