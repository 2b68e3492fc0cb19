//===- MoveOps.h - The ops of data_movement.csv ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_IMPORT_MOVEOPS_H
#define TESSERA_LIB_EVALUATION_IMPORT_MOVEOPS_H

#include "MoveRow.h"

namespace tessera::evaluation {

/// Of the results of a call, in their order.
using Shapes = std::vector<Shape>;

/// A row of the table of ops that are known by their names in data_movement.csv.
struct MoveOp {
  llvm::StringLiteral name; ///< in the table, without "ttnn."
  llvm::StringLiteral op;   ///< that the model has
  /// Shapes of the results; sets the op's attributes on the way. Empty if the row does not say enough.
  Shapes (*results)(MoveRow &);
};

/// nullptr if the model has no such op.
const MoveOp *findMoveOp(llvm::StringRef name);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_IMPORT_MOVEOPS_H
