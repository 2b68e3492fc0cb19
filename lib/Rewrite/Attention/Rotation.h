//===- Rotation.h - Rotary embedding as ops of the device -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_ATTENTION_ROTATION_H
#define TESSERA_LIB_REWRITE_ATTENTION_ROTATION_H

#include "../Proposal.h"

namespace tessera::rewrite {

/// What is turned: halves of x, or neighbours.
using Turn = mlir::Value (*)(mlir::Value x, mlir::Value cosines, mlir::Value sines, Proposal &proposal);

/// B x H x S x D turned by rows of the tables, 1 x 1 x S x D. With fewer positions than fill tiles the op makes those that fill them as well.
mlir::Value turnHalves(mlir::Value x, mlir::Value cosines, mlir::Value sines, Proposal &proposal);
/// The same of neighbours, which the op turns by a matrix, tile by tile.
mlir::Value turnNeighbours(mlir::Value x, mlir::Value cosines, mlir::Value sines, Proposal &proposal);

/// Whether the value is the matrix by which `turnNeighbours` has the device turn them.
bool turnsNeighbours(mlir::Value matrix);

/// Whether the table has a row for each position of B x H x S x D, the same for all users and heads: 1 x 1 x S x D, or fewer dimensions.
bool hasRowsOfPositions(mlir::Value table, llvm::ArrayRef<int64_t> x);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_ATTENTION_ROTATION_H
