//===- PageMapTest.cpp - Where pages lie, and what comes back -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SimulatorTest.h"

#include "tessera/Simulator/PageMap.h"

#include <cmath>
#include <map>

using namespace tessera;
using namespace tessera::simulator;

namespace {

const DeviceSpec &n150() { return *findDevice("n150"); }

/// A memory that notes which bytes are written.
struct Banks {
  std::map<int64_t, std::vector<uint8_t>> bytes;
  PageMap map;

  Banks(const TensorLayout &layout, const TensorDesc &desc)
      : map(llvm::cantFail(PageMap::make(layout, desc, n150()))) {
    for (int64_t bank = 0; bank < map.banks(); ++bank)
      bytes[bank].resize(size_t(map.bankBytes().value()), 0x77);
  }
  llvm::MutableArrayRef<uint8_t> page(PageAddress address) {
    return llvm::MutableArrayRef(bytes.at(address.bank))
        .slice(size_t(address.offset.value()), size_t(map.pageSize().value()));
  }
  DenseTensor roundTrip(const DenseTensor &tensor) {
    map.store(tensor, [&](PageAddress address) { return page(address); });
    DenseTensor back(tensor.desc);
    map.load(back, [&](PageAddress address) { return page(address); });
    return back;
  }
};

/// All layouts that a 3 x 70 x 100 tensor of that type may have.
std::vector<TensorLayout> layoutsOf(const TensorDesc &desc) {
  std::vector<TensorLayout> layouts;
  for (PageLayout page : {PageLayout::Tile, PageLayout::RowMajor}) {
    if (page == PageLayout::RowMajor && isBlockFloat(desc.dtype))
      continue;
    layouts.push_back(dramInterleaved(desc, page));
    layouts.push_back(systemMemory(desc, page));
    layouts.push_back(l1Interleaved(desc, {8, 8}, page));
    layouts.push_back(l1Sharded(desc, MemoryLayout::HeightSharded, {7, 1}, {8, 8}, page));
    layouts.push_back(l1Sharded(desc, MemoryLayout::WidthSharded, {1, 4}, {8, 8}, page));
    layouts.push_back(l1Sharded(desc, MemoryLayout::BlockSharded, {3, 2}, {8, 8}, page));
  }
  return layouts;
}

TEST(PageMap, EveryLayoutGivesBackWhatItTook) {
  for (DataType dtype : {DataType::Float32, DataType::BFloat16, DataType::UInt32, DataType::Int32,
                         DataType::UInt16, DataType::UInt8}) {
    TensorDesc desc{{3, 70, 100}, dtype};
    DenseTensor tensor(desc);
    for (int64_t i = 0; i < tensor.volume(); ++i)
      tensor.set(i, double(i % 251)); // exact in all of them
    for (const TensorLayout &layout : layoutsOf(desc)) {
      SCOPED_TRACE(describe(layout) + " " + name(dtype).str());
      EXPECT_EQ(valuesOf(Banks(layout, desc).roundTrip(tensor)), valuesOf(tensor));
    }
  }
}

TEST(PageMap, BlocksAndRowsAreAsTheWhole) {
  for (DataType dtype : {DataType::BFloat16, DataType::BFP_BFloat8, DataType::UInt16}) {
    TensorDesc desc{{3, 70, 100}, dtype};
    DenseTensor tensor(desc);
    for (int64_t i = 0; i < tensor.volume(); ++i)
      tensor.set(i, double(i % 7));
    for (const TensorLayout &layout : layoutsOf(desc)) {
      SCOPED_TRACE(describe(layout) + " " + name(dtype).str());
      Banks whole(layout, desc), byRows(layout, desc);
      DenseTensor back = whole.roundTrip(tensor);
      byRows.map.storeRows(
          [&](const ElementBlock &rows, DenseTensor &values) {
            for (int64_t i = 0; i < values.volume(); ++i)
              values.set(i, tensor.at(rows.rowBegin * 100 + i));
          },
          [&](PageAddress address) { return byRows.page(address); });
      EXPECT_EQ(byRows.bytes, whole.bytes) << "padding included";
      for (ElementBlock block :
           {ElementBlock{0, 210, 0, 100}, {69, 71, 0, 100}, {5, 150, 31, 33}, {33, 34, 64, 96}}) {
        DenseTensor part(whole.map.descOf(block));
        whole.map.loadBlock(block, part, [&](PageAddress address) { return whole.page(address); });
        for (int64_t row = 0; row < block.rows(); ++row)
          for (int64_t column = 0; column < block.columns(); ++column)
            ASSERT_EQ(part.at(row * block.columns() + column),
                      back.at((block.rowBegin + row) * 100 + block.columnBegin + column))
                << row << ", " << column;
      }
    }
  }
}

/// The optimizer counts what the simulator stores.
TEST(PageMap, TakesFromEachBankWhatTheLayoutSays) {
  for (DataType dtype : {DataType::Float32, DataType::BFloat16, DataType::UInt8})
    for (int64_t width : {1, 3, 8, 100}) {
      TensorDesc desc{{3, 70, width}, dtype};
      for (const TensorLayout &layout : layoutsOf(desc)) {
        if (!layout.onDevice())
          continue;
        SCOPED_TRACE(describe(layout) + " " + name(dtype).str() + " " + std::to_string(width));
        llvm::Expected<PageMap> map = PageMap::make(layout, desc, *findDevice("n150"));
        ASSERT_TRUE(bool(map)) << llvm::toString(map.takeError());
        EXPECT_EQ(map->bankBytes(), bytesPerCore(layout, *findDevice("n150")));
      }
    }
}

TEST(PageMap, BlockFloatRoundsAsTheFormatDoes) {
  TensorDesc desc{{33, 40}, DataType::BFP_BFloat8};
  // 1 to 16 is exact with 7 bits; in a row of ones and one of 1000 the ones are lost.
  DenseTensor tensor(desc);
  for (int64_t i = 0; i < tensor.volume(); ++i)
    tensor.set(i, i % 40 == 0 ? 1000 : 1);
  for (const TensorLayout &layout : layoutsOf(desc)) {
    DenseTensor back = Banks(layout, desc).roundTrip(tensor);
    EXPECT_EQ(back.at(0), 1000);
    EXPECT_EQ(back.at(1), 0) << "shares the exponent of 1000, whose last place is 8";
    EXPECT_EQ(back.at(39), 1) << "in a face row with padding";
  }
}

TEST(PageMap, PagesLieWhereTheLayoutSays) {
  TensorDesc desc{{70, 100}, DataType::BFloat16};
  PageMap interleaved = llvm::cantFail(PageMap::make(dramInterleaved(desc), desc, n150()));
  EXPECT_EQ(interleaved.pages().rows, 3);
  EXPECT_EQ(interleaved.pages().columns, 4);
  EXPECT_EQ(interleaved.address(2, 3).bank, 11);
  EXPECT_EQ(interleaved.address(2, 3).offset, Bytes(0)) << "the last of 12 pages, one per bank";
  TensorLayout sharded = l1Sharded(desc, MemoryLayout::BlockSharded, {2, 2}, {8, 8});
  PageMap blocks = llvm::cantFail(PageMap::make(sharded, desc, n150()));
  EXPECT_EQ(blocks.address(2, 3).bank, 9) << "core (1,1) of 8 columns";
  EXPECT_EQ(blocks.address(2, 3).offset, Bytes(2048)) << "first row, second column of its shard";
}

TEST(PageMap, PaddingIsPoisoned) {
  TensorDesc desc{{1, 1}, DataType::Float32};
  Banks banks(dramInterleaved(desc), desc);
  banks.roundTrip(tensorOf({1, 1}, {5}));
  float first = 0, second = 0;
  std::memcpy(&first, banks.bytes[0].data(), 4);
  std::memcpy(&second, banks.bytes[0].data() + 4, 4);
  EXPECT_EQ(first, 5);
  EXPECT_TRUE(std::isnan(second));
}

TEST(PageMap, LayoutsThatItCannotStoreAreErrors) {
  TensorDesc desc{{64, 64}, DataType::BFloat16};
  TensorLayout odd = dramInterleaved(desc);
  odd.tile = {16, 32};
  odd.shard = {4, 2};
  llvm::Expected<PageMap> map = PageMap::make(odd, desc, n150());
  ASSERT_FALSE(bool(map));
  EXPECT_EQ(llvm::toString(map.takeError()), "the simulator does not support tiles other than 32x32");
  TensorLayout traced = dramInterleaved(desc);
  traced.buffer = BufferType::Trace;
  map = PageMap::make(traced, desc, n150());
  ASSERT_FALSE(bool(map));
  EXPECT_EQ(llvm::toString(map.takeError()), "the simulator does not support tensors in the trace region, "
                                             "where the runtime alone allocates");
  // Rows from the last to the first, and columns that begin before the first.
  TensorLayout upwards = dramInterleaved(desc), before = dramInterleaved(desc);
  upwards.linear.results[0] = {{-1, 0}, 63};
  before.linear.results[1].constant = -1;
  for (const TensorLayout &layout : {upwards, before}) {
    llvm::Expected<PageMap> none = PageMap::make(layout, desc, n150());
    ASSERT_FALSE(bool(none));
    EXPECT_EQ(
        llvm::toString(none.takeError()),
        "the simulator does not support layouts whose map does more than fold all dimensions but the last");
  }
  TensorDesc vast{{int64_t(1) << 31, int64_t(1) << 30}, DataType::BFloat16};
  for (const TensorLayout &layout : {dramInterleaved(vast), systemMemory(vast, PageLayout::RowMajor)}) {
    llvm::Expected<PageMap> none = PageMap::make(layout, vast, n150());
    ASSERT_FALSE(bool(none)) << "and no memory is spent on it";
    EXPECT_TRUE(llvm::StringRef(llvm::toString(none.takeError())).contains("more than any memory has"));
  }
}

} // namespace
