//===- Note.cpp - What a beam kept, for the log ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Note.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

void tessera::beam::note(const Problem &problem, const Beams &beams, const Oracle &oracle, DecisionLog &log) {
  for (size_t op = 0; op < problem.ops.size(); ++op)
    for (const Candidate &candidate :
         llvm::ArrayRef(beams[OpId(op)]).take_front(DecisionLog::kMostCandidates)) {
      LoggedCandidate &logged = log.candidates[OpId(op)].emplace_back();
      logged.config = oracle[candidate.config];
      for (const Input &input : candidate.inputs)
        logged.inputs.push_back(input.layout);
      logged.score = candidate.score.time + candidate.worth.time;
      logged.conversions = candidate.conversions;
    }
}
