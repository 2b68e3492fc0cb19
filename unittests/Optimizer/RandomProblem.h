//===- RandomProblem.h - Random problem texts -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_RANDOMPROBLEM_H
#define TESSERA_UNITTESTS_OPTIMIZER_RANDOMPROBLEM_H

#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Problem/ProblemText.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// A good problem text made from a stream of random bytes; an exhausted stream reads as zeros, so that fewer
/// bytes make a smaller problem. The text is what a failing test prints: feed it to tessera-solve.
///
/// It has forks, joins, sinks, ops unknown to the model, views, returned values, constants, several layouts per op,
/// conv2d that frees its input, with `someInL1` results declared in L1, and a mock device with random times, buffers
/// and refusals.
std::string randomProblem(const std::vector<uint8_t> &bytes, bool someInL1 = true);
/// The problem of such a text; fails the property if it is not one. It need not fit into L1.
ProblemInstance parseUnfitted(const std::string &text);
/// The same as policies get it: made to fit. Discards a problem that does not.
ProblemInstance parseRandom(const std::string &text);
/// One line per violation, for messages.
std::string violations(const PlanCheck &check);

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_RANDOMPROBLEM_H
