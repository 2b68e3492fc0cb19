//===- ExecutedRewritesTest.cpp - Rewrites change no value ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Random programs that rewrites find something in, rewritten wherever that is
// legal, and optimized with rewrites, run on the simulator before and after. Where
// all rewrites are exact every bit must be the same; else the error against the
// program without any rounding may be 1.25 times the input's. What is a near miss
// of a rewrite must not be rewritten by it. A program that gives something
// else is reduced before it is told.
//
//===----------------------------------------------------------------------===//
#include "ExecutedModule.h"
#include "RandomPatterns.h"
#include "ReduceModule.h"
#include "Rewriting.h"

#include "tessera/OpModel/OpModel.h"
#include "tessera/Simulator/Compare.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <map>

using namespace tessera;
using namespace tessera::simulator;

namespace {

enum class Way : uint8_t { Rewritten, Optimized };

/// What one program became.
struct Verdict {
  std::vector<std::string> made; ///< names of rewrites
  bool refused = false;
  std::string wrong; ///< "" if nothing
};

/// Makes the rewrites, and plans with them if asked to. nullopt if that fails.
std::optional<std::vector<AppliedRewrite>> change(mlir::ModuleOp module, Way way) {
  OptimizerOptions options;
  options.rewrites = llvm::cantFail(RewriteSelection::parse("all"));
  if (way == Way::Rewritten) {
    LayoutPool layouts;
    return rewriteModule(module, options.rewrites, contextOf(module, *findDevice("n150"), options, layouts));
  }
  mlir::FailureOr<OptimizationResult> result = optimize(module, options);
  if (mlir::failed(result))
    return std::nullopt;
  return result->graph ? std::move(result->graph->applied) : std::vector<AppliedRewrite>();
}

/// Where results differ by more than the rewrites may, or "".
std::string difference(const ExecutedModule &exact, const ExecutedModule &before, const ExecutedModule &after,
                       bool bitByBit) {
  if (before.results.size() != after.results.size())
    return "another number of results";
  for (size_t i = 0; i < before.results.size(); ++i) {
    const DenseTensor &was = before.results[i][0], &is = after.results[i][0];
    const std::string result = "result " + std::to_string(i);
    if (!compare(was, is).sameType || (bitByBit && !compare(was, is).exact()))
      return result + " differs";
    if (bitByBit)
      continue;
    Comparison input = compare(was, exact.results[i][0]), made = compare(is, exact.results[i][0]);
    if (errorGrowth(input, made) > kErrorGrowthOfRewrites)
      return result + " is less exact: its error is " + std::to_string(made.relativeRms) + ", was " +
             std::to_string(input.relativeRms) + "; " + std::to_string(made.notFinite) +
             " not finite, were " + std::to_string(input.notFinite);
  }
  return "";
}

Verdict check(const std::string &text, Way way) {
  QuietContext session;
  mlir::OwningOpRef<mlir::ModuleOp> module = session.parse(text);
  if (!module)
    return {{}, false, "does not parse"};
  std::vector<MeshTensor> arguments = randomArguments(*module);
  ExecutedModule before = execute(*module, arguments);
  if (!before.error.empty())
    return {{}, false, "as it came: " + before.error};
  ExecutedModule exact = execute(*module, arguments, Rounded::Nowhere);
  std::optional<std::vector<AppliedRewrite>> applied = change(*module, way);
  if (!applied)
    return {{}, false, "cannot be optimized"};
  Verdict verdict;
  bool bitByBit = true;
  for (const AppliedRewrite &rewrite : *applied) {
    verdict.made.push_back(rewrite.rewrite->name.str());
    bitByBit &= rewrite.rewrite->exactness == Exactness::Exact;
  }
  ExecutedModule after = execute(*module, arguments);
  verdict.refused = after.refused;
  if (!session.defect.empty())
    verdict.wrong = session.defect;
  else if (!after.refused)
    verdict.wrong = after.error.empty() ? difference(exact, before, after, bitByBit) : after.error;
  return verdict;
}

/// The smallest part of the program that is wrong as well.
std::string reduced(const std::string &text, Way way) {
  return reduceModule(text, [&](const std::string &smaller) {
    std::string wrong = check(smaller, way).wrong;
    return !wrong.empty() && !llvm::StringRef(wrong).starts_with("as it came");
  });
}

TEST(ExecutedRewrites, KeepValuesAndLeaveNearMisses) {
  const uint64_t first = fromEnvironment("TESSERA_SEED", 1), count = fromEnvironment("TESSERA_PROGRAMS", 300);
  std::map<std::string, std::pair<size_t, size_t>> hits; ///< rewritten, optimized
  std::map<std::string, size_t> missed;
  size_t refused = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    PatternProgram program = randomPattern(seed);
    for (Way way : {Way::Rewritten, Way::Optimized}) {
      Verdict verdict = check(program.text, way);
      refused += verdict.refused;
      for (const std::string &name : verdict.made)
        ++(way == Way::Rewritten ? hits[name].first : hits[name].second);
      const std::string told = "seed " + std::to_string(seed) +
                               (way == Way::Rewritten ? ", rewritten by " : ", optimized with ") +
                               llvm::join(verdict.made, ", ") + ": ";
      if (!verdict.wrong.empty())
        ADD_FAILURE() << told << verdict.wrong << "\n" << reduced(program.text, way);
      if (llvm::is_contained(verdict.made, program.nearMissOf))
        ADD_FAILURE() << told << "near miss " << program.off << " of " << program.nearMissOf.str()
                      << " is taken for it\n"
                      << program.text;
    }
    if (!program.nearMissOf.empty())
      ++missed[program.nearMissOf.str()];
  }
  llvm::outs() << count << " programs; the device would refuse " << refused << "\n"
               << "rewrite: made, made and planned with; near misses\n";
  for (const RewriteInfo &rewrite : rewrites()) {
    auto [rewritten, optimized] = hits[rewrite.name.str()];
    llvm::outs() << rewrite.name << ": " << rewritten << ", " << optimized << "; "
                 << missed[rewrite.name.str()] << "\n";
    EXPECT_GT(rewritten, 0u) << rewrite.name.str() << " is not made in any program";
  }
}

TEST(ExecutedRewrites, EachHasAWriter) {
  ASSERT_EQ(patternWriters().size(), rewrites().size());
  for (auto [writer, rewrite] : llvm::zip_equal(patternWriters(), rewrites()))
    EXPECT_EQ(writer.rewrite, rewrite.name);
}

} // namespace
