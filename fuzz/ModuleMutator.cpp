//===- ModuleMutator.cpp - Modules that are valid, but odd ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ModuleMutator.h"

#include "OddTypes.h"

#include "tessera/Dialect/Register.h"
#include "tessera/Support/ModuleText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <cmath>

using namespace mlir;

namespace tessera::fuzz {
namespace {

constexpr size_t kMostMutations = 8;
constexpr size_t kMostCopies = 64;
/// Functions of each kind are treated in their own way; not all kinds are known.
constexpr llvm::StringLiteral kFunctionTypes[] = {"forward_device", "forward_cpu", "const_eval", "trace", ""};

struct Subject {
  ModuleOp module, donor;
};

// ---- What there is in a module ---------------------------------------------------------------------------

template <class Op = Operation *, class Accept>
std::vector<Op> all(ModuleOp module, Accept accept) {
  std::vector<Op> found;
  module.walk([&](Op op) {
    if (op != module && accept(op))
      found.push_back(op);
  });
  return found;
}

/// Those with a body whose attributes have not been taken from them.
std::vector<func::FuncOp> functions(ModuleOp module) {
  return all<func::FuncOp>(module, [](func::FuncOp f) {
    TypeAttr type = f.getFunctionTypeAttr();
    return !f.isExternal() && f.getSymNameAttr() && type && isa<FunctionType>(type.getValue());
  });
}

/// An op of the module that has something; null if none has.
template <class Accept>
Operation *anyOp(ModuleOp module, Random &random, Accept accept) {
  std::vector<Operation *> found = all(module, accept);
  return found.empty() ? nullptr : random.of(found);
}

/// Values that an op can use: arguments of its block, and results of ops before it.
std::vector<Value> valuesBefore(Operation *op) {
  std::vector<Value> values(op->getBlock()->args_begin(), op->getBlock()->args_end());
  for (Operation &before : llvm::make_range(op->getBlock()->begin(), op->getIterator()))
    values.insert(values.end(), before.result_begin(), before.result_end());
  return values;
}

/// One of that type; null if there is none.
Value anyValueBefore(Operation *op, Type type, Random &random) {
  std::vector<Value> values = valuesBefore(op);
  llvm::erase_if(values, [&](Value value) { return value.getType() != type; });
  return values.empty() ? Value() : random.of(values);
}

RankedTensorType anyTensorType(ModuleOp module, Random &random) {
  std::vector<RankedTensorType> types;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        types.push_back(tensor);
  });
  return types.empty() ? RankedTensorType() : random.of(types);
}

// ---- Types -----------------------------------------------------------------------------------------------

/// Every tensor type, wherever it stands; integers of attributes as well if they are `was`.
void retypeAll(ModuleOp module, const Retype &retype,
               std::optional<std::pair<int64_t, int64_t>> integer = {}) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](RankedTensorType type) { return std::optional<Type>(retype(type)); });
  if (integer)
    replacer.addReplacement([&](IntegerAttr attr) -> std::optional<Attribute> {
      if (attr.getValue() != integer->first || attr.getValue().getBitWidth() < 32)
        return std::nullopt;
      return IntegerAttr::get(attr.getType(),
                              APInt(64, integer->second).sextOrTrunc(attr.getValue().getBitWidth()));
    });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// One type in all its places.
void changeType(Subject &subject, Random &random) {
  RankedTensorType was = anyTensorType(subject.module, random);
  if (!was)
    return;
  RankedTensorType now = oddType(was, random);
  retypeAll(subject.module, [=](RankedTensorType type) { return type == was ? now : type; });
}

/// One extent in all shapes: what belongs together still fits.
void changeExtent(Subject &subject, Random &random) {
  RankedTensorType some = anyTensorType(subject.module, random);
  if (!some || some.getRank() == 0)
    return;
  int64_t was = random.of(some.getShape()), now = oddExtent(random);
  auto retype = [&](RankedTensorType type) {
    llvm::SmallVector<int64_t> shape(type.getShape());
    std::replace(shape.begin(), shape.end(), was, now);
    return ArrayRef(shape) == type.getShape() ? type : withShape(type, shape, random);
  };
  bool attributesToo = random.oneIn(2);
  retypeAll(subject.module, retype, attributesToo ? std::optional(std::pair(was, now)) : std::nullopt);
}

/// A dimension more for every tensor of one rank.
void addDimension(Subject &subject, Random &random) {
  RankedTensorType some = anyTensorType(subject.module, random);
  if (!some || some.getRank() > 10)
    return;
  retypeAll(subject.module, [&, rank = some.getRank()](RankedTensorType type) {
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin(), 1);
    return type.getRank() == rank ? withShape(type, shape, random) : type;
  });
}

/// One value lies elsewhere.
void moveResult(Subject &subject, Random &random) {
  Operation *op = anyOp(subject.module, random, [](Operation *op) { return op->getNumResults() > 0; });
  if (!op)
    return;
  OpResult result = op->getResult(random.below(op->getNumResults()));
  if (auto type = dyn_cast<RankedTensorType>(result.getType()))
    result.setType(random.oneIn(4) ? oddType(type, random) : elsewhere(type, random));
}

// ---- Attributes ------------------------------------------------------------------------------------------

Attribute changed(Attribute attribute, Random &random);

template <class Array>
Attribute changedElements(Array array, Random &random) {
  using Element = std::decay_t<decltype(array[0])>;
  llvm::SmallVector<Element> result(array.asArrayRef());
  if (result.empty() || random.oneIn(4))
    result.push_back(Element(oddExtent(random)));
  else if (random.oneIn(4))
    result.pop_back();
  else
    result[random.below(result.size())] = Element(random.oneIn(3) ? -oddExtent(random) : oddExtent(random));
  return Array::get(array.getContext(), result);
}

Attribute changedArray(ArrayAttr array, Random &random) {
  llvm::SmallVector<Attribute> elements(array.getValue());
  if (elements.empty())
    return {};
  Attribute &some = elements[random.below(elements.size())];
  if (random.oneIn(4))
    elements.pop_back();
  else if (random.oneIn(4))
    elements.push_back(some);
  else if (Attribute other = changed(some, random))
    some = other;
  return ArrayAttr::get(array.getContext(), elements);
}

/// Another one of its kind; null if none is known, as if it had not been given.
Attribute changed(Attribute attribute, Random &random) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    unsigned bits = integer.getValue().getBitWidth();
    int64_t value = random.oneIn(2) ? int64_t(random.below(8)) - 4 : oddExtent(random);
    return IntegerAttr::get(integer.getType(), APInt(64, value).sextOrTrunc(bits));
  }
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    constexpr double kValues[] = {0, -1, 1e-5, 1e38, -1e38, INFINITY, NAN};
    return FloatAttr::get(number.getType(), random.of(kValues));
  }
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute))
    return changedElements(array, random);
  if (auto array = dyn_cast<DenseI32ArrayAttr>(attribute))
    return changedElements(array, random);
  if (auto array = dyn_cast<ArrayAttr>(attribute))
    return changedArray(array, random);
  if (isa<StringAttr>(attribute))
    return StringAttr::get(attribute.getContext(), random.of(kFunctionTypes));
  return {};
}

bool hasAttributes(Operation *op) { return !op->getAttrs().empty(); }

void changeAttribute(Subject &subject, Random &random) {
  Operation *op = anyOp(subject.module, random, hasAttributes);
  if (!op)
    return;
  NamedAttribute some = random.of(op->getAttrs());
  if (Attribute now = changed(some.getValue(), random))
    op->setAttr(some.getName(), now);
  else
    op->removeAttr(some.getName());
}

/// An attribute of another op, whatever it means here.
void takeAttribute(Subject &subject, Random &random) {
  Operation *from = anyOp(random.oneIn(2) ? subject.donor : subject.module, random, hasAttributes);
  Operation *to = anyOp(subject.module, random, hasAttributes);
  if (!from || !to)
    return;
  NamedAttribute some = random.of(from->getAttrs());
  to->setAttr(random.oneIn(2) ? some.getName() : random.of(to->getAttrs()).getName(), some.getValue());
}

void changeFunctionType(Subject &subject, Random &random) {
  std::vector<func::FuncOp> known = functions(subject.module);
  if (known.empty())
    return;
  func::FuncOp function = random.of(known);
  function->setAttr("tt.function_type", StringAttr::get(function.getContext(), random.of(kFunctionTypes)));
}

// ---- Operands and ops ------------------------------------------------------------------------------------

void changeOperand(Subject &subject, Random &random) {
  Operation *op = anyOp(subject.module, random, [](Operation *op) { return op->getNumOperands() > 0; });
  if (!op)
    return;
  OpOperand &operand = op->getOpOperand(random.below(op->getNumOperands()));
  std::vector<Value> any = valuesBefore(op);
  Value now = anyValueBefore(op, operand.get().getType(), random);
  if (!any.empty() && random.oneIn(4))
    now = random.of(any);
  if (now)
    operand.set(now);
}

/// With one operand more, or one less.
void changeOperandCount(Subject &subject, Random &random) {
  Operation *op = anyOp(subject.module, random, [](Operation *op) { return op->getNumOperands() > 0; });
  if (!op)
    return;
  unsigned at = random.below(op->getNumOperands());
  if (random.oneIn(3))
    op->eraseOperand(at);
  else
    op->insertOperands(at, llvm::SmallVector<Value>(random.few(kMostCopies), op->getOperand(at)));
}

bool isInFunction(Operation *op) {
  return op->getParentOfType<func::FuncOp>() && !op->hasTrait<OpTrait::IsTerminator>();
}

/// Gone; something of the same type stands in for what it gave.
void eraseOp(Subject &subject, Random &random) {
  Operation *op =
      anyOp(subject.module, random, [](Operation *op) { return !op->hasTrait<OpTrait::IsTerminator>(); });
  if (!op)
    return;
  for (Value result : op->getResults())
    if (Value other = anyValueBefore(op, result.getType(), random))
      result.replaceAllUsesWith(other);
  if (op->use_empty())
    op->erase();
}

/// The same again, one after another where the result can be an operand, else side by side.
void copyOp(Subject &subject, Random &random) {
  Operation *op = anyOp(subject.module, random, isInFunction);
  if (!op)
    return;
  bool chain = !random.oneIn(4);
  Operation *last = op;
  for (size_t n = random.few(kMostCopies); n != 0; --n) {
    Operation *copy = op->clone();
    last->getBlock()->getOperations().insertAfter(last->getIterator(), copy);
    for (OpOperand &operand : copy->getOpOperands())
      if (chain && last->getNumResults() == 1 && operand.get().getType() == last->getResult(0).getType())
        operand.set(last->getResult(0));
    last = copy;
  }
  if (random.oneIn(2) && op->getNumResults() != 0)
    op->getResult(0).replaceUsesWithIf(last->getResult(0), [&](OpOperand &use) {
      return use.getOwner()->getBlock() == last->getBlock() && last->isBeforeInBlock(use.getOwner());
    });
}

/// Inside a region of an op that nobody knows.
void wrapInRegion(Subject &subject, Random &random) {
  Operation *op = anyOp(subject.module, random, isInFunction);
  if (!op)
    return;
  OperationState state(op->getLoc(), "fuzz.region");
  state.addTypes(op->getResultTypes());
  Block *body = &state.addRegion()->emplaceBlock();
  OpBuilder builder(op);
  Operation *outer = builder.create(state);
  body = &outer->getRegion(0).front();
  op->replaceAllUsesWith(outer);
  op->moveBefore(body, body->end());
  builder.setInsertionPointToEnd(body);
  OperationState yield(op->getLoc(), "fuzz.yield");
  yield.addOperands(op->getResults());
  builder.create(yield);
}

// ---- Functions and their nesting -------------------------------------------------------------------------

/// A function of this module or of the donor, next to one that is there.
void addFunction(Subject &subject, Random &random) {
  std::vector<func::FuncOp> near = functions(subject.module),
                            from = functions(random.oneIn(3) ? subject.module : subject.donor);
  if (near.empty() || from.empty())
    return;
  func::FuncOp copy = func::FuncOp(random.of(from)).clone();
  copy.setName("copy" + std::to_string(random.below(1 << 30)));
  func::FuncOp place = random.of(near);
  place->getBlock()->getOperations().insert(std::next(place->getIterator()), copy);
}

/// Of any function, its own caller included.
void addCall(Subject &subject, Random &random) {
  std::vector<func::FuncOp> known = functions(subject.module);
  if (known.empty())
    return;
  func::FuncOp caller = random.of(known), callee = random.of(known);
  std::vector<Operation *> places;
  for (Operation &op : caller.front())
    places.push_back(&op);
  if (places.empty())
    return;
  Operation *place = random.of(places);
  bool cached = random.oneIn(2);
  OperationState call(caller.getLoc(), cached ? "ttcore.load_cached" : "func.call");
  call.addAttribute("callee", FlatSymbolRefAttr::get(callee.getNameAttr()));
  call.addTypes(callee.getResultTypes());
  for (Type type : callee.getArgumentTypes()) {
    Value argument = anyValueBefore(place, type, random);
    if (!argument)
      return;
    call.addOperands(argument);
  }
  Operation *added = OpBuilder(place).create(call);
  for (OpOperand &operand : place->getOpOperands())
    for (Value result : added->getResults())
      if (operand.get().getType() == result.getType())
        operand.set(result);
}

/// A function in a module of its own, or the contents of an inner module in the outer one.
void changeNesting(Subject &subject, Random &random) {
  std::vector<ModuleOp> inner = all<ModuleOp>(subject.module, [](ModuleOp) { return true; });
  if (!inner.empty() && random.oneIn(2)) {
    ModuleOp some = random.of(inner);
    some->getBlock()->getOperations().splice(some->getIterator(), some.getBody()->getOperations());
    return;
  }
  Operation *op =
      anyOp(subject.module, random, [](Operation *op) { return isa<ModuleOp, func::FuncOp>(op); });
  if (!op)
    return;
  OpBuilder builder(op);
  auto around = ModuleOp::create(builder, op->getLoc());
  op->moveBefore(around.getBody(), around.getBody()->end());
}

/// What functions declare is what they hold: else every change of a value would end at the verifier.
void fixFunctionTypes(ModuleOp module) {
  for (func::FuncOp function : functions(module)) {
    Operation *end = function.back().empty() ? nullptr : &function.back().back();
    if (end && isa<func::ReturnOp>(end))
      function.setFunctionTypeAttr(TypeAttr::get(FunctionType::get(
          module.getContext(), function.front().getArgumentTypes(), end->getOperandTypes())));
  }
}

using Mutation = void (*)(Subject &subject, Random &random);
constexpr Mutation kMutations[] = {
    changeType,      changeType,         changeExtent,    changeExtent,  changeExtent,
    addDimension,    moveResult,         moveResult,      moveResult,    changeOperand,
    changeOperand,   changeOperandCount, eraseOp,         copyOp,        copyOp,
    changeAttribute, changeAttribute,    changeAttribute, takeAttribute, wrapInRegion,
    addFunction,     changeFunctionType, addCall,         addCall,       changeNesting};

OwningOpRef<ModuleOp> parse(const std::string &text, MLIRContext &context) {
  llvm::MemoryBufferRef buffer(text, "fuzz");
  if (llvm::Error unreadable = checkModuleText(buffer, /*allowBytecode=*/false)) {
    llvm::consumeError(std::move(unreadable));
    return {};
  }
  return parseSourceString<ModuleOp>(text, ParserConfig(&context, /*verifyAfterParse=*/false));
}

} // namespace

std::string mutateModule(const std::string &text, const std::string &donor, Random &random) {
  DialectRegistry registry;
  registerTesseraDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  context.loadAllAvailableDialects(); // types are made before anything of theirs is parsed
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parse(text, context), other = parse(donor, context);
  if (!module)
    return text;
  Subject subject{*module, other ? *other : *module};
  for (size_t n = random.few(kMostMutations); n != 0; --n)
    random.of(kMutations)(subject, random);
  if (!random.oneIn(8))
    fixFunctionTypes(*module);
  std::string result;
  llvm::raw_string_ostream os(result);
  // An op that does not verify may not have what its own form prints.
  module->print(os, OpPrintingFlags().printGenericOpForm());
  return result;
}

} // namespace tessera::fuzz
