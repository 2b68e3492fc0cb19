//===- Edits.cpp - Decisions on a draft -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Edits.h"

using namespace tessera;
using namespace tessera::beam;

Decision beam::decisionOf(const Candidate &candidate) {
  Decision decision{candidate.config, {}};
  for (const Input &input : candidate.inputs)
    decision.inputs.push_back(input.layout);
  return decision;
}

void beam::take(Draft &draft, OpId op, const Candidate &candidate, Readers readers) {
  Decision decision = decisionOf(candidate);
  tessera::take(draft, op, decision.config, decision.inputs, readers);
}

void beam::fill(Draft &draft, llvm::ArrayRef<Decision> decisions) {
  for (OpId op : draft.schedule())
    if (draft.problem[op].role != OpRole::Fixed)
      tessera::take(draft, op, decisions[op.index()].config, decisions[op.index()].inputs, Readers::Follow);
}
