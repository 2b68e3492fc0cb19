//===- Fit.cpp - The parameters that fit timings best ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Fit.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseQR>
#include <unsupported/Eigen/LevenbergMarquardt>

#include <cmath>

namespace tessera::evaluation {
namespace {

constexpr double kSoftness = 0.1; ///< errors above count linearly
// Weights of a squared distance in ln: weak beside rows, whose weights are near 1, but enough for what no row decides.
constexpr double kPull = 3e-3, kExpectedPull = 0.09;
constexpr double kStep = 1e-3;      ///< of differences
constexpr double kTolerance = 1e-6; ///< of the cost, relative
constexpr double kFirstStep = 1;    ///< all values together: e-fold
constexpr int kMostEvaluations = 200;

/// Its square is the soft L1 loss; linear where r is small.
double softened(double r) { return r * std::sqrt(2 / (1 + std::hypot(1, r / kSoftness))); }

double softenedSlope(double r) {
  double h = std::hypot(1, r / kSoftness);
  return std::sqrt((1 + h) / 2) / h;
}

} // namespace

std::vector<Variable> variablesOf(const Calibration &start) {
  std::vector<Variable> variables;
  auto add = [&](Variable variable) {
    if (variable.get(start) > 0)
      variables.push_back(variable);
  };
  for (size_t i = 0; i < kParameterCount; ++i) {
    // One variable for both architectures where the table says that they share the value: rows of either then speak for
    // it.
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

// 1  Rows get their weights (weigh).
// 2  Each family gets the variables that its rows change with; what nothing depends on is not fitted
// (findDependencies).
// 3  Each used variable gets a value that it is drawn to, so that none runs away where rows leave it open.
// 4  From several starts the same descent (descend); of where they end, the best counts (run).
// All of it is in logarithms: errors are ratios, and values stay above 0.
Fit::Fit(llvm::ArrayRef<const Timing *> rows, const Calibration &start)
    : rows(rows.begin(), rows.end()), start(start), variables(variablesOf(start)) {
  weigh();
  findDependencies();
  origin.resize(Eigen::Index(usedVariables.size()));
  pull = Eigen::VectorXd::Constant(origin.size(), kPull);
  for (auto [i, v] : llvm::enumerate(usedVariables)) {
    origin[Eigen::Index(i)] = std::log(variables[v].get(start));
    // What is known from elsewhere is held more firmly, and drawn to that instead of to the start.
    for (const ExpectedValue &expected : expectedValues())
      if (variables[v].is(expected.id, expected.arch)) {
        origin[Eigen::Index(i)] = std::log(expected.value);
        pull[Eigen::Index(i)] = kExpectedPull;
      }
  }
}

/// Every shape of a family weighs the same, and no family more than 200 rows.
void Fit::weigh() {
  // Tables differ in length by orders of magnitude, and in how often they repeat a shape; neither says how much
  // an op matters.
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
  std::map<std::string, std::vector<size_t>> found;
  for (const auto &[family, members] : families) {
    // Some rows show it as well as all do, and each that is looked at is asked twice for every variable.
    size_t stride = std::max<size_t>(1, members.size() / 48);
    for (size_t v = 0; v < variables.size(); ++v) {
      bool depends = false;
      // Both ways: where the larger of two parts counts, a parameter shows only when its part grows, or only
      // when it shrinks.
      for (double factor : {0.5, 2.0}) {
        Calibration changed = start;
        variables[v].set(changed, variables[v].get(start) * factor);
        for (size_t i = 0; i < members.size() && !depends; i += stride)
          depends = members[i]->model(changed) != members[i]->model(start);
      }
      if (!depends)
        continue;
      found[family].push_back(v);
      usedVariables.insert(v);
    }
  }
  for (auto &[family, inputs] : found)
    for (size_t v : inputs)
      dependencies[family].push_back(size_t(std::distance(usedVariables.begin(), usedVariables.find(v))));
}

double Fit::residual(size_t row, const Calibration &at) const {
  // A model may come to nothing while values are tried; a picosecond keeps the logarithm finite.
  return std::log(std::max(1e-3, rows[row]->model(at)) / rows[row]->measured);
}

Calibration Fit::calibrationAt(const Eigen::VectorXd &x) const {
  Calibration calibration = start;
  for (auto [i, v] : llvm::enumerate(usedVariables))
    variables[v].set(calibration,
                     std::clamp(std::exp(x[Eigen::Index(i)]), variables[v].least(), kLargestParameter));
  return calibration;
}

/// The problem as Eigen wants it: a value for each row, then one for the pull on each variable.
class Fit::Problem : public Eigen::SparseFunctor<double, int> {
public:
  explicit Problem(const Fit &fit)
      : SparseFunctor(int(fit.origin.size()), int(fit.rows.size()) + int(fit.origin.size())), fit(fit) {
    for (size_t v : fit.usedVariables)
      variables.push_back(&fit.variables[v]);
  }

  int operator()(const Eigen::VectorXd &x, Eigen::VectorXd &values) const {
    const Calibration at = fit.calibrationAt(x);
    auto count = Eigen::Index(fit.rows.size());
    for (Eigen::Index i = 0; i < count; ++i)
      values[i] = std::sqrt(fit.weights[size_t(i)]) * softened(fit.residual(size_t(i), at));
    values.tail(fit.origin.size()) = fit.pull.cwiseSqrt().cwiseProduct(x - fit.origin);
    return 0;
  }

  int df(const Eigen::VectorXd &x, Eigen::SparseMatrix<double> &jacobian) const {
    Calibration at = fit.calibrationAt(x);
    std::vector<Eigen::Triplet<double>> slopes;
    for (size_t i = 0; i < fit.rows.size(); ++i) {
      // A family depends on few of all parameters: the rest of the row is 0 and need not be tried.
      auto found = fit.dependencies.find(fit.rows[i]->family);
      if (found == fit.dependencies.end())
        continue;
      double r = fit.residual(i, at), slope = std::sqrt(fit.weights[i]) * softenedSlope(r);
      for (size_t v : found->second) {
        double value = variables[v]->get(at);
        variables[v]->set(at, value * std::exp(kStep));
        if (double change = fit.residual(i, at) - r; change != 0)
          slopes.emplace_back(int(i), int(v), slope * change / kStep);
        variables[v]->set(at, value);
      }
    }
    for (Eigen::Index v = 0; v < fit.pull.size(); ++v)
      slopes.emplace_back(int(fit.rows.size()) + int(v), int(v), std::sqrt(fit.pull[v]));
    jacobian.setFromTriplets(slopes.begin(), slopes.end());
    return 0;
  }

private:
  const Fit &fit;
  std::vector<const Variable *> variables; ///< the used ones
};

Fit::Found Fit::descend(const Calibration &from) const {
  Eigen::VectorXd x = origin;
  for (auto [i, v] : llvm::enumerate(usedVariables))
    x[Eigen::Index(i)] = std::log(variables[v].get(from));
  Problem problem(*this);
  Eigen::LevenbergMarquardt<Problem> solver(problem);
  // A step is as long as the logarithms change, whatever the scale of the derivatives.
  solver.diag() = Eigen::VectorXd::Ones(x.size());
  solver.setExternalScaling(true);
  solver.setFactor(kFirstStep / std::max(1.0, x.stableNorm()));
  solver.setFtol(kTolerance);
  solver.setXtol(0);
  solver.setMaxfev(kMostEvaluations);
  solver.minimize(x);
  return {x, solver.fnorm() * solver.fnorm()};
}

Calibration Fit::run(llvm::ArrayRef<Calibration> starts, llvm::function_ref<void()> descended) const {
  std::optional<Found> best;
  for (const Calibration &from : starts) {
    if (!usedVariables.empty())
      // There are several valleys (docs/op-model.md), so the best of several descents counts.
      if (Found found = descend(from); !best || found.cost < best->cost)
        best = std::move(found);
    descended();
  }
  return best ? calibrationAt(best->x) : start;
}

} // namespace tessera::evaluation
