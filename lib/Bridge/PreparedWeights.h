//===- PreparedWeights.h - Weights of convolutions that are prepared ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_BRIDGE_PREPAREDWEIGHTS_H
#define TESSERA_LIB_BRIDGE_PREPAREDWEIGHTS_H

#include "tessera/Layout/TensorLayout.h"

#include "mlir/IR/Operation.h"

namespace tessera {

/// Lets weights and biases of convolutions be prepared for the form that these run in. Which rows of weights stand together depends on how the
/// input is cut, and the library does not see for what weights were prepared.
class PreparedWeights {
public:
  /// A convolution that reads its input in `input`. Says so where what is prepared serves another one in another form. Ops whose weights
  /// nobody prepares stay as they are.
  void fit(mlir::Operation *convolution, const TensorLayout &input);
  /// Whether they are prepared for pages as `input` has them: a rewrite may have left out the conversion that made others of it.
  static bool arePreparedFor(mlir::Operation *convolution, const TensorLayout &input);

private:
  llvm::DenseSet<mlir::Operation *> fitted; ///< what prepares
};

} // namespace tessera

#endif // TESSERA_LIB_BRIDGE_PREPAREDWEIGHTS_H
