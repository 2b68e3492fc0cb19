//===- Weights.h - Constants of products and convolutions, made anew -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_WEIGHTS_WEIGHTS_H
#define TESSERA_LIB_REWRITE_WEIGHTS_WEIGHTS_H

#include "../Match.h"
#include "../Proposal.h"

namespace tessera::rewrite {

/// Constants lie on the host or on the device, in rows or in tiles. Ops on them are made on the device, in f32 and in tiles.
class OnDevice {
public:
  OnDevice(Proposal &proposal, mlir::Value device) : proposal(proposal), device(device) {}

  /// In that shape, which is taken while the elements are in rows: windows of one element fill tiles of their own else. What was rounded
  /// by a row before this one is as it was before: where a norm stands in several ops, each is folded by itself, and what would be
  /// rounded between them is wrong in the same way for all pixels of a channel, so that no mean takes it away.
  mlir::Value wide(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value wide(mlir::Value value) { return wide(value, shapeOf(value)); }
  /// Where and as such a constant lay: `like` is its type.
  mlir::Value backTo(mlir::RankedTensorType like, mlir::Value value);
  template <class Op>
  mlir::Value binary(mlir::Value a, mlir::Value b) {
    return proposal.make<Op>(Proposal::typeLike(a, shapeOf(a)), a, b, mlir::ArrayAttr(), mlir::ArrayAttr(),
                             mlir::ArrayAttr());
  }
  /// A number that broadcasts to four dimensions, in elements of `like`.
  mlir::Value number(mlir::FloatAttr number, mlir::Value like);

private:
  Proposal &proposal;
  mlir::Value device;
};

/// Floats whose layout has a plain form, on the host or on the device.
bool isKnownConstant(mlir::Value value);

/// Weights as frameworks have them, which nobody has prepared yet: outputs x inputs x window.
bool areRaw(mlir::Value weight, ttnn::Conv2dOp conv);

/// The op that makes the value, in a const-eval function if it comes from one.
mlir::Operation *makerOf(mlir::Value value);

/// A value of a const-eval function, computed where the proposal stands; `now` has what its arguments and its device are there.
mlir::Value recomputed(mlir::Value value, mlir::IRMapping &now, Proposal &proposal);

/// What the values of a const-eval function, if the constant is loaded from one, are where the convolution stands: its arguments and its device.
mlir::IRMapping asNow(mlir::Value constant, mlir::Operation *prepare, ttnn::Conv2dOp conv);

/// The constant, prepared by the same op that is told otherwise.
mlir::Value preparedWith(llvm::StringRef attribute, mlir::Attribute told, mlir::Value constant,
                         ttnn::Conv2dOp conv, Proposal &proposal);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_WEIGHTS_WEIGHTS_H
