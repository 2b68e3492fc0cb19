//===- Fit.h - The parameters that fit timings best -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_FIT_H
#define TESSERA_LIB_EVALUATION_FIT_H

#include "tessera/Evaluation/Evaluation.h"

#include <Eigen/Core>

#include <set>

namespace tessera::evaluation {

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
std::vector<Variable> variablesOf(const Calibration &start);

/// One least-squares problem over all parameters that some timing depends on: r = ln(predicted / measured) in
/// ln(parameter), with the soft L1 loss 2 s^2 (sqrt(1 + (r/s)^2) - 1), and a weak pull towards the start for what the
/// timings leave open. Eigen's Levenberg-Marquardt solves it; derivatives are differences; which parameters a family
/// depends on is found by trying.
class Fit {
public:
  /// `start`: what the values are drawn to. The rows must outlive the fit.
  Fit(llvm::ArrayRef<const Timing *> rows, const Calibration &start);
  /// The calibration that fits best, of those that the descents from `starts` end in.
  /// `descended` is called after each.
  Calibration run(llvm::ArrayRef<Calibration> starts, llvm::function_ref<void()> descended) const;
  /// Whether a timing depends on the variable, by its index.
  const std::set<size_t> &used() const { return usedVariables; }
  const std::vector<Variable> &all() const { return variables; }

private:
  /// Where a descent ended, in logarithms, and the sum of squares there.
  struct Found {
    Eigen::VectorXd x;
    double cost;
  };
  class Problem;

  /// By trying: a family depends on a parameter if any of its rows takes another time when that is halved or
  /// doubled.
  void findDependencies();
  /// So that a family of thousands of rows does not drown one of ten.
  void weigh();
  Found descend(const Calibration &from) const;
  Calibration calibrationAt(const Eigen::VectorXd &x) const;
  /// ln(predicted / measured).
  double residual(size_t row, const Calibration &at) const;

  std::vector<const Timing *> rows;
  std::vector<double> weights;
  Calibration start;
  std::vector<Variable> variables;
  std::set<size_t> usedVariables;
  // By position among the used variables, as all vectors are:
  Eigen::VectorXd origin, pull;                            ///< where each is drawn to, and how strongly
  std::map<std::string, std::vector<size_t>> dependencies; ///< of a family
};

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_FIT_H
