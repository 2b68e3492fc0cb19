//===- Collect.cpp - From a plan to its decisions -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The facts of one function, for the decisions file and all that is drawn from
// it. Entries name each other by number: values, ops, tensors and steps have the
// numbers of problem and plan, layouts are numbered as they are first named.
// Times and bytes are those that cost and checker have found, so the file says
// nothing but what the plan was judged by; only what would have been otherwise is
// priced here (Variations).
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Decisions/Collect.h"
#include "tessera/Device/L1Budget.h"

#include "Spills.h"
#include "Trace.h"
#include "tessera/OpModel/OpTable.h"
#include "tessera/Optimizer/Decisions/DecisionWords.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/ConversionEffects.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Support/Format.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace tessera;
using namespace tessera::decisions;

/// Of an op, in the file.
static constexpr size_t kMostRunnersUp = 8;

/// `time`: of the input as declared, which the caller has from the cost of its plan.
Totals decisions::totalsOfInput(const Problem &problem, const OpCostTable &model, Nanoseconds time) {
  Plan declared = declaredPlan(problem);
  Totals totals;
  static_cast<PlanFigures &>(totals) = figuresOf(problem, declared);
  // Conversions that the input has are ops of it, and nothing was inserted.
  totals.time = totals.ops = time;
  // Of the input as it is, whether it fits or not: the figure is what a reader compares with (docs/policies,
  // "Input that does not fit").
  totals.peakL1 = checkPlan(problem, declared, model).l1.peak;
  return totals;
}

namespace {

/// One function at a time, each part of the file by a function of its own. What is written is what plan, cost and
/// checker hold already; the only new questions are those of Variations.
class Collector {
public:
  explicit Collector(const DecidedPlan &decided)
      : decided(decided), problem(decided.problem), plan(decided.plan), model(decided.model),
        variations(problem, plan, decided.cost, decided.l1, model), others(problem.ops.size()) {}

  FunctionDecisions run() {
    out.function = problem.function;
    out.policy = plan.policy;
    if (!plan.origin.empty())
      out.origin = plan.origin;
    out.opModel = model.name().str();
    out.budget = problem.l1Budget;
    // Values and tensors before steps and ops: those refer to layouts by the place where a layout was first
    // seen, so this order is the file's. Spills read the variations that addOps has found.
    describeDevice();
    addTotals();
    addValues();
    addTensors();
    addSteps();
    addOps();
    out.spills = findSpills(decided, variations, [this](OpId op) {
      const auto &priced = others[op.index()];
      return priced ? *priced : variations.alternatives(op);
    });
    addAddresses();
    out.layouts = std::move(layouts);
    if (decided.traced)
      out.trace = decisionTrace(decided, out);
    toWholeNanoseconds(out);
    return std::move(out);
  }

private:
  Index layout(LayoutId id) {
    // The pool holds every layout that was looked at; the file has those that it names, numbered as they come,
    // so that its bytes do not depend on the search.
    auto [entry, isNew] = indices.try_emplace(id.index(), Index(layouts.size()));
    if (isNew)
      layouts.push_back(problem.layout(id));
    return entry->second;
  }

  template <class Ids>
  std::vector<Index> layoutsOf(const Ids &ids) {
    std::vector<Index> list;
    for (LayoutId id : ids)
      list.push_back(layout(id));
    return list;
  }

  template <class Ids>
  static std::vector<Index> numbers(const Ids &ids) {
    std::vector<Index> list;
    for (auto id : ids)
      list.push_back(Index(id.index()));
    return list;
  }

  void describeDevice() {
    const DeviceSpec &device = problem.device;
    out.device = {device.name,      {device.workerGrid.rows, device.workerGrid.columns},
                  device.l1Size,    device.l1UnreservedBase,
                  kL1SmallSize,     device.dramBankSize * device.dramBanks,
                  device.dramBanks, std::vector<int64_t>{device.mesh.rows, device.mesh.columns}};
  }

  void addTotals() {
    out.before = totalsOfInput(problem, model, decided.before);
    static_cast<PlanFigures &>(out.after) = figuresOf(problem, plan);
    out.after.time = decided.cost.total();
    out.after.ops = decided.cost.ops;
    out.after.conversions = decided.cost.conversions;
    out.after.peakL1 = decided.l1.peak;
    // A plan without steps has no peak.
    if (decided.l1.peakStep < plan.end())
      out.after.peakStep = Index(decided.l1.peakStep.index());
  }

  void addValues() {
    for (const tessera::Value &value : problem.values) {
      ValueFacts facts;
      facts.name = value.name;
      facts.shape.assign(value.tensor.shape.begin(), value.tensor.shape.end());
      facts.dtype = name(value.tensor.dtype).str();
      facts.kind = value.kind;
      if (value.producer.valid())
        facts.producer = Index(value.producer.index());
      facts.declared = layout(value.declared);
      facts.returned = value.returned;
      out.values.push_back(std::move(facts));
    }
  }

  /// Lives are half-open ranges of steps, from the one that makes a tensor to one past its last reader.
  void addTensors() {
    for (auto [i, tensor] : llvm::enumerate(plan.tensors)) {
      TensorId id(i);
      TensorFacts facts;
      facts.value = Index(tensor.value.index());
      facts.layout = layout(tensor.layout);
      if (std::optional<StepIndex> maker = variations.makerOf(id))
        facts.madeBy = Index(maker->index());
      facts.begin = Index(variations.lifeOf(id).begin.index());
      facts.end = Index(variations.lifeOf(id).end.index());
      facts.readers = numbers(variations.readersOf(id));
      facts.returned = variations.isReturned(id);
      facts.l1 = variations.l1Bytes(tensor.layout);
      facts.total = totalBytes(problem.layout(tensor.layout), problem[tensor.value].tensor.shape);
      out.tensors.push_back(std::move(facts));
    }
  }

  void addSteps() {
    std::vector<std::optional<ConversionEffect>> effects = conversionEffects(problem, plan);
    for (StepIndex index; index < plan.end(); ++index) {
      const PlanStep &step = plan[index];
      StepFacts facts;
      bool runs = step.isRun();
      facts.kind = step.kind;
      // A conversion by what it does, as in the summary, and not by the op with which the policy put it.
      const std::optional<ConversionEffect> &effect = effects[index.index()];
      if (OpId op = !runs && effect ? effect->op : step.op; op.valid())
        facts.op = Index(op.index());
      if (!runs && effect)
        facts.reason = effect->reason;
      facts.reads = numbers(step.reads);
      facts.writes = numbers(step.writes);
      // Asked as the checker asks, so that buffers and configuration are those of the plan that was proven.
      StepQuestion question(problem, plan, step);
      const OpConfig &config = question.config();
      if (runs) {
        facts.config = config.specific;
        facts.configText = describe(config.specific);
      }
      const OpRuntime &time = decided.cost.steps[index.index()];
      // What the model cannot judge has no bound, and its time of 0 is not a figure: the file says so in the
      // place of the bound.
      bool isUnknown = llvm::is_contained(decided.l1.unknown, index);
      facts.time = {time.total,
                    time.compute,
                    time.l1,
                    time.noc,
                    time.dram,
                    time.dispatch,
                    isUnknown ? std::string(kUnknownTime) : boundBy(time).str()};
      // What the checker counts beyond the plan's tensors are the op's temporaries. Below zero where its peak is over
      // before all results are there (L1Shares.h).
      facts.l1 = {decided.l1.tensors[index.index()], decided.l1.buffers[index.index()],
                  decided.l1.margins[index.index()],
                  decided.l1.tensors[index.index()] - variations.heldAt(index)};
      addBuffers(facts, question.signature(), question.inputs(), config);
      out.steps.push_back(std::move(facts));
    }
  }

  void addBuffers(StepFacts &facts, const OpSignature &signature, llvm::ArrayRef<LayoutId> inputs,
                  const OpConfig &config) {
    // Other backends say how much circular buffers take, not which there are.
    if (model.name() != "analytic")
      return;
    for (const CircularBuffer &buffer : explain(model.context(), {signature, inputs, config}).buffers)
      facts.circularBuffers.push_back({buffer.program.str(), buffer.holds.str(), buffer.pages, buffer.bytes});
  }

  void addOps() {
    for (auto [i, op] : llvm::enumerate(problem.ops)) {
      OpId id(i);
      OpFacts facts;
      facts.name = op.name;
      facts.location = op.location;
      if (const std::string &label = decided.labels[i]; label != op.location)
        facts.label = label;
      facts.role = op.role;
      facts.operands = numbers(op.operands);
      facts.results = numbers(op.results);
      facts.step = Index(variations.stepOf(id).index());
      // Pricing takes longer than all else here: who asks about one op has only that one priced.
      if (!decided.priced || decided.priced(facts))
        price(id, facts);
      out.ops.push_back(std::move(facts));
    }
  }

  void price(OpId id, OpFacts &facts) {
    std::vector<Variation> all = variations.alternatives(id);
    facts.considered = int64_t(variations.considered());
    for (size_t place : toList(all))
      facts.runnersUp.push_back(runnerUp(id, all[place]));
    // Kept, as the causes of spills look at the same alternatives.
    others[id.index()] = bestInL1(std::move(all));
  }

  /// For each result the best that makes it in L1: with all others a plan of 10,000 ops takes gigabytes.
  std::vector<Variation> bestInL1(std::vector<Variation> all) const {
    std::vector<Variation> best;
    std::set<size_t> found;
    for (Variation &other : all) {
      bool first = false;
      // What fits comes first, and then by time: so the first that makes a result there is the best.
      for (auto [result, layout] : llvm::enumerate(other.config.outputs))
        first |= problem.layout(layout).isL1() && found.insert(result).second;
      if (first)
        best.push_back(std::move(other));
    }
    return best;
  }

  /// The best, but of each kind of memory at least one: who asks why it is not DRAM is to find that. Ascending.
  /// Example: of 40 ways, 30 of them block-sharded and faster than all else, eight are listed: the fastest, the
  /// best in DRAM, the best interleaved in L1 and the best of each other sharding, and then the fastest of the
  /// rest.
  std::vector<size_t> toList(llvm::ArrayRef<Variation> all) const {
    std::set<size_t> places;
    std::set<std::pair<BufferType, std::optional<MemoryLayout>>> kinds;
    for (auto [place, other] : llvm::enumerate(all))
      if (!other.config.outputs.empty()) {
        const TensorLayout &layout = problem.layout(other.config.outputs.front());
        if (kinds.insert({layout.buffer, layout.memory}).second && places.size() < kMostRunnersUp)
          places.insert(place);
      }
    // Places left over go to the best of all.
    for (size_t place = 0; place < all.size() && places.size() < kMostRunnersUp; ++place)
      places.insert(place);
    return {places.begin(), places.end()};
  }

  /// Room is asked about first, then time, then whether the op model can tell the difference. So "missed" is left for
  /// what is legal, has room, is faster and is not in doubt.
  RunnerUp runnerUp(OpId op, const Variation &other) {
    RunnerUp facts;
    facts.outputs = layoutsOf(other.config.outputs);
    facts.inputs = layoutsOf(other.inputs);
    facts.config = other.config.specific;
    facts.configText = describe(other.config.specific);
    facts.op = other.op;
    facts.own = other.own;
    facts.delta = other.delta();
    facts.deltaOp = other.deltaOp;
    facts.deltaInputs = other.deltaInputs;
    facts.deltaReaders = other.deltaReaders;
    double delta = other.delta().value();
    // Memory first: what has no room has lost, whatever time it would take.
    Nanoseconds now = decided.cost.steps[variations.stepOf(op).index()].total;
    // In doubt as the contest has it, which does not make such a change either (docs/policies, "Choices under doubt"):
    // so it is not one that was missed.
    bool isDoubted = delta < 0 && other.conversions > 0 && isInDoubt(problem, op, now, other) &&
                     other.delta() >= doubtLimit(decided.cost.total()) * -1;
    facts.lost = other.tight            ? Loss::Memory
                 : delta > kEqualTimes  ? Loss::Slower
                 : isDoubted            ? Loss::Equal
                 : delta < -kEqualTimes ? Loss::Missed
                                        : Loss::Equal;
    if (other.tight)
      facts.step = Index(other.tight->index());
    facts.missing = other.missing;
    facts.because = becauseOf(other, facts.lost);
    if (isDoubted && delta < -kEqualTimes && !other.tight)
      facts.because = "faster by less than the op model can tell, and with more conversions";
    return facts;
  }

  std::string becauseOf(const Variation &other, Loss lost) const {
    if (other.tight)
      return llvm::formatv("{0} of L1 are missing at {1}", formatBytes(other.missing), nameOf(*other.tight));
    std::string text;
    const std::pair<llvm::StringRef, Nanoseconds> parts[] = {{"the op", other.deltaOp},
                                                             {"conversions of operands", other.deltaInputs},
                                                             {"what reads it", other.deltaReaders}};
    for (auto [what, time] : parts)
      if (std::abs(time.value()) > kEqualTimes)
        // Parts that do not differ explain nothing.
        text += (text.empty() ? "" : ", ") + what.str() + " " + DecisionWords::signedTime(time);
    if (lost == Loss::Equal)
      return "takes the same time";
    return text;
  }

  std::string nameOf(StepIndex index) const {
    const StepFacts &step = out.steps[index.index()];
    return DecisionWords::stepName(step, step.op ? decided.labels[size_t(*step.op)] : "?");
  }

  // ---- Addresses -----------------------------------------------------------------------------------------

  static Addresses addresses(const std::optional<AddressRange> &range) {
    if (!range)
      return std::nullopt;
    return std::vector<int64_t>{range->begin.value(), range->end.value()};
  }

  static std::optional<AddressRange> largest(llvm::ArrayRef<AddressRange> ranges) {
    // The file has one range per step, and the largest says most of where the op reaches.
    auto found = llvm::max_element(ranges, [](auto &a, auto &b) { return a.size() < b.size(); });
    return found == ranges.end() ? std::nullopt : std::optional(*found);
  }

  /// Where the device's allocator would put everything, DRAM included: the plan replayed as a device that opens for
  /// it.
  void addAddresses() {
    PlanReplay replay = replayAsOpened(problem, plan, model, /*withDram=*/true);
    auto inDram = [&](const TensorFacts &facts) {
      return layouts[size_t(facts.layout)].buffer == BufferType::DRAM;
    };
    for (auto [facts, range, place, viewed] :
         llvm::zip_equal(out.tensors, replay.tensors, replay.places, replay.viewOf)) {
      // The replay has one range for a tensor wherever it lies; the file tells the two memories apart.
      (inDram(facts) ? facts.dramAddress : facts.address) = addresses(range);
      facts.placeAddress = addresses(place);
      if (viewed)
        facts.viewOf = Index(viewed->index());
    }
    for (auto [facts, ranges] : llvm::zip_equal(out.steps, replay.steps)) {
      facts.buffersAddress = addresses(ranges.buffers);
      facts.temporariesAddress = addresses(largest(ranges.temporaries));
    }
    auto number = [](std::optional<StepIndex> step) {
      return step ? std::optional<Index>(Index(step->index())) : std::nullopt;
    };
    for (const NoRoom &request : replay.noRoom) {
      // A module that does not fit into DRAM is not what a plan of L1 is judged by.
      if (request.tensor.valid() && inDram(out.tensors[request.tensor.index()]))
        continue;
      std::vector<Index> tensors;
      if (request.tensor.valid())
        tensors.push_back(Index(request.tensor.index()));
      out.clashes.push_back({number(request.step), ClashKind::NoRoom, std::move(tensors), request.missing()});
    }
    for (const LaunchClash &clash : replay.clashes)
      out.clashes.push_back({number(clash.step), ClashKind::Clash, numbers(clash.tensors), clash.missing});
  }

  const DecidedPlan &decided;
  const Problem &problem;
  const Plan &plan;
  OpCostTable model;
  Variations variations;
  std::vector<std::optional<std::vector<Variation>>> others; ///< by OpId: bestInL1, if it was priced
  std::vector<TensorLayout> layouts;
  llvm::DenseMap<size_t, Index> indices; ///< LayoutId -> place in `layouts`; only looked up
  FunctionDecisions out;
};

} // namespace

FunctionDecisions decisions::collect(const DecidedPlan &decided) { return Collector(decided).run(); }
