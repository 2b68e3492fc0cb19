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

  void operator+=(const Accuracy &other) {
    for (Share Accuracy::*field : {&Accuracy::legality, &Accuracy::buffers, &Accuracy::tensors,
                                   &Accuracy::peak, &Accuracy::output, &Accuracy::bounds}) {
      (this->*field).right += (other.*field).right;
      (this->*field).all += (other.*field).all;
    }
  }
};

std::string sharedPath() {
  const char *shared = std::getenv("TESSERA_SHARED");
  return std::string(shared ? shared : TESSERA_SHARED_DEFAULT) + "/facts/opmodel-goldens.csv";
}

void compare(Share &share, std::optional<int64_t> expected, int64_t actual, const Golden &golden,
             llvm::StringRef what) {
  if (!expected)
    return;
  share.count(*expected == actual);
  if (*expected != actual)
    llvm::outs() << llvm::formatv("  {0} {1}: {2} expected {3}, got {4}\n", golden.id, golden.signature.name,
                                  what, *expected, actual);
}

/// The model's answer to one row, in pools of its own.
ValidationResult ask(const Golden &golden) {
  LayoutPool layouts;
  auto model = createAnalyticOpModel({golden.device, layouts, golden.device.usableL1()});
  llvm::SmallVector<LayoutId, 4> inputs;
  for (const TensorLayout &layout : golden.inputs)
    inputs.push_back(layouts.intern(layout));
  OpConfig config;
  config.outputs.assign(golden.signature.results.size(),
                        golden.output ? layouts.intern(*golden.output) : LayoutId());
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
    llvm::outs() << llvm::formatv("  {0} {1}: {2} expected {3} {4}, got {5}\n", golden.id,
                                  golden.signature.name, bound.figure, bound.relation, bound.value, actual);
  return ok;
}

void score(const Golden &golden, Accuracy &accuracy) {
  ValidationResult result = ask(golden);
  bool legal = result.status == ValidationStatus::Success ||
               result.status == ValidationStatus::UnmatchedReferenceConfig;
  if (golden.legal) {
    accuracy.legality.count(legal == *golden.legal);
    if (legal != *golden.legal)
      llvm::outs() << llvm::formatv("  {0} {1}: expected {2}, got {3} {4}\n", golden.id,
                                    golden.signature.name, *golden.legal ? "legal" : "refused",
                                    name(result.status), result.message);
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

using Families = std::map<std::string, Accuracy>;

/// Prints the accuracy per family, the total last, and returns the total.
Accuracy evaluate(llvm::ArrayRef<Golden> goldens, llvm::function_ref<bool(const Golden &)> wanted) {
  Families families;
  Accuracy total;
  size_t unknown = 0;
  for (const Golden &golden : goldens) {
    if (!wanted(golden) || golden.kind == "disabled_unasserted")
      continue;
    if (const OpInfo *op = findOp(golden.signature.name)) {
      score(golden, families[op->family.str()]);
    } else {
      llvm::outs() << "  not covered: " << golden.signature.name << "\n";
      ++unknown;
    }
  }
  auto row = [](auto... columns) {
    llvm::outs() << llvm::formatv("{0,-28} {1,9} {2,9} {3,9} {4,9} {5,9} {6,9}\n", columns...);
  };
  row("family", "legality", "buffers", "tensors", "peak", "output", "bounds");
  auto print = [&](llvm::StringRef name, const Accuracy &a) {
    row(name, a.legality.text(), a.buffers.text(), a.tensors.text(), a.peak.text(), a.output.text(),
        a.bounds.text());
  };
  for (const auto &[family, accuracy] : families) {
    print(family, accuracy);
    total += accuracy;
  }
  print("total", total);
  llvm::outs() << unknown << " rows of ops that the model does not know\n";
  llvm::outs().flush();
  return total;
}

// Floors are what was measured when they were last raised.

TEST_F(GoldensTest, PrimaryRevision) {
  Accuracy total = evaluate(goldens, [](const Golden &golden) { return golden.revision == kPrimary; });
  EXPECT_EQ(total.legality.value(), 1.0);
  EXPECT_EQ(total.buffers.value(), 1.0);
  EXPECT_EQ(total.tensors.value(), 1.0);
  EXPECT_EQ(total.peak.value(), 1.0);
  EXPECT_EQ(total.output.value(), 1.0);
  EXPECT_EQ(total.bounds.value(), 1.0);
}

/// The model has no switches for other revisions: this is how far they are from the pinned one.
TEST_F(GoldensTest, AllRevisions) {
  Accuracy total = evaluate(goldens, [](const Golden &) { return true; });
  EXPECT_GE(total.legality.value(), 0.93);
  EXPECT_GE(total.buffers.value(), 0.89);
}

} // namespace
