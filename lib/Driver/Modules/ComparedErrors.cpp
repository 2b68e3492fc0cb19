//===- ComparedErrors.cpp - How exact modules are -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Kernels round, so a plan that runs other kernels gives other bits than its
// input without being wrong. What tells is the distance of both from a third
// run, which does not round: a plan may be as far off as its input was, and a
// little more.
//
//===----------------------------------------------------------------------===//
#include "ComparedErrors.h"

#include "tessera/Simulator/Compare.h"

#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace tessera;
using simulator::Comparison;
using simulator::MeshTensor;

namespace {

/// More than any growth that a user may allow.
constexpr double kWorst = std::numeric_limits<double>::infinity();

std::string errorsOf(const Comparison &comparison) {
  std::string text = llvm::formatv("{0:F6} pcc {1:F6} max {2:F6} mean {3:F6}", comparison.relativeRms,
                                   comparison.pcc, comparison.maxAbsolute, comparison.meanAbsolute);
  // The figures are of finite elements alone, so what they leave out is told.
  return comparison.notFinite ? llvm::formatv("{0} ({1} not finite)", text, comparison.notFinite).str()
                              : text;
}

/// nullopt if one is not known.
std::optional<double> larger(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

/// The same tensor of three runs.
struct Tensors {
  const MeshTensor &exact, &before, &after;
};

/// nullopt if no element can be compared: an error of nothing would say that all is well.
std::optional<double> printTensor(const std::string &name, const Tensors &tensors, llvm::raw_ostream &os) {
  std::optional<double> worst = 0;
  size_t devices = std::min({tensors.exact.size(), tensors.before.size(), tensors.after.size()});
  for (size_t device = 0; device < devices; ++device) {
    Comparison input = simulator::compare(tensors.before[device], tensors.exact[device]),
               plan = simulator::compare(tensors.after[device], tensors.exact[device]),
               apart = simulator::compare(tensors.after[device], tensors.before[device]);
    os << name << (devices > 1 ? ".device" + std::to_string(device) : "") << "  "
       << simulator::describe(tensors.exact[device].desc) << "  ";
    if (!plan.sameType) {
      os << "another shape or kind of elements\n";
      worst = kWorst;
      continue;
    }
    os << "input " << errorsOf(input) << ", plan " << errorsOf(plan) << ", plan against input "
       << errorsOf(apart) << "\n";
    int64_t elements = tensors.exact[device].volume();
    bool comparable = elements == 0 || (input.notFinite < elements && plan.notFinite < elements);
    worst = comparable ? larger(worst, simulator::errorGrowth(input, plan)) : std::nullopt;
  }
  return worst;
}

} // namespace

std::optional<double> tessera::printErrors(const ErrorRuns &runs, llvm::raw_ostream &os) {
  std::optional<double> worst = 0;
  // What both have is compared even if their numbers differ, which is told below.
  size_t count = std::min(runs.before.returned.size(), runs.after.returned.size());
  for (size_t i = 0; i < count; ++i)
    worst = larger(
        worst, printTensor(runs.function.name + ".result" + std::to_string(i),
                           {runs.exact.returned[i], runs.before.returned[i], runs.after.returned[i]}, os));
  for (const auto &[argument, exact] : runs.exact.written) {
    auto before = runs.before.written.find(argument), after = runs.after.written.find(argument);
    if (before != runs.before.written.end() && after != runs.after.written.end())
      worst = larger(worst, printTensor(runs.function.name + ".argument" + std::to_string(argument),
                                        {exact, before->second, after->second}, os));
  }
  bool comparable = runs.before.returned.size() == runs.after.returned.size() &&
                    runs.before.written.size() == runs.after.written.size();
  if (!comparable)
    os << runs.function.name << "  another number of results or of arguments that are written\n";
  return comparable ? worst : kWorst;
}
