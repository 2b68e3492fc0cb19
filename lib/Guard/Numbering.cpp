//===- Numbering.cpp - Values of two modules that are the same -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Numbering.h"

#include "Allowed.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tessera::guard {
namespace {

constexpr StringLiteral kSymbol = "sym_name";

/// Ops that hold a name space: what stands in them is compared by itself.
bool isContainer(Operation *op, StringRef name) {
  static constexpr StringLiteral kModules[] = {"builtin.module", "ttcore.device_module", "ttcore.cpu_module"};
  return llvm::is_contained(kModules, name) ||
         (op->getNumRegions() > 0 && isa_and_nonnull<StringAttr>(Differences::find(op, kSymbol)));
}

/// A function that runs once.
bool isConstEval(Operation *op) {
  auto type = dyn_cast_or_null<StringAttr>(Differences::find(op, "tt.function_type"));
  return type && type == "const_eval";
}

/// A conversion or deallocate that says more than its kind and its types do: a plan must keep it.
bool saysMore(Operation *op) {
  static constexpr StringLiteral kUsual[] = {"dtype", "layout", "memory_config", "force"};
  if (llvm::any_of(op->getDiscardableAttrs(), [](NamedAttribute attribute) {
        return attribute.getName() != kCallee; // which its syntax has made an attribute
      }))
    return true;
  DictionaryAttr properties = propertiesOf(op);
  return properties && llvm::any_of(properties, [](NamedAttribute property) {
           return property.getName() != kCallee && !llvm::is_contained(kUsual, property.getName().strref());
         });
}

/// An empty tensor that is only freed keeps a place for another one (`dropHolders`, Bridge/PlanToIR): the next plan keeps its own.
bool holdsPlace(Operation *op, StringRef name) {
  return isEmptyTensor(name) && op->getDiscardableAttrs().empty() && !op->use_empty() &&
         llvm::all_of(op->getUsers(),
                      [](Operation *user) { return isDeallocate(nameOf(user)) && !saysMore(user); });
}

std::string joined(ArrayRef<unsigned> numbers) {
  std::string text;
  for (unsigned number : numbers)
    text += std::to_string(number) + ",";
  return text;
}

/// Where ops stand in the file is no location of theirs: those of two cached functions that say the same are the same.
bool haveSameLocation(Operation *one, Operation *other) {
  return one->getLoc() == other->getLoc() || (!hasOwnLocation(one) && !hasOwnLocation(other));
}

/// Whether a plan may have the result in this type without a typecast behind it: that of the first operand, indices beside
/// what is sorted in any without a sign, what is counted in si32.
bool isUncast(OpResult result, StringRef name) {
  Operation *op = result.getOwner();
  Type type = getElementTypeOrSelf(result.getType());
  if (name == "ttnn.arange")
    return type.isSignedInteger(32);
  const bool areIndices = result.getResultNumber() > 0 && type.isUnsignedInteger();
  return op->getNumOperands() == 0 || areIndices || type == getElementTypeOrSelf(op->getOperand(0).getType());
}

} // namespace

Numbering::Numbering(RawModule &before, RawModule &after, const GuardOptions &options)
    : options(options), before(before, true), after(after, false),
      differences(this->before.texts, this->after.texts, options) {}

unsigned Numbering::derived(const std::string &text) {
  unsigned &number = derivedNumbers[text];
  return number ? number : number = next++;
}

const std::string &Numbering::typeOf(Side &side, mlir::Type type) {
  if (options.dataTypesAreGiven)
    return side.texts.shapeSignature(type);
  return side.texts.plannedSignature(type);
}

unsigned Numbering::numberOf(Side &side, mlir::Value value) {
  auto [entry, isNew] = side.numbers.try_emplace(value, 0);
  // A value that is used before its op comes: of a later block. It has the number of that place.
  if (isNew)
    entry->second = next++;
  return entry->second;
}

// ---- Entering and finding ---------------------------------------------------------------------------------

unsigned Numbering::enter(Operation *op, const std::string &key, const std::string &scope) {
  // Ops of one key may still say different things. That is compared as attributes, of which a context has each
  // once, and not as text.
  llvm::SmallVector<size_t, 1> &alike = byKey[key];
  for (size_t index : alike)
    if (Entry &entry = entries[index];
        propertiesOf(entry.op) == propertiesOf(op) &&
        entry.op->getDiscardableAttrDictionary() == op->getDiscardableAttrDictionary() &&
        (options.planned || entry.op->getResultTypes() == op->getResultTypes()) &&
        (!options.locations || haveSameLocation(entry.op, op))) {
      // Ops of a cached function that a load is looked through to are entered, but not expected: they are
      // counted where the function stands, and another function may stand in for it.
      entry.expected += counting;
      return entry.first;
    }
  alike.push_back(entries.size());
  entries.push_back({op, next, unsigned(counting), 0, scope, ""});
  next += 1 + op->getNumResults();
  return entries.back().first;
}

/// An op that says little must not take the place of one that says more.
void Numbering::orderEntries() {
  for (auto &alike : byKey) {
    llvm::SmallVector<size_t, 1> &indices = alike.second;
    if (indices.size() > 1)
      llvm::sort(indices, [&](size_t left, size_t right) {
        return std::tuple(differences.weightOf(entries[right].op), left) <
               std::tuple(differences.weightOf(entries[left].op), right);
      });
  }
}

Numbering::Found Numbering::lookUp(Operation *op, const std::string &key) {
  auto alike = byKey.find(key);
  // An entry that is still wanted goes before one that was found often enough. The latter is taken if no other
  // fits, as more of the same is no loss.
  Entry *match = nullptr, *nearest = nullptr;
  if (alike != byKey.end())
    for (size_t index : alike->second) {
      Entry &entry = entries[index];
      std::string difference = differences.between(entry.op, op);
      bool isWanted = !counting || entry.found < entry.expected;
      if (difference.empty() && (!match || isWanted))
        match = &entry;
      if (difference.empty() && isWanted)
        break;
      if (!difference.empty() && !nearest && isWanted) {
        nearest = &entry;
        nearest->difference = difference;
      }
    }
  if (match)
    match->found += counting;
  // What follows is compared as if nothing had been lost here: one loss is said once.
  if (Entry *taken = match ? match : nearest)
    return {taken->first, match != nullptr};
  next += 1 + op->getNumResults();
  return {next - 1 - unsigned(op->getNumResults()), false};
}

std::string Numbering::describeRegion(Side &side, Region &region, const std::string &scope) {
  // Arguments have their number by their place, not by their name, and before the block is walked: ops in it
  // read them. The walk enters the ops of the region under its own scope, and the text alone is part of the key
  // of the op around it.
  std::string text = "{";
  for (auto [index, block] : llvm::enumerate(region)) {
    text += "^";
    for (BlockArgument argument : block.getArguments()) {
      side.numbers[argument] = derived("argument " + scope + " " + std::to_string(index) + " " +
                                       std::to_string(argument.getArgNumber()));
      text += typeOf(side, argument.getType()) + ",";
    }
    number(side, block, scope + "^" + std::to_string(index));
  }
  return text + "}";
}

std::string Numbering::describe(Side &side, Operation *op, const std::string &name,
                                const std::string &scope) {
  Numbers operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(numberOf(side, operand));
  std::string key = scope + " " + name + "(" + joined(operands) + ")";
  // Such an op may make another type in the plan, so only the shape is part of what it is; the type is of the value
  // that is read (resultNumber).
  bool casts = options.planned && mayBeCast(name);
  for (mlir::Type type : op->getResultTypes())
    key += (casts ? side.texts.shapeSignature(type) : typeOf(side, type)) + ";";
  for (Block *successor : op->getSuccessors())
    key += "^" + std::to_string(std::distance(successor->getParent()->begin(), successor->getIterator()));
  return key;
}

/// Of an op that may be cast the number is that of what it makes, and another one as another type.
unsigned Numbering::resultNumber(Side &side, OpResult result, StringRef name, unsigned made) {
  // Where only shapes are compared a typecast behind the op is no other value, and neither is what the op makes itself.
  if (!options.planned || options.dataTypesAreGiven || !mayBeCast(name))
    return made;
  if (result.getResultNumber() > 0 && getElementTypeOrSelf(result.getType()).isUnsignedInteger())
    places.insert(made);
  if (isUncast(result, name))
    return made;
  return derived(std::to_string(made) + " as " + typeOf(side, result.getType()));
}

void Numbering::enterOrFind(Side &side, Operation *op, const std::string &name, const std::string &scope,
                            bool withResults) {
  std::string key = describe(side, op, name, scope);
  for (Region &region : op->getRegions()) // what it holds is entered by itself, below it
    key += describeRegion(side, region, key);
  auto [first, isWhole] = side.isBefore ? Found{enter(op, key, scope), true} : lookUp(op, key);
  if (!side.running.empty() && isWhole)
    side.ran[side.running.back()].insert(first);
  if (!withResults)
    return;
  for (OpResult result : op->getResults())
    side.numbers[result] = resultNumber(side, result, name, first + 1 + result.getResultNumber());
  // What reads a cache after it was written must not be taken for what read it before, so the written tensor
  // becomes a new value, in both modules the same.
  if (op->getNumResults() == 0 && op->getNumOperands() > 0)
    side.numbers[op->getOperand(0)] = derived("written " + std::to_string(first));
}

// ---- What is looked through -------------------------------------------------------------------------------

/// The function of that name around `op`, if it can be looked into.
Operation *Numbering::calledFunction(Side &side, Operation *op, StringRef name) {
  // Symbols are looked up by hand, as not all that has a name is a symbol to MLIR here. The tables are kept, so
  // that a module with many loads stays linear.
  for (Operation *inner = op; inner->getBlock(); inner = inner->getParentOp()) {
    auto [symbols, isNew] = side.symbols.try_emplace(inner->getBlock());
    if (isNew)
      for (Operation &other : *inner->getBlock())
        if (auto symbol = dyn_cast_or_null<StringAttr>(Differences::find(&other, kSymbol)))
          symbols->second[symbol] = &other;
    if (Operation *found = symbols->second.lookup(name))
      return found->getNumRegions() == 1 && found->getRegion(0).hasOneBlock() ? found : nullptr;
    if (!inner->getParentOp())
      return nullptr;
  }
  return nullptr;
}

bool Numbering::numberLoad(Side &side, Operation *load) {
  auto callee = dyn_cast_or_null<SymbolRefAttr>(Differences::find(load, kCallee));
  Operation *function = callee ? calledFunction(side, load, callee.getRootReference().getValue()) : nullptr;
  Block *body = function ? &function->getRegion(0).front() : nullptr;
  // A function that calls itself is never looked into twice, or the walk would not end.
  if (!body || body->empty() || body->getNumArguments() != load->getNumOperands() ||
      body->back().getNumOperands() != load->getNumResults() || llvm::is_contained(side.running, function))
    return false;
  Numbers inputs;
  for (mlir::Value operand : load->getOperands())
    inputs.push_back(numberOf(side, operand));
  // The same function of the same inputs gives the same values: a body is walked once for all loads that agree
  // in both.
  std::string call = std::to_string(uintptr_t(function)) + "(" + joined(inputs);
  auto known = side.cached.find(call);
  if (known == side.cached.end()) {
    for (auto [argument, input] : llvm::zip(body->getArguments(), inputs))
      side.numbers[argument] = input;
    side.running.push_back(function);
    side.ran.try_emplace(function);
    bool outer = std::exchange(counting, false);
    // Not without_terminator(): a return in generic form is none to MLIR here.
    for (Operation &op : llvm::make_range(body->begin(), std::prev(body->end())))
      number(side, &op, "cached");
    counting = outer;
    side.running.pop_back();
    std::vector<unsigned> results;
    for (mlir::Value result : body->back().getOperands())
      results.push_back(numberOf(side, result));
    known = side.cached.try_emplace(call, std::move(results)).first;
  }
  for (auto [result, found] : llvm::zip(load->getResults(), known->second))
    side.numbers[result] = found;
  return true;
}

/// True if the op is none that has to be found again.
bool Numbering::lookThrough(Side &side, Operation *op, StringRef name, const std::string &scope) {
  if (name == kLoadCached) {
    bool isSeenThrough = numberLoad(side, op);
    if (!isSeenThrough) // then all that is known of it is the name of its function
      enterOrFind(side, op, name.str() + textOf(Differences::find(op, kCallee)), scope, /*withResults=*/true);
    else if (saysMore(op))
      enterOrFind(side, op, name.str(), scope, /*withResults=*/false);
    return true;
  }
  // Of the first module alone: one that nobody used there looks like that once a plan has freed it.
  if (&side == &before && holdsPlace(op, name))
    return true;
  if (isDeallocate(name)) {
    if (saysMore(op))
      enterOrFind(side, op, name.str(), scope, /*withResults=*/false);
    return true;
  }
  if (!isConversion(name) || op->getNumOperands() == 0 || op->getNumResults() != 1)
    return false;
  if (saysMore(op))
    enterOrFind(side, op, name.str(), scope, /*withResults=*/false);
  unsigned source = numberOf(side, op->getOperand(0));
  // A typecast there and back gives another value than none at all, so each change of type counts, in its
  // order.
  std::string from = typeOf(side, op->getOperand(0).getType()), to = typeOf(side, op->getResult(0).getType());
  bool isSame = from == to || (places.contains(source) &&
                               getElementTypeOrSelf(op->getResult(0).getType()).isUnsignedInteger());
  side.numbers[op->getResult(0)] = isSame ? source : derived(std::to_string(source) + " as " + to);
  return true;
}

// ---- The walk ---------------------------------------------------------------------------------------------

void Numbering::number(Side &side, Block &block, const std::string &scope) {
  for (Operation &op : block)
    number(side, &op, scope);
}

void Numbering::number(Side &side, Operation *op, const std::string &scope) {
  std::string name = nameOf(op);
  if (isContainer(op, name))
    return numberContainer(side, op, name, scope);
  if (!options.planned || !lookThrough(side, op, name, scope))
    enterOrFind(side, op, name, scope, /*withResults=*/true);
}

void Numbering::numberContainer(Side &side, Operation *op, const std::string &name,
                                const std::string &scope) {
  auto symbol = dyn_cast_or_null<StringAttr>(Differences::find(op, kSymbol));
  std::string inner = scope + "/" + name + (symbol ? "@" + symbol.str() : "");
  std::string key = describe(side, op, inner, scope);
  if (side.isBefore)
    enter(op, key, inner);
  else
    lookUp(op, key);
  for (Region &region : op->getRegions())
    describeRegion(side, region, inner);
}

// ---- Losses -----------------------------------------------------------------------------------------------

/// Whether a function of the plan runs all that another one ran, and says what it said.
bool Numbering::standsFor(Operation *function, const llvm::DenseSet<unsigned> &ran, Operation *was) {
  // What Bridge/CacheConstants puts in the place of a function is a copy of it with a conversion behind, so all
  // that ran runs again; the conversion is no loss either way.
  const llvm::DenseSet<unsigned> &runsNow = after.ran[function];
  return llvm::all_of(ran, [&](unsigned op) { return runsNow.contains(op); }) &&
         differences.betweenAttributes(was, function).empty();
}

/// A plan may put other const-eval functions in the place of one. One of the same name is compared with it instead.
void Numbering::excuseReplacedFunctions() {
  llvm::SmallVector<Operation *> functions = llvm::to_vector(llvm::make_first_range(after.ran));
  for (const Entry &entry : entries) {
    // A function that is still there and says something else is a loss, not a replacement.
    if (entry.found >= entry.expected || !entry.difference.empty() || !isConstEval(entry.op))
      continue;
    auto ran = before.ran.find(entry.op);
    if (ran != before.ran.end() && llvm::any_of(functions, [&](Operation *function) {
          return standsFor(function, ran->second, entry.op);
        }))
      excused.push_back(entry.scope);
  }
}

bool Numbering::isExcused(StringRef scope) const {
  return llvm::any_of(excused, [&](StringRef function) {
    StringRef rest = scope;
    // The function's own scope or one within it, and not that of a function whose name begins so.
    return rest.consume_front(function) && (rest.empty() || rest.starts_with("^"));
  });
}

/// Takes the resources at the end of `path` that are not used out of a tree of resources, and what held only such.
static void dropUnused(Node::Sequence &tree, llvm::ArrayRef<StringRef> path, const llvm::StringSet<> &used) {
  auto keyOf = [](const Node::Sequence &item) {
    return item.empty() ? StringRef() : StringRef(item.front().text).trim('"');
  };
  for (Node &group : tree) {
    for (Node::Sequence &item : group.items)
      if (!path.empty() && keyOf(item) == path.front())
        dropUnused(item, path.drop_front(), used);
    llvm::erase_if(group.items, [&](const Node::Sequence &item) {
      return path.empty() ? !used.contains(keyOf(item))
                          : keyOf(item) == path.front() && item.back().items.empty();
    });
  }
}

/// Writes the digits of blobs as MLIR prints them, who reads them in either case.
static void upperCaseDigits(Node::Sequence &tree) {
  for (Node &node : tree) {
    if (StringRef(node.text).starts_with("\"0x"))
      node.text = "\"0x" + StringRef(node.text).drop_front(3).upper();
    for (Node::Sequence &item : node.items)
      upperCaseDigits(item);
  }
}

void Numbering::lookAtResources(std::vector<Loss> &losses) {
  if (before.module.resources.empty())
    return;
  auto tree = [](const RawModule &module) {
    return parseTokens("{" + module.resources + "}", module.aliases);
  };
  Node::Sequence expected = tree(before.module), found = tree(after.module);
  // Those that no attribute is made of MLIR's printer leaves out, and nothing of the program is lost by that.
  dropUnused(expected, {"dialect_resources", "builtin"}, before.module.usedResources);
  upperCaseDigits(expected);
  upperCaseDigits(found);
  if (std::string missing = firstMissing(expected, found); !missing.empty())
    // The first columns: a resource may be megabytes of digits.
    losses.push_back({"", "resource " + StringRef(missing).take_front(80).str()});
}

std::vector<Loss> Numbering::run() {
  auto walk = [&](Side &side) {
    Block &top = side.module.top;
    bool isWrapped = llvm::hasSingleElement(top) && nameOf(&top.front()) == "builtin.module";
    // Where there is no module, one is put around what there is.
    number(side, top, isWrapped ? "" : "/builtin.module^0");
  };
  // The first module has to be complete before the second asks for anything, and what says most has to be asked
  // for first.
  walk(before);
  orderEntries();
  walk(after);
  if (options.planned)
    excuseReplacedFunctions();
  std::vector<Loss> losses;
  lookAtResources(losses);
  for (Entry &entry : entries) {
    if (entry.found >= entry.expected || isExcused(entry.scope))
      continue;
    std::string op = "'" + nameOf(entry.op) + "'";
    losses.push_back({placeOf(before.module, entry.op),
                      entry.difference.empty() ? op + " is gone, or reads or gives something else"
                                               : op + " lost its " + entry.difference});
  }
  return losses;
}

} // namespace tessera::guard
