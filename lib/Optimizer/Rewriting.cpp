//===- Rewriting.cpp - A module as it came, or with another graph ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A module has one of two graphs, the one that it came with or one with rewrites;
// a third is tried without the rewrites that lost. They are planned on copies
// (Trial), whose diagnostics are held back: the user hears those of the graph
// that stands, and of no other.
//
//===----------------------------------------------------------------------===//
#include "Rewriting.h"

#include "RewrittenParts.h"
#include "tessera/Bridge/FitToDevice.h"
#include "tessera/Bridge/Loops.h"
#include "tessera/Bridge/OrderConstants.h"
#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Dialect/TTCore/TTCore.h"
#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/Optimizer/Problem/Base.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <chrono>
#include <cmath>

using namespace mlir;
using namespace tessera;

namespace {

/// What the built-in op model says of ops that are not in the program. Whoever else answers for the plan is asked about the plan:
/// a record or a library that does not know an op would else decide about graphs that it never saw.
class OpModelConsent {
public:
  OpModelConsent(ModuleOp module, const OpModelContext &asked)
      : context(module.getContext()), model(createAnalyticOpModel(inPool(asked, layouts))) {}

  bool operator()(Operation *op) {
    // Layers repeat, and the answer is that of the types.
    std::vector<const void *> key{op->getName().getAsOpaquePointer(),
                                  op->getPropertiesAsAttribute().getAsOpaquePointer()};
    for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                              SmallVector<Type>(op->getResultTypes())))
      key.push_back(type.getAsOpaquePointer());
    auto [entry, isNew] = answers.try_emplace(std::move(key), false);
    if (isNew)
      entry->second = ask(op);
    return entry->second;
  }

private:
  /// A function of the op alone: its problem finds the layouts in which it is legal, if there are any.
  bool ask(Operation *op) {
    ScopedDiagnosticHandler silence(context, [](Diagnostic &) { return success(); });
    // A module of its own, so that neither diagnostics nor layouts of it are seen in the one that is planned.
    OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    auto function = func::FuncOp::create(
        builder, op->getLoc(), "asked", builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    IRMapping arguments;
    for (auto [operand, argument] : llvm::zip_equal(op->getOperands(), body->getArguments()))
      arguments.map(operand, argument);
    Operation *copy = builder.clone(*op, arguments);
    func::ReturnOp::create(builder, op->getLoc(), copy->getResults());
    // A rewrite may propose what is no op for these types, and is told so like by a rule.
    if (failed(verify(*module)))
      return false;
    BuiltProblem built =
        rebuiltProblem(function, model, signatures, {.conv2d = {}, .numerics = Numerics::Keep});
    auto mayRun = [&](size_t i) {
      // Where types are tied to each other nothing is decided, and the op runs as it is declared or not at all.
      return built.problem.ops[i].role != OpRole::Fixed ||
             (copy->hasTrait<ttnn::OpTrait::TypesAreTied>() &&
              !isUnjudged(declaredAnswer(built.problem, OpId(i), model)));
    };
    return llvm::all_of(llvm::seq(built.problem.ops.size()), mayRun);
  }

  MLIRContext *context;
  LayoutPool layouts;
  SignaturePool signatures;
  OpCostTable model;
  std::map<std::vector<const void *>, bool> answers; ///< only looked up
};

/// Every op gets its name as a location, so that ops that come and go do not number the others anew.
void nameOps(func::FuncOp function) {
  for (auto &[op, name] : namedOps(function))
    if (auto named = op->getLoc()->findInstanceOf<NameLoc>(); !named || named.getName().empty())
      op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc()));
}

/// Const-eval functions that nothing loads any more.
void dropUnusedConstants(ModuleOp module) {
  llvm::MapVector<Operation *, SmallVector<func::FuncOp>> byTable;
  module.walk([&](func::FuncOp function) {
    if (isConstEval(function))
      byTable[function->getParentOp()].push_back(function);
  });
  for (auto &[table, functions] : byTable)
    eraseUnused(functions);
}

} // namespace

SmallVector<func::FuncOp> tessera::deviceFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) {
    if (isForwardDeviceFunction(function))
      functions.push_back(function);
  });
  return functions;
}

std::vector<AppliedRewrite> tessera::rewriteModule(ModuleOp module, const RewriteSelection &selection,
                                                   const OpModelContext &context, const KeptOps &kept) {
  OpModelConsent consent(module, context);
  std::vector<AppliedRewrite> applied;
  module.walk([&](func::FuncOp function) {
    if (!isForwardDeviceFunction(function))
      return;
    // Before any op goes, since a name without a location is a number in the order of ops.
    nameOps(function);
    auto keptHere = kept.find(function.getSymName().str());
    const bool isCalled = !SymbolTable::symbolKnownUseEmpty(function, module) || isLoopBody(function);
    std::vector<AppliedRewrite> here =
        applyRewrites(function, selection, std::ref(consent),
                      keptHere == kept.end() ? llvm::StringSet<>() : keptHere->second, isCalled);
    // What the program asks for by itself stays.
    if (llvm::any_of(here, [](const AppliedRewrite &made) { return made.rewrite->name == "attention"; }))
      stateExactExponentials(function, context.device);
    llvm::append_range(applied, std::move(here));
  });
  dropUnusedConstants(module);
  return applied;
}

namespace {

/// Adds the ops that overrides name, in whatever function: what the user demands of an op is not traded for a faster graph.
void keepOverridden(ModuleOp module, const Overrides &overrides, KeptOps &kept) {
  module.walk([&](func::FuncOp function) {
    llvm::StringSet<> &names = kept[function.getSymName().str()];
    for (const OutputLayoutOverride &wanted : overrides.outputLayouts) {
      names.insert(wanted.op);
      names.insert(StringRef(wanted.op).rsplit('#').first); // "heads#1" is a result of "heads"
    }
    for (const Conv2dOverride &wanted : overrides.conv2d)
      names.insert(wanted.op);
    for (const ReshardOverride &wanted : overrides.reshards)
      names.insert(wanted.op);
  });
}

/// Ops whose time nobody knows, plans that do not fit, and time: the less the better.
using Score = std::tuple<size_t, size_t, Nanoseconds>;

/// What is told of the program that came, whatever graph stands.
struct InputFacts {
  Nanoseconds time;
  size_t unknown = 0;
  std::map<std::string, size_t> repaired;
  std::optional<decisions::Totals> totals;
};

/// A run of the planner on a copy of a module, and what it had to say.
struct Trial {
  OwningOpRef<ModuleOp> module;
  FailureOr<OptimizationResult> result = failure();
  std::vector<Diagnostic> said;
  Score score;

  /// Diagnostics are held back: only those of the run that stands are heard.
  Trial(ModuleOp given, Planner plan, ProgressPart part) : module(given.clone()) {
    ScopedDiagnosticHandler listener(given.getContext(), [this](Diagnostic &diagnostic) {
      said.push_back(std::move(diagnostic));
      return success();
    });
    result = plan(*module, part);
    if (failed(result))
      return;
    for (const OptimizedFunction &function : result->functions) {
      // Of all functions together, since they have one graph or the other.
      std::get<0>(score) += unknownTimes(function.summary);
      std::get<1>(score) += !function.summary.fits;
      std::get<2>(score) += function.summary.after;
    }
  }

  std::vector<InputFacts> inputFacts() const {
    std::vector<InputFacts> facts;
    for (const OptimizedFunction &function : result->functions)
      facts.push_back({function.summary.before, function.summary.unknownBefore, function.summary.repaired,
                       function.input});
    return facts;
  }

  /// Its module becomes `given`, and what was said is said.
  FailureOr<OptimizationResult> stand(ModuleOp given) {
    given.getBodyRegion().takeBody(module->getBodyRegion());
    for (Diagnostic &diagnostic : said)
      given.getContext()->getDiagEngine().emit(std::move(diagnostic));
    return std::move(result);
  }
};

/// Whether the plans may rank two graphs the other way round than the trials: these differ by less than a twentieth, and what plans gain
/// beyond first attempts differs by less from graph to graph.
bool areClose(const Score &a, const Score &b) {
  constexpr double share = 0.05;
  auto [unknownA, unfitA, timeA] = a;
  auto [unknownB, unfitB, timeB] = b;
  return unknownA == unknownB && unfitA == unfitB &&
         std::abs(timeA.value() - timeB.value()) < share * timeB.value();
}

/// `alone`: without names for what it shares with the modules around it, which other threads may be changing.
std::string textOf(ModuleOp module, const OptimizerOptions &options, bool alone) {
  if (options.print)
    return options.print(module);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().useLocalScope(alone));
  return text;
}

/// The module with another graph.
struct OtherGraph {
  OwningOpRef<ModuleOp> module;
  RewrittenGraph graph;
};

/// nullopt if no rewrite is made, or if what they made is no module.
std::optional<OtherGraph> rewritten(ModuleOp came, const OptimizerOptions &options,
                                    const OpModelContext &context, KeptOps kept) {
  OtherGraph other{came.clone(), {}};
  keepOverridden(came, options.overrides, kept);
  giveLastingNames(deviceFunctions(*other.module), options.overrides);
  other.graph.applied = rewriteModule(*other.module, options.rewrites, context, kept);
  ScopedDiagnosticHandler silence(came.getContext(), [](Diagnostic &) { return success(); });
  if (other.graph.applied.empty() || failed(verify(*other.module)))
    return std::nullopt;
  other.graph.kept = std::move(kept);
  const bool alone = came->getParentOp(); // both alike, since they are compared
  other.graph.before = textOf(came, options, alone);
  other.graph.after = textOf(*other.module, options, alone);
  return other;
}

/// Tells of the rewrites that stand: remarks, counts, and what the decisions have of them. Gains are told against the program that came.
void tell(const RewrittenGraph &graph, ArrayRef<RewrittenPart> parts, ArrayRef<InputFacts> came,
          OptimizationResult &result) {
  for (const AppliedRewrite &applied : graph.applied)
    if (!applied.made.empty())
      emitRemark(applied.place) << "rewrite '" << applied.rewrite->name << "': '" << applied.made
                                << "' stands for '" << applied.replaced << "'";
  for (auto [function, asItCame] : llvm::zip_equal(result.functions, came)) {
    for (const AppliedRewrite &applied : graph.applied)
      if (applied.function == function.summary.function)
        ++function.summary.rewrites[applied.rewrite->name.str()];
    function.summary.before = asItCame.time;
    function.summary.unknownBefore = asItCame.unknown;
    function.summary.repaired =
        asItCame.repaired; // what rewrites put there, and move, was declared by nobody
    if (!function.decisions)
      continue;
    function.decisions->rewrites = factsOf(parts, *function.decisions);
    function.decisions->before = *asItCame.totals;
    decisions::toWholeNanoseconds(*function.decisions);
  }
}

class GraphChoice {
public:
  GraphChoice(ModuleOp module, const OptimizerOptions &options, const OpModelContext &context,
              const Planners &planners)
      : module(module), options(options), context(context), planners(planners),
        begin(std::chrono::steady_clock::now()) {}

  FailureOr<OptimizationResult> run() {
    std::optional<OtherGraph> all = rewritten(module, options, context, {});
    return all ? timed(choose(std::move(*all))) : planners.plan(module, {});
  }

private:
  /// The share of trials in all of the work, which they do first.
  double trialShare() const { return planners.trialIsPlan ? 1 : 0.4; }
  ProgressPart ofTrials(double begin, double end) const { return {begin * trialShare(), end * trialShare()}; }

  // Three trials at most. Trying each rewrite by itself would be a run per rewrite, and tell no more of most: what a part takes can be
  // read from the two plans. Which of these is the better is asked of whole plans alone.
  FailureOr<OptimizationResult> choose(OtherGraph other) {
    std::optional<Trial> came(std::in_place, module, planners.trial, ofTrials(0, 0.4));
    std::optional<Trial> best(std::in_place, *other.module, planners.trial, ofTrials(0.4, 0.8));
    // Whatever failed is said when the module is planned as it came.
    if (failed(came->result) || failed(best->result))
      return planners.plan(module, {trialShare(), 1});
    std::vector<RewrittenPart> parts = rewrittenParts(other.graph.applied, *came->result, *best->result);
    // Ops are numbered otherwise in a third graph, and overrides may name ops of the second.
    KeptOps losing =
        options.overrides.empty() ? opsOfLosingParts(parts, std::get<Nanoseconds>(best->score)) : KeptOps();
    if (std::optional<OtherGraph> fewer =
            losing.empty() ? std::nullopt : rewritten(module, options, context, std::move(losing))) {
      Trial some(*fewer->module, planners.trial, ofTrials(0.8, 1));
      if (succeeded(some.result) && some.score < best->score) {
        best.emplace(std::move(some));
        other = std::move(*fewer);
        parts = rewrittenParts(other.graph.applied, *came->result, *best->result);
      }
    }
    input = came->inputFacts();
    if (!planners.trialIsPlan) {
      Score without = came->score, with = best->score;
      came.reset(); // plans of long programs take room
      best.reset();
      return planChosen(std::move(other), parts, without, with);
    }
    // Of equals the program's own graph, which nobody has to explain.
    if (best->score >= came->score)
      return came->stand(module);
    return stand(std::move(other), parts, *best);
  }

  /// The trials were first attempts. Where they leave no doubt the graph that won is planned, else both.
  FailureOr<OptimizationResult> planChosen(OtherGraph other, ArrayRef<RewrittenPart> parts,
                                           const Score &without, const Score &with) {
    // Of 32 graphs that were faster in a trial by less than a twentieth none was slower as a plan (docs/rewrites.md); what was not
    // faster has a second chance.
    bool lost = with >= without, close = lost && areClose(with, without);
    if (lost && !close)
      return planners.plan(module, {trialShare(), 1});
    double half = close ? (1 + trialShare()) / 2 : 1; // of two plans each takes half of what is left
    Trial changed(*other.module, planners.plan, {trialShare(), half});
    if (failed(changed.result))
      return planners.plan(module, {half, 1});
    if (close) {
      Trial plain(module, planners.plan, {half, 1});
      if (failed(plain.result) || changed.score >= plain.score)
        return plain.stand(module);
    }
    return stand(std::move(other), parts, changed);
  }

  FailureOr<OptimizationResult> stand(OtherGraph other, ArrayRef<RewrittenPart> tried, Trial &trial) {
    FailureOr<OptimizationResult> result = trial.stand(module);
    // What came was tried at least; what stands is planned, and parts are to add up with its steps.
    std::vector<RewrittenPart> parts = rewrittenParts(other.graph.applied, *result, *result);
    for (auto [part, its] : llvm::zip_equal(parts, tried))
      part.before = its.before;
    tell(other.graph, parts, input, *result);
    result->graph = std::move(other.graph);
    return result;
  }

  /// Planning took all runs, whichever stands. Of functions each counts by its share in the last.
  FailureOr<OptimizationResult> timed(FailureOr<OptimizationResult> result) const {
    if (failed(result))
      return result;
    double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), last = 0;
    for (const OptimizedFunction &function : result->functions)
      last += function.summary.planningSeconds;
    for (OptimizedFunction &function : result->functions)
      function.summary.planningSeconds *= last > 0 ? all / last : 1;
    return result;
  }

  ModuleOp module;
  const OptimizerOptions &options;
  const OpModelContext &context;
  const Planners &planners;
  std::chrono::steady_clock::time_point begin;
  std::vector<InputFacts> input;
};

} // namespace

FailureOr<OptimizationResult> tessera::planWithRewrites(ModuleOp module, const OptimizerOptions &options,
                                                        const OpModelContext &context,
                                                        const Planners &planners) {
  return GraphChoice(module, options, context, planners).run();
}

FailureOr<OptimizationResult> tessera::planRewritten(ModuleOp module, const OptimizerOptions &options,
                                                     const OpModelContext &context, const KeptOps &kept,
                                                     Planner plan) {
  std::optional<OtherGraph> other = rewritten(module, options, context, kept);
  if (!other)
    return module.emitError()
           << "the certificate's plan is of a rewritten graph, and no rewrite is made of this module: it is "
              "not the one that 'tessera optimize' read";
  module.getBodyRegion().takeBody(other->module->getBodyRegion());
  return plan(module, {});
}
