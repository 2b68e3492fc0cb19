//===- Question.cpp - One query, built step by step -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Question.h"

#include "../Analytic/Family.h"

#include <cmath>

namespace tessera::evaluation {

Question::Question(llvm::StringRef op, DeviceSpec spec) : device(std::move(spec)) {
  device.launch = Nanoseconds(0);
  signature.name = op.str();
}

Question &Question::operand(const TensorDesc &tensor, const TensorLayout &layout) {
  signature.operands.push_back({tensor, unsigned(signature.operands.size()), false});
  inputs.push_back(layout);
  return *this;
}

Question &Question::result(const TensorDesc &tensor, const TensorLayout &layout) {
  signature.results.push_back(tensor);
  outputs.push_back(layout);
  return *this;
}

Question &Question::attribute(llvm::StringRef name, AttrValue value) {
  signature.attributes.push_back({name.str(), std::move(value)});
  llvm::stable_sort(signature.attributes, [](const auto &a, const auto &b) { return a.first < b.first; });
  return *this;
}

Question &Question::config(OpSpecificConfig wanted) {
  specific = std::move(wanted);
  return *this;
}

llvm::Expected<double> Question::kernelTime() const { return ask(nullptr); }

llvm::Expected<double> Question::ask(llvm::function_ref<double(const analytic::OpCall &)> time) const {
  LayoutPool pool;
  llvm::SmallVector<LayoutId, 4> ids;
  OpConfig config;
  config.specific = specific;
  for (const TensorLayout &layout : inputs)
    ids.push_back(pool.intern(layout));
  for (const TensorLayout &layout : outputs)
    config.outputs.push_back(pool.intern(layout));
  // On the chip, the operands lie in L1 already when the backend chooses its blocks.
  Bytes free = device.usableL1();
  for (const TensorLayout &layout : inputs)
    free = std::max(Bytes(0), free - l1BytesPerCore(layout, device));
  OpModelContext context{device, pool, free};
  OpQuery query{signature, ids, config};
  auto model = createAnalyticOpModel(context);
  ValidationResult result = model->query(query);
  if (result.status == ValidationStatus::MetalBackendError ||
      result.status == ValidationStatus::NotImplemented)
    return llvm::createStringError("the model refuses it: " + result.message);
  const analytic::OpRow *row = analytic::findRow(signature.name);
  if (!row)
    return llvm::createStringError("the model does not know it");
  double ns = time ? time(analytic::OpCall(context, *row, query)) : model->runtime(query).total.value();
  if (!std::isfinite(ns) || ns <= 0)
    return llvm::createStringError("the model gives no time");
  return ns;
}

} // namespace tessera::evaluation
