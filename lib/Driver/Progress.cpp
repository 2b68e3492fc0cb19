//===- Progress.cpp - What says how far long work has got -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Progress.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

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

void Progress::update(llvm::StringRef what, size_t done, size_t all) {
  if (form == Form::Line)
    rewriteLine(what, done, all);
  else if (form == Form::Log)
    logLine(what, done, all);
}

ProgressFunction Progress::function(std::string subject) {
  if (form == Form::None)
    return nullptr;
  return [this, subject = std::move(subject)](llvm::StringRef what, size_t done, size_t all) {
    update((subject + what).str(), done, all);
  };
}

void Progress::rewriteLine(llvm::StringRef what, size_t done, size_t all) {
  if (Clock::now() < due)
    return;
  due = Clock::now() + std::chrono::milliseconds(100);
  shown = true;
  llvm::errs() << "\r\033[K" << what << " " << done << " of " << all;
}

void Progress::logLine(llvm::StringRef what, size_t done, size_t all) {
  if (Clock::now() < due)
    return;
  due = Clock::now() + std::chrono::seconds(10);
  llvm::errs() << "tessera: " << what << " " << done << " of " << all << "\n";
}

void Progress::clear() {
  if (shown)
    llvm::errs() << "\r\033[K";
  shown = false;
}
