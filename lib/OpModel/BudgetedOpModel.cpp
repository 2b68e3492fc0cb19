//===- BudgetedOpModel.cpp - The same op model with another L1 budget -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/BudgetedOpModel.h"

#include "Pressure.h"

using namespace tessera;

BudgetedOpModel::BudgetedOpModel(const OpModel &inner, Bytes budget)
    : OpModel(inner.context()), inner(inner) {
  ctx.l1Budget = budget;
}

ValidationResult BudgetedOpModel::query(const OpQuery &query) const {
  ValidationResult result = inner.query(query);
  applyPressure(result, residentL1(query, result.constraints, ctx), query.additionalL1, ctx.l1Budget);
  return result;
}
