//===- OverridesTest.cpp - The override grammar ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Cases of facts/ir 2.3.
#include "tessera/Bridge/Overrides.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

template <class T>
std::string errorOf(llvm::Expected<T> parsed) {
  return parsed ? "" : llvm::toString(parsed.takeError());
}

TEST(OverridesTest, AnySubsetOfFieldsInAnyOrder) {
  auto parsed = parseOutputLayoutOverrides("add_0=1x1,add_1=l1,add_4=l1:interleaved,add_5=width_sharded:tile,"
                                           "add_6=bf16:row_major:dram:1x1:interleaved");
  ASSERT_TRUE(bool(parsed));
  ASSERT_EQ(parsed->size(), 5u);
  EXPECT_EQ((*parsed)[0].op, "add_0");
  EXPECT_EQ((*parsed)[0].layout.grid, (GridShape{1, 1}));
  EXPECT_FALSE((*parsed)[0].layout.buffer);
  EXPECT_EQ((*parsed)[1].layout.buffer, BufferType::L1);
  EXPECT_EQ((*parsed)[2].layout.memory, MemoryLayout::Interleaved);
  EXPECT_EQ((*parsed)[3].layout.memory, MemoryLayout::WidthSharded);
  EXPECT_EQ((*parsed)[3].layout.page, PageLayout::Tile);
  EXPECT_EQ((*parsed)[4].layout.dtype, DataType::BFloat16);
  EXPECT_EQ((*parsed)[4].layout.page, PageLayout::RowMajor);
  EXPECT_EQ((*parsed)[4].layout.buffer, BufferType::DRAM);
}

TEST(OverridesTest, EmptyTextIsNoOverride) {
  auto parsed = parseOverrides("", "", "");
  ASSERT_TRUE(bool(parsed));
  EXPECT_TRUE(parsed->empty());
}

TEST(OverridesTest, EachSlipHasItsMessage) {
  EXPECT_EQ(errorOf(parseOutputLayoutOverrides("add_0")),
            "override-output-layout: 'add_0' is not of the form op=value");
  EXPECT_EQ(errorOf(parseOutputLayoutOverrides("a=l1,a=dram")),
            "override-output-layout: op 'a' is named twice");
  EXPECT_EQ(errorOf(parseOutputLayoutOverrides("a=8x8:4x4")),
            "override-output-layout: op 'a': '4x4' gives the layout a second grid");
  EXPECT_NE(
      errorOf(parseOutputLayoutOverrides("a=0x8")).find("op 'a': '0x8' is no word of a layout; legal are"),
      std::string::npos);
  EXPECT_NE(
      errorOf(parseOutputLayoutOverrides("a=l1:")).find("op 'a': 'l1:' is no layout: a word is missing"),
      std::string::npos);
  EXPECT_EQ(errorOf(parseConv2dOverrides("c=act_block_h_override")),
            "override-conv2d-config: 'act_block_h_override' of op 'c' is not of the form key#value");
  EXPECT_EQ(errorOf(parseConv2dOverrides("c=shard_layout#height_sharded:shard_layout#width_sharded")),
            "override-conv2d-config: op 'c' is given 'shard_layout' twice");
  EXPECT_EQ(errorOf(parseReshardOverrides("m=0:one")),
            "insert-memreconfig: 'one' of op 'm' is not an operand number");
}

TEST(OverridesTest, ConfigKeysAndOperandNumbers) {
  auto conv = parseConv2dOverrides("conv1=weights_dtype#bf16:activation#relu:deallocate_activation#false");
  ASSERT_TRUE(bool(conv));
  ASSERT_EQ(conv->front().fields.size(), 3u);
  EXPECT_EQ(conv->front().fields[1], (std::pair<std::string, std::string>("activation", "relu")));
  auto reshards = parseReshardOverrides("op1=0,op2=0:1");
  ASSERT_TRUE(bool(reshards));
  EXPECT_EQ((*reshards)[1].operands, (std::vector<unsigned>{0, 1}));
}

} // namespace
