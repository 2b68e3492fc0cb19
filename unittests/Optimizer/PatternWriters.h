//===- PatternWriters.h - What each rewrite looks for, as random programs -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_PATTERNWRITERS_H
#define TESSERA_UNITTESTS_OPTIMIZER_PATTERNWRITERS_H

#include "PatternText.h"

namespace tessera {

// AttentionPatterns.cpp
void writeDecodeAttention(PatternText &p, size_t off);
void writeAttention(PatternText &p, size_t off);
void writeGroupedHeads(PatternText &p, size_t off);
void writeOneKey(PatternText &p, size_t off);
void writeLateGuard(PatternText &p, size_t off);

// CachePatterns.cpp
void writeCacheUpdate(PatternText &p, size_t off);
void writeCopiedCache(PatternText &p, size_t off);
void writeDonated(PatternText &p, size_t off);
void writeElements(PatternText &p, size_t off);

// HeadPatterns.cpp
void writeDecodeHeads(PatternText &p, size_t off);
void writeSplitHeads(PatternText &p, size_t off);
void writeLateNorm(PatternText &p, size_t off);
void writeLoneHeads(PatternText &p, size_t off);
void writeJoinedProducts(PatternText &p, size_t off);
void writeBias(PatternText &p, size_t off);
void writeJoinedBias(PatternText &p, size_t off);
void writeConstantRight(PatternText &p, size_t off);
void writeTurnedConstant(PatternText &p, size_t off);
void writeJoinedHeads(PatternText &p, size_t off);
void writeHeadOrder(PatternText &p, size_t off);
void writeJoinedDecodeHeads(PatternText &p, size_t off);

// RotationPatterns.cpp
void writeRotation(PatternText &p, size_t off);
void writeDecodeRotation(PatternText &p, size_t off);
void writeWholeRotation(PatternText &p, size_t off);
void writePairs(PatternText &p, size_t off);
void writeCausal(PatternText &p, size_t off);
void writeSlidingWindow(PatternText &p, size_t off);
void writeColumns(PatternText &p, size_t off);
void writePixelProducts(PatternText &p, size_t off);
void writeWholeHeads(PatternText &p, size_t off);

// NormPatterns.cpp
void writeNorm(PatternText &p, size_t off);
void writeSoftmax(PatternText &p, size_t off);
void writeNormWeights(PatternText &p, size_t off);
void writeChannelGroups(PatternText &p, size_t off);

// ConvolutionPatterns.cpp
void writeConvolutionWeights(PatternText &p, size_t off);
void writeProductWeights(PatternText &p, size_t off);
void writeLateBias(PatternText &p, size_t off);
void writeFoldedWindows(PatternText &p, size_t off);
void writeWindowPadding(PatternText &p, size_t off);
void writeCountedPool(PatternText &p, size_t off);
void writeActivation(PatternText &p, size_t off);

// MovementPatterns.cpp
void writeLateReshape(PatternText &p, size_t off);
void writeEarlyReshape(PatternText &p, size_t off);
void writeFullerRows(PatternText &p, size_t off);
void writeArgmaxOfParts(PatternText &p, size_t off);
void writePlaces(PatternText &p, size_t off);
void writeChoices(PatternText &p, size_t off);
void writeEarlyPermute(PatternText &p, size_t off);
void writeOneReshape(PatternText &p, size_t off);
void writeOnePermute(PatternText &p, size_t off);
void writeMetPermutes(PatternText &p, size_t off);
void writeConstants(PatternText &p, size_t off);
void writeLatePermute(PatternText &p, size_t off);
void writeLateScale(PatternText &p, size_t off);
void writeFunction(PatternText &p, size_t off);
void writeJoinedConstants(PatternText &p, size_t off);
void writeJoinedRows(PatternText &p, size_t off);
void writeBatches(PatternText &p, size_t off);
void writeOnce(PatternText &p, size_t off);
void writeNarrowFunctions(PatternText &p, size_t off);
void writeNarrowMoves(PatternText &p, size_t off);
void writeLateCast(PatternText &p, size_t off);

// TypePatterns.cpp
void writeHeadsInParts(PatternText &p, size_t off);
void writeTakenRanks(PatternText &p, size_t off);
void writeTakenTypes(PatternText &p, size_t off);

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_PATTERNWRITERS_H
