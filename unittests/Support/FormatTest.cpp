//===- FormatTest.cpp - Quantities for people ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/Format.h"

#include <gtest/gtest.h>

#include <limits>

using namespace tessera;

namespace {

TEST(Format, Bytes) {
  EXPECT_EQ(formatBytes(Bytes(0)), "0 B");
  EXPECT_EQ(formatBytes(Bytes(1023)), "1023 B");
  EXPECT_EQ(formatBytes(Bytes(1024)), "1.00 KiB");
  EXPECT_EQ(formatBytes(Bytes(65536)), "64.0 KiB");
  EXPECT_EQ(formatBytes(Bytes(278528)), "272 KiB");
  EXPECT_EQ(formatBytes(Bytes(1395424)), "1.33 MiB");
  EXPECT_EQ(formatBytes(Bytes(int64_t(12) << 30)), "12.0 GiB");
  EXPECT_EQ(formatBytes(Bytes(-1536)), "-1.50 KiB");
}

TEST(Format, RoundingNeverShowsAFourthDigitOrTheOldUnit) {
  EXPECT_EQ(formatBytes(Bytes(1024 * 1024 - 1)), "1.00 MiB");
  EXPECT_EQ(formatBytes(Bytes(10235)), "10.0 KiB"); // 9.995 KiB
  EXPECT_EQ(formatNanoseconds(Nanoseconds(999.7)), "1.00 us");
  EXPECT_EQ(formatNanoseconds(Nanoseconds(99.96)), "100 ns");
}

TEST(Format, Counted) {
  EXPECT_EQ(counted(0, "spill"), "0 spills");
  EXPECT_EQ(counted(1, "spill"), "1 spill");
  EXPECT_EQ(counted(2, "spill"), "2 spills");
}

TEST(Format, Nanoseconds) {
  EXPECT_EQ(formatNanoseconds(Nanoseconds(0)), "0 ns");
  EXPECT_EQ(formatNanoseconds(Nanoseconds(850)), "850 ns");
  EXPECT_EQ(formatNanoseconds(Nanoseconds(12345)), "12.3 us");
  EXPECT_EQ(formatNanoseconds(Nanoseconds(4.56e6)), "4.56 ms");
  // As a file with whole nanoseconds reads.
  EXPECT_EQ(formatNanoseconds(Nanoseconds(7885.4)), formatNanoseconds(Nanoseconds(7885)));
  EXPECT_EQ(formatNanoseconds(Nanoseconds(1.2e9)), "1.20 s");
  EXPECT_EQ(formatNanoseconds(Nanoseconds(5e12)), "5000 s");
}

TEST(Format, Percent) {
  EXPECT_EQ(formatPercent(0.4567), "45.7 %");
  EXPECT_EQ(formatPercent(1), "100.0 %");
  EXPECT_EQ(formatPercent(Bytes(0) / Bytes(0)), "-");
  EXPECT_EQ(formatPercent(std::numeric_limits<double>::infinity()), "-");
}

TEST(Format, NumbersAsTheyWereWritten) {
  EXPECT_EQ(formatNumber(double(1.0e-05f)), "1e-05");
  EXPECT_EQ(formatNumber(1.0e-05), "1e-05");
  EXPECT_EQ(formatNumber(0.1), "0.1");
  EXPECT_EQ(formatNumber(double(0.1f)), "0.1");
  EXPECT_EQ(formatNumber(1.0), "1");
  EXPECT_EQ(formatNumber(-0.125), "-0.125");
  EXPECT_EQ(formatNumber(1e300), "1e+300");
  EXPECT_EQ(formatNumber(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(formatNumber(std::numeric_limits<double>::quiet_NaN()), "nan");
}

} // namespace
