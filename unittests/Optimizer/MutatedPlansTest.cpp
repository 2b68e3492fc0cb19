//===- MutatedPlansTest.cpp - What execution and PlanChecker notice -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each mutant runs on the simulated device with the inputs of several seeds. One
// that fails or computes other bytes with any of them changes the program; it is
// caught if it does so with random:1, which is what `tessera verify` runs. The
// table that is printed stands in docs/evaluation/simulator.md (scripts/update-mutations).
//
//===----------------------------------------------------------------------===//
#include "MutatedPlans.h"
#include "RandomModule.h"

#include "tessera/Device/L1Budget.h"
#include "tessera/Dialect/Register.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Simulator/Compare.h"
#include "tessera/Simulator/Inputs.h"
#include "tessera/Support/TextTable.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace tessera;
using simulator::Function;
using simulator::Program;

namespace {

constexpr uint64_t kSeeds = 3;

/// An op model that says of one kind of op that it needs more circular buffers than it does: as if the plan had been made
/// with too small a figure.
class HungryOpModel final : public OpModel {
public:
  HungryOpModel(const OpModel &inner, std::string op, Bytes more)
      : OpModel(inner.context()), inner(inner), op(std::move(op)), more(more) {}
  ValidationResult query(const OpQuery &query) const override {
    ValidationResult answer = inner.query(query);
    if (query.op.name == op)
      answer.constraints.cbL1PeakSize += more;
    return answer;
  }
  OpRuntime runtime(const OpQuery &query) const override { return inner.runtime(query); }
  llvm::StringRef name() const override { return "hungry"; }

private:
  const OpModel &inner;
  std::string op;
  Bytes more;
};

struct Outcome {
  std::vector<simulator::MeshTensor> results; ///< caches that were written behind them
  bool refused = false;                       ///< an error, or a launch that the device refuses
  bool operator==(const Outcome &other) const {
    return refused == other.refused && results.size() == other.results.size() &&
           llvm::all_of(llvm::zip(results, other.results), [](const auto &pair) {
             return compare(std::get<0>(pair)[0], std::get<1>(pair)[0]).exact();
           });
  }
};

/// `original` says what values the arguments may have.
Outcome execute(const Mutant &mutant, const Program &original, const OpModel &model, uint64_t seed) {
  auto [op, more] = mutant.hungry.value_or(std::pair<std::string, Bytes>());
  HungryOpModel hungry(model, op, more);
  const Function &source = original.functions.front();
  std::vector<simulator::ValueRange> ranges = argumentRanges(original, source);
  auto argument = [&](size_t number) {
    return simulator::MeshTensor(1, simulator::randomArgument(source, number, ranges[number], seed));
  };
  llvm::Expected<simulator::RunResult> result =
      simulator::run(mutant.program, mutant.program.functions.front(), argument, hungry,
                     {Bytes(int64_t(1) << 32), {}, nullptr, mutant.misplaced, mutant.unmoved});
  if (!result) {
    llvm::consumeError(result.takeError());
    return {{}, true};
  }
  Outcome outcome{std::move(result->returned), !result->statistics.clashes.empty()};
  for (auto &[number, tensor] : result->written)
    outcome.results.push_back(std::move(tensor));
  return outcome;
}

struct Tally {
  size_t mutants = 0, changed = 0, caught = 0, refused = 0, refusedOnly = 0;
  Tally &operator+=(const Tally &other) {
    mutants += other.mutants;
    changed += other.changed;
    caught += other.caught;
    refused += other.refused;
    refusedOnly += other.refusedOnly;
    return *this;
  }
};

/// A subject, its unbroken program, and what that computes by seed, from 1.
struct Experiment {
  Subject subject;
  Program original;
  std::vector<Outcome> good;

  Experiment(mlir::ModuleOp module, double cap) : subject(module, cap) {
    if (subject.plan.steps.empty())
      return;
    original = programOf(subject.problem(), subject.plan);
    for (uint64_t seed = 1; seed <= kSeeds; ++seed)
      good.push_back(execute({original, {}, {}, {}}, original, *subject.model, seed));
  }
  bool isGood() const { return !good.empty() && !good.front().refused; }

  /// One mutant of that kind; false if none was found.
  bool tryMutant(const MutationKind &kind, Random &random, Tally &tally) {
    Plan plan = subject.plan;
    if (kind.ofPlan && !kind.ofPlan(subject, plan, random))
      return false;
    Mutant mutant{kind.ofPlan ? programOf(subject.problem(), plan) : original, {}, {}, {}};
    if (kind.ofProgram && !kind.ofProgram(subject, mutant, random))
      return false;
    bool refused = kind.ofPlan && !checkPlan(subject.problem(), plan, *subject.model).ok();
    bool changed = false, caught = false;
    for (uint64_t seed = 1; seed <= kSeeds && !changed; ++seed) {
      changed = !(execute(mutant, original, *subject.model, seed) == good[seed - 1]);
      caught = changed && seed == 1;
    }
    tally += {1, changed, caught, refused, refused && !caught};
    return true;
  }
};

size_t wantedPerKind() {
  const char *text = std::getenv("TESSERA_MUTANTS");
  return text ? size_t(std::strtoull(text, nullptr, 10)) : 12;
}

void print(llvm::ArrayRef<const MutationKind *> kinds, llvm::ArrayRef<Tally> tallies, const Tally &all) {
  TextTable table({{"what is broken"},
                   {"mutations", Align::Right},
                   {"change bytes or fail", Align::Right},
                   {"caught by execution", Align::Right},
                   {"refused by PlanChecker", Align::Right},
                   {"by it alone", Align::Right}});
  auto add = [&](llvm::StringRef name, const Tally &tally, bool ofPlan) {
    table.add({name.str(), std::to_string(tally.mutants), std::to_string(tally.changed),
               std::to_string(tally.caught), ofPlan ? std::to_string(tally.refused) : "-",
               ofPlan ? std::to_string(tally.refusedOnly) : "-"});
  };
  for (auto [kind, tally] : llvm::zip_equal(kinds, tallies))
    add(kind->name, tally, kind->ofPlan != nullptr);
  add("all", all, true);
  table.print(llvm::outs());
}

TEST(MutatedPlans, AreCaughtByExecution) {
  std::vector<const MutationKind *> kinds;
  for (llvm::ArrayRef<MutationKind> list : {planMutations(), programMutations()})
    for (const MutationKind &kind : list)
      kinds.push_back(&kind);
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  const size_t wanted = wantedPerKind();
  std::vector<Tally> tallies(kinds.size());
  auto isDone = [&](const Tally &tally) { return tally.mutants >= wanted; };
  Random random(1);
  for (uint64_t number = 1; number <= 40 * wanted && !llvm::all_of(tallies, isDone); ++number) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(randomModule(number, 10), &context);
    ASSERT_TRUE(module);
    Experiment experiment(*module, number % 2 ? 0.2 : kDefaultL1UsageCap);
    for (size_t kind = 0; experiment.isGood() && kind < kinds.size(); ++kind)
      for (int attempt = 0; attempt < 20 && !isDone(tallies[kind]); ++attempt)
        if (experiment.tryMutant(*kinds[kind], random, tallies[kind]))
          break;
  }
  Tally all;
  for (const Tally &tally : tallies)
    all += tally;
  print(kinds, tallies, all);
  EXPECT_GE(all.mutants, 200u);
  EXPECT_GE(all.caught * 100, all.changed * 95);
  EXPECT_GE(all.changed * 3, all.mutants) << "mutations that change nothing show nothing";
}

} // namespace
