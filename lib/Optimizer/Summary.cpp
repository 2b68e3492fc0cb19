//===- Summary.cpp - What became of a function, for people and programs ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One record from which text, JSON and the total over functions are made; a figure
// has its line in each of the three. Lines of the text that would say nothing are
// left out. How long planning took is in the text alone, so the JSON of one input is
// always the same.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Optimizer.h"

#include "tessera/Optimizer/Plan/ConversionEffects.h"
#include "tessera/Optimizer/Problem/OpLabels.h"
#include "tessera/Support/AddOnce.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

struct ResidencyRow {
  llvm::StringLiteral label, key;
  ResidencyCount FunctionSummary::*count;
};
// From what plans want to what they avoid; labels are for people, keys for scripts.
constexpr ResidencyRow kResidencyRows[] = {
    {"L1 sharded", "l1_sharded", &FunctionSummary::l1Sharded},
    {"L1 interleaved", "l1_interleaved", &FunctionSummary::l1Interleaved},
    {"DRAM", "dram", &FunctionSummary::dram},
    {"host", "host", &FunctionSummary::host},
};

int64_t activations(const FunctionSummary &summary) {
  int64_t total = 0;
  for (const ResidencyRow &row : kResidencyRows)
    total += (summary.*row.count).count;
  return total;
}

double percent(double part, double whole) { return whole > 0 ? 100.0 * part / whole : 0.0; }

void printPeak(llvm::raw_ostream &os, const FunctionSummary &summary) {
  // Three kinds of plan: one that does not fit and was to keep all in L1, one whose peak is an op that runs alone, and
  // the usual one.
  std::string peak = formatBytes(summary.peakL1), budget = formatBytes(summary.l1Budget);
  std::string where = summary.peakL1At.empty() ? "" : " at " + summary.peakL1At;
  if (!summary.fits)
    os << "peak L1         " << peak << " per core" << where << ", of " << budget
       << ": nothing may leave L1 (--spill none), so that this plan does not fit\n";
  else if (summary.peakL1 > summary.l1Budget) // PlanChecker lets nothing but that exceed it
    os << "peak L1         " << peak << " per core" << where
       << ", which runs alone; tensors beside each other have " << budget << "\n";
  else
    os << llvm::formatv("peak L1         {0} of {1} per core ({2:F0} %){3}\n", peak, budget,
                        percent(double(summary.peakL1.value()), double(summary.l1Budget.value())), where);
}

/// "matmul" in the plural, as people say it.
std::string statedText(const NumericsCount &count) {
  std::string kind = llvm::StringRef(count.op).starts_with("conv") ? "convolution" : count.op;
  return counted(int64_t(count.ops), kind) + " " + describe(count.config);
}

void printNumerics(llvm::raw_ostream &os, const FunctionSummary &summary) {
  os << "numerics        " << kNumericsNames[size_t(summary.numerics)];
  llvm::StringRef separator = ": ";
  for (const NumericsCount &count : summary.stated) {
    os << separator << statedText(count);
    separator = ", ";
  }
  os << "\n";
}

llvm::json::Value countAsJson(const NumericsCount &count) {
  return llvm::json::Object{{"op", count.op},
                            {"ops", int64_t(count.ops)},
                            {"math_fidelity", mathFidelities()[count.config.fidelity - 1]},
                            {"math_approx_mode", count.config.approximate},
                            {"fp32_dest_acc_en", count.config.fp32Accumulate},
                            {"packer_l1_acc", count.config.packerL1Accumulate}};
}

/// "2 matmul, 1 argmax".
std::string listed(const std::map<std::string, size_t> &byKind) {
  std::string text;
  for (const auto &[kind, count] : byKind) {
    llvm::StringRef name = kind;
    name.consume_front("ttnn.");
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name.str();
  }
  return text;
}

llvm::json::Object asJson(const std::map<std::string, size_t> &byKind) {
  llvm::json::Object object;
  for (const auto &[op, count] : byKind)
    object[op] = int64_t(count);
  return object;
}

void printRepaired(llvm::raw_ostream &os, const FunctionSummary &summary) {
  if (!summary.repaired.empty())
    os << "repaired        " << listed(summary.repaired) << ": refused as declared, legal in the plan\n";
}

/// Ops that count as nothing in the times above.
void printUnknown(llvm::raw_ostream &os, const FunctionSummary &summary) {
  size_t after = unknownTimes(summary);
  if (after > 0)
    os << "unknown         of " << after << " ops the time is unknown: " << listed(summary.unknown) << "\n";
  if (summary.unknownBefore != after)
    os << "unknown before  of " << summary.unknownBefore << " ops\n";
}

/// Ops whose time is unknown are not part of it, as they are not part of the plan's.
void printBound(llvm::raw_ostream &os, const FunctionSummary &summary) {
  if (std::optional<double> gap = gapOf(summary))
    os << llvm::formatv(
        "bound           {0}: at most {1:F1} % above any plan in these layouts{2} ({3:F2} s)\n",
        formatNanoseconds(*summary.bound), 100 * *gap, summary.boundInOrder ? " and this order of ops" : "",
        summary.boundSeconds);
}

void printSummary(llvm::raw_ostream &os, const FunctionSummary &summary) {
  std::string types;
  for (DataType type : summary.dataTypes)
    types += (types.empty() ? "" : " ") + name(type).str();
  os << "function        @" << summary.function << "  (" << summary.ops << " ops"
     << (types.empty() ? "" : "; ") << types << ")\n";
  os << "device          " << summary.device << ", policy " << summary.policy;
  if (!summary.origin.empty())
    os << " (" << summary.origin << ")";
  os << "\n";
  if (!summary.rewrites.empty())
    os << "rewritten       " << listed(summary.rewrites) << "\n";
  // Shares are of activations: arguments and constants lie where the program put them.
  int64_t total = activations(summary);
  os << "activations     " << total << "  (and " << summary.constants << " arguments and constants)\n";
  for (const ResidencyRow &row : kResidencyRows) {
    const ResidencyCount &count = summary.*row.count;
    // Rows without tensors, usually the host's, are left out; the JSON has every row.
    if (count.count > 0)
      os << llvm::formatv("  {0,-14}{1,5}  {2,5:F1} %  {3}\n", row.label, count.count,
                          percent(double(count.count), double(total)), formatBytes(count.bytes));
  }
  os << "conversions     " << counted(summary.reshards, "reshard") << ", " << counted(summary.spills, "spill")
     << ", " << counted(summary.reloads, "reload");
  if (summary.returns > 0)
    os << ", " << summary.returns << " for the return";
  // Else they would pass for what the plan added.
  if (summary.ofInput > 0)
    os << "; " << summary.ofInput << " of them the program's own";
  os << "\n";
  if (summary.keptPlaces > 0)
    os << "places kept     " << summary.keptPlaces
       << ", each by a ttnn.empty until what lies there is made\n";
  printPeak(os, summary);
  printNumerics(os, summary);
  printRepaired(os, summary);
  os << llvm::formatv("estimated time  {0} before, {1} after ({2:F2}x), within {3} to {4}\n",
                      formatNanoseconds(summary.before), formatNanoseconds(summary.after),
                      summary.after.value() > 0 ? summary.before / summary.after : 1.0,
                      formatNanoseconds(summary.afterRange.first),
                      formatNanoseconds(summary.afterRange.second));
  printUnknown(os, summary);
  printBound(os, summary);
  os << llvm::formatv("planned in      {0:F2} s", summary.planningSeconds);
  if (summary.solvingSeconds > 0)
    os << llvm::formatv(", {0:F3} s of it solving", summary.solvingSeconds);
  os << "\n";
}

} // namespace

size_t tessera::unknownTimes(const FunctionSummary &summary) {
  size_t ops = 0;
  for (const auto &[op, count] : summary.unknown)
    ops += count;
  return ops;
}

/// 0.05: the plan takes at most 5 % more than the best one.
std::optional<double> tessera::gapOf(const FunctionSummary &summary) {
  // Above a bound of nothing no share is a figure.
  if (!summary.bound || *summary.bound <= Nanoseconds(0))
    return std::nullopt;
  // Not below 0: a bound is a whole number of its parts, and a plan's time may round to less.
  return std::max(0.0, summary.after / *summary.bound - 1);
}

void tessera::addCount(std::vector<NumericsCount> &counts, const NumericsCount &count) {
  auto same = [&](const NumericsCount &known) {
    return known.op == count.op && known.config == count.config;
  };
  if (auto found = llvm::find_if(counts, same); found != counts.end())
    found->ops += count.ops;
  else
    counts.push_back(count);
}

void tessera::printUse(llvm::raw_ostream &os, const OpModelUse &use) {
  os << "op model        " << use.name;
  // The usual backend goes without saying.
  if (use.backendVersion != kDefaultBackendVersion)
    os << " for " << use.backendVersion;
  os << ", " << use.queries << " queries, " << formatPercent(use.hitRate) << " from the cache";
  if (use.unanswered)
    os << ", " << *use.unanswered << " without an answer";
  os << "\n";
  if (const std::optional<DiskCacheUse> &disk = use.disk)
    os << "cache file      " << disk->file << ": " << formatPercent(disk->hitRate()) << " of the other "
       << disk->hits + disk->misses << " questions, " << disk->added << " answers added\n";
}

llvm::json::Value tessera::toJson(const OpModelUse &use) {
  llvm::json::Object object{{"name", use.name},
                            {"backend_version", use.backendVersion},
                            {"queries", int64_t(use.queries)},
                            {"hit_rate", use.hitRate}};
  if (use.unanswered)
    object["unanswered"] = int64_t(*use.unanswered);
  if (const std::optional<DiskCacheUse> &disk = use.disk)
    object["disk"] = llvm::json::Object{{"file", disk->file},
                                        {"hits", int64_t(disk->hits)},
                                        {"misses", int64_t(disk->misses)},
                                        {"hit_rate", disk->hitRate()},
                                        {"added", int64_t(disk->added)}};
  return object;
}

void tessera::printReport(llvm::raw_ostream &os, const OptimizationResult &result) {
  for (const OptimizedFunction &function : result.functions)
    printSummary(os, function.summary);
  printUse(os, result.opModel);
  if (result.functions.empty())
    os << "no forward device function: nothing to optimize\n";
}

/// `labels`: by OpId, what its ops are called.
static void printStepsOf(llvm::raw_ostream &os, const OptimizedFunction &function,
                         llvm::ArrayRef<std::string> labels) {
  const Problem &problem = function.built.problem;
  const Plan &plan = function.plan;
  std::vector<std::optional<ConversionEffect>> effects = conversionEffects(problem, plan);
  auto nameOf = [&](size_t step) {
    const bool runs = plan.steps[step].isRun();
    if (!runs && !effects[step])
      return std::string("conversion");
    OpId op = runs ? plan.steps[step].op : effects[step]->op;
    std::string label = op.valid() ? labels[op.index()] : "";
    return runs ? label : conversionText(effects[step]->reason, label);
  };
  TextTable table({{"step", Align::Right},
                   {"op"},
                   {"result"},
                   {"configuration"},
                   {"time", Align::Right},
                   {"bound by"},
                   {"L1 tensors", Align::Right},
                   {"L1 buffers", Align::Right},
                   {"L1 margin", Align::Right}});
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const PlanStep &step = plan.steps[i];
    // An unknown time counts as 0, and printed like one would pass for fast.
    bool isUnknown = llvm::is_contained(function.l1.unknown, StepIndex(i));
    std::string result =
        step.writes.empty() ? "" : describe(problem.layout(plan[step.writes.front()].layout));
    table.add({std::to_string(i), nameOf(i), result,
               step.isRun() ? describe(plan.configs[step.op.index()].specific) : "",
               isUnknown ? "unknown" : formatNanoseconds(function.cost.steps[i].total),
               // What takes nothing, as a view does, is bound by nothing.
               isUnknown || function.cost.steps[i].total == Nanoseconds(0)
                   ? ""
                   : boundBy(function.cost.steps[i]).str(),
               formatBytes(function.l1.tensors[i]), formatBytes(function.l1.buffers[i]),
               formatBytes(function.l1.margins[i])});
  }
  table.print(os);
}

void tessera::printSteps(llvm::raw_ostream &os, const OptimizationResult &result) {
  OpNumbers numbers;
  for (const OptimizedFunction &function : result.functions) {
    if (result.functions.size() > 1)
      os << "@" << function.summary.function << "\n";
    printStepsOf(os, function, opLabels(function.built.problem, numbers));
    numbers.skip(function.built.problem);
  }
}

/// Functions may have plans of other origins: each is named once.
static std::string originsOf(llvm::ArrayRef<OptimizedFunction> functions) {
  std::vector<llvm::StringRef> origins;
  for (const OptimizedFunction &function : functions)
    if (llvm::StringRef origin = function.summary.origin; !origin.empty())
      addOnce(origins, origin);
  return llvm::join(origins, ", ");
}

/// The functions run one after the other, so that their peaks do not add up; their times do. With the peak comes the budget that it is one
/// of: a cap may be raised for one function alone.
static void addPeak(FunctionSummary &total, const FunctionSummary &summary) {
  if (total.peakL1At.empty() || total.peakL1 < summary.peakL1) {
    total.peakL1 = summary.peakL1;
    total.l1Budget = summary.l1Budget;
    total.peakL1At = summary.peakL1At;
  }
  total.peakTensors = std::max(total.peakTensors, summary.peakTensors);
}

/// As if all functions were one: counts and times add up, peaks do not, and what is the same for all (device,
/// policy) is that of the last.
FunctionSummary tessera::totalOf(llvm::ArrayRef<OptimizedFunction> functions) {
  FunctionSummary total;
  total.origin = originsOf(functions);
  for (const OptimizedFunction &function : functions) {
    const FunctionSummary &summary = function.summary;
    total.function += (total.function.empty() ? "" : ",") + summary.function;
    total.device = summary.device;
    total.policy = summary.policy;
    for (DataType type : summary.dataTypes)
      addOnce(total.dataTypes, type);
    // A mean of means, by what each is a mean of: the values that lie sharded in L1.
    if (int64_t sharded = total.l1Sharded.count + summary.l1Sharded.count)
      total.meanCores = (total.meanCores * double(total.l1Sharded.count) +
                         summary.meanCores * double(summary.l1Sharded.count)) /
                        double(sharded);
    for (const ResidencyRow &row : kResidencyRows) {
      (total.*row.count).count += (summary.*row.count).count;
      (total.*row.count).bytes += (summary.*row.count).bytes;
    }
    total.numerics = summary.numerics;
    for (const NumericsCount &count : summary.stated)
      addCount(total.stated, count);
    using S = FunctionSummary;
    auto add = [&](auto... figures) { ((total.*figures += summary.*figures), ...); };
    add(&S::ops, &S::constants, &S::reshards, &S::spills, &S::returns, &S::reloads, &S::ofInput,
        &S::keptPlaces, &S::unknownBefore, &S::before, &S::after, &S::boundSeconds, &S::planningSeconds,
        &S::solvingSeconds);
    for (auto counts : {&S::rewrites, &S::repaired, &S::unknown})
      for (const auto &[name, count] : summary.*counts)
        (total.*counts)[name] += count;
    total.fits &= summary.fits;
    addPeak(total, summary);
    // They are of the same families of ops, so they are off together.
    total.afterRange.first += summary.afterRange.first;
    total.afterRange.second += summary.afterRange.second;
    // A sum of bounds is one of the sum; without one of them nothing is known of it.
    if (&function == functions.begin() || total.bound)
      total.bound =
          summary.bound ? std::optional(total.bound.value_or(Nanoseconds(0)) + *summary.bound) : std::nullopt;
    total.boundInOrder |= summary.boundInOrder;
  }
  return total;
}

llvm::json::Value tessera::toJson(const FunctionSummary &summary) {
  // Scripts find figures by their keys, so a key says its unit, and all keys are there whatever the plan holds.
  llvm::json::Object values;
  for (const ResidencyRow &row : kResidencyRows)
    values[row.key] = llvm::json::Object{{"count", (summary.*row.count).count},
                                         {"bytes", (summary.*row.count).bytes.value()}};
  llvm::json::Array types;
  for (DataType type : summary.dataTypes)
    types.push_back(name(type));
  llvm::json::Array stated;
  for (const NumericsCount &count : summary.stated)
    stated.push_back(countAsJson(count));
  return llvm::json::Object{
      {"function", summary.function},
      {"device", summary.device},
      {"policy", summary.policy},
      {"origin", summary.origin},
      {"ops", int64_t(summary.ops)},
      {"data_types", std::move(types)},
      {"values", std::move(values)},
      {"constants", int64_t(summary.constants)},
      {"mean_cores", summary.meanCores},
      {"reshards", summary.reshards},
      {"spills", summary.spills},
      {"returns", summary.returns},
      {"reloads", summary.reloads},
      {"input_conversions", summary.ofInput},
      {"kept_places", summary.keptPlaces},
      {"l1_budget_bytes", summary.l1Budget.value()},
      {"peak_l1_bytes", summary.peakL1.value()},
      {"peak_l1_at", summary.peakL1At},
      {"fits", summary.fits},
      {"peak_l1_tensors_bytes", summary.peakTensors.value()},
      {"numerics", llvm::json::Object{{"choice", kNumericsNames[size_t(summary.numerics)]},
                                      {"stated", std::move(stated)}}},
      {"rewrites", asJson(summary.rewrites)},
      {"repaired", asJson(summary.repaired)},
      {"unknown_time", llvm::json::Object{{"before", int64_t(summary.unknownBefore)},
                                          {"after", int64_t(unknownTimes(summary))},
                                          {"ops", asJson(summary.unknown)}}},
      {"estimated_ns", llvm::json::Object{{"before", summary.before.value()},
                                          {"after", summary.after.value()},
                                          {"after_low", summary.afterRange.first.value()},
                                          {"after_high", summary.afterRange.second.value()}}},
      {"bound_ns", summary.bound ? llvm::json::Value(summary.bound->value()) : llvm::json::Value(nullptr)},
      {"bound_in_order", summary.boundInOrder},
  };
}
