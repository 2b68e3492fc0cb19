//===- ChainBuilder.cpp - The depth-first schedule and its chains --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ChainBuilder.h"

#include "../Common/ResultConfigs.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <queue>

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

class ChainBuilder {
public:
  ChainBuilder(const Problem &problem, bool isolateConcats)
      : problem(problem), isolateConcats(isolateConcats), writtenInPlace(valuesWrittenInPlace(problem)),
        waitsFor(problem.ops.size(), 0), followers(problem.ops.size()), done(problem.ops.size(), false) {}

  ChainPlan run() {
    countDependencies();
    for (size_t i = 0; i < problem.ops.size(); ++i)
      if (waitsFor[i] == 0)
        ready.push(keyOf(OpId(i)));
    OpId next;
    while (plan.schedule.size() < problem.ops.size()) {
      // Depth first: as long as an op continues the chain it comes next, so that a chain's ops stand behind one
      // another.
      OpId op = next.valid() ? next : firstReady();
      next = schedule(op);
    }
    return std::move(plan);
  }

private:
  using Key = std::pair<unsigned, size_t>; ///< rank, op

  void countDependencies() {
    for (size_t index = 0; index < problem.ops.size(); ++index) {
      std::vector<OpId> earlier = dependenciesOf(problem, OpId(index));
      waitsFor[index] = earlier.size();
      for (OpId other : earlier)
        followers[other.index()].push_back(OpId(index));
    }
  }

  Key keyOf(OpId op) const {
    // As published: conversions first, which are in no chain, and ops that others wait for before those that nobody
    // waits for.
    unsigned rank = problem[op].role == OpRole::Conversion ? 0 : followers[op.index()].empty() ? 2 : 1;
    return {rank, op.index()};
  }

  /// Some op is ready as long as not all are done: ids follow program order, so the dependencies have no
  /// cycle.
  OpId firstReady() {
    while (done[ready.top().second])
      ready.pop();
    return OpId(ready.top().second);
  }

  /// Takes the op into the schedule, and into a chain if it may. Returns the op that follows depth first.
  OpId schedule(OpId op) {
    done[op.index()] = true;
    plan.schedule.push_back(op);
    for (OpId follower : followers[op.index()])
      if (--waitsFor[follower.index()] == 0)
        ready.push(keyOf(follower));
    bool isConcat = problem[op].name == kConcat;
    bool joins = isConcat ? isolateConcats && mayBeSharded(problem, op, writtenInPlace)
                          : isShardable(problem, op, writtenInPlace);
    auto [next, end] = continuation(op);
    if (!joins)
      return next;
    append(op, isConcat);
    bool goesOn = next.valid() && !isConcat && isShardable(problem, next, writtenInPlace);
    if (!goesOn)
      close(isConcat ? ChainEnd::Concat : next.valid() ? ChainEnd::Unsuitable : end);
    return next;
  }

  /// The one reader that may run next, or why there is none.
  std::pair<OpId, ChainEnd> continuation(OpId op) const {
    if (problem[op].results.size() != 1)
      return {OpId(), ChainEnd::Fork};
    const Value &value = problem[problem[op].results.front()];
    if (value.uses.empty())
      return {OpId(), ChainEnd::Output};
    if (value.uses.size() > 1 || value.returned)
      return {OpId(), ChainEnd::Fork};
    Use use = value.uses.front();
    if (problem[use.op].name == kConcat)
      return {OpId(), ChainEnd::Concat};
    if (use.operand != 0)
      return {OpId(), ChainEnd::OtherOperand};
    return waitsFor[use.op.index()] == 0 ? std::pair(use.op, ChainEnd::Unsuitable)
                                         : std::pair(OpId(), ChainEnd::NotReady);
  }

  /// The chain's own rules make these transitions possible.
  static void expect(const std::string &error) {
    (void)error;
    assert(error.empty() && "a chain in build accepts ops and can be built");
  }

  void append(OpId op, bool isConcat) {
    if (!open) {
      plan.chains.emplace_back();
      plan.chains.back().isConcatChain = isConcat;
      open = true;
    }
    expect(plan.chains.back().append(op));
  }

  void close(ChainEnd end) {
    plan.chains.back().end = end;
    expect(plan.chains.back().build());
    open = false;
  }

  const Problem &problem;
  bool isolateConcats;
  std::vector<bool> writtenInPlace;
  std::vector<size_t> waitsFor;             ///< by OpId: earlier ops that have not run yet
  std::vector<std::vector<OpId>> followers; ///< by OpId
  std::vector<bool> done;                   ///< by OpId
  std::priority_queue<Key, std::vector<Key>, std::greater<>> ready;
  ChainPlan plan;
  bool open = false; ///< the last chain takes more ops
};

} // namespace

ChainPlan tessera::df_sharding::buildChains(const Problem &problem, bool isolateConcats) {
  return ChainBuilder(problem, isolateConcats).run();
}
