//===- OpLabels.cpp - What a person calls an op ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/OpLabels.h"

using namespace tessera;

void OpNumbers::skip(const Problem &problem) {
  for (const Op &op : problem.ops)
    ++counters[op.name];
}

std::vector<std::string> tessera::opLabels(const Problem &problem, OpNumbers numbers) {
  // Only where names clash: a location that is the op's alone is what people search their program for.
  llvm::StringMap<unsigned> sharers;
  for (const Op &op : problem.ops)
    ++sharers[op.location];
  std::vector<std::string> labels;
  for (const Op &op : problem.ops) {
    std::string number = numbers.next(op.name);
    labels.push_back(sharers[op.location] == 1 ? op.location : op.location + " (" + number + ")");
  }
  return labels;
}
