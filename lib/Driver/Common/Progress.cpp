//===- Progress.cpp - What says how far long work has got -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// On a terminal one line is written over and over. Where standard error is a
// file, that would fill it, so nothing is said unless it is asked for, and then
// as whole lines, far apart.
//
//===----------------------------------------------------------------------===//
#include "Progress.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace tessera;

/// The time left is told after that long, and of that share on: before, it says more of how work begins than of how
/// long it takes.
static constexpr std::chrono::seconds kSoonest(3);
static constexpr double kLeastShare = 0.05;

/// Whether a line of standard error can be written anew.
static bool rewritesLines() {
  return llvm::errs().is_displayed() && llvm::sys::Process::GetEnv("TERM").value_or("") != "dumb";
}

Progress::Progress(Wanted wanted)
    : form(wanted == Wanted::Never    ? Form::None
           : rewritesLines()          ? Form::Line
           : wanted == Wanted::Always ? Form::Log
                                      : Form::None),
      due(form == Form::Line ? Clock::now() + std::chrono::milliseconds(300) : Clock::now()) {}

std::string Progress::timeLeft(Clock::time_point now) const {
  if (now - begin < kSoonest || reached < kLeastShare)
    return "";
  double seconds = std::chrono::duration<double>(now - begin).count() * (1 - reached) / reached;
  // In minutes, less than that would be "1 min", whatever is left.
  bool soon = seconds < 90;
  return llvm::formatv(", {0:F0} {1} left", soon ? seconds : seconds / 60, soon ? "s" : "min");
}

void Progress::update(llvm::StringRef what, size_t done, size_t all, double share) {
  // Parts that are done again report less than was reached.
  reached = std::clamp(share, reached, 1.0);
  Clock::time_point now = Clock::now();
  if (form == Form::None || now < due)
    return;
  std::string text =
      llvm::formatv("{0} %{1}: {2} {3} of {4}", unsigned(100 * reached), timeLeft(now), what, done, all);
  shown = form == Form::Line;
  due = now + (shown ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000));
  if (shown)
    // Cleared to its end, as the text before may have been longer.
    llvm::errs() << "\r\033[K" << text;
  else
    llvm::errs() << "tessera: " << text << "\n";
}

ProgressFunction Progress::function(std::string subject, ProgressPart part) {
  if (form == Form::None)
    // None at all, so that who works does not make a text that nobody reads.
    return {};
  ProgressFunction whole(
      [this, subject = std::move(subject)](llvm::StringRef what, size_t done, size_t all, double share) {
        update((subject + what).str(), done, all, share);
      });
  return whole.part(range).part(part);
}

void Progress::restart() {
  begin = Clock::now();
  reached = 0;
  range = {};
}

void Progress::clear() {
  if (shown)
    llvm::errs() << "\r\033[K";
  shown = false;
}
