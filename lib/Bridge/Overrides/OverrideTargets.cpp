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

using namespace mlir;
using namespace tessera;

/// Of what is listed in an error.
static constexpr size_t kMostListed = 6;

namespace {

struct NamedOp {
  Operation *op;
  std::string location; ///< Op::location
  std::string indexed;  ///< "ttnn.matmul#3"

  /// By a name for it alone.
  bool isNamed(StringRef name) const { return location == name || indexed == name; }
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

/// Nothing if no op has the name.
FailureOr<OverrideTarget> targetOf(StringRef option, StringRef name, ArrayRef<NamedOp> all) {
  auto those = [&](auto are) {
    SmallVector<const NamedOp *> found;
    for (const NamedOp &op : all)
      if (are(op))
        found.push_back(&op);
    return found;
  };
  OverrideTarget target;
  SmallVector<const NamedOp *> found = those([&](const NamedOp &op) { return op.isCalled(name); });
  // Only where no op has the name as a whole: "ttnn.matmul#3" is an op, "name#1" a result of one.
  auto [named, number] = name.rsplit('#');
  if (unsigned result; found.empty() && !number.getAsInteger(10, result)) {
    found = those([&, named = named](const NamedOp &op) { return op.isNamed(named); });
    target.result = result;
  }
  if (found.size() > 1)
    return refuseShared(option, name, found);
  if (!found.empty())
    target.op = found.front()->op;
  return target;
}

} // namespace

FailureOr<OverrideTargets> OverrideTargets::find(ArrayRef<func::FuncOp> functions,
                                                 const Overrides &overrides) {
  OverrideTargets found;
  if (overrides.empty())
    return found;
  std::vector<NamedOp> all = allOps(functions);
  for (const NamedOp &op : all)
    found.known.insert({op.location, op.indexed});
  auto add = [&](StringRef option, const auto &list) {
    return llvm::all_of(list, [&](const auto &entry) {
      FailureOr<OverrideTarget> target = targetOf(option, entry.op, all);
      if (succeeded(target) && target->op)
        found.targets[entry.op] = *target;
      return succeeded(target);
    });
  };
  if (!add("override-output-layout", overrides.outputLayouts) ||
      !add("override-conv2d-config", overrides.conv2d) || !add("insert-memreconfig", overrides.reshards))
    return failure();
  return found;
}

const OverrideTarget *OverrideTargets::of(StringRef name) const {
  auto found = targets.find(name);
  return found == targets.end() ? nullptr : &found->second;
}

/// A warning and no error, so that one text of overrides serves several programs. Conversions that overrides have put
/// in count as known by the names that they were given.
void OverrideTargets::warnOfUnknown(ModuleOp module, const Overrides &overrides) const {
  SmallVector<StringRef> names(known.begin(), known.end());
  auto check = [&](StringRef option, const auto &list) {
    for (const auto &entry : list)
      if (!of(entry.op) && !made.contains(entry.op))
        module.emitWarning() << option << ": no op is named '" << entry.op << "'"
                             << didYouMean(entry.op, names);
  };
  check("override-output-layout", overrides.outputLayouts);
  check("override-conv2d-config", overrides.conv2d);
  check("insert-memreconfig", overrides.reshards);
}
