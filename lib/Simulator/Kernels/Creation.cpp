//===- Creation.cpp - Tensors from nothing --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Results are numbers alone: where they lie, and in which format, is the affair
// of who stores them. Elements that are not in the module (a constant whose text
// leaves them out) are an error, never a number that would do as well.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include <limits>

namespace tessera::simulator {

namespace {

llvm::Error fill(KernelCall &call, double value) {
  for (int64_t i = 0, end = call.result().volume(); i < end; ++i)
    call.result().set(i, value);
  return llvm::Error::success();
}

llvm::Error runZeros(KernelCall &call) { return fill(call, 0); }
llvm::Error runOnes(KernelCall &call) { return fill(call, 1); }

/// Whatever is in memory: what reads it before it is written shall notice.
llvm::Error runEmpty(KernelCall &call) { return fill(call, std::numeric_limits<double>::quiet_NaN()); }

llvm::Error runFull(KernelCall &call) {
  return fill(call, call.op.number("fill_value", double(call.op.integer("fill_value", 0))));
}

llvm::Error runArange(KernelCall &call) {
  int64_t start = call.op.integer("start", 0), step = call.op.integer("step", 1);
  for (int64_t i = 0, end = call.result().volume(); i < end; ++i)
    call.result().set(i, double(start + i * step));
  return llvm::Error::success();
}

llvm::Error runConstant(KernelCall &call) {
  if (!call.constant)
    return failure("the elements of this constant are not known");
  for (int64_t i = 0, end = call.result().volume(); i < end; ++i)
    call.result().set(i, call.constant->at(i));
  return llvm::Error::success();
}

const KernelRow kCreation[] = {{"ttnn.zeros", runZeros},   {"ttnn.ones", runOnes},
                               {"ttnn.full", runFull},     {"ttnn.empty", runEmpty},
                               {"ttnn.arange", runArange}, {"ttnn.constant", runConstant}};

} // namespace

llvm::ArrayRef<KernelRow> creationKernels() { return kCreation; }

} // namespace tessera::simulator
