//===- ChainTest.h - Problems for the chain policy -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A tensor of 256x256xbf16 is 128 KiB: 64 KiB per core on 2 cores, 32 KiB on 4.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_CHAINTEST_H
#define TESSERA_UNITTESTS_OPTIMIZER_CHAINTEST_H

#include "OptimizerTest.h"

#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanFigures.h"
#include "tessera/Optimizer/Policy/DFSharding.h"
#include "tessera/Optimizer/Problem/Schedule.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera {

/// DRAM costs 1000 ns per operand and result, a conversion next to nothing beside that.
inline constexpr llvm::StringLiteral kDevice = R"(
  device grid 2x2
  budget 1300KiB
  mock default time 1000 dram 1000
  mock ttnn.to_memory_config time 50 dram 50
)";

/// In depth-first order, as the policies get it.
inline ProblemInstance instanceOf(llvm::StringRef ops) {
  ProblemInstance instance = parse((kDevice + ops).str());
  instance.problem = inOrder(instance.problem, depthFirstOrder(instance.problem)).problem;
  return instance;
}

inline OpId opAt(const Problem &problem, llvm::StringRef location) {
  for (size_t i = 0; i < problem.ops.size(); ++i)
    if (problem.ops[i].location == location)
      return OpId(i);
  ADD_FAILURE() << "no op at " << location.str();
  return OpId(0);
}

/// A problem with its solution, checked.
struct Solved {
  explicit Solved(llvm::StringRef ops, DFShardingOptions parts = {}) : instance(instanceOf(ops)) {
    plan = solveDFSharding(problem, *instance.model, {}, parts, &report);
    for (const PlanViolation &violation : checkPlan(problem, plan, *instance.model).violations)
      ADD_FAILURE() << violation.rule << ": " << violation.message;
  }

  /// In which layout the op reads the operand, in few words.
  std::string reads(llvm::StringRef location, size_t operand) const {
    for (const PlanStep &step : plan.steps)
      if (step.kind == PlanStep::Kind::Run && problem[step.op].location == location)
        return where(plan[step.reads[operand]].layout);
    return "not run";
  }
  std::string makes(llvm::StringRef location) const {
    return where(plan.configs[opAt(problem, location).index()].outputs.front());
  }
  PlanFigures figures() const { return figuresOf(problem, plan); }
  double time() const { return planCost(problem, plan, *instance.model).total().value(); }
  ProblemInstance instance;
  const Problem &problem = instance.problem;
  Plan plan;
  DFShardingReport report;

private:
  std::string where(LayoutId id) const {
    const TensorLayout &layout = problem.layout(id);
    return layout.isSharded() ? name(*layout.memory).str() : layout.isL1() ? "l1" : "dram";
  }
};

inline constexpr llvm::StringLiteral kThreeRelus = R"(
  %x = argument 256x256xbf16 dram
  %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %b = ttnn.relu(%a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %c = ttnn.relu(%b) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  return %c
)";

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_CHAINTEST_H
