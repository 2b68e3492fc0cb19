//===- Progress.h - What says how far long work has got ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_PROGRESS_H
#define TESSERA_LIB_DRIVER_COMMON_PROGRESS_H

#include "tessera/Support/ProgressFunction.h"

#include <chrono>
#include <string>

namespace tessera {

/// Which share of the whole work is done, what is being done, and how long the rest will take if it goes on like this,
/// once that can be told:
/// `43 %, 12 s left: searching 120 of 400`. The share never goes back.
/// On a terminal, one line on standard error, rewritten in place, for work that takes longer than a third of a second.
/// Elsewhere, and on a terminal that cannot rewrite lines (TERM=dumb), nothing, unless it is asked for: then a line at
/// once, and another each ten seconds at most, as such lines are kept.
class Progress {
public:
  /// What `--progress` and `--quiet` say.
  enum class Wanted { IfTerminal, Always, Never };
  static Wanted wanted(bool progress, bool quiet = false) {
    return quiet ? Wanted::Never : progress ? Wanted::Always : Wanted::IfTerminal;
  }

  explicit Progress(Wanted wanted);
  ~Progress() { clear(); }
  /// `done` of `all` are done of the part of the work that is called `what`, and `share` of the whole.
  void update(llvm::StringRef what, size_t done, size_t all, double share);
  /// update(), for those who do the work, or a part of it; `subject` goes in front of what they say.
  ProgressFunction function(std::string subject = "", ProgressPart part = {});
  /// What functions are given out for from now on is that part of the whole.
  void setPart(ProgressPart part) { range = part; }
  /// What comes is other work, which begins at 0.
  void restart();
  /// Removes the line.
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  enum class Form { None, Line, Log } form;
  std::string timeLeft(Clock::time_point now) const;

  bool shown = false;
  Clock::time_point begin = Clock::now();
  Clock::time_point due; ///< the next line
  ProgressPart range;
  double reached = 0; ///< the largest share so far
};

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_PROGRESS_H
