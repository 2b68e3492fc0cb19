//===- SpillScenarios.h - Programs that do not fit into L1 ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_SPILLSCENARIOS_H
#define TESSERA_UNITTESTS_OPTIMIZER_SPILLSCENARIOS_H

#include <set>
#include <string>
#include <vector>

namespace tessera {

/// A scenario of facts/ir 9.5 as a problem text (docs/problem-format.md).
struct SpillScenario {
  std::string name, text;
  std::set<std::string> leave; ///< results that are in DRAM at some time, by the published rule
};

/// All of them. Where a scenario has nothing but sizes, every result is declared in L1, on the one core there is.
const std::vector<SpillScenario> &spillScenarios();

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_SPILLSCENARIOS_H
