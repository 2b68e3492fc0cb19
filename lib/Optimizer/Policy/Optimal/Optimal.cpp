//===- Optimal.cpp - From the best selection to a plan --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Several plans are made on the way, and the fastest of them is the answer:
//
//   unrepaired   a selection as it stands, its conversions on the fastest ways; it may fit where its draft does not
//   best         the draft that windows improve, which counts L1 and copies as the plan checker does
//   incumbent    the plan of another policy, with its conversions as the cheapest trees and paths
//
// Each may come up to the bound, and then all that would follow is left out. Whatever is found, a plan with addresses
// is asked for at the end: sums of bytes do not tell whether there are holes.
//
//===----------------------------------------------------------------------===//
#include "Optimal.h"

#include "Decoding.h"
#include "Forks.h"
#include "L1Search.h"
#include "Moves.h"
#include "Paths.h"
#include "Residency.h"
#include "tessera/Optimizer/Ledger/Addresses.h"
#include "tessera/Optimizer/Ledger/Repair.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Policy/PlanBound.h"
#include "tessera/Optimizer/Policy/SolvingNotes.h"
#include "tessera/Optimizer/Selection/PricedSelections.h"
#include "tessera/Support/SortStably.h"

#include <chrono>
#include <ctime>
#include <random>

using namespace tessera;
using namespace tessera::optimal;

/// Passes of messages: at first, and after prices have moved.
static constexpr int kPasses = 200, kPassesAgain = 4;
/// How often the whole graph is solved in an order, for all of L1 and for what is left of it.
static constexpr int kRounds = 12;
/// How much slower than a draft, which may have no addresses, a plan with addresses may be that is looked for, as a factor.
static constexpr double kSlower = 1.01;
/// Plans that are made with room taken off for holes.
static constexpr int kAttempts = 6;
/// Ways of an op that a repair may try: those that cost least where they are, and of those the ones that leave L1.
static constexpr size_t kAlternatives = 16;
/// How much slower than what stands a plan may be that windows are tried from, as a factor.
static constexpr double kReach = 1.005;
/// A window must save that much, so that rounding is no gain.
static constexpr Nanoseconds kLeastGain(1);

/// Of this thread.
static double processorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

namespace {

class Solver {
public:
  Solver(const Problem &problem, const OpCostTable &model, const PolicyOptions &options)
      : problem(problem), model(model), options(options), oracle(problem, model),
        space(problem, model, known(), memoryOf(options)), begin(std::chrono::steady_clock::now()),
        beginOfWork(processorSeconds()), translation(space), selections(translation.problem),
        residency(translation, oracle) {}

  std::optional<Plan> run() {
    std::optional<Plan> plan = solve();
    if (SolvingNotes *notes = options.notes) {
      notes->seconds += processorSeconds() - beginOfWork;
      // As if L1 were endless neither a plan nor its bound says anything of those that must fit.
      if (options.layoutsOnly)
        return plan;
      if (plan && hasAddresses(problem, *plan, model))
        notes->fastest = std::min(notes->fastest.value_or(timeOf(*plan)), timeOf(*plan));
      // Of plans for less L1 it is about fewer plans.
      notes->bound = std::min(notes->bound.value_or(Nanoseconds(bound)), Nanoseconds(bound));
    }
    return plan;
  }

private:
  static constexpr llvm::StringLiteral kName = "optimal";

  std::optional<Plan> solve() {
    // Steps 1 and 2 of Optimal.h.
    solveWhole();
    // With less L1 this budget's bound is no lower, so that all tighter ones are hopeless as well.
    if (isUseless()) {
      noteHopeless();
      return std::nullopt;
    }
    std::vector<Plan> plans;
    // Step 3. As if L1 were endless nothing has to fit, so that what windows find is the plan.
    if (best && options.layoutsOnly) {
      tryWindows();
      return best->write(kName);
    }
    if (unrepaired) {
      plans.push_back(*unrepaired);
      if (isGood(timeOfUnrepaired))
        return std::move(plans.front());
    }
    if (best) {
      Draft solved = *best;
      plans.push_back(written(solved));
      if (options.notes && isSettled && timeOf(plans.back()) <= best->time() + kLeastGain &&
          hasAddresses(problem, plans.back(), model))
        noteHopeless();
      // The draft does not know of forks, so only now it shows whether this is what the bound says.
      if (isGood(timeOf(plans.back())))
        return std::move(plans.back());
      // Windows count conversions as the draft does, which knows fewer paths than the selection problem: so what that
      // chose is not always improved by them.
      if (isNear(timeOf(plans.back())) && isNewStart()) {
        tryWindows();
        plans.push_back(written(*best));
      }
    }
    if (options.incumbentPlan) {
      plans.push_back(withFastestConversions(*options.incumbentPlan));
      plans.back().policy = kName.str();
    }
    auto fastest =
        llvm::min_element(plans, [this](const Plan &a, const Plan &b) { return timeOf(a) < timeOf(b); });
    return fastest == plans.end() ? std::nullopt : std::optional(std::move(*fastest));
  }

  /// With an address for everything, if repairs lead there, and with the fastest conversions.
  Plan written(Draft &draft) {
    // A copy, as repairs edit the draft, and the second plan below begins from the same one.
    Draft again = draft;
    size_t written = 0;
    Plan plan = writeWithAddresses(
        draft, model, kName, [&] { return repairOf(draft).run(); },
        [&](Plan its) {
          its = withFastestConversions(std::move(its));
          // 1 in the end if one plan was written, which had addresses without a move: then there is nothing to compare
          // it with.
          written += 1 + !hasAddresses(problem, its, model);
          return withMoves(space, model, std::move(its));
        });
    if (written == 1)
      return plan;
    // Without moves: room is taken off and the draft repaired, which may take less time than to move tensors about.
    Plan other = writeWithAddresses(again, model, kName, [&] { return repairOf(again).run(); });
    other = withFastestConversions(std::move(other));
    return timeOf(other) < timeOf(plan) && hasAddresses(problem, other, model) ? other : plan;
  }
  Plan withFastestConversions(Plan plan) const {
    return withFasterPaths(space, model, withForks(space, model, std::move(plan)));
  }
  /// It combines layouts that no op by itself would ask for.
  std::vector<PricedPlan> known() const {
    if (const Plan *plan = options.incumbentPlan)
      return {{*plan, planCost(problem, *plan, model)}};
    return {};
  }
  static std::shared_ptr<SpaceMemory> memoryOf(const PolicyOptions &options) {
    if (!options.notes)
      return nullptr;
    if (!options.notes->memory)
      // By the first run that asks; those that follow find what it found.
      options.notes->memory = std::make_shared<SpaceMemory>();
    return options.notes->memory;
  }
  /// A bound is one for every order, so that in those that follow a guess will do, which finds the same selections in less time. For less L1
  /// another one is proven, which may say that nothing faster is left.
  std::optional<Nanoseconds> provenBefore() const {
    return options.notes && !options.notes->standing ? options.notes->bound : std::nullopt;
  }
  /// Nothing faster than what there is by now is left for this budget, nor for less.
  void noteHopeless() const { options.notes->hopeless = std::max(options.notes->hopeless, problem.l1Budget); }
  Nanoseconds timeOf(const Plan &plan) const { return planCost(problem, plan, model).total(); }

  void solveWhole();
  void solveInOrder();
  void searchInOrder(const Translation &inOrder, L1Search &search);
  Nanoseconds fastestKnown() const;
  void considerUnrepaired(Plan plan);
  void consider(Draft filled);
  void tryWindows();
  void makeRoom(Draft &draft, llvm::ArrayRef<SelectionState> selection);
  bool tryWindow(llvm::ArrayRef<SelectionNode> nodes, const PricedSelections::Prices &prices);
  std::optional<Way> wayIn(const Draft &draft, OpId op) const;
  Decision decisionOf(OpId op, const Way &way) const;
  Draft draftOf(const Translation &of, llvm::ArrayRef<SelectionState> selection);
  std::vector<Decision> alternatives(Draft &draft, OpId op) const;
  SelectionCost costInPlace(Draft &draft, OpId op, const Way &way) const;
  Repair repairOf(Draft &draft) {
    return {draft, [this](Draft &its, OpId op) { return alternatives(its, op); }, VictimOrder::CheapestAhead};
  }

  bool isTimeUp() const {
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return options.optimal.seconds && passed.count() > *options.optimal.seconds;
  }
  bool isGood(Nanoseconds time) const {
    // By this order's bound, which is no less than that of any order.
    return time.value() <= boundInOrder * (1 + options.optimal.gap) + kLeastGain.value();
  }
  bool isGood() { return (best && isGood(best->time())) || (unrepaired && isGood(timeOfUnrepaired)); }
  /// A bound from which on whatever is found, what stands is as good: as a cost.
  double uselessBound() const {
    return options.notes && options.notes->standing
               ? (*options.notes->standing - kLeastGain).value() * kBoundParts
               : std::numeric_limits<double>::infinity();
  }
  /// Nothing that is found could be faster than what stands already.
  bool isUseless() const { return boundInOrder * kBoundParts >= uselessBound(); }

  /// Two orders that lead to the same bound and the same time were seen to lead on to the same plans, too.
  bool isNewStart() {
    if (!options.notes)
      return true;
    auto isSame = [&](const auto &start) { // but for rounding: other orders add up in another one
      return start.first == Nanoseconds(bound) && std::abs((start.second - best->time()).value()) < 1;
    };
    if (llvm::any_of(options.notes->starts, isSame))
      return false;
    options.notes->starts.emplace_back(Nanoseconds(bound), best->time());
    return true;
  }
  /// Windows were not seen to lead from a plan that is far slower than what stands to one that is faster.
  bool isNear(Nanoseconds time) const {
    return !options.notes || !options.notes->standing || time <= *options.notes->standing * kReach;
  }

  const Problem &problem;
  const OpCostTable &model;
  const PolicyOptions &options;
  Oracle oracle;
  Space space;
  std::chrono::steady_clock::time_point begin;
  double beginOfWork; ///< processorSeconds
  Translation translation;
  PricedSelections selections;
  Residency residency;
  double bound = 0;        ///< nanoseconds; of any order
  double boundInOrder = 0; ///< of this one, where L1 counts between ops
  bool isSettled = false;  ///< what is best where L1 counts for each op alone fitted as it was
  std::optional<Draft> best;
  Selection current; ///< what stands for it
  std::optional<Plan> unrepaired;
  Nanoseconds timeOfUnrepaired;
  // The same input gives the same bytes. NOLINTNEXTLINE(bugprone-random-generator-seed)
  std::mt19937_64 random{35};
};

/// As a draft takes it: by layouts, and with what settled values are really read in (Way::itsReads).
Decision Solver::decisionOf(OpId op, const Way &way) const {
  Decision decision{way.config, {}};
  for (auto [value, form] : llvm::zip_equal(distinctValues(problem[op]), way.itsReads))
    decision.inputs.push_back(space.forms[value.index()].layouts[form]);
  return decision;
}

Draft Solver::draftOf(const Translation &of, llvm::ArrayRef<SelectionState> selection) {
  std::vector<Decision> decisions;
  for (size_t op = 0; op < problem.ops.size(); ++op)
    decisions.push_back(decisionOf(OpId(op), of.wayOf(OpId(op), selection)));
  Draft draft(problem, oracle, programOrder(problem));
  takeAll(draft, decisions);
  return draft;
}

/// The whole graph where L1 counts for each op alone; and where what is best there does not fit, as it is full in this order.
void Solver::solveWhole() {
  reportProgress(options.progress.part(partOf(0, 2)), "solving the whole graph", 0, kRounds);
  std::vector<double> costs(translation.problem.costs.begin(), translation.problem.costs.end());
  auto solved = [&](PricedSelections::Aim aim) {
    return selections.solve(costs, kPasses, aim, uselessBound());
  };
  std::optional<Nanoseconds> proven = provenBefore();
  Selection selection = solved(proven ? PricedSelections::Aim::Guess : PricedSelections::Aim::Proof);
  // What has to leave L1 before any policy begins is another thing in each order, and so are the choices then.
  std::optional<SelectionCost> found = proven ? selectionCost(translation.problem, selection) : std::nullopt;
  if (found && costOf(*proven) > *found) {
    proven.reset();
    selection = solved(PricedSelections::Aim::Proof);
  }
  bound = proven ? proven->value() : selections.bound() / kBoundParts;
  boundInOrder = bound;
  if (isUseless())
    return;
  // The selection counts L1 of each op alone; the draft says whether it fits together.
  Draft filled = draftOf(translation, selection);
  bool exceeds = !options.layoutsOnly && filled.firstConflict({SchedulePos(), filled.end()}) < filled.end();
  Plan asItIs = filled.write(kName);
  bool isLost = exceeds || (!options.layoutsOnly && !hasAddresses(problem, asItIs, model));
  if (isLost)
    considerUnrepaired(std::move(asItIs));
  consider(std::move(filled));
  isSettled = !exceeds && selections.isBest();
  if (isLost && !isGood())
    solveInOrder();
}

/// What a plan takes that has addresses.
Nanoseconds Solver::fastestKnown() const {
  Nanoseconds least(std::numeric_limits<double>::max());
  if (unrepaired)
    least = std::min(least, timeOfUnrepaired);
  if (options.incumbentPlan)
    least = std::min(least, timeOf(*options.incumbentPlan));
  if (options.notes)
    least =
        std::min({least, options.notes->standing.value_or(least), options.notes->fastest.value_or(least)});
  return least;
}

/// Where L1 is full: prices and conflicts say where, and what fits by them is made a plan as it stands. That may have no addresses, as
/// there are holes: then L1 is smaller there, and what fits next is made one.
void Solver::solveInOrder() {
  Schedule order = programOrder(problem);
  Translation inOrder(space, order);
  // The draft may have no addresses, so what is a little slower is wanted as well.
  Nanoseconds known = best ? std::min(fastestKnown(), best->time() * kSlower) : fastestKnown();
  L1Search search(inOrder.problem,
                  SelectionCost(std::min(known.value() * kBoundParts, double(kForbiddenCost))));
  searchInOrder(inOrder, search);
  residency.setPrices(search.limits().prices);
  RoomTaken room(problem, order);
  for (int attempt = 0; attempt < kAttempts && !search.cheapest().empty() && !isUseless(); ++attempt) {
    Plan plan = withFastestConversions(decoded(inOrder, order, search.cheapest(), model, kName));
    considerUnrepaired(plan);
    if (isGood() || isTimeUp() || timeOf(plan) >= fastestKnown() || !checkPlan(problem, plan, model).ok() ||
        !room.takeFor(plan, model))
      return;
    search.take(room.bytes());
    for (int round = 0; round < kRounds && search.next(); ++round)
      ;
  }
}

/// Every selection is made a draft, too: it is repaired where it does not fit, and that may be better than what fits as it is.
void Solver::searchInOrder(const Translation &inOrder, L1Search &search) {
  Selection last;
  for (int round = 0; round < kRounds && !isTimeUp() && !isGood(); ++round) {
    reportProgress(options.progress.part(partOf(0, 2)), "solving the whole graph", size_t(round) + 1,
                   kRounds);
    std::optional<Selection> selection = search.next();
    boundInOrder = std::max(boundInOrder, search.proven() / kBoundParts);
    if (!selection || isUseless())
      return;
    if (*selection != last)
      consider(draftOf(inOrder, *selection));
    last = std::move(*selection);
  }
}

/// A plan that no draft has made, or that the draft knows to exceed L1: it may fit once its conversions take the fastest ways, which are other ones.
void Solver::considerUnrepaired(Plan plan) {
  plan = withFastestConversions(std::move(plan));
  if ((unrepaired && timeOf(plan) >= timeOfUnrepaired) || !checkPlan(problem, plan, model).ok())
    return;
  // Moves cost time, so it is compared once more behind them.
  plan = withMoves(space, model, std::move(plan));
  Nanoseconds time = timeOf(plan);
  if (hasAddresses(problem, plan, model) && !(unrepaired && time >= timeOfUnrepaired)) {
    unrepaired = std::move(plan);
    timeOfUnrepaired = time;
  }
}

/// The draft, repaired until it fits, is the best one if it takes less time than that.
void Solver::consider(Draft filled) {
  std::optional<Draft> its;
  if (options.layoutsOnly)
    its.emplace(std::move(filled));
  else if (RepairedDraft repaired = repairedBy(
               kVictimOrders, filled, [this](Draft &draft, OpId op) { return alternatives(draft, op); });
           repaired.draft)
    its.emplace(std::move(*repaired.draft));
  if (!its || (best && its->time() >= best->time()))
    return;
  // A repair may have left the forms, and ways that others stand for: what stands for the draft is looked for anew.
  std::vector<std::optional<Way>> ways;
  for (size_t op = 0; op < problem.ops.size(); ++op)
    // For an op in a layout that is no form whatever is cheapest beside the others stands.
    ways.push_back(wayIn(*its, OpId(op)));
  current = translation.selectionOf(ways);
  best.emplace(std::move(*its));
}

/// What the op does in the draft, if that is one of the forms.
std::optional<Way> Solver::wayIn(const Draft &draft, OpId op) const {
  Way way;
  for (ValueId value : distinctValues(problem[op])) {
    std::optional<Form> form = space.forms[value.index()].find(layoutRead(draft, op, value));
    if (!form)
      return std::nullopt;
    way.reads.push_back(*form);
  }
  for (ValueId value : problem[op].results) {
    std::optional<Form> form = space.forms[value.index()].find(draft.made(value));
    if (!form)
      return std::nullopt;
    way.makes.push_back(*form);
  }
  return way;
}

void Solver::tryWindows() {
  size_t nodes = translation.problem.numNodes(), gains = 0;
  if (nodes == 0 || isGood())
    return;
  // At prices that are too low what is best does not fit, at those that are too high nothing lies in L1.
  static constexpr double kFactors[] = {0, 1, 4};
  std::vector<PricedSelections::Prices> prices;
  for (double factor : llvm::ArrayRef(kFactors).take_front(residency.hasPrices() ? 3 : 1))
    prices.push_back(selections.pricesAt(residency.costs(factor), kPassesAgain));
  // Where one saved time others may now: as many again.
  auto isLeft = [&](size_t count) { return options.optimal.seconds || count < (gains ? 2 : 1) * nodes; };
  for (size_t count = 0; isLeft(count) && !isTimeUp() && !isGood(); ++count) {
    reportProgress(options.progress.part(partOf(1, 2)), "improving windows", std::min(count + 1, nodes),
                   nodes);
    // Windows of 4 to 32 nodes.
    size_t most = size_t(4) << (random() % 4);
    std::vector<SelectionNode> window =
        selections.around(SelectionNode(count < nodes ? count : random() % nodes), most);
    // Each node is a seed once, and from then on chance says; the first factor that gains ends a window.
    gains += llvm::any_of(prices, [&](const auto &its) { return tryWindow(window, its); });
  }
  reportFigure(options, "windows that saved time", gains);
}

/// What exceeds L1 runs in more time and with less of it, where that is enough, in the forms that it has.
void Solver::makeRoom(Draft &draft, llvm::ArrayRef<SelectionState> selection) {
  for (SchedulePos at; (at = draft.firstConflict({at, draft.end()})) < draft.end(); at = at + 1) {
    OpId op = draft.schedule()[at.index()];
    for (const Way &slower : translation.wayOf(op, selection).slower)
      if (draft.excessAt(at) > Bytes(0) && problem[op].role != OpRole::Fixed)
        take(draft, op, decisionOf(op, slower), Readers::Stay);
    if (draft.excessAt(at) > Bytes(0))
      return; // the change is refused whatever else fits
  }
}

/// Solves the window exactly beside all else, and makes what is other than in the best draft, if that fits and is faster.
bool Solver::tryWindow(llvm::ArrayRef<SelectionNode> nodes, const PricedSelections::Prices &prices) {
  Selection candidate = current;
  if (!selections.solveWindow(nodes, prices, candidate))
    return false;
  std::vector<OpId> changed;
  for (size_t op = 0; op < problem.ops.size(); ++op)
    if (SelectionNode node = translation.node(OpId(op));
        candidate[node] != current[node] && problem.ops[op].role != OpRole::Fixed)
      changed.push_back(OpId(op));
  if (changed.empty())
    return false;
  Nanoseconds before = best->time();
  auto change = [&] {
    for (OpId op : changed)
      take(*best, op, decisionOf(op, translation.wayOf(op, candidate)), Readers::Stay);
    makeRoom(*best, candidate);
  };
  // The draft counts L1 and copies as they are: what prices and the selection only guess is not taken on trust.
  Outcome outcome =
      best->attempt(change, /*mayCost=*/true, [&] { return best->time() < before - kLeastGain; });
  if (outcome != Outcome::Applied)
    return false;
  current = std::move(candidate);
  return true;
}

/// What the way costs with the conversions from what is made to what it reads, and from what it makes to what is read.
SelectionCost Solver::costInPlace(Draft &draft, OpId op, const Way &way) const {
  SelectionCost cost = way.cost;
  auto add = [&](ValueId value, LayoutId from, LayoutId to) {
    const ValueForms &forms = space.forms[value.index()];
    std::optional<Form> source = forms.find(from), target = forms.find(to);
    if (source && target)
      cost = std::min(kForbiddenCost, cost + forms.distances->at(*source, *target));
  };
  for (auto [value, form] : llvm::zip_equal(distinctValues(problem[op]), way.itsReads))
    if (problem[value].producer.valid())
      add(value, draft.made(value), space.forms[value.index()].layouts[form]);
  for (auto [value, form] : llvm::zip_equal(problem[op].results, way.itsMakes))
    // Each reader pays for itself, whether or not they could share a conversion: this only ranks ways.
    for (const Use &use : problem[value].uses)
      add(value, space.forms[value.index()].layouts[form], layoutRead(draft, use.op, value));
  return cost;
}

std::vector<Decision> Solver::alternatives(Draft &draft, OpId op) const {
  // Of the whole space and not of a beam: what was chosen for the whole graph may be none of an op's own best.
  const Ways &ways = *space.ways[op.index()];
  std::vector<std::pair<SelectionCost, const Way *>> ranked;
  for (const Way &way : ways) {
    SelectionCost cost = costInPlace(draft, op, way);
    // Slower ways are between the same forms, so that they pay the same conversions and differ by the op alone.
    ranked.emplace_back(cost, &way);
    for (const Way &slower : way.slower)
      ranked.emplace_back(cost + slower.cost - way.cost, &slower);
  }
  sortStably(ranked, [](const auto &a, const auto &b) { return a.first < b.first; });
  // No result in L1; what it reads there is the business of who made it.
  auto leavesL1 = [&](const Way &way) {
    return llvm::none_of(llvm::zip_equal(problem[op].results, way.itsMakes), [&](auto entry) {
      auto [value, form] = entry;
      return problem.layout(space.forms[value.index()].layouts[form]).isL1();
    });
  };
  std::vector<Decision> decisions;
  // Cheapest first, and some that leave L1 whatever they cost: a repair that finds none of these may find no way at
  // all.
  size_t any = 0, outside = 0;
  for (auto [cost, way] : ranked)
    if (any++ < kAlternatives || (leavesL1(*way) && outside++ < kAlternatives))
      decisions.push_back(decisionOf(op, *way));
  return decisions;
}

} // namespace

std::optional<Plan> tessera::solveOptimal(const Problem &problem, const OpCostTable &model,
                                          const PolicyOptions &options) {
  if (options.notes && problem.l1Budget <= options.notes->hopeless)
    return std::nullopt;
  return Solver(problem, model, options).run();
}
