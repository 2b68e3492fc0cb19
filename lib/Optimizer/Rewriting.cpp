//===- Rewriting.cpp - A module as it came, or with another graph ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Rewriting.h"

#include "RewrittenParts.h"
#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Dialect/TTCore/TTCore.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

namespace {

/// What the built-in op model says of ops that are not in the program. Whoever else answers for the plan is asked about the plan:
/// a record or a library that does not know an op would else decide about graphs that it never saw.
class OpModelConsent {
public:
  OpModelConsent(ModuleOp module, const OpModelContext &asked)
      : context(module.getContext()),
        model(createAnalyticOpModel({asked.device, layouts, asked.l1Budget, asked.version, asked.calibration,
                                     asked.l1Alone, asked.l1Held})) {}

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
    if (failed(verify(*module)))
      return false;
    BuiltProblem built =
        rebuiltProblem(function, model, signatures, {.conv2d = {}, .numerics = Numerics::Keep});
    return llvm::all_of(built.problem.ops,
                        [](const tessera::Op &asked) { return asked.role != OpRole::Fixed; });
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
    if (!op->getLoc()->findInstanceOf<NameLoc>())
      op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc()));
}

/// Const-eval functions that nothing loads any more.
void dropUnusedConstants(ModuleOp module) {
  SmallVector<func::FuncOp> unused;
  module.walk([&](func::FuncOp function) {
    auto kind = function->getAttrOfType<StringAttr>("tt.function_type");
    if (kind && kind.getValue() == "const_eval" &&
        SymbolTable::symbolKnownUseEmpty(function, function->getParentOp()))
      unused.push_back(function);
  });
  for (func::FuncOp function : unused)
    function.erase();
}

} // namespace

std::vector<AppliedRewrite> tessera::rewriteModule(ModuleOp module, const RewriteSelection &selection,
                                                   const OpModelContext &context, const KeptOps &kept) {
  OpModelConsent consent(module, context);
  std::vector<AppliedRewrite> applied;
  module.walk([&](func::FuncOp function) {
    if (!isForwardDeviceFunction(function))
      return;
    nameOps(function);
    auto keptHere = kept.find(function.getSymName().str());
    llvm::append_range(applied,
                       applyRewrites(function, selection, std::ref(consent),
                                     keptHere == kept.end() ? llvm::StringSet<>() : keptHere->second));
  });
  dropUnusedConstants(module);
  return applied;
}

namespace {

/// Adds the ops that overrides name, in whatever function: what the user demands of an op is not traded for a faster graph.
void keepOverridden(ModuleOp module, const Overrides &overrides, KeptOps &kept) {
  module.walk([&](func::FuncOp function) {
    llvm::StringSet<> &names = kept[function.getSymName().str()];
    for (const OutputLayoutOverride &wanted : overrides.outputLayouts)
      names.insert(wanted.op);
    for (const Conv2dOverride &wanted : overrides.conv2d)
      names.insert(wanted.op);
    for (const ReshardOverride &wanted : overrides.reshards)
      names.insert(wanted.op);
  });
}

/// A run of the planner, and what it had to say.
struct Trial {
  FailureOr<OptimizationResult> result = failure();
  std::vector<Diagnostic> said;

  Trial(ModuleOp module, PlanFunction plan, ProgressPart part) {
    ScopedDiagnosticHandler listener(module.getContext(), [this](Diagnostic &diagnostic) {
      said.push_back(std::move(diagnostic));
      return success();
    });
    result = plan(module, part);
  }

  void repeat(MLIRContext *context) {
    for (Diagnostic &diagnostic : said)
      context->getDiagEngine().emit(std::move(diagnostic));
  }

  /// Ops whose time nobody knows, plans that do not fit, and time: the less the better.
  std::tuple<size_t, size_t, Nanoseconds> score() const {
    std::tuple<size_t, size_t, Nanoseconds> sum;
    for (const OptimizedFunction &function : result->functions) {
      std::get<0>(sum) += unknownTimes(function.summary);
      std::get<1>(sum) += !function.summary.fits;
      std::get<2>(sum) += function.summary.after;
    }
    return sum;
  }
};

std::string textOf(ModuleOp module, const OptimizerOptions &options) {
  if (options.print)
    return options.print(module);
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
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
  other.graph.applied = rewriteModule(*other.module, options.rewrites, context, kept);
  ScopedDiagnosticHandler silence(came.getContext(), [](Diagnostic &) { return success(); });
  if (other.graph.applied.empty() || failed(verify(*other.module)))
    return std::nullopt;
  other.graph.kept = std::move(kept);
  other.graph.before = textOf(came, options);
  other.graph.after = textOf(*other.module, options);
  return other;
}

/// Planning took all runs, whichever stands.
void addPlanningTime(OptimizationResult &result, const OptimizationResult &other) {
  for (auto [function, planned] : llvm::zip_equal(result.functions, other.functions))
    function.summary.planningSeconds += planned.summary.planningSeconds;
}

/// Tells of the rewrites that stand: remarks, counts, and what the decisions have of them. Gains are told against the program that came.
void tell(const RewrittenGraph &graph, ArrayRef<RewrittenPart> parts, const OptimizationResult &came,
          OptimizationResult &result, MLIRContext *context) {
  for (const AppliedRewrite &applied : graph.applied)
    if (!applied.made.empty())
      emitRemark(UnknownLoc::get(context)) << "rewrite '" << applied.rewrite->name << "': '" << applied.made
                                           << "' stands for '" << applied.replaced << "'";
  for (auto [function, asItCame] : llvm::zip_equal(result.functions, came.functions)) {
    for (const AppliedRewrite &applied : graph.applied)
      if (applied.function == function.summary.function)
        ++function.summary.rewrites[applied.rewrite->name.str()];
    function.summary.before = asItCame.summary.before;
    function.summary.unknownBefore = asItCame.summary.unknownBefore;
    if (!function.decisions)
      continue;
    function.decisions->rewrites = factsOf(parts, *function.decisions);
    function.decisions->before = asItCame.decisions->before;
  }
}

} // namespace

/// What a rewrite put there was declared by nobody, so it does not count as repaired.
static void forgetOwnRepairs(OptimizationResult &planned, const RewrittenGraph &graph) {
  llvm::StringSet<> own;
  for (const AppliedRewrite &rewrite : graph.applied)
    for (const std::string &made : rewrite.makes)
      own.insert(rewrite.function + "/" + made);
  for (OptimizedFunction &function : planned.functions)
    for (OpId id : function.built.binding.repaired) {
      const tessera::Op &op = function.built.problem[id];
      auto count = function.summary.repaired.find(op.name);
      if (own.contains(function.summary.function + "/" + op.location) &&
          count != function.summary.repaired.end() && --count->second == 0)
        function.summary.repaired.erase(count);
    }
}

/// The parts of the work that the graphs are. The third is not always planned.
static constexpr ProgressPart kGraphs[] = {{0, 0.4}, {0.4, 0.8}, {0.8, 1}};

// Three runs at most. Trying each rewrite by itself would be a run per rewrite, and tell no more of most: what a part takes can be read from
// the two plans. Which of these is the better is asked of whole plans alone.
FailureOr<OptimizationResult> tessera::planWithRewrites(ModuleOp module, const OptimizerOptions &options,
                                                        const OpModelContext &context, PlanFunction plan) {
  std::optional<OtherGraph> other = rewritten(module, options, context, {});
  if (!other)
    return plan(module, {});
  OwningOpRef<ModuleOp> came = module.clone(); // since a plan is written into its module
  Trial plain(module, plan, kGraphs[0]), all(*other->module, plan, kGraphs[1]);
  MLIRContext *mlir = module.getContext();
  if (failed(plain.result) || failed(all.result)) {
    plain.repeat(mlir);
    return std::move(plain.result);
  }
  std::vector<RewrittenPart> parts = rewrittenParts(other->graph.applied, *plain.result, *all.result);
  Trial *best = &all;
  // Ops are numbered otherwise in a third graph, and overrides may name ops of the second.
  KeptOps losing =
      options.overrides.empty() ? opsOfLosingParts(parts, std::get<Nanoseconds>(all.score())) : KeptOps();
  std::optional<OtherGraph> fewer =
      losing.empty() ? std::nullopt : rewritten(*came, options, context, losing);
  std::optional<Trial> some;
  if (fewer)
    some.emplace(*fewer->module, plan, kGraphs[2]);
  Trial *second = some && succeeded(some->result) ? &*some : nullptr;
  if (second && second->score() < all.score()) {
    best = second;
    second = &all;
    other = std::move(fewer);
    parts = rewrittenParts(other->graph.applied, *plain.result, *best->result);
  }
  if (second)
    addPlanningTime(*best->result, *second->result);
  if (best->score() >= plain.score()) {
    addPlanningTime(*plain.result, *best->result);
    plain.repeat(mlir);
    return std::move(plain.result);
  }
  addPlanningTime(*best->result, *plain.result);
  best->repeat(mlir);
  forgetOwnRepairs(*best->result, other->graph);
  tell(other->graph, parts, *plain.result, *best->result, mlir);
  module.getBodyRegion().takeBody(other->module->getBodyRegion());
  best->result->graph = std::move(other->graph);
  return std::move(best->result);
}

FailureOr<OptimizationResult> tessera::planRewritten(ModuleOp module, const OptimizerOptions &options,
                                                     const OpModelContext &context, const KeptOps &kept,
                                                     PlanFunction plan) {
  std::optional<OtherGraph> other = rewritten(module, options, context, kept);
  if (!other)
    return module.emitError() << "no rewrite is made of the graph that was planned";
  module.getBodyRegion().takeBody(other->module->getBodyRegion());
  return plan(module, {});
}
