//===- HarvestCommand.cpp - tessera ops harvest ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rows of goldens come from the library itself, in two ways. Calls are made up
// from shapes of published models, by a seed; or a search is listened to, and
// what it asked is asked of the library. The second finds what models do not
// call and planners try.
//
//===----------------------------------------------------------------------===//
#include "HarvestCommand.h"
#include "../Common/OpsOfFile.h"
#include "../Common/Progress.h"
#include "../Common/Session.h"

#include "tessera/Device/L1Budget.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/Listening.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

/// Of --scale: some three million calls.
static constexpr int kMostScale = 1000;

namespace {

/// A question as a call of its own, without the pool that its layouts lie in.
KernelQuery callOf(const OpQuery &query, const OpModelContext &context) {
  KernelQuery call{context.device, query.op, {}, {}, query.config.specific, context.version};
  for (LayoutId id : query.inputs)
    call.inputs.push_back(context.layouts[id]);
  // All or none: a call that leaves one result to the backend leaves all of them.
  if (llvm::all_of(query.config.outputs, std::mem_fn(&LayoutId::valid)))
    for (LayoutId id : query.config.outputs)
      call.outputs.push_back(context.layouts[id]);
  return call;
}

/// Those of the library's version.
OpModelOptions formulasFor(const LibraryCalls &calls) { return {"analytic", calls.version}; }

/// What the op model is asked when `policy` plans the file. False after a diagnostic.
bool listen(const std::string &path, const PolicyInfo &policy, const HarvestArguments &arguments,
            std::vector<NamedCall> &calls) {
  std::unique_ptr<OpsOfFile> file =
      OpsOfFile::read(path, arguments.allowBytecode, findDevice(arguments.device), formulasFor(arguments));
  if (!file)
    return false;
  OpModelContext context{file->device(),
                         file->layouts(),
                         file->l1Budget(kDefaultL1UsageCap),
                         backendVersionOf(formulasFor(arguments)).version,
                         /*calibration=*/nullptr,
                         file->l1Budget(1)};
  size_t first = calls.size();
  auto heard = [&](const std::string &, const OpQuery &query, const ValidationResult &) {
    calls.push_back({path + "#" + std::to_string(calls.size() - first + 1), callOf(query, context)});
  };
  // The table keeps answers, so a question that a search repeats is heard once.
  OpCostTable model(listening(createAnalyticOpModel(context), heard));
  SignaturePool signatures;
  for (const std::unique_ptr<BuiltProblem> &function : file->functions()) {
    if (!isForwardDeviceFunction(function->binding.function))
      continue;
    BuiltProblem built = rebuiltProblem(function->binding.function, model, signatures,
                                        {.conv2d = {}, .numerics = Numerics::Keep});
    solveScheduled(policy, built.problem, model, {});
  }
  return true;
}

std::optional<std::vector<NamedCall>> callsOf(const HarvestArguments &arguments) {
  std::vector<NamedCall> calls;
  if (arguments.fromSearch.empty()) {
    auto made = madeCalls(arguments, arguments.seed);
    if (made)
      return std::move(*made);
    inputError(llvm::toString(made.takeError()));
    return std::nullopt;
  }
  // The name was looked up by harvestOps().
  const PolicyInfo *policy = findPolicy(arguments.policy);
  for (const std::string &path : arguments.fromSearch)
    if (!listen(path, *policy, arguments, calls))
      return std::nullopt;
  return calls;
}

} // namespace

llvm::Expected<std::vector<NamedCall>> tessera::madeCalls(const LibraryCalls &wanted, unsigned seed) {
  // n150 as for modules that describe no board.
  const DeviceSpec *device = findDevice(wanted.device.empty() ? "n150" : wanted.device);
  if (!device)
    return llvm::createStringError("unknown device '" + wanted.device +
                                   "'; 'tessera devices' lists those there are");
  // Calls are made one after the other until there are so many.
  if (!(wanted.scale > 0 && wanted.scale <= kMostScale))
    return llvm::createStringError(
        llvm::formatv("--scale must be above 0 and at most {0}; got {1}", kMostScale, wanted.scale));
  HarvestOptions options{*device, backendVersionOf(formulasFor(wanted)).version, seed, wanted.scale,
                         wanted.ops};
  std::vector<llvm::StringRef> known = harvestedOps();
  for (llvm::StringRef op : wanted.ops) {
    op.consume_front("ttnn.");
    if (!llvm::is_contained(known, op))
      return llvm::createStringError("no model calls '" + op + "'" + didYouMean(op, known) +
                                     ": it cannot be harvested");
  }
  return makeCalls(options);
}

int tessera::harvestOps(const HarvestArguments &arguments) {
  if (!arguments.device.empty() && !findDeviceOrDiagnose(arguments.device))
    return kUsageError;
  // Here, as callsOf() may take long before it needs the policy.
  if (llvm::Expected<const PolicyInfo *> policy = policyNamed(arguments.policy); !policy)
    return usageError(llvm::toString(policy.takeError()));
  std::optional<std::vector<NamedCall>> calls = callsOf(arguments);
  if (!calls)
    return kInputError;
  if (calls->empty())
    return inputError(arguments.fromSearch.empty() ? "with this --scale there is no call to ask about"
                                                   : "the search asks nothing about these modules");
  Progress progress(Progress::wanted(arguments.progress));
  auto answers = askLibrary(*calls, arguments.version, arguments.workers, progress.function());
  if (!answers)
    return inputError(llvm::toString(answers.takeError()));
  progress.clear();
  OutputFile rows{arguments.out, [&](llvm::raw_ostream &os) { os << answers->csv(); }};
  if (!writeFiles({rows}))
    return kInputError;
  llvm::raw_ostream &people = arguments.out == "-" ? llvm::errs() : llvm::outs();
  people << answers->library << " answered " << answers->size() << " of " << calls->size() << " calls\n";
  return kSuccess;
}
