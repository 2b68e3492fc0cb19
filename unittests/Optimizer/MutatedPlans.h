//===- MutatedPlans.h - Good plans, broken at random ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a policy decides wrongly is a mutation of the plan, and PlanChecker is asked
// about it. What the rewriting or an allocator does wrongly is a mutation of the
// program that the plan stands for, or of the device that it runs on.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_MUTATEDPLANS_H
#define TESSERA_UNITTESTS_OPTIMIZER_MUTATEDPLANS_H

#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Optimizer/Plan/Plan.h"
#include "tessera/Simulator/Machine.h"

#include <memory>
#include <random>

namespace tessera {

using Random = std::mt19937_64;

/// A program, what greedy plans for it, and who is asked.
struct Subject {
  DeviceSpec device;
  LayoutPool layouts;
  SignaturePool signatures;
  std::unique_ptr<OpModel> model;
  BuiltProblem built;
  Plan plan; ///< no steps if there is no good one

  /// `cap`: the share of L1 that it is planned for.
  Subject(mlir::ModuleOp module, double cap);
  Problem &problem() { return built.problem; }
};

/// What runs: a program, and what is wrong with the device that it runs on.
struct Mutant {
  simulator::Program program;
  std::vector<std::pair<size_t, size_t>> misplaced; ///< as in simulator::MachineOptions
  std::vector<size_t> unmoved;                      ///< likewise
  std::optional<std::pair<std::string, Bytes>>
      hungry; ///< ops of that name need so much more of circular buffers
  simulator::Function &function() { return program.functions.front(); }
};

/// The plan as what runs, tensors as values of the same numbers, each freed after its last use.
simulator::Program programOf(const Problem &problem, const Plan &plan);

/// A way to break something. One of the two is set; false if there is nothing to break where it looked.
struct MutationKind {
  llvm::StringLiteral name;
  bool (*ofPlan)(Subject &, Plan &, Random &) = nullptr;
  bool (*ofProgram)(const Subject &, Mutant &, Random &) = nullptr;
};
llvm::ArrayRef<MutationKind> planMutations();
llvm::ArrayRef<MutationKind> programMutations();

/// An element of a list that is not empty.
template <class T>
T &anyOf(std::vector<T> &list, Random &random) {
  return list[size_t(random() % list.size())];
}

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_MUTATEDPLANS_H
