//===- first_fit.cpp - A policy, whole --------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   first-fit instance.problem      (docs/problem-format.md)
//
// A policy proposes: it makes decisions on a ledger (Draft) that knows what is legal, what it takes and how much L1 is held where.
// Whether the plan is legal and faster than the base plan is asked by the contest. To have it in `tessera` as well, move the function to
// lib/Optimizer/Policy/FirstFit/, and the row to the table of lib/Optimizer/Policy/Policy.cpp (CONTRIBUTING.md, "Add a policy").
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Contest/Entry.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/PlanText.h"
#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Optimizer/Problem/ProblemText.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

/// Each op, in program order, makes its results in the first layout in L1 that is legal with what it reads, has room until its last
/// reader, and makes the plan no slower. Objective: time. Guarantees nothing but that; asks the model once per configuration.
static std::optional<Plan> solveFirstFit(const Problem &problem, const OpCostTable &model,
                                         const PolicyOptions &) {
  Oracle oracle(problem, model);
  Draft draft(problem, oracle, programOrder(problem));
  auto inL1 = [&](ConfigId config) {
    return llvm::all_of(oracle[config].outputs,
                        [&](LayoutId id) { return id.valid() && problem.layout(id).isL1(); });
  };
  for (OpId op : draft.schedule()) {
    if (problem[op].role == OpRole::Fixed)
      continue;
    llvm::SmallVector<LayoutId, 4> inputs; // as earlier decisions left them
    for (ValueId value : distinctValues(problem[op]))
      inputs.push_back(layoutRead(draft, op, value));
    auto makeIn = [&](ConfigId config) {
      take(draft, op, config, inputs, Readers::Follow);
      for (ValueId result : problem[op].results) // from there and not from home
        for (const Use &use : problem[result].uses)
          setReads(draft, use.op, result, {Source::Original, LayoutId()});
    };
    for (ConfigId config : oracle.legal(op))
      if (inL1(config) && draft.attempt([&] { makeIn(config); }) == Outcome::Applied)
        break;
  }
  return draft.write("first-fit");
}

static constexpr PolicyInfo kFirstFit = {.name = "first-fit",
                                         .summary = "each result in the first layout in L1 that has room",
                                         .solve = solveFirstFit};

int main(int argc, char **argv) {
  auto text = llvm::MemoryBuffer::getFile(argc == 2 ? argv[1] : "");
  if (!text) {
    llvm::errs() << "usage: first-fit instance.problem\n";
    return 1;
  }
  llvm::Expected<ProblemInstance> instance = parseProblem((*text)->getBuffer(), argv[1]);
  if (!instance) {
    llvm::errs() << "error: " << llvm::toString(instance.takeError()) << "\n";
    return 1;
  }
  Problem &problem = instance->problem;
  if (!fitBase(problem, *instance->model).check.ok()) {
    llvm::errs() << "error: no plan is legal\n";
    return 1;
  }
  Entry entry = Judge(problem, *instance->model).judged(solve(kFirstFit, problem, *instance->model, {}));
  print(llvm::outs(), problem, entry.plan);
  llvm::outs() << "cost " << int64_t(entry.time.value()) << " ns\n";
  return entry.legal() ? 0 : 1;
}
