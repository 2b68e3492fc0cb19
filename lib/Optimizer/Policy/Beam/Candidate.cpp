//===- Candidate.cpp - One way to run an op, and what led to it -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Candidate.h"

using namespace tessera;
using namespace tessera::beam;

Decision beam::decisionOf(const Candidate &candidate) {
  Decision decision{candidate.config, {}};
  for (const Input &input : candidate.inputs)
    decision.inputs.push_back(input.layout);
  return decision;
}

static Words contentOf(const Beam &beam) {
  // All that a reader of the beam can see. What is left out here would let a beam pass for another one.
  Words words;
  for (const Candidate &candidate : beam) {
    words.add(candidate.config);
    for (const Input &input : candidate.inputs)
      words.add(input.layout, input.parent, input.converted);
    words.add(candidate.score.time, candidate.score.minCores, candidate.score.reshards, candidate.worth.stuck,
              candidate.worth.time, candidate.residency, candidate.conversions, candidate.order);
  }
  return words;
}

void Beams::append(Beam beam) {
  auto [entry, isNew] = numberOfContent.try_emplace(contentOf(beam), distinct.size());
  if (isNew)
    distinct.push_back(std::move(beam));
  numbers.push_back(entry->second);
}
