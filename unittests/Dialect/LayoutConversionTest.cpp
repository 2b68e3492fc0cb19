//===- LayoutConversionTest.cpp -------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "DialectTest.h"

using namespace mlir;
using namespace tessera;
using ttnn::TTNNLayoutAttr;

namespace {

using LayoutConversion = DialectTest;

TEST_F(LayoutConversion, ReadsEveryField) {
  auto attr = parse<TTNNLayoutAttr>(
      "#ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <19x1>, mesh = <\"pair\">, "
      "memref<2x4x!ttcore.tile<16x32, bfp_bf8>, #ttnn.buffer_type<l1>>, <height_sharded>, "
      "core_ranges = <[#ttnn.core_range<(0,0), (7,1)>, #ttnn.core_range<(0,2), (2,2)>]>>");
  ASSERT_TRUE(attr);
  TensorLayout layout = *ttnn::toTensorLayout(attr);
  ASSERT_EQ(layout.linear.results.size(), 2u);
  EXPECT_EQ(layout.linear.dims, 3u);
  EXPECT_EQ(layout.linear.results[0].coefficients, (llvm::SmallVector<int64_t, 4>{64, 1, 0}));
  EXPECT_EQ(layout.linear.results[1].coefficients, (llvm::SmallVector<int64_t, 4>{0, 0, 1}));
  EXPECT_EQ(layout.grid, (GridShape{19, 1}));
  EXPECT_EQ(layout.shard, (GridShape{2, 4}));
  EXPECT_EQ(layout.page, PageLayout::Tile);
  EXPECT_EQ(layout.tile, (TileShape{16, 32}));
  EXPECT_EQ(layout.dtype, DataType::BFP_BFloat8);
  EXPECT_EQ(layout.buffer, BufferType::L1);
  EXPECT_EQ(layout.memory, MemoryLayout::HeightSharded);
  ASSERT_TRUE(layout.cores.has_value());
  EXPECT_EQ(layout.cores->ranges, (llvm::SmallVector<CoreRange, 2>{{{0, 0}, {7, 1}}, {{0, 2}, {2, 2}}}));
  EXPECT_EQ(layout.mesh, "pair");
  EXPECT_FALSE(layout.ignorePhysicalLayout);
  EXPECT_EQ(ttnn::toAttr(&context, layout), attr);
}

TEST_F(LayoutConversion, RowMajorHostLayout) {
  auto attr = parse<TTNNLayoutAttr>("#ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x64xsi32, "
                                    "#ttnn.buffer_type<system_memory>>>");
  ASSERT_TRUE(attr);
  TensorLayout layout = *ttnn::toTensorLayout(attr);
  EXPECT_EQ(layout.page, PageLayout::RowMajor);
  EXPECT_EQ(layout.dtype, DataType::Int32);
  EXPECT_EQ(layout.memory, std::nullopt);
  EXPECT_EQ(layout.cores, std::nullopt);
  EXPECT_EQ(layout.linear.results[0].coefficients, (llvm::SmallVector<int64_t, 4>{0}));
  EXPECT_EQ(ttnn::toAttr(&context, layout), attr);
}

TEST_F(LayoutConversion, HintThatIgnoresPlacement) {
  auto attr = parse<TTNNLayoutAttr>(
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, "
      "#ttnn.buffer_type<l1>>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>, "
      "ignorePhysicalLayout = true>");
  ASSERT_TRUE(attr);
  TensorLayout layout = *ttnn::toTensorLayout(attr);
  EXPECT_TRUE(layout.ignorePhysicalLayout);
  EXPECT_EQ(layout.cores->size(), CoreCount(1));
  EXPECT_EQ(ttnn::toAttr(&context, layout), attr);
}

/// Plain data can say more than IR.
TEST_F(LayoutConversion, RefusesWhatIRCannotHold) {
  auto check = [&](const TensorLayout &layout, llvm::StringRef expected) {
    messages.clear();
    EXPECT_TRUE(failed(ttnn::toAttr(&context, layout, [&] { return emitError(); })));
    EXPECT_EQ(messages, expected);
  };
  TensorDesc large{{int64_t(1) << 32, 2}, DataType::BFloat16};
  check(systemMemory(large), "shard 4294967296x2 has an extent beyond 2147483648\n");
  TensorLayout wide = l1Sharded({{64, 64}, DataType::BFloat16}, MemoryLayout::BlockSharded, {2, 2}, {8, 8});
  wide.grid.columns = int64_t(1) << 32;
  check(wide, "grid 2x4294967296 has an extent beyond 2147483648\n");
  TensorLayout hint = dramInterleaved({{64, 64}, DataType::BFloat16});
  hint.ignorePhysicalLayout = true;
  check(hint, "ignorePhysicalLayout needs core ranges; this layout is interleaved\n");
  TensorLayout tall = dramInterleaved({{64, 64}, DataType::BFloat16});
  tall.tile = {64, 32};
  check(tall, "tile extent 64 is not within [1, 32]\n");
}

/// What the Layout library builds is legal in IR, and comes back equal.
TEST_F(LayoutConversion, BuiltLayoutsSurviveTheWayThroughIR) {
  TensorDesc tensor{{2, 40, 100}, DataType::BFloat16};
  GridShape workers{8, 8};
  for (PageLayout page : {PageLayout::Tile, PageLayout::RowMajor}) {
    for (const TensorLayout &layout :
         {dramInterleaved(tensor, page), systemMemory(tensor, page), l1Interleaved(tensor, workers, page),
          l1Sharded(tensor, MemoryLayout::HeightSharded, {3, 1}, workers, page),
          l1Sharded(tensor, MemoryLayout::WidthSharded, {1, 4}, workers, page),
          l1Sharded(tensor, MemoryLayout::BlockSharded, {2, 2}, workers, page)}) {
      TTNNLayoutAttr attr = ttnn::toAttr(&context, layout);
      EXPECT_EQ(*ttnn::toTensorLayout(attr), layout) << describe(layout);
      std::string text;
      llvm::raw_string_ostream(text) << attr;
      EXPECT_EQ(mlir::parseAttribute(text, &context), attr) << text << messages;
    }
  }
}

TEST_F(LayoutConversion, EveryDataTypeInTilesAndScalars) {
  for (unsigned i = 0; i != kNumDataTypes; ++i) {
    auto type = static_cast<DataType>(i);
    TensorLayout layout = dramInterleaved({{32, 32}, type}, PageLayout::Tile);
    EXPECT_EQ(ttnn::toTensorLayout(ttnn::toAttr(&context, layout))->dtype, type);
    std::string text;
    llvm::raw_string_ostream(text) << ttnn::toAttr(&context, layout);
    EXPECT_NE(text.find("tile<32x32, " + name(type).str() + ">"), std::string::npos) << text;
    if (!isBlockFloat(type))
      EXPECT_EQ(ttnn::dataType(ttnn::scalarType(&context, type)), type);
  }
}

TEST_F(LayoutConversion, ElementTypesOfTensors) {
  Builder builder(&context);
  EXPECT_EQ(ttnn::dataType(builder.getI32Type()), DataType::Int32) << "signless counts as signed";
  EXPECT_EQ(ttnn::dataType(builder.getIntegerType(32, /*isSigned=*/false)), DataType::UInt32);
  EXPECT_EQ(ttnn::dataType(builder.getIntegerType(16)), DataType::UInt16);
  EXPECT_EQ(ttnn::dataType(builder.getI1Type()), DataType::Bool);
  EXPECT_EQ(ttnn::dataType(builder.getF64Type()), std::nullopt);
  EXPECT_EQ(ttnn::dataType(builder.getI64Type()), std::nullopt);
  EXPECT_EQ(ttnn::dataType(builder.getIntegerType(16, /*isSigned=*/true)), std::nullopt);
  EXPECT_EQ(ttnn::dataType(builder.getIndexType()), std::nullopt);
}

TEST_F(LayoutConversion, LinearMapsBothWays) {
  auto map = parse<AffineMapAttr>("affine_map<(d0, d1, d2) -> (d0 * 64 + d1 + 7, 3 * (d2 + 2) - d0)>");
  ASSERT_TRUE(map);
  FailureOr<LinearMap> linear = ttnn::toLinearMap(map.getValue());
  ASSERT_TRUE(succeeded(linear));
  EXPECT_EQ(linear->results[0].coefficients, (llvm::SmallVector<int64_t, 4>{64, 1, 0}));
  EXPECT_EQ(linear->results[0].constant, 7);
  EXPECT_EQ(linear->results[1].coefficients, (llvm::SmallVector<int64_t, 4>{-1, 0, 3}));
  EXPECT_EQ(linear->results[1].constant, 6);
  EXPECT_EQ(*ttnn::toLinearMap(ttnn::toAffineMap(&context, *linear)), *linear);
}

TEST_F(LayoutConversion, MapsThatAreNotLinearAreErrors) {
  for (const char *text :
       {"affine_map<(d0, d1) -> (d0 floordiv 2, d1)>", "affine_map<(d0, d1) -> (d0 mod 2, d1)>",
        "affine_map<(d0)[s0] -> (d0 * s0, 0)>", "affine_map<(d0)[s0] -> (d0, 0)>",
        "affine_map<(d0, d1) -> ((d0 * 4611686018427387904 + d1) * 4, 0)>"}) {
    messages.clear();
    auto map = parse<AffineMapAttr>(text);
    ASSERT_TRUE(map);
    EXPECT_TRUE(failed(ttnn::toLinearMap(map.getValue(), [&] { return emitError(); }))) << text;
    EXPECT_NE(messages.find("must be linear"), std::string::npos) << text << ": " << messages;
    messages.clear();
    EXPECT_TRUE(failed(ttnn::toLinearMap(map.getValue()))) << text;
    EXPECT_EQ(messages, "") << "silent without a function to report to";
  }
}

TEST_F(LayoutConversion, TensorDescTakesTheTypeOfTheLayout) {
  auto type = parseType<RankedTensorType>(
      "tensor<64x100xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
      "memref<2x4x!ttcore.tile<32x32, bfp_bf8>, #ttnn.buffer_type<dram>>, <interleaved>>>");
  ASSERT_TRUE(type);
  FailureOr<TensorDesc> desc = ttnn::tensorDesc(type);
  ASSERT_TRUE(succeeded(desc));
  EXPECT_EQ(*desc, (TensorDesc{{64, 100}, DataType::BFP_BFloat8}));
  EXPECT_EQ(ttnn::tensorDesc(parseType<RankedTensorType>("tensor<8xi32>"))->dtype, DataType::Int32);
  EXPECT_EQ(ttnn::tensorDesc(parseType<RankedTensorType>("tensor<8x8x!ttcore.tile<32x32, bfp_bf4>>"))->dtype,
            DataType::BFP_BFloat4);
}

TEST_F(LayoutConversion, TensorDescRefusesWhatNoDeviceHolds) {
  auto report = [&] { return emitError(); };
  EXPECT_TRUE(failed(ttnn::tensorDesc(parseType<RankedTensorType>("tensor<8xf64>"), report)));
  EXPECT_NE(messages.find("no device can hold"), std::string::npos) << messages;
  EXPECT_TRUE(failed(ttnn::tensorDesc(parseType<RankedTensorType>("tensor<?xf32>"), report)));
  EXPECT_NE(messages.find("dynamic shape"), std::string::npos) << messages;
}

/// Layouts that IR allows on any tensor, each with what keeps the optimizer from reasoning about it.
TEST_F(LayoutConversion, LayoutsThatPlaceNothing) {
  struct Case {
    const char *tensor, *map, *grid, *memref, *rest, *why;
  };
  const char *tile = "1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>", *dram = ", <interleaved>",
             *l1Tile = "1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>";
  const Case cases[] = {
      {"32x32", "(d0, d1) -> (d0 floordiv 2, d1)", "1x1", tile, dram, "must be linear"},
      {"32x32", "(d0, d1)[s0] -> (d0 + s0, d1)", "1x1", tile, dram, "must be linear"},
      {"32x32", "(d0, d1) -> (d0 * 4294967296, d1)", "1x1", tile, dram, "coefficient"},
      {"32x32", "(d0, d1) -> (d0)", "1x1", tile, dram, "the linear map has 1 results"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x1", "1x1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>",
       dram, "3 dimensions are given"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x1", "1x4611686018427387904xbf16, #ttnn.buffer_type<dram>", dram,
       "has an extent beyond"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x1", "32x?xbf16, #ttnn.buffer_type<dram>", dram, "must be static"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x1", "32x32xbf16, strided<[64, 1]>, #ttnn.buffer_type<dram>", dram,
       "must be static"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x1", "32x32xbf16, 1", dram, "#ttnn.buffer_type"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x1", "32x32xf64, #ttnn.buffer_type<dram>", dram,
       "no device can hold"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x1", "1x1x!ttcore.tile<64x32, bf16>, #ttnn.buffer_type<dram>", dram,
       "tile extent 64 is not within [1, 32]"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x1x1", l1Tile, dram, "the grid of a layout has rows and columns"},
      {"32x32", "(d0, d1) -> (d0, d1)", "0x1", l1Tile, dram, "grid 0x1 is empty"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x4294967296", l1Tile, dram, "has an extent beyond"},
      {"32x64", "(d0, d1) -> (d0, d1)", "1x2", l1Tile,
       ", <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>",
       "height_sharded cuts rows only"},
      {"96x32", "(d0, d1) -> (d0, d1)", "3x1", l1Tile,
       ", <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>",
       "3 shards, but the core ranges have 2"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x1", l1Tile, ", <nd_sharded>", "nd_sharded needs core ranges"},
      {"64x64", "(d0, d1) -> (d0, d1)", "2x2", tile,
       ", <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,1)>]>", "one row of banks"},
      // Legal for some tensors, but not for this one.
      {"32x32", "(d0, d1, d2) -> (d0 * 32 + d1, d2)", "1x1", tile, dram, "for tensors of rank 3"},
      {"?x32", "(d0, d1) -> (d0, d1)", "1x1", tile, dram, "dynamic shape"},
      {"65x32", "(d0, d1) -> (d0, d1)", "1x1", "2x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>", dram,
       "shards of 2x1 over a grid of 1x1 do not hold the tensor's 3x1 tiles"},
      {"32x32", "(d0, d1) -> (d0, d1)", "1x1", "32x31xbf16, #ttnn.buffer_type<system_memory>", "",
       "do not hold the tensor's 32x32 elements"},
      {"32x256", "(d0, d1) -> (d0, d1)", "1x7", l1Tile,
       ", <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (6,0)>]>",
       "do not hold the tensor's 1x8 tiles"},
      {"129x32", "(d0, d1) -> (d0, d1)", "1x4", tile,
       ", <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,0)>]>",
       "do not hold the tensor's 5x1 tiles"},
      {"32x2049", "(d0, d1) -> (d0, d1)", "8x8", l1Tile, dram, "do not hold the tensor's 1x65 tiles"},
      {"2x320x320", "(d0, d1) -> (d0, d1)", "1x1", l1Tile,
       ", <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>, ignorePhysicalLayout = true",
       "for tensors of rank 2"},
      {"9223372036854775807x32x32", "(d0, d1, d2) -> (d0 * 4096 + d1, d2)", "1x1", tile, dram,
       "rows or columns are beyond"},
      {"32x32", "(d0, d1) -> (-d0, d1)", "1x1", tile, dram, "below 0"},
  };
  for (const Case &c : cases) {
    messages.clear();
    std::string text = (llvm::Twine("tensor<") + c.tensor + "xbf16, #ttnn.ttnn_layout<" + c.map + ", <" +
                        c.grid + ">, memref<" + c.memref + ">" + c.rest + ">>")
                           .str();
    auto type = parseType<RankedTensorType>(text);
    ASSERT_TRUE(type) << text << ": " << messages;
    EXPECT_TRUE(failed(ttnn::placedTensor(type, [&] { return emitError(); }))) << text;
    EXPECT_NE(messages.find(c.why), std::string::npos) << text << ": " << messages;
  }
}

/// Spellings that do place their tensor, next to those above that do not.
TEST_F(LayoutConversion, LayoutsThatPlaceTheirTensor) {
  auto expectPlaced = [&](const llvm::Twine &text) {
    auto type = parseType<RankedTensorType>(text.str());
    ASSERT_TRUE(type) << text.str() << ": " << messages;
    FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(type, [&] { return emitError(); });
    ASSERT_TRUE(succeeded(placed)) << text.str() << ": " << messages;
    EXPECT_EQ(placed->tensor.shape, Shape(type.getShape()));
    EXPECT_EQ(ttnn::toAttr(&context, placed->layout), type.getEncoding());
  };
  llvm::StringRef dram =
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, "
      "#ttnn.buffer_type<dram>>, <interleaved>>>";
  expectPlaced("tensor<64x32xbf16, " + dram);
  expectPlaced("tensor<0x320xbf16, " + dram); // nothing always fits
  // Pages in L1 are dealt one by one, in either spelling of the grid.
  for (llvm::StringRef gridAndShard : {"<8x8>, memref<1x1", "<1x1>, memref<1x64"})
    expectPlaced("tensor<32x2048xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), " + llvm::Twine(gridAndShard) +
                 "x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>>");
  // Height sharded over four banks, which are written as a row.
  expectPlaced(
      "tensor<128x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x4>, memref<1x1x!ttcore.tile<32x32, "
      "bf16>, #ttnn.buffer_type<dram>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), "
      "(3,0)>]>>>");
  // A hint leaves the shard to the backend.
  expectPlaced(
      "tensor<320x320xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, "
      "bf16>, #ttnn.buffer_type<l1>>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>, "
      "ignorePhysicalLayout = true>>");
  EXPECT_TRUE(failed(ttnn::placedTensor(parseType<RankedTensorType>("tensor<8xbf16>"))));
  // Extents in DRAM are those of the tensor, whatever they are said to be.
  FailureOr<ttnn::PlacedTensor> mended =
      ttnn::placedTensor(parseType<RankedTensorType>("tensor<65x32xbf16, " + dram.str()));
  ASSERT_TRUE(succeeded(mended));
  EXPECT_EQ(mended->layout, dramInterleaved(mended->tensor));
}

} // namespace
