//===- Question.cpp - One call, built step by step ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A call in the order in which a table gives it. Tables do not tell of one tensor
// that is given twice, so each operand counts as its own (OperandDesc::sameAs).
//
//===----------------------------------------------------------------------===//
#include "Question.h"

namespace tessera::evaluation {

Question::Question(llvm::StringRef op, DeviceSpec device) {
  query.device = std::move(device);
  query.signature.name = op.str();
}

Question &Question::operand(const TensorDesc &tensor, const TensorLayout &layout) {
  query.signature.operands.push_back({tensor, unsigned(query.signature.operands.size()), false});
  query.inputs.push_back(layout);
  return *this;
}

Question &Question::result(const TensorDesc &tensor, const TensorLayout &layout) {
  query.signature.results.push_back(tensor);
  query.outputs.push_back(layout);
  return *this;
}

Question &Question::attribute(llvm::StringRef name, AttrValue value) {
  query.signature.addAttribute(name.str(), std::move(value));
  return *this;
}

Question &Question::config(OpSpecificConfig wanted) {
  query.specific = std::move(wanted);
  return *this;
}

Question &Question::version(BackendVersion of) {
  query.backend = of;
  return *this;
}

} // namespace tessera::evaluation
