//===- MarginTest.cpp - Room for what no backend has confirmed ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Issue 4: what goldens confirm needs what the figures say; the rest needs four
// tiles or 5 % of its circular buffers more.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "tessera/OpModel/OpCostTable.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

class MarginTest : public testing::Test {
protected:
  DeviceSpec device = *findDevice("n150");
  LayoutPool layouts;

  ValidationResult ask(llvm::StringRef text, Bytes budget) {
    TextQuery q = parseQuery(text, layouts, device);
    return createAnalyticOpModel({device, layouts, budget})->query(q.query());
  }
  Bytes margin(llvm::StringRef text) {
    ValidationResult result = ask(text, device.usableL1());
    EXPECT_TRUE(result.ok()) << text.str() << ": " << result.message;
    return result.constraints.safetyMargin;
  }
  /// The op fits into exactly its peak, operands and `more`.
  void expectNeeds(llvm::StringRef text, Bytes more) {
    TextQuery q = parseQuery(text, layouts, device);
    OpModelContext context{device, layouts, device.usableL1()};
    OpConstraints c = createAnalyticOpModel(context)->query(q.query()).constraints;
    Bytes needed = c.peakL1MemorySize + operandL1Bytes(q.query(), context) + more;
    EXPECT_EQ(ask(text, needed).status, ValidationStatus::Success) << text.str();
    EXPECT_EQ(ask(text, needed - Bytes(1)).status, ValidationStatus::OutOfMemory) << text.str();
  }
};

constexpr llvm::StringLiteral kConfirmed[] = {
    "ttnn.relu 64x1024@l1 -> 64x1024@l1",
    "ttnn.relu 2048x32@hs64 -> 2048x32@hs64",
    "ttnn.add 64x1024@l1, 64x1024@dram -> 64x1024@l1",
    "ttnn.add 64x1024@hs2, 64x1024@dram -> 64x1024@hs2",
    "ttnn.matmul 32x1792@ws56, 1792x1792@dram -> 32x1792@ws56",
    "ttnn.rms_norm 1x32x32x32@l1, 32@l1, 32@l1 -> 1x32x32x32@l1",
    "ttnn.softmax 64x1024@l1 -> 64x1024@l1 ; dimension=-1 numericStable=false",
    "ttnn.to_memory_config 1x8x64x128@l1 -> 1x8x64x128@hs8",
    "ttnn.reshape 2x32x64@l1 -> 1x64x64@l1",
};

constexpr llvm::StringLiteral kUnconfirmed[] = {
    "ttnn.rms_norm 256x256@bs4x4 -> 256x256@bs4x4",       // sharded norm
    "ttnn.layer_norm 1x32x32x32@l1 -> 1x32x32x32@l1",     // bounds only
    "ttnn.add 64x1024@hs2, 64x1024@hs2 -> 64x1024@hs2",   // native sharded binary
    "ttnn.to_memory_config 256x256@hs8 -> 256x256@bs4x4", // reshard
    "ttnn.relu 64x1024xbfp_bf8@l1 -> 64x1024xbfp_bf8@l1", // block float
    "ttnn.relu 256x256@bs4x4 -> 256x256@bs4x4",           // other than height shards
    "ttnn.rms_norm 1x32x32x32@l1 -> 1x32x32x32@l1 ; compute_config.fp32_dest_acc_en=true",
    "ttnn.softmax 64x1024@l1 -> 64x1024@l1 ; dimension=-1 numericStable=true",
};

TEST_F(MarginTest, ConfirmedFiguresNeedNoMore) {
  for (llvm::StringLiteral text : kConfirmed) {
    EXPECT_EQ(margin(text), Bytes(0)) << text.str();
    expectNeeds(text, Bytes(0));
  }
}

TEST_F(MarginTest, UnconfirmedFiguresNeedRoom) {
  for (llvm::StringLiteral text : kUnconfirmed) {
    Bytes room = margin(text);
    EXPECT_GT(room, Bytes(0)) << text.str();
    expectNeeds(text, room);
  }
}

TEST_F(MarginTest, FourTilesOrFivePercent) {
  EXPECT_EQ(margin("ttnn.add 64x1024@hs2, 64x1024@hs2 -> 64x1024@hs2"), Bytes(4 * 2048));
  EXPECT_EQ(margin("ttnn.add 64x1024xf32@hs2, 64x1024xf32@hs2 -> 64x1024xf32@hs2"), Bytes(4 * 4096));
  ValidationResult wide = ask("ttnn.layer_norm 32x4096@dram -> 32x4096@dram", device.usableL1());
  ASSERT_GT(wide.constraints.cbL1PeakSize, Bytes(20 * 4 * 2048));
  EXPECT_EQ(wide.constraints.safetyMargin.value(), ceilDiv(wide.constraints.cbL1PeakSize.value() * 5, 100));
}

TEST_F(MarginTest, NothingIsRefusedInDramForItsMarginAlone) {
  llvm::StringLiteral text = "ttnn.layer_norm 32x4096@dram -> 32x4096@dram";
  Bytes peak = ask(text, device.usableL1()).constraints.peakL1MemorySize;
  EXPECT_EQ(ask(text, peak).status, ValidationStatus::Success);
  EXPECT_EQ(ask(text, peak - Bytes(1)).status, ValidationStatus::OutOfMemory);
  // Other tensors must leave it free all the same.
  TextQuery q = parseQuery(text, layouts, device);
  auto model = createAnalyticOpModel({device, layouts, peak + Bytes(4096)});
  OpQuery query = q.query();
  query.additionalL1 = Bytes(1);
  EXPECT_EQ(model->query(query).status, ValidationStatus::OutOfMemory);
}

TEST_F(MarginTest, FiguresStayTheBestEstimate) {
  OpConstraints c = ask("ttnn.add 64x1024@hs2, 64x1024@hs2 -> 64x1024@hs2", device.usableL1()).constraints;
  EXPECT_EQ(c.cbL1PeakSize, Bytes(0));
  EXPECT_EQ(c.tensorL1PeakSize, Bytes(32 * 2048));
  EXPECT_EQ(c.peakL1MemorySize, Bytes(32 * 2048));
  EXPECT_EQ(c.outputL1BufferSize, Bytes(32 * 2048));
}

TEST_F(MarginTest, NothingIsConfirmedOnBlackhole) {
  llvm::StringLiteral text = "ttnn.relu 64x1024@l1 -> 64x1024@l1";
  EXPECT_EQ(margin(text), Bytes(0));
  device = *findDevice("p150");
  EXPECT_EQ(margin(text), Bytes(4 * 2048));
}

TEST_F(MarginTest, HostOpsNeedNone) {
  device = *findDevice("p150");
  EXPECT_EQ(margin("ttnn.typecast 64x64@host/rm -> 64x64xf32@host/rm"), Bytes(0));
}

TEST_F(MarginTest, RefusalsStateIt) {
  ValidationResult result = ask("ttnn.add 64x1024@hs2, 64x1024@hs2 -> 64x1024@hs2", Bytes(3 * 32 * 2048));
  EXPECT_EQ(result.status, ValidationStatus::OutOfMemory);
  EXPECT_NE(result.message.find("8192 safety margin, as these figures are unconfirmed"), std::string::npos)
      << result.message;
}

TEST_F(MarginTest, TheCacheKeepsIt) {
  TextQuery q = parseQuery("ttnn.add 64x1024@hs2, 64x1024@hs2 -> 64x1024@hs2", layouts, device);
  OpModelContext context{device, layouts, Bytes(3 * 32 * 2048 + 4 * 2048)};
  auto model = std::make_unique<OpCostTable>(createAnalyticOpModel(context));
  OpQuery query = q.query();
  EXPECT_EQ(model->query(query).status, ValidationStatus::Success);
  query.additionalL1 = Bytes(1);
  EXPECT_EQ(model->query(query).status, ValidationStatus::OutOfMemory);
}

} // namespace
