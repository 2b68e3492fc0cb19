//===- Optimizer.cpp - The whole way through, for one module --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What is done once for a module: device and options, the normal form in which it
// is planned, its rewrites (Rewriting.cpp), its functions one after the other
// (OptimizeFunction.cpp) and the answers of the op model that go into the cache
// file.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Optimizer.h"

#include "OptimizeFunction.h"
#include "Rehearsal.h"
#include "Rewriting.h"
#include "tessera/Bridge/FitToDevice.h"
#include "tessera/Bridge/ModuleVersion.h"
#include "tessera/Bridge/OrderConstants.h"
#include "tessera/Bridge/PlanToIR.h"
#include "tessera/Device/DeviceNames.h"
#include "tessera/Dialect/NotUnderstood.h"
#include "tessera/Dialect/TTCore/SystemDesc.h"
#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/Lowering/Conversions.h"
#include "tessera/Lowering/MetalLayouts.h"

#include "llvm/Support/FormatVariadic.h"

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
      // Cut off where no device has as much: the attribute may have any width, and sums of bytes must not overflow.
      held = std::max(held, Bytes(bytes.getValue().getLimitedValue(int64_t(1) << 40)));
  });
  return held;
}

Bytes tessera::l1BudgetOf(ModuleOp module, const DeviceSpec &device, double cap) {
  return std::max(Bytes(0), l1Budget(device, cap) - l1Held(module));
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
  // Between the input and the rewritten graph nothing is compared: that difference is what the rewrites are for.
  if (!result.graph)
    return lostBetween(input, output, options);
  std::string lost = lostBetween(input, {result.graph->before, "input"}, options);
  return lost.empty() ? lostBetween({result.graph->after, "rewritten"}, output, options) : lost;
}

/// nullptr after a diagnostic.
template <class T>
static const T *orDiagnose(llvm::Expected<const T *> found,
                           llvm::function_ref<InFlightDiagnostic()> emitError) {
  if (found)
    return *found;
  emitError() << llvm::toString(found.takeError());
  return nullptr;
}

const DeviceSpec *tessera::findDeviceOrDiagnose(StringRef name,
                                                llvm::function_ref<InFlightDiagnostic()> emitError) {
  return orDiagnose(deviceNamed(name), emitError);
}

const PolicyInfo *tessera::findPolicyOrDiagnose(StringRef name,
                                                llvm::function_ref<InFlightDiagnostic()> emitError) {
  return orDiagnose(policyNamed(name), emitError);
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

static LogicalResult refuseNotUnderstood(ModuleOp module) {
  std::vector<NotUnderstood> unknown = listNotUnderstood(module);
  for (const NotUnderstood &entry : unknown) {
    InFlightDiagnostic error = entry.first->emitError()
                               << "not understood, which strict forbids: " << entry.what;
    if (entry.count > 1)
      error << " (the first of " << entry.count << ")";
  }
  return success(unknown.empty());
}

/// The options for a run that does that part of the work.
static OptimizerOptions forPart(OptimizerOptions options, ProgressPart part) {
  options.policyOptions = inPart(std::move(options.policyOptions), part);
  return options;
}

/// The part of the work that each function is, by its ops.
static std::vector<ProgressPart> partsOf(ArrayRef<func::FuncOp> functions) {
  std::vector<ProgressPart> parts;
  double sum = 0;
  for (func::FuncOp function : functions) {
    // Time grows with ops, about, and nothing better is known before.
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
  SmallVector<func::FuncOp> functions = deviceFunctions(module);
  // For all functions before the first is planned: a name that two ops share is an error, wherever they stand.
  FailureOr<OverrideTargets> targets = OverrideTargets::find(functions, options.overrides);
  if (failed(targets))
    return failure();
  // Who wants the runners-up of the third matmul counts from function to function, and anew in each module.
  PricedOps priced = options.pricedOps;
  OptimizerOptions counting = options;
  if (priced)
    counting.pricedOps = std::ref(priced);
  OpNumbers numbers;
  // In the module's order, with pools in common, so that layouts have the same ids in each run.
  for (auto [function, part] : llvm::zip_equal(functions, partsOf(functions))) {
    FailureOr<OptimizedFunction> optimized = optimizeFunction(function, policy, model, *result.signatures,
                                                              forPart(counting, part), *targets, numbers);
    if (failed(optimized))
      return failure();
    numbers.skip(optimized->built.problem);
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

OpModelContext tessera::inPool(const OpModelContext &context, LayoutPool &layouts) {
  return {context.device,      layouts,         context.l1Budget, context.version,
          context.calibration, context.l1Alone, context.l1Held};
}

/// The module in normal form, planned as it is.
static FailureOr<OptimizationResult> planModule(ModuleOp module, const PolicyInfo &policy,
                                                const OpModelContext &given,
                                                const OptimizerOptions &options) {
  OptimizationResult result;
  OpModelContext context = inPool(given, *result.layouts);
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
  if (!policy.decidesNothing)
    module.walk([](func::FuncOp function) {
      if (isConstEval(function))
        orderConstEval(function);
    });
  // Behind all questions: answers that were asked for go into the cache file now.
  if (llvm::Error error = backend->finish())
    return opModelError(std::move(error));
  result.opModel = backend->use();
  // A cache that cannot be read or written costs time and no plan, so it is a warning.
  if (result.opModel.disk && !result.opModel.disk->problem.empty())
    emitWarning(UnknownLoc::get(module.getContext())) << "op model cache: " << result.opModel.disk->problem;
  return result;
}

/// Where the module describes another grid than the board that was named has.
static void sayWhichLeads(ModuleOp module, const DeviceSpec &described, const DeviceSpec &named) {
  auto grid = [](const DeviceSpec &device) {
    return llvm::formatv("{0}x{1}", device.workerGrid.rows, device.workerGrid.columns).str();
  };
  if (hasFewerCores(described, named))
    module.emitRemark() << "the module's ttcore.system_desc describes a " << named.name << " with "
                        << grid(described) << " of its " << grid(named)
                        << " cores; layouts are decided for those";
  else if (described.workerGrid != named.workerGrid)
    // Layouts for another grid than the chip's do not run there: most likely the wrong board was named.
    module.emitWarning() << "the module's ttcore.system_desc describes a grid of " << grid(described)
                         << " cores; layouts are decided for " << named.name << " with " << grid(named)
                         << ", and other commands need --device " << named.name << ", too, to read them";
}

/// What was certified, if that is all that the certificate claims: of a function that the module has not nobody has checked anything.
static FailureOr<OptimizationResult> withNoOtherClaims(ModuleOp module, const PlanCertificate &certificate,
                                                       FailureOr<OptimizationResult> certified) {
  if (failed(certified))
    return failure();
  for (const FunctionCertificate &claim : certificate.functions)
    if (llvm::none_of(certified->functions, [&](const OptimizedFunction &function) {
          return function.summary.function == claim.function;
        }))
      return module.emitError() << "the certificate has a function '" << claim.function
                                << "', which the module has not";
  return certified;
}

/// The options with who answers as the module has it, unless they say it. The module says from then on what it was planned for; one
/// that says nothing is for the default version.
static OptimizerOptions plannedFor(ModuleOp module, OptimizerOptions options) {
  StringRef said = versionOfModule(module);
  bool unasked = options.opModel == OpModelOptions();
  options.opModel = answeringFor(versionOfModule(module), options.opModel);
  // A newer Tessera may have written it.
  if (unasked && options.opModel.backendVersion.empty() && !said.empty())
    module.emitWarning() << "is for ttnn " << said << ", whose rules are not known here; it is planned for "
                         << kDefaultBackendVersion;
  StringRef name = backendVersionOf(options.opModel).name;
  if (name != kDefaultBackendVersion || !versionOfModule(module).empty())
    setVersionOfModule(module, libraryOf(name).empty() ? name : libraryOf(name));
  return options;
}

FailureOr<OptimizationResult> tessera::optimize(ModuleOp module, const OptimizerOptions &asked) {
  const PolicyInfo *policy =
      findPolicyOrDiagnose(asked.memoryLayoutAnalysis ? StringRef(asked.policy) : StringRef("configurations"),
                           [&] { return module.emitError(); });
  FailureOr<std::optional<DeviceSpec>> described = deviceOfModule(module);
  if (!policy || failed(described) || failed(requireTTNN(module)))
    return failure();
  OptimizerOptions options = plannedFor(module, asked);
  if (policy->decidesNothing) // nor what the program does not say
    options.analysis.numerics = Numerics::AsCompiled;
  const DeviceSpec *named = options.device ? &*options.device : nullptr;
  DeviceSpec device = asOpenedBy(options.opModel, deviceFor(*described, named));
  if (named && *described)
    sayWhichLeads(module, **described, *named);

  LayoutPool layouts; // of no plan
  OpModelContext context = contextOf(module, device, options, layouts);
  // Before strict: what only says again what types say is understood.
  module.walk(ttnn::dropRetiredProperties);
  if (options.strict && failed(refuseNotUnderstood(module)))
    return failure();
  // Into the normal form in which ops read TTNN layouts, each conversion changes one thing, and no place is held from
  // an earlier plan.
  mapMetalLayouts(module, device);
  // Old spellings ask for several things at once, host transfers among them; the Problem has one step per conversion
  // (docs/architecture.md).
  splitConversions(module);
  clearIdleDeallocateActivation(module);
  dropHolders(module);
  // A policy that keeps the program keeps also what cannot run on this device: warnings say so.
  if (!policy->keepsProgram && !policy->decidesNothing) {
    fitToDevice(module, device);
    fitToVersion(module, context.version);
  }
  // Before any rewrite: numbers of ops are those of the program that came.
  if (!options.rewrites.none() && failed(useLastingNames(deviceFunctions(module), options.overrides)))
    return failure();
  auto plan = [&](ModuleOp posed, ProgressPart part) {
    return planModule(posed, *policy, context, forPart(options, part));
  };
  if (const PlanCertificate *certificate = options.certificate)
    return withNoOtherClaims(module, *certificate,
                             certificate->kept
                                 ? planRewritten(module, options, context, *certificate->kept, plan)
                                 : plan(module, {}));
  // A policy that keeps the program keeps its graph.
  if (options.rewrites.none() || policy->keepsProgram || policy->decidesNothing)
    return plan(module, {});
  // A first attempt is the plan itself then, so that no graph is planned twice.
  if (plansOnce(*policy, options.policyOptions))
    return planWithRewrites(module, options, context, {plan, plan, /*trialIsPlan=*/true});
  // Which graph is better shows in first attempts, too. Those of who proves his plans take as long as the proof.
  const PolicyInfo &trying = policy->provesBound ? *findPolicy(policy->incumbent) : *policy;
  OptimizerOptions quick = unnoticed(options);
  quick.policyOptions.once = true;
  auto trial = [&](ModuleOp posed, ProgressPart part) {
    return planModule(posed, trying, context, forPart(quick, part));
  };
  return planWithRewrites(module, options, context, {plan, trial, /*trialIsPlan=*/false});
}

std::optional<PlanCertificate> tessera::certificateOf(const OptimizationResult &result) {
  PlanCertificate certificate;
  if (result.graph)
    certificate.kept = result.graph->kept;
  for (const OptimizedFunction &function : result.functions) {
    // One function without a bound, and nothing is claimed of the module.
    if (!function.bound)
      return std::nullopt;
    certificate.policy = function.plan.policy;
    certificate.functions.push_back({function.summary.function, function.cost.total(),
                                     toJson(function.built.problem, function.plan), *function.bound});
  }
  return certificate;
}
