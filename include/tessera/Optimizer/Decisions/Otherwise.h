//===- Otherwise.h - What a runner-up does otherwise ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_DECISIONS_OTHERWISE_H
#define TESSERA_OPTIMIZER_DECISIONS_OTHERWISE_H

#include "tessera/Optimizer/Decisions/Decisions.h"

namespace tessera::decisions {

/// What the op does otherwise as `other` than in the plan, beside results whose layouts read otherwise: "operand 1 in dram/interleaved; 1D
/// mcast_in0, ...". Layouts and configurations that read the same name the keys of the file in which they differ.
std::string otherwise(const FunctionDecisions &function, const OpFacts &op, const RunnerUp &other);

} // namespace tessera::decisions

#endif // TESSERA_OPTIMIZER_DECISIONS_OTHERWISE_H
