//===- Progress.cpp - A line that says how far long work has got ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Driver/Progress.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;

Progress::Progress()
    : terminal(llvm::errs().is_displayed()), due(Clock::now() + std::chrono::milliseconds(300)) {}

void Progress::update(llvm::StringRef what, size_t done, size_t all) {
  if (!terminal || Clock::now() < due)
    return;
  due = Clock::now() + std::chrono::milliseconds(100);
  shown = true;
  llvm::errs() << "\r\033[K" << what << " " << done << " of " << all;
}

void Progress::clear() {
  if (shown)
    llvm::errs() << "\r\033[K";
  shown = false;
}
