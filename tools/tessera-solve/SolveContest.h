//===- SolveContest.h - Instances of the contest --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TOOLS_SOLVECONTEST_H
#define TESSERA_TOOLS_SOLVECONTEST_H

#include <optional>
#include <string>

namespace tessera {

struct ContestArguments {
  std::string instance;          ///< JSON, gzip's or plain; "-" is standard input
  std::optional<double> seconds; ///< for all of it; nullopt: a fixed number of steps
  std::string solution;          ///< where the states go, as a list; empty: nowhere
  std::string certificate;       ///< where the proof goes; empty: nowhere
  std::string check;             ///< a certificate to check instead of solving; empty: none
};

/// Solves an instance and prints cost, usage, bound and gap; or checks a certificate of it. 0 if a selection that fits
/// was found, or the certificate is right; 1 after a diagnostic otherwise.
int solveContest(const ContestArguments &arguments);

} // namespace tessera

#endif // TESSERA_TOOLS_SOLVECONTEST_H
