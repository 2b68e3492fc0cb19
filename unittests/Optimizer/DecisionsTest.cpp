//===- DecisionsTest.cpp - What changes cost, and the file that tells -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomProblem.h"

#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Decisions/Collect.h"
#include "tessera/Optimizer/Decisions/DecisionsFile.h"
#include "tessera/Optimizer/Decisions/L1Shares.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Problem/OpLabels.h"
#include "tessera/Support/Json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <rapidcheck.h>
#include <set>

using namespace tessera;

namespace {

/// Runs `property` on plans of all policies for random problems.
template <class Property>
void forRandomPlans(const char *description, Property property) {
  auto bytes = rc::gen::resize(300, rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>()));
  bool holds = rc::check(description, [&] {
    std::string text = randomProblem(*bytes);
    RC_LOG() << text;
    const PolicyInfo &policy = policies()[*rc::gen::inRange<size_t>(0, policies().size())];
    RC_LOG() << policy.name.str();
    ProblemInstance instance = parseRandom(text);
    DecisionLog log;
    PolicyOptions options;
    options.log = &log;
    Plan plan = solve(policy, instance.problem, *instance.model, options);
    PlanCheck check = checkPlan(instance.problem, plan, *instance.model);
    PlanCost cost = planCost(instance.problem, plan, *instance.model);
    std::vector<std::string> labels = opLabels(instance.problem);
    property(DecidedPlan{
        instance.problem, plan, cost, check.l1, *instance.model, cost.total(), log, labels, {}, true});
  });
  EXPECT_TRUE(holds);
}

/// The plan with the op in another configuration, all steps else as they are; nullopt if the operands would have to be converted.
std::optional<Plan> withOtherResults(const Plan &plan, StepIndex step, const Variation &variation) {
  Plan other = plan;
  for (auto [read, wanted] : llvm::zip_equal(plan[step].reads, variation.inputs))
    if (plan[read].layout != wanted)
      return std::nullopt;
  other.configs[plan[step].op.index()] = variation.config;
  for (auto [written, layout] : llvm::zip_equal(plan[step].writes, variation.config.outputs))
    other.tensors[written.index()].layout = layout;
  return other;
}

/// Then conversions may become another path, or go.
bool isReadByConversions(const DecidedPlan &decided, const Variations &variations, StepIndex step) {
  return llvm::any_of(decided.plan[step].writes, [&](TensorId tensor) {
    return llvm::any_of(variations.readersOf(tensor), [&](StepIndex reader) {
      return convertsLayout(decided.problem, decided.plan[reader]);
    });
  });
}

TEST(Variations, CostAndNeedWhatThePlanWithTheChangeDoes) {
  size_t same = 0;
  forRandomPlans("variations", [&](const DecidedPlan &decided) {
    const auto &[problem, plan, cost, l1, model, before, log, labels, priced, traced] = decided;
    Variations variations(problem, plan, cost, l1, model);
    for (size_t i = 0; i < problem.ops.size(); ++i)
      for (const Variation &variation : variations.alternatives(OpId(i))) {
        std::optional<Plan> other = withOtherResults(plan, variations.stepOf(OpId(i)), variation);
        if (!other)
          continue;
        PlanCheck check = checkPlan(problem, *other, model);
        bool legal = llvm::all_of(
            check.violations, [](const PlanViolation &violation) { return violation.rule == kL1Capacity; });
        if (!legal)
          continue; // a reader needs a conversion
        Nanoseconds delta = planCost(problem, *other, model).total() - cost.total();
        // Readers may share one conversion back if that is faster; and what does not fit even alone is not priced as it is.
        RC_ASSERT(!check.ok() || variation.delta().value() <= delta.value() + 1e-6);
        // A conversion back may take no time, and is not in the other plan all the same.
        if (std::abs(variation.delta().value() - delta.value()) > 1e-6 || variation.conversions != 0 ||
            isReadByConversions(decided, variations, variations.stepOf(OpId(i))))
          continue;
        ++same;
        RC_ASSERT(check.ok() == !variation.tight.has_value());
      }
  });
  EXPECT_GT(same, size_t(100));
}

static std::string written(const decisions::Decisions &all) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream os(stream);
  write(os, all);
  return text;
}

TEST(Decisions, ReadBackAsWritten) {
  forRandomPlans("round trip", [](const DecidedPlan &decided) {
    decisions::Decisions all;
    all.functions.push_back(decisions::collect(decided));
    std::string text = written(all);
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
    if (!value)
      RC_FAIL(llvm::toString(value.takeError()));
    // Keys come as those of trees do.
    RC_ASSERT(llvm::formatv("{0}", *value).str() == text);
    llvm::Expected<decisions::Decisions> read = decisions::decisionsFromText(text);
    if (!read)
      RC_FAIL(llvm::toString(read.takeError()));
    RC_ASSERT(written(*read) == text);
  });
}

/// What was read, with sorted keys (the compiler's trace is kept as it stands); the error's text if nothing was.
static std::string outcome(llvm::Expected<decisions::Decisions> read) {
  return read ? llvm::formatv("{0}", *llvm::json::parse(written(*read))).str()
              : llvm::toString(read.takeError());
}

/// Of the text as JSON's own parser understands it, who names the place of what is no JSON.
static llvm::Expected<decisions::Decisions> readAsTree(const std::string &text) {
  llvm::Expected<llvm::json::Value> value = parseJson(text);
  return value ? decisions::decisionsFromText(llvm::formatv("{0}", *value).str()) : value.takeError();
}

/// What is said of the file in which `to` stands for the first `from`.
static std::string saidWith(std::string text, llvm::StringRef from, llvm::StringRef to) {
  text.replace(text.find(from), from.size(), to);
  llvm::Expected<decisions::Decisions> read = decisions::decisionsFromText(text);
  return read ? "nothing" : llvm::toString(read.takeError());
}

TEST(Decisions, AFaultIsNamedByItsPlaceInTheFile) {
  bool done = false;
  forRandomPlans("a file with a fault", [&](const DecidedPlan &decided) {
    if (done || decided.plan.tensors.empty())
      return;
    decisions::Decisions all;
    all.functions.push_back(decisions::collect(decided));
    const std::string text = written(all);
    const std::string wrong = "not a decisions file: ", function = "decisions.functions[0]";
    // In a record of a list, in a member of a function, in place of a list, of a record and of what is first looked at.
    EXPECT_EQ(saidWith(text, "\"begin\":", "\"begin\":{},\"was\":"),
              wrong + "expected integer at " + function + ".tensors[0].begin");
    EXPECT_EQ(saidWith(text, "\"function\":", "\"function\":1,\"was\":"),
              wrong + "expected string at " + function + ".function");
    EXPECT_EQ(saidWith(text, "\"steps\":[", "\"steps\":7,\"was\":["),
              wrong + "expected array at " + function + ".steps");
    EXPECT_EQ(saidWith(text, "\"functions\":[", "\"functions\":[7,"),
              wrong + "expected object at " + function);
    EXPECT_EQ(saidWith(text, "\"format\":\"", "\"format\":\"other "),
              wrong + "\"format\" is not \"tessera.decisions\"");
    // What is no JSON is named by its place in the whole text, wherever it was cut.
    EXPECT_EQ(saidWith(text, "\"begin\":", "\"begin\"="),
              llvm::toString(
                  parseJson(std::string(text).replace(text.find("\"begin\":") + 7, 1, "=")).takeError()));
    done = true;
  });
  EXPECT_TRUE(done);
}

TEST(Decisions, PiecesOfATextSayWhatItsTreeSays) {
  forRandomPlans("text with a wrong byte", [](const DecidedPlan &decided) {
    if (*rc::gen::inRange(0, 10)) // trees of many texts take long
      return;
    decisions::Decisions all;
    all.functions.push_back(decisions::collect(decided));
    std::string text = written(all);
    size_t at = *rc::gen::inRange<size_t>(0, text.size());
    std::string other = text.substr(0, at) +
                        *rc::gen::element<std::string>("", ",", "}", "]", "\"", "7", "[", " ") +
                        text.substr(at + *rc::gen::inRange<size_t>(0, 2));
    RC_ASSERT(outcome(decisions::decisionsFromText(other)) == outcome(readAsTree(other)));
  });
}

TEST(Decisions, WhoHoldsL1AddsUpToTheCheckersFigure) {
  size_t shares = 0, views = 0;
  forRandomPlans("who holds L1", [&](const DecidedPlan &decided) {
    decisions::FunctionDecisions function = decisions::collect(decided);
    for (size_t step = 0; step < function.steps.size(); ++step) {
      Bytes sum;
      std::set<decisions::Index> tensors;
      for (const decisions::L1Share &share : l1Shares(function, decisions::Index(step))) {
        RC_ASSERT(share.bytes >= Bytes(0));
        RC_ASSERT(!share.tensor || tensors.insert(*share.tensor).second);
        sum += share.bytes;
        ++shares;
        views += share.holder == decisions::L1Holder::View;
      }
      RC_ASSERT(sum == decided.l1.total(StepIndex(step)));
    }
  });
  EXPECT_GT(shares, 0u);
  EXPECT_GT(views, 0u);
}

TEST(Decisions, EverySpillIsReadFromDramAndCountsOnce) {
  forRandomPlans("spills", [](const DecidedPlan &decided) {
    std::vector<decisions::SpillFacts> spills = decisions::collectSpills(decided);
    std::set<decisions::Index> tensors;
    for (const decisions::SpillFacts &spill : spills) {
      const PlanTensor &tensor = decided.plan.tensors[size_t(spill.tensor)];
      RC_ASSERT(decided.problem.layout(tensor.layout).isDram());
      RC_ASSERT(spill.edges > 0);
      RC_ASSERT(tensors.insert(spill.tensor).second);
      RC_ASSERT((spill.cause == decisions::SpillCause::Memory) <= (spill.missing > Bytes(0)));
    }
    decisions::SpillCounts counts = decisions::countSpills(spills);
    RC_ASSERT(counts.backend + counts.memory + counts.faster + counts.policy == int64_t(spills.size()));
    RC_ASSERT(counts.possibleEdges <= counts.edges);
  });
}

} // namespace
