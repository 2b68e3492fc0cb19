//===- RandomPatterns.cpp - Programs that rewrites find something in ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomPatterns.h"

#include "PatternWriters.h"

using namespace tessera;

namespace {

constexpr PatternWriter kWriters[] = {
    {"attention-decode", 7, writeDecodeAttention},
    {"attention", 5, writeAttention},
    {"grouped-heads", 3, writeGroupedHeads},
    {"causal", 4, writeCausal},
    {"sliding-window", 4, writeSlidingWindow},
    {"whole-heads", 3, writeWholeHeads},
    {"one-key", 3, writeOneKey},
    {"late-guard", 4, writeLateGuard},
    {"cache-update", 4, writeCacheUpdate},
    {"donated", 2, writeDonated},
    {"copied-cache", 2, writeCopiedCache},
    {"heads-decode", 3, writeDecodeHeads},
    {"split-heads", 3, writeSplitHeads},
    {"late-norm", 3, writeLateNorm},
    {"lone-heads", 3, writeLoneHeads},
    {"join-products", 3, writeJoinedProducts},
    {"bias", 4, writeBias},
    {"joined-bias", 3, writeJoinedBias},
    {"constant-right", 4, writeConstantRight},
    {"turned-constant", 2, writeTurnedConstant},
    {"join-heads", 2, writeJoinedHeads},
    {"head-order", 3, writeHeadOrder},
    {"join-heads-decode", 2, writeJoinedDecodeHeads},
    {"rotation", 6, writeRotation},
    {"rotation-decode", 2, writeDecodeRotation},
    {"whole-rotation", 4, writeWholeRotation},
    {"pairs", 5, writePairs},
    {"columns", 5, writeColumns},
    {"norm", 5, writeNorm},
    {"softmax", 3, writeSoftmax},
    {"function", 4, writeFunction},
    {"norm-weights", 4, writeNormWeights},
    {"joined-constants", 4, writeJoinedConstants},
    {"joined-rows", 4, writeJoinedRows},
    {"once", 2, writeOnce},
    {"conv-weights", 4, writeConvolutionWeights},
    {"product-weights", 4, writeProductWeights},
    {"late-bias", 2, writeLateBias},
    {"folded-windows", 3, writeFoldedWindows},
    {"pixel-products", 4, writePixelProducts},
    {"window-padding", 3, writeWindowPadding},
    {"counted-pool", 3, writeCountedPool},
    {"activation", 3, writeActivation},
    {"late-reshape", 4, writeLateReshape},
    {"early-reshape", 3, writeEarlyReshape},
    {"batches", 5, writeBatches},
    {"channel-groups", 4, writeChannelGroups},
    {"fuller-rows", 3, writeFullerRows},
    {"argmax-of-parts", 3, writeArgmaxOfParts},
    {"choices", 2, writeChoices},
    {"places", 3, writePlaces},
    {"elements", 3, writeElements},
    {"early-permute", 4, writeEarlyPermute},
    {"one-reshape", 2, writeOneReshape},
    {"one-permute", 2, writeOnePermute},
    {"met-permutes", 4, writeMetPermutes},
    {"late-permute", 1, writeLatePermute},
    {"late-scale", 4, writeLateScale},
    {"const-eval", 3, writeConstants},
    {"narrow-functions", 4, writeNarrowFunctions},
    {"narrow-moves", 5, writeNarrowMoves},
    {"late-cast", 4, writeLateCast},
    {"heads-in-parts", 1, writeHeadsInParts},
    {"taken-ranks", 2, writeTakenRanks},
    {"taken-types", 3, writeTakenTypes},
};

} // namespace

llvm::ArrayRef<PatternWriter> tessera::patternWriters() { return kWriters; }

PatternProgram tessera::randomPattern(uint64_t seed) {
  PatternText text(seed);
  const PatternWriter &writer = kWriters[seed % std::size(kWriters)];
  size_t off = text.chance(4) ? 1 + text.below(writer.nearMisses) : 0;
  writer.write(text, off);
  // A near miss stands alone: another pattern could hold what it lacks.
  if (off == 0 && text.chance(3))
    kWriters[text.below(std::size(kWriters))].write(text, 0);
  return {text.text(), off ? llvm::StringRef(writer.rewrite) : llvm::StringRef(), off};
}
