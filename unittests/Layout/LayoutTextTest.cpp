//===- LayoutTextTest.cpp - Layouts in words ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Layout/LayoutText.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

using namespace tessera;

namespace {

const DeviceSpec &n150() { return *findDevice("n150"); }

template <class T>
std::string errorOf(llvm::Expected<T> parsed) {
  return parsed ? "" : llvm::toString(parsed.takeError());
}

/// The text as print writes it.
std::string reprinted(llvm::StringRef text) { return print(llvm::cantFail(parseLayoutWords(text))); }

TEST(LayoutWords, EveryNotationIsOne) {
  for (const char *text :
       {"l1/block_sharded/8x8/tile", "8x8:l1:block_sharded:tile", "tile/bs8x8", "bs8x8:tile"})
    EXPECT_EQ(reprinted(text), "l1/block_sharded/8x8/tile");
  EXPECT_EQ(reprinted("hs8/rm"), "l1/height_sharded/8x1/row_major");
  EXPECT_EQ(reprinted("ws8"), "l1/width_sharded/1x8");
  EXPECT_EQ(reprinted("wsdram12"), "dram/width_sharded/1x12");
  EXPECT_EQ(reprinted("host/rm"), "system_memory/row_major");
}

TEST(LayoutWords, ColonsSeparateWordsBesideAListOfCoresToo) {
  for (const char *text :
       {"hs12:cores=0:0-7:0+0:1-3:1:rm", "cores=0:0-7:0+0:1-3:1:row_major:12x1:height_sharded:l1"})
    EXPECT_EQ(reprinted(text), "l1/height_sharded/12x1/row_major/cores=0:0-7:0+0:1-3:1");
  EXPECT_EQ(reprinted("hs8:cores=0:0-7:0"), "l1/height_sharded/8x1/cores=0:0-7:0");
}

TEST(LayoutWords, ShortFormsArePrintedOnRequest) {
  for (const char *text : {"hs8", "ws8/rm", "bs2x4/bf16", "wsdram12", "dram", "l1/rm", "host",
                           "dram/height_sharded/8x1", "hs2/shard=96x64", "hs8/rm/cores=0:0-3:0+2:1-2:4"})
    EXPECT_EQ(print(llvm::cantFail(parseLayoutWords(text)), LayoutStyle::Short), text);
  EXPECT_EQ(print(llvm::cantFail(parseLayoutWords("l1/interleaved")), LayoutStyle::Short), "l1");
}

TEST(LayoutWords, SayInASentenceWhatALayoutTakes) {
  auto said = [](llvm::StringRef words, TensorDesc tensor) {
    return inWords(llvm::cantFail(parseLayoutFor(words, tensor, n150())), n150());
  };
  TensorDesc tensor{{256, 512}, DataType::BFloat16}; // 8 x 16 tiles of 2,048 bytes
  EXPECT_EQ(said("bs2x4", tensor),
            "block sharded in L1 over 2x4 cores, shards of 4x4 tiles, bf16, 32.0 KiB per core");
  EXPECT_EQ(said("hs8/rm", tensor),
            "height sharded in L1 over 8x1 cores, shards of 32x512 elements, bf16, 32.0 KiB per core");
  EXPECT_EQ(said("l1", tensor), "interleaved in L1 over 64 cores, tiles, bf16, 4.00 KiB per core");
  EXPECT_EQ(said("dram", tensor),
            "interleaved in DRAM over 12 banks, tiles, bf16, 22.0 KiB per bank"); // 11 of 128 tiles
  EXPECT_EQ(said("wsdram8", tensor),
            "width sharded in DRAM over 1x8 banks, shards of 8x2 tiles, bf16, 32.0 KiB per bank");
  EXPECT_EQ(said("host/rm", {{3}, DataType::Float32}), "on the host, row-major, f32");
}

TEST(LayoutWords, WhatIsNotSaidIsOpen) {
  LayoutWords words = llvm::cantFail(parseLayoutWords("width_sharded:bf16"));
  EXPECT_EQ(words, (LayoutWords{.memory = MemoryLayout::WidthSharded, .dtype = DataType::BFloat16}));
}

TEST(LayoutWords, AnUnknownWordIsOneErrorThatSaysWhatIsLegal) {
  EXPECT_EQ(
      errorOf(parseLayoutWords("l1/banana")),
      "'banana' is no word of a layout; legal are a grid like 8x8; dram, l1, system_memory, l1_small, trace; "
      "interleaved, height_sharded, width_sharded, block_sharded; tile, row_major; f32, f16, bf16, bfp_f8, "
      "bfp_bf8, bfp_f4, bfp_bf4, bfp_f2, bfp_bf2, u32, u16, u8, si32, i1; shard=32x256; cores=0:0-7:3; or "
      "short host, "
      "rm, wsdram12, hs8, ws8, bs2x4");
  for (const char *text : {"0x8", "8x", "x8", "hs", "hs0", "hs8x1", "bs8", "nd_sharded", "DRAM", "65537x1",
                           "shard=32", "cores=0:0", "cores=1:0-0:0"})
    EXPECT_EQ(llvm::StringRef(errorOf(parseLayoutWords(text))).split(';').first,
              "'" + std::string(text) + "' is no word of a layout");
}

TEST(LayoutWords, AMissingOrSecondWordIsAnError) {
  for (const char *text : {"", "l1:", "/l1", "l1//tile"})
    EXPECT_EQ(llvm::StringRef(errorOf(parseLayoutWords(text))).split(';').first,
              "'" + std::string(text) + "' is no layout: a word is missing");
  EXPECT_EQ(errorOf(parseLayoutWords("dram:l1")), "'l1' gives the layout a second buffer");
  EXPECT_EQ(errorOf(parseLayoutWords("hs8/4x1")), "'4x1' gives the layout a second grid");
}

TEST(LayoutFor, SaysWhatIsMissingOrTooMuch) {
  TensorDesc tensor{{64, 64}};
  auto why = [&](llvm::StringRef text) { return errorOf(parseLayoutFor(text, tensor, n150())); };
  EXPECT_EQ(llvm::StringRef(why("height_sharded/8x1")).split(';').first,
            "'height_sharded/8x1' does not say which memory");
  EXPECT_EQ(why("hs2/shard=20x64"), "shard 20x64 is not of whole tiles");
  EXPECT_EQ(why("hs2/cores=0:0-5:0"), "6 cores do not hold 2 shards");
  EXPECT_EQ(why("dram/shard=32x64"), "an interleaved layout has no shard and no cores of its own");
  EXPECT_EQ(why("l1/height_sharded"), "height_sharded needs a grid");
  EXPECT_EQ(why("l1/8x1"), "grid 8x1 needs height_sharded, width_sharded or block_sharded");
  EXPECT_EQ(why("l1/width_sharded/8x1"), "grid 8x1 does not fit width_sharded");
  EXPECT_EQ(why("hs65"), "grid 65x1 has more cores than the device");
  EXPECT_EQ(why("bs9x1"), "grid 9x1 has more cores than the device");
  EXPECT_EQ(why("wsdram13"), "grid 1x13 does not fit the row of 12 DRAM banks");
  EXPECT_EQ(why("dram/block_sharded/1x2"), "dram cannot be block_sharded: its banks form one row");
  EXPECT_EQ(why("host/height_sharded/2x1"), "system_memory holds no shards");
  EXPECT_EQ(why("dram/f32"), "the layout is of f32, the tensor of bf16");
}

/// On n150's eight columns of cores twelve would be a row and a half.
TEST(LayoutFor, ShardsInDramLieOnARowOfBanks) {
  TensorDesc tensor{{64, 384}};
  TensorLayout layout = llvm::cantFail(parseLayoutFor("wsdram12", tensor, n150()));
  EXPECT_EQ(layout.cores, rectangleOfCores({1, 12}));
  EXPECT_EQ(checkLayoutFor(layout, tensor.shape, n150()), "");
}

TEST(TensorDescText, ShapeAndDataType) {
  EXPECT_EQ(llvm::cantFail(parseTensorDesc("32x64xf32")), (TensorDesc{{32, 64}, DataType::Float32}));
  EXPECT_EQ(llvm::cantFail(parseTensorDesc("32x64")), (TensorDesc{{32, 64}}));
  EXPECT_EQ(llvm::cantFail(parseTensorDesc("scalar")), TensorDesc());
  EXPECT_EQ(errorOf(parseTensorDesc("32xbf17")),
            "'32xbf17' is not a tensor type like 32x64xbf16: 'bf17' is neither a size nor a data type");
  EXPECT_EQ(errorOf(parseTensorDesc("32x-1")),
            "'32x-1' is not a tensor type like 32x64xbf16: negative dimension");
}

// ---- What is printed reads back --------------------------------------------------------------------------

template <class T>
std::optional<T> maybe(rc::Gen<T> values) {
  return *rc::gen::arbitrary<bool>() ? std::optional<T>(*values) : std::nullopt;
}

TEST(LayoutTextProperties, PrintedWordsReadBack) {
  EXPECT_TRUE(rc::check([] {
    LayoutWords words;
    if (*rc::gen::arbitrary<bool>())
      words.grid = {*rc::gen::inRange<int64_t>(1, 65537), *rc::gen::inRange<int64_t>(1, 65537)};
    words.buffer = maybe(rc::gen::element(BufferType::DRAM, BufferType::L1, BufferType::SystemMemory,
                                          BufferType::L1Small, BufferType::Trace));
    words.memory = maybe(rc::gen::element(MemoryLayout::Interleaved, MemoryLayout::HeightSharded,
                                          MemoryLayout::WidthSharded, MemoryLayout::BlockSharded));
    words.page = maybe(rc::gen::element(PageLayout::RowMajor, PageLayout::Tile));
    if (*rc::gen::arbitrary<bool>())
      words.dtype = DataType(*rc::gen::inRange<unsigned>(0, kNumDataTypes));
    if (*rc::gen::arbitrary<bool>())
      words.shard = {*rc::gen::inRange<int64_t>(1, kMaxLayoutExtent), *rc::gen::inRange<int64_t>(1, 99)};
    if (*rc::gen::arbitrary<bool>())
      words.cores = rowMajorCores(CoreCount(*rc::gen::inRange<int64_t>(1, 65)), n150().workerGrid);
    std::string text = print(words);
    RC_PRE(!text.empty());
    RC_ASSERT(llvm::cantFail(parseLayoutWords(text)) == words);
    // Without `interleaved`, which the rest implies.
    LayoutWords read = llvm::cantFail(parseLayoutWords(print(words, LayoutStyle::Short)));
    if (words.buffer && words.memory == MemoryLayout::Interleaved)
      words.memory.reset();
    RC_ASSERT(read == words);
  }));
}

TEST(LayoutTextProperties, ALayoutIsWhatItsWordsSay) {
  EXPECT_TRUE(rc::check([] {
    TensorDesc tensor{{*rc::gen::inRange<int64_t>(1, 500), *rc::gen::inRange<int64_t>(1, 500)}};
    GridShape workers = n150().workerGrid;
    PageLayout page = *rc::gen::element(PageLayout::RowMajor, PageLayout::Tile);
    int64_t rows = *rc::gen::inRange<int64_t>(1, 9), columns = *rc::gen::inRange<int64_t>(1, 9);
    const TensorLayout layouts[] = {
        dramInterleaved(tensor, page),
        l1Interleaved(tensor, workers, page),
        systemMemory(tensor, page),
        l1Sharded(tensor, MemoryLayout::HeightSharded, {rows * columns, 1}, workers, page),
        l1Sharded(tensor, MemoryLayout::WidthSharded, {1, rows * columns}, workers, page),
        l1Sharded(tensor, MemoryLayout::BlockSharded, {rows, columns}, workers, page)};
    for (const TensorLayout &layout : layouts) {
      RC_ASSERT(llvm::cantFail(parseLayoutFor(print(wordsOf(layout)), tensor, n150())) == layout);
      RC_ASSERT(wordsOf(layout, tensor, n150()) == wordsOf(layout));
    }
  }));
}

TEST(LayoutTextProperties, ShardsAndCoresOfTheirOwnAreSaid) {
  EXPECT_TRUE(rc::check([] {
    TensorDesc tensor{{*rc::gen::inRange<int64_t>(1, 500), *rc::gen::inRange<int64_t>(1, 500)}};
    PageLayout page = *rc::gen::element(PageLayout::RowMajor, PageLayout::Tile);
    int64_t cores = *rc::gen::inRange<int64_t>(1, 65), column = *rc::gen::inRange<int64_t>(0, 8);
    TensorLayout layout = l1Sharded(tensor, MemoryLayout::HeightSharded, {cores, 1}, n150().workerGrid, page);
    layout.shard.rows += *rc::gen::inRange<int64_t>(0, 3);
    if (*rc::gen::arbitrary<bool>())
      layout.cores->ranges = {{{column, 0}, {column, cores - 1}}};
    for (LayoutStyle style : {LayoutStyle::Full, LayoutStyle::Short}) {
      std::string text = print(wordsOf(layout, tensor, n150()), style);
      RC_ASSERT(llvm::cantFail(parseLayoutFor(text, tensor, n150())) == layout);
    }
  }));
}

} // namespace
