//===- Finder.cpp - The ways of one op ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A way says in which forms an op reads and makes its values. The table is asked about each configuration with each
// combination of forms. Of all that are between the same forms those stay that are on the staircase of time and L1:
//
//   time   ^
//          |           x   slower, with less L1
//          |      x
//          |   x           the fastest: Way itself
//          +--------------> L1 that is left
//
// An op of two operands with 20 forms each and 30 configurations is asked about 12,000 times.
//
//===----------------------------------------------------------------------===//
#include "Finder.h"

#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <map>

using namespace tessera;
using namespace tessera::optimal;

/// An op that reads so many combinations of forms is asked about the likely ones only: all operands alike, or one moved.
static constexpr size_t kMaxCombinations = 5'000;

void optimal::merge(Way &front, Way way) {
  // `slower` is a staircase: ascending in cost, and each needs less L1 than all before it.
  std::vector<Way> slower = std::move(way.slower);
  way.slower.clear();
  if (way.cost < front.cost) {
    std::swap(front, way);
    std::swap(front.slower, way.slower);
  }
  slower.push_back(std::move(way));
  for (Way &its : slower) {
    auto at =
        llvm::lower_bound(front.slower, its, [](const Way &a, const Way &b) { return a.cost < b.cost; });
    if (its.needs >= (at == front.slower.begin() ? front.needs : std::prev(at)->needs))
      continue;
    auto end =
        std::find_if(at, front.slower.end(), [&](const Way &other) { return other.needs < its.needs; });
    front.slower.insert(front.slower.erase(at, end), std::move(its));
  }
  // One that became the fastest may take less than others that were kept beside the one before it.
  llvm::erase_if(front.slower, [&](const Way &other) { return other.needs >= front.needs; });
}

namespace {
/// The ways of one op. Asks the table about each configuration with each combination of forms.
class Finder {
public:
  Finder(const Space &space, const OpCostTable &table, OpId id)
      : space(space), problem(space.problem), op(problem[id]), id(id), table(table), conversions(table),
        signature(table.idOf(problem.signature(id))), values(distinctValues(op)), positions(placesOf(op)) {}

  /// In the order of their forms.
  Ways run(llvm::ArrayRef<ConfigId> legal) {
    // What the backend refuses is no part of a legal plan, but for ops that no configuration is known of.
    addGiven(/*evenRefused=*/op.role == OpRole::Fixed);
    if (op.role != OpRole::Fixed)
      addLegal(legal);
    return result();
  }

  /// Where nothing is legal, so that the problem has a state for the op and the plan a step.
  Ways asGiven() {
    addGiven(/*evenRefused=*/true);
    return result();
  }

private:
  Ways result() const {
    Ways ways;
    for (const auto &[forms, way] : best)
      ways.push_back(way);
    return ways;
  }

  /// Several configurations and several combinations of operands may be between the same forms.
  void add(const Way &way) {
    auto [entry, isNew] = best.try_emplace({way.reads, way.makes}, way);
    if (!isNew)
      merge(entry->second, way);
  }

  /// As the base plan and the input program have it, whether it fits or not: that is theirs to know.
  void addGiven(bool evenRefused) {
    addAsGiven(baseConfig(op), evenRefused, [&](ValueId value) { return baseInput(problem, id, value); });
    // What an override excludes is no way out, and a selection with it no plan.
    if (isAllowed(op, op.declared, declaredInputs(problem, id)))
      addAsGiven(op.declared, evenRefused, [&](ValueId value) { return problem[value].declared; });
  }

  void addAsGiven(const OpConfig &config, bool evenRefused, llvm::function_ref<LayoutId(ValueId)> layoutOf) {
    Way way;
    for (ValueId value : values)
      way.reads.push_back(*space.forms[value.index()].find(layoutOf(value)));
    for (auto [result, layout] : llvm::zip(op.results, config.outputs))
      way.makes.push_back(*space.forms[result.index()].find(layout));
    // An open configuration leaves layouts to the backend, and so says nothing about forms.
    if (way.makes.size() != op.results.size())
      return;
    price(way, table.idOf(config));
    if (evenRefused || op.role == OpRole::Conversion ||
        !isUnjudged(table.row(signature, inputsOf(way), way.config).answer))
      add(way);
  }

  /// By operand.
  llvm::SmallVector<LayoutId, 8> inputsOf(const Way &way) const {
    llvm::SmallVector<LayoutId, 8> inputs;
    for (unsigned position : positions)
      inputs.push_back(space.forms[values[position].index()].layouts[way.reads[position]]);
    return inputs;
  }

  /// Says what it takes, and whether the op fits with nothing beside it.
  /// Conversions are priced as conversion steps, as plans price them, and not as ops that run.
  bool price(Way &way, ConfigId config) {
    way.config = config;
    llvm::SmallVector<LayoutId, 8> inputs = inputsOf(way);
    if (op.role == OpRole::Conversion) {
      const StepCost &cost =
          conversions.find(problem[values.front()].tensor, inputs.front(), table[config].outputs.front())
              .cost;
      way.cost = costOf(cost.time);
      // The operand lies there, too, which StepCost::own leaves out.
      way.needs = cost.own + l1BytesPerCore(problem.layout(inputs.front()), problem.device);
      return cost.legal && isAllowed(op, table[config], inputs);
    }
    const OpCost &cost = table.row(signature, inputs, config);
    way.cost = costOf(cost.time);
    way.needs = space.needs(id, cost, config);
    // What the model makes otherwise than asked for is no way between these forms.
    return cost.asRequested && cost.judged &&
           (table.fits(cost) || fitsAlone(cost, table.context().l1Budget, table.context()));
  }

  /// In which the op may read it: what it writes in place only as its base input is, since a write to a copy is lost.
  auto formsOf(ValueId value) const {
    bool writes = llvm::any_of(op.writes, [&](unsigned operand) { return op.operands[operand] == value; });
    const ValueForms &its = space.forms[value.index()];
    Form base = writes ? *its.find(baseInput(problem, id, value)) : 0;
    return llvm::seq<Form>(base, writes ? Form(base + 1) : Form(its.layouts.size()));
  }

  void addLegal(llvm::ArrayRef<ConfigId> legal) {
    // Counted no further than the most, which products of many forms would overflow.
    size_t combinations = 1;
    for (ValueId value : values)
      combinations = std::min(combinations * formsOf(value).size(), kMaxCombinations + 1);
    Way way;
    way.reads.assign(values.size(), 0);
    if (combinations <= kMaxCombinations) {
      forEach(0, way, legal);
      return;
    }
    addLikely(way, legal);
  }

  /// All combinations, the last value's form varying fastest; `position` is how many are chosen.
  void forEach(size_t position, Way &way, llvm::ArrayRef<ConfigId> legal) {
    if (position == values.size()) {
      ask(way, legal);
      return;
    }
    for (Form form : formsOf(values[position])) {
      way.reads[position] = form;
      forEach(position + 1, way, legal);
    }
  }

  /// Each value in turn in each of its forms: the others at their base, or placed alike where they can be.
  void addLikely(Way &way, llvm::ArrayRef<ConfigId> legal) {
    for (size_t moved = 0; moved < values.size(); ++moved)
      for (Form form : formsOf(values[moved]))
        for (bool alike : {false, true}) {
          const TensorLayout &like = problem.layout(space.forms[values[moved].index()].layouts[form]);
          for (size_t other = 0; other < values.size(); ++other)
            way.reads[other] = other == moved ? form : formOf(values[other], alike ? &like : nullptr);
          ask(way, legal);
        }
  }

  /// Ops of several operands mostly want them placed alike: the same memory, cores and shards, each in its own data
  /// type.
  Form formOf(ValueId value, const TensorLayout *like) const {
    const ValueForms &forms = space.forms[value.index()];
    // Constants do not move with their readers, nor what is written in place with its writer.
    if (like && problem[value].kind != ValueKind::Constant && formsOf(value).size() > 1) {
      TensorLayout layout =
          withTensor(*like, {problem[value].tensor.shape, problem.layout(problem[value].declared).dtype},
                     problem.device.workerGrid);
      for (Form form = 0; form < forms.layouts.size(); ++form)
        if (problem.layout(forms.layouts[form]) == layout)
          return form;
    }
    return *forms.find(baseInput(problem, id, value));
  }

  void ask(Way &way, llvm::ArrayRef<ConfigId> legal) {
    // Results of all legal configurations are forms; one that says fewer results than the op has is no way.
    for (ConfigId config : legal) {
      way.makes.clear();
      for (auto [result, layout] : llvm::zip(op.results, table[config].outputs))
        if (std::optional<Form> form = space.forms[result.index()].find(layout))
          way.makes.push_back(*form);
      if (way.makes.size() != op.results.size())
        continue;
      if (price(way, config))
        add(way);
    }
  }

  const Space &space;
  const Problem &problem;
  const Op &op;
  OpId id;
  OpCostTable table;
  Conversions conversions;
  SignatureId signature;
  llvm::SmallVector<ValueId, 4> values;
  llvm::SmallVector<unsigned, 8> positions; ///< by operand
  std::map<std::pair<llvm::SmallVector<Form, 4>, llvm::SmallVector<Form, 2>>, Way> best;
};
} // namespace

Ways optimal::findWays(const Space &space, const OpCostTable &table, OpId op,
                       llvm::ArrayRef<ConfigId> legal) {
  return Finder(space, table, op).run(legal);
}

Ways optimal::waysAsGiven(const Space &space, const OpCostTable &table, OpId op) {
  return Finder(space, table, op).asGiven();
}
