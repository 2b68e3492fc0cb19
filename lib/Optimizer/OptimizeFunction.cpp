//===- OptimizeFunction.cpp - The whole way through, for one function -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// In this order, each step by a function of its own:
//   1  posed        the problem, with constants in their layouts and the overrides
//   2  fitOrRaise   the base plan, which all else falls back to; a cap that it cannot
//                   keep is raised, with a warning
//   3  decide       the policies and their contest (Decide.h)
//   4  write        the plan into the function, which stays as it came if the result
//                   does not verify
//   5  addReports   what was asked for beside the plan
// With a certificate, its plan is checked behind step 2, and nothing is decided.
//
//===----------------------------------------------------------------------===//
#include "OptimizeFunction.h"

#include "Decide.h"
#include "tessera/Bridge/CacheConstants.h"
#include "tessera/Bridge/PlanToIR.h"
#include "tessera/Lowering/Conversions.h"
#include "tessera/Optimizer/Decisions/Collect.h"
#include "tessera/Optimizer/Plan/ConversionEffects.h"
#include "tessera/Optimizer/Plan/PlanText.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"
#include "tessera/Optimizer/Policy/PlanBound.h"
#include "tessera/Optimizer/Problem/Base.h"

#include "mlir/IR/Verifier.h"

#include <chrono>

using namespace mlir;
using namespace tessera;

namespace {

std::vector<NumericsCount> countStated(const BuiltProblem &built) {
  std::vector<NumericsCount> counts;
  for (auto [op, stated] : llvm::zip_equal(built.problem.ops, built.binding.numerics))
    if (stated)
      addCount(counts, {llvm::StringRef(op.name).split('.').second.str(), stated->config, 1});
  return counts;
}

/// The function if there is no op.
Operation *placeOf(const BuiltProblem &built, OpId op) {
  return op.valid() ? built.binding.ops[op.index()] : func::FuncOp(built.binding.function).getOperation();
}

/// The op that a step runs or converts for.
Operation *placeOf(const BuiltProblem &built, const Plan &plan, std::optional<StepIndex> step) {
  return placeOf(built, step && *step < plan.end() ? plan[*step].op : OpId());
}

/// The program as it came.
struct InputProgram {
  bool legal = false;
  Nanoseconds time;
  size_t unknown = 0; ///< ops whose time nobody knows
  /// Where it does not fit into L1, and why; nothing if it does.
  std::optional<std::pair<Location, std::string>> tight;
};

/// The ops that the model refuses as declared, or does not know.
size_t countUnknown(const Problem &problem, const OpCostTable &model) {
  size_t unknown = 0;
  for (size_t i = 0; i < problem.ops.size(); ++i)
    unknown += mayUseCircularBuffers(problem, OpId(i)) && hasNoTime(declaredAnswer(problem, OpId(i), model));
  return unknown;
}

InputProgram checkInput(const BuiltProblem &built, const OpCostTable &model,
                        const OptimizerOptions &options) {
  TimingScope timing = timed(options, "fit");
  // Priced as it would run, not as it will.
  Problem problem = asDeclared(built);
  Plan plan = declaredPlan(problem);
  PlanCheck check = checkPlan(problem, plan, model);
  InputProgram input{check.ok(), planCost(problem, plan, model).total(), countUnknown(problem, model),
                     std::nullopt};
  auto tight = llvm::find_if(check.violations,
                             [](const PlanViolation &violation) { return violation.rule == kL1Capacity; });
  if (tight != check.violations.end())
    input.tight.emplace(placeOf(built, plan, tight->step)->getLoc(), tight->message);
  return input;
}

CheckedPlan fitted(Problem &problem, const OpCostTable &model, const OptimizerOptions &options) {
  TimingScope timing = timed(options, "fit");
  return fitBase(problem, model);
}

/// The violation of the base plan that the least L1 mends; nullptr if more than `budget` would not mend it, or no program has
/// that much. What needs more may then run alone (fitsAlone).
const PlanViolation *leastShort(const CheckedPlan &base, Bytes budget, const OpModelContext &context) {
  auto isOther = [](const PlanViolation &v) { return v.rule != kL1Capacity || !v.step; };
  // More L1 does not make legal what breaks another rule.
  if (llvm::any_of(base.check.violations, isOther))
    return nullptr;
  auto needs = [&](const PlanViolation &v) { return base.check.l1.total(*v.step); };
  auto least =
      llvm::min_element(base.check.violations, [&](auto &a, auto &b) { return needs(a) < needs(b); });
  return needs(*least) > budget && needs(*least) <= context.l1Alone ? &*least : nullptr;
}

/// No plan is legal, for not even the one that every policy falls back to is.
LogicalResult reportNoPlan(const BuiltProblem &built, const CheckedPlan &base) {
  const PlanViolation &violation = base.check.violations.front();
  return placeOf(built, base.plan, violation.step)->emitError()
         << "'" << built.problem.function << "' "
         << (violation.rule == kL1Capacity ? "does not fit into L1, even with all that may move in DRAM: "
                                           : "has no legal plan: ")
         << violation.message;
}

/// Writes the plan into the function. Returns false, with the function as it was and a warning that says why, if
/// the result does not verify: the op model and the dialect's verifiers then disagree.
bool applyOrRestore(const BuiltProblem &built, const Plan &plan) {
  func::FuncOp function = built.binding.function;
  // Writing a plan is not undone op by op: the clone is the function as it came.
  OwningOpRef<func::FuncOp> original = function.clone();
  applyPlan(built, plan);
  std::string reason;
  {
    ScopedDiagnosticHandler handler(function.getContext(), [&](Diagnostic &diagnostic) {
      // The first diagnostic is the cause; the rest follows from it.
      if (reason.empty())
        reason = diagnostic.str();
      return success();
    });
    if (succeeded(verify(function)) && succeeded(verifyConversions(function)))
      return true;
  }
  function.getBody().takeBody(original->getBody());
  function.setType(original->getFunctionType());
  function.emitWarning() << "the plan of policy '" << plan.policy << "' does not verify; '"
                         << built.problem.function << "' stays as it is: " << reason;
  return false;
}

/// The function's problem with the user's decisions in it. Fails, after a diagnostic, if an op cannot follow them.
/// `input` describes the program before them, and before constants have their layouts.
FailureOr<BuiltProblem> posed(func::FuncOp function, const PolicyInfo &policy, const OpCostTable &model,
                              SignaturePool &signatures, const OptimizerOptions &options,
                              OverrideTargets &targets, InputProgram &input) {
  TimingScope timing = timed(options, "problem");
  BuiltProblem built = buildProblem(function, model, signatures, options.analysis);
  timing.stop();
  input = checkInput(built, model, options);
  if (!policy.keepsProgram && !options.keepConstants) {
    timing = timed(options, "constants");
    // A cap changes what stays in L1, and not how much faster an op reads other pages.
    OpCostTable uncapped = model.withBudget(model.context().l1Alone);
    std::vector<ConstantInLayout> cached = chooseConstantLayouts(built.problem, uncapped);
    // A load that an override names stays, as all ops do that overrides name.
    llvm::erase_if(cached, [&](const ConstantInLayout &choice) {
      OpId load = built.problem[choice.constant].producer;
      return load.valid() && targets.contains(built.binding.ops[load.index()]);
    });
    if (!cached.empty()) {
      cacheConstants(built, cached);
      // The const-eval functions are part of the program from here on, so candidates are looked for in the new
      // one.
      built = rebuiltProblem(function, model, signatures, options.analysis);
    }
  }
  if (options.overrides.empty())
    return built;
  timing = timed(options, "problem");
  if (failed(applyOverrides(built, model, signatures, options.analysis, options.overrides, targets)))
    return failure();
  return built;
}

/// Where ops stand. A plan that is written takes ops of the program out, and one that does not verify all of them: what is said afterwards
/// asks here.
class OpPlaces {
public:
  explicit OpPlaces(const BuiltProblem &built) : function(func::FuncOp(built.binding.function).getLoc()) {
    for (Operation *op : built.binding.ops)
      ops.push_back(op->getLoc());
  }
  /// The function's if there is no op.
  Location of(OpId op) const { return op.valid() ? ops[op.index()] : function; }

private:
  Location function;
  std::vector<Location> ops;
};

/// The cap is kept wherever it can be; where an op exceeds it by itself, the user hears of it.
void warnOfAlone(const BuiltProblem &built, const OpPlaces &places, const CheckedPlan &decision) {
  const L1Usage &l1 = decision.check.l1;
  auto needs = [&](StepIndex step) { return l1.total(step); };
  auto most = llvm::max_element(l1.alone, [&](StepIndex a, StepIndex b) { return needs(a) < needs(b); });
  if (most == l1.alone.end())
    return;
  InFlightDiagnostic warning = emitWarning(places.of(decision.plan[*most].op));
  warning << describeStep(built.problem, decision.plan, *most) << " needs " << needs(*most).value()
          << " bytes of L1 per core by itself, more than the " << built.problem.l1Budget.value()
          << " of tensor-l1-usage-cap: it runs while no tensor lies in L1 but its own";
  if (size_t others = l1.alone.size() - 1)
    warning << ", as " << others << (others == 1 ? " other op does" : " other ops do");
}

/// A program that was compiled for more cores may have ops whose layouts nobody decides: it does not run on this device, whatever the plan.
void warnOfOtherCores(const Problem &problem, const OpPlaces &places, const Plan &plan) {
  for (const PlanTensor &tensor : plan.tensors) {
    const TensorLayout &layout = problem.layout(tensor.layout);
    if (!layout.isL1() || !layout.cores)
      continue;
    // The grid of a device begins at the origin, so the last core tells whether the device has all of them.
    CoreCoord last = layout.cores->boundingBox().end;
    if (last.x < problem.device.workerGrid.columns && last.y < problem.device.workerGrid.rows)
      continue;
    const tessera::Value &value = problem[tensor.value];
    emitWarning(places.of(value.producer))
        << "'" << value.name << "' keeps its layout on core (" << last.x << ", " << last.y << "), which "
        << problem.device.called() << " does not have: the program is another device's";
    return;
  }
}

/// What has no time would else pass for fast.
LogicalResult refuseUnknownTimes(const BuiltProblem &built, const CheckedPlan &decision,
                                 const OpCostTable &model) {
  for (StepIndex step : decision.check.l1.unknown) {
    OpId op = decision.plan[step].op;
    ValidationResult answer = declaredAnswer(built.problem, op, model);
    built.binding.ops[op.index()]->emitError()
        << "the time of '" << built.problem[op].location << "' is unknown, which strict forbids: "
        << (isRefused(answer) ? StringRef(answer.message) : "the op model does not know the op");
  }
  return success(decision.check.l1.unknown.empty());
}

/// The function with the plan of its certificate, all of which is checked. Fails, after one diagnostic, if something is otherwise.
FailureOr<OptimizedFunction> certified(func::FuncOp function, OptimizedFunction result,
                                       const OpCostTable &model, const PlanCertificate &certificate) {
  const Problem &problem = result.built.problem;
  auto its = llvm::find_if(certificate.functions, [&](const FunctionCertificate &each) {
    return each.function == problem.function;
  });
  if (its == certificate.functions.end())
    return function.emitError() << "the certificate has no function '" << problem.function << "'";
  llvm::Expected<Plan> plan = checkPlanCertificate(problem, model, *its);
  if (!plan)
    // The file has no options, so one that is merely forgotten here looks like a wrong proof.
    return function.emitError() << "the certificate of '" << problem.function
                                << "' is refused: " << llvm::toString(plan.takeError())
                                << "; it holds with the options that the plan was made with";
  result.plan = std::move(*plan);
  result.bound = its->bound;
  result.summary.function = problem.function;
  result.summary.after = its->time;
  result.summary.bound = its->bound.time;
  result.summary.boundInOrder = its->bound.inOrder.has_value();
  return result;
}

/// The base plan that fits, and the op model of the L1 that it fits into.
struct FittedBase {
  CheckedPlan base;
  std::optional<OpCostTable> raised; ///< if a cap had to be
};

/// A cap that not even the base plan keeps is raised to the least that one can keep, with a warning: a plan for a bit more L1 is of more use
/// than none. Each round needs more than the last, up to what the device has, so it ends. Fails, after a diagnostic, if nothing fits.
FailureOr<FittedBase> fitOrRaise(BuiltProblem &built, const OpCostTable &capped,
                                 const OptimizerOptions &options) {
  Problem &problem = built.problem;
  FittedBase fit{fitted(problem, capped, options), std::nullopt};
  std::string least; // who needs what there is then
  Operation *neediest = nullptr;
  while (!fit.base.check.ok()) {
    const PlanViolation *shortage = leastShort(fit.base, problem.l1Budget, capped.context());
    if (!shortage)
      return reportNoPlan(built, fit.base);
    least = describeStep(problem, fit.base.plan, *shortage->step);
    neediest = placeOf(built, fit.base.plan, shortage->step);
    BudgetedProblem roomier(problem, capped, fit.base.check.l1.total(*shortage->step));
    fit.raised.emplace(roomier.model);
    problem = std::move(roomier.problem);
    fit.base = fitted(problem, *fit.raised, options);
  }
  if (fit.raised)
    neediest->emitWarning() << "tensor-l1-usage-cap leaves " << capped.context().l1Budget.value()
                            << " bytes of L1 per core, for which '" << problem.function
                            << "' has no plan; this one is for " << problem.l1Budget.value() << ", which "
                            << least << " needs";
  return fit;
}

/// Writes the plan into the function. If the result does not verify the function stays as it came, and the decision is to keep it; fails, after
/// a diagnostic, if that is no way out.
LogicalResult write(func::FuncOp function, BuiltProblem &built, const InputProgram &input,
                    const OpCostTable &model, const OptimizerOptions &options, CheckedPlan &decision) {
  TimingScope timing = timed(options, "rewrite");
  Problem &problem = built.problem;
  if (!decision.check.ok() || applyOrRestore(built, decision.plan))
    return success();
  timing.stop();
  // The function as it came is not a way out if it is not legal itself, or not what was asked for.
  if (!input.legal || hasOverrides(problem))
    return function.emitError() << "'" << problem.function << "' is not a legal program "
                                << (hasOverrides(problem) ? "with its overrides" : "as it is");
  // As declared, the function states no numerics either.
  problem = asDeclared(built);
  built.binding.numerics.assign(problem.ops.size(), std::nullopt);
  decision = checked(problem, declaredPlan(problem), model, options);
  return success();
}

/// Of the plan that was written, which may be the declared one: summaries tell what became of the function.
FunctionSummary summaryOf(const BuiltProblem &built, const CheckedPlan &decision, const PlanCost &cost,
                          const InputProgram &input, const OptimizerOptions &options,
                          ArrayRef<std::string> labels) {
  const Problem &problem = built.problem;
  const auto &[plan, check] = decision;
  FunctionSummary summary;
  static_cast<PlanFigures &>(summary) = figuresOf(problem, plan);
  for (const tessera::Value &value : problem.values)
    summary.constants += value.kind != ValueKind::Activation;
  summary.function = problem.function;
  summary.device = problem.device.name;
  summary.policy = plan.policy;
  summary.origin = plan.origin;
  summary.ops = problem.ops.size();
  summary.l1Budget = problem.l1Budget;
  summary.peakL1 = check.l1.peak;
  for (Bytes tensors : check.l1.tensors)
    summary.peakTensors = std::max(summary.peakTensors, tensors);
  if (StepIndex peak = check.l1.peakStep; peak < plan.end()) {
    std::optional<ConversionEffect> effect = conversionEffects(problem, plan)[peak.index()];
    OpId op = effect && !plan[peak].isRun() ? effect->op : plan[peak].op;
    // A conversion of a returned argument has no op to name it by.
    if (op.valid())
      summary.peakL1At = labels[op.index()];
  }
  summary.before = input.time;
  summary.after = cost.total();
  summary.afterRange = timeRange(problem, plan, cost);
  summary.numerics = options.analysis.numerics;
  summary.stated = countStated(built);
  for (OpId op : built.binding.repaired)
    ++summary.repaired[problem[op].name];
  for (StepIndex step : check.l1.unknown)
    ++summary.unknown[problem[plan[step].op].name];
  summary.unknownBefore = input.unknown;
  summary.dataTypes = scalarDataTypes(problem);
  return summary;
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What was asked for beside the plan: its bound, why it spills, all decisions.
void addReports(const PolicyInfo &policy, const OpCostTable &model, const OptimizerOptions &options,
                const DecisionLog &log, const SolvingNotes &notes, ArrayRef<std::string> labels,
                OptimizedFunction &result) {
  const Problem &problem = result.built.problem;
  Nanoseconds before = result.summary.before;
  // A policy that proves its plans is asked for their bound in any case.
  if (options.bound || policy.provesBound) {
    TimingScope timing = timed(options, "bound");
    auto start = std::chrono::steady_clock::now();
    result.bound = boundOf(problem, model, result.plan, notes.memory);
    if (result.bound) {
      result.summary.bound = result.bound->time;
      result.summary.boundInOrder = result.bound->inOrder.has_value();
    }
    result.summary.boundSeconds = secondsSince(start);
  }
  if (options.spillCauses)
    result.spills = decisions::countSpills(decisions::collectSpills(
        {problem, result.plan, result.cost, result.l1, model, before, log, labels, {}, false}));
  if (options.inputTotals)
    result.input = decisions::totalsOfInput(problem, model, before);
  if (options.decisions) {
    TimingScope timing = timed(options, "decisions");
    result.decisions = decisions::collect({problem, result.plan, result.cost, result.l1, model, before, log,
                                           labels, options.pricedOps, options.trace});
    result.input = result.decisions->before;
  }
}

/// Only `--spill none` may not fit (Contest/Spilling); anything else that is illegal here is a defect of ours.
bool isLegalButForRoom(const PlanCheck &check) {
  return llvm::all_of(check.violations,
                      [](const PlanViolation &violation) { return violation.rule == kL1Capacity; });
}

} // namespace

FailureOr<OptimizedFunction> tessera::optimizeFunction(func::FuncOp function, const PolicyInfo &policy,
                                                       const OpCostTable &capped, SignaturePool &signatures,
                                                       const OptimizerOptions &options,
                                                       OverrideTargets &targets, const OpNumbers &numbers) {
  auto start = std::chrono::steady_clock::now();
  InputProgram input;
  FailureOr<BuiltProblem> built = posed(function, policy, capped, signatures, options, targets, input);
  if (failed(built))
    return failure();
  OptimizedFunction result;
  result.built = std::move(*built);
  Problem &problem = result.built.problem;
  // All that follows indexes by its ids without asking.
  if (std::string wrong = checkProblem(problem); !wrong.empty())
    return function.emitError() << "internal error: the problem of '" << problem.function
                                << "' is inconsistent: " << wrong;
  FailureOr<FittedBase> fit = fitOrRaise(result.built, capped, options);
  if (failed(fit))
    return failure();
  const OpCostTable &model = fit->raised ? *fit->raised : capped;
  if (input.tight && !fit->raised) // what the plan does about it would else look like the policy's own idea
    emitWarning(input.tight->first) << "the input itself does not fit into L1: " << input.tight->second;
  // Checked on the base that planning would have begun with, and nothing is planned.
  if (options.certificate)
    return certified(function, std::move(result), model, *options.certificate);
  auto [decision, log, notes] = decide(result.built, policy, model, options, fit->base);
  if (options.strict && failed(refuseUnknownTimes(result.built, decision, model)))
    return failure();
  // Before it is written: what does not fit is never written, and a decision that does not verify is replaced.
  bool fits = decision.check.ok();
  if (!isLegalButForRoom(decision.check))
    return function.emitError() << "internal error: the layouts of policy '" << policy.name
                                << "' are not legal: " << decision.check.violations.front().message;
  OpPlaces places(result.built);
  if (failed(write(function, result.built, input, model, options, decision)))
    return failure();
  warnOfAlone(result.built, places, decision);
  warnOfOtherCores(problem, places, decision.plan);
  // Before the reports: what is told beside a plan is no part of planning.
  double seconds = secondsSince(start);
  result.cost = planCost(problem, decision.plan, model);
  std::vector<std::string> labels = opLabels(problem, numbers);
  result.summary = summaryOf(result.built, decision, result.cost, input, options, labels);
  result.summary.fits = fits;
  result.summary.planningSeconds = seconds;
  result.summary.solvingSeconds = notes.seconds;
  result.plan = std::move(decision.plan);
  result.l1 = std::move(decision.check.l1);
  addReports(policy, model, options, log, notes, labels, result);
  return result;
}
