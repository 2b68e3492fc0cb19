//===- Inputs.h - Values that a program can be run with -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_INPUTS_H
#define TESSERA_SIMULATOR_INPUTS_H

#include "tessera/Simulator/PageMap.h"
#include "tessera/Simulator/Program.h"

namespace tessera::simulator {

/// What a program asks of the values of an argument.
struct ValueRange {
  int64_t below = kNoBound; ///< integers are 0 up to that
  bool positive = false;    ///< it is taken the root or the logarithm of
  /// No integer stands twice, as far as there are enough: they say where something is written, and of two writes to one
  /// place the device does not say which is the last.
  bool distinct = false;
  static constexpr int64_t kNoBound = int64_t(1) << 40;
};

/// By argument of the function: follows how values are used, through ops that move them and functions that are called.
/// Indices of embeddings stay below the table's rows, positions of cache updates within the cache.
std::vector<ValueRange> argumentRanges(const Program &program, const Function &function);

/// Random values for an argument, the same for the same seed, function name and number on any machine:
///   integers            0 up to the range's bound, or to 16
///   pages of a cache    the same, each another one
///   positive            0.5 and more
///   weights of rank 1   around 1
///   other weights       standard deviation 1 / sqrt(elements per first dimension), so that products keep their size
///   all others          standard deviation 1
class RandomArgument {
public:
  RandomArgument(const Function &function, size_t argument, const ValueRange &range, uint64_t seed);
  /// A block of it, into rows x columns.
  void fill(const ElementBlock &block, DenseTensor &values) const;

private:
  uint64_t stream;
  uint64_t below;      ///< of whole numbers
  uint64_t stride = 0; ///< from one to the next of distinct ones; 0 of all others
  bool countsRows;     ///< floats that index something are whole numbers, too
  int64_t width;       ///< of the last dimension
  float center = 0, scale = 1;
  bool positive;
};

/// All of them.
DenseTensor randomArgument(const Function &function, size_t argument, const ValueRange &range, uint64_t seed);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_INPUTS_H
