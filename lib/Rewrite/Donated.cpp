//===- Donated.cpp - Arguments that become results -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   f(x donated): c = to_layout(x); update(c); return c   ->   f(x): update(x); return x
//
// A step of a model takes its cache and gives it back, changed. Its caller gives the
// cache up, so that it can stay where it is; but compilers take arguments in rows and
// return tiles, and the conversion copies all of it at each step. What the caller
// hands in next is what was returned, so tiles are what it has, and the compilers'
// own decode ops take caches like that.
//
//===----------------------------------------------------------------------===//
#include "Donated.h"

#include "Match.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::rewrite;

/// The result that the caller takes in place of the argument; null if it keeps the argument.
static mlir::Value donatedFor(func::FuncOp function, BlockArgument argument) {
  auto result = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "tf.aliasing_output");
  Operation *end = function.getBody().front().getTerminator();
  return result && result.getValue().ult(end->getNumOperands())
             ? end->getOperand(unsigned(result.getValue().getZExtValue()))
             : mlir::Value();
}

/// Whether the value lies as the compiler's arguments do: where that is is for the caller to say.
static bool isInterleavedInDram(mlir::Value value) {
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(typeOf(value));
  TensorLayout plain = dramInterleaved(placed->tensor, placed->layout.page);
  plain.mesh = placed->layout.mesh;
  return placed->layout == plain;
}

/// Whether both lie there, and differ in nothing but pages.
static bool differOnlyInPages(mlir::Value from, mlir::Value to) {
  return isPlaced(from) && isPlaced(to) && typeOf(from).getShape() == typeOf(to).getShape() &&
         typeOf(from).getElementType() == typeOf(to).getElementType() && isInterleavedInDram(from) &&
         isInterleavedInDram(to) &&
         ttnn::placedTensor(typeOf(from))->layout.dtype == ttnn::placedTensor(typeOf(to))->layout.dtype;
}

void rewrite::takeDonated(func::FuncOp function, llvm::function_ref<bool(Operation *)> mayGo,
                          llvm::function_ref<void(Operation *)> takes) {
  bool isAnyTaken = false;
  for (BlockArgument argument : function.getArguments()) {
    mlir::Value result = donatedFor(function, argument);
    auto copy = result ? result.getDefiningOp<ttnn::ToLayoutOp>() : ttnn::ToLayoutOp();
    // A second reader of the argument may want the elements that it came with.
    if (!copy || copy.getInput() != argument || !argument.hasOneUse() || !isWritten(result) ||
        !differOnlyInPages(argument, result) || ttnn::saysMore(copy) || !mayGo(copy))
      continue;
    takes(copy);
    argument.setType(result.getType());
    result.replaceAllUsesWith(argument);
    copy.erase();
    // As compilers mark what stays on the device from call to call.
    function.setArgAttr(argument.getArgNumber(), "ttcore.kv_cache", UnitAttr::get(function.getContext()));
    isAnyTaken = true;
  }
  if (isAnyTaken)
    function.setType(FunctionType::get(function.getContext(), function.getBody().front().getArgumentTypes(),
                                       function.getResultTypes()));
}
