//===- KernelTime.cpp - Times of single kernels, under any parameters -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/KernelTime.h"

#include "Matmul/Matmul.h"
#include "Runtime.h"

#include <cmath>

using namespace tessera;

namespace {

/// All that an OpCall refers to.
struct Asked {
  // In the order in which they are made: the query refers to signature, ids and configuration, and the call to all of
  // them. So an object of this never moves (it is shared).
  OpSignature signature;
  LayoutPool pool;
  llvm::SmallVector<LayoutId, 4> ids;
  OpConfig config;
  OpModelContext context;
  OpQuery query;
  analytic::OpCall call;

  Asked(KernelQuery asked, const analytic::OpRow &row)
      : signature(std::move(asked.signature)),
        context{asked.device, pool, freeL1(asked.device, asked.inputs), asked.backend},
        query{signature, intern(asked), config}, call(context, row, query) {}

private:
  llvm::ArrayRef<LayoutId> intern(const KernelQuery &asked) {
    config.specific = asked.specific;
    for (const TensorLayout &layout : asked.inputs)
      ids.push_back(pool.intern(layout));
    for (const TensorLayout &layout : asked.outputs)
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

/// ns under the parameters that the call refers to. `MatmulMath` ends when the compute core is done, since tables of
/// utilisation say no more than that.
double timeOf(KernelPart part, const analytic::OpCall &call) {
  return part == KernelPart::MatmulMath ? analytic::matmulMathTime(call).value()
                                        : analytic::runtimeOf(call).total.value();
}

} // namespace

/// The call with its results decided, as the chip ran it; an error if the model refuses it. Out of memory or another layout
/// than the table says is not a reason to leave it out: the row was measured.
static llvm::Expected<std::shared_ptr<Asked>> ask(KernelQuery query) {
  const analytic::OpRow *row = analytic::findRow(query.signature.name);
  if (!row)
    return llvm::createStringError("the model does not know " + query.signature.name);
  // Profilers print the time of the kernel, without its launch.
  query.device.launch = Nanoseconds(0);
  auto asked = std::make_shared<Asked>(std::move(query), *row);
  ValidationResult result = createAnalyticOpModel(asked->context)->query(asked->query);
  // Only these two mean that the family refused the call by a rule, or does not know it: its formulas then may
  // divide by what the rule excludes.
  if (result.status == ValidationStatus::MetalBackendError ||
      result.status == ValidationStatus::NotImplemented)
    return llvm::createStringError("the model refuses it: " + result.message);
  // The query above decided the results of a call of its own. This one lives on and is asked for times, which
  // are those of decided results only.
  row->family->outputs(asked->call);
  return asked;
}

llvm::Expected<KernelTime> tessera::kernelTime(KernelQuery query, KernelPart part) {
  llvm::Expected<std::shared_ptr<Asked>> call = ask(std::move(query));
  if (!call)
    return call.takeError();
  std::shared_ptr<Asked> asked = std::move(*call);
  // Plans of blocks do not depend on the parameters: made here once, they are copied with the call.
  double ns = timeOf(part, asked->call);
  if (!std::isfinite(ns) || ns <= 0)
    return llvm::createStringError("the model gives no time");
  return [asked, part](const Calibration &calibration) {
    // A copy for each question: several threads ask at once, each with parameters of its own.
    analytic::OpCall call = asked->call;
    call.parameters = &calibration.of(call.device().arch);
    return timeOf(part, call);
  };
}

llvm::Expected<ProgramCounts> tessera::kernelCounts(KernelQuery query) {
  llvm::Expected<std::shared_ptr<Asked>> call = ask(std::move(query));
  if (!call)
    return call.takeError();
  const analytic::OpCall &asked = (*call)->call;
  // A family that gives up half way leaves programs behind: what it counted by then is no part of an answer.
  ProgramCounts programs;
  if (!asked.row.family->counts || !asked.row.family->counts(asked, programs))
    programs.clear();
  return programs;
}
