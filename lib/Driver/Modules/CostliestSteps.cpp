//===- CostliestSteps.cpp - What takes most time -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The overview that `tessera explain` gives of a plan without an op's name:
// where the time goes, what rewrites gained, and who holds L1 where it is
// fullest. A sentence each, so that the next question can be about one op.
//
//===----------------------------------------------------------------------===//
#include "DecisionText.h"

#include "tessera/Optimizer/Decisions/DecisionWords.h"
#include "tessera/Optimizer/Decisions/Otherwise.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::decisions;
namespace json = llvm::json;

/// The most expensive steps of a kind, the first first; none that takes no time.
static std::vector<Index> costliest(const FunctionDecisions &f, PlanStep::Kind kind, size_t most) {
  std::vector<Index> steps;
  for (auto [i, step] : llvm::enumerate(f.steps))
    if (step.kind == kind && step.time.total > Nanoseconds(0))
      steps.push_back(Index(i));
  auto time = [&](Index step) { return f.steps[size_t(step)].time.total; };
  // The index settles ties, so that equal times stand in the order of the plan on every machine.
  llvm::sort(steps, [&](Index a, Index b) { return std::pair(time(b), a) < std::pair(time(a), b); });
  steps.resize(std::min(steps.size(), most));
  return steps;
}

/// What a reader should know first of a step.
static std::string sentence(const DecisionWords &w, Index index) {
  const StepFacts &step = w.step(index);
  if (!step.isRun()) {
    std::string why = w.spillWhy(index);
    return w.value(step.reads.front()) + " from " + w.layoutOf(step.reads.front()) + " to " +
           w.layoutOf(step.writes.front()) + ", bound by " + step.time.boundBy +
           (why.empty() ? "" : "; " + why);
  }
  const OpFacts &op = w.op(*step.op);
  std::string text = "bound by " + step.time.boundBy;
  if (!step.writes.empty())
    text += ", makes " + w.layoutOf(step.writes.front());
  if (op.runnersUp.empty())
    return text + "; nothing else is legal";
  const RunnerUp &best = op.runnersUp.front();
  std::string other = best.outputs.empty() ? "another way" : w.layout(best.outputs.front());
  if (!step.writes.empty() && other == w.layoutOf(step.writes.front()))
    other = otherwise(w.f, op, best); // two layouts that read the same would tell nothing
  bool asFast = best.delta == Nanoseconds(0);
  return text + "; " + other + " instead: " + (asFast ? "as fast" : DecisionWords::signedTime(best.delta)) +
         (best.lost == decisions::Loss::Memory ? ", but " + best.because : "");
}

/// The parts that rewrites made, those that gained most first.
static std::vector<const RewrittenFacts *> rewrittenParts(const FunctionDecisions &f) {
  std::vector<const RewrittenFacts *> parts;
  for (const RewrittenFacts &part :
       f.rewrites ? llvm::ArrayRef(*f.rewrites) : llvm::ArrayRef<RewrittenFacts>())
    parts.push_back(&part);
  // Equal ones in the order of the file.
  llvm::sort(parts, [](auto *a, auto *b) {
    return std::pair(b->before - b->after, a) < std::pair(a->before - a->after, b);
  });
  return parts;
}

static void printRewritten(llvm::raw_ostream &os, const FunctionDecisions &f, size_t most) {
  std::vector<const RewrittenFacts *> parts = rewrittenParts(f);
  if (parts.empty())
    return;
  os << "\nThe rewrites that gained most\n";
  auto gained =
      llvm::ArrayRef(parts).take_while([](const RewrittenFacts *part) { return part->after < part->before; });
  for (const RewrittenFacts *part : gained.take_front(most))
    os << "  " << DecisionWords::rewritten(*part) << ": " << DecisionWords::gain(*part) << "\n";
  // What is no gain here may be one elsewhere: a layout that others can read, room.
  if (size_t others = parts.size() - gained.size())
    os << "  and " << others
       << (others == 1 ? " that is no gain by itself" : " that are no gain by themselves")
       << ", in a plan that is faster with " << (others == 1 ? "it" : "them") << "\n";
}

void tessera::printCostliest(llvm::raw_ostream &os, const FunctionDecisions &f, size_t most) {
  DecisionWords w(f);
  os << llvm::formatv("@{0}: {1} ops, policy {2}{3}, {4}; {5} before, {6} after, of that {7} for conversions",
                      f.function, f.ops.size(), f.policy, f.origin ? " (" + *f.origin + ")" : "",
                      f.device.name, formatNanoseconds(f.before.time), formatNanoseconds(f.after.time),
                      formatNanoseconds(f.after.conversions));
  if (int64_t unknown = f.unknownTimes())
    os << "; of " << unknown << " ops the time is unknown";
  os << "\n";
  // Apart, as what is to be done about them differs: an op can run otherwise, a conversion be left out.
  for (PlanStep::Kind kind : {PlanStep::Kind::Run, PlanStep::Kind::Convert}) {
    std::vector<Index> steps = costliest(f, kind, most);
    os << (kind == PlanStep::Kind::Run ? "\nThe ops that take most time\n"
                                       : "\nThe conversions that take most time\n");
    if (steps.empty())
      os << "  none\n";
    for (Index index : steps) {
      const StepFacts &step = w.step(index);
      os << llvm::formatv("  {0}  {1} ({2}): {3}\n", w.stepName(index), formatNanoseconds(step.time.total),
                          formatPercent(step.time.total / f.after.time), sentence(w, index));
    }
  }
  printRewritten(os, f, most);
  if (!f.after.peakStep)
    return;
  os << llvm::formatv("\nWho holds L1 at the peak: {0} of {1} per core, at {2}\n",
                      formatBytes(f.after.peakL1), formatBytes(f.budget), w.stepName(*f.after.peakStep));
  printShares(os, f, *f.after.peakStep, most);
}

/// With the sentences, so that who shows it need not know what is worth telling of a step.
json::Value tessera::costliestAsJson(const FunctionDecisions &f, size_t most) {
  DecisionWords w(f);
  json::Object lists;
  for (auto [key, kind] :
       {std::pair("ops", PlanStep::Kind::Run), std::pair("conversions", PlanStep::Kind::Convert)}) {
    json::Array list;
    for (Index index : costliest(f, kind, most))
      list.push_back(json::Object{{"step", index},
                                  {"name", w.stepName(index)},
                                  {"time_ns", int64_t(w.step(index).time.total.value())},
                                  {"share", w.step(index).time.total / f.after.time},
                                  {"sentence", sentence(w, index)}});
    lists[key] = std::move(list);
  }
  json::Array rewrites;
  for (const RewrittenFacts *part : rewrittenParts(f))
    rewrites.push_back(toJson(*part));
  lists["rewrites"] = std::move(rewrites);
  if (f.after.peakStep)
    lists["peak"] = json::Object{{"step", *f.after.peakStep},
                                 {"name", w.stepName(*f.after.peakStep)},
                                 {"bytes", f.after.peakL1.value()},
                                 {"l1_shares", sharesAsJson(f, *f.after.peakStep)}};
  lists["function"] = f.function;
  lists["policy"] = f.policy;
  lists["time_ns"] = int64_t(f.after.time.value());
  lists["unknown_time"] = f.unknownTimes();
  return lists;
}
