//===- LayoutBytesTest.cpp - What a layout takes from memory ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/TensorLayout.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

constexpr GridShape k8x8{8, 8};
constexpr PageLayout kRowMajor = PageLayout::RowMajor;

const DeviceSpec &n150() { return *findDevice("n150"); }

// facts/ir 9.4 "Numbers to assert".
TEST(LayoutBytes, FiguresToAssert) {
  EXPECT_EQ(bytesPerCore(l1Interleaved({{4096, 512}}, k8x8), n150()), Bytes(64 * 1024));
  EXPECT_EQ(bytesPerCore(l1Interleaved({{5120, 5120}}, k8x8), n150()), Bytes(400 * 2048));
  EXPECT_EQ(bytesPerCore(l1Interleaved({{8192, 8192}}, k8x8), n150()), Bytes(2 * 1024 * 1024));
  EXPECT_GT(bytesPerCore(l1Interleaved({{8192, 8192}}, k8x8), n150()), n150().usableL1());
  TensorLayout ws = l1Sharded({{544, 16384}}, MemoryLayout::WidthSharded, {1, 64}, k8x8);
  EXPECT_EQ(bytesPerCore(ws, n150()), Bytes(278528));
}

TEST(LayoutBytes, BlockFloats) {
  TensorDesc tensor{{1024, 1024}, DataType::BFP_BFloat8};
  EXPECT_EQ(pageBytes(l1Interleaved(tensor, k8x8)), Bytes(1088));
  EXPECT_EQ(bytesPerCore(l1Interleaved(tensor, k8x8), n150()), Bytes(16 * 1088));
  EXPECT_EQ(totalBytes(dramInterleaved(tensor), tensor.shape), Bytes(1024 * 1088));
}

TEST(LayoutBytes, ConventionClash) {
  // L1 interleaved written with grid 1x1 and the whole memref costs what the builder's form costs.
  TensorLayout whole = dramInterleaved({{4096, 512}});
  whole.buffer = BufferType::L1;
  EXPECT_EQ(whole.grid, (GridShape{1, 1}));
  EXPECT_EQ(bytesPerCore(whole, n150()), Bytes(64 * 1024));
  EXPECT_EQ(bytesPerCore(whole, *findDevice("p150")), Bytes(16 * 2048)); // ceil(2048 tiles / 130 cores)
}

TEST(LayoutBytes, SmallTensorsTakeAPagePerBank) {
  EXPECT_EQ(bytesPerCore(l1Interleaved({{32, 32}}, k8x8), n150()), Bytes(2048));
  EXPECT_EQ(bytesPerCore(dramInterleaved({{32, 32}}), n150()), Bytes(2048));
  EXPECT_EQ(bytesPerCore(dramInterleaved({{32 * 13, 32}}), n150()), Bytes(2 * 2048)); // 13 tiles, 12 banks
}

TEST(LayoutBytes, RowsAreAligned) {
  // 6-byte rows: 16 in L1, 32 in Wormhole's DRAM, 64 in Blackhole's.
  TensorDesc tensor{{12, 3}};
  EXPECT_EQ(pageBytes(dramInterleaved(tensor, kRowMajor)), Bytes(6));
  EXPECT_EQ(bytesPerCore(dramInterleaved(tensor, kRowMajor), n150()), Bytes(32));
  EXPECT_EQ(bytesPerCore(dramInterleaved(tensor, kRowMajor), *findDevice("p150")), Bytes(2 * 64));
  TensorLayout sharded = l1Sharded(tensor, MemoryLayout::HeightSharded, {4, 1}, k8x8, kRowMajor);
  EXPECT_EQ(bytesPerCore(sharded, n150()), Bytes(3 * 16));
}

/// A core that has a row of an interleaved tensor has a page, and pages are aligned: 6 bytes take 16.
TEST(LayoutBytes, RowsOfInterleavedTensorsAreAlignedInL1) {
  TensorDesc tensor{{64 * 3, 3}};
  EXPECT_EQ(bytesPerCore(l1Interleaved(tensor, k8x8, kRowMajor), n150()), Bytes(3 * 16));
  EXPECT_EQ(bytesPerCore(l1Interleaved({{64 * 3, 9}}, k8x8, kRowMajor), n150()), Bytes(3 * 32));
  EXPECT_EQ(bytesPerCore(l1Interleaved({{64 * 3, 8}}, k8x8, kRowMajor), n150()), Bytes(3 * 16));
  EXPECT_EQ(bytesPerCore(l1Interleaved({{64 * 3 + 1, 3}, DataType::Float32}, k8x8, kRowMajor), n150()),
            Bytes(4 * 16));
  // The same tensor written with the whole memref.
  TensorLayout whole = dramInterleaved(tensor, kRowMajor);
  whole.buffer = BufferType::L1;
  EXPECT_EQ(bytesPerCore(whole, n150()), Bytes(3 * 16));
  // Placed anew for another tensor.
  EXPECT_EQ(bytesPerCore(withTensor(l1Interleaved(tensor, k8x8, kRowMajor), {{64 * 2, 5}}, k8x8), n150()),
            Bytes(2 * 16));
}

TEST(LayoutBytes, HostTakesNothingFromTheDevice) {
  TensorLayout host = systemMemory({{64, 64}});
  EXPECT_EQ(bytesPerCore(host, n150()), Bytes(0));
  EXPECT_EQ(totalBytes(host, {64, 64}), Bytes(64 * 64 * 2));
}

TEST(LayoutBytes, OnlyL1CountsAsL1) {
  EXPECT_EQ(l1BytesPerCore(dramInterleaved({{64, 64}}), n150()), Bytes(0));
  EXPECT_EQ(l1BytesPerCore(l1Interleaved({{64, 64}}, k8x8), n150()), Bytes(2048));
}

TEST(LayoutBytes, DramShardsLieOnTheirBanks) {
  TensorLayout layout = l1Sharded({{64, 12 * 32}}, MemoryLayout::WidthSharded, {1, 12}, {1, 12});
  layout.buffer = BufferType::DRAM;
  EXPECT_EQ(bytesPerCore(layout, n150()), Bytes(2 * 2048));
  EXPECT_EQ(l1BytesPerCore(layout, n150()), Bytes(0));
}

} // namespace
