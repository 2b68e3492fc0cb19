//===- Format.h - Quantities for people -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Three significant digits and the largest unit that keeps the number at 1 or
// more. The text depends on the value only, never on the locale.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_FORMAT_H
#define TESSERA_SUPPORT_FORMAT_H

#include "tessera/Support/Units.h"

#include <string>

namespace tessera {

/// "512 B", "64.0 KiB", "1.36 MiB", "24.0 GiB". Whole numbers below 1 KiB; the units are powers of 1024.
std::string formatBytes(Bytes bytes);

/// "850 ns", "12.3 us", "4.56 ms", "1.20 s". Below 1 ns: "0 ns" or two decimals.
std::string formatNanoseconds(Nanoseconds time);

/// A share of one as a percentage: 0.4567 -> "45.7 %". "-" for what is not a number (0 / 0).
std::string formatPercent(double share);

/// "1 step", "3 steps", of words that take an s.
std::string counted(int64_t count, const std::string &word);

/// The shortest text that reads back as the same number; as the same float, if it is one: what was written as
/// 1.0e-05 : f32 is "1e-05", and not the 9.9999997473787516e-06 that a float of that name is.
std::string formatNumber(double number);
/// The shortest text that is read as the very same number.
std::string exactNumber(double number);

} // namespace tessera

#endif // TESSERA_SUPPORT_FORMAT_H
