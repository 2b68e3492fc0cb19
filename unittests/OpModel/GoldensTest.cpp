//===- GoldensTest.cpp - The analytic model against a real backend -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Goldens.h"

#include "tessera/OpModel/OpTable.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <map>

using namespace tessera;

namespace {

constexpr llvm::StringLiteral kPrimary = "83a805e36c";

struct Share {
  size_t right = 0, all = 0;
  void count(bool ok) {
    right += ok;
    ++all;
  }
  double value() const { return all ? double(right) / double(all) : 1.0; }
  std::string text() const { return llvm::formatv("{0}/{1}", right, all).str(); }
};

struct Accuracy {
  Share legality, buffers, tensors, peak, output, bounds;
};

std::string sharedPath() {
  const char *shared = std::getenv("TESSERA_SHARED");
  return std::string(shared ? shared : TESSERA_SHARED_DEFAULT) + "/facts/opmodel-goldens.csv";
}

void compare(Share &share, std::optional<int64_t> expected, int64_t actual, const Golden &golden, llvm::StringRef what) {
  if (!expected)
    return;
  share.count(*expected == actual);
  if (*expected != actual)
    llvm::outs() << llvm::formatv("  {0} {1}: {2} expected {3}, got {4}\n", golden.id, golden.signature.name, what, *expected, actual);
}

/// The model's answer to one row, in pools of its own.
ValidationResult ask(const Golden &golden) {
  LayoutPool layouts;
  auto model = createAnalyticOpModel({golden.device, layouts, golden.device.usableL1()});
  llvm::SmallVector<LayoutId, 4> inputs;
  for (const TensorLayout &layout : golden.inputs)
    inputs.push_back(layouts.intern(layout));
  OpConfig config;
  config.outputs.assign(golden.signature.results.size(), golden.output ? layouts.intern(*golden.output) : LayoutId());
  return model->query({golden.signature, inputs, config});
}

bool holds(const Golden::Bound &bound, const OpConstraints &c, const Golden &golden) {
  int64_t actual = bound.figure == "cb"       ? c.cbL1PeakSize.value()
                   : bound.figure == "tensor" ? c.tensorL1PeakSize.value()
                   : bound.figure == "peak"   ? c.peakL1MemorySize.value()
                                              : c.outputL1BufferSize.value();
  bool ok = bound.relation == ">="  ? actual >= bound.value
            : bound.relation == ">" ? actual > bound.value
                                    : actual <= bound.value;
  if (!ok)
    llvm::outs() << llvm::formatv("  {0} {1}: {2} expected {3} {4}, got {5}\n", golden.id, golden.signature.name,
                                  bound.figure, bound.relation, bound.value, actual);
  return ok;
}

void score(const Golden &golden, Accuracy &accuracy) {
  ValidationResult result = ask(golden);
  bool legal = result.status == ValidationStatus::Success || result.status == ValidationStatus::UnmatchedReferenceConfig;
  if (golden.legal) {
    accuracy.legality.count(legal == *golden.legal);
    if (legal != *golden.legal)
      llvm::outs() << llvm::formatv("  {0} {1}: expected {2}, got {3} {4}\n", golden.id, golden.signature.name,
                                    *golden.legal ? "legal" : "refused", name(result.status), result.message);
  }
  if (!legal)
    return;
  const OpConstraints &c = result.constraints;
  for (const Golden::Bound &bound : golden.bounds)
    accuracy.bounds.count(holds(bound, c, golden));
  if (golden.kind != "exact")
    return;
  compare(accuracy.buffers, golden.circularBuffers, c.cbL1PeakSize.value(), golden, "circular buffers");
  compare(accuracy.tensors, golden.tensors, c.tensorL1PeakSize.value(), golden, "tensors");
  compare(accuracy.peak, golden.peak, c.peakL1MemorySize.value(), golden, "peak");
  // The backend reports the first of several results.
  int64_t results = std::max<int64_t>(1, int64_t(golden.signature.results.size()));
  compare(accuracy.output, golden.outputBytes, c.outputL1BufferSize.value() / results, golden, "output");
}

class GoldensTest : public testing::Test {
protected:
  void SetUp() override {
    const DeviceSpec *device = findDevice("n150");
    ASSERT_NE(device, nullptr);
    auto read = readGoldens(sharedPath(), *device);
    if (!read)
      GTEST_SKIP() << "no goldens: " << llvm::toString(read.takeError()) << "; set TESSERA_SHARED";
    goldens = std::move(*read);
  }
  std::vector<Golden> goldens;
};

TEST_F(GoldensTest, PrimaryRevision) {
  std::map<std::string, Accuracy> families;
  Accuracy all;
  size_t unknown = 0;
  for (const Golden &golden : goldens) {
    if (golden.revision != kPrimary || golden.kind == "disabled_unasserted")
      continue;
    const OpInfo *op = findOp(golden.signature.name);
    if (!op) {
      llvm::outs() << "  not covered: " << golden.signature.name << "\n";
      ++unknown;
      continue;
    }
    score(golden, families[op->family.str()]);
    score(golden, all);
  }
  llvm::outs() << llvm::formatv("{0,-28} {1,9} {2,9} {3,9} {4,9} {5,9} {6,9}\n", "family", "legality", "buffers", "tensors", "peak", "output", "bounds");
  families["TOTAL"] = all;
  for (const auto &[family, a] : families)
    llvm::outs() << llvm::formatv("{0,-28} {1,9} {2,9} {3,9} {4,9} {5,9} {6,9}\n", family, a.legality.text(), a.buffers.text(),
                                  a.tensors.text(), a.peak.text(), a.output.text(), a.bounds.text());
  llvm::outs() << unknown << " rows of ops that the model does not know\n";
  llvm::outs().flush();
  // Floors: what was measured when they were last raised.
  EXPECT_GE(all.legality.value(), 0.98);
  EXPECT_GE(all.buffers.value(), 0.98);
  EXPECT_GE(all.tensors.value(), 0.98);
  EXPECT_GE(all.peak.value(), 0.98);
  EXPECT_GE(all.output.value(), 0.98);
}

} // namespace
