//===- Progress.h - A line that says how far long work has got -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DRIVER_PROGRESS_H
#define TESSERA_DRIVER_PROGRESS_H

#include "llvm/ADT/StringRef.h"

#include <chrono>

namespace tessera {

/// One line on standard error, rewritten in place, shown only on a terminal and only for work that takes longer
/// than a third of a second.
class Progress {
public:
  Progress();
  ~Progress() { clear(); }
  void update(llvm::StringRef what, size_t done, size_t all);
  /// Removes the line.
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  bool terminal;
  bool shown = false;
  Clock::time_point due;
};

} // namespace tessera

#endif // TESSERA_DRIVER_PROGRESS_H
