//===- BlockFloatTest.cpp - Tiles of numbers ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rows and bytes: facts/deepseek 5.4, which equal the published converter's.
//
//===----------------------------------------------------------------------===//
#include "tessera/Layout/BlockFloat.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace tessera;

namespace {

using Row = std::vector<float>;

/// "exponent | mantissas" of a row, the first of a tile of zeros.
std::string packed(DataType type, Row row, BlockFloatRounding rounding = BlockFloatRounding::Host) {
  row.resize(1024);
  std::vector<uint8_t> tile(tileBytes(type).value());
  packTile(type, row.data(), tile.data(), rounding);
  return llvm::toHex(llvm::ArrayRef(tile).take_front(1), true) + "|" +
         llvm::toHex(llvm::ArrayRef(tile).slice(64, type == DataType::BFP_BFloat8 ? 16 : 8), true);
}

void expectRow(Row row, const char *bfp8, const char *bfp4) {
  EXPECT_EQ(packed(DataType::BFP_BFloat8, row), bfp8);
  EXPECT_EQ(packed(DataType::BFP_BFloat4, row), bfp4);
}

float power(int exponent) { return std::ldexp(1.0f, exponent); }

TEST(BlockFloatTest, PublishedRows) {
  Row up, fromZero;
  for (int i = 0; i != 16; ++i)
    up.push_back(i + 1), fromZero.push_back(i);
  expectRow(up, "83|04080c1014181c2024282c3034383c40", "83|0011212222334344");
  expectRow(fromZero, "82|00081018202830384048505860687078", "82|0021224344656677");
  expectRow({1.999f, -1.999f, 1, -1, .5f, .25f, .125f, power(-4), power(-5), power(-6), power(-7), power(-8),
             .001f, -.001f, 0, -0.0f},
            "7f|7fff40c0201008040201000000000000", "7f|f7c4120000000000");
  expectRow({1 + 1 / 128.f, 1 + 3 / 128.f, 1 + 1 / 64.f, 1.125f, 1.375f, 1.625f, 1.6875f, 1.75f, -1.125f,
             -1.375f, .5625f, .6875f, .8125f, .9375f, .28125f, .34375f},
            "7f|4042414858686c70c8d8242c343c1216", "7f|44446677ec324311");
  expectRow({}, "00|00000000000000000000000000000000", "00|0000000000000000");
}

TEST(BlockFloatTest, BitsThatAreShiftedOutAreLost) {
  float small = power(-7), eighth = power(-3);
  expectRow({1, small, small * (1 + power(-17)), small * (1 + power(-16)), small * (1 + power(-15)),
             1.5f * small, power(-8), power(-6), eighth, eighth * (1 + power(-21)), eighth * (1 + power(-20)),
             eighth * (1 + power(-19))},
            "7f|40000001010100010808080800000000", "7f|0400000000110000");
}

TEST(BlockFloatTest, SubnormalsAreZero) {
  expectRow({power(-149), std::nextafter(power(-126), 0.f), power(-126), -power(-126)},
            "01|000040c0000000000000000000000000", "01|00c4000000000000");
}

TEST(BlockFloatTest, DevicesRoundOtherwise) {
  EXPECT_EQ(packed(DataType::BFP_BFloat4, {1.375f, 1.6875f}), "7f|7600000000000000");
  EXPECT_EQ(packed(DataType::BFP_BFloat4, {1.375f, 1.6875f}, BlockFloatRounding::Device),
            "7f|6500000000000000");
}

TEST(BlockFloatTest, TilesComeBackWithinTheirPrecision) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  Row tile(1024), back(1024);
  for (float &each : tile)
    each = normal(random);
  for (auto [type, error] : {std::pair(DataType::Float32, 0.f),
                             {DataType::BFloat16, power(-6)},
                             {DataType::BFP_BFloat8, power(-5)},
                             {DataType::BFP_BFloat4, power(-1)}}) {
    std::vector<uint8_t> bytes(tileBytes(type).value());
    packTile(type, tile.data(), bytes.data());
    unpackTile(type, bytes.data(), back.data());
    for (int i = 0; i != 1024; ++i)
      EXPECT_NEAR(back[i], tile[i], error) << name(type).str() << " " << i;
    // What can be represented is packed as it is.
    std::vector<uint8_t> again(bytes.size());
    packTile(type, back.data(), again.data());
    unpackTile(type, again.data(), tile.data());
    EXPECT_EQ(tile, back) << name(type).str();
  }
}

} // namespace
