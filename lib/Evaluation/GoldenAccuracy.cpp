//===- GoldenAccuracy.cpp - The analytic model against a real backend ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Golden.h"

#include "tessera/Device/L1Budget.h"
#include "tessera/OpModel/OpTable.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera {

using evaluation::Golden, evaluation::GoldenCondition, evaluation::GoldenFigure;

void GoldenAccuracy::operator+=(const GoldenAccuracy &other) {
  for (Share GoldenAccuracy::*field :
       {&GoldenAccuracy::legality, &GoldenAccuracy::circularBuffers, &GoldenAccuracy::tensorPeak,
        &GoldenAccuracy::peak, &GoldenAccuracy::outputBytes, &GoldenAccuracy::bounds,
        &GoldenAccuracy::notBelow})
    this->*field += other.*field;
}

llvm::StringRef primaryRevision() { return "83a805e36c"; }

namespace {

struct GoldenAnswer {
  ValidationResult result;
  Bytes operands; ///< L1 per core
};

/// The backend was asked without dispatching: it allocated nothing and never found that anything did not fit
/// (facts/formulas 1). The compiler did where it was given a cap (14).
Bytes budgetOf(const Golden &golden, const DeviceSpec &device) {
  double cap = golden.call.query.signature.number("tensor_l1_usage_cap", 0);
  return cap > 0 ? l1Budget(device, cap) : Bytes(int64_t(1) << 50);
}

/// The model's answer to one row, in pools of its own.
GoldenAnswer ask(const Golden &golden) {
  const KernelQuery &asked = golden.call.query;
  LayoutPool layouts;
  DeviceSpec device = asOpenedBy(asked.backend, asked.device);
  OpModelContext context{device, layouts, budgetOf(golden, device), asked.backend};
  llvm::SmallVector<LayoutId, 4> inputs;
  for (const TensorLayout &layout : asked.inputs)
    inputs.push_back(layouts.intern(layout));
  OpConfig config;
  config.specific = asked.specific;
  for (const TensorLayout &layout : asked.outputs)
    config.outputs.push_back(layouts.intern(layout));
  config.outputs.resize(asked.signature.results.size());
  OpQuery query{asked.signature, inputs, config};
  Explanation told = explain(context, query);
  // As the backend's statistics have it.
  told.result.constraints.cbL1PeakSize = told.addedBuffers;
  return {std::move(told.result), told.operands};
}

bool holds(const GoldenCondition &condition, int64_t actual) {
  return condition.relation == ">="  ? actual >= condition.value
         : condition.relation == ">" ? actual > condition.value
         : condition.relation == "=" ? actual == condition.value
                                     : actual <= condition.value;
}

/// Scores one row; what is wrong goes to `wrong`.
class Scorer {
public:
  Scorer(const Golden &golden, std::vector<RowRemark> &wrong) : golden(golden), wrong(wrong) {}

  GoldenAccuracy score() {
    auto [result, operands] = ask(golden);
    if (golden.operandsCounted) {
      result.constraints.tensorL1PeakSize += operands;
      result.constraints.peakL1MemorySize += operands;
    }
    bool legal = result.status == ValidationStatus::Success ||
                 result.status == ValidationStatus::UnmatchedReferenceConfig;
    if (golden.legal) {
      accuracy.legality.count(legal == *golden.legal);
      if (legal != *golden.legal)
        remark(llvm::formatv("expected {0}, got {1} {2}", *golden.legal ? "legal" : "refused",
                             name(result.status), result.message));
    }
    if (legal)
      scoreFigures(result.constraints);
    return accuracy;
  }

private:
  void remark(const std::string &text) {
    wrong.push_back({golden.id, golden.call.query.signature.name + ": " + text});
  }

  void scoreFigures(const OpConstraints &c) {
    // The backend reports the first of several results.
    int64_t results = std::max<int64_t>(1, int64_t(golden.call.query.signature.results.size()));
    for (const GoldenCondition &condition : golden.conditions) {
      const GoldenFigure &figure = *condition.figure;
      int64_t actual = (c.*figure.value).value();
      bool exact = condition.relation == "=";
      if (exact && figure.value == &OpConstraints::outputL1BufferSize)
        actual /= results;
      (accuracy.*(exact ? figure.exact : &GoldenAccuracy::bounds)).count(holds(condition, actual));
      if (exact)
        accuracy.notBelow.count(double(actual) >= 0.98 * double(condition.value));
      if (!holds(condition, actual))
        remark(llvm::formatv("{0} expected {1}{2}, got {3}", figure.what,
                             exact ? "" : condition.relation + " ", condition.value, actual));
    }
  }

  const Golden &golden;
  std::vector<RowRemark> &wrong;
  GoldenAccuracy accuracy;
};

} // namespace

namespace {

/// The goldens of a file, whatever its columns.
llvm::Expected<std::vector<Golden>> goldensOf(llvm::StringRef path, std::vector<RowRemark> &skipped) {
  llvm::Expected<CsvTable> table = CsvTable::read(path);
  if (!table)
    return table.takeError();
  if (!evaluation::isOurs(*table))
    if (auto imported = evaluation::importGoldens(*table, skipped))
      return std::move(*imported);
  return evaluation::readGoldens(*table);
}

} // namespace

llvm::Expected<GoldenEvaluation> evaluateGoldens(llvm::StringRef path) {
  GoldenEvaluation evaluation;
  auto goldens = goldensOf(path, evaluation.skipped);
  if (!goldens)
    return goldens.takeError();
  for (const Golden &golden : *goldens) {
    const OpInfo *op = findOp(golden.call.query.signature.name);
    GoldenAccuracy accuracy = Scorer(golden, evaluation.wrong).score();
    evaluation.families[op ? op->family.str() : "unknown"] += accuracy;
    evaluation.all += accuracy;
    if (golden.revision == primaryRevision())
      evaluation.primary += accuracy;
  }
  return evaluation;
}

llvm::Expected<std::string> convertGoldens(llvm::StringRef path, std::vector<RowRemark> &skipped) {
  auto goldens = goldensOf(path, skipped);
  if (!goldens)
    return goldens.takeError();
  return evaluation::goldensText(*goldens);
}

namespace {

llvm::json::Value valueOf(const Share &share) {
  std::optional<double> value = share.value();
  return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
}

llvm::json::Object keysOf(const GoldenAccuracy &a) {
  return llvm::json::Object{{"legality_accuracy", valueOf(a.legality)},
                            {"cb_peak_exact", valueOf(a.circularBuffers)},
                            {"tensor_peak_exact", valueOf(a.tensorPeak)},
                            {"peak_exact", valueOf(a.peak)},
                            {"output_bytes_exact", valueOf(a.outputBytes)},
                            {"not_below_by_2_percent", valueOf(a.notBelow)},
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
