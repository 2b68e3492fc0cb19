//===- CandidateTable.h - All ways to run one op --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_DECISIONS_CANDIDATETABLE_H
#define TESSERA_OPTIMIZER_DECISIONS_CANDIDATETABLE_H

#include "tessera/OpModel/Conversions.h"
#include "tessera/Optimizer/Problem/Problem.h"

namespace tessera {

/// An op in one configuration, between these layouts.
struct CandidateRow {
  llvm::SmallVector<LayoutId, 4> inputs; ///< by operand
  OpConfig config;                       ///< outputs: by result
  OpRuntime time;                        ///< of a conversion of several ops, the total alone
  Bytes own;    ///< L1 per core beside the operands: circular buffers, results, temporaries
  Bytes margin; ///< what must stay free beside that
  bool dominated =
      false;             ///< another configuration between the same layouts takes no more time and no more L1
  bool declared = false; ///< as the input program has it
};

/// Op::legal with the operands as declared, as their producers may make them (one, or all of one shape alike), and as is
/// plausible for the result (forEachPlausibleInputs), as far as the op model accepts that in an empty L1. The fastest first;
/// of equals, as found.
std::vector<CandidateRow> candidateTable(const Problem &problem, OpId op, const OpCostTable &model);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_DECISIONS_CANDIDATETABLE_H
