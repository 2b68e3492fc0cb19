//===- TighterBudgets.cpp - Planning for less L1 than there is -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/TighterBudgets.h"

#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/LegalConfigs.h"

using namespace tessera;

BudgetedProblem::BudgetedProblem(const Problem &posed, const OpCostTable &whole, Bytes budget)
    : model(whole.withBudget(budget)), problem(posed) {
  problem.l1Budget = budget;
  // As if the cap were this budget: with the candidates of the wider one the same budget led to other plans
  // than under the cap itself (docs/spilling, "As L1 shrinks"). Instances of the text form state
  // their candidates and are left as they are.
  if (std::optional<AnalysisOptions> search = problem.search) {
    findLegalConfigs(problem, model, *search);
    BaseSearch(problem, model).settleAll();
  }
  fits = fitBase(problem, model).check.ok();
}
