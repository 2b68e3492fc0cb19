//===- CacheConstants.h - Constants converted once, by const-eval ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BRIDGE_CACHECONSTANTS_H
#define TESSERA_BRIDGE_CACHECONSTANTS_H

#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Optimizer/Problem/ConstantLayouts.h"

namespace tessera {

/// Lets the readers in `choices` read their constants from the cache, in the layouts chosen: for each a const-eval function
/// beside `built`'s, and a `ttcore.load_cached` of it in front of everything that reads it. A constant that comes from a
/// const-eval function itself gets a copy of that function with the conversion at its end; the original goes if nothing else
/// loads it. `built` is out of date afterwards.
void cacheConstants(const BuiltProblem &built, llvm::ArrayRef<ConstantInLayout> choices);

} // namespace tessera

#endif // TESSERA_BRIDGE_CACHECONSTANTS_H
