//===- Chooser.cpp - The best way to run one op here ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Chooser.h"

#include "../Common/Forms.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace tessera;
using namespace tessera::greedy;

/// Combinations of copies that are there already.
static constexpr size_t kMaxDirect = 16;
static constexpr size_t kMaxOptions = 32;
/// Operands over all ways to read them together. Eight operands, the most in any model seen, have 150 ways; a concat of
/// hundreds would take the square of its width.
static constexpr size_t kMaxAssigned = 4096;

static constexpr unsigned kNoOption = ~0u;

/// Scores within a nanosecond count as equal, on a fixed grid so that the order is a strict weak one. They hold the
/// residency charge, which decides between equal times; residency itself decides where a faster result elsewhere just makes
/// up for the charge.
static auto rank(const Candidate &candidate) {
  return std::tuple(candidate.score.stuck, std::llround(candidate.score.time.value()), candidate.residency,
                    candidate.conversions, candidate.order);
}

std::optional<Candidate> Chooser::best(const Situation &situation) {
  prepare(situation);
  std::optional<Candidate> best;
  evaluate(
      situation,
      [&](Candidate candidate) {
        if (!best || rank(candidate) < rank(*best))
          best = std::move(candidate);
      },
      [&] { return best ? std::optional(best->score) : std::nullopt; });
  return best;
}

std::vector<Candidate> Chooser::all(const Situation &situation) {
  prepare(situation);
  std::vector<Candidate> found;
  evaluate(
      situation, [&](Candidate candidate) { found.push_back(std::move(candidate)); },
      [] { return std::optional<Price>(); });
  llvm::sort(found, [](const Candidate &a, const Candidate &b) { return rank(a) < rank(b); });
  return found;
}

void Chooser::note(const Situation &situation, DecisionLog &log) {
  std::vector<Candidate> found = all(situation);
  log.considered[situation.op] = found.size();
  std::vector<LoggedCandidate> &list = log.candidates[situation.op];
  list.clear(); // of an earlier walk
  for (const Candidate &candidate : llvm::ArrayRef(found).take_front(DecisionLog::kMostCandidates)) {
    LoggedCandidate &logged = list.emplace_back();
    logged.config = oracle[candidate.config];
    for (auto [choice, sources] : llvm::zip_equal(candidate.choices, situation.sources))
      logged.inputs.push_back(choice.target.valid() ? choice.target : sources[choice.source].layout);
    logged.score = candidate.score.time;
    logged.conversions = candidate.conversions;
  }
}

void Chooser::prepare(const Situation &situation) {
  positionOf.clear();
  for (ValueId operand : problem[situation.op].operands)
    positionOf.push_back(unsigned(llvm::find(situation.values, operand) - situation.values.begin()));
  // Configurations first: where the op's results may lie is where its operands are brought to.
  rateConfigs(situation);
  collectOptions(situation);
  collectAssignments(situation);
}

void Chooser::rateConfigs(const Situation &situation) {
  configs.clear();
  configIds.clear();
  const Op &op = problem[situation.op];
  for (ConfigId id : oracle.legal(situation.op)) {
    RatedConfig rated{id};
    bool named = true;
    for (auto [index, result] : llvm::enumerate(op.results)) {
      LayoutId layout = oracle[id].outputs[index];
      named &= layout.valid(); // what the backend chooses cannot be planned for
      if (!named)
        break;
      rated.worth +=
          lookahead.worthUntil(result, layout, situation.leavesAt[index]) + lookahead.residencyCharge(layout);
      const TensorLayout &where = problem.layout(layout);
      rated.residency += where.isSharded() ? 0 : where.isL1() ? 1 : 2;
    }
    if (named && rated.worth.possible()) {
      configs.push_back(rated);
      configIds.push_back(id);
    }
  }
}

// ---- Ways to read one value ------------------------------------------------------------------------------

void Chooser::collectOptions(const Situation &situation) {
  options.assign(situation.values.size(), {});
  for (size_t value = 0; value < situation.values.size(); ++value) {
    for (auto [index, source] : llvm::enumerate(situation.sources[value]))
      options[value].push_back({{index, LayoutId()}, source.layout, Nanoseconds(0), source.dies});
    if (!situation.pinned[value])
      addTargets(situation, value);
  }
}

void Chooser::addTargets(const Situation &situation, size_t value) {
  llvm::SmallVector<LayoutId, 16> others;
  for (size_t other = 0; other < situation.values.size(); ++other)
    for (const Source &source : situation.sources[other])
      if (other != value)
        others.push_back(source.layout);
  Reading reading{situation.op, situation.values[value], configIds, others};
  for (LayoutId target : conversionTargets(oracle, problem, reading))
    if (options[value].size() < kMaxOptions)
      addConversion(situation, value, target);
}

LayoutId Chooser::baseInputOf(const Situation &situation, size_t value) const {
  llvm::ArrayRef<ValueId> operands = problem[situation.op].operands;
  return baseInput(problem, situation.op,
                   size_t(llvm::find(operands, situation.values[value]) - operands.begin()));
}

void Chooser::addConversion(const Situation &situation, size_t value, LayoutId target) {
  if (optionIn(value, target) != kNoOption)
    return;
  std::optional<Option> fastest;
  for (auto [index, source] : llvm::enumerate(situation.sources[value])) {
    // The cheapest source counts: from a copy in L1 a conversion costs less than from DRAM.
    StepCost answer = oracle.convert(situation.values[value], source.layout, target);
    if (answer.legal && (!fastest || answer.time < fastest->time))
      fastest = Option{{index, target}, target, answer.time, /*dies=*/true};
  }
  if (fastest)
    options[value].push_back(*fastest);
}

unsigned Chooser::optionIn(size_t value, LayoutId layout) const {
  for (auto [index, option] : llvm::enumerate(options[value]))
    if (option.layout == layout)
      return unsigned(index);
  return kNoOption;
}

// ---- Ways to read all of them ----------------------------------------------------------------------------

void Chooser::collectAssignments(const Situation &situation) {
  assignments.clear();
  addDirect(situation);
  // One value converted, the others as they are.
  llvm::SmallVector<unsigned, 4> chosen(situation.values.size(), 0);
  for (size_t value = 0; value < options.size(); ++value) {
    // Copies that are there are combined with each other above; conversions only one at a time. Pairs of
    // conversions that pay together place operands alike, which addPlacements tries.
    for (unsigned option = unsigned(situation.sources[value].size()); option < options[value].size();
         ++option) {
      chosen[value] = option;
      tryAssignment(chosen);
    }
    chosen[value] = 0;
  }
  addPlacements(situation);
  // What is certainly legal.
  for (size_t value = 0; value < options.size(); ++value)
    if (unsigned option = optionIn(value, baseInputOf(situation, value)); option != kNoOption)
      chosen[value] = option;
  addAssignment(chosen);
  // Cheapest conversions first: a good candidate early makes the bound reject most of the rest.
  llvm::sort(assignments, [](const Assignment &a, const Assignment &b) {
    return std::tuple(a.time, a.order) < std::tuple(b.time, b.order);
  });
}

/// All combinations of copies that are there, like an odometer with the last value turning fastest.
void Chooser::addDirect(const Situation &situation) {
  llvm::SmallVector<unsigned, 4> chosen(situation.values.size(), 0);
  for (size_t count = 0; count < kMaxDirect; ++count) {
    tryAssignment(chosen);
    size_t wheel = chosen.size();
    while (wheel > 0 && ++chosen[wheel - 1] == situation.sources[wheel - 1].size())
      chosen[--wheel] = 0;
    if (wheel == 0)
      return;
  }
}

/// All activations placed alike: like a result, or like one of them. Constants stay where they are.
void Chooser::addPlacements(const Situation &situation) {
  llvm::SmallVector<LayoutId, 16> there;
  for (const std::vector<Source> &sources : situation.sources)
    for (const Source &source : sources)
      there.push_back(source.layout);
  for (LayoutId placement : sharedPlacements(oracle, problem, configIds, there)) {
    llvm::SmallVector<unsigned, 4> chosen(situation.values.size(), 0);
    for (size_t value = 0; value < situation.values.size(); ++value) {
      if (problem[situation.values[value]].kind == ValueKind::Constant)
        continue;
      LayoutId like = oracle.placedLike(placement, situation.values[value]);
      if (unsigned option = like.valid() ? optionIn(value, like) : kNoOption; option != kNoOption)
        chosen[value] = option;
    }
    tryAssignment(chosen);
  }
}

void Chooser::tryAssignment(llvm::ArrayRef<unsigned> chosen) {
  if (assignments.size() * chosen.size() < kMaxAssigned)
    addAssignment(chosen);
}

void Chooser::addAssignment(llvm::ArrayRef<unsigned> chosen) {
  if (llvm::any_of(assignments, [&](const Assignment &a) { return llvm::equal(a.options, chosen); }))
    return;
  Assignment assignment;
  assignment.options.assign(chosen.begin(), chosen.end());
  for (size_t value = 0; value < chosen.size(); ++value) {
    const Option &option = options[value][chosen[value]];
    assignment.time += option.time;
    assignment.conversions += option.choice.target.valid();
  }
  assignment.order = unsigned(assignments.size());
  assignments.push_back(std::move(assignment));
}

// ---- Evaluation ------------------------------------------------------------------------------------------

template <class Visit, class Bound>
void Chooser::evaluate(const Situation &situation, Visit visit, Bound bound) {
  unsigned order = 0;
  for (const Assignment &assignment : assignments)
    for (const RatedConfig &config : configs) {
      ++order;
      if (std::optional<Price> limit = bound(); limit && config.worth + assignment.time > *limit)
        continue; // the op itself takes some time too
      if (std::optional<Candidate> candidate = tryCandidate(situation, assignment, config)) {
        candidate->order = order;
        visit(std::move(*candidate));
      }
    }
}

std::optional<Candidate> Chooser::tryCandidate(const Situation &situation, const Assignment &assignment,
                                               const RatedConfig &rated) {
  llvm::SmallVector<LayoutId, 8> inputs;
  for (unsigned position : positionOf)
    inputs.push_back(options[position][assignment.options[position]].layout);
  Candidate candidate;
  candidate.config = rated.config;
  // A conv2d that frees its operand would free it under later readers.
  if (!positionOf.empty() && !options[positionOf[0]][assignment.options[positionOf[0]]].dies)
    candidate.config = oracle.keepingInput(rated.config);
  StepCost answer = oracle.run(situation.op, inputs, candidate.config);
  if (!answer.legal)
    return std::nullopt;
  for (size_t value = 0; value < options.size(); ++value)
    candidate.choices.push_back(options[value][assignment.options[value]].choice);
  candidate.score = rated.worth + (assignment.time + answer.time);
  candidate.residency = rated.residency;
  candidate.conversions = assignment.conversions;
  return candidate;
}
