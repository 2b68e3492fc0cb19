//===- TimeSpread.h - How far times are off ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_TIMESPREAD_H
#define TESSERA_OPMODEL_TIMESPREAD_H

#include "tessera/Device/DeviceSpec.h"
#include "tessera/Support/Units.h"

#include <map>
#include <utility>

namespace tessera {

/// Measured time over the model's, of calls that the model was not fitted to: one in ten lies below `low`, one in ten above `high`.
struct TimeSpread {
  /// Factors: 0.8 and 1.5 mean from 20 % shorter to 50 % longer. Both 1 of a chip without any row.
  double low = 1, high = 1;
};
/// Of the op's family (`tessera ops`) on chips of the kind; of a usual family where too few calls were measured.
/// From evidence/timings, written into TimeSpread.def by scripts/update-spreads.
TimeSpread timeSpread(llvm::StringRef op, Arch arch);

/// What whole steps of measured models took beyond what their families' spreads explain, as factors of the sum: gaps between programs, and
/// whatever is off in all families at once. From facts/perf/models_n150_ttxla, written into StepSpread.def by scripts/update-whole-models.
TimeSpread stepSpread();

/// What a sum of times may be instead. Times of one family are off together, as one formula made them; families are off by themselves, and
/// a whole step once more, so that their deviations add up like the sides of a right-angled triangle.
class TimeBand {
public:
  explicit TimeBand(Arch arch) : arch(arch) {}
  /// One op more of the sum, with the time that the model says.
  void add(llvm::StringRef op, Nanoseconds time);
  /// The least and the most.
  std::pair<Nanoseconds, Nanoseconds> range() const;

private:
  Arch arch;
  struct Family {
    TimeSpread spread;
    Nanoseconds time;
  };
  /// By name, so that sums of doubles come out alike on every run.
  std::map<std::string, Family> families;
};

} // namespace tessera

#endif // TESSERA_OPMODEL_TIMESPREAD_H
