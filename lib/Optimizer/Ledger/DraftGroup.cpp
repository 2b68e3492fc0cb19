//===- DraftGroup.cpp - What happens at one position of a draft ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One position of the schedule becomes several steps of the plan:
//
//   convert operand      one per operand that is resharded
//   run                  the op
//   convert result       to L1 interleaved, then home, where an op reads it there
//
// evaluate() follows L1 through these steps by the rules of PlanChecker, and
// write() emits the same steps.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/Draft.h"

#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <algorithm>
#include <map>

using namespace tessera;

Draft::Group Draft::groupOf(OpId op) const {
  Group group;
  for (auto [index, value] : llvm::enumerate(problem[op].operands)) {
    Operand operand = operandOf(op, value, read(op, index));
    // Operands that read one value from one place in one layout share a tensor: it is converted once and takes its L1
    // once. Few ops read a value twice, and one that has hundreds of operands (a const-eval call) is asked about often.
    auto same = readsTwice[op.index()] ? llvm::find(group.operands, operand) : group.operands.end();
    group.operandOf.push_back(unsigned(same - group.operands.begin()));
    if (same == group.operands.end())
      group.operands.push_back(operand);
  }
  group.config = configAsRun(op, group);
  for (ValueId result : problem[op].results)
    for (Source copy : {Source::Interleaved, Source::Home})
      if (tensors[result.index()][size_t(copy)].exists)
        group.results.push_back({result, copy});
  return group;
}

Draft::Operand Draft::operandOf(OpId op, ValueId value, Read asked) const {
  Operand operand{value, canonical(value, asked.source), {}, {}};
  // The first reader makes a shared reshard, from the source that it named itself; to all others it is a tensor that is
  // there.
  if (const SharedReshard *reshard = asked.shared ? sharedReshard(value, asked.reshard) : nullptr) {
    operand.shared = true;
    operand.source = canonical(value, reshard->readers.first().second);
    bool makes = reshard->maker == position(op);
    operand.from = makes ? layoutOf(value, operand.source) : asked.reshard;
    operand.target = makes ? asked.reshard : LayoutId();
    return operand;
  }
  operand.from = layoutOf(value, operand.source);
  if (asked.reshard.valid() && asked.reshard != operand.from)
    operand.target = asked.reshard;
  return operand;
}

/// A conv2d frees its input only if that lies in L1 and is its own: a reshard made for it, or a tensor that
/// no op reads later. Where an override insists, the op is illegal otherwise.
ConfigId Draft::configAsRun(OpId op, const Group &group) const {
  ConfigId config = configs[op.index()], keeping = oracle.keepingInput(config);
  if (config == keeping || problem[op].role == OpRole::Fixed || mayFreeInput(op, group))
    return config;
  return isAllowed(problem[op], oracle[keeping]) ? keeping : config;
}

bool Draft::mayFreeInput(OpId op, const Group &group) const {
  return !group.operandOf.empty() && mayFree(op, group.operands[group.operandOf.front()]);
}

bool Draft::mayFree(OpId op, const Operand &operand) const {
  // A copy that was made for the op is the op's own.
  if (operand.target.valid())
    return problem.layout(operand.target).isL1() && !outlives(operand, position(op));
  if (!problem.layout(operand.from).isL1())
    return false;
  if (!dies(operand, position(op)))
    return false;
  // Freeing a buffer frees it under all its names: either this is the last reader under any, or there are no others.
  if (lastHolders[operand.value.index()] == position(op))
    return true;
  const Value &value = problem[operand.value];
  bool isOwn = operand.shared || (value.producer.valid() && value.kind == ValueKind::Activation &&
                                  !mayBeView(problem, problem[value.producer]));
  return isOwn && !viewed[operand.value.index()];
}

llvm::SmallVector<LayoutId, 8> Draft::inputsOf(const Group &group) const {
  return llvm::map_to_vector<8>(group.operandOf,
                                [&](unsigned index) { return group.operands[index].layout(); });
}

LayoutId Draft::layoutRead(OpId op, size_t operand) const {
  return operandOf(op, problem[op].operands[operand], read(op, operand)).layout();
}

std::pair<ConfigId, llvm::SmallVector<LayoutId, 8>> Draft::queryOf(OpId op) const {
  Group group = groupOf(op);
  return {group.config, inputsOf(group)};
}

/// L1 and time, step by step. `held` is relative to what is held when the position begins, which includes the
/// tensors that die in it.
class Draft::GroupCost {
public:
  GroupCost(const Draft &draft, OpId op, const Group &group)
      : draft(draft), op(op), group(group), freed(group.operands.size(), false) {}

  Need run() {
    for (size_t i = 0; i < group.operands.size(); ++i)
      if (group.operands[i].target.valid())
        convertOperand(i);
    llvm::SmallVector<LayoutId, 8> inputs = draft.inputsOf(group);
    StepNeeds needs = draft.oracle.needs(op, inputs, group.config);
    need.alone = needs.alone;
    // An override left no configuration that keeps the input (configAsRun), so the op is legal only where it may free
    // it.
    if (draft.problem[op].restricted && group.config != draft.oracle.keepingInput(group.config))
      need.legal &= draft.mayFreeInput(op, group);
    step(needs.cost);
    freeOperands();
    copyResults();
    return need;
  }

private:
  void step(const StepCost &answer) {
    need.legal &= answer.legal;
    // `own` has no operands in it: those lie in L1 already, in what is held across the position or in what earlier
    // steps of the group added to `held`.
    need.peak = std::max(need.peak, held + answer.own);
    need.time += answer.time;
  }

  void convert(ValueId value, LayoutId from, LayoutId to) {
    step(draft.oracle.convert(value, from, to));
    // A copy would miss an in-place write, or the write the copy.
    need.legal &= draft.copyable[value.index()];
    held += bytes(to);
  }

  Bytes bytes(LayoutId layout) const { return draft.oracle.l1Bytes(layout); }

  void convertOperand(size_t index) {
    const Operand &operand = group.operands[index];
    convert(operand.value, operand.from, operand.target);
    if (!draft.outlives(operand, draft.position(op)))
      // A reshard for this op alone dies with it; a shared one is held by the timeline from the next position
      // on.
      targets += bytes(operand.target);
    if (!isReadLater(index))
      freeBase(index);
  }

  bool sameBase(size_t a, size_t b) const {
    return group.operands[a].value == group.operands[b].value &&
           group.operands[a].source == group.operands[b].source &&
           group.operands[a].from == group.operands[b].from;
  }

  /// Whether a later conversion or the op itself reads the tensor that operand `index` comes from.
  bool isReadLater(size_t index) const {
    for (size_t other = 0; other < group.operands.size(); ++other)
      if (sameBase(index, other) && (other > index || !group.operands[other].target.valid()))
        return true;
    return false;
  }

  void freeBase(size_t index) {
    const Operand &operand = group.operands[index];
    if (freed[index] || !draft.dies(operand, draft.position(op)))
      return;
    held -= bytes(operand.from);
    for (size_t other = 0; other < group.operands.size(); ++other)
      // Several operands may come from one tensor, which is freed once.
      freed[other] = freed[other] || sameBase(index, other);
  }

  void freeOperands() {
    held -= targets;
    for (size_t i = 0; i < group.operands.size(); ++i)
      freeBase(i);
  }

  void copyResults() {
    SchedulePos here = draft.position(op);
    auto copiesOf = [&](ValueId result) {
      return llvm::count_if(group.results, [&](const auto &copy) { return copy.first == result; });
    };
    // A result that nobody reads dies in the op's own step, where `own` has counted it; one that is only copied is held
    // while the copies are made.
    for (ValueId result : draft.problem[op].results)
      if (copiesOf(result) > 0 || !draft.dies(result, Source::Original, here))
        held += bytes(draft.made(result));
    for (auto [index, copy] : llvm::enumerate(group.results)) {
      auto [result, source] = copy;
      LayoutId made = draft.made(result);
      convert(result, made, draft.layoutOf(result, source));
      // The original is held until the last copy of it is made, and dies there if no op reads it.
      bool lastCopy = index + 1 == group.results.size() || group.results[index + 1].first != result;
      if (lastCopy && draft.dies(result, Source::Original, here))
        held -= bytes(made);
    }
  }

  const Draft &draft;
  OpId op;
  const Group &group;
  Need need;
  Bytes held, targets;
  llvm::SmallVector<bool, 4> freed; ///< by operand: its base tensor is gone
};

Draft::Need Draft::evaluate(OpId op) const {
  Group group = groupOf(op);
  return GroupCost(*this, op, group).run();
}

// ---- Writing the plan ------------------------------------------------------------------------------------

Plan Draft::write(llvm::StringRef policy, Splitting splitting) {
  PlanBuilder builder(problem, policy.str());
  std::vector<std::array<TensorId, 3>> known(problem.values.size());
  for (ValueId value : givenValues(problem))
    known[value.index()][size_t(Source::Home)] = builder.original(value);

  std::map<std::pair<ValueId, LayoutId>, TensorId> shared;
  auto tensorOf = [&](const Operand &operand) {
    return operand.shared && !operand.target.valid() ? shared.at({operand.value, operand.from})
                                                     : known[operand.value.index()][size_t(operand.source)];
  };
  for (OpId op : order) {
    Group group = groupOf(op);
    llvm::SmallVector<TensorId, 4> tensors;
    for (const Operand &operand : group.operands) {
      TensorId base = tensorOf(operand);
      tensors.push_back(operand.target.valid() ? builder.convert(base, operand.target, op) : base);
      if (operand.shared && operand.target.valid())
        shared[{operand.value, operand.target}] = tensors.back();
    }
    std::vector<TensorId> inputs;
    for (unsigned index : group.operandOf)
      inputs.push_back(tensors[index]);
    builder.run(op, std::move(inputs), oracle[group.config]);
    for (ValueId result : problem[op].results)
      known[result.index()][size_t(Source::Original)] = builder.original(result);
    for (auto [result, copy] : group.results)
      known[result.index()][size_t(copy)] =
          builder.convert(builder.original(result), layoutOf(result, copy), op);
  }
  // Decisions are made on whole conversions; the plan has the single ops that they take (facts/dialect 4).
  return narrowConversions(problem, builder.finish(), oracle.conversions(), splitting);
}
