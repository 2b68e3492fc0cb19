//===- MatmulBlockingTest.cpp ---------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The blocks of K by which the bits of facts/real-kernels were reproduced.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "tessera/OpModel/MatmulBlocking.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

MatmulBlocking blocks(llvm::StringRef text, llvm::StringRef chip = "n150",
                      const OpSpecificConfig &config = {}) {
  DeviceSpec device = *findDevice(chip);
  LayoutPool layouts;
  auto model = createAnalyticOpModel({device, layouts, device.usableL1()});
  TextQuery query = parseQuery(text, layouts, device);
  query.config.specific = config;
  return matmulBlocking(model->context(), query.query());
}

TEST(MatmulBlocking, IsThatOfTheProgramConfig) {
  MatmulProgramConfig config;
  config.kind = MatmulProgramConfig::Kind::MultiCast1D;
  config.in0BlockW = 4;
  config.perCoreM = 2;
  EXPECT_EQ(blocks("ttnn.matmul 64x512@dram, 512x256@dram -> 64x256@dram", "n150", config),
            (MatmulBlocking{4, 4}));
}

TEST(MatmulBlocking, IsAColumnsShareWithoutOne) {
  EXPECT_EQ(blocks("ttnn.matmul 64x512@dram, 512x256@dram -> 64x256@dram"), (MatmulBlocking{2, 8}));
  EXPECT_EQ(blocks("ttnn.matmul 64x2048@dram, 2048x256@dram -> 64x256@dram"), (MatmulBlocking{8, 8}));
  EXPECT_EQ(blocks("ttnn.matmul 64x128@dram, 128x256@dram -> 64x256@dram"), (MatmulBlocking{1, 4}));
  EXPECT_EQ(blocks("ttnn.matmul 64x512@dram, 512x256@dram -> 64x256@dram", "p150"), (MatmulBlocking{1, 16}));
}

} // namespace
