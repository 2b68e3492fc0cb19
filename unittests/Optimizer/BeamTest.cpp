//===- BeamTest.cpp - The best few ways to make each value ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomProblem.h"

#include "Beam/Beam.h"
#include "Beam/Forward.h"
#include "Beam/Trace.h"
#include "tessera/Optimizer/Contest/Contest.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <rapidcheck.h>

using namespace tessera;
using namespace tessera::beam;

namespace {

template <class Property>
void forRandomProblems(const char *description, Property property) {
  auto bytes = rc::gen::resize(300, rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>()));
  EXPECT_TRUE(rc::check(description, [&] {
    std::string text = randomProblem(*bytes);
    RC_LOG() << text;
    property(parseRandom(text), *bytes);
  }));
}

PolicyOptions cores(int64_t width) {
  PolicyOptions options;
  options.beam.objective = BeamObjective::Cores;
  options.beam.width = width;
  return options;
}

Plan planBeam(const Problem &problem, const OpCostTable &model, const PolicyOptions &options) {
  return solve(*findPolicy("beam"), problem, model, options);
}

/// Counts questions for times.
class TimesCounted : public OpModel {
public:
  explicit TimesCounted(const OpModel &inner) : OpModel(inner.context()), inner(inner) {}
  ValidationResult query(const OpQuery &query) const override { return inner.query(query); }
  OpRuntime runtime(const OpQuery &query) const override {
    ++asked;
    return inner.runtime(query);
  }
  llvm::StringRef name() const override { return inner.name(); }
  mutable size_t asked = 0;

private:
  const OpModel &inner;
};

TEST(Beam, CoresNeverAsksForATime) {
  forRandomProblems("no times", [](const ProblemInstance &instance, const std::vector<uint8_t> &) {
    for (int64_t width : {1, 4}) {
      TimesCounted model(*instance.model);
      Plan plan = planBeam(instance.problem, model, cores(width));
      RC_ASSERT(model.asked == 0u);
      RC_ASSERT(violations(checkPlan(instance.problem, plan, *instance.model)) == "");
    }
  });
}

TEST(Beam, EveryWidthAndPartGivesLegalPlans) {
  forRandomProblems("legal", [](const ProblemInstance &instance, const std::vector<uint8_t> &) {
    for (int64_t width : {1, 2, 64})
      for (bool BeamOptions::*part : {&BeamOptions::reshards, &BeamOptions::jointForks, &BeamOptions::polish,
                                      &BeamOptions::incumbent, &BeamOptions::repeats}) {
        PolicyOptions options;
        options.beam.width = width;
        options.beam.*part = false;
        Plan plan = planBeam(instance.problem, *instance.model, options);
        RC_ASSERT(violations(checkPlan(instance.problem, plan, *instance.model)) == "");
      }
  });
}

/// Without its incumbent, whose plan it would else take. Sums, as one problem or the other goes wrong.
TEST(Beam, TheSearchByItselfIsFasterThanGreedy) {
  Nanoseconds beams, greedys;
  forRandomProblems("greedy", [&](const ProblemInstance &instance, const std::vector<uint8_t> &) {
    auto costOf = [&](const Plan &plan) { return planCost(instance.problem, plan, *instance.model).total(); };
    PolicyOptions alone;
    alone.beam.incumbent = false;
    beams += costOf(planBeam(instance.problem, *instance.model, alone));
    greedys += costOf(solve(*findPolicy("greedy"), instance.problem, *instance.model, {}));
  });
  EXPECT_LT(beams, greedys);
}

std::string text(const Problem &problem, const Plan &plan) {
  return llvm::formatv("{0}", toJson(problem, plan));
}

TEST(Beam, TheIncumbentsFasterPlanStandsUnderItsName) {
  size_t taken = 0;
  forRandomProblems("incumbent", [&](const ProblemInstance &instance, const std::vector<uint8_t> &) {
    PolicyOptions narrow;
    narrow.beam.width = 1;
    narrow.beam.polish = false;
    Plan plan = planBeam(instance.problem, *instance.model, narrow);
    if (plan.policy != "greedy")
      return;
    ++taken;
    Plan greedy = solve(*findPolicy("greedy"), instance.problem, *instance.model, {});
    RC_ASSERT(text(instance.problem, plan) == text(instance.problem, greedy));
  });
  EXPECT_GT(taken, 0u);
}

// ---- Choices under doubt (docs/policies.md) -------------------------------------------------------------

/// Conversions that the contest leaves in beam's plan where relu may leave its result in L1, from where a conversion of 400 ns brings it, or take
/// `dram` ns more; `other` ns are all else that the program takes.
ptrdiff_t conversionsBehind(int64_t relu, int64_t dram, int64_t other) {
  constexpr llvm::StringLiteral kProblem = "device grid 1x1\n"
                                           "mock ttnn.exp time {2}\n"
                                           "mock ttnn.relu time {0} dram {1}\n"
                                           "mock ttnn.to_memory_config time 400\n"
                                           "%a = argument 32x32xbf16 l1\n"
                                           "%b = ttnn.relu(%a) : 32x32xbf16 legal [l1, dram]\n"
                                           "%c = ttnn.exp(%a) : 32x32xbf16 legal [dram]\n"
                                           "return %b, %c\n";
  ProblemInstance instance = parseRandom(llvm::formatv(kProblem.data(), relu, dram, other).str());
  OpCostTable model(*instance.model);
  Judge judge(instance.problem, model);
  Contest contest(judge);
  contest.enter({judge.judgedMerged(planBeam(instance.problem, model, {})), {}});
  contest.improve(/*settlesDoubts=*/true);
  Plan plan = contest.result().entry.plan;
  return llvm::count_if(plan.steps,
                        [](const PlanStep &step) { return step.kind == PlanStep::Kind::Convert; });
}

TEST(Beam, OfTwoWaysThatNoTimesTellApartTheOneWithFewerConversionsStands) {
  // 200 ns of 100 us, which are less than times of the family are off, and less than a thousandth of the plan.
  EXPECT_EQ(conversionsBehind(100000, 600, 1000000), 0);
  // More than a thousandth: 1.6 of 1,100 us, or the same 200 ns in a plan of 110.
  EXPECT_EQ(conversionsBehind(100000, 2000, 1000000), 1);
  EXPECT_EQ(conversionsBehind(100000, 600, 10000), 1);
  // More than the model is off: 200 ns of an op of 1 us.
  EXPECT_EQ(conversionsBehind(1000, 600, 1000000), 1);
  // Where the way without conversions is faster there is no doubt.
  EXPECT_EQ(conversionsBehind(1000, 300, 1000000), 0);
}

// ---- Repeated layers -------------------------------------------------------------------------------------

/// `count` equal layers behind each other. Each byte is an op of the layer: which one, what it reads, where it may be.
std::string layersOf(const std::vector<uint8_t> &bytes, size_t count) {
  static constexpr llvm::StringLiteral kLegal[] = {"[dram, l1/height_sharded/4x1]", "[dram, l1]",
                                                   "[dram, l1, l1/height_sharded/4x1, l1/height_sharded/2x1]",
                                                   "[dram, l1/width_sharded/1x4, l1/height_sharded/4x1]"};
  std::string text = "device grid 2x2\nbudget 200KiB\nmock default time 1000 dram 1000\n"
                     "mock ttnn.to_memory_config time 50 dram 50\n%v0 = argument 256x256xbf16 dram\n";
  size_t last = 0;
  for (size_t layer = 0; layer < count; ++layer) {
    size_t first = last;
    for (uint8_t byte : bytes) {
      size_t other = first + (byte / 16) % (last - first + 1);
      std::string op = byte % 2 ? llvm::formatv("ttnn.add(%v{0}, %v{1})", last, other).str()
                                : llvm::formatv("ttnn.relu(%v{0})", other).str();
      text += llvm::formatv("%v{0} = {1} : 256x256xbf16 legal {2}\n", ++last, op, kLegal[byte / 2 % 4]);
    }
  }
  return text + llvm::formatv("return %v{0}\n", last).str();
}

TEST(Beam, SearchesRepeatedLayersOnceAndPlansThemTheSame) {
  auto bytes = rc::gen::resize(
      12, rc::gen::nonEmpty(rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>())));
  EXPECT_TRUE(rc::check("layers", [&] {
    std::string layers = layersOf(*bytes, 8);
    RC_LOG() << layers;
    for (BeamObjective objective : {BeamObjective::Time, BeamObjective::Cores}) {
      PolicyOptions options;
      options.beam.objective = objective;
      ProblemInstance instance = parseRandom(layers), again = parseRandom(layers);
      Plan plan = planBeam(instance.problem, *instance.model, options);
      options.beam.repeats = false;
      RC_ASSERT(text(again.problem, planBeam(again.problem, *again.model, options)) ==
                text(instance.problem, plan));
    }
  }));
}

TEST(Beam, SearchesWithAndWithoutRepeatsGiveTheSamePlan) {
  forRandomProblems("repeats", [](const ProblemInstance &instance, const std::vector<uint8_t> &) {
    PolicyOptions options;
    Plan plan = planBeam(instance.problem, *instance.model, options);
    options.beam.repeats = false;
    RC_ASSERT(text(instance.problem, planBeam(instance.problem, *instance.model, options)) ==
              text(instance.problem, plan));
  });
}

// ---- The proposal's greedy -------------------------------------------------------------------------------

/// facts/optimizer-proposal "Pass 1" and "Beam Search", read plainly. In the words of the proposal, for each operation in
/// schedule order:
///
///   1. Look at input edges and their layouts
///   2. Enumerate valid (config, layout) pairs for the op
///   3. Pick the first pair that works with the inputs
///   4. If no L1 layout works, fall back to DRAM
///
/// "use working config without reshard, fall back to reshard only if none exists"; "use L1 Interleaved when sharding is
/// not feasible".
class PlainGreedy {
public:
  PlainGreedy(const Problem &problem, Oracle &oracle)
      : problem(problem), oracle(oracle), layouts(problem.values.size()),
        writtenInPlace(valuesWrittenInPlace(problem)), last(lastReaders(problem)) {
    for (auto [index, value] : llvm::enumerate(problem.values))
      layouts[index] = value.declared;
  }

  struct Choice {
    ConfigId config;
    std::vector<LayoutId> inputs; ///< by distinct value
  };

  /// Nullopt if no pair works.
  std::optional<Choice> choose(OpId op) {
    values = distinctValues(problem[op]);
    choices.clear();
    combinations = 1;
    for (ValueId value : values) {
      choices.push_back(layoutsFor(op, value));
      combinations *= choices.back().size();
    }
    for (bool dram : {false, true})
      for (size_t reshards = 0; reshards <= values.size(); ++reshards)
        for (int kind = dram ? 2 : 0; kind <= (dram ? 2 : 1); ++kind)
          for (ConfigId config : oracle.legal(op))
            if (isPossible(op, config) && kindOf(config) == kind)
              if (std::optional<Choice> choice = firstThatWorks(op, config, reshards, {}))
                return choice;
    return std::nullopt;
  }

  void take(OpId op, ConfigId config) {
    for (auto [result, layout] : llvm::zip_equal(problem[op].results, oracle[config].outputs))
      layouts[result.index()] = layout;
  }

  size_t combinations = 1; ///< of the last op

private:
  bool isPinned(ValueId value) const { return writtenInPlace[value.index()] || isDemanded(problem, value); }

  bool isPossible(OpId op, ConfigId config) const {
    for (auto [result, layout] : llvm::zip_equal(problem[op].results, oracle[config].outputs))
      if (!layout.valid() || (isPinned(result) && layout != problem[result].home))
        return false;
    return true;
  }

  int kindOf(ConfigId config) const {
    int kind = 0;
    for (LayoutId layout : oracle[config].outputs) {
      const TensorLayout &where = problem.layout(layout);
      kind = std::max(kind, where.isSharded() ? 0 : where.isL1() ? 1 : 2);
    }
    return kind;
  }

  /// As the value lies, then the layouts that it could be resharded to.
  std::vector<LayoutId> layoutsFor(OpId op, ValueId value) {
    LayoutId now = layouts[value.index()];
    std::vector<LayoutId> found = {now};
    if (isPinned(value))
      return found;
    auto add = [&](LayoutId layout) {
      if (layout.valid() && !llvm::is_contained(found, layout) && oracle.convert(value, now, layout).legal)
        found.push_back(layout);
    };
    llvm::ArrayRef<ValueId> operands = problem[op].operands;
    add(problem[value].home);
    add(baseInput(problem, op, size_t(llvm::find(operands, value) - operands.begin())));
    add(oracle.dram(value));
    add(oracle.l1Interleaved(value));
    for (ConfigId config : oracle.legal(op))
      for (LayoutId output : oracle[config].outputs)
        if (isPossible(op, config))
          add(problem.layout(output).isSharded() ? oracle.placedLike(output, value)
                                                 : oracle.l1InterleavedLike(output, value));
    for (ValueId other : values)
      if (other != value && problem.layout(layouts[other.index()]).isL1())
        add(oracle.placedLike(layouts[other.index()], value));
    for (MemoryLayout kind :
         {MemoryLayout::HeightSharded, MemoryLayout::WidthSharded, MemoryLayout::BlockSharded})
      for (auto [number, layout] : llvm::enumerate(ofKind(value, kind)))
        if (number < 2)
          candidates.insert(layout);
    for (LayoutId layout : oracle.space(value).sharded)
      if (candidates.contains(layout))
        add(layout);
    candidates.clear();
    return found;
  }

  std::vector<LayoutId> ofKind(ValueId value, MemoryLayout kind) {
    std::vector<LayoutId> found;
    for (LayoutId layout : oracle.space(value).sharded)
      if (problem.layout(layout).memory == kind)
        found.push_back(layout);
    return found;
  }

  /// The first combination with that many reshards.
  std::optional<Choice> firstThatWorks(OpId op, ConfigId config, size_t reshards,
                                       std::vector<LayoutId> inputs) {
    if (inputs.size() < values.size()) {
      const std::vector<LayoutId> &list = choices[inputs.size()];
      for (size_t i = 0; i < list.size(); ++i) {
        if (i > 0 && reshards == 0)
          break;
        std::vector<LayoutId> more = inputs;
        more.push_back(list[i]);
        if (std::optional<Choice> choice = firstThatWorks(op, config, reshards - (i > 0), std::move(more)))
          return choice;
      }
      return std::nullopt;
    }
    if (reshards > 0 || !works(op, config, inputs))
      return std::nullopt;
    return Choice{config, std::move(inputs)};
  }

  bool works(OpId op, ConfigId config, llvm::ArrayRef<LayoutId> inputs) {
    llvm::SmallVector<LayoutId> byOperand;
    for (ValueId operand : problem[op].operands)
      byOperand.push_back(inputs[size_t(llvm::find(values, operand) - values.begin())]);
    bool isRead = !inputs.empty() && inputs.front() == layouts[values.front().index()] &&
                  last[values.front().index()] > problem.position(op);
    return oracle.run(op, byOperand, isRead ? oracle.keepingInput(config) : config).legal;
  }

  const Problem &problem;
  Oracle &oracle;
  std::vector<LayoutId> layouts; ///< by ValueId, as chosen so far
  std::vector<bool> writtenInPlace;
  std::vector<SchedulePos> last;
  llvm::SmallVector<ValueId, 4> values;
  std::vector<std::vector<LayoutId>> choices;
  std::set<LayoutId> candidates;
};

TEST(Beam, OfWidthOneByCoresIsTheProposalsGreedy) {
  forRandomProblems("plain reading", [](const ProblemInstance &instance, const std::vector<uint8_t> &) {
    const Problem &problem = instance.problem;
    OpCostTable model = OpCostTable(*instance.model).timeless();
    Oracle oracle(problem, model);
    Beams beams = Forward(problem, oracle, nullptr, cores(1)).run();
    // One candidate leaves nothing to consolidate: it is what the layout pass decides.
    std::vector<Decision> decisions = Trace(problem, oracle, beams, cores(1).beam).run();
    PlainGreedy plain(problem, oracle);
    size_t compared = 0, reshards = 0;
    for (size_t i = 0; i < problem.ops.size(); ++i) {
      RC_ASSERT(beams[OpId(i)].size() == 1u);
      const Candidate &candidate = beams[OpId(i)].front();
      reshards += candidate.conversions;
      RC_ASSERT(decisions[i].config == candidate.config);
      for (auto [input, decided] : llvm::zip_equal(candidate.inputs, decisions[i].inputs))
        RC_ASSERT(input.layout == decided || input.converted); // readers may share another's reshard
      if (problem.ops[i].role != OpRole::Fixed) {
        std::optional<PlainGreedy::Choice> choice = plain.choose(OpId(i));
        if (plain.combinations > 512)
          break; // the beam does not look at all of them
        if (choice) {
          RC_ASSERT(candidate.config == choice->config);
          for (auto [input, layout] : llvm::zip_equal(candidate.inputs, choice->inputs))
            RC_ASSERT(input.layout == layout);
          ++compared;
        } else {
          RC_ASSERT(candidate.config == oracle.base(OpId(i)));
        }
      }
      plain.take(OpId(i), candidate.config);
    }
    RC_CLASSIFY(compared > 0, "compared");
    RC_CLASSIFY(reshards > 0, "reshards");
  });
}

} // namespace
