//===- Diff.cpp - What is different between two plans ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two plans of one program, op by op. The plans may come from two modules
// (before and after a change of the compiler, or of two compilers), so ops have
// no common numbers; they are paired as two texts are by diff, by kind, shapes
// and types (Pairing.cpp). What is left without a partner is told as such and
// takes part in the sums. An op that only one side has a time for is told, and
// its time lent to the other side in the speed-up.
//
//===----------------------------------------------------------------------===//
#include "tessera/Report/Diff.h"

#include "Pairing.h"
#include "tessera/Optimizer/Decisions/DecisionWords.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace tessera;
using namespace tessera::report;
using namespace tessera::decisions;
namespace json = llvm::json;

namespace {

/// Nothing where the graph is the input's.
llvm::ArrayRef<RewrittenFacts> partsOf(const FunctionDecisions &f) {
  return f.rewrites ? llvm::ArrayRef(*f.rewrites) : llvm::ArrayRef<RewrittenFacts>();
}

/// One plan, with the conversions by the op that they are made for.
class Side {
public:
  /// `other` is the plan on the other side.
  Side(const FunctionDecisions &f, const FunctionDecisions &other)
      : w(f), f(f), other(other), conversions(f.ops.size()) {
    for (auto [i, step] : llvm::enumerate(f.steps))
      // A conversion that is made for no op, as of what a function returns, is in the sums only.
      if (!step.isRun() && step.op)
        conversions[size_t(*step.op)].push_back(Index(i));
  }

  /// The op as this plan has it: where its results lie, what it costs, and what is converted for it at which price.
  DiffSide of(Index op) const {
    const OpFacts &facts = f.ops[size_t(op)];
    const StepFacts &step = f.steps[size_t(facts.step.value_or(0))];
    DiffSide side{
        op, facts.location,  facts.called(),   {}, step.configText, step.time.boundBy, step.time.total, {},
        {}, step.l1.total(), rewrittenText(op)};
    for (Index tensor : step.writes)
      side.outputs.push_back(w.layoutOf(tensor));
    for (Index index : conversions[size_t(op)]) {
      const StepFacts &conversion = f.steps[size_t(index)];
      side.conversions += conversion.time.total;
      side.converted.push_back(
          DecisionWords::reasonOf(conversion) + " of " + w.valueOf(conversion.reads.front()).name + " from " +
          w.layoutOf(conversion.reads.front()) + " to " + w.layoutOf(conversion.writes.front()));
    }
    return side;
  }

  /// What ops are paired by: kind, and shapes and types of what it reads and makes.
  std::string signature(const OpFacts &op) const {
    std::string text = op.name;
    for (const std::vector<Index> *list : {&op.operands, &op.results}) {
      text += "|";
      for (Index value : *list)
        text += DecisionWords::shape(f.values[size_t(value)]) + ",";
    }
    return text;
  }
  /// Of all ops, in their order.
  std::vector<std::string> signatures() const {
    std::vector<std::string> list;
    for (const OpFacts &op : f.ops)
      list.push_back(signature(op));
    return list;
  }

private:
  /// What made the op here, or took it there.
  std::string rewrittenText(Index op) const {
    if (const RewrittenFacts *part = f.rewrittenAs(op))
      return DecisionWords::rewritten(*part);
    const OpFacts &facts = f.ops[size_t(op)];
    // By location and kind, since an op that is gone has no number in the other plan.
    auto isIt = [&](const ReplacedFacts &gone) {
      return gone.location == facts.location && gone.name == facts.name;
    };
    for (const RewrittenFacts &part : partsOf(other))
      if (llvm::any_of(part.from, isIt))
        return "replaced by " + llvm::join(part.rewrites, ", ");
    return "";
  }

  DecisionWords w;
  const FunctionDecisions &f, &other;
  std::vector<std::vector<Index>> conversions; ///< by op
};

/// Of ops of a module that are conversions, and of those that the plan makes.
DiffedPlan planOf(const FunctionDecisions &f) {
  DiffedPlan plan{f.policy, f.device.name, f.after.time, f.after.peakL1, 0, {}, {}};
  for (const StepFacts &step : f.steps)
    if (!step.isRun() || (step.op && f.ops[size_t(*step.op)].role == OpRole::Conversion)) {
      ++plan.conversions;
      plan.conversionTime += step.time.total;
    }
  for (const RewrittenFacts &part : partsOf(f))
    llvm::append_range(plan.rewrites, part.rewrites);
  // One rewrite makes many parts, and a reader wants its name once.
  llvm::sort(plan.rewrites);
  plan.rewrites.erase(llvm::unique(plan.rewrites), plan.rewrites.end());
  return plan;
}

/// The op's step, if the op model has no time for it.
bool isUnpriced(const FunctionDecisions &f, size_t op) {
  std::optional<Index> step = f.ops[op].step;
  return step && f.steps[size_t(*step)].time.boundBy == kUnknownTime;
}

/// One row per name of an op. `count` and `time` say which of both plans it is.
void addKinds(llvm::MapVector<llvm::StringRef, KindOfOp> &kinds, const FunctionDecisions &f,
              int64_t KindOfOp::*count, Nanoseconds KindOfOp::*time) {
  for (const OpFacts &op : f.ops) {
    // Conversions are what plans differ in most, and are counted by themselves.
    if (op.role == OpRole::Conversion || !op.step)
      continue;
    KindOfOp &kind = kinds[op.name];
    kind.name = op.name;
    ++(kind.*count);
    kind.*time += f.steps[size_t(*op.step)].time.total;
  }
}

/// Kinds of both plans; one that only one of them has is 0 in the other.
std::vector<KindOfOp> kindsOf(const FunctionDecisions &before, const FunctionDecisions &after) {
  llvm::MapVector<llvm::StringRef, KindOfOp> kinds;
  addKinds(kinds, before, &KindOfOp::before, &KindOfOp::timeBefore);
  addKinds(kinds, after, &KindOfOp::after, &KindOfOp::timeAfter);
  std::vector<KindOfOp> list;
  for (auto &[name, kind] : kinds)
    list.push_back(std::move(kind));
  llvm::sort(list, [](const KindOfOp &a, const KindOfOp &b) {
    // Most time first, and of equal times by name.
    return std::tuple(b.timeBefore + b.timeAfter, a.name) < std::tuple(a.timeBefore + a.timeAfter, b.name);
  });
  return list;
}

/// What is to be told of a pair of which an op has no time.
std::optional<UnpricedOp> unpricedOf(const FunctionDecisions &before, std::optional<size_t> a,
                                     const FunctionDecisions &after, std::optional<size_t> b) {
  UnpricedOp told;
  told.before = a && isUnpriced(before, *a);
  told.after = b && isUnpriced(after, *b);
  if (!told.before && !told.after)
    return std::nullopt;
  const OpFacts &op = told.before ? before.ops[*a] : after.ops[*b];
  told.name = op.name;
  told.location = op.location;
  told.called = op.called();
  // A time is lent only by a partner that has one of its own.
  if (told.before && b && !told.after && after.ops[*b].step)
    told.elsewhere = after.steps[size_t(*after.ops[*b].step)].time.total;
  if (told.after && a && !told.before && before.ops[*a].step)
    told.elsewhere = before.steps[size_t(*before.ops[*a].step)].time.total;
  return told;
}

/// What a reader would call different; empty if nothing is.
std::vector<std::string> differences(const DiffSide &before, const DiffSide &after) {
  std::vector<std::string> what;
  if (before.outputs != after.outputs)
    what.emplace_back("layout");
  if (before.config != after.config)
    what.emplace_back("configuration");
  if (before.converted != after.converted)
    what.emplace_back("conversions");
  // Last, as a change of layout or configuration explains a change of time.
  if (what.empty() && before.total() != after.total())
    what.emplace_back("time");
  return what;
}

FunctionDiff diffOf(const FunctionDecisions &before, const FunctionDecisions &after) {
  FunctionDiff out;
  out.function = after.function;
  out.before = planOf(before);
  out.after = planOf(after);
  out.kinds = kindsOf(before, after);
  Side from(before, after), to(after, before);
  size_t place = 0;
  // Not by number or location: the plans may be of two modules of which one has an op more, and locations may
  // be missing.
  for (auto [a, b] : pairUp(from.signatures(), to.signatures())) {
    if (std::optional<UnpricedOp> told = unpricedOf(before, a, after, b))
      out.unpriced.push_back(std::move(*told));
    DiffEntry entry;
    entry.place = place++;
    entry.name = a ? before.ops[*a].name : after.ops[*b].name;
    if (a)
      entry.before = from.of(Index(*a));
    if (b)
      entry.after = to.of(Index(*b));
    if (a && b) {
      ++out.paired;
      entry.what = differences(*entry.before, *entry.after);
    } else {
      entry.what = {a ? "only before" : "only after"};
    }
    entry.delta = (entry.after ? entry.after->total() : Nanoseconds(0)) -
                  (entry.before ? entry.before->total() : Nanoseconds(0));
    if (!entry.what.empty())
      out.entries.push_back(std::move(entry));
  }
  llvm::sort(out.entries, [](const DiffEntry &a, const DiffEntry &b) {
    // What changed most first, in either direction; equal changes in the program's order.
    return std::pair(-std::abs(a.delta.value()), a.place) < std::pair(-std::abs(b.delta.value()), b.place);
  });
  return out;
}

json::Value toJson(const DiffSide &side) {
  return json::Object{{"op", side.op},
                      {"location", side.location},
                      {"outputs", side.outputs},
                      {"config_text", side.config},
                      {"bound_by", side.boundBy},
                      {"op_ns", int64_t(std::llround(side.own.value()))},
                      {"conversions_ns", int64_t(std::llround(side.conversions.value()))},
                      {"converted", side.converted},
                      {"l1_bytes", side.l1.value()},
                      {"rewritten", side.rewritten}};
}

json::Value sideOrNull(const std::optional<DiffSide> &side) {
  return side ? ::toJson(*side) : json::Value(nullptr);
}

json::Value toJson(const DiffedPlan &plan) {
  return json::Object{{"policy", plan.policy},
                      {"device", plan.device},
                      {"time_ns", int64_t(std::llround(plan.time.value()))},
                      {"peak_l1_bytes", plan.peakL1.value()},
                      {"conversions", plan.conversions},
                      {"conversions_ns", int64_t(std::llround(plan.conversionTime.value()))},
                      {"rewrites", plan.rewrites}};
}

json::Value toJson(const UnpricedOp &op) {
  return json::Object{{"name", op.name},
                      {"location", op.location},
                      {"before", op.before},
                      {"after", op.after},
                      {"elsewhere_ns", op.elsewhere
                                           ? json::Value(int64_t(std::llround(op.elsewhere->value())))
                                           : json::Value(nullptr)}};
}

json::Value toJson(const KindOfOp &kind) {
  return json::Object{{"name", kind.name},
                      {"before", kind.before},
                      {"after", kind.after},
                      {"before_ns", int64_t(std::llround(kind.timeBefore.value()))},
                      {"after_ns", int64_t(std::llround(kind.timeAfter.value()))}};
}

} // namespace

std::string report::shapesOf(const FunctionDecisions &function) {
  std::vector<std::string> taken, returned;
  for (const ValueFacts &value : function.values) {
    std::string shape =
        llvm::join(llvm::map_range(value.shape, [](int64_t extent) { return llvm::itostr(extent); }), "x");
    if (!value.producer)
      taken.push_back(shape);
    if (value.returned)
      returned.push_back(shape);
  }
  // Results stand in the order of the ops that make them, which another compiler may have chosen otherwise.
  llvm::sort(returned);
  return "(" + llvm::join(taken, ", ") + ") -> (" + llvm::join(returned, ", ") + ")";
}

std::vector<FunctionDiff> report::diff(const Decisions &before, const Decisions &after) {
  std::vector<FunctionDiff> diffs;
  std::vector<bool> used(before.functions.size());
  auto take = [&](const FunctionDecisions &function, auto &&fits) {
    for (auto [i, other] : llvm::enumerate(before.functions))
      if (!used[i] && fits(other)) {
        used[i] = true;
        diffs.push_back(diffOf(other, function));
        return true;
      }
    return false;
  };
  // By name first. What is left is paired in order, since the same function may have another name in the other
  // file.
  std::vector<const FunctionDecisions *> left;
  for (const FunctionDecisions &function : after.functions)
    if (!take(function, [&](const FunctionDecisions &other) { return other.function == function.function; }))
      left.push_back(&function);
  for (const FunctionDecisions *function : left)
    take(*function, [](const FunctionDecisions &) { return true; });
  return diffs;
}

/// Before over after, each with what it lacks lent by the other side: an op without a time would make its plan look
/// faster.
double FunctionDiff::speedUp() const {
  Nanoseconds lentBefore, lentAfter;
  for (const UnpricedOp &op : unpriced)
    (op.before ? lentBefore : lentAfter) += op.elsewhere.value_or(Nanoseconds(0));
  Nanoseconds slow = before.time + lentBefore, fast = after.time + lentAfter;
  // A plan without any time is as fast as any other.
  return slow > Nanoseconds(0) && fast > Nanoseconds(0) ? slow / fast : 1.0;
}

int64_t FunctionDiff::leftOut() const {
  return llvm::count_if(unpriced, [](const UnpricedOp &op) { return !op.elsewhere; });
}

json::Value report::toJson(const FunctionDiff &diff) {
  json::Array entries;
  for (const DiffEntry &entry : diff.entries)
    entries.push_back(json::Object{{"name", entry.name},
                                   {"what", entry.what},
                                   {"delta_ns", int64_t(std::llround(entry.delta.value()))},
                                   {"before", sideOrNull(entry.before)},
                                   {"after", sideOrNull(entry.after)}});
  json::Array unpriced, kinds;
  for (const UnpricedOp &op : diff.unpriced)
    unpriced.push_back(::toJson(op));
  for (const KindOfOp &kind : diff.kinds)
    kinds.push_back(::toJson(kind));
  return json::Object{{"function", diff.function},     {"before", ::toJson(diff.before)},
                      {"after", ::toJson(diff.after)}, {"paired_ops", diff.paired},
                      {"speed_up", diff.speedUp()},    {"without_time", std::move(unpriced)},
                      {"kinds", std::move(kinds)},     {"changes", std::move(entries)}};
}
