//===- Chooser.cpp - The best way to run one op here ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Chooser.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace tessera;
using namespace tessera::greedy;

/// Combinations of copies that are there already.
static constexpr size_t kMaxDirect = 16;
/// Operands over all ways to read them together. Eight operands, the most in any model seen, have 150 ways; a concat of
/// hundreds would take the square of its width.
static constexpr size_t kMaxCombined = 4096;

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
  // All of them, and not those alone that the bound left: for people who ask what was looked at.
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
  options.begin(situation.op);
  // Configurations first: where the op's results may lie is where its operands are brought to.
  rateConfigs(situation);
  collectOptions(situation);
  combine(situation);
}

void Chooser::rateConfigs(const Situation &situation) {
  configs.clear();
  configIds.clear();
  const Op &op = problem[situation.op];
  for (ConfigId id : oracle.legal(situation.op)) {
    // What the results are worth does not depend on how the op reads, so it is asked once per configuration and not
    // once per combination.
    RatedConfig rated{id};
    bool named = true;
    for (auto [index, result] : llvm::enumerate(op.results)) {
      LayoutId layout = oracle[id].outputs[index];
      named &= layout.valid(); // what the backend chooses cannot be planned for
      if (!named)
        break;
      rated.worth +=
          lookahead.worthUntil(result, layout, situation.leavesAt[index]) + lookahead.residencyCharge(layout);
      rated.residency += residencyOf(problem.layout(layout));
    }
    // Results that leave a reader without any way are out, however fast the op makes them.
    if (named && rated.worth.possible()) {
      configs.push_back(rated);
      configIds.push_back(id);
    }
  }
}

// ---- Ways to read one value ------------------------------------------------------------------------------

void Chooser::collectOptions(const Situation &situation) {
  size_t values = situation.values.size();
  for (size_t value = 0; value < values; ++value)
    for (auto [index, source] : llvm::enumerate(situation.sources[value]))
      options.addThere(value, {{source.layout}, {index, LayoutId()}, source.dies});
  for (size_t value = 0; value < values; ++value)
    if (!situation.pinned[value])
      options.addTargets(value, configIds, /*reshards=*/true,
                         [&](LayoutId target) { addConversion(situation, value, target); });
}

void Chooser::addConversion(const Situation &situation, size_t value, LayoutId target) {
  if (options.find(value, target))
    return;
  // One option for each target, since later combinations only see the layout. From a copy in L1 a conversion costs less than from DRAM.
  if (auto nearest = oracle.nearest(situation.values[value], situation.layoutsOf(value), target))
    options[value].push_back(
        {{target, nearest->second.time.value()}, {nearest->first, target}, /*dies=*/true});
}

// ---- Ways to read all of them ----------------------------------------------------------------------------

void Chooser::combine(const Situation &situation) {
  combineDirect(situation);
  // One value converted, the others as they are.
  llvm::SmallVector<unsigned, 4> chosen(situation.values.size(), 0);
  for (size_t value = 0; value < chosen.size(); ++value) {
    // Copies that are there are combined with each other above; conversions only one at a time. Pairs of
    // conversions that pay together place operands alike, which is tried below.
    for (size_t option = situation.sources[value].size(); option < options[value].size(); ++option) {
      chosen[value] = unsigned(option);
      tryCombination(chosen);
    }
    chosen[value] = 0;
  }
  options.forEachPlacement(configIds, [&](llvm::ArrayRef<unsigned> placed) { tryCombination(placed); });
  options.addBase();
  // Cheapest conversions first: a good candidate early makes the bound reject most of the rest.
  llvm::sort(options.combinations(), [](const Combination &a, const Combination &b) {
    return std::tuple(a.cost, a.order) < std::tuple(b.cost, b.order);
  });
}

/// All combinations of copies that are there, like an odometer with the last value turning fastest.
void Chooser::combineDirect(const Situation &situation) {
  llvm::SmallVector<unsigned, 4> chosen(situation.values.size(), 0);
  for (size_t count = 0; count < kMaxDirect; ++count) {
    tryCombination(chosen);
    size_t wheel = chosen.size();
    while (wheel > 0 && ++chosen[wheel - 1] == situation.sources[wheel - 1].size())
      chosen[--wheel] = 0;
    if (wheel == 0)
      return;
  }
}

void Chooser::tryCombination(llvm::ArrayRef<unsigned> chosen) {
  if (options.combinations().size() * chosen.size() < kMaxCombined)
    options.add(chosen);
}

// ---- Evaluation ------------------------------------------------------------------------------------------

template <class Visit, class Bound>
void Chooser::evaluate(const Situation &situation, Visit visit, Bound bound) {
  unsigned order = 0;
  for (const Combination &combination : options.combinations())
    for (const RatedConfig &config : configs) {
      ++order;
      if (std::optional<Price> limit = bound();
          limit && config.worth + Nanoseconds(combination.cost) > *limit)
        continue; // the op itself takes some time too
      if (std::optional<Candidate> candidate = tryCandidate(situation, combination, config)) {
        candidate->order = order;
        visit(std::move(*candidate));
      }
    }
}

std::optional<Candidate> Chooser::tryCandidate(const Situation &situation, const Combination &combination,
                                               const RatedConfig &rated) {
  auto option = [&](size_t value) -> const Option & { return options[value][combination.options[value]]; };
  llvm::SmallVector<LayoutId, 8> inputs;
  for (unsigned position : options.positions())
    inputs.push_back(option(position).layout);
  Candidate candidate;
  candidate.config = rated.config;
  // A conv2d that frees its operand would free it under later readers.
  if (!inputs.empty() && !option(options.positions().front()).dies)
    candidate.config = oracle.keepingInput(rated.config);
  StepCost answer = oracle.run(situation.op, inputs, candidate.config);
  if (!answer.legal)
    return std::nullopt;
  for (size_t value = 0; value < situation.values.size(); ++value) {
    candidate.choices.push_back(option(value).choice);
    candidate.conversions += option(value).choice.target.valid();
  }
  candidate.score = rated.worth + (Nanoseconds(combination.cost) + answer.time);
  candidate.residency = rated.residency;
  return candidate;
}
