//===- OverridesTest.cpp - The override grammar ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Cases of facts/ir 2.3.
#include "tessera/Bridge/Overrides.h"

#include "llvm/ADT/STLExtras.h"
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

/// The words that were read, in the order of the grammar.
std::string wordsOf(llvm::StringRef text) {
  auto parsed = parseOutputLayoutOverrides(("op=" + text).str());
  if (!parsed)
    return llvm::toString(parsed.takeError());
  const LayoutWords &words = parsed->front().layout;
  std::string read;
  auto add = [&](llvm::StringRef word) { read += (read.empty() ? "" : ":") + word.str(); };
  if (words.grid)
    add(std::to_string(words.grid->rows) + "x" + std::to_string(words.grid->columns));
  if (words.buffer)
    add(name(*words.buffer));
  if (words.memory)
    add(name(*words.memory));
  if (words.page)
    add(name(*words.page));
  if (words.dtype)
    add(name(*words.dtype));
  return read;
}

TEST(OverridesTest, EveryWordOfEveryKind) {
  for (const char *word : {"1x1",
                           "8x8",
                           "1x64",
                           "dram",
                           "l1",
                           "system_memory",
                           "l1_small",
                           "trace",
                           "interleaved",
                           "height_sharded",
                           "width_sharded",
                           "block_sharded",
                           "row_major",
                           "tile",
                           "f32",
                           "f16",
                           "bf16",
                           "bfp_f8",
                           "bfp_bf8",
                           "bfp_f4",
                           "bfp_bf4",
                           "bfp_f2",
                           "bfp_bf2",
                           "u32",
                           "u16",
                           "u8",
                           "si32"})
    EXPECT_EQ(wordsOf(word), word);
  // Of several kinds any come in any order.
  for (auto [text, read] :
       {std::pair("width_sharded:tile", "width_sharded:tile"),
        std::pair("tile:width_sharded", "width_sharded:tile"),
        std::pair("1x1:dram:interleaved:row_major:bf16", "1x1:dram:interleaved:row_major:bf16"),
        std::pair("bf16:row_major:interleaved:dram:1x1", "1x1:dram:interleaved:row_major:bf16"),
        std::pair("bfp_bf8:8x8", "8x8:bfp_bf8")})
    EXPECT_EQ(wordsOf(text), read);
}

TEST(OverridesTest, NoKindTwice) {
  for (const char *text : {"8x8:4x4", "dram:l1", "l1:l1", "interleaved:height_sharded", "tile:row_major",
                           "bf16:f32", "8x8:l1:8x8"})
    EXPECT_NE(wordsOf(text).find("gives the layout a second"), std::string::npos) << text;
}

TEST(OverridesTest, WhatIsNoOverride) {
  for (const char *text : {"=l1", "op=", "op", "op=8x", "op=x8", "op=8x8x8", "op=-1x8", "op=l2", "op=L1",
                           "op=sharded", "op=bf17", "op=l1;dram", "op=l1,other", "op=l1,op=l1"})
    EXPECT_NE(errorOf(parseOutputLayoutOverrides(text)), "") << text;
  for (const char *text :
       {"c=", "=weights_dtype#bf16", "c=weights_dtype", "c=weights_dtype#", "c=#bf16", "c=core_grid#8x8",
        "c=weights_dtype#bf16:", "c=act_block_h_override#64,c=weights_dtype#bf16"})
    EXPECT_NE(errorOf(parseConv2dOverrides(text)), "") << text;
  for (const char *text : {"m=", "m=-1", "m=0:", "m=0,m=1", "m=0x1", "=0"})
    EXPECT_NE(errorOf(parseReshardOverrides(text)), "") << text;
}

TEST(OverridesTest, EveryKeyOfAConvolution) {
  for (llvm::StringRef key : conv2dOverrideKeys()) {
    auto parsed = parseConv2dOverrides(("c=" + key + "#1").str());
    ASSERT_TRUE(bool(parsed)) << key.str();
    EXPECT_EQ(parsed->front().fields.front().first, key.str());
  }
  // facts/ir 2.3 has these, and core_grid.
  for (const char *key : {"weights_dtype", "activation", "deallocate_activation", "reallocate_halo_output",
                          "act_block_h_override", "act_block_w_div", "reshard_if_not_optimal",
                          "override_sharding_config", "shard_layout", "transpose_shards", "output_layout",
                          "enable_act_double_buffer", "enable_weights_double_buffer"})
    EXPECT_TRUE(llvm::is_contained(conv2dOverrideKeys(), key)) << key;
}

TEST(OverridesTest, EmptyTextIsNoOverride) {
  auto parsed = parseOverrides("", "", "");
  ASSERT_TRUE(bool(parsed));
  EXPECT_TRUE(parsed->empty());
}

TEST(OverridesTest, ANameMayHaveCommas) {
  auto parsed = parseOutputLayoutOverrides("jit(f)/bq,kb->qk/dot_general=l1, relu_0=dram,,x,y=l1,");
  ASSERT_TRUE(bool(parsed));
  ASSERT_EQ(parsed->size(), 3u);
  EXPECT_EQ((*parsed)[0].op, "jit(f)/bq,kb->qk/dot_general");
  EXPECT_EQ((*parsed)[1].op, "relu_0");
  EXPECT_EQ((*parsed)[2].op, "x,y");
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
  EXPECT_EQ(errorOf(parseReshardOverrides("m=1:0:1")), "insert-memreconfig: op 'm' is given operand 1 twice");
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
