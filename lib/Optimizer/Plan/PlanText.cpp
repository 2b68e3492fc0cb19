//===- PlanText.cpp - A plan for people -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A plan in lines, as the head of Plan.h shows it, and the names by which
// messages call its parts: "t3 (%12, l1/interleaved/8x8)", "step 4
// (conversion of %12)".
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/PlanText.h"

#include "tessera/Optimizer/Plan/ConversionEffects.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

// Messages are about plans that may be broken, so each id is looked at before it is followed.
std::string valueName(const Problem &problem, ValueId id) {
  return id.valid() && id.index() < problem.values.size() ? problem[id].name : "?";
}

std::string opName(const Problem &problem, OpId id) {
  return id.valid() && id.index() < problem.ops.size() ? problem[id].location : "?";
}

bool exists(const Plan &plan, TensorId id) { return id.valid() && id.index() < plan.tensors.size(); }

std::string layoutText(const Problem &problem, const Plan &plan, TensorId id) {
  if (!exists(plan, id))
    return "?";
  LayoutId layout = plan[id].layout;
  return layout.valid() && layout.index() < problem.layouts->size() ? describe(problem.layout(layout)) : "?";
}

std::string tensorName(TensorId id) { return id.valid() ? "t" + std::to_string(id.index()) : "t?"; }

std::string list(llvm::ArrayRef<TensorId> tensors) {
  std::string text;
  for (TensorId id : tensors)
    text += (text.empty() ? "" : ", ") + tensorName(id);
  return text;
}

/// " -> t3 l1/interleaved ..., t4 dram/interleaved ...".
std::string made(const Problem &problem, const Plan &plan, const PlanStep &step) {
  std::string text;
  for (TensorId id : step.writes)
    text += (text.empty() ? " -> " : ", ") + tensorName(id) + " " + layoutText(problem, plan, id);
  return text;
}

void printStep(llvm::raw_ostream &os, const Problem &problem, const Plan &plan, const PlanStep &step,
               const std::optional<ConversionEffect> &effect) {
  if (!step.isRun()) {
    os << "convert " << list(step.reads) << made(problem, plan, step);
    if (effect)
      os << "  // " << describe(problem, *effect);
    os << "\n";
    return;
  }
  os << "run     " << opName(problem, step.op) << " (" << list(step.reads) << ")"
     << made(problem, plan, step);
  if (step.op.valid() && step.op.index() < plan.configs.size())
    if (std::string knobs = describe(plan.configs[step.op.index()].specific); !knobs.empty())
      os << "  // " << knobs;
  os << "\n";
}

} // namespace

std::string tessera::describeTensor(const Problem &problem, const Plan &plan, TensorId tensor) {
  if (!exists(plan, tensor))
    return tensorName(tensor);
  return llvm::formatv("{0} ({1}, {2})", tensorName(tensor), valueName(problem, plan[tensor].value),
                       layoutText(problem, plan, tensor))
      .str();
}

std::string tessera::describeStep(const Problem &problem, const Plan &plan, StepIndex step) {
  if (step >= plan.end())
    return llvm::formatv("step {0}", step.index()).str();
  const PlanStep &data = plan[step];
  if (data.isRun())
    return llvm::formatv("step {0} (run {1})", step.index(), opName(problem, data.op)).str();
  TensorId source = data.reads.empty() ? TensorId() : data.reads.front();
  std::string value = exists(plan, source) ? valueName(problem, plan[source].value) : "?";
  return llvm::formatv("step {0} (conversion of {1})", step.index(), value).str();
}

/// Arguments that are read, steps in their order, each below the places that are kept since then, and what is
/// returned.
void tessera::print(llvm::raw_ostream &os, const Problem &problem, const Plan &plan) {
  std::vector<bool> made(plan.tensors.size(), false), read(plan.tensors.size(), false);
  auto mark = [](std::vector<bool> &marks, llvm::ArrayRef<TensorId> tensors) {
    for (TensorId id : tensors)
      if (id.valid() && id.index() < marks.size())
        marks[id.index()] = true;
  };
  for (const PlanStep &step : plan.steps) {
    mark(made, step.writes);
    mark(read, step.reads);
  }
  mark(read, plan.returned);
  for (size_t i = 0; i < plan.tensors.size(); ++i)
    // Arguments; those that no op reads say nothing about the plan.
    if (!made[i] && read[i])
      os << "t" << i << " = " << valueName(problem, plan.tensors[i].value) << " "
         << layoutText(problem, plan, TensorId(i)) << "\n";
  for (auto [step, effect] : llvm::zip_equal(plan.steps, conversionEffects(problem, plan))) {
    for (const KeptPlace &place : plan.kept)
      if (llvm::is_contained(step.writes, place.since))
        os << "keep    the place of " << tensorName(place.tensor) << " "
           << layoutText(problem, plan, place.tensor) << "\n";
    printStep(os, problem, plan, step, effect);
  }
  if (!plan.returned.empty())
    os << "return  " << list(plan.returned) << "\n";
}
