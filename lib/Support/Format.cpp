//===- Format.cpp - Quantities for people ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/Format.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <cmath>

using namespace llvm;

namespace tessera {
namespace {

/// Three significant digits. The thresholds are where rounding would add a digit: 9.996 is "10.0".
std::string significant(double value) {
  double size = std::abs(value);
  int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  std::string text;
  raw_string_ostream(text) << format("%.*f", decimals, value);
  return text;
}

/// `value` in the first unit in which it stays below `step` after rounding; the last unit takes what is left.
std::string scaled(double value, double step, ArrayRef<const char *> units) {
  // Rounded, 1023.7 would be "1024", which is 1 of the next unit.
  while (units.size() > 1 && std::abs(value) >= step - 0.5) {
    value /= step;
    units = units.drop_front();
  }
  return significant(value) + " " + units.front();
}

} // namespace

std::string formatBytes(Bytes bytes) {
  // Single bytes are whole, so they have no decimals.
  if (bytes.value() > -1024 && bytes.value() < 1024)
    return std::to_string(bytes.value()) + " B";
  return scaled(double(bytes.value()) / 1024, 1024, {"KiB", "MiB", "GiB", "TiB"});
}

std::string formatNanoseconds(Nanoseconds time) {
  // Or it would be 0.00 ns, as if something had been rounded.
  if (time.value() == 0)
    return "0 ns";
  // Files and the report have whole nanoseconds, and text of the same time is to say the same: 7885.4 ns are 7.885 us there.
  double whole = std::abs(time.value()) < 1000 ? time.value() : std::round(time.value());
  return scaled(whole, 1000, {"ns", "us", "ms", "s"});
}

std::string formatPercent(double share) {
  // A share of nothing is no number.
  if (!std::isfinite(share))
    return "-";
  std::string text;
  raw_string_ostream(text) << format("%.1f %%", share * 100);
  return text;
}

std::string counted(int64_t count, const std::string &word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string formatNumber(double number) {
  char text[64];
  // Of a float of 32 bits a double's shortest text has digits that nobody wrote. NaN is not equal to itself.
  bool isFloat = double(float(number)) == number || std::isnan(number);
  std::to_chars_result end = isFloat ? std::to_chars(std::begin(text), std::end(text), float(number))
                                     : std::to_chars(std::begin(text), std::end(text), number);
  return std::string(text, end.ptr);
}

std::string exactNumber(double number) {
  char text[64];
  return std::string(text, std::to_chars(std::begin(text), std::end(text), number).ptr);
}

} // namespace tessera
