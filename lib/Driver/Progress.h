//===- Progress.h - What says how far long work has got ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_PROGRESS_H
#define TESSERA_LIB_DRIVER_PROGRESS_H

#include "tessera/Support/ProgressFunction.h"

#include <chrono>
#include <string>

namespace tessera {

/// On a terminal, one line on standard error, rewritten in place, for work that takes longer than a third of a second.
/// Elsewhere, and on a terminal that cannot rewrite lines (TERM=dumb), nothing, unless it is asked for: then a line at once, and another each
/// ten seconds at most, as such lines are kept.
class Progress {
public:
  /// What `--progress` and `--quiet` say.
  enum class Wanted { IfTerminal, Always, Never };
  static Wanted wanted(bool progress, bool quiet = false) {
    return quiet ? Wanted::Never : progress ? Wanted::Always : Wanted::IfTerminal;
  }

  explicit Progress(Wanted wanted);
  ~Progress() { clear(); }
  /// `done` of `all` are done of the part of the work that is called `what`.
  void update(llvm::StringRef what, size_t done, size_t all);
  /// update(), for those who do the work; `subject` goes in front of what they say.
  ProgressFunction function(std::string subject = "");
  /// Removes the line.
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  enum class Form { None, Line, Log } form;
  void rewriteLine(llvm::StringRef what, size_t done, size_t all);
  void logLine(llvm::StringRef what, size_t done, size_t all);

  bool shown = false;
  Clock::time_point due; ///< the next line
};

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_PROGRESS_H
