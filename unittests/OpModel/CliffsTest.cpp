//===- CliffsTest.cpp - The search for jumps and free transfers ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Cliffs.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

/// Answers every query with the time that a function of its layouts gives.
class TimesOf final : public OpModel {
public:
  using Function = double (*)(const TensorLayout &operand, const TensorLayout &result);
  TimesOf(OpModelContext context, Function microseconds)
      : OpModel(std::move(context)), microseconds(microseconds) {}
  ValidationResult query(const OpQuery &) const override {
    ValidationResult result;
    result.status = ValidationStatus::Success;
    return result;
  }
  OpRuntime runtime(const OpQuery &query) const override {
    OpRuntime time;
    const LayoutPool &pool = ctx.layouts;
    double us = microseconds(pool[query.inputs[0]], pool[query.config.outputs[0]]);
    if (us > 0)
      time.total = ctx.device.launch + Nanoseconds(us * 1000);
    return time;
  }
  llvm::StringRef name() const override { return "times"; }

private:
  Function microseconds;
};

class CliffsTest : public testing::Test {
protected:
  /// Kinds of change of an op that no table of reasons knows.
  std::vector<LayoutChange> found(TimesOf::Function microseconds) {
    const DeviceSpec &device = *findDevice("n150");
    TimesOf model({device, layouts, device.usableL1()}, microseconds);
    CliffSearch search(model);
    CliffSubject subject{{"ttnn.frobnicate", {}, {}, {}}, {PageLayout::Tile}, {PageLayout::Tile}};
    TensorDesc tensor{{256, 256}, DataType::BFloat16};
    subject.signature.operands.push_back({tensor, 0, false});
    subject.signature.results.push_back(tensor);
    search.add(subject);
    search.add(subject); // the same once more: not searched again
    EXPECT_EQ(search.subjects(), 1u);
    EXPECT_EQ(search.unexplained(), search.cliffs().size());
    std::vector<LayoutChange> changes;
    for (const auto &[change, cliff] : search.cliffs())
      changes.push_back(change);
    return changes;
  }
  static bool has(const std::vector<LayoutChange> &changes, CliffKind kind, llvm::StringRef slot,
                  llvm::StringRef from, llvm::StringRef to) {
    return llvm::is_contained(changes,
                              LayoutChange{"ttnn.frobnicate", slot.str(), from.str(), to.str(), kind});
  }
  LayoutPool layouts;
};

double inDram(const TensorLayout &layout) { return layout.isDram(); }

TEST_F(CliffsTest, TransfersThatCostALittleAreNone) {
  EXPECT_TRUE(found([](const TensorLayout &operand, const TensorLayout &result) {
                return 2 + 0.5 * inDram(operand) + 0.5 * inDram(result);
              }).empty());
}

TEST_F(CliffsTest, FindsAJumpInTheDirectionInWhichItGetsSlower) {
  std::vector<LayoutChange> changes = found([](const TensorLayout &operand, const TensorLayout &result) {
    return 10 + 0.5 * inDram(operand) + 90 * inDram(result);
  });
  EXPECT_TRUE(has(changes, CliffKind::Ratio, "results", "L1", "DRAM"));
  EXPECT_TRUE(has(changes, CliffKind::Ratio, "results", "height", "DRAM"));
  EXPECT_FALSE(has(changes, CliffKind::Ratio, "results", "DRAM", "L1"));
  EXPECT_FALSE(has(changes, CliffKind::Ratio, "operand 0", "L1", "DRAM"));
}

TEST_F(CliffsTest, FindsATransferThatIsFree) {
  std::vector<LayoutChange> changes =
      found([](const TensorLayout &operand, const TensorLayout &) { return 10 + 0.5 * inDram(operand); });
  EXPECT_TRUE(has(changes, CliffKind::Free, "results", "L1", "DRAM"));
  EXPECT_FALSE(has(changes, CliffKind::Free, "operand 0", "L1", "DRAM"));
  EXPECT_FALSE(has(changes, CliffKind::Free, "results", "DRAM", "L1"));
}

TEST_F(CliffsTest, FindsKernelsThatAreTooShort) {
  std::vector<LayoutChange> changes = found([](const TensorLayout &operand, const TensorLayout &result) {
    return 0.4 + 0.5 * inDram(operand) + 0.5 * inDram(result);
  });
  EXPECT_TRUE(has(changes, CliffKind::NoFloor, "all", "L1", "L1"));
  EXPECT_FALSE(has(changes, CliffKind::NoFloor, "all", "DRAM", "DRAM"));
}

/// Where nothing runs, the result is the operand's buffer; a step from there to a kernel is no ratio but is
/// listed.
TEST_F(CliffsTest, NamesWhatSharesABuffer) {
  std::vector<LayoutChange> changes = found([](const TensorLayout &operand, const TensorLayout &result) {
    bool shared = operand.buffer == result.buffer && operand.memory == result.memory;
    return shared ? 0 : 5 + 0.5 * inDram(operand) + 0.5 * inDram(result);
  });
  EXPECT_TRUE(has(changes, CliffKind::Ratio, "results", "DRAM, shared", "L1"));
}

} // namespace
