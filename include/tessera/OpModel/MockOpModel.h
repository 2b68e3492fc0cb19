//===- MockOpModel.h - A device that does as it is told ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// For tests of policies: each op name gets a programmed behaviour, everything
// else follows the OpModel contract (operands and additionalL1 count towards
// the budget, undecided outputs follow the first operand).
//
//   MockOpModel model({device, layouts, Bytes(1300 * 1024)});
//   model.behaviour("ttnn.relu").circularBuffers = Bytes(800 * 1024);
//   model.behaviour("ttnn.add").forced = ValidationStatus::NotImplemented;
//   model.behaviour("ttnn.softmax").accepts = [](const OpQuery &q, LayoutPool &l) {
//     return !l[q.inputs[0]].isSharded();
//   };
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_MOCKOPMODEL_H
#define TESSERA_OPMODEL_MOCKOPMODEL_H

#include "tessera/OpModel/OpModel.h"
#include "llvm/ADT/StringMap.h"

#include <atomic>
#include <functional>

namespace tessera {

/// What the mock says about one op.
struct MockBehaviour {
  Bytes circularBuffers{0};
  /// Circular buffers if no output lies in L1 (facts/ir 9.5, "DRAM CB growth").
  std::optional<Bytes> circularBuffersWithDramOutput;
  Bytes safetyMargin{0}; ///< OpConstraints::safetyMargin
  /// L1 per core of all L1 outputs together, if it is more than the bytes of their layouts.
  std::optional<Bytes> outputL1;
  /// The output is a view of the first operand: it takes no L1 of its own.
  bool aliasesInput = false;
  /// Answer with this status whatever is asked; Success means that the op fits at any pressure.
  std::optional<ValidationStatus> forced;
  /// False refuses the query as a backend error. Empty accepts all layouts.
  std::function<bool(const OpQuery &, LayoutPool &)> accepts;
  /// What the backend makes of the requested outputs. Empty: it obeys; undecided outputs follow the first
  /// operand. A result that differs from the request is an UnmatchedReferenceConfig.
  std::function<llvm::SmallVector<LayoutId, 1>(const OpQuery &, LayoutPool &)> produces;
  Nanoseconds time{1000};
};

class MockOpModel final : public OpModel {
public:
  using OpModel::OpModel;

  /// The behaviour of the ops of that name, to be changed; starts as a copy of the default.
  MockBehaviour &behaviour(llvm::StringRef opName);
  /// The behaviour of all ops that have none of their own.
  MockBehaviour &defaultBehaviour() { return fallback; }

  ValidationResult query(const OpQuery &query) const override;
  OpRuntime runtime(const OpQuery &query) const override;
  llvm::StringRef name() const override { return "mock"; }

  /// Queries answered so far.
  size_t queries() const { return count.load(std::memory_order_relaxed); }

private:
  const MockBehaviour &lookup(llvm::StringRef opName) const;

  MockBehaviour fallback;
  llvm::StringMap<MockBehaviour> byName;
  mutable std::atomic<size_t> count = 0;
};

} // namespace tessera

#endif // TESSERA_OPMODEL_MOCKOPMODEL_H
