//===- TTCoreOps.cpp - Ops of the ttcore dialect ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Rules: facts/dialect 8.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/TTCore.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

/// `tuple<a, b>`, which also gives the types of what goes into it.
static ParseResult parseTupleTypes(AsmParser &parser, SmallVectorImpl<Type> &elements, Type &result) {
  TupleType tuple;
  if (parser.parseType(tuple))
    return failure();
  llvm::append_range(elements, tuple.getTypes());
  result = tuple;
  return success();
}
static void printTupleTypes(AsmPrinter &printer, Operation *, TypeRange, Type result) { printer << result; }

#define GET_OP_CLASSES
#include "tessera/Dialect/TTCore/TTCoreOps.cpp.inc"

namespace tessera::ttcore {

//===- Modules -------------------------------------------------------------===//

static LogicalResult verifyHoldsModule(Operation *op) {
  Block &body = op->getRegion(0).front();
  if (llvm::hasSingleElement(body) && isa<ModuleOp>(body.front()))
    return success();
  return op->emitOpError() << "must hold one module and nothing else";
}

LogicalResult DeviceModuleOp::verifyRegions() { return verifyHoldsModule(*this); }
LogicalResult CPUModuleOp::verifyRegions() { return verifyHoldsModule(*this); }

//===- Devices -------------------------------------------------------------===//

/// The description of the nearest module around `op` that has one; null if none has.
static SystemDescAttr systemAround(Operation *op) {
  for (auto module = op->getParentOfType<ModuleOp>(); module; module = module->getParentOfType<ModuleOp>())
    if (auto system = module->getAttrOfType<SystemDescAttr>("ttcore.system_desc"))
      return system;
  return {};
}

static std::string gridText(ArrayRef<int64_t> grid) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(grid, os, "x");
  return text;
}

/// The cores of a device are those of its chips: the grid is that of one, or that of all in a row and column.
LogicalResult DeviceOp::verify() {
  SystemDescAttr system = systemAround(*this);
  ArrayRef<int64_t> mesh = getDeviceAttr().getMeshShape(),
                    workers = getDeviceAttr().getWorkerGrid().getShape();
  // An extent of 0 is not this rule's to report, and must not be divided by.
  auto chipsAlong = [&](size_t axis) { return axis < mesh.size() ? std::max<int64_t>(mesh[axis], 1) : 1; };
  ArrayRef<int64_t> kinds = system ? system.getChipDescIndices() : ArrayRef<int64_t>();
  for (int64_t id : getDeviceAttr().getChipIds()) {
    if (id < 0 || id >= int64_t(kinds.size()))
      continue; // an id says no more than its place in the mesh where the description has fewer chips
    ArrayRef<int64_t> chip = system.getChipDescs()[kinds[id]].getGrid();
    // What is no grid is an error where the description is asked.
    for (size_t axis = 0; axis != std::min(chip.size(), workers.size()); ++axis)
      if (llvm::divideCeilSigned(workers[axis], chipsAlong(axis)) > chip[axis])
        return emitOpError() << "has a worker grid of " << gridText(workers)
                             << ", and a chip of the system description one of " << gridText(chip);
  }
  return success();
}

//===- Calls ---------------------------------------------------------------===//

/// The function that `op` calls; null, with an error, if there is none.
static FunctionOpInterface lookupFunction(Operation *op, FlatSymbolRefAttr name,
                                          SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, name);
  if (!function)
    op->emitOpError() << "needs a function @" << name.getValue() << ", and there is none";
  return function;
}

/// Emits an error unless `actual` is `expected`, element by element.
static LogicalResult matchTypes(Operation *op, StringRef callee, StringRef what, TypeRange actual,
                                TypeRange expected) {
  if (actual.size() != expected.size())
    return op->emitOpError() << "has " << actual.size() << ' ' << what << "s, but @" << callee << " has "
                             << expected.size();
  for (auto [index, types] : llvm::enumerate(llvm::zip_equal(actual, expected)))
    if (auto [is, must] = types; is != must)
      return op->emitOpError() << what << ' ' << index << " is " << is << ", but @" << callee << " has "
                               << must;
  return success();
}

/// What a function takes or gives: the types in its tuple, if that is all.
static TypeRange withoutTuple(ArrayRef<Type> types) {
  auto tuple = types.size() == 1 ? dyn_cast<TupleType>(types.front()) : TupleType();
  return tuple ? TypeRange(tuple.getTypes()) : TypeRange(types);
}

/// Whether `callee` loads what `caller` computes, itself or through others that stand behind `caller` in the module: of a
/// circle the first one finds it. The search ends at once where functions stand behind what they load, as compilers put them.
static bool loads(Operation *callee, Operation *caller, SymbolTableCollection &symbols) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Operation *> open = {callee};
  while (!open.empty()) {
    Operation *function = open.pop_back_val();
    if (function == caller)
      return true;
    if (function->getBlock() != caller->getBlock() || function->isBeforeInBlock(caller) ||
        !seen.insert(function).second)
      continue;
    function->walk([&](LoadCachedOp load) {
      if (Operation *next = symbols.lookupNearestSymbolFrom(load, load.getCalleeAttr()))
        open.push_back(next);
    });
  }
  return false;
}

LogicalResult LoadCachedOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FunctionOpInterface callee = lookupFunction(*this, getCalleeAttr(), symbols);
  if (!callee)
    return failure();
  // What is computed once cannot need itself. Nobody plans a function that never ends.
  if (callee->isAncestor(*this))
    return emitOpError() << "stands in '" << getCallee() << "', which it runs";
  if (auto caller = (*this)->getParentOfType<FunctionOpInterface>(); caller && loads(callee, caller, symbols))
    return emitOpError() << "stands in '" << caller.getName() << "', which '" << getCallee()
                         << "' needs: what is computed once cannot need itself";
  // A callee may take and give one tuple where the op lists values; both forms occur.
  return failure(failed(matchTypes(*this, getCallee(), "input", getInputs().getTypes(),
                                   withoutTuple(callee.getArgumentTypes()))) ||
                 failed(matchTypes(*this, getCallee(), "result", getResultTypes(),
                                   withoutTuple(callee.getResultTypes()))));
}

LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FunctionOpInterface callee = lookupFunction(*this, getDecompositionAttr(), symbols);
  if (!callee)
    return failure();
  return failure(
      failed(matchTypes(*this, getDecomposition(), "input", getInputs().getTypes(),
                        callee.getArgumentTypes())) ||
      failed(matchTypes(*this, getDecomposition(), "result", getResultTypes(), callee.getResultTypes())));
}

/// A barrier passes its operands on: other types would be a conversion that no pass may see through.
LogicalResult OptimizationBarrierOp::verify() {
  if (getInputs().getTypes() == getResultTypes())
    return success();
  return emitOpError() << "results must have the types of the inputs";
}

//===- Values that outlive a call ------------------------------------------===//

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(*this, getSymNameAttr());
  if (!global)
    return emitOpError() << "needs a global @" << getSymName() << ", and there is none";
  if (global.getType() == getType())
    return success();
  return emitOpError() << "result is " << getType() << ", but @" << getSymName() << " is "
                       << global.getType();
}

LogicalResult SetKeyValueOp::verify() {
  return getValues().empty() ? emitOpError() << "needs at least one value" : success();
}

LogicalResult GetKeyValueOp::verify() {
  return getResults().empty() ? emitOpError() << "needs at least one result" : success();
}

//===- Tuples --------------------------------------------------------------===//

LogicalResult TupleOp::verify() {
  if (TypeRange(cast<TupleType>(getType()).getTypes()) == TypeRange(getValues().getTypes()))
    return success();
  return emitOpError() << "result must be a tuple of the operands' types, not " << getType();
}

LogicalResult GetTupleElementOp::verify() {
  auto tuple = cast<TupleType>(getOperand().getType());
  if (getIndex() >= tuple.size())
    return emitOpError() << "index " << int32_t(getIndex()) << " is not within the tuple's " << tuple.size()
                         << " elements";
  if (tuple.getType(getIndex()) == getType())
    return success();
  return emitOpError() << "result is " << getType() << ", but element " << getIndex() << " is "
                       << tuple.getType(getIndex());
}

} // namespace tessera::ttcore
