//===- Pairs.h - Elements that change places with their neighbours -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_PAIRS_H
#define TESSERA_LIB_REWRITE_PAIRS_H

#include "Match.h"
#include "Proposal.h"

namespace tessera::rewrite {

/// What an element of each pair becomes: the first or the second of them, as it is or negated.
struct FromPair {
  bool isSecond = false, isNegated = false;
};
/// The matrix that makes (a, b) of (first, second) by a product from the right, for `size` elements: one number other than zero in each column.
mlir::DenseElementsAttr pairMatrix(mlir::MLIRContext *context, int64_t size, FromPair a, FromPair b);
/// What makes (-second, first) of (first, second).
inline constexpr FromPair kQuarterTurn[] = {{true, true}, {false, false}};

/// The matrix that makes (-second half, first half) of `size` elements by a product from the right.
mlir::DenseElementsAttr halvesTurned(mlir::MLIRContext *context, int64_t size);

/// A column of a product: the element of the row that it is, as it is or negated.
struct TakenColumn {
  int64_t from = 0;
  bool isNegated = false;
};
/// The matrix that makes these columns of rows of `size` elements by a product from the right.
mlir::DenseElementsAttr columnMatrix(mlir::MLIRContext *context, int64_t size,
                                     llvm::ArrayRef<TakenColumn> columns);

/// Ones where row and column are the same, else zeros.
mlir::DenseElementsAttr identityMatrix(mlir::MLIRContext *context, int64_t size);

/// Numbers as bf16.
mlir::DenseElementsAttr narrowNumbers(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<float> numbers);

/// A tensor in tiles on the device that holds the elements, of a type that devices have, on a mesh like that of `like`.
mlir::Value constantLike(mlir::Value like, mlir::DenseElementsAttr elements, Proposal &proposal);

/// A tensor of bf16 times such a matrix: no bit is lost.
mlir::Value timesMatrix(mlir::Value x, mlir::DenseElementsAttr matrix, Proposal &proposal);
/// The pairs of a tensor of bf16 by a product with that matrix.
mlir::Value pairsOf(mlir::Value x, FromPair a, FromPair b, Proposal &proposal);

/// What the value is the turn of by a quarter: its neighbours exchanged, the one that comes first negated, as a product with a matrix makes it.
std::optional<Traced> unturnedPairs(mlir::Value value);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_PAIRS_H
