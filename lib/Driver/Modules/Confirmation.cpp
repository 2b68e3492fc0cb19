//===- Confirmation.cpp - Plans that the vendor's library accepts ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Our op model answers for a library that it was measured against, and may
// accept what another version refuses. So the plan is asked step by step; ops
// that are refused are doubted, so that the next search asks the library about
// each form of them, and the module is planned again. That ends when nothing
// new is refused: each round adds a doubt, and there are no more of them than
// ops.
//
// What the input asks for itself is not asked: the program does that with any
// plan, so that a refusal says nothing about this one. Functions that prepare
// constants have no plan of steps; what rewrites and conversions of constants
// put into them is asked as it stands in the planned module.
//
//===----------------------------------------------------------------------===//
#include "Confirmation.h"

#include "../Common/Session.h"
#include "tessera/Bridge/OrderConstants.h"
#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/OpModel/MockOpModel.h"
#include "tessera/OpModel/Question.h"
#include "tessera/Optimizer/Plan/Cost.h"

#include "llvm/ADT/StringSet.h"

#include <set>

using namespace mlir;
using namespace tessera;

namespace {

/// More plans than any model has needed.
constexpr size_t kMostPlans = 20;

using Reasons = std::map<std::string, std::string>; ///< by question

/// The names of the ops that rewrites made in a function.
llvm::StringSet<> madeIn(StringRef function, const OptimizationResult &result) {
  llvm::StringSet<> made;
  if (result.graph)
    for (const AppliedRewrite &rewrite : result.graph->applied)
      if (rewrite.function == function)
        made.insert_range(rewrite.makes);
  return made;
}

/// Calls `ask` with each op in the layouts that the program states.
void forEachDeclared(const Problem &problem,
                     llvm::function_ref<void(const tessera::Op &, const OpQuery &)> ask) {
  for (auto [index, op] : llvm::enumerate(problem.ops)) {
    SmallVector<LayoutId> inputs;
    for (ValueId operand : op.operands)
      inputs.push_back(problem[operand].declared);
    if (llvm::all_of(inputs, std::mem_fn(&LayoutId::valid)))
      ask(op, {problem.signature(OpId(index)), inputs, op.declared});
  }
}

/// What the program asks of its ops by itself: of those that rewrites `made` it asks nothing, wherever they lie.
std::set<std::string> declaredQuestions(const Problem &problem, const llvm::StringSet<> &made,
                                        QuestionWriter &writer) {
  std::set<std::string> questions;
  forEachDeclared(problem, [&](const tessera::Op &op, const OpQuery &query) {
    if (!made.contains(op.location))
      questions.insert(writer.write(query));
  });
  return questions;
}

/// The same of the ops in those functions of a module that are `wanted`, as they stand.
void forEachDeclaredIn(ModuleOp module, const OptimizationResult &result, const Problem &like,
                       llvm::function_ref<bool(func::FuncOp)> wanted,
                       llvm::function_ref<void(const OpQuery &)> ask) {
  // Nothing is searched, so that the model need not be right.
  MockOpModel accepting({like.device, *result.layouts, like.l1Budget});
  AnalysisOptions options;
  options.maxLegalLayouts = 0;
  module.walk([&](func::FuncOp function) {
    // A problem is one list of ops, which a body of several blocks is not.
    if (function.isExternal() || !function.getBody().hasOneBlock() || !wanted(function))
      return;
    BuiltProblem built = rebuiltProblem(function, accepting, *result.signatures, options);
    forEachDeclared(built.problem, [&](const tessera::Op &, const OpQuery &query) { ask(query); });
  });
}

class Asking {
public:
  Asking(const OpModel &library, Confirmation &confirmation) : library(library), confirmation(confirmation) {}

  /// `made`: by rewrites, in the function.
  void ask(const OptimizedFunction &function, const llvm::StringSet<> &made) {
    const Problem &problem = function.built.problem;
    // By text and not by layout: numbers of layouts mean nothing to the library, whose answers are kept by text as
    // well.
    QuestionWriter writer(library.layouts());
    std::set<std::string> declared = declaredQuestions(problem, made, writer);
    for (const PlanStep &step : function.plan.steps) {
      StepQuestion asked(problem, function.plan, step);
      // A tensor that no layout places cannot be made, so there is nothing to ask.
      if (!llvm::all_of(asked.inputs(), std::mem_fn(&LayoutId::valid)))
        continue;
      std::string question = writer.write(asked.query());
      if (!declared.count(question))
        judge(std::move(question), asked.query());
    }
  }

  /// What functions that prepare constants have to do since the module was planned.
  void askPrepared(ModuleOp input, ModuleOp planned, const OptimizationResult &result, const Problem &like) {
    QuestionWriter writer(library.layouts());
    std::set<std::string> known;
    forEachDeclaredIn(
        input, result, like, [](func::FuncOp) { return true; },
        [&](const OpQuery &query) { known.insert(writer.write(query)); });
    forEachDeclaredIn(planned, result, like, isConstEval, [&](const OpQuery &query) {
      std::string question = writer.write(query);
      if (!known.count(question))
        judge(std::move(question), query);
    });
  }
  Reasons refused;

private:
  void judge(std::string question, const OpQuery &query) {
    ValidationResult answer = library.query(query);
    ++confirmation.ops;
    confirmation.accepted += !refusedByLibrary(answer);
    if (refusedByLibrary(answer))
      refused.emplace(std::move(question), answer.message);
  }

  const OpModel &library;
  Confirmation &confirmation;
};

/// What the library refuses of one plan, which made `planned` of `input`.
llvm::Expected<Reasons> refusedOf(const OptimizationResult &result, ModuleOp input, ModuleOp planned,
                                  const OptimizerOptions &options, const std::string &version,
                                  Confirmation &confirmation) {
  // What is told is of the last plan, the one that is written.
  confirmation.ops = confirmation.accepted = 0;
  Reasons refused;
  for (const OptimizedFunction &function : result.functions) {
    const Problem &problem = function.built.problem;
    // By the op model of --op-model ttnn, whose answers are kept: what the next plan has in common with this one is not
    // asked again.
    OpModelOptions asked{"ttnn:" + version, options.opModel.backendVersion};
    auto backend = OpModelBackend::create(asked, {problem.device, *result.layouts, problem.l1Budget});
    if (!backend)
      return backend.takeError();
    Asking asking(backend->model(), confirmation);
    asking.ask(function, madeIn(problem.function, result));
    // Once for the module, which has one device.
    if (&function == &result.functions.front())
      asking.askPrepared(input, planned, result, problem);
    confirmation.library = backend->model().name().str();
    refused.merge(asking.refused);
    if (llvm::Error error = backend->finish())
      return std::move(error);
  }
  return refused;
}

} // namespace

FailureOr<OptimizationResult> tessera::optimizeConfirmed(OwningOpRef<ModuleOp> &module,
                                                         OptimizerOptions options, const std::string &version,
                                                         Confirmation &confirmation) {
  for (;;) {
    // optimize() changes the module, and each plan begins with the input.
    OwningOpRef<ModuleOp> trial = module->clone();
    FailureOr<OptimizationResult> result = optimize(*trial, options);
    if (failed(result))
      return failure();
    ++confirmation.plans;
    llvm::Expected<Reasons> refused = refusedOf(*result, *module, *trial, options, version, confirmation);
    if (!refused)
      return emitError(UnknownLoc::get(module->getContext())) << llvm::toString(refused.takeError());
    size_t known = options.opModel.doubted.size();
    options.opModel.doubtedVersion = version;
    // The op and not only this form of it: the next plan would try the form beside it, and so on through all of them.
    for (const auto &[question, message] : *refused)
      options.opModel.doubted.insert(signatureText(question).str());
    // What is refused although the optimizer knew has no other form.
    if (options.opModel.doubted.size() == known || confirmation.plans == kMostPlans) {
      for (auto &[question, message] : *refused)
        confirmation.refused.push_back(message);
      // The last plan stands, even with refusals left: they are told, and who asked for the confirmation decides.
      module = std::move(trial);
      return result;
    }
  }
}

llvm::json::Value tessera::toJson(const Confirmation &confirmation) {
  return llvm::json::Object{{"library", confirmation.library},
                            {"ops", int64_t(confirmation.ops)},
                            {"accepted", int64_t(confirmation.accepted)},
                            {"plans", int64_t(confirmation.plans)},
                            {"refused", llvm::json::Array(confirmation.refused)}};
}
