//===- AloneOpModel.h - Each op as if L1 were its own ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_SPILL_ALONEOPMODEL_H
#define TESSERA_LIB_OPTIMIZER_POLICY_SPILL_ALONEOPMODEL_H

#include "tessera/OpModel/OpModel.h"

namespace tessera {

/// Answers as if nothing but the op's operands lay in L1: for layouts first, residency second. What does not fit by
/// itself is refused all the same.
class AloneOpModel : public OpModel {
public:
  /// `inner` must outlive it.
  explicit AloneOpModel(const OpModel &inner) : OpModel(inner.context()), inner(inner) {}

  ValidationResult query(const OpQuery &query) const override {
    return inner.query({query.op, query.inputs, query.config});
  }
  OpRuntime runtime(const OpQuery &query) const override { return inner.runtime(query); }
  llvm::StringRef name() const override { return inner.name(); }

private:
  const OpModel &inner;
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_SPILL_ALONEOPMODEL_H
