//===- Calibrate.cpp - Fitting the runtime parameters to timings ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One least-squares problem over all parameters and all timings: Levenberg-Marquardt
// on r = ln(predicted / measured) in ln(parameter), with the soft L1 loss
// 2 s^2 (sqrt(1 + (r/s)^2) - 1) by reweighting, and a weak pull towards the start for
// what the timings leave open. Derivatives are differences; which parameters a family
// depends on is found by trying.
//
//===----------------------------------------------------------------------===//
#include "Timings.h"

#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/xxhash.h"

#include <Eigen/Dense>

#include <cmath>
#include <mutex>
#include <set>

namespace tessera {
namespace {

/// A value that may be fitted: of one architecture, or of both at once.
struct Variable {
  Parameter id;
  bool wormhole, blackhole;

  bool is(Parameter other, Arch arch) const {
    return id == other && (arch == Arch::Blackhole ? blackhole : wormhole);
  }
  double least() const { return leastValue(id, wormhole ? Arch::WormholeB0 : Arch::Blackhole); }
  double get(const Calibration &c) const { return (wormhole ? c.wormhole : c.blackhole)[id]; }
  void set(Calibration &c, double value) const {
    if (wormhole)
      c.wormhole[id] = value;
    if (blackhole)
      c.blackhole[id] = value;
  }
};

/// All that may be fitted. A term that is switched off (0) stays off.
std::vector<Variable> variablesOf(const Calibration &start) {
  std::vector<Variable> variables;
  auto add = [&](Variable variable) {
    if (variable.get(start) > 0)
      variables.push_back(variable);
  };
  for (size_t i = 0; i < kParameterCount; ++i) {
    ParameterFit fit = parameterTable()[i].fit;
    if (fit == ParameterFit::Shared)
      add({Parameter(i), true, true});
    if (fit == ParameterFit::Both || fit == ParameterFit::Wormhole)
      add({Parameter(i), true, false});
    if (fit == ParameterFit::Both || fit == ParameterFit::Blackhole)
      add({Parameter(i), false, true});
  }
  return variables;
}

/// Uniform in [0, 1), from a hash.
double uniform(llvm::StringRef text, uint64_t seed) {
  uint64_t hash = llvm::xxh3_64bits(text.str() + "/" + std::to_string(seed));
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

class Fit {
public:
  /// `start`: what the values are drawn to.
  Fit(llvm::ArrayRef<const Timing *> rows, const Calibration &start);
  /// The calibration that fits best, of those that the descents from `starts` end in.
  /// `descended` is called after each.
  Calibration run(llvm::ArrayRef<Calibration> starts, llvm::function_ref<void()> descended) const;
  /// Whether a timing depends on the variable, by its index.
  const std::set<size_t> &used() const { return usedVariables; }
  const std::vector<Variable> &all() const { return variables; }

private:
  static constexpr double kSoftness = 0.1, kPull = 3e-3, kExpectedPull = 0.09, kStep = 1e-3;
  static constexpr int kRounds = 100, kPatience = 4; ///< rounds in all, and with hardly any progress

  struct Found {
    Eigen::VectorXd x;
    double cost;
  };
  Found descend(const Calibration &from) const;

  void findDependencies();
  void weigh();
  double residual(size_t row, const Calibration &at) const;
  double cost(const Eigen::VectorXd &x, const Calibration &at) const;
  /// Normal equations at `x`: matrix and gradient.
  void linearize(const Eigen::VectorXd &x, Calibration at, Eigen::MatrixXd &matrix,
                 Eigen::VectorXd &gradient) const;
  Calibration calibrationAt(const Eigen::VectorXd &x) const;

  std::vector<const Timing *> rows;
  std::vector<double> weights;
  Calibration start;
  std::vector<Variable> variables;
  Eigen::VectorXd origin, pull; ///< where each variable is drawn to, and how strongly
  std::map<std::string, std::vector<size_t>> dependencies; ///< of a family
  std::set<size_t> usedVariables;
};

Fit::Fit(llvm::ArrayRef<const Timing *> rows, const Calibration &start)
    : rows(rows.begin(), rows.end()), start(start), variables(variablesOf(start)), origin(variables.size()),
      pull(Eigen::VectorXd::Constant(Eigen::Index(variables.size()), kPull)) {
  for (size_t i = 0; i < variables.size(); ++i)
    origin[Eigen::Index(i)] = std::log(variables[i].get(start));
  for (const ExpectedValue &expected : expectedValues())
    for (size_t i = 0; i < variables.size(); ++i)
      if (variables[i].is(expected.id, expected.arch)) {
        origin[Eigen::Index(i)] = std::log(expected.value);
        pull[Eigen::Index(i)] = kExpectedPull;
      }
  weigh();
  findDependencies();
}

/// Every shape of a family weighs the same, and no family more than 200 rows.
void Fit::weigh() {
  std::map<std::string, std::map<std::string, double>> families;
  for (const Timing *row : rows)
    families[row->family][row->shape] += 1;
  std::map<std::string, double> count;
  for (const Timing *row : rows)
    count[row->family] += 1;
  for (const Timing *row : rows) {
    const auto &shapes = families[row->family];
    double rowsOfFamily = std::min(200.0, count[row->family]);
    weights.push_back(rowsOfFamily / double(shapes.size()) / shapes.at(row->shape));
  }
}

/// Tries each variable, halved and doubled, on up to 48 rows of each family.
void Fit::findDependencies() {
  std::map<std::string, std::vector<const Timing *>> families;
  for (const Timing *row : rows)
    families[row->family].push_back(row);
  for (const auto &[family, members] : families) {
    size_t stride = std::max<size_t>(1, members.size() / 48);
    for (size_t v = 0; v < variables.size(); ++v) {
      bool depends = false;
      for (double factor : {0.5, 2.0}) {
        Calibration changed = start;
        variables[v].set(changed, variables[v].get(start) * factor);
        for (size_t i = 0; i < members.size() && !depends; i += stride)
          depends = members[i]->model(changed) != members[i]->model(start);
      }
      if (!depends)
        continue;
      dependencies[family].push_back(v);
      usedVariables.insert(v);
    }
  }
}

double Fit::residual(size_t row, const Calibration &at) const {
  return std::log(std::max(1e-3, rows[row]->model(at)) / rows[row]->measured);
}

double Fit::cost(const Eigen::VectorXd &x, const Calibration &at) const {
  double sum = (x - origin).cwiseAbs2().dot(pull);
  for (size_t i = 0; i < rows.size(); ++i) {
    double r = residual(i, at) / kSoftness;
    sum += weights[i] * 2 * kSoftness * kSoftness * (std::sqrt(1 + r * r) - 1);
  }
  return sum;
}

void Fit::linearize(const Eigen::VectorXd &x, Calibration at, Eigen::MatrixXd &matrix,
                    Eigen::VectorXd &gradient) const {
  matrix = pull.asDiagonal();
  gradient = pull.cwiseProduct(x - origin);
  std::vector<double> slopes;
  for (size_t i = 0; i < rows.size(); ++i) {
    auto found = dependencies.find(rows[i]->family);
    if (found == dependencies.end())
      continue;
    const std::vector<size_t> &inputs = found->second;
    double r = residual(i, at), weight = weights[i] / std::sqrt(1 + r * r / (kSoftness * kSoftness));
    slopes.clear();
    for (size_t v : inputs) {
      double value = variables[v].get(at);
      variables[v].set(at, value * std::exp(kStep));
      slopes.push_back((residual(i, at) - r) / kStep);
      variables[v].set(at, value);
    }
    for (size_t a = 0; a < inputs.size(); ++a) {
      if (slopes[a] == 0)
        continue;
      gradient[Eigen::Index(inputs[a])] += weight * slopes[a] * r;
      for (size_t b = 0; b < inputs.size(); ++b)
        matrix(Eigen::Index(inputs[a]), Eigen::Index(inputs[b])) += weight * slopes[a] * slopes[b];
    }
  }
}

Calibration Fit::calibrationAt(const Eigen::VectorXd &x) const {
  Calibration calibration = start;
  for (size_t v : usedVariables)
    variables[v].set(calibration,
                     std::clamp(std::exp(x[Eigen::Index(v)]), variables[v].least(), kLargestParameter));
  return calibration;
}

Fit::Found Fit::descend(const Calibration &from) const {
  Eigen::VectorXd x = origin, gradient;
  for (size_t v : usedVariables)
    x[Eigen::Index(v)] = std::log(variables[v].get(from));
  Eigen::MatrixXd matrix;
  double damping = 1e-2, best = cost(x, calibrationAt(x));
  int idle = 0;
  for (int round = 0; round < kRounds && idle < kPatience && damping < 1e6; ++round) {
    linearize(x, calibrationAt(x), matrix, gradient);
    double before = best;
    while (damping < 1e6) {
      Eigen::MatrixXd damped = matrix;
      damped.diagonal() *= 1 + damping;
      // No value moves by more than a factor of two in one step.
      Eigen::VectorXd next = x - damped.ldlt().solve(gradient).cwiseMin(0.7).cwiseMax(-0.7);
      double reached = cost(next, calibrationAt(next));
      if (reached < best) {
        x = next;
        best = reached;
        damping = std::max(1e-9, damping / 5);
        break;
      }
      damping *= 4;
    }
    idle = before - best <= 1e-5 * before ? idle + 1 : 0;
  }
  return {x, best};
}

Calibration Fit::run(llvm::ArrayRef<Calibration> starts, llvm::function_ref<void()> descended) const {
  std::optional<Found> best;
  for (const Calibration &from : starts) {
    if (Found found = descend(from); !best || found.cost < best->cost)
      best = std::move(found);
    descended();
  }
  return best ? calibrationAt(best->x) : start;
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
    if (timing.doubt.empty())
      rows.push_back(&timing);
  std::vector<Calibration> starts = {start};
  for (uint64_t seed = 1; seed < kDescents; ++seed)
    starts.push_back(shaken(start, seed));
  DescentCounter counter(progress, kDescents);
  return Fit(rows, start).run(starts, [&] { counter(); });
}

void crossValidate(TimingEvaluation &evaluation, unsigned folds, uint64_t seed,
                   const ProgressFunction &progress) {
  std::vector<unsigned> fold = foldsOf(evaluation.timings, folds, seed);
  DescentCounter counter(progress, folds * kDescents);
  llvm::DefaultThreadPool pool;
  for (unsigned held = 0; held < folds; ++held)
    pool.async([&, held] {
      std::vector<const Timing *> others;
      for (size_t i = 0; i < fold.size(); ++i)
        if (fold[i] != held && evaluation.timings[i].doubt.empty())
          others.push_back(&evaluation.timings[i]);
      std::vector<Calibration> starts;
      for (uint64_t i = 0; i < kDescents; ++i)
        starts.push_back(shaken(builtInCalibration(), (seed * folds + held) * kDescents + i));
      Fit fit(others, starts[0]);
      Calibration fitted = fit.run(starts, [&] { counter(); });
      for (size_t i = 0; i < fold.size(); ++i)
        if (fold[i] == held) {
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
