//===- ShardSolverTest.cpp ------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The boxes of facts/optimizer-design 3.3, each by its name, on
// chains whose compatibility is given by a function.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/ShardSolver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <functional>
#include <numeric>

using namespace tessera;

namespace {

/// Compatibility as functions; by default configuration i goes with configuration i, everything comes in from
/// outside, and there is nothing to reshard to.
struct StubConstraints final : ShardConstraints {
  std::function<bool(unsigned, unsigned)> outside = [](unsigned, unsigned) { return true; };
  std::function<bool(unsigned, unsigned, unsigned)> pair = [](unsigned, unsigned p, unsigned c) {
    return p == c;
  };
  std::function<bool(unsigned, unsigned, unsigned)> reshard = [](unsigned, unsigned, unsigned) {
    return true;
  };
  std::function<bool(unsigned, unsigned, unsigned)> convertible = [](unsigned, unsigned, unsigned) {
    return true;
  };
  unsigned targets = 0;
  size_t asked = 0;

  bool acceptsOutside(unsigned edge, unsigned config) override { return outside(edge, config); }
  bool accepts(unsigned edge, unsigned producer, unsigned consumer) override {
    ++asked;
    return pair(edge, producer, consumer);
  }
  unsigned reshardTargets(unsigned) override { return targets; }
  bool acceptsReshard(unsigned edge, unsigned target, unsigned config) override {
    return reshard(edge, target, config);
  }
  bool canReshard(unsigned edge, unsigned producer, unsigned target) override {
    return convertible(edge, producer, target);
  }
};

/// Configurations in the order width, height, block sharded, as upstream's test has them.
ShardSolverOp op(std::string name, std::initializer_list<int64_t> cores) {
  static constexpr MemoryLayout kKinds[] = {MemoryLayout::WidthSharded, MemoryLayout::HeightSharded,
                                            MemoryLayout::BlockSharded};
  ShardSolverOp result{std::move(name), {}};
  for (auto [index, count] : llvm::enumerate(cores))
    result.configs.push_back({CoreCount(count), kKinds[index % 3]});
  return result;
}

std::vector<unsigned> bitsOf(const llvm::BitVector &bits) {
  std::vector<unsigned> set(bits.set_bits_begin(), bits.set_bits_end());
  return set;
}

// ---- 3.3.8 produceMaxCoreUsage ---------------------------------------------------------------------------

/// The operands of facts/ir 9.4, TestShardSolver.VerifyProduceMaxCoreUsage, without its second branch.
TEST(ProduceMaxCoreUsage, CountsAllThatFollows) {
  StubConstraints stub;
  ShardSolver solver({op("add0", {4, 8, 4}), op("relu1", {8, 4, 4}), op("add2", {4, 4, 1}),
                      op("add4", {2, 1, 1}), op("relu5", {2, 1, 1})},
                     stub);
  ASSERT_TRUE(solver.resolve());
  std::vector<std::vector<int64_t>> usage = solver.accumulatedCoreUsage();
  EXPECT_EQ(usage[0], (std::vector<int64_t>{20, 18, 11}));
  EXPECT_EQ(usage[2], (std::vector<int64_t>{8, 6, 3}));
  EXPECT_EQ(usage[3], (std::vector<int64_t>{4, 2, 2}));
  EXPECT_EQ(solver.select(), (std::vector<unsigned>{0, 0, 0, 0, 0}));
}

TEST(ProduceMaxCoreUsage, OverPathsTheBestCountsNotTheSum) {
  StubConstraints stub;
  stub.pair = [](unsigned, unsigned, unsigned) { return true; };
  ShardSolver solver({op("a", {1, 2}), op("b", {10, 30, 20})}, stub);
  ASSERT_TRUE(solver.resolve());
  EXPECT_EQ(solver.accumulatedCoreUsage()[0], (std::vector<int64_t>{31, 32}));
}

// ---- 3.3.2 bitsets, 3.3.3 path sets ----------------------------------------------------------------------

TEST(Bitsets, HoldMoreThan512Configurations) {
  StubConstraints stub;
  ShardSolverOp many{"many", {}};
  for (int64_t i = 0; i < 1000; ++i)
    many.configs.push_back({CoreCount(1 + i % 64), MemoryLayout::HeightSharded});
  many.configs[777].cores = CoreCount(100);
  ShardSolver solver({many, many}, stub);
  ASSERT_TRUE(solver.resolve());
  EXPECT_EQ(solver.remaining(0).count(), 1000u);
  EXPECT_EQ(solver.select(), (std::vector<unsigned>{777, 777}));
}

TEST(PathSet, HoldsTheCompatiblePairsAndNarrowsBothEnds) {
  StubConstraints stub;
  stub.pair = [](unsigned, unsigned producer, unsigned consumer) { return consumer == producer + 1; };
  ShardSolver solver({op("a", {1, 1, 1}), op("b", {1, 1, 1})}, stub);
  ASSERT_TRUE(solver.resolve());
  EXPECT_EQ(solver.paths(1).vec(), (std::vector<ShardSolver::Path>{{0, 1}, {1, 2}}));
  EXPECT_EQ(bitsOf(solver.remaining(0)), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(bitsOf(solver.remaining(1)), (std::vector<unsigned>{1, 2}));
}

TEST(PathSet, AsksOnlyAboutWhatIsLeft) {
  StubConstraints stub;
  stub.outside = [](unsigned, unsigned config) { return config == 2; };
  ShardSolver solver({op("a", {1, 1, 1}), op("b", {1, 1, 1})}, stub);
  ASSERT_TRUE(solver.resolve());
  EXPECT_EQ(stub.asked, 3u); // configuration 2 of a with each of b
}

// ---- 3.3.5 preprocessFirstOp -----------------------------------------------------------------------------

TEST(PreprocessFirstOp, KeepsWhatAcceptsTheOutside) {
  StubConstraints stub;
  stub.outside = [](unsigned, unsigned config) { return config != 0; };
  ShardSolver solver({op("a", {64, 8, 4}), op("b", {64, 8, 4})}, stub);
  ASSERT_TRUE(solver.resolve());
  EXPECT_EQ(solver.reshards(0), nullptr);
  EXPECT_EQ(solver.select(), (std::vector<unsigned>{1, 1}));
}

TEST(PreprocessFirstOp, ReshardsIfNothingDoes) {
  StubConstraints stub;
  stub.outside = [](unsigned, unsigned) { return false; };
  stub.targets = 4;
  stub.reshard = [](unsigned, unsigned target, unsigned config) { return config == 1 && target % 2 == 1; };
  ShardSolver solver({op("a", {64, 8, 4})}, stub);
  ASSERT_TRUE(solver.resolve());
  ASSERT_NE(solver.reshards(0), nullptr);
  EXPECT_EQ((*solver.reshards(0))[1], (std::vector<unsigned>{1, 3}));
  EXPECT_EQ(solver.select(), (std::vector<unsigned>{1}));
}

// ---- 3.3.6 insertReshard ---------------------------------------------------------------------------------

TEST(InsertReshard, CollectsTheWholeMapAndAcceptsEveryProducer) {
  StubConstraints stub;
  stub.pair = [](unsigned, unsigned, unsigned) { return false; };
  stub.targets = 3;
  // Target 0 suits configuration 0; target 1 none; target 2 both 0 and 2.
  stub.reshard = [](unsigned, unsigned target, unsigned config) {
    return (target == 0 && config == 0) || (target == 2 && config != 1);
  };
  ShardSolver solver({op("a", {1, 2, 3}), op("b", {5, 6, 4})}, stub);
  ASSERT_TRUE(solver.resolve());
  const ShardSolver::ReshardMap &map = *solver.reshards(1);
  EXPECT_EQ(map, (ShardSolver::ReshardMap{{0, 2}, {}, {2}}));
  EXPECT_EQ(solver.remaining(0).count(), 3u);
  EXPECT_EQ(bitsOf(solver.remaining(1)), (std::vector<unsigned>{0, 2}));
  EXPECT_EQ(solver.paths(1).size(), 6u);
  EXPECT_EQ(solver.select(), (std::vector<unsigned>{2, 0})); // the most cores on either side of the reshard
}

TEST(InsertReshard, APairNeedsATargetThatTheProducerCanBeBroughtTo) {
  StubConstraints stub;
  stub.pair = [](unsigned, unsigned, unsigned) { return false; };
  stub.targets = 2;
  // The producer with most cores can be resharded to target 1, which no consumer takes.
  stub.reshard = [](unsigned, unsigned target, unsigned) { return target == 0; };
  stub.convertible = [](unsigned, unsigned producer, unsigned target) {
    return producer != 2 || target == 1;
  };
  ShardSolver solver({op("a", {1, 2, 3}), op("b", {5, 6, 4})}, stub);
  ASSERT_TRUE(solver.resolve());
  EXPECT_EQ(bitsOf(solver.remaining(0)), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(solver.select(), (std::vector<unsigned>{1, 1}));
}

TEST(InsertReshard, FailsIfNoProducerCanBeBroughtToATarget) {
  StubConstraints stub;
  stub.pair = [](unsigned, unsigned, unsigned) { return false; };
  stub.targets = 2;
  stub.convertible = [](unsigned, unsigned, unsigned) { return false; };
  ShardSolver solver({op("a", {1}), op("b", {1})}, stub);
  EXPECT_FALSE(solver.resolve());
  EXPECT_EQ(solver.failedEdge(), 1u);
}

TEST(InsertReshard, NotWhereAPathExists) {
  StubConstraints stub;
  stub.targets = 3;
  ShardSolver solver({op("a", {1, 2}), op("b", {1, 2})}, stub);
  ASSERT_TRUE(solver.resolve());
  EXPECT_EQ(solver.reshards(1), nullptr);
}

// ---- 3.3.4 resolveStep, 3.3.7 updateSolver ---------------------------------------------------------------

TEST(ResolveStep, OneEdgeWithoutPathFailsTheChain) {
  StubConstraints stub;
  stub.pair = [](unsigned edge, unsigned producer, unsigned consumer) {
    return edge != 2 && producer == consumer;
  };
  ShardSolver solver({op("a", {1}), op("b", {1}), op("c", {1})}, stub);
  EXPECT_FALSE(solver.resolve());
  EXPECT_EQ(solver.failedEdge(), 2u);
}

TEST(ResolveStep, AnOpWithoutConfigurationsFailsTheChain) {
  StubConstraints stub;
  ShardSolver solver({op("a", {})}, stub);
  EXPECT_FALSE(solver.resolve());
  EXPECT_EQ(solver.failedEdge(), 0u);
}

TEST(UpdateSolver, PropagatesFromTheLastEdgeToTheFirstOp) {
  StubConstraints stub;
  stub.pair = [](unsigned edge, unsigned producer, unsigned consumer) {
    return producer == consumer && (edge != 3 || consumer == 1); // only the last edge is picky
  };
  ShardSolver solver({op("a", {9, 1, 9}), op("b", {1, 1, 1}), op("c", {1, 1, 1}), op("d", {1, 1, 1})}, stub);
  ASSERT_TRUE(solver.resolve());
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(bitsOf(solver.remaining(i)), (std::vector<unsigned>{1})) << i;
}

// ---- Selection -------------------------------------------------------------------------------------------

TEST(Select, TiesFallToWhatIsNotBlockShardedThenToTheEarlierOne) {
  StubConstraints stub;
  ShardSolver solver({{"a",
                       {{CoreCount(8), MemoryLayout::BlockSharded},
                        {CoreCount(8), MemoryLayout::HeightSharded},
                        {CoreCount(8), MemoryLayout::WidthSharded}}}},
                     stub);
  ASSERT_TRUE(solver.resolve());
  EXPECT_EQ(solver.select(), (std::vector<unsigned>{1}));
}

TEST(Select, PreferredOutputMemLayoutFixesTheLastOpFirst) {
  StubConstraints stub;
  ShardSolver solver({op("a", {64, 8, 4}), op("b", {64, 8, 4})}, stub);
  ASSERT_TRUE(solver.resolve());
  EXPECT_EQ(solver.select(MemoryLayout::HeightSharded), (std::vector<unsigned>{1, 1}));
}

TEST(Select, APreferenceThatNothingMeetsIsIgnored) {
  StubConstraints stub;
  stub.outside = [](unsigned, unsigned config) { return config != 1; };
  ShardSolver solver({op("a", {64, 8, 4}), op("b", {64, 8, 4})}, stub);
  ASSERT_TRUE(solver.resolve());
  EXPECT_EQ(solver.select(MemoryLayout::HeightSharded), (std::vector<unsigned>{0, 0}));
}

/// Exhaustive comparison: on a chain, the selection has the most cores of all consistent assignments.
TEST(Select, IsOptimalOnChains) {
  StubConstraints stub;
  uint32_t random = 1;
  auto next = [&] { return (random = random * 1664525u + 1013904223u) >> 16; };
  for (int round = 0; round < 200; ++round) {
    std::vector<ShardSolverOp> ops;
    for (int i = 0; i < 4; ++i)
      ops.push_back(op("op", {1 + next() % 64, 1 + next() % 64, 1 + next() % 64}));
    std::vector<bool> allowed(4 * 9);
    for (size_t i = 0; i < allowed.size(); ++i)
      allowed[i] = next() % 2;
    stub.pair = [&](unsigned edge, unsigned p, unsigned c) { return bool(allowed[edge * 9 + p * 3 + c]); };

    int64_t best = -1;
    for (unsigned code = 0; code < 81; ++code) {
      unsigned pick[] = {code % 3, code / 3 % 3, code / 9 % 3, code / 27};
      int64_t cores = ops[0].configs[pick[0]].cores.value();
      bool consistent = true;
      for (unsigned i = 1; i < 4; ++i) {
        consistent &= stub.pair(i, pick[i - 1], pick[i]);
        cores += ops[i].configs[pick[i]].cores.value();
      }
      if (consistent)
        best = std::max(best, cores);
    }
    ShardSolver solver(ops, stub);
    ASSERT_EQ(solver.resolve(), best >= 0);
    if (best < 0)
      continue;
    std::vector<unsigned> chosen = solver.select();
    int64_t cores = 0;
    for (unsigned i = 0; i < 4; ++i)
      cores += ops[i].configs[chosen[i]].cores.value();
    EXPECT_EQ(cores, best);
  }
}

// ---- Dumps -----------------------------------------------------------------------------------------------

TEST(Dump, ShowsEveryStepAsText) {
  StubConstraints stub;
  stub.outside = [](unsigned, unsigned config) { return config == 1; };
  std::string text;
  llvm::raw_string_ostream os(text);
  ShardSolverTextDump dump(os);
  ShardSolver solver({op("a", {4, 8}), op("b", {4, 2})}, stub, &dump, "a");
  ASSERT_TRUE(solver.resolve());
  solver.select();
  EXPECT_EQ(text, R"(ShardSolver on a: 2 ops
first_op outside -> a
  a: 1 of 2 configurations {1}
    from outside: as it comes
  b: 2 of 2 configurations {0 1}
    from a: 0 paths
paths a -> b
  a: 1 of 2 configurations {1}
    from outside: as it comes
  b: 2 of 2 configurations {0 1}
    from a: 1 paths
propagated
  a: 1 of 2 configurations {1}
    from outside: as it comes
  b: 1 of 2 configurations {1}
    from a: 1 paths
core_usage
  a: 0 10
  b: 0 2
selected a configuration 1
  a: 1 of 2 configurations {1}
    from outside: as it comes
  b: 1 of 2 configurations {1}
    from a: 1 paths
selected b configuration 1
  a: 1 of 2 configurations {1}
    from outside: as it comes
  b: 1 of 2 configurations {1}
    from a: 1 paths
)");
}

TEST(Dump, JsonNamesTheEdgeThatFailed) {
  StubConstraints stub;
  stub.pair = [](unsigned, unsigned, unsigned) { return false; };
  ShardSolverJsonDump dump;
  ShardSolver solver({op("a", {4}), op("b\xff", {4})}, stub, &dump, "a");
  EXPECT_FALSE(solver.resolve());
  llvm::json::Value json = dump.take();
  const llvm::json::Array &steps = *(*json.getAsArray())[0].getAsObject()->getArray("steps");
  const llvm::json::Object &last = *steps.back().getAsObject();
  EXPECT_EQ(last.getString("step"), "failed");
  EXPECT_EQ(last.getString("producer"), "a");
  EXPECT_EQ(last.getString("op"), "b\xEF\xBF\xBD"); // not UTF-8 in the user's file, so replaced
  const llvm::json::Object &state = *last.getObject("state");
  EXPECT_EQ(state.getArray("ops")->size(), 2u);
  EXPECT_EQ((*state.getArray("edges"))[1].getAsObject()->getInteger("paths"), 0);
}

TEST(Dump, JsonHoldsCoreUsage) {
  StubConstraints stub;
  ShardSolverJsonDump dump;
  ShardSolver solver({op("a", {4}), op("b", {8})}, stub, &dump, "a");
  ASSERT_TRUE(solver.resolve());
  solver.select();
  std::string text = llvm::formatv("{0}", dump.take()).str();
  EXPECT_NE(text.find(R"("core_usage":[[12],[8]])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("config":0)"), std::string::npos);
}

} // namespace
