//===- WrittenDeallocates.cpp - What a function frees, and when -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A problem has no deallocates, as plans decide anew when tensors are freed. A
// module that is taken as it stands has them, and when memory is free again
// decides every address behind that.
//
//===----------------------------------------------------------------------===//
#include "WrittenDeallocates.h"

#include "tessera/Dialect/TTNN/TTNN.h"

using namespace tessera;

Deallocations tessera::writtenDeallocates(const BuiltProblem &built) {
  const ProblemBinding &binding = built.binding;
  // A plan that converts nothing has one tensor per value, under the same number.
  llvm::DenseMap<mlir::Value, TensorId> tensors;
  for (auto [index, value] : llvm::enumerate(binding.values))
    tensors[value] = TensorId(index);
  Deallocations freed(binding.ops.size() + 1);
  size_t step = 0;
  mlir::func::FuncOp function = binding.function; // MLIR's handles are not const
  for (mlir::Operation &op : function.getBody().front()) {
    auto deallocate = llvm::dyn_cast<ttnn::DeallocateOp>(op);
    if (step < binding.ops.size() && binding.ops[step] == &op)
      ++step;
    else if (deallocate && tensors.contains(op.getOperand(0)))
      freed[step].push_back({tensors[op.getOperand(0)], deallocate.getForce()});
  }
  return freed;
}
