//===- TimeSpread.cpp - How far times are off -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// How far formulas are off was measured family by family (TimeSpread.def). The time of a program is a sum of many; if
// families were off together its share would be that of one, but they are off each by itself, which makes the sum's
// smaller. Measured steps lie further off than that, since something is off in all of them (StepSpread.def).
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/TimeSpread.h"

#include "tessera/OpModel/OpTable.h"

#include <cmath>

using namespace tessera;

namespace {

struct Row {
  Arch arch;
  llvm::StringLiteral family; ///< empty: of families without a row
  TimeSpread spread;
};

constexpr Row kRows[] = {
#define TESSERA_SPREAD(arch, family, low, high) {Arch::arch, family, {low, high}},
#include "tessera/OpModel/TimeSpread.def"
};

/// What an op counts to: its family, else itself.
llvm::StringRef familyOf(llvm::StringRef name) {
  const OpInfo *op = findOp(name);
  return op ? op->family : name;
}

TimeSpread spreadOf(llvm::StringRef family, Arch arch) {
  TimeSpread usual;
  for (const Row &row : kRows)
    if (row.arch == arch && row.family == family)
      return row.spread;
    else if (row.arch == arch && row.family.empty())
      usual = row.spread;
  return usual;
}

} // namespace

TimeSpread tessera::timeSpread(llvm::StringRef op, Arch arch) { return spreadOf(familyOf(op), arch); }

TimeSpread tessera::stepSpread() {
  return
#include "tessera/OpModel/StepSpread.def"
}

void TimeBand::add(llvm::StringRef op, Nanoseconds time) {
  auto [entry, isNew] = families.try_emplace(familyOf(op).str());
  if (isNew)
    entry->second.spread = spreadOf(entry->first, arch);
  entry->second.time += time;
}

/// With two families of 100 ns each that may take a fifth more: 200 + sqrt(20^2 + 20^2), so 228 ns and not 240, of
/// steps that take no more than that.
std::pair<Nanoseconds, Nanoseconds> TimeBand::range() const {
  // Deviations of families add up as squares, since each family is off by itself; the sides are apart, as a spread is
  // not even.
  double total = 0, below = 0, above = 0;
  for (const auto &[name, family] : families) {
    double time = family.time.value();
    total += time;
    below += std::pow(time * (1 - family.spread.low), 2);
    above += std::pow(time * (family.spread.high - 1), 2);
  }
  below += std::pow(total * (1 - stepSpread().low), 2);
  above += std::pow(total * (stepSpread().high - 1), 2);
  return {Nanoseconds(std::max(0.0, total - std::sqrt(below))), Nanoseconds(total + std::sqrt(above))};
}
