//===- OverrideTargets.cpp - The ops that overrides name ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Which op an override means. A name is an op's location ("layers.0.matmul"),
// its kind with a number that counts through the module ("ttnn.matmul#3"), its
// kind alone if there is one such op, or a location with the number of a result
// ("split#1"). All are looked up before anything is changed, as overrides put
// ops in and would shift the numbers.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/Overrides.h"
#include "tessera/Optimizer/Problem/OpLabels.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;

/// How a lasting name ends that is more than a location.
static constexpr StringLiteral kOfTheFile = " of the file)";
/// Of what is listed in an error.
static constexpr size_t kMostListed = 6;

namespace {

struct NamedOp {
  Operation *op;
  std::string location; ///< Op::location
  std::string indexed;  ///< "ttnn.matmul#3"

  /// Where several ops have the location, and in the program as it came: what a rewrite leaves has this name as its location.
  std::string lasting() const { return location + " (" + indexed + kOfTheFile.str(); }
  /// By a name for it alone.
  bool isNamed(StringRef name) const { return location == name || indexed == name || lasting() == name; }
  bool isCalled(StringRef name) const { return isNamed(name) || op->getName().getStringRef() == name; }
};

std::vector<NamedOp> allOps(ArrayRef<func::FuncOp> functions) {
  std::vector<NamedOp> all;
  OpNumbers numbers; // which go on from function to function
  for (func::FuncOp function : functions)
    for (auto &[op, location] : namedOps(function))
      all.push_back({op, std::move(location), numbers.next(op->getName().getStringRef())});
  return all;
}

decltype(Overrides::atLocation) byLocation(ArrayRef<NamedOp> all) {
  decltype(Overrides::atLocation) names;
  for (const NamedOp &op : all)
    names[op.location].push_back(op.indexed);
  return names;
}

/// Two ops of one name: the user meant one of them, and a copy of the text for all would hide that.
LogicalResult refuseShared(StringRef option, StringRef name, ArrayRef<const NamedOp *> ops) {
  InFlightDiagnostic error = ops.front()->op->emitError()
                             << option << ": " << ops.size() << " ops are '" << name << "': name one of";
  for (const NamedOp *op : ops.take_front(kMostListed))
    error << (op == ops.front() ? " " : ", ") << op->indexed;
  if (ops.size() > kMostListed)
    error << ", ...";
  return error;
}

/// Ops that have the name. Of those that have a lasting one the op that was given it, and none whose number is the same now.
SmallVector<const NamedOp *> opsNamed(StringRef name, ArrayRef<NamedOp> all,
                                      bool (NamedOp::*isIt)(StringRef) const) {
  auto those = [&](auto are) {
    SmallVector<const NamedOp *> found;
    for (const NamedOp &op : all)
      if (are(op))
        found.push_back(&op);
    return found;
  };
  SmallVector<const NamedOp *> given;
  if (name.ends_with(kOfTheFile))
    given = those([&](const NamedOp &op) { return op.location == name; });
  return given.empty() ? those([&](const NamedOp &op) { return (op.*isIt)(name); }) : given;
}

/// Nothing if no op has the name.
FailureOr<OverrideTarget> targetOf(StringRef option, StringRef name, ArrayRef<NamedOp> all) {
  OverrideTarget target;
  SmallVector<const NamedOp *> found = opsNamed(name, all, &NamedOp::isCalled);
  // Only where no op has the name as a whole: "ttnn.matmul#3" is an op, "name#1" a result of one.
  auto [named, number] = name.rsplit('#');
  if (unsigned result; found.empty() && !number.getAsInteger(10, result)) {
    found = opsNamed(named, all, &NamedOp::isNamed);
    target.result = result;
  }
  if (found.size() > 1)
    return refuseShared(option, name, found);
  if (!found.empty())
    target.op = found.front()->op;
  return target;
}

/// Calls `visit` with the option and each of its overrides, until it fails.
template <class Overriding>
LogicalResult forEachOverride(Overriding &overrides, auto &&visit) {
  auto all = [&](StringRef option, auto &list) {
    return llvm::all_of(list, [&](auto &entry) { return succeeded(visit(option, entry)); });
  };
  return success(all("override-output-layout", overrides.outputLayouts) &&
                 all("override-conv2d-config", overrides.conv2d) &&
                 all("insert-memreconfig", overrides.reshards));
}

} // namespace

LogicalResult tessera::useLastingNames(ArrayRef<func::FuncOp> functions, Overrides &overrides) {
  if (overrides.empty())
    return success();
  std::vector<NamedOp> all = allOps(functions);
  overrides.atLocation = byLocation(all);
  return forEachOverride(overrides, [&](StringRef option, auto &entry) {
    FailureOr<OverrideTarget> target = targetOf(option, entry.op, all);
    // What no op has may be the name of one that a rewrite makes.
    if (failed(target) || !target->op)
      return success(succeeded(target));
    const NamedOp &op = *llvm::find_if(all, [&](const NamedOp &each) { return each.op == target->op; });
    auto hasIt = [&](const NamedOp &each) { return each.location == op.location; };
    entry.op = llvm::count_if(all, hasIt) > 1 ? op.lasting() : op.location;
    if (target->result)
      entry.op += "#" + std::to_string(*target->result);
    return success();
  });
}

void tessera::giveLastingNames(ArrayRef<func::FuncOp> functions, const Overrides &overrides) {
  if (overrides.empty())
    return;
  std::vector<NamedOp> all = allOps(functions);
  auto rename = [](Operation *op, const std::string &name) {
    op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc()));
  };
  // All of them, since an op without a name is numbered by those before it that have none either.
  for (const NamedOp &named : all) {
    bool lasts = false;
    (void)forEachOverride(overrides, [&](StringRef, const auto &entry) {
      StringRef name = entry.op;
      lasts |= name == named.lasting() || name.rsplit('#').first == named.lasting();
      return success();
    });
    if (lasts)
      rename(named.op, named.lasting());
    else if (!named.op->getLoc()->findInstanceOf<NameLoc>())
      rename(named.op, named.location);
  }
}

FailureOr<OverrideTargets> OverrideTargets::find(ArrayRef<func::FuncOp> functions,
                                                 const Overrides &overrides) {
  OverrideTargets found;
  if (overrides.empty())
    return found;
  std::vector<NamedOp> all = allOps(functions);
  for (const NamedOp &op : all)
    found.known.insert({op.location, op.indexed});
  // Of another graph the program's own numbers are told.
  found.atLocation = overrides.atLocation.empty() ? byLocation(all) : overrides.atLocation;
  std::set<std::tuple<StringRef, Operation *, std::optional<unsigned>>> named;
  LogicalResult looked =
      forEachOverride(overrides, [&](StringRef option, const auto &entry) -> LogicalResult {
        FailureOr<OverrideTarget> target = targetOf(option, entry.op, all);
        if (failed(target) || !target->op)
          return success(succeeded(target));
        // The parser knows no names but those that are written: these are two of one op.
        if (!named.insert({option, target->op, target->result}).second)
          return target->op->emitError() << option << ": the op of '" << entry.op << "' is named twice";
        found.targets[entry.op] = *target;
        return success();
      });
  if (failed(looked))
    return failure();
  return found;
}

const OverrideTarget *OverrideTargets::of(StringRef name) const {
  auto found = targets.find(name);
  return found == targets.end() ? nullptr : &found->second;
}

bool OverrideTargets::contains(Operation *op) const {
  return llvm::any_of(targets, [&](const auto &entry) { return entry.second.op == op; });
}

/// "dot_general (ttnn.matmul#3)", as reports of a plan have it.
static bool isOfPlan(StringRef name) { return name.ends_with(")") && name.rsplit(" (").second.contains('#'); }
static constexpr StringLiteral kFileCounts = "; that is its name in a plan, which rewrites number otherwise; "
                                             "name it as ttnn.matmul#3, the fourth in the file";

/// ": ttnn.matmul#0, ttnn.matmul#5 are called so there": one of them is meant.
static std::string calledSo(ArrayRef<std::string> ops) {
  if (ops.empty())
    return "";
  std::string names = llvm::join(ops.take_front(kMostListed), ", ");
  return ": " + names + (ops.size() > kMostListed ? ", ..." : "") +
         (ops.size() > 1 ? " are called so there" : " is called so there");
}

/// "%5": the IR at hand has no such names, and the next module that is written numbers otherwise.
static constexpr StringLiteral kNotOfText =
    "; that is a name of the text, which 'tessera ops explain FILE --op' "
    "takes, and which says what else the op is called";

/// What helps who wrote it.
static std::string hint(StringRef name, ArrayRef<StringRef> known, ArrayRef<std::string> atLocation) {
  if (name.starts_with("%"))
    return kNotOfText.str();
  return isOfPlan(name) ? kFileCounts.str() + calledSo(atLocation) : didYouMean(name, known);
}

/// A warning and no error, so that one text of overrides serves several programs. Conversions that overrides have put
/// in count as known by the names that they were given.
void OverrideTargets::warnOfUnknown(ModuleOp module, const Overrides &overrides) const {
  SmallVector<StringRef> names(known.begin(), known.end());
  auto opsAt = [&](StringRef name) {
    auto [location, numbered] = name.rsplit(" (");
    std::vector<std::string> ops;
    if (auto found = atLocation.find(location); found != atLocation.end())
      ops = found->second;
    // Of its kind, if there are any: a rewrite may have put another one there.
    std::string kind = numbered.split('#').first.str() + "#";
    auto isOfKind = [&](StringRef op) { return op.starts_with(kind); };
    if (llvm::any_of(ops, isOfKind))
      llvm::erase_if(ops, std::not_fn(isOfKind));
    return ops;
  };
  auto check = [&](StringRef option, const auto &list) {
    for (const auto &entry : list)
      if (!of(entry.op) && !made.contains(entry.op))
        module.emitWarning() << option << ": no op is named '" << entry.op << "'"
                             << hint(entry.op, names, opsAt(entry.op));
  };
  check("override-output-layout", overrides.outputLayouts);
  check("override-conv2d-config", overrides.conv2d);
  check("insert-memreconfig", overrides.reshards);
}
