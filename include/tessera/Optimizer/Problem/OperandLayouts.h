//===- OperandLayouts.h - The layouts in which an op reads its operands ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// An op reads a value in one layout, by however many of its operands. So what
// it reads has two forms: a layout for each operand, as an op model is asked,
// and one for each value (distinctValues), as decisions are made.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_OPERANDLAYOUTS_H
#define TESSERA_OPTIMIZER_PROBLEM_OPERANDLAYOUTS_H

#include "tessera/Optimizer/Problem/Problem.h"

namespace tessera {

/// By operand.
using OperandLayouts = llvm::SmallVector<LayoutId, 8>;

/// As the input program declares what the op reads.
OperandLayouts declaredInputs(const Problem &problem, OpId op);
/// As what the op falls back to reads it (baseInput).
OperandLayouts baseInputs(const Problem &problem, OpId op);
/// Each operand of `op` that is `value` is read in `layout`. `inputs` by operand.
void setInput(const Op &op, ValueId value, LayoutId layout, llvm::MutableArrayRef<LayoutId> inputs);

/// By operand: the place of its value among distinctValues.
llvm::SmallVector<unsigned, 8> placesOf(const Op &op);
/// The place of a value that the op reads among them.
size_t placeOf(const Op &op, ValueId value);

/// What is there for each value that an op reads, for each operand; and the reverse.
template <class T>
llvm::SmallVector<T, 8> byOperand(const Op &op, llvm::ArrayRef<T> byValue) {
  llvm::SmallVector<T, 8> all;
  for (unsigned place : placesOf(op))
    all.push_back(byValue[place]);
  return all;
}
template <class T>
llvm::SmallVector<T, 4> byValue(const Op &op, llvm::ArrayRef<T> byOperand) {
  llvm::SmallVector<T, 4> each;
  for (ValueId value : distinctValues(op))
    each.push_back(byOperand[firstOperand(op, value)]);
  return each;
}

/// Whether an op with this configuration frees its first operand: a convolution that is told to (facts/ir 5.1).
bool freesInput(const OpConfig &config);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_OPERANDLAYOUTS_H
