//===- CliffsTest.cpp - The search for jumps and free transfers ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Evaluation/Cliffs.h"
#include "gtest/gtest.h"

#include <optional>

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
  /// Searches around an op that no table of reasons knows.
  const std::map<CliffKey, Cliff> &search(TimesOf::Function microseconds) {
    const DeviceSpec &device = *findDevice("n150");
    model = std::make_unique<TimesOf>(OpModelContext{device, layouts, device.usableL1()}, microseconds);
    done.emplace(*model);
    CliffSubject subject{{"ttnn.frobnicate", {}, {}, {}}, {PageLayout::Tile}, {PageLayout::Tile}};
    TensorDesc tensor{{256, 256}, DataType::BFloat16};
    subject.signature.operands.push_back({tensor, 0, false});
    subject.signature.results.push_back(tensor);
    done->add(subject);
    done->add(subject); // the same once more: not searched again
    EXPECT_EQ(done->subjects(), 1u);
    return done->cliffs();
  }
  /// The reason for what was found of a kind about a slot; "none" if nothing was.
  std::string reason(CliffKind kind, llvm::StringRef slot) const {
    for (const auto &[key, cliff] : done->cliffs())
      if (key.kind == kind && key.slot == slot)
        return key.reason.str();
    return "none";
  }
  std::unique_ptr<TimesOf> model;
  std::optional<CliffSearch> done;
  LayoutPool layouts;
};

double inDram(const TensorLayout &layout) { return layout.isDram(); }

TEST_F(CliffsTest, TransfersThatCostALittleAreNone) {
  EXPECT_TRUE(search([](const TensorLayout &operand, const TensorLayout &result) {
                return 2 + 0.5 * inDram(operand) + 0.5 * inDram(result);
              }).empty());
  EXPECT_EQ(done->unexplained(), 0u);
}

/// 100 us for 128 KB is more than the DRAM, the NoC or the number of cores can explain.
TEST_F(CliffsTest, FindsAJumpInTheDirectionInWhichItGetsSlower) {
  search([](const TensorLayout &operand, const TensorLayout &result) {
    return 10 + 0.5 * inDram(operand) + 90 * inDram(result);
  });
  EXPECT_EQ(reason(CliffKind::Ratio, "results"), "");
  EXPECT_EQ(reason(CliffKind::Ratio, "operand 0"), "none");
  EXPECT_GT(done->unexplained(), 0u);
  const Cliff &cliff = done->cliffs().at({"ttnn.frobnicate", CliffKind::Ratio, "results", ""});
  EXPECT_NE(cliff.worst.from.place, "DRAM");
  EXPECT_EQ(cliff.worst.to.place, "DRAM");
  EXPECT_NEAR(cliff.worst.ratio(), 8, 1); // 102.5 us over 12.5, with the launch
}

/// One core of 64 tiles takes 64 times as long as 64 cores of one: that is what it should.
TEST_F(CliffsTest, FewerCoresAreAReason) {
  search([](const TensorLayout &operand, const TensorLayout &result) {
    return inDram(operand) +
           (result.isSharded() ? 640.0 / double(result.grid.volume()) : 10 + inDram(result));
  });
  EXPECT_EQ(reason(CliffKind::Ratio, "results"), "fewer cores share the work: those that hold the shards");
  EXPECT_EQ(done->unexplained(), 0u);
}

TEST_F(CliffsTest, FindsATransferThatIsFree) {
  search([](const TensorLayout &operand, const TensorLayout &) { return 10 + 0.5 * inDram(operand); });
  EXPECT_EQ(reason(CliffKind::Free, "results"), "");
  EXPECT_EQ(reason(CliffKind::Free, "operand 0"), "none");
}

TEST_F(CliffsTest, FindsKernelsThatAreTooShort) {
  search([](const TensorLayout &operand, const TensorLayout &result) {
    return 0.4 + 0.5 * inDram(operand) + 0.5 * inDram(result);
  });
  EXPECT_EQ(reason(CliffKind::NoFloor, "all"), "");
}

/// 128 KB in and out in 0.8 us: 328 GB/s, where the board has 288.
TEST_F(CliffsTest, FindsBytesThatAreFasterThanTheDram) {
  search([](const TensorLayout &, const TensorLayout &) { return 0.8; });
  EXPECT_EQ(reason(CliffKind::TooFast, "all"), "");
  EXPECT_EQ(reason(CliffKind::NoFloor, "all"), "none");
}

/// Where nothing runs, the result is the operand's buffer; a step from there to a kernel is no ratio but is
/// listed.
TEST_F(CliffsTest, NamesWhatSharesABuffer) {
  search([](const TensorLayout &operand, const TensorLayout &result) {
    bool shared = operand.buffer == result.buffer && operand.memory == result.memory;
    return shared ? 0 : 5 + 0.5 * inDram(operand) + 0.5 * inDram(result);
  });
  EXPECT_EQ(reason(CliffKind::Ratio, "results"), "nothing runs before: the result is the operand's buffer");
}

} // namespace
