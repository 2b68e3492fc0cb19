//===- Trace.cpp - One candidate per op, back from the results -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Trace.h"

#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace tessera;
using namespace tessera::beam;

// Forward, each candidate took its operands as it guessed that they would come; here one candidate per op is chosen
// for good. Going backwards, all readers of a result are decided when its producer is, so that what a candidate
// costs them can be asked instead of guessed.
Trace::Trace(const Problem &problem, Oracle &oracle, const Beams &beams, const BeamOptions &options)
    : problem(problem), oracle(oracle), beams(beams), options(options), decisions(problem.ops.size()),
      chosen(problem.ops.size(), 0) {}

std::vector<Decision> Trace::run() {
  // Readers before producers: what a candidate really takes is known only when its readers have said what they want.
  for (size_t i = problem.ops.size(); i-- > 0;)
    decide(OpId(i));
  // Nobody makes an argument, so nobody has asked yet what its readers could do without.
  if (options.jointForks)
    for (ValueId value : givenValues(problem))
      settle(value, problem[value].declared);
  return std::move(decisions);
}

void Trace::decide(OpId op) {
  const Beam &beam = beams[op];
  size_t index = beam.size() == 1 ? 0 : options.jointForks ? chooseJointly(op) : chooseByVote(op);
  chosen[op.index()] = unsigned(index);
  const Decision &decision = decisions[op.index()] = decisionOf(beam[index]);
  if (!options.jointForks)
    return;
  // Each candidate would have had other readers change, so they change only now that one is chosen.
  for (auto [result, made] : llvm::zip_equal(problem[op].results, oracle[decision.config].outputs))
    settle(result, made);
}

/// Its readers do as is cheapest for all of them together.
void Trace::settle(ValueId value, LayoutId made) {
  Charge charge;
  satisfy(value, made, charge);
  for (auto &[reader, changed] : charge.changed)
    decisions[reader.index()] = std::move(changed);
}

size_t Trace::chooseJointly(OpId op) {
  const Beam &beam = beams[op];
  size_t best = 0;
  bool byTime = options.objective == BeamObjective::Time;
  // Without times a result in DRAM, which all read as it is, would take nothing at all: what is asked for comes first, as forward.
  // Nanoseconds are rounded, since sums of doubles in another order may differ in the last bits, and ties go by
  // residency.
  auto rank = [&](Price price, const Candidate &candidate) {
    return std::tuple(price.stuck, byTime ? 0 : candidate.residency, std::llround(price.time.value()),
                      candidate.residency);
  };
  std::optional<std::tuple<int, int, long long, int>> least;
  for (auto [index, candidate] : llvm::enumerate(beam)) {
    Charge charge;
    // Without its worth, which was an estimate of what is charged here.
    if (byTime)
      charge.price.time = candidate.score.time;
    for (auto [result, made] : llvm::zip_equal(problem[op].results, oracle[candidate.config].outputs))
      satisfy(result, made, charge);
    auto now = rank(charge.price, candidate);
    if (least && *least <= now)
      continue; // ties go to the better candidate
    least = now;
    best = index;
  }
  return best;
}

/// The published rule (facts/ir 4.4): the candidate that most readers assumed.
size_t Trace::chooseByVote(OpId op) const {
  // A reader votes for the candidate from which its own path came. One that came from a wider beam than this has no
  // vote.
  std::vector<unsigned> votes(beams[op].size(), 0);
  for (ValueId result : problem[op].results)
    for (const Use &use : problem[result].uses) {
      const Candidate &reader = beams[use.op][chosen[use.op.index()]];
      unsigned parent = reader.inputs[placeOf(problem[use.op], result)].parent;
      if (parent < votes.size())
        ++votes[parent];
    }
  return size_t(llvm::max_element(votes) - votes.begin());
}

/// By layout, each with all who want it: one conversion serves them all. In the order of uses, the return last.
llvm::SmallVector<Trace::Want, 4> Trace::wantsOf(ValueId id) const {
  llvm::SmallVector<Want, 4> wants;
  auto want = [&](LayoutId layout) -> Want & {
    auto known = llvm::find_if(wants, [&](const Want &other) { return other.layout == layout; });
    if (known != wants.end())
      return *known;
    wants.push_back({layout, {}, false});
    return wants.back();
  };
  for (OpId reader : readingOps(problem[id]))
    want(decisions[reader.index()].inputs[placeOf(problem[reader], id)]).readers.push_back(reader);
  // The way from home to the declared layout stands at the function's end in every plan, so it decides nothing here.
  if (problem[id].returned)
    want(problem[id].home).returned = true;
  return wants;
}

/// From the layout that is made to one that is wanted, on the way from home if need be.
Price Trace::priceOf(ValueId value, LayoutId made, LayoutId wanted) {
  bool byTime = options.objective == BeamObjective::Time;
  auto price = [&](LayoutId from, LayoutId to) {
    if (from == to)
      return Price();
    StepCost step = oracle.convert(value, from, to);
    return step.legal ? Price{0, byTime ? step.time : Nanoseconds(1)} : kNoWay;
  };
  // No other ways: a draft converts from what is made or from home (readIn).
  LayoutId home = problem[value].home;
  return std::min(price(made, wanted), price(made, home) + price(home, wanted));
}

/// What it takes that each reader finds the value in the layout that it wants, or does with another one. Greedy:
/// wants are asked one after the other, and one that is given up is out of reach of those behind it. A value has
/// few wants, but all subsets of them would be many.
void Trace::satisfy(ValueId value, LayoutId made, Charge &charge) {
  llvm::SmallVector<Want, 4> wants = wantsOf(value);
  llvm::SmallVector<LayoutId, 4> there = {made}; // what readers find, whoever pays for it
  for (const Want &want : wants)
    if (want.layout != made)
      there.push_back(want.layout);
  for (const Want &want : wants) {
    if (want.layout == made)
      continue;
    // The return takes its layout and no other, so it is never what does without.
    Price converted = priceOf(value, made, want.layout), without = want.returned ? kNoWay : Price();
    llvm::SmallVector<std::pair<OpId, Decision>, 2> changed;
    llvm::SmallVector<LayoutId, 4> others;
    llvm::copy_if(there, std::back_inserter(others), [&](LayoutId layout) { return layout != want.layout; });
    for (OpId reader : want.readers) {
      // One conversion serves them all, so only all of them together can spare it.
      if (without >= converted)
        break;
      Price price = kNoWay;
      if (std::optional<Decision> decision = readInstead(reader, value, others, price))
        changed.push_back({reader, std::move(*decision)});
      without += price;
    }
    charge.price += std::min(converted, without);
    if (without >= converted)
      continue;
    // Who is asked after this finds no tensor in that layout any more.
    there = std::move(others);
    llvm::append_range(charge.changed, changed);
  }
}

/// The reader's decision with the value in the best of `layouts`, its results as decided; `price`: what that takes more.
std::optional<Decision> Trace::readInstead(OpId reader, ValueId value, llvm::ArrayRef<LayoutId> layouts,
                                           Price &price) {
  const Decision &now = decisions[reader.index()];
  if (problem[reader].role == OpRole::Fixed)
    return std::nullopt;
  Decision best, instead = now;
  size_t place = placeOf(problem[reader], value);
  Price least = kNoWay;
  for (LayoutId layout : layouts)
    // Those behind the reader are decided, and were so for the results that it makes.
    for (ConfigId config : makingTheSame(oracle, reader, now.config)) {
      instead.config = config;
      instead.inputs[place] = layout;
      if (Price now = priceOf(reader, instead); now < least) {
        least = now;
        best = instead;
      }
    }
  if (!least.possible())
    return std::nullopt;
  // Below nothing if the other layout is faster: what forward took for the best was chosen among fewer.
  price = least - priceOf(reader, now);
  return best;
}

Price Trace::priceOf(OpId op, const Decision &decision) {
  auto inputs = byOperand<LayoutId>(problem[op], decision.inputs);
  // Whether a convolution may free its operand shows when lifetimes do, on the draft. An override that insists is legal only as it is.
  StepCost answer = oracle.run(op, inputs, oracle.keepingInput(decision.config));
  if (!answer.legal)
    answer = oracle.run(op, inputs, decision.config);
  return answer.legal ? Price{0, answer.time} : kNoWay;
}
