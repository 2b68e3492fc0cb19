//===- DecidedOps.cpp - Ops by the names that people have for them -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// An op has a location, which several ops may share; what the plan calls it;
// and its number among those of its kind. All of them are taken, as they are
// what other outputs show. A name that fits several ops is an error that lists
// them: which one is meant cannot be guessed.
//
//===----------------------------------------------------------------------===//
#include "DecisionText.h"

#include "tessera/Optimizer/Decisions/DecisionWords.h"
#include "tessera/Optimizer/Problem/OpLabels.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::decisions;

/// Of what is listed in front of an error.
static constexpr size_t kMostNamed = 6;

namespace {

struct NamedOp {
  DecidedOp op;
  std::string indexed; ///< "ttnn.matmul#3"
  const OpFacts &facts() const { return op.function->ops[size_t(op.op)]; }
};

} // namespace

static bool isCalled(const OpFacts &op, llvm::StringRef indexed, llvm::StringRef wanted) {
  // The kind alone as well: where a module has one matmul, that names it.
  return op.location == wanted || op.called() == wanted || indexed == wanted || op.name == wanted;
}

/// Where nothing is called so, scopes may be left out: "dot_general" for "jit(decode)/dot_general".
static bool isCalledInScope(const OpFacts &op, llvm::StringRef wanted) {
  return llvm::StringRef(op.location).ends_with(("/" + wanted).str());
}

static std::vector<NamedOp> opsByName(const Decisions &all) {
  std::vector<NamedOp> ops;
  OpNumbers numbers;
  for (const FunctionDecisions &function : all.functions)
    for (auto [i, op] : llvm::enumerate(function.ops))
      ops.push_back({{&function, Index(i)}, numbers.next(op.name)});
  return ops;
}

/// "'a', 'b', ...": the ops that a rewrite made, those that take most time first, as one of them is what the reader of a
/// part of thirty ops looks for. "" if all became constants.
static std::string madeInstead(const FunctionDecisions &function, const RewrittenFacts &part) {
  DecisionWords w(function);
  std::vector<Index> made = part.made;
  auto timeOf = [&](Index op) { return w.step(w.op(op).step.value_or(0)).time.total; };
  llvm::stable_sort(made, [&](Index a, Index b) { return timeOf(a) > timeOf(b); });
  std::string text;
  for (Index op : llvm::ArrayRef(made).take_front(kMostNamed))
    text += (text.empty() ? "'" : ", '") + w.op(op).called() + "'";
  return text + (made.size() > kMostNamed ? ", ..." : "");
}

/// Why an op of the input is none of the plan: a rewrite took it. "" of any other name.
static std::string whoReplaced(const Decisions &all, llvm::StringRef wanted) {
  for (const FunctionDecisions &function : all.functions)
    for (const RewrittenFacts &part : function.rewrites.value_or(std::vector<RewrittenFacts>())) {
      if (llvm::none_of(part.from, [&](const ReplacedFacts &op) { return op.location == wanted; }))
        continue;
      std::string made = madeInstead(function, part);
      std::string what =
          made.empty() ? " left it out"
                       : " put " + made + " in the place of it" + (part.from.size() > 1 ? " and others" : "");
      return "'" + wanted.str() + "' is none of the plan's ops: " + llvm::join(part.rewrites, ", ") + what +
             "; --rewrites none plans the input's ops";
    }
  return "";
}

PricedOps tessera::priceOnly(const std::string &wanted) {
  if (wanted.empty())
    return nullptr;
  // It counts along: ops are asked about in their order, so the numbers are those that findOp gives.
  return [wanted, numbers = OpNumbers()](const OpFacts &op) mutable {
    return isCalled(op, numbers.next(op.name), wanted) || isCalledInScope(op, wanted);
  };
}

llvm::Expected<DecidedOp> tessera::findOp(const Decisions &all, llvm::StringRef wanted) {
  std::vector<NamedOp> ops = opsByName(all), found;
  for (const NamedOp &op : ops)
    if (isCalled(op.facts(), op.indexed, wanted))
      found.push_back(op);
  // Only then: a full name must not become ambiguous by a longer one that ends like it.
  if (found.empty())
    llvm::copy_if(ops, std::back_inserter(found),
                  [&](const NamedOp &op) { return isCalledInScope(op.facts(), wanted); });
  if (found.size() == 1)
    return found.front().op;
  if (!found.empty()) {
    std::string text = std::to_string(found.size()) + " ops are '" + wanted.str() + "': name one of";
    for (const NamedOp &op : llvm::ArrayRef(found).take_front(kMostNamed))
      text += "\n  " + op.facts().location + ", " + op.indexed;
    return llvm::createStringError(text + (found.size() > kMostNamed ? "\n  ..." : ""));
  }
  if (std::string why = whoReplaced(all, wanted); !why.empty())
    return llvm::createStringError(why);
  llvm::SmallVector<llvm::StringRef> known;
  for (const NamedOp &op : ops)
    known.append({op.facts().called(), op.indexed});
  // Of a module, ResultNames has put the op's location there already.
  if (wanted.starts_with("%"))
    return llvm::createStringError(
        "'" + wanted.str() +
        "' is a name of the module's text, and this is a decisions file; name the op, "
        "as 'tessera explain --all' does");
  std::string near = didYouMean(wanted, known);
  if (near.empty() && !known.empty())
    near = "; there are '" + ops.front().facts().called() + "' and " + std::to_string(ops.size() - 1) +
           " others; 'tessera optimize --explain' lists them";
  return llvm::createStringError("no op is named '" + wanted.str() + "'" + near);
}
