//===- GoldenAccuracy.cpp - The analytic model against a real backend ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Goldens.h"

#include "tessera/Device/L1Budget.h"
#include "tessera/OpModel/OpTable.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera {

using evaluation::Golden;

void GoldenAccuracy::operator+=(const GoldenAccuracy &other) {
  for (Share GoldenAccuracy::*field :
       {&GoldenAccuracy::legality, &GoldenAccuracy::circularBuffers, &GoldenAccuracy::tensorPeak,
        &GoldenAccuracy::peak, &GoldenAccuracy::outputBytes, &GoldenAccuracy::bounds,
        &GoldenAccuracy::notBelow})
    this->*field += other.*field;
}

llvm::StringRef primaryRevision() { return "83a805e36c"; }

namespace {

/// The revisions of the goldens (facts/formulas 0) and what the backend did then. Others are taken
/// for the pinned one.
BackendVersion versionOf(llvm::StringRef revision) {
  static constexpr std::pair<llvm::StringLiteral, BackendVersion> kRevisions[] = {
      {"78601d677a", BackendVersion::January2025},
      {"b03d526f95", BackendVersion::August2025},
      {"cbf538d12f", BackendVersion::September2025},
      {"eb18328a59", BackendVersion::September2025},
      {"9c40f4f0c4", BackendVersion::Autumn2025},
      {"7a0cf3fd76", BackendVersion::EarlyNovember2025},
      {"8c335a14f8", BackendVersion::EarlyNovember2025},
      {"b73fc81acb", BackendVersion::LateNovember2025},
      {"19c86fca45", BackendVersion::Newest},
  };
  for (const auto &[known, version] : kRevisions)
    if (known == revision)
      return version;
  return BackendVersion::Pinned;
}

struct GoldenAnswer {
  ValidationResult result;
  Bytes operands; ///< L1 per core
};

/// The backend was asked without dispatching: it allocated nothing and never found that anything did not fit
/// (facts/formulas 1). The compiler did where it was given a cap (14).
Bytes budgetOf(const Golden &golden) {
  double cap = golden.signature.number("tensor_l1_usage_cap", 0);
  return cap > 0 ? l1Budget(golden.device, cap) : Bytes(int64_t(1) << 50);
}

/// The model's answer to one row, in pools of its own.
GoldenAnswer ask(const Golden &golden) {
  LayoutPool layouts;
  OpModelContext context{golden.device, layouts, budgetOf(golden), versionOf(golden.revision)};
  auto model = createAnalyticOpModel(context);
  llvm::SmallVector<LayoutId, 4> inputs;
  for (const TensorLayout &layout : golden.inputs)
    inputs.push_back(layouts.intern(layout));
  OpConfig config;
  config.outputs.assign(golden.signature.results.size(),
                        golden.output ? layouts.intern(*golden.output) : LayoutId());
  OpQuery query{golden.signature, inputs, config};
  return {model->query(query), operandL1Bytes(query, context)};
}

int64_t figureOf(llvm::StringRef name, const OpConstraints &c) {
  return (name == "cb"       ? c.cbL1PeakSize
          : name == "tensor" ? c.tensorL1PeakSize
          : name == "peak"   ? c.peakL1MemorySize
                             : c.outputL1BufferSize)
      .value();
}

bool holds(const Golden::Bound &bound, int64_t actual) {
  return bound.relation == ">="  ? actual >= bound.value
         : bound.relation == ">" ? actual > bound.value
                                 : actual <= bound.value;
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
  void remark(const std::string &text) { wrong.push_back({golden.id, golden.signature.name + ": " + text}); }

  void compare(Share GoldenAccuracy::*share, std::optional<int64_t> expected, int64_t actual,
               llvm::StringRef what) {
    if (!expected)
      return;
    (accuracy.*share).count(*expected == actual);
    accuracy.notBelow.count(double(actual) >= 0.98 * double(*expected));
    if (*expected != actual)
      remark(llvm::formatv("{0} expected {1}, got {2}", what, *expected, actual));
  }

  void scoreFigures(const OpConstraints &c) {
    for (const Golden::Bound &bound : golden.bounds) {
      int64_t actual = figureOf(bound.figure, c);
      accuracy.bounds.count(holds(bound, actual));
      if (!holds(bound, actual))
        remark(llvm::formatv("{0} expected {1} {2}, got {3}", bound.figure, bound.relation, bound.value,
                             actual));
    }
    if (golden.kind != "exact")
      return;
    compare(&GoldenAccuracy::circularBuffers, golden.circularBuffers, c.cbL1PeakSize.value(),
            "circular buffers");
    compare(&GoldenAccuracy::tensorPeak, golden.tensors, c.tensorL1PeakSize.value(), "tensors");
    compare(&GoldenAccuracy::peak, golden.peak, c.peakL1MemorySize.value(), "peak");
    // The backend reports the first of several results.
    int64_t results = std::max<int64_t>(1, int64_t(golden.signature.results.size()));
    compare(&GoldenAccuracy::outputBytes, golden.outputBytes, c.outputL1BufferSize.value() / results,
            "output");
  }

  const Golden &golden;
  std::vector<RowRemark> &wrong;
  GoldenAccuracy accuracy;
};

} // namespace

llvm::Expected<GoldenEvaluation> evaluateGoldens(llvm::StringRef path) {
  const DeviceSpec *device = findDevice("n150");
  if (!device)
    return llvm::createStringError("the goldens' device n150 is unknown");
  GoldenEvaluation evaluation;
  auto goldens = evaluation::readGoldens(path, *device, evaluation.skipped);
  if (!goldens)
    return goldens.takeError();
  for (const Golden &golden : *goldens) {
    const OpInfo *op = findOp(golden.signature.name);
    GoldenAccuracy accuracy = Scorer(golden, evaluation.wrong).score();
    evaluation.families[op ? op->family.str() : "unknown"] += accuracy;
    evaluation.all += accuracy;
    if (golden.revision == primaryRevision())
      evaluation.primary += accuracy;
  }
  return evaluation;
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
