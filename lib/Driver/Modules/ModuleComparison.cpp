//===- ModuleComparison.cpp - Whether two modules compute the same --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Both modules run on the same inputs; results and what was written in place are
// compared. Which op is the first to compute something else is found without
// pairing ops: the value of an op of the first module must turn up somewhere in
// the second, since conversions and reordering change no values.
//
//===----------------------------------------------------------------------===//
#include "ModuleComparison.h"

#include "../Common/Session.h"
#include "ComparedErrors.h"

#include "tessera/Simulator/Compare.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace tessera;
using simulator::Arithmetic;
using simulator::Comparison;
using simulator::Fingerprint;
using simulator::Function;
using simulator::MeshTensor;
using simulator::RunResult;

namespace {

/// A function of both modules.
struct Pair {
  const SimulatedFile &before, &after;
  const Function &functionBefore, &functionAfter;

  /// Both get the same values, also where the second asks less of them, as it bounds an index itself.
  SimulatorInputs inputs(const ComparisonRequest &request) const {
    SimulatorInputs inputs = request.inputs;
    inputs.ranges = before.ranges(functionBefore);
    return inputs;
  }
};

/// How far two tensors are apart, for people: "exact", or the figures and the first element that differs.
std::string describe(const Comparison &comparison) {
  if (!comparison.sameType)
    return "another shape or kind of elements";
  if (comparison.exact())
    return "exact";
  std::string text =
      llvm::formatv("pcc {0:F6}, max abs {1:g}, {2} ulp, {3} of {4} elements differ, the first is {5}",
                    comparison.pcc, comparison.maxAbsolute, comparison.maxUlp, comparison.different,
                    comparison.elements, *comparison.first);
  if (comparison.notFinite)
    text += llvm::formatv(", {0} not finite", comparison.notFinite);
  return text;
}

/// Prints a line per tensor; true if all are equal.
bool compareTensors(const std::string &name, const MeshTensor &before, const MeshTensor &after,
                    llvm::raw_ostream &os) {
  // A plan for another mesh has another number of parts, which nothing can be compared with: no line then.
  bool equal = before.size() == after.size();
  for (size_t device = 0; equal && device < before.size(); ++device) {
    Comparison comparison = simulator::compare(before[device], after[device]);
    // Bit by bit, since both modules compute in the same arithmetic: a plan changes where tensors lie, not what
    // they hold. How far they are apart is told for people only.
    equal &= comparison.exact();
    os << name << (before.size() > 1 ? ".device" + std::to_string(device) : "") << "  "
       << simulator::describe(before[device].desc) << "  " << describe(comparison) << "\n";
  }
  return equal;
}

/// The results first, then what arguments were written in place, as caches are. True if all are equal.
bool compareRuns(const Function &function, const RunResult &before, const RunResult &after,
                 llvm::raw_ostream &os) {
  bool equal =
      before.returned.size() == after.returned.size() && before.written.size() == after.written.size();
  if (!equal)
    os << function.name << "  another number of results or of arguments that are written\n";
  // What both have is compared all the same: the lines may tell which one is missing.
  for (size_t i = 0; i < std::min(before.returned.size(), after.returned.size()); ++i)
    equal &= compareTensors(function.name + ".result" + std::to_string(i), before.returned[i],
                            after.returned[i], os);
  for (const auto &[argument, tensor] : before.written)
    if (auto found = after.written.find(argument); found != after.written.end())
      equal &=
          compareTensors(function.name + ".argument" + std::to_string(argument), tensor, found->second, os);
  return equal;
}

/// A value that an op computed.
struct Computed {
  const simulator::Step *step;
  size_t ofItsKind; ///< from 0
  std::vector<Fingerprint> values;
};

/// What all ops of a function compute, in the order they ran; none after a diagnostic.
std::optional<std::vector<Computed>> trace(const SimulatedFile &file, const Function &function,
                                           const SimulatorInputs &inputs, const ComparisonRequest &request,
                                           Progress &progress) {
  std::vector<Computed> computed;
  // Numbers among ops of a kind, since a plan adds conversions, which move all other numbers.
  llvm::StringMap<size_t> kinds;
  auto note = [&](const simulator::StepResult &made) {
    // Fingerprints in place of values, as all values of a run take far more memory than those that live at
    // once.
    Computed entry{&made.step, kinds[made.step.op.name]++, {}};
    for (const simulator::DenseTensor &tensor : made.values)
      entry.values.push_back(fingerprint(tensor));
    computed.push_back(std::move(entry));
  };
  simulator::MachineOptions options{request.memory, progress.function("bisecting: "), note};
  options.processes = request.processes;
  if (!file.run(function, inputs, options))
    return std::nullopt;
  return computed;
}

/// The op whose value is missing, and the one of the second module that most likely should have made it.
void printFirst(const Computed &first, llvm::ArrayRef<Computed> after, llvm::raw_ostream &os) {
  os << "first difference  " << first.step->op.name << " at " << first.step->place
     << ": no op of the second module computes this value\n";
  for (const Computed &other : after)
    // A guess: no ops were paired, and a plan may run ops of a kind in another order.
    if (other.step->op.name == first.step->op.name && other.ofItsKind == first.ofItsKind)
      os << "its counterpart   " << other.step->op.name << " at " << other.step->place
         << ", by number among its kind\n";
}

/// False after a diagnostic.
bool bisect(const Pair &pair, const ComparisonRequest &request, Progress &progress, llvm::raw_ostream &os) {
  progress.restart(); // nobody counted on this
  const SimulatorInputs inputs = pair.inputs(request);
  progress.setPart({0, 0.5});
  std::optional<std::vector<Computed>> before =
      trace(pair.before, pair.functionBefore, inputs, request, progress);
  progress.setPart({0.5, 1});
  std::optional<std::vector<Computed>> after =
      before ? trace(pair.after, pair.functionAfter, inputs, request, progress) : std::nullopt;
  progress.clear();
  if (!after)
    return false;
  // All devices of a mesh have to agree, so the fingerprints of a value are looked up together.
  std::set<std::vector<Fingerprint>> known;
  for (const Computed &computed : *after)
    known.insert(computed.values);
  // Anywhere in the second module, as its ops stand in another order.
  auto first =
      llvm::find_if(*before, [&](const Computed &computed) { return !known.contains(computed.values); });
  if (first == before->end())
    os << "first difference  none: every value of the first module turns up in the second\n";
  else
    printFirst(*first, *after, os);
  return true;
}

/// The functions of both, by name; empty after a diagnostic.
std::vector<Pair> pairs(const SimulatedFile &before, const SimulatedFile &after) {
  // By name and number of arguments alone: whether they compute the same is the question.
  std::vector<Pair> paired;
  for (const Function *function : before.forwardFunctions()) {
    std::vector<const Function *> others = after.forwardFunctions();
    auto found = llvm::find_if(others, [&](const Function *other) { return other->name == function->name; });
    if (found == others.end() || (*found)->arguments.size() != function->arguments.size()) {
      inputError("the second module has no @" + function->name + " with " +
                 llvm::Twine(function->arguments.size()) + " arguments");
      return {};
    }
    paired.push_back({before, after, *function, **found});
  }
  return paired;
}

} // namespace

/// False after a line for each thing that the simulator does not see.
static bool isUnderstood(const SimulatedFile &file) {
  for (const std::string &unread : file.notUnderstood())
    errorStream() << unread << ": not understood\n";
  return file.notUnderstood().empty();
}

std::optional<ModuleComparison> ModuleComparison::prepare(const SimulatedFile &before,
                                                          llvm::ArrayRef<const SimulatedFile *> after,
                                                          ComparisonRequest request) {
  bool comparable = isUnderstood(before);
  for (const SimulatedFile *file : after) {
    comparable &= isUnderstood(*file);
    // All files are looked at before any runs, so that all that is not understood is told at once.
    if (comparable && pairs(before, *file).empty())
      return std::nullopt;
  }
  if (!comparable) {
    inputError("not comparable: the simulator would compute as if what stands above were not there");
    return std::nullopt;
  }
  return ModuleComparison(before, std::move(request));
}

simulator::MachineOptions ModuleComparison::options(Arithmetic arithmetic, ProgressFunction progress) const {
  simulator::MachineOptions options{request.memory, std::move(progress), nullptr};
  options.arithmetic = arithmetic;
  options.known = known.get();
  options.processes = request.processes;
  return options;
}

bool ModuleComparison::runReference(Progress &progress) {
  bool isUnrounded = request.reference == Reference::Unrounded;
  // One run per function, kept until each of the plans has been compared with it.
  for (auto [index, function] : llvm::enumerate(before.forwardFunctions())) {
    // The first half of runBefore().
    ProgressFunction its =
        progress.function("reference: ", partOf(index, 2 * before.forwardFunctions().size()));
    // Always exact: what both runs are measured against must not have the rounding that is asked about.
    simulator::MachineOptions machine = options(Arithmetic::Exact, std::move(its));
    std::optional<RunResult> result = isUnrounded ? before.runUnrounded(*function, request.inputs, machine)
                                                  : before.run(*function, request.inputs, machine);
    progress.clear();
    if (!result)
      return false;
    exact.push_back(std::move(*result));
  }
  return true;
}

bool ModuleComparison::runBefore(Progress &progress) {
  if (request.comparesErrors() && !runReference(progress))
    return false;
  // The reference has had the first half.
  ProgressPart behind = {request.comparesErrors() ? 0.5 : 0, 1};
  for (auto [index, function] : llvm::enumerate(before.forwardFunctions())) {
    ProgressFunction its =
        progress.function("before: ", behind).part(partOf(index, before.forwardFunctions().size()));
    std::optional<RunResult> result =
        before.run(*function, request.inputs, options(request.arithmetic, std::move(its)));
    progress.clear();
    if (!result)
      return false;
    results.push_back(std::move(*result));
  }
  return true;
}

std::optional<bool> ModuleComparison::compare(const SimulatedFile &after, Progress &progress,
                                              llvm::raw_ostream &os) const {
  if (request.comparesErrors())
    return compareErrors(after, progress, os);
  bool equal = true;
  // Functions in the order of runBefore(), whose results are paired with them by that.
  for (auto [index, pair, first] : llvm::enumerate(pairs(before, after), results)) {
    ProgressFunction its = progress.function("after: ", partOf(index, results.size()));
    std::optional<RunResult> second =
        after.run(pair.functionAfter, pair.inputs(request), options(request.arithmetic, std::move(its)));
    progress.clear();
    if (!second)
      return std::nullopt;
    // Only functions that differ are run again for the bisection: tracing takes a run of each module.
    bool same = compareRuns(pair.functionBefore, first, *second, os);
    equal &= same;
    if (!same && request.bisect && !bisect(pair, request, progress, os))
      return std::nullopt;
  }
  os << (equal ? "equal\n" : "different\n");
  return equal;
}

std::optional<bool> ModuleComparison::compareErrors(const SimulatedFile &after, Progress &progress,
                                                    llvm::raw_ostream &os) const {
  // The largest growth of an error among all results, as a share: 0.1 for a tenth more.
  double worst = 0;
  bool comparable = true;
  for (auto [index, pair, reference, first] : llvm::enumerate(pairs(before, after), exact, results)) {
    ProgressFunction its = progress.function("after: ", partOf(index, results.size()));
    std::optional<RunResult> second =
        after.run(pair.functionAfter, pair.inputs(request), options(request.arithmetic, std::move(its)));
    progress.clear();
    if (!second)
      return std::nullopt;
    std::optional<double> error = printErrors({pair.functionBefore, reference, first, *second}, os);
    comparable &= error.has_value();
    worst = std::max(worst, error.value_or(0));
  }
  if (!comparable) {
    os << "not comparable: all elements of a result are infinite or no numbers; other --inputs may tell "
          "more\n";
    return false;
  }
  if (worst > kErrorTolerance) {
    const bool isAllowed = request.errorGrowth && worst <= *request.errorGrowth;
    os << llvm::formatv("{0}: the plan's error exceeds its input's by {1:P0}",
                        isAllowed ? "no worse than allowed" : "worse", worst);
    os << (request.errorGrowth ? llvm::formatv("; {0:P0} are allowed\n", *request.errorGrowth).str() : "\n");
  } else {
    os << "as exact as the input\n";
  }
  // Without a bound a larger error is a finding and no failure.
  return worst <= request.errorGrowth.value_or(worst);
}
