//===- Forward.cpp - The beam of every op, in schedule order --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Of each op: what its configurations' results are worth to later ops
// (rateConfigs), in which ways its operands may be read (Ways), and of all pairs
// of the two the best for each set of result layouts. Two things keep that cheap:
// the questions to the op model are bounded for each op, and an op in a situation
// that was seen before gets the beam of then (situationOf).
//
//===----------------------------------------------------------------------===//
#include "Forward.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace tessera;
using namespace tessera::beam;

/// Questions per op: combinations of ways times configurations.
static constexpr size_t kMaxQuestions = 8192;
// Whatever the configurations: an op with thousands of them is still asked about some ways to read.
static constexpr size_t kMinCombinations = 64;

Forward::Forward(const Problem &problem, Oracle &oracle, Lookahead *lookahead, const PolicyOptions &options)
    : problem(problem), oracle(oracle), lookahead(lookahead), options(options),
      ways(problem, oracle, options.beam), lastHolder(lastReaders(problem)) {}

Beams Forward::run() {
  Beams beams;
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    appendBeam(OpId(i), beams);
    reportProgress(options.progress, "searching", i + 1, problem.ops.size());
  }
  return beams;
}

void Forward::appendBeam(OpId op, Beams &beams) {
  if (problem[op].role == OpRole::Fixed)
    return beams.append({baseCandidate(op)});
  rateConfigs(op);
  // An override belongs to one op.
  if (!options.beam.repeats || problem[op].restricted)
    return beams.append(beamOf(op, beams));
  auto [entry, isNew] = known.try_emplace(situationOf(op, beams), 0);
  if (!isNew)
    return beams.append(entry->second);
  beams.append(beamOf(op, beams));
  // Behind the append: only then the beam has a number.
  entry->second = beams.numberOf(op);
}

Words Forward::situationOf(OpId id, const Beams &beams) const {
  // All that beamOf looks at: an op that differs in something that is left out here would get the beam of another.
  Words words;
  oracle.describe(id, words);
  auto values = distinctValues(problem[id]);
  for (ValueId value : values)
    ways.describe(value, beams, words);
  words.add(!values.empty() && isReadLater(values.front(), id));
  for (const RatedConfig &rated : configs) {
    // What is further on counts through the worth alone, bit by bit, so a layer that is repeated meets itself again.
    words.add(rated.config, rated.worth.stuck, rated.worth.time);
  }
  return words;
}

bool Forward::isReadLater(ValueId value, OpId op) const {
  return lastHolder[value.index()] > problem.position(op);
}

bool Forward::isBetter(const Candidate &a, const Candidate &b) const {
  // Within a nanosecond times count as equal, on a fixed grid so that the order is a strict weak one.
  auto byTime = [](const Candidate &c) {
    return std::tuple(c.worth.stuck, std::llround((c.score.time + c.worth.time).value()), c.residency,
                      c.score.reshards, c.order);
  };
  // "Use working config without reshard, fall back to reshard only if none exists"; DRAM if no L1 layout works.
  auto greedily = [](const Candidate &c) {
    return std::tuple(c.residency == 2, c.conversions, c.residency, c.order);
  };
  auto byCores = [](const Candidate &c) {
    return std::tuple(c.residency, -c.score.minCores, c.score.reshards, c.order);
  };
  if (options.beam.objective == BeamObjective::Time)
    return byTime(a) < byTime(b);
  return options.beam.width == 1 ? greedily(a) < greedily(b) : byCores(a) < byCores(b);
}

void Forward::rateConfigs(OpId op) {
  configs.clear();
  configIds.clear();
  resultGroups = 0;
  for (ConfigId id : oracle.legal(op)) {
    std::optional<RatedConfig> rated = rate(op, id);
    if (!rated)
      continue;
    auto same = llvm::find_if(configs, [&](const RatedConfig &other) {
      return oracle[other.config].outputs == oracle[id].outputs;
    });
    rated->results = same == configs.end() ? resultGroups++ : same->results;
    configs.push_back(*rated);
    configIds.push_back(id);
  }
}

/// Nullopt if the results cannot be planned for, or nobody could read them.
std::optional<Forward::RatedConfig> Forward::rate(OpId op, ConfigId id) {
  RatedConfig rated{id};
  rated.cores = Score::kManyCores;
  for (auto [result, layout] : llvm::zip_equal(problem[op].results, oracle[id].outputs)) {
    if (!layout.valid())
      return std::nullopt; // what the backend chooses
    if (lookahead)
      rated.worth += lookahead->worth(result, layout) + lookahead->residencyCharge(layout);
    else if (ways.isPinned(result) && layout != problem[result].home)
      return std::nullopt; // a worth would say that its readers are stuck
    const TensorLayout &where = problem.layout(layout);
    rated.residency = std::max(rated.residency, residencyOf(where));
    if (where.isSharded())
      rated.cores = std::min(rated.cores, where.coreCount().value());
  }
  return rated.worth.possible() ? std::optional(rated) : std::nullopt;
}

/// Scores above the least: Score.
static void takeOffLeast(Beam &beam) {
  Score least = beam.front().score;
  for (const Candidate &candidate : beam) {
    least.time = std::min(least.time, candidate.score.time);
    least.reshards = std::min(least.reshards, candidate.score.reshards);
  }
  for (Candidate &candidate : beam) {
    candidate.score.time -= least.time;
    candidate.score.reshards -= least.reshards;
  }
}

/// The best `width`, and by time the best in interleaved L1 in each kind of pages: shards of many grids that take the same time would
/// else leave no place for rows, which pay only if ops further on go in rows, too.
void Forward::keepWidth(Beam &beam) const {
  size_t width = size_t(options.beam.width), rank = 0;
  bool reserves = options.beam.objective == BeamObjective::Time && width > 1;
  bool hasPages[2] = {};
  llvm::erase_if(beam, [&](const Candidate &candidate) {
    llvm::ArrayRef<LayoutId> outputs = oracle[candidate.config].outputs;
    bool isReserved = false;
    if (reserves && !outputs.empty()) {
      const TensorLayout &layout = problem.layout(outputs.front());
      bool &known = hasPages[size_t(layout.page)];
      isReserved = layout.isL1() && !layout.isSharded() && !known;
      known |= isReserved;
    }
    return rank++ >= width && !isReserved;
  });
}

Beam Forward::beamOf(OpId op, const Beams &beams) {
  // Questions to the op model are what takes time: an op of many configurations is asked about fewer ways to read.
  ways.collect(op, beams, configIds,
               std::max(kMinCombinations, kMaxQuestions / std::max<size_t>(1, configs.size())));
  bool byTime = options.beam.objective == BeamObjective::Time;
  std::vector<std::optional<Candidate>> best(resultGroups); // by RatedConfig::results: dominance
  for (auto [number, combination] : llvm::enumerate(ways.combinations())) {
    for (auto [index, config] : llvm::enumerate(configs)) {
      std::optional<Candidate> &known = best[config.results];
      if (byTime && known && combination.cost >= known->score.time.value())
        continue; // the op itself takes some time too
      std::optional<Candidate> candidate = tryCandidate(op, combination, config);
      if (!candidate)
        continue;
      // By configuration first, as legal ones come best first by the analyses; then by what its conversions cost.
      candidate->order = unsigned(index * ways.combinations().size() + number);
      if (!known || isBetter(*candidate, *known))
        known = std::move(candidate);
    }
  }
  Beam beam;
  for (std::optional<Candidate> &candidate : best)
    if (candidate)
      beam.push_back(std::move(*candidate));
  if (beam.empty())
    return {baseCandidate(op)};
  llvm::sort(beam, [&](const Candidate &a, const Candidate &b) { return isBetter(a, b); });
  keepWidth(beam);
  takeOffLeast(beam);
  return beam;
}

std::optional<Candidate> Forward::tryCandidate(OpId op, const Combination &combination,
                                               const RatedConfig &rated) {
  Candidate candidate;
  candidate.config = rated.config;
  candidate.worth = rated.worth;
  candidate.residency = rated.residency;
  candidate.score.minCores = rated.cores;
  for (auto [value, index] : llvm::enumerate(combination.options)) {
    const Way &way = ways.way(value, index);
    candidate.inputs.push_back(way.input());
    candidate.score.time += way.score.time;
    candidate.score.minCores = std::min(candidate.score.minCores, way.score.minCores);
    candidate.score.reshards += way.score.reshards;
    candidate.conversions += way.converted;
  }
  llvm::SmallVector<LayoutId, 8> inputs;
  for (unsigned position : ways.positions())
    inputs.push_back(candidate.inputs[position].layout);
  ConfigId asRun = rated.config;
  if (!candidate.inputs.empty() && !candidate.inputs.front().converted &&
      isReadLater(ways.values().front(), op))
    asRun = oracle.keepingInput(rated.config); // what a later op reads is not freed
  StepCost answer = oracle.run(op, inputs, asRun);
  if (!answer.legal)
    return std::nullopt;
  candidate.score.time += answer.time;
  return candidate;
}

Candidate Forward::baseCandidate(OpId op) const {
  Candidate candidate;
  candidate.config = oracle.base(op);
  for (ValueId value : distinctValues(problem[op]))
    candidate.inputs.push_back({baseInput(problem, op, value), 0, false});
  // The worst there is: it stands alone in its beam, so nothing is ranked by it.
  candidate.residency = 2;
  return candidate;
}
