//===- RewrittenParts.cpp - What each rewrite gained ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A part is a rewrite with all those that took its ops in turn. Its gain is read
// off two whole plans: what its ops took in the one, with their conversions,
// against what stands for them in the other. No plan is made for a part by
// itself, so what the rest of the graph does because of it is in these times as
// well.
//
//===----------------------------------------------------------------------===//
#include "RewrittenParts.h"

#include "tessera/Support/AddOnce.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <array>
#include <map>

using namespace mlir;
using namespace tessera;

namespace {

/// What ops take in a plan, by function, kind and name.
class OpTimes {
public:
  explicit OpTimes(const OptimizationResult &result) {
    for (const OptimizedFunction &function : result.functions) {
      const Problem &problem = function.built.problem;
      llvm::StringMap<Entry> &ops = times[problem.function];
      for (const tessera::Op &op : problem.ops)
        for (const std::string &key : keys(op))
          ++ops[key].ops;
      for (auto [step, time] : llvm::zip_equal(function.plan.steps, function.cost.steps))
        // Conversions with the op that they are for, as a rewrite may do without them. Ops are counted once, above.
        if (step.op.valid())
          for (const std::string &key : keys(problem[step.op]))
            ops[key].time += time.total;
    }
  }

  /// Compilers may give several ops of a kind the name of the source line that they come from: each is then taken for the average. Zero of an op
  /// that the plan does not have, as it was computed once and for all.
  Nanoseconds of(StringRef function, const ReplacedOp &op) const {
    return find(function, keyOf(op.op, op.location));
  }
  /// Of an op that a rewrite made, whose name is its own.
  Nanoseconds ofMade(StringRef function, StringRef op) const { return find(function, op); }

private:
  static std::string keyOf(StringRef kind, StringRef op) { return kind.str() + " " + op.str(); }
  /// An op that went is asked for by kind and name, one that was made by its name.
  static std::array<std::string, 2> keys(const tessera::Op &op) {
    return {op.location, keyOf(op.name, op.location)};
  }

  Nanoseconds find(StringRef function, StringRef key) const {
    auto ops = times.find(function);
    if (ops == times.end())
      return {};
    auto found = ops->second.find(key);
    return found == ops->second.end() ? Nanoseconds()
                                      : found->second.time * (1.0 / double(found->second.ops));
  }

  struct Entry {
    Nanoseconds time;
    size_t ops = 0;
  };
  llvm::StringMap<llvm::StringMap<Entry>> times; ///< only looked up
};

/// Each rewrite with those whose ops it took, as numbers of `applied`; the first of a set stands for it.
class Chains {
public:
  explicit Chains(ArrayRef<AppliedRewrite> applied) : sets(unsigned(applied.size())) {
    llvm::StringMap<size_t> makers; // by function and op
    for (auto [i, rewrite] : llvm::enumerate(applied)) {
      for (const ReplacedOp &op : rewrite.gone)
        if (auto maker = makers.find(key(rewrite, op.location)); maker != makers.end()) {
          // A later rewrite may give an op the same name again, which is another op then.
          sets.join(unsigned(i), unsigned(maker->second));
          taken.insert(maker->first());
          makers.erase(maker);
        }
      for (const std::string &op : rewrite.makes)
        makers[key(rewrite, op)] = i;
    }
  }

  size_t firstOf(size_t i) const { return sets.findLeader(unsigned(i)); }
  /// Whether a rewrite made the op and another took it.
  bool cameAndWent(const AppliedRewrite &rewrite, StringRef op) const {
    return taken.contains(key(rewrite, op));
  }

private:
  static std::string key(const AppliedRewrite &rewrite, StringRef op) {
    return rewrite.function + "\n" + op.str();
  }
  llvm::IntEqClasses sets;
  llvm::StringSet<> taken;
};

/// What makes two parts the same.
std::string partKind(const RewrittenPart &part) {
  // By ops and types and not by names, which differ from layer to layer.
  std::string text;
  for (const RewriteInfo *rewrite : part.rewrites)
    text += rewrite->name.str() + ";";
  for (const ReplacedOp &op : part.from)
    text += op.op + " " + op.makes + ";";
  return text;
}

} // namespace

Exactness RewrittenPart::exactness() const {
  auto isExact = [](const RewriteInfo *rewrite) { return rewrite->exactness == Exactness::Exact; };
  return llvm::all_of(rewrites, isExact) ? Exactness::Exact : Exactness::Rounding;
}

std::vector<RewrittenPart> tessera::rewrittenParts(ArrayRef<AppliedRewrite> applied,
                                                   const OptimizationResult &came,
                                                   const OptimizationResult &rewritten) {
  // By whole chains, since an op between two rewrites stands in neither plan and its time belongs to nobody.
  Chains chains(applied);
  OpTimes were(came), are(rewritten);
  std::map<size_t, RewrittenPart> parts; // by first rewrite
  for (auto [i, rewrite] : llvm::enumerate(applied)) {
    RewrittenPart &part = parts[chains.firstOf(i)];
    part.function = rewrite.function;
    addOnce(part.rewrites, rewrite.rewrite);
    for (const ReplacedOp &op : rewrite.gone)
      if (!chains.cameAndWent(rewrite, op.location)) {
        part.from.push_back(op);
        part.before += were.of(rewrite.function, op);
      }
    for (const std::string &op : rewrite.makes)
      if (!chains.cameAndWent(rewrite, op)) {
        part.made.push_back(op);
        part.after += are.ofMade(rewrite.function, op);
      }
  }
  std::vector<RewrittenPart> list;
  for (auto &[first, part] : parts) {
    llvm::sort(part.rewrites); // which point into the table
    list.push_back(std::move(part));
  }
  return list;
}

KeptOps tessera::opsOfLosingParts(ArrayRef<RewrittenPart> parts, Nanoseconds planned) {
  // Taking parts back means one more plan of the module, which takes as long as the two that there are.
  constexpr double worthAPlan = 0.01;
  std::map<std::string, Nanoseconds> gains;
  for (const RewrittenPart &part : parts)
    // Over all layers: one of them may lose what the others gain, and they are to stay alike.
    gains[partKind(part)] += part.gain();
  Nanoseconds losses;
  for (const auto &[signature, gain] : gains)
    if (gain < Nanoseconds(0))
      losses += Nanoseconds(-gain.value());
  KeptOps kept;
  if (losses < planned * worthAPlan)
    return kept;
  for (const RewrittenPart &part : parts)
    if (gains[partKind(part)] < Nanoseconds(0))
      for (const ReplacedOp &op : part.from)
        kept[part.function].insert(op.location);
  return kept;
}

std::vector<decisions::RewrittenFacts> tessera::factsOf(ArrayRef<RewrittenPart> parts,
                                                        const decisions::FunctionDecisions &function) {
  llvm::StringMap<decisions::Index> ops;
  for (auto [i, op] : llvm::enumerate(function.ops))
    // Of several ops of one name the first; what rewrites make has names of its own.
    ops.try_emplace(op.location, decisions::Index(i));
  std::vector<decisions::RewrittenFacts> facts;
  for (const RewrittenPart &part : parts) {
    if (part.function != function.function)
      continue;
    decisions::RewrittenFacts &entry = facts.emplace_back();
    for (const RewriteInfo *rewrite : part.rewrites)
      entry.rewrites.push_back(rewrite->name.str());
    entry.exactness = part.exactness() == Exactness::Exact ? decisions::RewriteClass::Exact
                                                           : decisions::RewriteClass::Rounding;
    for (const ReplacedOp &op : part.from)
      entry.from.push_back({op.op, op.location, op.makes});
    // What was put among the constants is no op of the plan.
    for (const std::string &op : part.made)
      if (auto found = ops.find(op); found != ops.end())
        entry.made.push_back(found->second);
    entry.before = part.before;
    entry.after = part.after;
  }
  return facts;
}
