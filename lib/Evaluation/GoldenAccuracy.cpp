//===- GoldenAccuracy.cpp - The analytic model against a real backend ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each row is a question of its own: in a pool of its own, for the device and the
// version that were asked, with as much L1 as these had. It counts by what it states:
// whether the call is legal, figures that are equal or within a bound, and how results
// are laid out.
//
//===----------------------------------------------------------------------===//
#include "Golden.h"

#include "tessera/Device/L1Budget.h"
#include "tessera/Evaluation/Harvest.h"
#include "tessera/OpModel/OpTable.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera {

using evaluation::Golden, evaluation::GoldenCondition, evaluation::GoldenFigure;

void GoldenAccuracy::operator+=(const GoldenAccuracy &other) {
  strict += other.strict;
  for (Share GoldenAccuracy::*field :
       {&GoldenAccuracy::legality, &GoldenAccuracy::circularBuffers, &GoldenAccuracy::tensorPeak,
        &GoldenAccuracy::peak, &GoldenAccuracy::outputBytes, &GoldenAccuracy::bounds,
        &GoldenAccuracy::notBelow, &GoldenAccuracy::results})
    this->*field += other.*field;
  tooLax += other.tooLax;
}

// The revision that all formulas are checked against, and most rows are of (facts/formulas 0).
llvm::StringRef primaryRevision() { return "83a805e36c"; }

namespace {

/// What the model says to a row, and what the row's operands take, which some tables count.
struct GoldenAnswer {
  ValidationResult result;
  Bytes operands; ///< L1 per core
};

/// The backend was asked without dispatching: it allocated nothing and never found that anything did not fit
/// (facts/formulas 1). The compiler did where it was given a cap (14).
Bytes budgetOf(const Golden &golden, const DeviceSpec &device) {
  double cap = golden.call.query.signature.number("tensor_l1_usage_cap", 0);
  // 2^50 bytes are more than any chip has, so nothing fails to fit.
  return cap > 0 ? l1Budget(device, cap) : Bytes(int64_t(1) << 50);
}

/// The model's answer to one row, in pools of its own.
GoldenAnswer ask(const Golden &golden) {
  const KernelQuery &asked = golden.call.query;
  LayoutPool layouts;
  DeviceSpec device = asOpenedBy(asked.backend, asked.device);
  OpModelContext context{device, layouts, budgetOf(golden, device), asked.backend};
  Explanation told = explain(context, evaluation::QueryInPool(asked, layouts).query());
  OpConstraints &figures = told.result.constraints;
  // As the backend's statistics have it: buffers of one program whatever cores they lie on, of several results the first.
  figures.cbL1PeakSize = told.addedBuffers;
  if (figures.outputLayouts.size() > 1)
    figures.outputL1BufferSize = l1BytesPerCore(layouts[figures.outputLayouts.front()], device);
  return {std::move(told.result), told.operands};
}

/// Whether the figure is in that relation to the one of the table: "=", ">", ">=" and, if none of these, "<=".
bool holds(const GoldenCondition &condition, int64_t actual) {
  return condition.relation == ">="  ? actual >= condition.value
         : condition.relation == ">" ? actual > condition.value
         : condition.relation == "=" ? actual == condition.value
                                     : actual <= condition.value;
}

/// The issue for which the rule refuses what the backend accepts; empty if it does not.
llvm::StringRef strictFor(llvm::StringRef rule) {
  const RuleInfo *info = findRule(rule);
  return info ? info->strictFor : llvm::StringRef();
}

/// Scores one row; what is wrong, or strict on purpose, goes to the evaluation's lists.
class Scorer {
public:
  Scorer(const Golden &golden, GoldenEvaluation &evaluation) : golden(golden), evaluation(evaluation) {}

  GoldenAccuracy score() {
    auto [result, operands] = ask(golden);
    // Our figures leave operands out (facts/formulas 1); some tables' do not.
    if (golden.operandsCounted) {
      result.constraints.tensorL1PeakSize += operands;
      result.constraints.peakL1MemorySize += operands;
    }
    // A result that is laid out otherwise than asked ran all the same.
    bool legal = result.status == ValidationStatus::Success ||
                 result.status == ValidationStatus::UnmatchedReferenceConfig;
    if (golden.legal)
      scoreLegality(result, legal);
    if (legal)
      scoreFigures(result.constraints);
    if (legal && golden.differences)
      scoreResults(result.status);
    return accuracy;
  }

private:
  /// Notes what is wrong with the row, with its id and op in front.
  void remark(const std::string &text) { remark(evaluation.wrong, text); }
  void remark(std::vector<RowRemark> &list, const std::string &text) {
    list.push_back({golden.id, golden.call.query.signature.name + ": " + text});
  }

  /// Whether the model accepts what the backend accepts. "Too lax" is the worse mistake: the plan would not run.
  void scoreLegality(const ValidationResult &result, bool legal) {
    llvm::StringRef issue = strictFor(result.rule);
    // Refused on purpose: neither right nor wrong, and counted by itself.
    if (*golden.legal && !issue.empty()) {
      ++accuracy.strict;
      return remark(evaluation.strict, llvm::formatv("{0} ({1})", result.rule, issue));
    }
    accuracy.legality.count(legal == *golden.legal);
    accuracy.tooLax += legal && !*golden.legal;
    if (legal != *golden.legal)
      remark(llvm::formatv("expected {0}, got {1} {2}", *golden.legal ? "legal" : "refused",
                           name(result.status), result.message.empty() ? golden.note : result.message));
  }

  /// Exact figures count for their own kind, bounds all together.
  void scoreFigures(const OpConstraints &c) {
    for (const GoldenCondition &condition : golden.conditions) {
      const GoldenFigure &figure = *condition.figure;
      int64_t actual = (c.*figure.value).value();
      bool exact = condition.relation == "=";
      (accuracy.*(exact ? figure.exact : &GoldenAccuracy::bounds)).count(holds(condition, actual));
      if (exact)
        // Too small is worse than too large: the plan would not fit on the device.
        accuracy.notBelow.count(double(actual) >= 0.98 * double(condition.value));
      if (!holds(condition, actual))
        remark(llvm::formatv("{0} expected {1}{2}, got {3}", figure.what,
                             exact ? "" : condition.relation + " ", condition.value, actual));
    }
  }

  /// Results that the backend lays out otherwise than asked are UnmatchedReferenceConfig.
  void scoreResults(ValidationStatus status) {
    bool right = golden.differences->empty() == (status == ValidationStatus::Success);
    accuracy.results.count(right);
    if (!right)
      remark(golden.differences->empty() ? "result as asked, expected another"
                                         : "result of another " + *golden.differences);
  }

  const Golden &golden;
  GoldenEvaluation &evaluation;
  GoldenAccuracy accuracy;
};

} // namespace

evaluation::QueryInPool::QueryInPool(const KernelQuery &call, LayoutPool &pool) : signature(call.signature) {
  for (const TensorLayout &layout : call.inputs)
    inputs.push_back(pool.intern(layout));
  config.specific = call.specific;
  for (const TensorLayout &layout : call.outputs)
    config.outputs.push_back(pool.intern(layout));
  // A table may state fewer results than the op has; the others are left to the model.
  config.outputs.resize(call.signature.results.size());
}

GoldenAccuracy evaluation::scoreOf(const Golden &golden, GoldenEvaluation &evaluation) {
  return Scorer(golden, evaluation).score();
}

llvm::Expected<std::vector<Golden>> evaluation::goldensOf(llvm::StringRef path,
                                                          std::vector<RowRemark> &skipped) {
  llvm::Expected<CsvTable> table = CsvTable::read(path);
  if (!table)
    return table.takeError();
  // A table of another format is imported; if it is of none that is known, our reader says what it lacks.
  if (!evaluation::isOurs(*table))
    if (auto imported = evaluation::importGoldens(*table, skipped))
      return std::move(*imported);
  return evaluation::readGoldens(*table);
}

llvm::Expected<GoldenEvaluation> evaluateGoldens(llvm::StringRef path) {
  GoldenEvaluation evaluation;
  auto goldens = tessera::evaluation::goldensOf(path, evaluation.skipped);
  if (!goldens)
    return goldens.takeError();
  for (const Golden &golden : *goldens) {
    // Ops that the model does not know are scored, too: they are answers that it fails to give.
    const OpInfo *op = findOp(golden.call.query.signature.name);
    GoldenAccuracy accuracy = tessera::evaluation::scoreOf(golden, evaluation);
    evaluation.families[op ? op->family.str() : "unknown"] += accuracy;
    evaluation.all += accuracy;
    if (golden.revision == primaryRevision())
      evaluation.primary += accuracy;
  }
  return evaluation;
}

llvm::Expected<std::vector<NamedCall>> goldenCalls(llvm::StringRef path, std::vector<RowRemark> &skipped) {
  auto goldens = evaluation::goldensOf(path, skipped);
  if (!goldens)
    return goldens.takeError();
  std::vector<NamedCall> calls;
  for (Golden &golden : *goldens)
    calls.push_back({std::move(golden.id), std::move(golden.call.query)});
  return calls;
}

llvm::Expected<std::string> convertGoldens(llvm::StringRef path, std::vector<RowRemark> &skipped) {
  auto goldens = tessera::evaluation::goldensOf(path, skipped);
  if (!goldens)
    return goldens.takeError();
  return evaluation::goldensText(*goldens);
}

namespace {

/// The share of rows that are right; null, and not 0 or 1, if there is no row to be right about.
llvm::json::Value valueOf(const Share &share) {
  std::optional<double> value = share.value();
  return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
}

/// Shares are 0 to 1, all else is a number of rows.
llvm::json::Object keysOf(const GoldenAccuracy &a) {
  return llvm::json::Object{{"legality_accuracy", valueOf(a.legality)},
                            {"cb_peak_exact", valueOf(a.circularBuffers)},
                            {"tensor_peak_exact", valueOf(a.tensorPeak)},
                            {"peak_exact", valueOf(a.peak)},
                            {"output_bytes_exact", valueOf(a.outputBytes)},
                            {"not_below_by_2_percent", valueOf(a.notBelow)},
                            {"strict_on_purpose", int64_t(a.strict)},
                            {"too_lax", int64_t(a.tooLax)},
                            {"results_right", valueOf(a.results)},
                            {"bounds_violated", int64_t(a.bounds.all - a.bounds.right)},
                            {"legality_rows", int64_t(a.legality.all)},
                            {"cb_peak_rows", int64_t(a.circularBuffers.all)},
                            {"bounds_rows", int64_t(a.bounds.all)}};
}

} // namespace

llvm::json::Object toJson(const GoldenEvaluation &evaluation) {
  llvm::json::Object json = keysOf(evaluation.all);
  json["primary_revision"] = keysOf(evaluation.primary);
  llvm::json::Object families;
  for (const auto &[family, accuracy] : evaluation.families)
    families[family] = keysOf(accuracy);
  json["golden_families"] = std::move(families);
  json["goldens_skipped"] = int64_t(evaluation.skipped.size());
  return json;
}

} // namespace tessera
