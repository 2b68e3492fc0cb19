//===- OperandLayouts.cpp - The layouts in which an op reads its operands -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace tessera;

OperandLayouts tessera::declaredInputs(const Problem &problem, OpId op) {
  return llvm::map_to_vector<8>(problem[op].operands,
                                [&](ValueId operand) { return problem[operand].declared; });
}

OperandLayouts tessera::baseInputs(const Problem &problem, OpId op) {
  OperandLayouts inputs;
  for (size_t operand = 0; operand < problem[op].operands.size(); ++operand)
    inputs.push_back(baseInput(problem, op, operand));
  return inputs;
}

void tessera::setInput(const Op &op, ValueId value, LayoutId layout, llvm::MutableArrayRef<LayoutId> inputs) {
  // All of its places: an op reads a value in one layout, however often it is given.
  for (auto [operand, input] : llvm::zip_equal(op.operands, inputs))
    if (operand == value)
      input = layout;
}

llvm::SmallVector<unsigned, 8> tessera::placesOf(const Op &op) {
  llvm::SmallVector<unsigned, 8> places;
  llvm::SmallVector<ValueId, 4> values;
  for (ValueId operand : op.operands) {
    auto known = llvm::find(values, operand);
    places.push_back(unsigned(known - values.begin()));
    if (known == values.end())
      values.push_back(operand);
  }
  return places;
}

size_t tessera::placeOf(const Op &op, ValueId value) {
  // By distinct value, as the lists have it that hold one entry for each value that is read.
  auto values = distinctValues(op);
  return size_t(llvm::find(values, value) - values.begin());
}

bool tessera::freesInput(const OpConfig &config) {
  auto *conv2d = std::get_if<Conv2dConfig>(&config.specific);
  return conv2d && conv2d->deallocateActivation;
}
