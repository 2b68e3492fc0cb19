//===- Calibrate.cpp - Fitting the runtime parameters to timings ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a fit says of the rows that it was fitted to is no measure of the model. So
// shapes are held back, a fold at a time, and predicted by a fit that has not seen
// them; and what was kept as `unseen` takes part in neither.
//
//===----------------------------------------------------------------------===//
#include "Fit.h"
#include "Timings.h"

#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <mutex>

namespace tessera {
namespace {

using evaluation::Fit, evaluation::Variable, evaluation::variablesOf;

/// Uniform in [0, 1), from a hash.
double uniform(llvm::StringRef text, uint64_t seed) {
  uint64_t hash = llvm::xxh3_64bits(text.str() + "/" + std::to_string(seed));
  // 53 bits are all that a double holds.
  return double(hash >> 11) * 0x1p-53;
}

/// Least-squares problems like these have several valleys.
constexpr uint64_t kDescents = 3;

/// The values times up to 1.35, or divided by it; those that are expected elsewhere, at what is expected.
Calibration shaken(Calibration calibration, uint64_t seed) {
  for (const Variable &variable : variablesOf(calibration)) {
    double unit = uniform(parameterTable()[size_t(variable.id)].name, seed * 2 + variable.blackhole);
    variable.set(calibration, variable.get(calibration) * std::exp((2 * unit - 1) * 0.3));
  }
  for (const ExpectedValue &expected : expectedValues())
    calibration.of(expected.arch)[expected.id] = expected.value;
  return calibration;
}

// ---- Cross-validation -----------------------------------------------------------------------------------

/// The fold of every row: within a family of traces, an op of the data movement, or a group of other tables, all rows
/// of a shape are in one.
std::vector<unsigned> foldsOf(llvm::ArrayRef<Timing> timings, unsigned folds, uint64_t seed) {
  auto domain = [](const Timing &timing) {
    if (timing.group == "data_movement")
      return llvm::StringRef(timing.family).split(' ').first.str();
    return timing.group == "op_trace" ? timing.family : timing.group;
  };
  std::map<std::string, std::set<std::pair<double, std::string>>> shapes;
  // In the order of a hash, dealt out one by one: folds of a domain differ by one shape at most, however the table is
  // sorted.
  for (const Timing &timing : timings)
    shapes[domain(timing)].insert({uniform(timing.shape, seed), timing.shape});
  std::map<std::pair<std::string, std::string>, unsigned> fold;
  for (const auto &[name, ordered] : shapes)
    for (const auto &[index, shape] : llvm::enumerate(ordered))
      fold[{name, shape.second}] = unsigned(index % folds);
  std::vector<unsigned> result;
  for (const Timing &timing : timings)
    result.push_back(fold[{domain(timing), timing.shape}]);
  return result;
}

/// Whether the row depends on a variable that was not fitted.
bool restsOnUnfitted(const Timing &timing, const Fit &fit, const Calibration &fitted) {
  for (size_t v = 0; v < fit.all().size(); ++v) {
    if (fit.used().count(v))
      continue;
    Calibration changed = fitted;
    const Variable &variable = fit.all()[v];
    // Any change does; half as much again shows also where a part is hidden behind a larger one that is near.
    variable.set(changed, variable.get(fitted) * 1.5);
    if (timing.model(changed) != timing.model(fitted))
      return true;
  }
  return false;
}

/// Counts the descents of all threads.
class DescentCounter {
public:
  DescentCounter(const ProgressFunction &progress, size_t all) : progress(progress), all(all) {}
  void operator()() {
    std::lock_guard<std::mutex> lock(mutex);
    reportProgress(progress, "fitting parameters", ++done, all);
  }

private:
  std::mutex mutex;
  const ProgressFunction &progress;
  size_t done = 0;
  const size_t all;
};

} // namespace

Calibration calibrate(llvm::ArrayRef<Timing> timings, const Calibration &start,
                      const ProgressFunction &progress) {
  std::vector<const Timing *> rows;
  for (const Timing &timing : timings)
    // What is doubtful would pull at parameters that have no part in it, and what is unseen is kept to judge by.
    if (timing.doubt.empty() && !timing.unseen)
      rows.push_back(&timing);
  std::vector<Calibration> starts = {start};
  for (uint64_t seed = 1; seed < kDescents; ++seed)
    starts.push_back(shaken(start, seed));
  DescentCounter counter(progress, kDescents);
  return Fit(rows, start).run(starts, [&] { counter(); });
}

// 1  Shapes are dealt out to folds: rows of one shape stay together, or a fit would have seen what it is asked.
// 2  For each fold the parameters are fitted to all others.
// 3  Its rows are predicted with these; not those that rest on a parameter which no other row has: its value is none of
// the fit's.
void crossValidate(TimingEvaluation &evaluation, unsigned folds, uint64_t seed,
                   const ProgressFunction &progress) {
  std::vector<unsigned> fold = foldsOf(evaluation.timings, folds, seed);
  DescentCounter counter(progress, folds * kDescents);
  llvm::DefaultThreadPool pool;
  for (unsigned held = 0; held < folds; ++held)
    pool.async([&, held] {
      std::vector<const Timing *> others;
      for (size_t i = 0; i < fold.size(); ++i)
        if (fold[i] != held && evaluation.timings[i].doubt.empty() && !evaluation.timings[i].unseen)
          others.push_back(&evaluation.timings[i]);
      std::vector<Calibration> starts;
      for (uint64_t i = 0; i < kDescents; ++i)
        // Never from the built-in values themselves: they were fitted to all rows, the held ones among them.
        starts.push_back(shaken(builtInCalibration(), (seed * folds + held) * kDescents + i));
      Fit fit(others, starts[0]);
      Calibration fitted = fit.run(starts, [&] { counter(); });
      for (size_t i = 0; i < fold.size(); ++i)
        if (fold[i] == held && !evaluation.timings[i].unseen) {
          Timing &timing = evaluation.timings[i];
          timing.crossValidated = std::nullopt;
          if (!restsOnUnfitted(timing, fit, fitted))
            timing.crossValidated = timing.model(fitted);
        }
    });
  pool.wait();
  evaluation.crossValidated =
      evaluation::figuresOf(evaluation.timings, [](const Timing &timing) { return timing.crossValidated; });
}

} // namespace tessera
