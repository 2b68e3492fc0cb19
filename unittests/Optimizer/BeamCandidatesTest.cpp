//===- BeamCandidatesTest.cpp - What a beam holds, and what is chosen ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The public tests of the beam (facts/ir 9.3, on the graph of 9.6) by what they
// ask for: how many candidates, in which order, what they come from, and what
// becomes of ops for which there is none.
//
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "Beam/Trace.h"
#include "tessera/Optimizer/Ledger/Draft.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tessera;
using namespace tessera::beam;

namespace {

/// Both phases of the layout pass.
struct Searching {
  Searching(llvm::StringRef program, const PolicyOptions &options)
      : instance(parse(program)), oracle(problem, *instance.model) {
    if (options.beam.objective == BeamObjective::Time)
      lookahead.emplace(problem, oracle);
    forward.emplace(problem, oracle, lookahead ? &*lookahead : nullptr, options);
    beams = forward->run();
    decisions = Trace(problem, oracle, beams, options.beam).run();
  }

  OpId op(llvm::StringRef name) const {
    auto found = llvm::find_if(problem.ops, [&](const Op &op) { return op.location == name; });
    return OpId(found - problem.ops.begin());
  }
  const TensorLayout &result(const Candidate &candidate) const {
    return problem.layout(oracle[candidate.config].outputs.front());
  }
  size_t candidates() const {
    size_t sum = 0;
    for (size_t i = 0; i < problem.ops.size(); ++i)
      sum += beams[OpId(i)].size();
    return sum;
  }

  ProblemInstance instance;
  const Problem &problem = instance.problem;
  Oracle oracle;
  std::optional<Lookahead> lookahead;
  std::optional<Forward> forward;
  Beams beams;
  std::vector<Decision> decisions; ///< by OpId
};

PolicyOptions beamOf(BeamObjective objective, int64_t width) {
  PolicyOptions options;
  options.beam.objective = objective;
  options.beam.width = width;
  return options;
}

/// A fork and what its branches come to.
constexpr llvm::StringLiteral kFork = R"(
  device grid 8x8
  budget 1300KiB
  mock default time 1000 dram 500 interleaved 100
  mock ttnn.multiply same_placement
  mock ttnn.to_memory_config time 300
  %a = argument 512x512xbf16 dram
  %b = argument 512x512xbf16 dram
  %c = argument 512x512xbf16 dram
  %add1 = ttnn.add(%a, %b) : 512x512xbf16 legal all 12
  %relu = ttnn.relu(%add1) : 512x512xbf16 legal all 12
  %mul = ttnn.multiply(%add1, %c) : 512x512xbf16 legal all 12
  %add2 = ttnn.add(%relu, %mul) : 512x512xbf16 legal all 12
  %relu2 = ttnn.relu(%add2) : 512x512xbf16 legal all 12
  %mul2 = ttnn.multiply(%relu2, %mul) : 512x512xbf16 legal all 12
  return %mul2
)";

class BeamOfWidth : public testing::TestWithParam<std::tuple<BeamObjective, int64_t>> {
protected:
  int64_t width() const { return std::get<1>(GetParam()); }
  /// Times within a nanosecond are equal, and are counted from the beam's least once it is sorted.
  bool isRankedBefore(const Candidate &a, const Candidate &b) const {
    auto time = [](const Candidate &c) { return (c.score.time + c.worth.time).value(); };
    return std::get<0>(GetParam()) == BeamObjective::Time ? time(a) <= time(b) + 1
                                                          : searched.forward->isBetter(a, b);
  }
  Searching searched{kFork, beamOf(std::get<0>(GetParam()), width())};
};

TEST_P(BeamOfWidth, HoldsAtMostThatManyLayoutsBestFirst) {
  for (size_t i = 0; i < searched.problem.ops.size(); ++i) {
    const Beam &beam = searched.beams[OpId(i)];
    ASSERT_FALSE(beam.empty());
    // Beyond the width only the best in interleaved L1, of each kind of pages.
    EXPECT_LE(beam.size(), size_t(width()) + (width() > 1 ? 2 : 0));
    for (size_t place = size_t(width()); place < beam.size(); ++place) {
      const TensorLayout &layout = searched.result(beam[place]);
      EXPECT_TRUE(layout.isL1() && !layout.isSharded()) << searched.problem.ops[i].location;
    }
    if (width() > 1)
      EXPECT_GT(beam.size(), 1u) << searched.problem.ops[i].location;
    std::set<std::string> layouts;
    for (const Candidate &candidate : beam)
      EXPECT_TRUE(layouts.insert(describe(searched.result(candidate))).second);
    for (size_t next = 1; next < beam.size(); ++next)
      EXPECT_TRUE(isRankedBefore(beam[next - 1], beam[next]));
  }
}

TEST_P(BeamOfWidth, ComesFromCandidatesOfTheProducers) {
  for (size_t i = 0; i < searched.problem.ops.size(); ++i) {
    auto values = distinctValues(searched.problem.ops[i]);
    for (const Candidate &candidate : searched.beams[OpId(i)]) {
      ASSERT_EQ(candidate.inputs.size(), values.size());
      for (auto [value, input] : llvm::zip_equal(values, candidate.inputs)) {
        OpId producer = searched.problem[value].producer;
        LayoutId made = searched.problem[value].declared;
        if (producer.valid()) {
          ASSERT_LT(input.parent, searched.beams[producer].size());
          made = searched.oracle[searched.beams[producer][input.parent].config].outputs.front();
        }
        EXPECT_EQ(input.converted, input.layout != made);
        if (input.converted)
          EXPECT_TRUE(searched.oracle.convert(value, made, input.layout).legal);
      }
    }
  }
}

TEST_P(BeamOfWidth, EveryOpIsDecidedAndForksAreResolved) {
  ASSERT_EQ(searched.decisions.size(), searched.problem.ops.size());
  for (size_t i = 0; i < searched.decisions.size(); ++i) {
    const Beam &beam = searched.beams[OpId(i)];
    auto layouts = [&](ConfigId config) { return searched.oracle[config].outputs; };
    auto chosen = llvm::find_if(beam, [&](const Candidate &candidate) {
      return layouts(candidate.config) == layouts(searched.decisions[i].config);
    });
    ASSERT_NE(chosen, beam.end()) << searched.problem.ops[i].location;
    if (width() == 1) // nothing to consolidate
      EXPECT_EQ(searched.decisions[i].config, beam.front().config);
  }
  // Whatever two branches want of the value before them, each gets it.
  Draft draft(searched.problem, searched.oracle, programOrder(searched.problem));
  takeAll(draft, searched.decisions);
  EXPECT_NE(draft.checkAll(), Outcome::Refused);
}

std::string nameOf(const testing::TestParamInfo<std::tuple<BeamObjective, int64_t>> &info) {
  return (std::get<0>(info.param) == BeamObjective::Time ? "Time" : "Cores") +
         std::to_string(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Both, BeamOfWidth,
                         testing::Combine(testing::Values(BeamObjective::Time, BeamObjective::Cores),
                                          testing::Values(1, 2, 8, 64)),
                         nameOf);

TEST(BeamCandidates, AWiderBeamHoldsMore) {
  for (BeamObjective objective : {BeamObjective::Time, BeamObjective::Cores}) {
    auto candidates = [&](int64_t width) { return Searching(kFork, beamOf(objective, width)).candidates(); };
    EXPECT_GT(candidates(8), candidates(2));
    EXPECT_GT(candidates(2), candidates(1));
  }
}

/// concat takes what is placed alike only, and its operands are made in different shards. Without reshards there is the way
/// home only.
TEST(BeamCandidates, ReshardsBringOperandsElsewhereInL1) {
  constexpr llvm::StringLiteral kApart = R"(
    device grid 8x8
    budget 1300KiB
    mock default time 1000 dram 500
    mock ttnn.concat same_placement
    mock ttnn.to_memory_config time 100 dram 500
    %x = argument 512x512xbf16 dram
    %h = ttnn.relu(%x) : 512x512xbf16 legal [l1/height_sharded/8x1]
    %w = ttnn.relu(%x) : 512x512xbf16 legal [l1/width_sharded/1x8]
    %j = ttnn.concat(%h, %w) : 512x1024xbf16 legal [dram, l1/height_sharded/8x1, l1/width_sharded/1x8]
    return %j
  )";
  for (bool reshards : {true, false}) {
    PolicyOptions options = beamOf(BeamObjective::Time, 8);
    options.beam.reshards = reshards;
    Searching searched(kApart, options);
    size_t inL1 = 0;
    for (size_t i = 0; i < searched.problem.ops.size(); ++i)
      for (const Candidate &candidate : searched.beams[OpId(i)])
        for (const Input &input : candidate.inputs)
          inL1 += input.converted && searched.problem.layout(input.layout).isL1();
    EXPECT_EQ(inL1 > 0, reshards);
  }
}

TEST(BeamCandidates, WhatHasNoneRunsAsTheBasePlanHasIt) {
  constexpr llvm::StringLiteral kHopeless = R"(
    device grid 1x1
    budget 100KiB
    mock default time 1000 dram 500
    mock ttnn.tanh metal_backend_error
    mock ttnn.fill_cache metal_backend_error
    %x = argument 32x32xbf16 dram
    %cache = argument 32x32xbf16 dram
    %large = ttnn.relu(%x) : 32x3200xbf16
    %wrong = ttnn.tanh(%x) : 32x32xbf16
    ttnn.fill_cache(%cache, %wrong)
    %end = ttnn.add(%large, %wrong) : 32x32xbf16
    return %end
  )";
  for (BeamObjective objective : {BeamObjective::Time, BeamObjective::Cores})
    for (int64_t width : {1, 8}) {
      Searching searched(kHopeless, beamOf(objective, width));
      for (llvm::StringRef name : {"large", "wrong"}) {
        const Beam &beam = searched.beams[searched.op(name)];
        ASSERT_EQ(beam.size(), 1u) << name.str();
        EXPECT_TRUE(searched.result(beam.front()).isDram()) << name.str();
      }
      OpId sink = searched.op("fill_cache_0");
      ASSERT_EQ(searched.beams[sink].size(), 1u);
      EXPECT_EQ(searched.decisions[sink.index()].config, searched.oracle.base(sink));
    }
}

// ---- The order of candidates -----------------------------------------------------------------------------

struct Ranked {
  int residency = 0; ///< as Candidate has it
  int64_t cores = 0;
  unsigned reshards = 0, conversions = 0;
  double time = 0;
};

Candidate candidateOf(const Ranked &ranked, unsigned order) {
  Candidate candidate;
  candidate.residency = ranked.residency;
  candidate.score = {Nanoseconds(ranked.time), ranked.cores, ranked.reshards};
  candidate.conversions = ranked.conversions;
  candidate.order = order;
  return candidate;
}

struct Preference {
  const char *what;
  BeamObjective objective;
  int64_t width;
  Ranked better, worse;
};

const Preference kPreferences[] = {
    {"sharded before L1 interleaved", BeamObjective::Cores, 8, {.residency = 0}, {.residency = 1}},
    {"that before more cores", BeamObjective::Cores, 8, {.cores = 1}, {.residency = 1, .cores = 64}},
    {"L1 before DRAM, reshards or not",
     BeamObjective::Cores,
     8,
     {.residency = 1, .reshards = 3},
     {.residency = 2}},
    {"more cores", BeamObjective::Cores, 8, {.cores = 64}, {.cores = 32}},
    {"that before fewer reshards", BeamObjective::Cores, 8, {.cores = 64, .reshards = 2}, {.cores = 32}},
    {"fewer reshards", BeamObjective::Cores, 8, {.cores = 64}, {.cores = 64, .reshards = 1}},
    {"the first that was found", BeamObjective::Cores, 8, {.cores = 64}, {.cores = 64}},
    {"greedily, no reshard before sharded",
     BeamObjective::Cores,
     1,
     {.residency = 1},
     {.residency = 0, .cores = 64, .conversions = 1}},
    {"greedily, a reshard before DRAM", BeamObjective::Cores, 1, {.conversions = 1}, {.residency = 2}},
    {"greedily, never by cores", BeamObjective::Cores, 1, {.cores = 1}, {.cores = 64}},
    {"less time", BeamObjective::Time, 8, {.residency = 2, .reshards = 3, .time = 10}, {.time = 12}},
    {"of equal times L1",
     BeamObjective::Time,
     8,
     {.residency = 1, .time = 10.2},
     {.residency = 2, .time = 10}},
    {"of equal times fewer reshards", BeamObjective::Time, 8, {.time = 10}, {.reshards = 1, .time = 10}},
};

TEST(BeamCandidates, AreRankedByTheObjective) {
  ProblemInstance instance = parse(kFork);
  Oracle oracle(instance.problem, *instance.model);
  for (const Preference &preference : kPreferences) {
    PolicyOptions options = beamOf(preference.objective, preference.width);
    Forward forward(instance.problem, oracle, nullptr, options);
    Candidate better = candidateOf(preference.better, 0), worse = candidateOf(preference.worse, 1);
    EXPECT_TRUE(forward.isBetter(better, worse)) << preference.what;
    EXPECT_FALSE(forward.isBetter(worse, better)) << preference.what;
  }
}

} // namespace
