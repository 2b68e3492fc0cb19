//===- Runner.h - Many attempts, and what is wrong with them --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Attempts run one after another in a child process, in a folder of their own:
// no time goes into starting processes, and a crash costs one child. The child
// notes in shared memory where it is, so the parent knows which attempt ended
// it, and a new child goes on behind.
//
// An attempt must end with exit code 0 and no "error:", or with 1 or 2 (the
// input is at fault) and exactly one.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_FUZZ_RUNNER_H
#define TESSERA_FUZZ_RUNNER_H

#include "Kinds.h"

namespace tessera::fuzz {

struct RunOptions {
  uint64_t seed = 1, first = 0, count = 1000;
  unsigned jobs = 1;     ///< children at the same time
  unsigned seconds = 10; ///< of processor time that an attempt may take
  std::string failures;  ///< folder that failing inputs are kept in; a full path
  int messages = 1;      ///< descriptor for the lines about failures
};

struct RunResult {
  uint64_t accepted = 0, refused = 0, failures = 0;
};

/// Runs attempts `first` to `first + count`, which the seed determines. Prints a line for each failure, and keeps its
/// files, its command and what it said.
RunResult run(const Kind &kind, const Inputs &inputs, const RunOptions &options);

} // namespace tessera::fuzz

#endif // TESSERA_FUZZ_RUNNER_H
