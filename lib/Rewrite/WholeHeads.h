//===- WholeHeads.h - Heads that fill no tiles, made to fill them ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_WHOLEHEADS_H
#define TESSERA_LIB_REWRITE_WHOLEHEADS_H

#include "Match.h"
#include "Proposal.h"

namespace tessera::rewrite {

/// The value with a number, or zeros, behind its elements in a dimension, such that there are `size`; itself if there are as many.
mlir::Value withNumberBehind(mlir::Value value, int64_t dimension, int64_t size, float number,
                             Proposal &proposal);
mlir::Value withZerosBehind(mlir::Value value, int64_t dimension, int64_t size, Proposal &proposal);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_WHOLEHEADS_H
