//===- DataTypeTest.cpp - Element formats ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/DataType.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

TEST(DataType, NamesReadBack) {
  for (unsigned i = 0; i != kNumDataTypes; ++i)
    EXPECT_EQ(parseDataType(name(DataType(i))), DataType(i));
  EXPECT_EQ(name(DataType::Int32), "si32");
  EXPECT_EQ(name(DataType::BFP_BFloat8), "bfp_bf8");
  EXPECT_EQ(parseDataType("i32"), std::nullopt);
  EXPECT_EQ(parseDataType("BF16"), std::nullopt);
}

// facts/ir 1.1 "Bytes".
TEST(DataType, TileBytes) {
  for (DataType type : {DataType::Float32, DataType::Int32, DataType::UInt32})
    EXPECT_EQ(tileBytes(type), Bytes(4096));
  for (DataType type : {DataType::BFloat16, DataType::Float16, DataType::UInt16})
    EXPECT_EQ(tileBytes(type), Bytes(2048));
  for (DataType type : {DataType::UInt8, DataType::Bool})
    EXPECT_EQ(tileBytes(type), Bytes(1024));
  for (DataType type : {DataType::BFP_Float8, DataType::BFP_BFloat8})
    EXPECT_EQ(tileBytes(type), Bytes(1088));
  for (DataType type : {DataType::BFP_Float4, DataType::BFP_BFloat4})
    EXPECT_EQ(tileBytes(type), Bytes(576));
  for (DataType type : {DataType::BFP_Float2, DataType::BFP_BFloat2})
    EXPECT_EQ(tileBytes(type), Bytes(320));
}

TEST(DataType, SmallTiles) {
  EXPECT_EQ(tileBytes(DataType::BFloat16, {16, 32}), Bytes(1024));
  EXPECT_EQ(tileBytes(DataType::BFP_BFloat8, {16, 32}), Bytes(512 + 32));
  // The exponent section of a tiny tile fills 16 bytes: facts/deepseek 5.3.
  EXPECT_EQ(tileBytes(DataType::BFP_BFloat8, {4, 16}), Bytes(64 + 16));
}

TEST(DataType, Scalars) {
  EXPECT_EQ(scalarBytes(DataType::Float32), Bytes(4));
  EXPECT_EQ(scalarBytes(DataType::Bool), Bytes(1));
  EXPECT_TRUE(isBlockFloat(DataType::BFP_Float2));
  EXPECT_FALSE(isBlockFloat(DataType::UInt8));
}

} // namespace
