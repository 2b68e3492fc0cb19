//===- Space.cpp - All that a plan may choose from ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What there is to choose from is wide on purpose: a bound says something about those plans only that are among the
// choices. It is asked of the op model once for all orders, budgets and proofs of a program (SpaceMemory), by keys
// that name everything that an answer depends on; a key that left something out would make a proof of another problem.
//
//===----------------------------------------------------------------------===//
#include "Space.h"

#include "Finder.h"
#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"
#include "tessera/Optimizer/Policy/PlanBound.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "tessera/Optimizer/Table/Forms.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace tessera;
using namespace tessera::optimal;

SelectionCost optimal::costOf(Nanoseconds time) {
  return SelectionCost(std::floor(std::max(0.0, time.value()) * kBoundParts));
}

std::optional<Form> ValueForms::find(LayoutId layout) const {
  auto at = llvm::find(layouts, layout);
  return at == layouts.end() ? std::nullopt : std::optional(Form(at - layouts.begin()));
}

/// The form in the middle has the highest number of all on the way (measured), so that both parts pass through lower
/// ones only, and this ends.
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
  // Forms before distances between them, and both before ways, which are told apart by forms and stand for each other
  // by distances. Plans' own hops come in before distances are measured.
  collectConfigs();
  collectForms(also);
  collectExtras(also);
  measureDistances();
  for (size_t op = 0; op < problem.ops.size(); ++op)
    ways[op] = findWays(OpId(op));
}

/// All that the ways of an op depend on, but for those of plans. A key, so that layers that are alike, other orders and
/// other plans of the same function ask the op model once. Distances are shared by values that are alike, so their
/// address says which forms there are and what lies between them.
Words Space::describe(OpId id) {
  const Op &op = problem[id];
  auto distances = [&](ValueId value) { return uintptr_t(forms[value.index()].distances.get()); };
  Words words;
  words.add(problem.l1Budget, table.idOf(problem.signature(id)), op.role, op.restricted, op.mustConvert,
            op.operands.size(), table.idOf(op.declared), oracle.base(id), configs[id.index()].size());
  words.addAll(configs[id.index()]);
  words.addAll(placesOf(op));
  words.addAll(op.writes);
  for (ValueId value : distinctValues(op))
    words.add(baseInput(problem, id, value), problem[value].declared,
              isSettled(value) ? countSharers(value) : 0, distances(value));
  for (ValueId value : op.results)
    words.add(problem[value].declared, isSettled(value) ? 1 + countSharers(value) : 0, distances(value));
  return words;
}

/// Forms are numbered as they come up, so the order of all that is collected decides ties, and is that of the program.
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
  forTighterBudgets(problem, kTenths, [&](Bytes budget) {
    tighter.l1Budget = budget;
    findLegalConfigs(tighter, table.withBudget(budget), *problem.search);
    for (size_t op = 0; op < problem.ops.size(); ++op)
      for (const OpConfig &config : tighter.ops[op].legal)
        if (ConfigId id = table.idOf(config); !llvm::is_contained(configs[op], id))
          configs[op].push_back(id);
    return Attempt::Same; // nothing is planned, so all of them have their turn
  });
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
    // The program's own plan and the base plan are among those that the bound is one of.
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
    // Block floats share an exponent within a tile, so they have no rows.
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
  // What an override has converted is read as it is.
  if (isDemanded(problem, value) || !narrowConversion(source, target))
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
  std::shared_ptr<const Distances> &entry = memory->distances[{
      problem.l1Budget, problem[value].tensor.shape, isDemanded(problem, value), mine.layouts, hops}];
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
  // Some last hop ends in each form that is made, whichever it is: what readers of a third form have to share at least.
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
  return readingOps(value).size() + (value.returned && value.producer.valid());
}

/// Of a constant with so many sharers conversions are exactly those of any other value; of one with more they are settled.
static constexpr size_t kMaxSharers = 3;

/// Whether the value needs no node of its own in the selection problem: one op alone has to do with it (an argument of one reader, a result that
/// only the caller wants), so that bringing it from or to where it is declared is a part of that op's way; and constants, see settled().
bool Space::isSettled(ValueId id) const {
  const Value &value = problem[id];
  size_t sharers = countSharers(id);
  if (value.kind == ValueKind::Constant)
    return sharers < 2 || sharers > kMaxSharers;
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
    // What several share is not paid by each of them. All of it takes no less than the farthest form that is read, and that no less than the
    // mean over the sharers.
    SelectionCost whole = its.distances->at(declared, form);
    add(whole >= kForbiddenCost ? whole : whole / SelectionCost(countSharers(value)));
    form = declared;
  }
  for (auto [value, form] : llvm::zip_equal(problem[op].results, way.makes)) {
    if (!isSettled(value))
      continue;
    Form declared = *forms[value.index()].find(problem[value].declared);
    // With no sharer nobody reads it, so it need not get anywhere.
    if (countSharers(value) == 1)
      add(forms[value.index()].distances->at(form, declared));
    form = declared;
  }
  return way;
}

/// To say too much would forbid plans that there are, and make the bound a lie; to say too little only makes it lower.
Bytes Space::needs(OpId op, const OpCost &row, ConfigId config) const {
  if (table.fits(row))
    return row.operands + row.own;
  if (problem[op].role != OpRole::Fixed || row.judged)
    // Judged, and too large for anything beside it: it runs alone.
    return problem.l1Budget;
  // Without a program it takes what it reads and makes, and nothing else.
  if (!mayUseCircularBuffers(problem, op)) {
    Bytes tensors = row.operands;
    for (LayoutId made : table[config].outputs)
      tensors += oracle.l1Bytes(made);
    return tensors;
  }
  Bytes declared;
  for (const Value &value : problem.values)
    declared += oracle.l1Bytes(value.declared);
  // No more than in any plan that it stands for: what the input program has in L1 may lie beside it.
  return std::max(Bytes(0), problem.l1Budget - declared);
}

Way Space::wayOf(const Plan &plan, const PlanStep &step, SelectionCost cost) const {
  const Op &op = problem[step.op];
  Way way;
  way.cost = cost;
  way.config = table.idOf(plan.configs[step.op.index()]);
  OperandLayouts inputs = layoutsRead(plan, step);
  for (ValueId value : distinctValues(op))
    way.reads.push_back(*forms[value.index()].find(inputs[firstOperand(op, value)]));
  // Of the table, as plans state configurations that policies do not choose from.
  if (op.role == OpRole::Conversion)
    way.needs = oracle.run(step.op, inputs, way.config).own + oracle.l1Bytes(inputs.front());
  else
    way.needs =
        needs(step.op, table.row(table.idOf(problem.signature(step.op)), inputs, way.config), way.config);
  // One that exceeds the budget runs alone, and so takes all of it.
  way.needs = std::min(way.needs, problem.l1Budget);
  for (auto [result, tensor] : llvm::zip_equal(op.results, step.writes))
    way.makes.push_back(*forms[result.index()].find(plan[tensor].layout));
  return way;
}

/// What the plans do, at the time that they take for it.
void Space::collectExtras(llvm::ArrayRef<PricedPlan> also) {
  for (const auto &[plan, cost] : also)
    for (auto [step, runtime] : llvm::zip_equal(plan.steps, cost.steps)) {
      if (!step.isRun()) {
        const PlanTensor &source = plan[step.reads.front()], &target = plan[step.writes.front()];
        extraHops[source.value.index()].push_back({source.layout, target.layout, costOf(runtime.total)});
        continue;
      }
      // An op that reads one value twice, in two layouts, is no way: a value is in one form per op.
      const Op &op = problem[step.op];
      for (auto [operand, tensor] : llvm::zip_equal(op.operands, step.reads))
        coversAll &= plan[tensor].layout == plan[step.reads[firstOperand(op, operand)]].layout;
      extras[step.op.index()].push_back(wayOf(plan, step, costOf(runtime.total)));
    }
}

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
                                llvm::ArrayRef<const Distances *> makes, StandIn by) {
  llvm::sort(ways, [](const Way &a, const Way &b) {
    return std::tie(a.cost, a.reads, a.makes, a.needs) < std::tie(b.cost, b.reads, b.makes, b.needs);
  });
  // From the cheapest on: what is dominated by one that is left out is dominated by who stands for that one, as detours add up.
  Ways kept;
  for (Way &way : ways)
    if (llvm::none_of(kept, [&](const Way &other) {
          return (by == StandIn::Time || other.needs <= way.needs) && standsFor(other, way, reads, makes);
        }))
      kept.push_back(std::move(way));
  ways = std::move(kept);
}

static bool isBefore(const Way &a, const Way &b) {
  return std::tie(a.reads, a.makes) < std::tie(b.reads, b.makes);
}

/// All that the op can do, plans' own ways first, and by what that is found again. What is settled between it and the program's ends is not in it.
Ways Space::gathered(OpId id, Words &words) {
  words = describe(id);
  std::shared_ptr<const Ways> &found = memory->found[words];
  if (!found)
    found = std::make_shared<Ways>(optimal::findWays(*this, table, id, configs[id.index()]));
  Ways all;
  for (const Way &way : extras[id.index()]) {
    // What plans do is known, but for what only the base plan may do.
    auto at = llvm::lower_bound(*found, way, isBefore);
    auto isNoWorse = [&](const Way &known) { return known.cost <= way.cost && known.needs <= way.needs; };
    if (at != found->end() && !isBefore(way, *at) && (isNoWorse(*at) || llvm::any_of(at->slower, isNoWorse)))
      continue;
    all.push_back(way);
    words.add(way.cost, way.needs, way.config);
    words.addAll(way.reads);
    words.addAll(way.makes);
  }
  if (all.empty() && found->empty())
    all = waysAsGiven(*this, table, id);
  llvm::append_range(all, *found);
  return all;
}

std::shared_ptr<const Ways> Space::findWays(OpId id) {
  Words words;
  Ways all = gathered(id, words);
  // By all that was gathered, plans' own ways included: other plans give other choices.
  std::shared_ptr<const Ways> &its = memory->ways[words];
  if (!its)
    its = std::make_shared<Ways>(settled(id, all));
  return its;
}

std::vector<std::shared_ptr<const Ways>> Space::frugalWays() {
  std::vector<std::shared_ptr<const Ways>> frugal;
  for (size_t index = 0; index < problem.ops.size(); ++index) {
    OpId id(index);
    Words words;
    Ways all = gathered(id, words);
    std::shared_ptr<const Ways> &its = memory->frugal[words];
    if (!its) {
      Ways ways;
      auto add = [&](Way way) {
        if (way = settled(id, std::move(way)); way.cost < kForbiddenCost)
          ways.push_back(std::move(way));
      };
      for (Way &way : all) {
        // Where L1 counts, a slower way may be the one that fits, so each is a way of its own here.
        for (Way &slower : std::exchange(way.slower, {}))
          add(std::move(slower));
        add(std::move(way));
      }
      leaveOut(id, ways, StandIn::TimeAndL1);
      its = std::make_shared<Ways>(std::move(ways));
    }
    frugal.push_back(its);
  }
  return frugal;
}

void Space::leaveOut(OpId id, Ways &ways, StandIn by) const {
  llvm::SmallVector<const Distances *, 4> reads, makes;
  for (ValueId value : distinctValues(problem[id]))
    reads.push_back(forms[value.index()].distances.get());
  for (ValueId value : problem[id].results)
    makes.push_back(forms[value.index()].distances.get());
  leaveOutDominated(ways, reads, makes, by);
}

Ways Space::settled(OpId id, llvm::ArrayRef<Way> ways) const {
  // Ways that differ in settled values alone are between the same forms by then, and become one.
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
  leaveOut(id, found, StandIn::Time);
  return found;
}
