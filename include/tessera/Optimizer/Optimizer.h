//===- Optimizer.h - The whole way through, for one module ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   module -> Problem -> Policy -> Plan -> PlanChecker -> PlanToIR -> module
//
// for each forward device function. This is the one choke point: the command
// line, the pass and the tests all come through here.
//
// A module and options go in, words of which OptimizerText.h has read. The module
// is planned and written in place, or left as it came after a diagnostic; out goes
// what became of each function. Which graph is planned is chosen in Rewriting.cpp,
// what is planned of a function in Decide.cpp, and OptimizeFunction.cpp is the way
// between the IR and the plan.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_OPTIMIZER_H
#define TESSERA_OPTIMIZER_OPTIMIZER_H

#include "tessera/Bridge/Overrides.h"
#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Device/L1Budget.h"
#include "tessera/Guard/Guard.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/Optimizer/Decisions/Collect.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanFigures.h"
#include "tessera/Optimizer/Policy/DefaultPolicy.h"
#include "tessera/Optimizer/Policy/PlanCertificate.h"
#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Rewrite/Rewrite.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/Timing.h"

#include <optional>

namespace tessera {

/// All that a run may be asked for. As it stands here it is what holds if nobody asks for anything.
struct OptimizerOptions {
  std::string policy = kDefaultPolicy;
  /// The device to decide for. nullopt: the one that the module's `ttcore.system_desc` describes, else n150.
  std::optional<DeviceSpec> device;
  OpModelOptions opModel; ///< who answers, for which version of the backend
  /// Share of usable L1 that tensors and circular buffers may take, 0..1 (facts/ir 2.1).
  double tensorL1UsageCap = kDefaultL1UsageCap;
  /// False: keep every layout, only choose configurations (facts/optimizer-design Appendix B).
  bool memoryLayoutAnalysis = true;
  /// After the policy: results that only the next op reads go from DRAM to L1 interleaved (upgradeToL1Interleaved).
  bool l1InterleavedFallback = false;
  /// Constants stay in the layouts of the input, and no const-eval function is added (chooseConstantLayouts).
  bool keepConstants = false;
  /// A module in which something is not understood (listNotUnderstood) is an error; else it is carried as it stands. So is a plan in
  /// which the time of an op is not known.
  bool strict = false;
  /// Of the graph, before it is planned. They stand if the plan is faster with them.
  RewriteSelection rewrites;
  /// How a module is printed for RewrittenGraph; empty: as ModuleOp::print does.
  std::function<std::string(mlir::ModuleOp)> print;
  Overrides overrides;
  AnalysisOptions analysis = {.conv2d = {}, .numerics = Numerics::Keep};
  PolicyOptions policyOptions;
  /// Also tell what was decided and why (docs/decisions-format.md). The plan is the same.
  bool decisions = false;
  PricedOps pricedOps; ///< of these decisions; empty: all
  bool trace = false; ///< of these decisions, also FunctionDecisions::trace, which decisions files alone have
  bool inputTotals = false; ///< also OptimizedFunction::input, without the rest of the decisions
  /// Also tell why ops read from DRAM. The plan is the same.
  bool spillCauses = false;
  /// Also prove what no plan takes less than (boundOf). The plan is the same.
  bool bound = false;
  /// Instead of planning: the plans are these, and what is claimed of them is checked. May be null.
  const PlanCertificate *certificate = nullptr;
  mlir::TimingScope *timing = nullptr; ///< below it, the parts of the way; nullptr: not measured
};

/// What a plan made with these options may change (Guard.h).
GuardOptions guardOptions(const OptimizerOptions &options);

struct OptimizationResult;
/// What `output` lacks of `input`, or "" (Guard.h). Of a module whose graph was rewritten: what reading it lost, and what the plan
/// lost of the other graph; what the rewrites replace is theirs to answer for.
std::string lostOnTheWay(llvm::MemoryBufferRef input, const OptimizationResult &result,
                         llvm::MemoryBufferRef output, const GuardOptions &options);

/// How many ops of a function a plan tells how exactly to compute.
struct NumericsCount {
  std::string op; ///< "matmul", "conv2d", ...
  ComputeConfig config;
  size_t ops = 0;
};

/// Adds ops to those of the same kind with the same config.
void addCount(std::vector<NumericsCount> &counts, const NumericsCount &count);

/// What became of one function.
struct FunctionSummary : PlanFigures {
  std::string function;
  std::string device, policy;
  std::string origin; ///< Plan::origin
  size_t ops = 0;
  std::vector<DataType> dataTypes; ///< of all tensors, in order of appearance
  size_t constants = 0;            ///< const-eval results and arguments
  Bytes l1Budget, peakL1;
  Bytes peakTensors;    ///< the most that tensors alone hold, circular buffers and margin apart
  std::string peakL1At; ///< location of the op with the highest L1 use
  Nanoseconds before, after;
  std::pair<Nanoseconds, Nanoseconds> afterRange; ///< what `after` may be instead (timeRange)
  /// With OptimizerOptions::bound: no plan takes less (PlanBound). Nullopt: nothing is proven.
  std::optional<Nanoseconds> bound;
  bool boundInOrder = false; ///< of plans in this order of the ops only (PlanBound::inOrder)
  double boundSeconds = 0;   ///< what the proof took; not part of the planning
  /// Of the planning what a policy that proves its plans took to solve them, processor time (SolvingNotes); 0 for others.
  double solvingSeconds = 0;
  Numerics numerics = Numerics::Keep;
  std::vector<NumericsCount> stated; ///< in order of appearance
  std::map<std::string, size_t>
      rewrites; ///< by name: how often each was made; empty if the graph is the input's
  /// By kind of op: those that are refused as declared and legal in the plan (ProblemBinding::repaired).
  std::map<std::string, size_t> repaired;
  /// By kind of op: those whose time nobody knows, as they stay refused or unknown; `after` has nothing of them.
  std::map<std::string, size_t> unknown;
  size_t unknownBefore = 0; ///< and in the input
  /// False: the plan exceeds L1, as nothing may leave it (SpillStrategy::None). It is there to be looked at; the module stays as it was.
  bool fits = true;
  double planningSeconds = 0;
};

/// Of how many ops.
size_t unknownTimes(const FunctionSummary &summary);

/// How much longer the plan takes than the bound, as a share of that; nullopt if nothing is proven.
std::optional<double> gapOf(const FunctionSummary &summary);

/// One optimized function with everything that led to it.
struct OptimizedFunction {
  BuiltProblem built;
  Plan plan;
  PlanCost cost;
  L1Usage l1;
  FunctionSummary summary;
  /// Behind FunctionSummary::bound.
  std::optional<PlanBound> bound;
  /// With OptimizerOptions::decisions.
  std::optional<decisions::FunctionDecisions> decisions;
  /// With OptimizerOptions::decisions or inputTotals: FunctionDecisions::before.
  std::optional<decisions::Totals> input;
  /// With OptimizerOptions::spillCauses.
  std::optional<decisions::SpillCounts> spills;
};

/// A module that was planned with another graph than it came with.
struct RewrittenGraph {
  std::vector<AppliedRewrite> applied;
  KeptOps kept;              ///< what they were not to take away
  std::string before, after; ///< the module without and with them, before it was planned
};

/// What became of a module. Problems and plans refer to the two pools, which must outlive them; it is moved as a whole.
struct OptimizationResult {
  std::unique_ptr<LayoutPool> layouts = std::make_unique<LayoutPool>();
  std::unique_ptr<SignaturePool> signatures = std::make_unique<SignaturePool>();
  std::vector<OptimizedFunction> functions;
  OpModelUse opModel; ///< by all functions together
  std::optional<RewrittenGraph> graph;
};

/// What can be claimed of the plans (OptimizerOptions::bound). Nullopt if a function has no bound.
std::optional<PlanCertificate> certificateOf(const OptimizationResult &result);

/// Optimizes every forward device function of `module` in place, with options as parseOptions gives them. Fails, with a diagnostic, on an unknown policy, an op
/// model that cannot be used,
/// a device description that cannot be used, or an override that an op cannot follow; never on a program that it cannot
/// improve.
mlir::FailureOr<OptimizationResult> optimize(mlir::ModuleOp module, const OptimizerOptions &options);

/// The device that the module's system description names, or nullopt if it has none. Fails, with a diagnostic, on one
/// that describes no usable device.
mlir::FailureOr<std::optional<DeviceSpec>> deviceOfModule(mlir::ModuleOp module);

/// L1 per core that a program in `module` may use: l1Budget(device, cap), less what the module's const-eval results
/// hold for good (`ttnn.l1_const_eval_usage`).
Bytes l1BudgetOf(mlir::ModuleOp module, const DeviceSpec &device, double cap);

/// The built-in device or the policy of that name; nullptr after a diagnostic that lists the known ones.
const DeviceSpec *findDeviceOrDiagnose(llvm::StringRef name,
                                       llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
const PolicyInfo *findPolicyOrDiagnose(llvm::StringRef name,
                                       llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// `{"name", "backend_version", "queries", "hit_rate"[, "unanswered"][, "disk": {"file", "hits", "misses", "hit_rate",
/// "added"}]}`.
llvm::json::Value toJson(const OpModelUse &use);

/// One line for people: who answered, how many questions, and the share that each cache spared.
void printUse(llvm::raw_ostream &os, const OpModelUse &use);

/// The sums over all functions; peak L1 is the largest.
FunctionSummary totalOf(llvm::ArrayRef<OptimizedFunction> functions);

/// One summary as JSON:
/// `{"ops", "values": {...}, "reshards", "spills", "peak_l1_bytes", "estimated_ns": {"before", "after"}, ...}`.
llvm::json::Value toJson(const FunctionSummary &summary);

/// The summary of every function, as text for people.
void printReport(llvm::raw_ostream &os, const OptimizationResult &result);

/// Every step of the plan in order: op, where its result lies, configuration, estimated time and what bounds it,
/// L1 held per core. Ops have the names that 'tessera explain' has for them; where there are several functions each has its own on top.
void printSteps(llvm::raw_ostream &os, const OptimizationResult &result);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_OPTIMIZER_H
