//===- BudgetedOpModel.h - The same op model with another L1 budget -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_BUDGETEDOPMODEL_H
#define TESSERA_OPMODEL_BUDGETEDOPMODEL_H

#include "tessera/OpModel/OpModel.h"

namespace tessera {

/// Answers as `inner` would if OpModelContext::l1Budget were `budget`, less or more. What an op needs and how long it takes
/// depends on OpModelContext::l1Alone and not on the budget, so a cache in `inner` serves all budgets.
class BudgetedOpModel : public OpModel {
public:
  /// `inner` must outlive it.
  BudgetedOpModel(const OpModel &inner, Bytes budget);

  ValidationResult query(const OpQuery &query) const override;
  OpRuntime runtime(const OpQuery &query) const override { return inner.runtime(query); }
  llvm::StringRef name() const override { return inner.name(); }

private:
  const OpModel &inner;
};

} // namespace tessera

#endif // TESSERA_OPMODEL_BUDGETEDOPMODEL_H
