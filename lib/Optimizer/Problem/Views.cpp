//===- Views.cpp - Tensors that share their memory ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Whether an op makes a view follows from where its tensors lie, which is what a
// plan decides. As long as nobody writes in place that is no matter of results:
//
//   %v = reshape(%cache)          a view if both lie in DRAM, a copy if %v is in L1
//   fill_cache(%cache, %new)
//   softmax(%v)                   what was written, or what was there before
//
// So an op whose view shows keeps the layouts of the program, and what it makes
// is read as it is: the plan then computes what the program does on the device,
// whichever of the two that is.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/Problem.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

/// The dimensions of more than one element, in order.
static llvm::SmallVector<int64_t, 6> withoutOnes(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 6> kept;
  llvm::copy_if(shape, std::back_inserter(kept), [](int64_t size) { return size != 1; });
  return kept;
}

static bool isSameShape(const Value &from, const Value &to) { return from.tensor.shape == to.tensor.shape; }
/// One that moves no element keeps the order of the dimensions.
static bool keepsOrder(const Value &from, const Value &to) {
  return withoutOnes(from.tensor.shape) == withoutOnes(to.tensor.shape);
}
static bool isAny(const Value &, const Value &) { return true; }
/// Of a conversion that keeps its layouts; those that are decided may come to have nothing to do.
static bool isDeclaredAlike(const Value &from, const Value &to) { return from.declared == to.declared; }

bool tessera::mayBeView(const Problem &problem, const Op &op) {
  struct Views {
    llvm::StringLiteral name;
    bool (*mayBe)(const Value &from, const Value &to);
  };
  // Each hands on its operand where it has nothing to do.
  static constexpr Views kViews[] = {
      {"ttnn.reshape", isAny},
      {"ttnn.pad", isAny},
      {"ttnn.repeat", isSameShape},
      {"ttnn.repeat_interleave", isSameShape},
      {"ttnn.slice_static", isSameShape},
      {"ttnn.slice_dynamic", isSameShape},
      {"ttnn.concat", isSameShape},
      {"ttnn.permute", keepsOrder},
      {"ttnn.transpose", keepsOrder},
      {"ttnn.to_layout", isDeclaredAlike},
      {"ttnn.to_memory_config", isDeclaredAlike},
  };
  if (op.operands.empty() || op.results.empty())
    return false;
  if (op.role == OpRole::Conversion)
    return true;
  const Views *views = llvm::find_if(kViews, [&](const Views &row) { return row.name == op.name; });
  return views != std::end(kViews) && views->mayBe(problem[op.operands.front()], problem[op.results.front()]);
}

std::vector<ValueId> tessera::memories(const Problem &problem) {
  std::vector<ValueId> memory;
  for (size_t i = 0; i < problem.values.size(); ++i)
    memory.push_back(ValueId(i));
  // In program order, so that a view of a view finds the first of all.
  for (const Op &op : problem.ops)
    if (mayBeView(problem, op))
      memory[op.results.front().index()] = memory[op.operands.front().index()];
  return memory;
}

// ---- Views that show -------------------------------------------------------------------------------------

namespace {

/// The values of one memory, some of which are written in place, in the order of their ids: what a value views comes before it.
class SharedMemory {
public:
  SharedMemory(const Problem &problem, std::vector<bool> &shows) : problem(problem), shows(shows) {}

  /// Notes the ops between the values whose view shows.
  void look(llvm::ArrayRef<ValueId> values) {
    for (ValueId value : values.drop_front()) {
      OpId maker = problem[value].producer;
      auto [views, others] = split(values, value);
      if (!differs(maker, views, others) && !differs(maker, others, views))
        continue;
      shows[maker.index()] = true;
      // It keeps its layouts, so that one which changes them makes a memory of its own; what else was shared is not.
      if (const Op &op = problem[maker];
          op.role == OpRole::Conversion && !isDeclaredAlike(problem[op.operands.front()], problem[value])) {
        look(views);
        return look(others);
      }
    }
  }

private:
  using Values = llvm::SmallVector<ValueId, 8>;

  /// `first` and what views it, and the others.
  std::pair<Values, Values> split(llvm::ArrayRef<ValueId> values, ValueId first) const {
    Values views, others;
    for (ValueId value : values) {
      // The lists stay sorted, and the first of all values may have no producer.
      bool isView =
          value == first || (value != values.front() &&
                             llvm::binary_search(views, problem[problem[value].producer].operands.front()));
      (isView ? views : others).push_back(value);
    }
    return {std::move(views), std::move(others)};
  }

  /// Whether one of `read` is read when one of `written` has been written behind `maker`, or by whoever called the function.
  bool differs(OpId maker, llvm::ArrayRef<ValueId> written, llvm::ArrayRef<ValueId> read) const {
    std::optional<OpId> write = firstWrite(maker, written);
    return write && llvm::any_of(read, [&](ValueId id) {
             const Value &value = problem[id];
             // The op that writes may read the other tensor as well.
             return value.returned || value.kind != ValueKind::Activation ||
                    (!value.uses.empty() && value.uses.back().op >= *write);
           });
  }

  std::optional<OpId> firstWrite(OpId after, llvm::ArrayRef<ValueId> values) const {
    std::optional<OpId> first;
    for (ValueId value : values)
      for (const Use &use : problem[value].uses)
        if (use.op > after && (!first || use.op < *first) &&
            llvm::is_contained(problem[use.op].writes, use.operand))
          first = use.op;
    return first;
  }

  const Problem &problem;
  std::vector<bool> &shows; ///< by OpId
};

} // namespace

std::vector<bool> tessera::viewsThatShow(const Problem &problem) {
  std::vector<bool> shows(problem.ops.size(), false);
  if (llvm::all_of(problem.ops, [](const Op &op) { return op.writes.empty(); }))
    return shows;
  std::vector<ValueId> memory = memories(problem);
  std::vector<bool> written(problem.values.size(), false);
  for (const Op &op : problem.ops)
    for (unsigned operand : op.writes)
      written[memory[op.operands[operand].index()].index()] = true;
  // Only of memories that are written: chains of views may be as long as the program.
  std::vector<llvm::SmallVector<ValueId, 8>> sharing(problem.values.size());
  for (auto [index, first] : llvm::enumerate(memory))
    if (written[first.index()])
      sharing[first.index()].push_back(ValueId(index));
  SharedMemory memories(problem, shows);
  for (const auto &values : sharing)
    if (values.size() > 1)
      memories.look(values);
  return shows;
}

std::vector<OpId> tessera::keepViews(Problem &problem) {
  std::vector<OpId> kept;
  for (auto [index, shows] : llvm::enumerate(viewsThatShow(problem)))
    if (Op &op = problem.ops[index]; shows && op.role != OpRole::Fixed) {
      op.role = OpRole::Fixed;
      kept.push_back(OpId(index));
    }
  return kept;
}
