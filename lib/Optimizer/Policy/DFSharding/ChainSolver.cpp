//===- ChainSolver.cpp - The ShardSolver on a chain of a draft -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The solver knows graphs and numbers; here its questions get their answers, from
// the op model (is the op legal so?) and from the draft (does it fit beside what
// lies there?). It asks about pairs of configurations, of which many make the same
// layout: the table of costs remembers those.
//
//===----------------------------------------------------------------------===//
#include "ChainSolver.h"

#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "tessera/Support/AddOnce.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::df_sharding;

ChainSolver::ChainSolver(const Draft &draft, const OpCostTable &model, const L1Chain &chain)
    : draft(draft), problem(draft.problem), oracle(draft.oracle), model(model), chain(chain) {
  for (OpId op : chain.ops) {
    Link &link = links.emplace_back();
    link.op = op;
    if (!problem[op].operands.empty())
      link.input = problem[op].operands.front();
    link.base = baseInputs(problem, op);
    link.configs = shardedConfigs(problem, oracle, op);
  }
}

LayoutId ChainSolver::made(unsigned link, unsigned config) const {
  return oracle[links[link].configs[config]].outputs.front();
}

std::vector<ShardSolverOp> ChainSolver::ops() const {
  std::vector<ShardSolverOp> ops;
  for (const Link &link : links) {
    ShardSolverOp &op = ops.emplace_back();
    op.name = problem[link.op].location;
    for (ConfigId config : link.configs) {
      const TensorLayout &layout = problem.layout(oracle[config].outputs.front());
      op.configs.push_back({layout.coreCount(), *layout.memory});
    }
  }
  return ops;
}

// ---- Answers ---------------------------------------------------------------------------------------------

/// Other operands are read as the draft has it: from home.
OperandLayouts ChainSolver::inputsWith(const Link &link, LayoutId input) const {
  OperandLayouts inputs = link.base;
  setInput(problem[link.op], link.input, input, inputs);
  return inputs;
}

StepCost ChainSolver::runWith(unsigned index, LayoutId input, ConfigId config) const {
  return oracle.run(links[index].op, inputsWith(links[index], input), config);
}

/// Whether the answer is legal and fits. `input` is a tensor that the draft does not hold yet; invalid if it reads from home.
bool ChainSolver::fits(unsigned index, LayoutId input, const StepCost &answer) {
  if (!answer.legal)
    return false;
  Bytes held = draft.heldAt(draft.position(links[index].op));
  if (input.valid())
    held += oracle.l1Bytes(input);
  if (held + answer.own <= problem.l1Budget)
    return true;
  // For whyNot, however the solver goes on: without the draft's tensors there would have been a way.
  tight = true;
  return false;
}

bool ChainSolver::acceptsOutside(unsigned edge, unsigned config) {
  const Link &link = links[edge];
  LayoutId home = link.input.valid() ? draft.home(link.input) : LayoutId();
  // What comes from outside may be read again later, so the op must not free it.
  return fits(edge, LayoutId(), runWith(edge, home, oracle.keepingInput(link.configs[config])));
}

bool ChainSolver::accepts(unsigned edge, unsigned producerConfig, unsigned consumerConfig) {
  LayoutId input = made(edge - 1, producerConfig);
  return fits(edge, input, runWith(edge, input, links[edge].configs[consumerConfig]));
}

unsigned ChainSolver::reshardTargets(unsigned edge) {
  const Link &link = links[edge];
  if (!link.input.valid() || !draft.mayReadElsewhere(link.op, 0) || isDemanded(problem, link.input))
    return 0;
  // Only shards: a chain exists to keep its tensors sharded.
  return unsigned(oracle.space(link.input).sharded.size());
}

/// The producer's result is there while the conversion runs, beside what the draft holds.
bool ChainSolver::canReshard(unsigned edge, unsigned producerConfig, unsigned target) {
  ValueId value = links[edge].input;
  LayoutId from = made(edge - 1, producerConfig), to = oracle.space(value).sharded[target];
  return fits(edge, from, oracle.convert(value, from, to));
}

/// From home, the conversion has to work and fit as well; within the chain that depends on the producer's configuration (canReshard).
bool ChainSolver::acceptsReshard(unsigned edge, unsigned target, unsigned consumerConfig) {
  const Link &link = links[edge];
  LayoutId layout = oracle.space(link.input).sharded[target];
  StepCost conversion{true, {}, {}};
  if (edge == 0)
    conversion = oracle.convert(link.input, draft.home(link.input), layout);
  return fits(edge, layout, conversion) &&
         fits(edge, layout, runWith(edge, layout, link.configs[consumerConfig]));
}

// ---- Solution --------------------------------------------------------------------------------------------

std::optional<ChainSolution> ChainSolver::solve(ShardSolverObserver *observer) {
  llvm::StringRef title = problem[links.front().op].location;
  ShardSolver solver(ops(), *this, observer, title);
  if (!solver.resolve()) {
    reason = whyNot(solver.failedEdge().value_or(0));
    return std::nullopt;
  }
  std::vector<unsigned> chosen = solver.select(chain.preferredOutputMemLayout);
  ChainSolution solution;
  for (unsigned i = 0; i < links.size(); ++i) {
    std::optional<LayoutId> reshard = fastestReshard(solver, i, chosen);
    if (!reshard)
      return std::nullopt;
    solution.configs.push_back(links[i].configs[chosen[i]]);
    solution.reshards.push_back(*reshard);
  }
  return solution;
}

/// Invalid if the edge needs none; nullopt if the chosen producer layout cannot be converted to any target.
std::optional<LayoutId> ChainSolver::fastestReshard(const ShardSolver &solver, unsigned edge,
                                                    llvm::ArrayRef<unsigned> chosen) {
  const ShardSolver::ReshardMap *map = solver.reshards(edge);
  if (!map)
    return LayoutId();
  const Link &link = links[edge];
  ConfigId config = link.configs[chosen[edge]];
  LayoutId from = edge == 0 ? draft.home(link.input) : made(edge - 1, chosen[edge - 1]);
  std::optional<LayoutId> best;
  Nanoseconds bestTime;
  for (unsigned target : (*map)[chosen[edge]]) {
    LayoutId layout = oracle.space(link.input).sharded[target];
    StepCost conversion = oracle.convert(link.input, from, layout);
    if (layout == from || !conversion.legal || (edge > 0 && !canReshard(edge, chosen[edge - 1], target)))
      continue;
    // The published solver takes the first target that fits; cores do not tell targets apart, so time does
    // (docs/df-sharding).
    Nanoseconds time = conversion.time + runWith(edge, layout, config).time;
    if (!best || time < bestTime) {
      best = layout;
      bestTime = time;
    }
  }
  return best;
}

/// Asks the op model once more about the edge that failed: the oracle does not tell what kind of refusal it
/// was.
ChainFailure ChainSolver::whyNot(unsigned edge) const {
  // What the draft holds is told apart at once: it is no refusal of the op.
  if (tight)
    return ChainFailure::Memory;
  const Link &link = links[edge];
  auto lacksMemory = [&](LayoutId input, ConfigId config) {
    OperandLayouts layouts = inputsWith(link, input);
    return model.query({problem.signature(link.op), layouts, oracle[config]}).status ==
           ValidationStatus::OutOfMemory;
  };
  llvm::SmallVector<LayoutId> inputs;
  if (edge > 0)
    for (unsigned config = 0; config < links[edge - 1].configs.size(); ++config)
      addOnce(inputs, made(edge - 1, config));
  else if (link.input.valid())
    inputs.push_back(draft.home(link.input));
  for (LayoutId input : inputs)
    for (ConfigId config : link.configs)
      if (lacksMemory(input, config))
        return ChainFailure::Memory;
  return ChainFailure::Constraints;
}
