//===- Trace.h - The public compiler's decision trace ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_DECISIONS_TRACE_H
#define TESSERA_LIB_OPTIMIZER_DECISIONS_TRACE_H

#include "tessera/Optimizer/Decisions/Collect.h"

namespace tessera::decisions {

/// Version 3 of the trace (facts/ir 4.9), from what the policy noted and, where it noted nothing, from the rest of `facts`.
RawJson decisionTrace(const DecidedPlan &decided, const FunctionDecisions &facts);

} // namespace tessera::decisions

#endif // TESSERA_LIB_OPTIMIZER_DECISIONS_TRACE_H
