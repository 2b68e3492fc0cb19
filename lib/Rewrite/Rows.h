//===- Rows.h - How each rewrite finds its ops ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A row looks at one op, its root, and proposes what could stand for it and for
// ops around it. False if it finds nothing. The root's tensors are placed.
// By files; behind each stands which op of what it looks for is the root.
//
// 1  A row changes nothing but its proposal: whether that is taken is not its to say.
// 2  Each row is asked about each op of its kind, again after every change, so it
//    looks first for what is rare, and last whether something is constant.
// 3  What its new ops read is read later than before, so it asks of each operand
//    whether it may be (mayBeReadAt).
// 4  What it makes is found by no row that would make the root again.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_ROWS_H
#define TESSERA_LIB_REWRITE_ROWS_H

#include "Proposal.h"

namespace tessera::rewrite {

// Attention/Attention.cpp
bool proposeAttention(mlir::Operation *root, Proposal &proposal);       ///< of the product with the values
bool proposeDecodeAttention(mlir::Operation *root, Proposal &proposal); ///< of the product with the values
bool proposeGroupedHeads(mlir::Operation *root, Proposal &proposal);    ///< of the attention

// Attention/Caches.cpp
bool proposeUpdatedCache(mlir::Operation *root, Proposal &proposal);  ///< of the scatter
bool proposeCopyOfWritten(mlir::Operation *root, Proposal &proposal); ///< of the reader

// Attention/Causal.cpp
bool proposeCausal(mlir::Operation *root, Proposal &proposal);        ///< of attention with a mask
bool proposeSlidingWindow(mlir::Operation *root, Proposal &proposal); ///< of attention with a mask

// Attention/Guards.cpp
bool proposeLateGuard(mlir::Operation *root,
                      Proposal &proposal); ///< of the product with weights that are 0 in rows without a score

// Attention/Heads.cpp
bool proposeDecodeHeads(mlir::Operation *root, Proposal &proposal);         ///< of the first slice
bool proposeLateNorm(mlir::Operation *root, Proposal &proposal);            ///< of the permute
bool proposeLoneHeads(mlir::Operation *root, Proposal &proposal);           ///< of the permute
bool proposeSplitHeads(mlir::Operation *root, Proposal &proposal);          ///< of the first slice
bool proposeJoinedHeads(mlir::Operation *root, Proposal &proposal);         ///< of the reshape
bool proposeHeadsBeforeElements(mlir::Operation *root, Proposal &proposal); ///< of the product
bool proposeJoinedDecodeHeads(mlir::Operation *root, Proposal &proposal);   ///< of the reshape
bool proposeHeadsInParts(mlir::Operation *root, Proposal &proposal);        ///< of the concatenate_heads
bool proposeDecodeRotation(mlir::Operation *root, Proposal &proposal);      ///< of the slice

// Attention/OneKey.cpp
bool proposeOneKey(mlir::Operation *root, Proposal &proposal); ///< of the product with the values

// Attention/Rotation.cpp
bool proposeRotation(mlir::Operation *root, Proposal &proposal);        ///< of the sum
bool proposeRotationOfHeads(mlir::Operation *root, Proposal &proposal); ///< of the rotary_embedding
bool proposeRotationInParts(mlir::Operation *root, Proposal &proposal); ///< of one that no device runs

// Attention/WholeHeads.cpp
bool proposeWholeHeads(mlir::Operation *root, Proposal &proposal);       ///< of the pad behind heads
bool proposeWholeHeadsJoined(mlir::Operation *root, Proposal &proposal); ///< of the product of joined heads

// Attention/WholeRotation.cpp
bool proposeWholeRotation(mlir::Operation *root, Proposal &proposal); ///< of the concat

// Functions/Activations.cpp
bool proposeActivatedResult(mlir::Operation *root, Proposal &proposal);  ///< of the function
bool proposeActivatedOperand(mlir::Operation *root, Proposal &proposal); ///< of the op of two operands

// Functions/Argmax.cpp
bool proposeArgmaxOfParts(mlir::Operation *root, Proposal &proposal); ///< of the argmax

// Functions/Choices.cpp
bool proposeChoices(mlir::Operation *root, Proposal &proposal); ///< of the topk

// Functions/Elements.cpp
bool proposeElements(mlir::Operation *root, Proposal &proposal);        ///< of the rows_gather
bool proposeElementsOfParts(mlir::Operation *root, Proposal &proposal); ///< of the concat of its parts

// Functions/Functions.cpp
bool proposeFunction(mlir::Operation *root, Proposal &proposal); ///< of the last part

// Functions/Groups.cpp
bool proposeUngroupedElements(mlir::Operation *root,
                              Proposal &proposal);                     ///< of what works element by element
bool proposeUngroupedMean(mlir::Operation *root, Proposal &proposal);  ///< of the mean or sum
bool proposeMeansByProduct(mlir::Operation *root, Proposal &proposal); ///< of the last reshape

// Functions/Norms.cpp
bool proposeNorm(mlir::Operation *root, Proposal &proposal); ///< of the product with the inverse deviation
bool proposeCentredNorm(mlir::Operation *root, Proposal &proposal); ///< of the rms_norm
bool proposeNormWeights(mlir::Operation *root, Proposal &proposal); ///< of the product or sum with a row

// Functions/Places.cpp
bool proposePlaces(mlir::Operation *root, Proposal &proposal); ///< of the argmax

// Functions/Softmax.cpp
bool proposeSoftmax(mlir::Operation *root, Proposal &proposal); ///< of the quotient

// Functions/TakenTypes.cpp; of an op that the device refuses
bool proposeTakenIntegers(mlir::Operation *root, Proposal &proposal); ///< of what works with whole numbers
bool proposeTakenFloats(mlir::Operation *root, Proposal &proposal);   ///< of what works with floats

// Movement/Chains.cpp
bool proposePermuteOfChain(mlir::Operation *root, Proposal &proposal); ///< of the last one

// Movement/Columns.cpp
bool proposeColumns(mlir::Operation *root, Proposal &proposal); ///< of the concat
bool proposeShuffledColumns(mlir::Operation *root,
                            Proposal &proposal); ///< of the last reshape, or the cast behind it

// Movement/JoinedRows.cpp
bool proposeJoinedRows(mlir::Operation *root, Proposal &proposal); ///< of the second sum or product

// Movement/Movement.cpp
bool proposeEarlyPermute(mlir::Operation *root, Proposal &proposal);       ///< of the first permute
bool proposeOnePermute(mlir::Operation *root, Proposal &proposal);         ///< of the second permute
bool proposePermuteAroundUnits(mlir::Operation *root, Proposal &proposal); ///< of the reshape behind it
bool proposeLateScale(mlir::Operation *root, Proposal &proposal);          ///< of the permute
bool proposeLateCast(mlir::Operation *root, Proposal &proposal);           ///< of the permute
bool proposeNarrowFunction(mlir::Operation *root, Proposal &proposal);     ///< of the last cast
bool proposeNarrowMoves(mlir::Operation *root, Proposal &proposal);        ///< of the last cast
bool proposeNarrowSearch(mlir::Operation *root, Proposal &proposal);       ///< of the argmax
bool proposeNarrowChoice(mlir::Operation *root, Proposal &proposal);       ///< of the last cast

// Movement/Permutes.cpp
bool proposeMetPermutes(mlir::Operation *root, Proposal &proposal);    ///< of the last permute
bool proposePermutesBehind(mlir::Operation *root, Proposal &proposal); ///< of the op between them
bool proposeLatePermute(mlir::Operation *root, Proposal &proposal);    ///< of what reduces dimensions

// Movement/Repeats.cpp
bool proposeRowsOnce(mlir::Operation *root, Proposal &proposal);   ///< of the op of two operands
bool proposeLateRepeat(mlir::Operation *root, Proposal &proposal); ///< of what works element by element
bool proposeMatrixOnce(mlir::Operation *root, Proposal &proposal); ///< of the product

// Movement/TakenRanks.cpp; of an op that the device refuses
bool proposeJoinedPadding(mlir::Operation *root, Proposal &proposal); ///< of the pad
bool proposeGatherOfRow(mlir::Operation *root, Proposal &proposal);   ///< of the gather

// Movement/Reshapes.cpp
bool proposeOneReshape(mlir::Operation *root, Proposal &proposal);      ///< of the second reshape
bool proposeLateReshape(mlir::Operation *root, Proposal &proposal);     ///< of what reads the reshape
bool proposeReshapedSlice(mlir::Operation *root, Proposal &proposal);   ///< of the slice of a reshape
bool proposeSliceOfWhole(mlir::Operation *root, Proposal &proposal);    ///< of the same
bool proposeReshapedPermute(mlir::Operation *root, Proposal &proposal); ///< of the permute of a reshape
bool proposeReshapedConcat(mlir::Operation *root, Proposal &proposal);  ///< of the concat of reshapes
bool proposeEarlyReshape(mlir::Operation *root, Proposal &proposal);    ///< of the first reshape
bool proposeFullerRows(mlir::Operation *root, Proposal &proposal);      ///< of what walks along rows

// Pairs.cpp
bool proposePairs(mlir::Operation *root, Proposal &proposal);        ///< of the reshape behind the stack
bool proposePairRotation(mlir::Operation *root, Proposal &proposal); ///< of the same

// Weights/Constants.cpp
bool proposeJoinedConstants(mlir::Operation *root, Proposal &proposal); ///< of the second sum or product

// Weights/ConvolutionWeights.cpp
bool proposeConvolutionWeights(mlir::Operation *root, Proposal &proposal); ///< of the product or sum
bool proposeFoldedBatchNorm(mlir::Operation *root, Proposal &proposal);    ///< of the norm
bool proposeLateBias(mlir::Operation *root, Proposal &proposal);           ///< of the convolution

// Weights/Convolutions.cpp
bool proposeFoldedWindows(mlir::Operation *root, Proposal &proposal); ///< of the convolution
bool proposeWindowPadding(mlir::Operation *root, Proposal &proposal); ///< of the convolution or pool

// Weights/Pixels.cpp
bool proposePixelProduct(mlir::Operation *root, Proposal &proposal); ///< of the convolution

// Weights/Pools.cpp
bool proposeCountedPool(mlir::Operation *root, Proposal &proposal); ///< of the quotient

// Weights/ProductWeights.cpp
bool proposeProductWeights(mlir::Operation *root, Proposal &proposal); ///< of the product, sum or difference

// Weights/Products.cpp
bool proposeJoinedProducts(mlir::Operation *root, Proposal &proposal);   ///< of the first product of three
bool proposeBias(mlir::Operation *root, Proposal &proposal);             ///< of the sum
bool proposeJoinedBias(mlir::Operation *root, Proposal &proposal);       ///< of the first sum of a slice
bool proposeConstantRight(mlir::Operation *root, Proposal &proposal);    ///< of the permute
bool proposeProductOfBatches(mlir::Operation *root, Proposal &proposal); ///< of the reshape behind it
bool proposeUnfoldedProduct(mlir::Operation *root, Proposal &proposal);  ///< of the product

// Weights/TurnedConstants.cpp
bool proposeTurnedConstant(mlir::Operation *root, Proposal &proposal); ///< of the product

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_ROWS_H
