//===- Optimizer.cpp - The whole way through, for one module --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Optimizer.h"

#include "Decide.h"
#include "Rehearsal.h"
#include "Rewriting.h"
#include "tessera/Bridge/CacheConstants.h"
#include "tessera/Bridge/PlanToIR.h"
#include "tessera/Device/DeviceNames.h"
#include "tessera/Dialect/NotUnderstood.h"
#include "tessera/Dialect/TTCore/SystemDesc.h"
#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/Lowering/Conversions.h"
#include "tessera/Lowering/MetalLayouts.h"
#include "tessera/Optimizer/Decisions/Collect.h"
#include "tessera/Optimizer/Plan/PlanText.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"
#include "tessera/Optimizer/Policy/PlanBound.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Support/NearestNames.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>

using namespace mlir;
using namespace tessera;

FailureOr<std::optional<DeviceSpec>> tessera::deviceOfModule(ModuleOp module) {
  std::optional<DeviceSpec> device;
  WalkResult result = module.walk([&](ModuleOp nested) {
    auto description = nested->getAttrOfType<ttcore::SystemDescAttr>("ttcore.system_desc");
    if (!description)
      return WalkResult::advance();
    // How the chips are arranged stands in the module's device; the system has a list of them.
    llvm::SmallVector<int64_t> meshShape;
    for (auto used : nested.getOps<ttcore::DeviceOp>())
      llvm::append_range(meshShape, used.getDeviceAttr().getMeshShape());
    FailureOr<DeviceSpec> spec =
        ttcore::deviceSpecFromSystemDesc(description, [&] { return nested.emitError(); }, meshShape);
    if (failed(spec))
      return WalkResult::interrupt();
    // The outermost description decides; nested modules repeat it.
    if (!device)
      device = *spec;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return device;
}

/// What const-eval results hold all the time; of nested modules the worst counts.
static Bytes l1Held(ModuleOp module) {
  Bytes held;
  module.walk([&](ModuleOp nested) {
    if (auto bytes = nested->getAttrOfType<IntegerAttr>("ttnn.l1_const_eval_usage"))
      held = std::max(held, Bytes(bytes.getValue().getLimitedValue(int64_t(1) << 40)));
  });
  return held;
}

Bytes tessera::l1BudgetOf(ModuleOp module, const DeviceSpec &device, double cap) {
  return std::max(Bytes(0), l1Budget(device, cap) - l1Held(module));
}

std::string tessera::checkOptions(const OptimizerOptions &options) {
  if (std::string wrong = checkL1UsageCap(options.tensorL1UsageCap); !wrong.empty())
    return wrong;
  if (int64_t most = options.analysis.maxLegalLayouts; most < 0)
    return "max-legal-layouts must not be negative; got " + std::to_string(most);
  if (int64_t width = options.policyOptions.beam.width; width < 1)
    return "beam-width must be at least 1; got " + std::to_string(width);
  return checkOpModelOptions(options.opModel);
}

GuardOptions tessera::guardOptions(const OptimizerOptions &options) {
  GuardOptions guard;
  // What the user demands may differ from the input; the guard has to know, or it would call it a loss.
  guard.conv2dConfigsAreGiven = !options.overrides.conv2d.empty();
  guard.dataTypesAreGiven = llvm::any_of(options.overrides.outputLayouts,
                                         [](const auto &wanted) { return wanted.layout.dtype.has_value(); });
  return guard;
}

std::string tessera::lostOnTheWay(llvm::MemoryBufferRef input, const OptimizationResult &result,
                                  llvm::MemoryBufferRef output, const GuardOptions &options) {
  if (!result.graph)
    return lostBetween(input, output, options);
  std::string lost = lostBetween(input, {result.graph->before, "input"}, options);
  return lost.empty() ? lostBetween({result.graph->after, "rewritten"}, output, options) : lost;
}

namespace {

FunctionSummary summarize(const Problem &problem, const Plan &plan, const PlanCheck &check,
                          const PlanCost &cost) {
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
  if (check.l1.peakStep < plan.end() && plan[check.l1.peakStep].op.valid())
    summary.peakL1At = problem[plan[check.l1.peakStep].op].location;
  summary.after = cost.total();
  summary.afterRange = timeRange(problem, plan, cost);
  return summary;
}

std::vector<NumericsCount> countStated(const BuiltProblem &built) {
  std::vector<NumericsCount> counts;
  for (auto [op, stated] : llvm::zip_equal(built.problem.ops, built.binding.numerics))
    if (stated)
      addCount(counts, {llvm::StringRef(op.name).split('.').second.str(), stated->config, 1});
  return counts;
}

/// The op that a step runs or converts for; the function if there is none.
Operation *placeOf(const BuiltProblem &built, const Plan &plan, std::optional<StepIndex> step) {
  OpId op = step && *step < plan.end() ? plan[*step].op : OpId();
  return op.valid() ? built.binding.ops[op.index()] : func::FuncOp(built.binding.function).getOperation();
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

LogicalResult refuseNotUnderstood(ModuleOp module) {
  std::vector<NotUnderstood> unknown = listNotUnderstood(module);
  for (const NotUnderstood &entry : unknown) {
    InFlightDiagnostic error = entry.first->emitError()
                               << "not understood, which strict forbids: " << entry.what;
    if (entry.count > 1)
      error << " (the first of " << entry.count << ")";
  }
  return success(unknown.empty());
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
    if (std::vector<ConstantInLayout> cached = chooseConstantLayouts(built.problem, uncapped);
        !cached.empty()) {
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

/// The cap is kept wherever it can be; where an op exceeds it by itself, the user hears of it.
void warnOfAlone(const BuiltProblem &built, const CheckedPlan &decision) {
  const L1Usage &l1 = decision.check.l1;
  auto needs = [&](StepIndex step) { return l1.total(step); };
  auto most = llvm::max_element(l1.alone, [&](StepIndex a, StepIndex b) { return needs(a) < needs(b); });
  if (most == l1.alone.end())
    return;
  InFlightDiagnostic warning = placeOf(built, decision.plan, *most)->emitWarning();
  warning << describeStep(built.problem, decision.plan, *most) << " needs " << needs(*most).value()
          << " bytes of L1 per core by itself, more than the " << built.problem.l1Budget.value()
          << " of tensor-l1-usage-cap: it runs while no tensor lies in L1 but its own";
  if (size_t others = l1.alone.size() - 1)
    warning << ", as " << others << (others == 1 ? " other op does" : " other ops do");
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
    return function.emitError() << "the certificate of '" << problem.function
                                << "' is refused: " << llvm::toString(plan.takeError());
  result.plan = std::move(*plan);
  result.bound = its->bound;
  result.summary.function = problem.function;
  result.summary.after = its->time;
  result.summary.bound = its->bound.time;
  return result;
}

FailureOr<OptimizedFunction> optimizeFunction(func::FuncOp function, const PolicyInfo &policy,
                                              const OpCostTable &capped, SignaturePool &signatures,
                                              const OptimizerOptions &options, OverrideTargets &targets) {
  auto start = std::chrono::steady_clock::now();
  InputProgram input;
  FailureOr<BuiltProblem> built = posed(function, policy, capped, signatures, options, targets, input);
  if (failed(built))
    return failure();
  OptimizedFunction result;
  result.built = std::move(*built);
  Problem &problem = result.built.problem;
  if (std::string wrong = checkProblem(problem); !wrong.empty())
    return function.emitError() << "internal error: the problem of '" << problem.function
                                << "' is inconsistent: " << wrong;
  CheckedPlan base = fitted(problem, capped, options);
  std::optional<OpCostTable> raised;
  std::string least; // who needs what there is then
  Operation *neediest = nullptr;
  // A cap that not even the base plan keeps is raised to the least that one can keep, with a warning: a plan
  // for a bit more L1 is of more use than none. Each round needs more than the last, up to what the device has,
  // so it ends.
  while (!base.check.ok()) {
    const PlanViolation *shortage = leastShort(base, problem.l1Budget, capped.context());
    if (!shortage)
      return reportNoPlan(result.built, base);
    least = describeStep(problem, base.plan, *shortage->step);
    neediest = placeOf(result.built, base.plan, shortage->step);
    BudgetedProblem roomier(problem, capped, base.check.l1.total(*shortage->step));
    raised.emplace(roomier.model);
    problem = std::move(roomier.problem);
    base = fitted(problem, *raised, options);
  }
  if (raised)
    neediest->emitWarning() << "tensor-l1-usage-cap leaves " << capped.context().l1Budget.value()
                            << " bytes of L1 per core, for which '" << problem.function
                            << "' has no plan; this one is for " << problem.l1Budget.value() << ", which "
                            << least << " needs";
  const OpCostTable &model = raised ? *raised : capped;
  if (input.tight && !raised) // what the plan does about it would else look like the policy's own idea
    emitWarning(input.tight->first) << "the input itself does not fit into L1: " << input.tight->second;
  if (options.certificate)
    return certified(function, std::move(result), model, *options.certificate);
  auto [decision, log] = decide(result.built, policy, model, options, base);
  if (options.strict && failed(refuseUnknownTimes(result.built, decision, model)))
    return failure();
  // Only `--spill none` may not fit (Contest/Spilling); anything else that is illegal here is a defect of ours.
  bool fits = decision.check.ok();
  if (!fits && !llvm::all_of(decision.check.violations,
                             [](const PlanViolation &violation) { return violation.rule == kL1Capacity; }))
    return function.emitError() << "internal error: the layouts of policy '" << policy.name
                                << "' are not legal: " << decision.check.violations.front().message;
  TimingScope rewriting = timed(options, "rewrite");
  bool applied = !fits || applyOrRestore(result.built, decision.plan);
  rewriting.stop();
  if (!applied) {
    // The function as it came is not a way out if it is not legal itself, or not what was asked for.
    if (!input.legal || hasOverrides(problem))
      return function.emitError() << "'" << problem.function << "' is not a legal program "
                                  << (hasOverrides(problem) ? "with its overrides" : "as it is");
    problem = asDeclared(result.built);
    result.built.binding.numerics.assign(problem.ops.size(), std::nullopt);
    decision = checked(problem, declaredPlan(problem), model, options);
  }
  warnOfAlone(result.built, decision);
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  // Of the plan that was written, which may be the declared one: summaries tell what became of the function.
  result.cost = planCost(problem, decision.plan, model);
  result.summary = summarize(problem, decision.plan, decision.check, result.cost);
  result.summary.before = input.time;
  result.summary.fits = fits;
  result.summary.numerics = options.analysis.numerics;
  result.summary.stated = countStated(result.built);
  for (OpId op : result.built.binding.repaired)
    ++result.summary.repaired[result.built.problem[op].name];
  for (StepIndex step : decision.check.l1.unknown)
    ++result.summary.unknown[problem[decision.plan[step].op].name];
  result.summary.unknownBefore = input.unknown;
  result.summary.dataTypes = scalarDataTypes(problem);
  result.summary.planningSeconds = elapsed.count();
  result.plan = std::move(decision.plan);
  result.l1 = std::move(decision.check.l1);
  if (options.bound || policy.provesBound) {
    TimingScope bounding = timed(options, "bound");
    auto begin = std::chrono::steady_clock::now();
    result.bound = boundOf(problem, model, result.plan);
    if (result.bound)
      result.summary.bound = result.bound->time;
    result.summary.boundSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  if (options.spillCauses)
    result.spills = decisions::countSpills(decisions::collectSpills(
        {problem, result.plan, result.cost, result.l1, model, input.time, log, {}, false}));
  if (options.inputTotals)
    result.input = decisions::totalsOfInput(problem, model, input.time);
  if (options.decisions) {
    TimingScope deciding = timed(options, "decisions");
    result.decisions = decisions::collect({problem, result.plan, result.cost, result.l1, model, input.time,
                                           log, options.pricedOps, options.trace});
    result.input = result.decisions->before;
  }
  return result;
}

} // namespace

const DeviceSpec *tessera::findDeviceOrDiagnose(StringRef name,
                                                llvm::function_ref<InFlightDiagnostic()> emitError) {
  llvm::Expected<const DeviceSpec *> device = deviceNamed(name);
  if (device)
    return *device;
  emitError() << llvm::toString(device.takeError());
  return nullptr;
}

const PolicyInfo *tessera::findPolicyOrDiagnose(StringRef name,
                                                llvm::function_ref<InFlightDiagnostic()> emitError) {
  if (const PolicyInfo *found = findPolicy(name))
    return found;
  SmallVector<StringRef> known;
  for (const PolicyInfo &policy : policies())
    known.push_back(policy.name);
  emitError() << "unknown policy '" << name << "'" << didYouMean(name, known)
              << "; known: " << llvm::join(known, ", ");
  return nullptr;
}

static bool hasTtnnLayout(mlir::Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_nonnull<ttnn::TTNNLayoutAttr>(tensor.getEncoding());
}

/// Whether there is anything to decide on. Else the module is most likely TTIR that was not lowered.
static LogicalResult requireTTNN(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return isa_and_nonnull<ttnn::TTNNDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                : WalkResult::advance();
  });
  if (found.wasInterrupted())
    return success();
  // A function that only hands its arguments on is TTNN as well, by its types.
  bool hasTypes = llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return llvm::any_of(function.getArgumentTypes(), hasTtnnLayout);
  });
  if (hasTypes) {
    module.emitRemark() << "the module has TTNN's types but no ttnn op: there is nothing to decide";
    return success();
  }
  return module.emitError() << "the module has no ttnn ops; TTIR is lowered first, by ttmlir-opt "
                               "--ttir-to-ttnn-runtime-pipeline (README.md tells the options)";
}

/// The part of the work that each function is, by its ops.
static std::vector<ProgressPart> partsOf(ArrayRef<func::FuncOp> functions) {
  std::vector<ProgressPart> parts;
  double sum = 0;
  for (func::FuncOp function : functions) {
    double ops = double(function.getBody().front().getOperations().size());
    parts.push_back({sum, sum + ops});
    sum += ops;
  }
  for (ProgressPart &part : parts)
    part = {part.from / sum, part.to / sum};
  return parts;
}

LogicalResult tessera::optimizeFunctions(ModuleOp module, const PolicyInfo &policy, const OpCostTable &model,
                                         const OptimizerOptions &options, OptimizationResult &result) {
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) {
    if (isForwardDeviceFunction(function))
      functions.push_back(function);
  });
  // For all functions before the first is planned: a name that two ops share is an error, wherever they stand.
  FailureOr<OverrideTargets> targets = OverrideTargets::find(functions, options.overrides);
  if (failed(targets))
    return failure();
  // Who wants the runners-up of the third matmul counts from function to function, and anew in each module.
  PricedOps priced = options.pricedOps;
  OptimizerOptions counting = options;
  if (priced)
    counting.pricedOps = std::ref(priced);
  // In the module's order, with pools in common, so that layouts have the same ids in each run.
  for (auto [function, part] : llvm::zip_equal(functions, partsOf(functions))) {
    OptimizerOptions itsOptions = counting;
    itsOptions.policyOptions.progress = options.policyOptions.progress.part(part);
    FailureOr<OptimizedFunction> optimized =
        optimizeFunction(function, policy, model, *result.signatures, itsOptions, *targets);
    if (failed(optimized))
      return failure();
    result.functions.push_back(std::move(*optimized));
  }
  targets->warnOfUnknown(module, options.overrides);
  return success();
}

OpModelContext tessera::contextOf(ModuleOp module, const DeviceSpec &device, const OptimizerOptions &options,
                                  LayoutPool &layouts) {
  constexpr double everything = 1; // but L1_SMALL
  return {device,
          layouts,
          l1BudgetOf(module, device, options.tensorL1UsageCap),
          backendVersionOf(options.opModel).version,
          /*calibration=*/nullptr,
          l1BudgetOf(module, device, everything),
          l1Held(module)};
}

/// The module in normal form, planned as it is.
static FailureOr<OptimizationResult> planModule(ModuleOp module, const PolicyInfo &policy,
                                                const OpModelContext &given,
                                                const OptimizerOptions &options) {
  OptimizationResult result;
  result.layouts = std::make_unique<LayoutPool>();
  result.signatures = std::make_unique<SignaturePool>();
  OpModelContext context{given.device,      *result.layouts, given.l1Budget, given.version,
                         given.calibration, given.l1Alone,   given.l1Held};
  auto opModelError = [&](llvm::Error error) -> LogicalResult {
    return emitError(UnknownLoc::get(module.getContext())) << llvm::toString(std::move(error));
  };
  llvm::Expected<OpModelBackend> backend =
      OpModelBackend::create(options.opModel, context,
                             {rehearsal(module, policy, context, options), options.policyOptions.progress});
  if (!backend)
    return opModelError(backend.takeError());
  if (failed(optimizeFunctions(module, policy, backend->model(), options, result)))
    return failure();
  if (llvm::Error error = backend->finish())
    return opModelError(std::move(error));
  result.opModel = backend->use();
  if (result.opModel.disk && !result.opModel.disk->problem.empty())
    emitWarning(UnknownLoc::get(module.getContext())) << "op model cache: " << result.opModel.disk->problem;
  return result;
}

FailureOr<OptimizationResult> tessera::optimize(ModuleOp module, const OptimizerOptions &asked) {
  const PolicyInfo *policy =
      findPolicyOrDiagnose(asked.memoryLayoutAnalysis ? StringRef(asked.policy) : StringRef("configurations"),
                           [&] { return module.emitError(); });
  FailureOr<std::optional<DeviceSpec>> described = deviceOfModule(module);
  if (!policy || failed(described) || failed(requireTTNN(module)))
    return failure();
  OptimizerOptions options = asked;
  if (policy->decidesNothing) // nor what the program does not say
    options.analysis.numerics = Numerics::AsCompiled;
  DeviceSpec device = asOpenedBy(options.opModel,
                                 options.device ? *options.device : described->value_or(*findDevice("n150")));
  // Layouts for another grid than the chip's do not run there: most likely the wrong board was named.
  if (options.device && *described && (*described)->workerGrid != device.workerGrid)
    module.emitWarning() << "the module's ttcore.system_desc describes a grid of "
                         << (*described)->workerGrid.rows << "x" << (*described)->workerGrid.columns
                         << " cores; layouts are decided for " << device.name << " with "
                         << device.workerGrid.rows << "x" << device.workerGrid.columns;

  LayoutPool layouts; // of no plan
  OpModelContext context = contextOf(module, device, options, layouts);
  // Old spellings ask for several things at once, host transfers among them; the Problem has one step per conversion
  // (docs/architecture.md).
  module.walk(ttnn::dropRetiredProperties);
  if (options.strict && failed(refuseNotUnderstood(module)))
    return failure();
  mapMetalLayouts(module, device);
  splitConversions(module);
  clearIdleDeallocateActivation(module);
  auto plan = [&](ModuleOp posed, ProgressPart part) {
    OptimizerOptions itsOptions = options;
    itsOptions.policyOptions.progress = options.policyOptions.progress.part(part);
    return planModule(posed, *policy, context, itsOptions);
  };
  if (const PlanCertificate *certificate = options.certificate)
    return certificate->kept ? planRewritten(module, options, context, *certificate->kept, plan)
                             : plan(module, {});
  // A policy that keeps the program keeps its graph.
  if (options.rewrites.none() || policy->keepsProgram || policy->decidesNothing)
    return plan(module, {});
  if (plansOnce(*policy, options.policyOptions))
    return planWithRewrites(module, options, context, {plan, plan, /*trialIsPlan=*/true});
  // Which graph is better shows in first attempts, too. Those of who proves his plans take as long as the proof.
  const PolicyInfo &trying = policy->provesBound ? *findPolicy(policy->incumbent) : *policy;
  OptimizerOptions quick = unnoticed(options);
  quick.policyOptions.once = true;
  auto trial = [&](ModuleOp posed, ProgressPart part) {
    OptimizerOptions itsOptions = quick;
    itsOptions.policyOptions.progress = options.policyOptions.progress.part(part);
    return planModule(posed, trying, context, itsOptions);
  };
  return planWithRewrites(module, options, context, {plan, trial, /*trialIsPlan=*/false});
}

std::optional<PlanCertificate> tessera::certificateOf(const OptimizationResult &result) {
  PlanCertificate certificate;
  if (result.graph)
    certificate.kept = result.graph->kept;
  for (const OptimizedFunction &function : result.functions) {
    if (!function.bound)
      return std::nullopt;
    certificate.policy = function.plan.policy;
    certificate.functions.push_back({function.summary.function, function.cost.total(),
                                     toJson(function.built.problem, function.plan), *function.bound});
  }
  return certificate;
}
