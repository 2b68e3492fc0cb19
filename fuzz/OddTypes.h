//===- OddTypes.h - Tensor types that few programs have -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Well-formed all the same: MLIR's parser has nothing against them, so that
// what comes behind it has to cope.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_FUZZ_ODDTYPES_H
#define TESSERA_FUZZ_ODDTYPES_H

#include "Random.h"

#include "mlir/IR/BuiltinTypes.h"

#include <functional>

namespace tessera::fuzz {

/// What to do with every tensor type of a module.
using Retype = std::function<mlir::RankedTensorType(mlir::RankedTensorType)>;

/// An extent at which tiles, grids, sums or types end: 0, 33, 2^31, ...
int64_t oddExtent(Random &random);

/// `type` with another shape. Its layout follows where one can be computed, most of the time.
mlir::RankedTensorType withShape(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> shape, Random &random);

/// `type` in another place: a legal layout, one that is a bit wrong, or none.
mlir::RankedTensorType elsewhere(mlir::RankedTensorType type, Random &random);

/// `type` with another shape, data type or layout.
mlir::RankedTensorType oddType(mlir::RankedTensorType type, Random &random);

} // namespace tessera::fuzz

#endif // TESSERA_FUZZ_ODDTYPES_H
