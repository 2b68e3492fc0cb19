//===- Rewriting.cpp - A module as it came, or with another graph ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Rewriting.h"

#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Dialect/TTCore/TTCore.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

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
                                                   const OpModelContext &context) {
  OpModelConsent consent(module, context);
  std::vector<AppliedRewrite> applied;
  module.walk([&](func::FuncOp function) {
    if (!isForwardDeviceFunction(function))
      return;
    nameOps(function);
    llvm::append_range(applied, applyRewrites(function, selection, std::ref(consent)));
  });
  dropUnusedConstants(module);
  return applied;
}

namespace {

/// Of an op that an override names the name, if the module as it came has it and the other has not; else "".
std::string lostTarget(ModuleOp came, ModuleOp other, const Overrides &overrides) {
  ScopedDiagnosticHandler silence(came.getContext(), [](Diagnostic &) { return success(); });
  auto targetsIn = [&](ModuleOp module) {
    SmallVector<func::FuncOp> functions;
    module.walk([&](func::FuncOp function) {
      if (isForwardDeviceFunction(function))
        functions.push_back(function);
    });
    return OverrideTargets::find(functions, overrides);
  };
  FailureOr<OverrideTargets> were = targetsIn(came), are = targetsIn(other);
  if (failed(were) || failed(are)) // of which the plan tells
    return "";
  std::vector<std::string> names;
  for (const OutputLayoutOverride &wanted : overrides.outputLayouts)
    names.push_back(wanted.op);
  for (const Conv2dOverride &wanted : overrides.conv2d)
    names.push_back(wanted.op);
  for (const ReshardOverride &wanted : overrides.reshards)
    names.push_back(wanted.op);
  auto lost = llvm::find_if(names, [&](const std::string &name) { return were->of(name) && !are->of(name); });
  return lost == names.end() ? "" : *lost;
}

/// A run of the planner, and what it had to say.
struct Trial {
  FailureOr<OptimizationResult> result = failure();
  std::vector<Diagnostic> said;

  Trial(ModuleOp module, llvm::function_ref<FailureOr<OptimizationResult>(ModuleOp)> plan) {
    ScopedDiagnosticHandler listener(module.getContext(), [this](Diagnostic &diagnostic) {
      said.push_back(std::move(diagnostic));
      return success();
    });
    result = plan(module);
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

} // namespace

FailureOr<OptimizationResult>
tessera::planWithRewrites(ModuleOp module, const OptimizerOptions &options, const OpModelContext &context,
                          llvm::function_ref<FailureOr<OptimizationResult>(ModuleOp)> plan) {
  OwningOpRef<ModuleOp> other = module.clone();
  RewrittenGraph graph;
  graph.applied = rewriteModule(*other, options.rewrites, context);
  auto isValid = [&] {
    ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) { return success(); });
    return succeeded(verify(*other));
  };
  if (graph.applied.empty() || !isValid())
    return plan(module);
  // What the user demands of an op is not traded for a faster graph.
  if (std::string lost = lostTarget(module, *other, options.overrides); !lost.empty()) {
    emitWarning(UnknownLoc::get(module.getContext()))
        << "no rewrite is made: '" << lost << "', which an override names, would be gone";
    return plan(module);
  }
  graph.before = textOf(module, options);
  graph.after = textOf(*other, options);
  Trial plain(module, plan), rewritten(*other, plan);
  MLIRContext *mlir = module.getContext();
  if (failed(plain.result) || failed(rewritten.result) || rewritten.score() >= plain.score()) {
    plain.repeat(mlir);
    return std::move(plain.result);
  }
  rewritten.repeat(mlir);
  for (const AppliedRewrite &applied : graph.applied)
    if (!applied.made.empty())
      emitRemark(UnknownLoc::get(mlir)) << "rewrite '" << applied.rewrite->name << "': '" << applied.made
                                        << "' stands for '" << applied.replaced << "'";
  // Gains are told against the program that came.
  for (auto [function, asItCame] : llvm::zip_equal(rewritten.result->functions, plain.result->functions)) {
    for (const AppliedRewrite &applied : graph.applied)
      if (applied.function == function.summary.function)
        ++function.summary.rewrites[applied.rewrite->name.str()];
    function.summary.before = asItCame.summary.before;
    function.summary.unknownBefore = asItCame.summary.unknownBefore;
  }
  module.getBodyRegion().takeBody(other->getBodyRegion());
  rewritten.result->graph = std::move(graph);
  return std::move(rewritten.result);
}
