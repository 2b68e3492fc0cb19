//===- Space.cpp - All that a plan may choose from ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Space.h"

#include "../Common/Forms.h"
#include "../Common/Reads.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"
#include "tessera/Optimizer/Policy/PlanBound.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace tessera;
using namespace tessera::optimal;

/// An op that reads so many combinations of forms is asked about the likely ones only: all operands alike, or one moved.
static constexpr size_t kMaxCombinations = 5'000;

SelectionCost optimal::costOf(Nanoseconds time) {
  return SelectionCost(std::floor(std::max(0.0, time.value()) * kBoundParts));
}

std::optional<Form> ValueForms::find(LayoutId layout) const {
  auto at = llvm::find(layouts, layout);
  return at == layouts.end() ? std::nullopt : std::optional(Form(at - layouts.begin()));
}

llvm::SmallVector<Form, 4> Distances::path(Form from, Form to) const {
  // The last form that made the path shorter; what lies on both sides of it was looked up in the same tables.
  std::optional<Form> over = this->over[size_t(from) * forms + to];
  if (!over)
    return {to};
  llvm::SmallVector<Form, 4> all = path(from, *over);
  llvm::append_range(all, path(*over, to));
  return all;
}

Space::Space(const Problem &problem, const OpCostTable &table, llvm::ArrayRef<PricedPlan> also,
             std::shared_ptr<SpaceMemory> given)
    : problem(problem), forms(problem.values.size()), ways(problem.ops.size()), table(table),
      oracle(problem, table), memory(given ? std::move(given) : std::make_shared<SpaceMemory>()),
      configs(problem.ops.size()), extras(problem.ops.size()), extraHops(problem.values.size()) {
  collectConfigs();
  collectForms(also);
  collectExtras(also);
  measureDistances();
  for (size_t op = 0; op < problem.ops.size(); ++op)
    ways[op] = findWays(OpId(op));
}

/// A key, so that layers that are alike, other orders and other plans of the same function ask the op model once. Distances are shared by values
/// that are alike, so their address says which forms there are and what lies between them.
/// All that the ways of an op depend on, but for those of plans.
std::vector<uint64_t> Space::describe(OpId id) {
  const Op &op = problem[id];
  std::vector<uint64_t> words{uint64_t(problem.l1Budget.value()),
                              table.idOf(problem.signature(id)).index(),
                              uint64_t(op.role),
                              op.operands.size(),
                              table.idOf(op.declared).index(),
                              oracle.base(id).index(),
                              configs[id.index()].size()};
  for (ConfigId config : configs[id.index()])
    words.push_back(config.index());
  llvm::append_range(words, placesOf(op));
  for (ValueId value : distinctValues(op)) {
    words.push_back(baseInput(problem, id, value).index());
    words.push_back(problem[value].declared.index());
    words.push_back(isSettled(value) ? countSharers(value) : 0);
    words.push_back(uint64_t(uintptr_t(forms[value.index()].distances.get())));
  }
  for (ValueId value : op.results) {
    words.push_back(problem[value].declared.index());
    words.push_back(isSettled(value) ? 1 + countSharers(value) : 0);
    words.push_back(uint64_t(uintptr_t(forms[value.index()].distances.get())));
  }
  return words;
}

void Space::addForm(ValueId value, LayoutId layout) {
  if (layout.valid() && !forms[value.index()].find(layout))
    forms[value.index()].layouts.push_back(layout);
}

/// Policies plan for less L1 as well (forTighterBudgets), and what a search keeps depends on the budget: of a matmul's configurations it leaves out those
/// that are hardly slower than the fastest, which another one is for less. A bound is one of those plans only if these are choices, too.
void Space::collectConfigs() {
  for (size_t op = 0; op < problem.ops.size(); ++op)
    configs[op] = oracle.legal(OpId(op));
  if (!problem.search)
    return;
  Problem tighter = problem;
  for (double share : kTenths) {
    tighter.l1Budget = std::max(Bytes(0), l1Budget(problem.device, share) - problem.l1Held);
    if (tighter.l1Budget >= problem.l1Budget)
      continue;
    findLegalConfigs(tighter, table.withBudget(tighter.l1Budget), *problem.search);
    for (size_t op = 0; op < problem.ops.size(); ++op)
      for (const OpConfig &config : tighter.ops[op].legal)
        if (ConfigId id = table.idOf(config); !llvm::is_contained(configs[op], id))
          configs[op].push_back(id);
  }
}

/// What a value is declared as, what any legal configuration makes of it, in what any reader may want it, and where plans have it: a plan of
/// forms that are not here is none that the bound says anything about.
void Space::collectForms(llvm::ArrayRef<PricedPlan> also) {
  for (size_t index = 0; index < problem.values.size(); ++index) {
    const Value &value = problem.values[index];
    addForm(ValueId(index), value.declared);
    addForm(ValueId(index), value.home);
  }
  for (size_t index = 0; index < problem.ops.size(); ++index) {
    OpId id(index);
    const Op &op = problem[id];
    auto makes = [&](const OpConfig &config) {
      for (auto [result, layout] : llvm::zip(op.results, config.outputs))
        addForm(result, layout);
    };
    makes(op.declared);
    makes(baseConfig(op));
    for (ConfigId config : configs[index])
      makes(table[config]);
    for (ValueId value : distinctValues(op)) {
      addForm(value, baseInput(problem, id, value));
      for (LayoutId target :
           conversionTargets(oracle, problem, {id, value, configs[index], {}, op.role != OpRole::Fixed}))
        addForm(value, target);
    }
  }
  for (const PricedPlan &given : also)
    for (const PlanTensor &tensor : given.plan.tensors)
      addForm(tensor.value, tensor.layout);
  for (size_t index = 0; index < problem.values.size(); ++index)
    closeForms(ValueId(index));
}

/// A way from form to form may pass through what Conversions passes through: the other pages or numbers in the same place, and
/// interleaved memory.
void Space::closeForms(ValueId value) {
  std::vector<LayoutId> given = forms[value.index()].layouts;
  std::set<std::pair<PageLayout, DataType>> pages;
  for (LayoutId layout : given)
    if (problem.layout(layout).onDevice())
      pages.insert({problem.layout(layout).page, problem.layout(layout).dtype});
  // With one kind of page nothing has to be passed through.
  if (given.size() < 2 || pages.size() < 2)
    return;
  const Shape &shape = problem[value].tensor.shape;
  for (auto [page, dtype] : pages) {
    if (isBlockFloat(dtype) && page != PageLayout::Tile)
      continue;
    for (LayoutId id : given) {
      TensorLayout layout = problem.layout(id);
      if (!layout.onDevice())
        continue;
      layout.page = page;
      // Other pages may not fill the same shards: those are no layout.
      layout = withTensor(layout, {shape, dtype}, problem.device.workerGrid);
      if (checkLayoutFor(layout, shape, problem.device).empty())
        addForm(value, problem.layouts->intern(layout));
    }
  }
}

SelectionCost Space::hop(ValueId value, LayoutId from, LayoutId to) {
  const TensorLayout &source = problem.layout(from), &target = problem.layout(to);
  if (!narrowConversion(source, target))
    return kForbiddenCost;
  // As if nothing lay beside it (Alone::Allowed): what else is in L1 is left out of the bound, for every plan alike.
  OpSignature signature = conversionSignature(problem[value].tensor.shape, source, target);
  StepCost cost = stepCost(table, {signature, from, OpConfig{{to}, {}}}, Alone::Allowed);
  return cost.legal ? costOf(cost.time) : kForbiddenCost;
}

/// Once for equal values. What a plan does in one hop counts where that is faster than all ways that the table knows: the base plan may
/// do what is refused otherwise.
void Space::measureDistances() {
  for (size_t index = 0; index < forms.size(); ++index) {
    ValueForms &mine = forms[index];
    mine.distances = measured(ValueId(index), {});
    SpaceMemory::Hops faster;
    for (const auto &hop : extraHops[index])
      if (auto [from, to, cost] = hop; cost < mine.distances->at(*mine.find(from), *mine.find(to)))
        faster.push_back(hop);
    if (!faster.empty())
      mine.distances = measured(ValueId(index), faster);
  }
}

/// Floyd and Warshall's shortest paths.
std::shared_ptr<const Distances> Space::measured(ValueId value, const SpaceMemory::Hops &hops) {
  const ValueForms &mine = forms[value.index()];
  std::shared_ptr<const Distances> &entry =
      memory->distances[{problem.l1Budget, problem[value].tensor.shape, mine.layouts, hops}];
  if (entry)
    return entry;
  size_t count = mine.layouts.size();
  Distances made{count, std::vector<SelectionCost>(count * count, kForbiddenCost),
                 std::vector<SelectionCost>(count, kForbiddenCost),
                 std::vector<std::optional<Form>>(count * count)};
  auto at = [&](size_t from, size_t to) -> SelectionCost & { return made.costs[from * count + to]; };
  for (size_t from = 0; from < count; ++from)
    for (size_t to = 0; to < count; ++to)
      at(from, to) = from == to ? 0 : hop(value, mine.layouts[from], mine.layouts[to]);
  // Before paths are looked for, so that these pass through what plans do as well.
  for (auto [from, to, cost] : hops) {
    SelectionCost &known = at(*mine.find(from), *mine.find(to));
    known = std::min(known, cost);
  }
  // Some last hop ends in each form that is made, whichever it is: what several readers of a constant have to share at least.
  for (size_t to = 0; to < count; ++to)
    for (size_t from = 0; from < count; ++from)
      if (from != to)
        made.arrivals[to] = std::min(made.arrivals[to], at(from, to));
  // Over forms that were allowed so far, one more each time; a pair that is forbidden stays so unless both parts are known.
  for (size_t over = 0; over < count; ++over)
    for (size_t from = 0; from < count; ++from)
      for (size_t to = 0; to < count; ++to)
        if (at(from, over) < kForbiddenCost && at(over, to) < kForbiddenCost &&
            at(from, over) + at(over, to) < at(from, to)) {
          at(from, to) = at(from, over) + at(over, to);
          made.over[from * count + to] = Form(over);
        }
  return entry = std::make_shared<Distances>(std::move(made));
}

/// Those that want the value: its readers, and the caller where it is returned by who made it.
size_t Space::countSharers(ValueId id) const {
  const Value &value = problem[id];
  return countReaders(value) + (value.returned && value.producer.valid());
}

/// Whether the value needs no node of its own in the selection problem: one op alone has to do with it (an argument of one reader, a result that
/// only the caller wants), so that bringing it from or to where it is declared is a part of that op's way; and constants, see settled().
bool Space::isSettled(ValueId id) const {
  const Value &value = problem[id];
  if (value.kind == ValueKind::Constant)
    return true;
  size_t sharers = countSharers(id);
  return sharers == 0 || (sharers == 1 && (!value.producer.valid() || value.returned));
}

/// The way with all that settled values cost in it. The problem then sees them as they are declared; `itsReads` and `itsMakes` say what is
/// really read and made.
Way Space::settled(OpId op, Way way) const {
  way.itsReads = way.reads;
  way.itsMakes = way.makes;
  auto add = [&](SelectionCost cost) { way.cost = std::min(kForbiddenCost, way.cost + cost); };
  for (auto [value, form] : llvm::zip_equal(distinctValues(problem[op]), way.reads)) {
    const ValueForms &its = forms[value.index()];
    Form declared = *its.find(problem[value].declared);
    if (!isSettled(value) || form == declared)
      continue;
    // What several share is not paid by each of them. Less than its share of the cheapest last hop none of them pays.
    size_t sharers = countSharers(value);
    SelectionCost whole = its.distances->at(declared, form);
    add(sharers == 1 || whole >= kForbiddenCost ? whole
                                                : its.distances->arrivals[form] / SelectionCost(sharers));
    form = declared;
  }
  for (auto [value, form] : llvm::zip_equal(problem[op].results, way.makes)) {
    if (!isSettled(value))
      continue;
    Form declared = *forms[value.index()].find(problem[value].declared);
    if (countSharers(value) == 1)
      add(forms[value.index()].distances->at(form, declared));
    form = declared;
  }
  return way;
}

/// What the plans do, at the time that they take for it.
void Space::collectExtras(llvm::ArrayRef<PricedPlan> also) {
  for (const auto &[plan, cost] : also)
    for (auto [step, runtime] : llvm::zip_equal(plan.steps, cost.steps)) {
      if (step.kind == PlanStep::Kind::Convert) {
        const PlanTensor &source = plan[step.reads.front()], &target = plan[step.writes.front()];
        extraHops[source.value.index()].push_back({source.layout, target.layout, costOf(runtime.total)});
        continue;
      }
      const Op &op = problem[step.op];
      Way way;
      way.cost = costOf(runtime.total);
      way.config = table.idOf(plan.configs[step.op.index()]);
      llvm::SmallVector<LayoutId, 8> inputs;
      for (TensorId tensor : step.reads)
        inputs.push_back(plan[tensor].layout);
      way.needs = oracle.run(step.op, inputs, way.config).own;
      for (ValueId value : distinctValues(op)) {
        LayoutId layout = plan[step.reads[firstOperand(op, value)]].layout;
        // An op that reads one value twice, in two layouts, is no way: a value is in one form per op.
        for (auto [operand, tensor] : llvm::zip_equal(op.operands, step.reads))
          coversAll &= operand != value || plan[tensor].layout == layout;
        way.reads.push_back(*forms[value.index()].find(layout));
        way.needs += oracle.l1Bytes(layout);
      }
      for (auto [result, tensor] : llvm::zip_equal(op.results, step.writes))
        way.makes.push_back(*forms[result.index()].find(plan[tensor].layout));
      extras[step.op.index()].push_back(std::move(way));
    }
}

/// Of two ways between the same forms the faster one, the first of equally fast ones; and the other one as slower, if it takes less L1.
static void merge(Way &front, Way way) {
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

  void add(const Way &way) {
    auto [entry, isNew] = best.try_emplace({way.reads, way.makes}, way);
    if (!isNew)
      merge(entry->second, way);
  }

  /// As the base plan and the input program have it, whether it fits or not: that is theirs to know.
  void addGiven(bool evenRefused) {
    addAsGiven(baseConfig(op), evenRefused, [&](ValueId value) { return baseInput(problem, id, value); });
    addAsGiven(op.declared, evenRefused, [&](ValueId value) { return problem[value].declared; });
  }

  void addAsGiven(const OpConfig &config, bool evenRefused, llvm::function_ref<LayoutId(ValueId)> layoutOf) {
    Way way;
    for (ValueId value : values)
      way.reads.push_back(*space.forms[value.index()].find(layoutOf(value)));
    for (auto [result, layout] : llvm::zip(op.results, config.outputs))
      way.makes.push_back(*space.forms[result.index()].find(layout));
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
  bool price(Way &way, ConfigId config) {
    way.config = config;
    llvm::SmallVector<LayoutId, 8> inputs = inputsOf(way);
    if (op.role == OpRole::Conversion) {
      const StepCost &cost =
          conversions.find(problem[values.front()].tensor, inputs.front(), table[config].outputs.front())
              .cost;
      way.cost = costOf(cost.time);
      way.needs = cost.own + l1BytesPerCore(problem.layout(inputs.front()), problem.device);
      return cost.legal;
    }
    const OpCost &cost = table.row(signature, inputs, config);
    way.cost = costOf(cost.time);
    way.needs = table.fits(cost) ? cost.operands + cost.own : problem.l1Budget;
    return cost.asRequested && cost.judged &&
           (table.fits(cost) || fitsAlone(cost, table.context().l1Budget, table.context()));
  }

  void addLegal(llvm::ArrayRef<ConfigId> legal) {
    // Counted no further than the most, which products of many forms would overflow.
    size_t combinations = 1;
    for (ValueId value : values)
      combinations = std::min(combinations * space.forms[value.index()].layouts.size(), kMaxCombinations + 1);
    Way way;
    way.reads.assign(values.size(), 0);
    if (combinations <= kMaxCombinations) {
      forEach(0, way, legal);
      return;
    }
    addLikely(way, legal);
  }

  void forEach(size_t position, Way &way, llvm::ArrayRef<ConfigId> legal) {
    if (position == values.size()) {
      ask(way, legal);
      return;
    }
    for (Form form = 0; form < space.forms[values[position].index()].layouts.size(); ++form) {
      way.reads[position] = form;
      forEach(position + 1, way, legal);
    }
  }

  /// Each value in turn in each of its forms: the others at their base, or placed alike where they can be.
  void addLikely(Way &way, llvm::ArrayRef<ConfigId> legal) {
    for (size_t moved = 0; moved < values.size(); ++moved)
      for (Form form = 0; form < space.forms[values[moved].index()].layouts.size(); ++form)
        for (bool alike : {false, true}) {
          const TensorLayout &like = problem.layout(space.forms[values[moved].index()].layouts[form]);
          for (size_t other = 0; other < values.size(); ++other)
            way.reads[other] = other == moved ? form : formOf(values[other], alike ? &like : nullptr);
          ask(way, legal);
        }
  }

  Form formOf(ValueId value, const TensorLayout *like) const {
    const ValueForms &forms = space.forms[value.index()];
    if (like && problem[value].kind != ValueKind::Constant) {
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

/// What it takes to go `mine` from and to the forms of `its`, conversions included.
SelectionCost optimal::detour(const Way &its, const Way &mine, llvm::ArrayRef<const Distances *> reads,
                              llvm::ArrayRef<const Distances *> makes) {
  SelectionCost sum = mine.cost;
  for (size_t value = 0; value < reads.size(); ++value)
    sum = std::min(kForbiddenCost, sum + reads[value]->at(its.reads[value], mine.reads[value]));
  for (size_t result = 0; result < makes.size(); ++result)
    sum = std::min(kForbiddenCost, sum + makes[result]->at(mine.makes[result], its.makes[result]));
  return sum;
}

/// Whether `mine` with its detour costs no more than `its`; most pairs are told apart by the first conversion.
static bool standsFor(const Way &mine, const Way &its, llvm::ArrayRef<const Distances *> reads,
                      llvm::ArrayRef<const Distances *> makes) {
  SelectionCost room = its.cost - mine.cost;
  for (size_t value = 0; value < reads.size() && room >= 0; ++value)
    room -= reads[value]->at(its.reads[value], mine.reads[value]);
  for (size_t result = 0; result < makes.size() && room >= 0; ++result)
    room -= makes[result]->at(mine.makes[result], its.makes[result]);
  return room >= 0;
}

void optimal::leaveOutDominated(Ways &ways, llvm::ArrayRef<const Distances *> reads,
                                llvm::ArrayRef<const Distances *> makes) {
  llvm::sort(ways, [](const Way &a, const Way &b) {
    return std::tie(a.cost, a.reads, a.makes) < std::tie(b.cost, b.reads, b.makes);
  });
  // From the cheapest on: what is dominated by one that is left out is dominated by who stands for that one, as detours add up.
  Ways kept;
  for (Way &way : ways)
    if (llvm::none_of(kept, [&](const Way &other) { return standsFor(other, way, reads, makes); }))
      kept.push_back(std::move(way));
  ways = std::move(kept);
}

static bool isBefore(const Way &a, const Way &b) {
  return std::tie(a.reads, a.makes) < std::tie(b.reads, b.makes);
}

std::shared_ptr<const Ways> Space::findWays(OpId id) {
  std::vector<uint64_t> words = describe(id);
  std::shared_ptr<const Ways> &found = memory->found[words];
  if (!found)
    found = std::make_shared<Ways>(Finder(*this, table, id).run(configs[id.index()]));
  Ways all;
  for (const Way &way : extras[id.index()]) {
    // What plans do is known, but for what only the base plan may do.
    auto at = llvm::lower_bound(*found, way, isBefore);
    if (at != found->end() && !isBefore(way, *at) && at->cost <= way.cost)
      continue;
    all.push_back(way);
    words.push_back(uint64_t(way.cost));
    words.push_back(way.config.index());
    words.insert(words.end(), way.reads.begin(), way.reads.end());
    words.insert(words.end(), way.makes.begin(), way.makes.end());
  }
  std::shared_ptr<const Ways> &its = memory->ways[words];
  if (its)
    return its;
  if (all.empty() && found->empty())
    all = Finder(*this, table, id).asGiven();
  llvm::append_range(all, *found);
  return its = std::make_shared<Ways>(settled(id, all));
}

Ways Space::settled(OpId id, llvm::ArrayRef<Way> ways) const {
  std::map<std::pair<llvm::SmallVector<Form, 4>, llvm::SmallVector<Form, 2>>, Way> best;
  for (const Way &way : ways) {
    Way its = settled(id, way);
    for (Way &slower : its.slower)
      slower = settled(id, std::move(slower));
    auto [entry, isNew] = best.try_emplace({its.reads, its.makes}, its);
    if (!isNew)
      merge(entry->second, std::move(its));
  }
  Ways found;
  for (auto &[forms, way] : best)
    if (way.cost < kForbiddenCost)
      found.push_back(std::move(way));
  llvm::SmallVector<const Distances *, 4> reads, makes;
  for (ValueId value : distinctValues(problem[id]))
    reads.push_back(forms[value.index()].distances.get());
  for (ValueId value : problem[id].results)
    makes.push_back(forms[value.index()].distances.get());
  leaveOutDominated(found, reads, makes);
  return found;
}
