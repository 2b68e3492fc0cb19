//===- Donated.cpp - Arguments that become results -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   f(x donated): c = to_layout(x); update(c); return c   ->   f(x): update(x); return x
//
// A step of a model takes its cache, or another state, and gives it back changed. Its
// caller gives the old one up and hands in next what was returned. That is in tiles,
// but compilers take arguments in rows and make tiles of them: of all of a cache, at
// each step. So the argument is taken as it is returned, as the compilers' own decode
// ops take caches, and what was written into the copy is written into it.
//
//===----------------------------------------------------------------------===//
#include "Donated.h"

#include "Match.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::rewrite;

/// The type of the result that the caller takes in place of the argument; null if it keeps the argument.
static Type typeReturnedFor(func::FuncOp function, BlockArgument argument) {
  auto result = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "tf.aliasing_output");
  return result && result.getValue().ult(function.getNumResults())
             ? function.getResultTypes()[result.getValue().getZExtValue()]
             : Type();
}

/// Whether the value lies as the compiler's arguments do: where that is is for the caller to say.
static bool isInterleavedInDram(mlir::Value value) {
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(typeOf(value));
  TensorLayout plain = dramInterleaved(placed->tensor, placed->layout.page);
  plain.mesh = placed->layout.mesh;
  return placed->layout == plain;
}

/// The conversions to tiles that are all that reads the argument; none if anything else does, or may tell it from its copies.
static llvm::SmallVector<ttnn::ToLayoutOp> copiesOf(BlockArgument argument, Type returned) {
  llvm::SmallVector<ttnn::ToLayoutOp> copies;
  size_t ends = 0; // uses of copies by the function's end: two results are two tensors to the caller
  bool isAnyWritten = false;
  for (Operation *user : argument.getUsers()) {
    auto copy = dyn_cast<ttnn::ToLayoutOp>(user);
    if (!copy || copy.getType() != returned || ttnn::saysMore(copy))
      return {};
    copies.push_back(copy);
    isAnyWritten |= isWritten(copy.getResult());
    ends += size_t(llvm::count_if(
        copy->getUsers(), [](Operation *reader) { return reader->hasTrait<OpTrait::IsTerminator>(); }));
  }
  if (copies.empty() || ends > 1 || (isAnyWritten && copies.size() > 1))
    return {};
  mlir::Value copy = copies.front().getResult();
  const bool onlyPagesDiffer =
      isPlaced(argument) && isPlaced(copy) && typeOf(argument).getShape() == typeOf(copy).getShape() &&
      typeOf(argument).getElementType() == typeOf(copy).getElementType() && isInterleavedInDram(argument) &&
      isInterleavedInDram(copy) &&
      ttnn::placedTensor(typeOf(argument))->layout.dtype == ttnn::placedTensor(typeOf(copy))->layout.dtype;
  return onlyPagesDiffer ? copies : llvm::SmallVector<ttnn::ToLayoutOp>();
}

void rewrite::takeDonated(func::FuncOp function, llvm::function_ref<bool(Operation *)> mayGo,
                          llvm::function_ref<void(llvm::ArrayRef<Operation *>)> takes) {
  bool isAnyTaken = false;
  for (BlockArgument argument : function.getArguments()) {
    Type returned = typeReturnedFor(function, argument);
    llvm::SmallVector<ttnn::ToLayoutOp> copies =
        returned ? copiesOf(argument, returned) : llvm::SmallVector<ttnn::ToLayoutOp>();
    if (copies.empty() || !llvm::all_of(copies, mayGo))
      continue;
    takes(llvm::SmallVector<Operation *>(copies.begin(), copies.end()));
    // As compilers mark what is written from call to call.
    if (isWritten(copies.front().getResult()))
      function.setArgAttr(argument.getArgNumber(), "ttcore.kv_cache", UnitAttr::get(function.getContext()));
    argument.setType(returned);
    for (ttnn::ToLayoutOp copy : copies) {
      copy.getResult().replaceAllUsesWith(argument);
      copy.erase();
    }
    isAnyTaken = true;
  }
  if (isAnyTaken)
    function.setType(FunctionType::get(function.getContext(), function.getBody().front().getArgumentTypes(),
                                       function.getResultTypes()));
}
