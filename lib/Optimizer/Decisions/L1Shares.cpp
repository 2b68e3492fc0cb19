//===- L1Shares.cpp - Who holds L1 at a step ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// report/src/model/shares.ts is the same for the page; report/check holds the two equal.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Decisions/L1Shares.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::decisions;

llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(L1Holder) {
  static constexpr llvm::StringRef kWords[] = {"tensor", "view", "circular buffers", "temporaries", "margin"};
  return kWords;
}

namespace {

/// What the op of a step makes itself, as the plan checker counts it.
struct Made {
  Bytes results, temporaries;
};

Made madeAt(const FunctionDecisions &f, const StepFacts &step, llvm::ArrayRef<Index> holders) {
  Bytes made = step.l1.tensors, results;
  for (Index tensor : holders)
    if (llvm::is_contained(step.writes, tensor))
      results += f.tensors[size_t(tensor)].l1;
    else
      made -= f.tensors[size_t(tensor)].l1;
  if (made >= results)
    return {results, made - results};
  // The peak is before all results are there, or they lie in the buffers of operands. What there is then are temporaries, as far as the
  // replay has found any.
  Bytes temporaries;
  if (step.temporariesAddress)
    temporaries = std::min(made, Bytes((*step.temporariesAddress)[1] - (*step.temporariesAddress)[0]));
  return {made - temporaries, temporaries};
}

} // namespace

std::vector<L1Share> decisions::l1Shares(const FunctionDecisions &f, Index index) {
  const StepFacts &step = f.steps[size_t(index)];
  std::vector<Index> holders = f.holdersAt(index);
  auto [left, temporaries] = madeAt(f, step, holders);
  std::vector<L1Share> shares;
  for (Index number : holders) {
    const TensorFacts &tensor = f.tensors[size_t(number)];
    Bytes bytes = tensor.l1;
    if (llvm::is_contained(step.writes, number)) {
      // In the order of their numbers, until what the checker counted is used up: shares add up to its figure and to no
      // more.
      bytes = std::min(left, bytes);
      left -= bytes;
    }
    shares.push_back({tensor.viewOf ? L1Holder::View : L1Holder::Tensor, number, bytes});
  }
  for (auto [holder, bytes] :
       {std::pair(L1Holder::Buffers, step.l1.buffers), std::pair(L1Holder::Temporaries, temporaries),
        std::pair(L1Holder::Margin, step.l1.margin)})
    if (bytes != Bytes(0))
      shares.push_back({holder, std::nullopt, bytes});
  return shares;
}
