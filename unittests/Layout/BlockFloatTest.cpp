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

/// The byte that stands for a number in a row of that largest exponent, bit by bit from facts/deepseek 5.3.
uint32_t code(float number, uint32_t largest, int bits, BlockFloatRounding rounding) {
  auto word = std::bit_cast<uint32_t>(number);
  uint32_t exponent = word >> 23 & 0xff, mantissa = exponent ? (word & 0x7fffff) | 0x800000 : 0;
  mantissa = largest - exponent > 31 ? 0 : mantissa >> (largest - exponent);
  bool host = rounding == BlockFloatRounding::Host;
  int kept = host ? bits : 7, dropped = 24 - kept;
  uint32_t below = mantissa & ((1u << dropped) - 1), half = 1u << (dropped - 1), whole = mantissa >> dropped;
  bool up = below > half || (below == half && (!host || whole % 2 == 1));
  whole = std::min(whole + up, (1u << kept) - 1) >> (kept - bits);
  return whole ? (word >> 31) << bits | whole : 0;
}

TEST(BlockFloatTest, EveryNumberInEveryPlaceOfATile) {
  constexpr int64_t kStride = 40; // tiles also come out of rows that are longer
  std::mt19937 random(7);
  Row rows(32 * kStride), tile(1024);
  for (int round = 0; round != 200; ++round) {
    for (float &each : rows) {
      uint32_t word = random(),
               near = 100 + random() % 40; // any bits, infinity and NaN among them, or of like size
      each = std::bit_cast<float>(round % 2 ? word : (word & 0x807fffff) | near << 23);
      if (random() % 9 == 0) // ties
        each = std::bit_cast<float>(std::bit_cast<uint32_t>(each) & 0xffff0000);
    }
    for (auto [type, bits] : {std::pair(DataType::BFP_BFloat8, 7), {DataType::BFP_BFloat4, 3}})
      for (BlockFloatRounding rounding : {BlockFloatRounding::Host, BlockFloatRounding::Device}) {
        std::vector<uint8_t> packed(tileBytes(type).value());
        packTile(type, rows.data(), packed.data(), rounding, kStride);
        for (int group = 0; group != 64; ++group) {
          int first = (group / 32 * 16 + group % 16) * kStride + group / 16 % 2 * 16;
          uint32_t largest = 0;
          for (int i = 0; i != 16; ++i)
            largest = std::max(largest, std::bit_cast<uint32_t>(rows[first + i]) >> 23 & 0xff);
          ASSERT_EQ(packed[group], largest);
          for (int i = 0; i != 16; ++i) {
            int place = group * 16 + i;
            uint32_t got = bits == 7 ? packed[64 + place] : packed[64 + place / 2] >> place % 2 * 4 & 0xf;
            ASSERT_EQ(got, code(rows[first + i], largest, bits, rounding)) << rows[first + i];
          }
        }
        std::vector<float> spread(32 * kStride, -1);
        unpackTile(type, packed.data(), tile.data());
        unpackTile(type, packed.data(), spread.data(), kStride);
        for (int i = 0; i != 32 * kStride; ++i) {
          float expected = i % kStride < 32 ? tile[i / kStride * 32 + i % kStride] : -1;
          ASSERT_EQ(std::bit_cast<uint32_t>(spread[i]), std::bit_cast<uint32_t>(expected)) << i;
        }
      }
  }
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
