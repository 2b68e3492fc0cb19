//===- Counts.h - Counts of kernels against those that a simulator counted ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_EVALUATION_COUNTS_H
#define TESSERA_EVALUATION_COUNTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tessera {

/// How near the model's counts come, for one op on one architecture. Of calls of several programs the table has the sums, so
/// ours are summed up as well.
struct CountsAccuracy {
  std::string op;                ///< "ttnn.reshape blackhole"
  size_t calls = 0, counted = 0; ///< in the table; that the model counts
  size_t cores = 0;              ///< calls whose cores are exact
  /// Calls within 5 %: reads and writes; waits for either; bytes of the busiest DRAM channel.
  size_t commands = 0, waits = 0, channel = 0;
  double steps = 0; ///< median error of the longer of the two data-movement processors

  /// Counts add up; the median of steps is left as it is.
  void add(const CountsAccuracy &other);
};

/// The table's rows by op, the most frequent first. docs/timings-format.md, "Counts", has the columns. Errors name file, line
/// and column.
llvm::Expected<std::vector<CountsAccuracy>> compareCounts(llvm::StringRef path);

} // namespace tessera

#endif // TESSERA_EVALUATION_COUNTS_H
