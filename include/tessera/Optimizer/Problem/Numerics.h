//===- Numerics.h - A plan does not change what is computed ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A matmul that states no compute config is multiplied in two passes (HiFi2), and in one (LoFi) as soon as it has a
// program config: planned, its error grows 2 to 5 times. So what a plan configures says how it computes. The compute
// config becomes part of the op's signature before anything is searched, so that legality, circular buffers and times
// are those of what will run; PlanToIR writes it.
//
// Candidates for Numerics::Keep, the first that costs no more than 2 % over the last:
//
//   1. at least as many passes as declared, never LoFi, sums of 32 bits     more exact than any plan of 16-bit sums
//   2. as many passes as declared, sums of 32 bits                         where a pass costs time
//   3. as declared; a matmul's blocks of K no wider than declared          where 32 bits cost time
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_NUMERICS_H
#define TESSERA_OPTIMIZER_PROBLEM_NUMERICS_H

#include "tessera/OpModel/ComputeConfig.h"
#include "tessera/OpModel/OpCostTable.h"
#include "tessera/Optimizer/Problem/Problem.h"

namespace tessera {

/// An op that the plan gives a compute config.
struct StatedNumerics {
  SignatureId asDeclared; ///< the op's signature without it
  ComputeConfig config;
};

/// Gives the compute ops of `problem` that state none theirs: their signatures change. By OpId; nullopt of what keeps its
/// own, of ops that take none and of ops that no plan configures (conv3d, and all that keep their layouts).
std::vector<std::optional<StatedNumerics>> stateNumerics(Problem &problem, const OpCostTable &model,
                                                         Numerics numerics);

/// Whether a matmul's program config leaves the sums as exact as in its `declared` configuration. Sums of 16 bits lose more in
/// wider blocks of K: at K = 2048 2.5 times as much in blocks of 16 tiles as in blocks of 2, which are what the backend
/// takes by itself (facts/hardware 4.8).
bool keepsSums(const OpSignature &op, const OpSpecificConfig &config, const OpSpecificConfig &declared,
               const OpModelContext &context);

/// With what `op` could run that makes its one result in that layout: the kernels and blocks of its kind (enumerateOpConfigs), by
/// Numerics::Keep those alone that keep sums.
std::vector<OpConfig> configsMaking(const Problem &problem, const OpSignature &op,
                                    const OpSpecificConfig &declared, LayoutId result,
                                    const Conv2dSearchSpace &conv2d, Numerics numerics,
                                    const OpModelContext &context);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_NUMERICS_H
