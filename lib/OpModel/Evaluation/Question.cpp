//===- Question.cpp - One query, built step by step -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Question.h"

#include "../Analytic/Family.h"
#include "../Analytic/Runtime.h"

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
  signature.addAttribute(name.str(), std::move(value));
  return *this;
}

Question &Question::config(OpSpecificConfig wanted) {
  specific = std::move(wanted);
  return *this;
}

Question &Question::version(BackendVersion of) {
  backend = of;
  return *this;
}

namespace {

/// All that an OpCall refers to.
struct Asked {
  OpSignature signature;
  LayoutPool pool;
  llvm::SmallVector<LayoutId, 4> ids;
  OpConfig config;
  OpModelContext context;
  OpQuery query;
  analytic::OpCall call;

  Asked(const DeviceSpec &device, OpSignature op, llvm::ArrayRef<TensorLayout> inputs,
        llvm::ArrayRef<TensorLayout> outputs, const OpSpecificConfig &specific, BackendVersion version,
        const analytic::OpRow &row)
      : signature(std::move(op)), context{device, pool, freeL1(device, inputs), version},
        query{signature, intern(inputs, outputs, specific), config}, call(context, row, query) {}

private:
  llvm::ArrayRef<LayoutId> intern(llvm::ArrayRef<TensorLayout> inputs, llvm::ArrayRef<TensorLayout> outputs,
                                  const OpSpecificConfig &specific) {
    config.specific = specific;
    for (const TensorLayout &layout : inputs)
      ids.push_back(pool.intern(layout));
    for (const TensorLayout &layout : outputs)
      config.outputs.push_back(pool.intern(layout));
    return ids;
  }

  /// On the chip, the operands lie in L1 already when the backend chooses its blocks.
  static Bytes freeL1(const DeviceSpec &device, llvm::ArrayRef<TensorLayout> inputs) {
    Bytes free = device.usableL1();
    for (const TensorLayout &layout : inputs)
      free = std::max(Bytes(0), free - l1BytesPerCore(layout, device));
    return free;
  }
};

} // namespace

llvm::Expected<KernelTime> Question::kernelTime() const {
  return ask([](const analytic::OpCall &call) { return analytic::runtimeOf(call).total.value(); });
}

llvm::Expected<KernelTime> Question::ask(double (*time)(const analytic::OpCall &)) const {
  const analytic::OpRow *row = analytic::findRow(signature.name);
  if (!row)
    return llvm::createStringError("the model does not know " + signature.name);
  auto asked = std::make_shared<Asked>(device, signature, inputs, outputs, specific, backend, *row);
  ValidationResult result = createAnalyticOpModel(asked->context)->query(asked->query);
  if (result.status == ValidationStatus::MetalBackendError ||
      result.status == ValidationStatus::NotImplemented)
    return llvm::createStringError("the model refuses it: " + result.message);
  row->family->outputs(asked->call);
  // Plans of blocks do not depend on the parameters: made here once, they are copied with the call.
  double ns = time(asked->call);
  if (!std::isfinite(ns) || ns <= 0)
    return llvm::createStringError("the model gives no time");
  return [asked, time](const Calibration &calibration) {
    analytic::OpCall call = asked->call;
    call.parameters = &calibration.of(call.device().arch);
    return time(call);
  };
}

} // namespace tessera::evaluation
