//===- Problem.cpp - Is the problem consistent in itself? ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/Problem.h"
#include "tessera/Support/AddOnce.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

namespace {

/// Collects nothing but the first complaint: the rest often follows from it.
/// Problems are built from modules and read from text; neither is trusted. Policies index all lists without asking,
/// so whatever they count on is seen to here, in one place.
class ProblemCheck {
public:
  explicit ProblemCheck(const Problem &problem) : problem(problem) {}

  std::string run() {
    // Values before ops before uses: each check may look up what the ones before it have found to exist.
    if (!problem.layouts || !problem.signatures)
      return "the problem has no layout pool or no signature pool";
    for (size_t i = 0; i < problem.values.size() && complaint.empty(); ++i)
      checkValue(ValueId(i));
    listed.assign(problem.values.size(), 0);
    for (size_t i = 0; i < problem.ops.size() && complaint.empty(); ++i)
      checkOp(OpId(i));
    if (complaint.empty())
      checkUses();
    if (complaint.empty())
      checkReturned();
    return complaint;
  }

private:
  std::string label(ValueId id) const {
    return llvm::formatv("value {0} ({1}): ", id.index(), problem[id].name);
  }
  std::string label(OpId id) const {
    return llvm::formatv("op {0} ({1}): ", id.index(), problem[id].location);
  }

  /// About a value or an op.
  template <class Id, class... Args>
  void complain(Id id, const char *format, Args &&...args) {
    if (complaint.empty())
      complaint = label(id) + llvm::formatv(format, std::forward<Args>(args)...).str();
  }

  bool exists(ValueId id) const { return id.valid() && id.index() < problem.values.size(); }
  bool exists(OpId id) const { return id.valid() && id.index() < problem.ops.size(); }
  bool exists(LayoutId id) const { return id.valid() && id.index() < problem.layouts->size(); }

  void checkValue(ValueId id) {
    const Value &value = problem[id];
    if (!exists(value.declared))
      return complain(id, "declared layout is not in the pool");
    // Arguments and constants stay where the program put them (docs/policies, "Rules that hold for all").
    if (!exists(value.home) || (!value.producer.valid() && value.home != value.declared))
      return complain(id, "has no home, or is an argument whose home is not its declared layout");
    if (!value.producer.valid())
      return value.kind == ValueKind::Activation ? complain(id, "an activation without a producer") : void();
    if (!exists(value.producer))
      return complain(id, "its producer does not exist");
    const Op &producer = problem[value.producer];
    if (value.resultIndex >= producer.results.size() || producer.results[value.resultIndex] != id)
      complain(id, "is not result {0} of its producer {1}", value.resultIndex, producer.location);
  }

  void checkOp(OpId id) {
    const Op &op = problem[id];
    if (!op.signature.valid() || op.signature.index() >= problem.signatures->size())
      return complain(id, "its signature is not in the pool");
    const OpSignature &signature = problem.signature(id);
    if (signature.operands.size() != op.operands.size() || signature.results.size() != op.results.size())
      return complain(id, "{0} operands and {1} results, but its signature has {2} and {3}",
                      op.operands.size(), op.results.size(), signature.operands.size(),
                      signature.results.size());
    checkOperands(id, op);
    for (ValueId result : op.results)
      if (!exists(result) || problem[result].producer != id)
        complain(id, "a result does not exist or names another producer");
    for (OpId before : op.after)
      // Ids are the order of ops, so whatever an op depends on has a smaller one.
      if (!exists(before) || before >= id)
        complain(id, "must stand after an op that is not before it");
    if (llvm::any_of(op.writes, [&](unsigned operand) { return operand >= op.operands.size(); }))
      complain(id, "writes an operand that it does not have");
    checkConfigs(id, op);
  }

  void checkOperands(OpId id, const Op &op) {
    for (auto [index, operand] : llvm::enumerate(op.operands)) {
      if (!exists(operand))
        return complain(id, "operand {0} does not exist", index);
      OpId producer = problem[operand].producer;
      if (producer.valid() && producer >= id)
        return complain(id, "operand {0} ({1}) is computed later", index, problem[operand].name);
      checkListed(operand, {id, unsigned(index)});
    }
  }

  /// Operands are visited in schedule order, so the next use that the value lists must be this one.
  /// In this way each use is looked at once, instead of a search through the uses for each operand: a value may
  /// have thousands.
  void checkListed(ValueId id, Use use) {
    const Value &value = problem[id];
    size_t next = listed[id.index()]++;
    if (next < value.uses.size() && value.uses[next] == use)
      return;
    if (llvm::is_contained(value.uses, use))
      return complain(id, "its uses are others, or not in schedule order");
    complain(use.op, "operand {0} ({1}) does not list this use", use.operand, value.name);
  }

  void checkConfigs(OpId id, const Op &op) {
    if (op.legal.empty())
      return complain(id, "has no legal configuration");
    auto wellFormed = [&](const OpConfig &config) {
      return config.outputs.size() == op.results.size() &&
             llvm::all_of(config.outputs, [&](LayoutId layout) { return !layout.valid() || exists(layout); });
    };
    // An invalid layout is one that the backend chooses; a configuration names it all the same.
    if (!llvm::all_of(op.legal, wellFormed) || !wellFormed(op.declared))
      return complain(id, "a configuration does not name one layout per result");
    checkBase(id, op);
    if (op.mustConvert && (op.operands.size() != 1 || op.results.size() != 1))
      complain(id, "must convert, but has {0} operands and {1} results", op.operands.size(),
               op.results.size());
    for (auto [result, layout] : llvm::zip_equal(op.results, op.declared.outputs))
      if (layout != problem[result].declared)
        complain(id, "the declared configuration and the declared layout of {0} differ",
                 problem[result].name);
  }

  void checkBase(OpId id, const Op &op) {
    // Without any the op reads all at home.
    if (op.baseInputs.empty())
      return;
    // All other ops read their operands at home.
    bool mayDiffer = hasOwnBase(op) || op.role == OpRole::Fixed || op.mustConvert;
    bool fits = mayDiffer && op.baseInputs.size() == op.operands.size() &&
                llvm::all_of(op.baseInputs, [&](LayoutId layout) { return exists(layout); });
    if (!fits)
      return complain(id,
                      "its base inputs do not name one layout per operand of an op with a base of its own");
    for (auto [index, operand] : llvm::enumerate(op.operands)) {
      // An operand that is given twice is one tensor, which the op reads in one place.
      if (op.baseInputs[firstOperand(op, operand)] != op.baseInputs[index])
        complain(id, "its base inputs read {0} in two layouts", problem[operand].name);
    }
  }

  /// What is left over: uses that no operand has confirmed.
  void checkUses() {
    for (auto [index, value] : llvm::enumerate(problem.values))
      if (value.uses.size() != listed[index])
        return complain(ValueId(index), "lists a use that does not exist");
  }

  void checkReturned() {
    std::vector<bool> isReturned(problem.values.size(), false);
    for (ValueId id : problem.returned) {
      if (!exists(id))
        return void(complaint = "a returned value does not exist");
      isReturned[id.index()] = true;
      if (!problem[id].returned)
        return complain(id, "is returned but not marked so");
    }
    for (auto [index, value] : llvm::enumerate(problem.values))
      if (value.returned && !isReturned[index])
        complain(ValueId(index), "is marked as returned but is not");
  }

  const Problem &problem;
  std::string complaint;
  std::vector<size_t> listed; ///< by ValueId: uses that operands have confirmed so far
};

} // namespace

std::vector<DataType> tessera::scalarDataTypes(const Problem &problem) {
  llvm::SmallSetVector<DataType, 8> types;
  for (const Value &value : problem.values) {
    // In order of first appearance: the set decides which layouts are enumerated, and must not depend on
    // hashing.
    types.insert(value.tensor.dtype);
    types.insert(
        problem.layout(value.declared).dtype); // a block float's element type may be written as a scalar's
  }
  return {types.begin(), types.end()};
}

std::string tessera::checkProblem(const Problem &problem) { return ProblemCheck(problem).run(); }

/// The declared configuration is no choice then: an override excludes it, or the input does not fit as declared.
bool tessera::hasOwnBase(const Op &op) { return op.restricted || op.unfit; }

const OpConfig &tessera::baseConfig(const Op &op) { return hasOwnBase(op) ? op.legal.front() : op.declared; }

LayoutId tessera::baseInput(const Problem &problem, OpId id, size_t operand) {
  const Op &op = problem[id];
  return op.baseInputs.empty() ? problem[op.operands[operand]].home : op.baseInputs[operand];
}

LayoutId tessera::baseInput(const Problem &problem, OpId op, ValueId value) {
  return baseInput(problem, op, firstOperand(problem[op], value));
}

/// In the order of the operands. Quadratic, but in the operands of one op.
llvm::SmallVector<ValueId, 4> tessera::distinctValues(const Op &op) {
  llvm::SmallVector<ValueId, 4> values;
  for (ValueId operand : op.operands)
    addOnce(values, operand);
  return values;
}

size_t tessera::firstOperand(const Op &op, ValueId value) {
  return size_t(llvm::find(op.operands, value) - op.operands.begin());
}

llvm::SmallVector<OpId, 4> tessera::readingOps(const Value &value) {
  llvm::SmallVector<OpId, 4> ops;
  // Uses are in schedule order, so that those of one op stand together.
  for (const Use &use : value.uses)
    if (ops.empty() || ops.back() != use.op)
      ops.push_back(use.op);
  return ops;
}

bool tessera::isRead(const Value &value) { return !value.uses.empty() || value.returned; }

LayoutId tessera::inDram(const Problem &problem, ValueId id) {
  const Value &value = problem[id];
  const TensorLayout &declared = problem.layout(value.declared);
  // The declared layout is kept as it is, with its pages and its mesh, so that a value that is at home in DRAM
  // has one layout there.
  if (declared.isDram())
    return value.declared;
  // The declared layout knows the element format best: a block-float tensor's element type may be a scalar's.
  TensorLayout dram = dramInterleaved({value.tensor.shape, declared.dtype}, declared.page);
  dram.mesh = declared.mesh;
  return problem.layouts->intern(dram);
}

/// Of an op that no override restricts any configuration is allowed that the op model takes, listed or not.
bool tessera::isAllowed(const Op &op, const OpConfig &config) {
  return !op.restricted || llvm::is_contained(op.legal, config);
}

bool tessera::isAllowed(const Op &op, const OpConfig &config, llvm::ArrayRef<LayoutId> inputs) {
  return isAllowed(op, config) && (!op.mustConvert || inputs.front() != config.outputs.front());
}

bool tessera::hasOverrides(const Problem &problem) {
  return llvm::any_of(problem.ops, [](const Op &op) { return op.restricted || op.mustConvert; });
}

bool tessera::isDemanded(const Problem &problem, ValueId value) {
  OpId producer = problem[value].producer;
  return producer.valid() && problem[producer].mustConvert;
}

std::vector<bool> tessera::valuesWrittenInPlace(const Problem &problem) {
  std::vector<bool> written(problem.values.size(), false);
  for (auto [op, shows] : llvm::zip_equal(problem.ops, viewsThatShow(problem)))
    if (shows)
      written[op.results.front().index()] = true;
  // From the back, so that a view of a view passes on what is written into it.
  for (const Op &op : llvm::reverse(problem.ops)) {
    for (unsigned operand : op.writes)
      written[op.operands[operand].index()] = true;
    // A move that has nothing to do hands on the copy that it reads; others would read what was written into that.
    if (mayBeView(problem, op) && written[op.results.front().index()])
      written[op.operands.front().index()] = true;
  }
  return written;
}

/// A copy of what is written in place would be out of date, and what an override has converted is to be read as it
/// is.
std::vector<bool> tessera::copyableValues(const Problem &problem) {
  std::vector<bool> copyable = valuesWrittenInPlace(problem);
  copyable.flip();
  for (const Op &op : problem.ops)
    for (ValueId result : op.results)
      if (op.mustConvert)
        copyable[result.index()] = false;
  return copyable;
}

bool tessera::mayUseCircularBuffers(const Problem &problem, OpId id) {
  const Op &op = problem[id];
  auto onHost = [&](ValueId value) { return !problem.layout(problem[value].declared).onDevice(); };
  auto isConstant = [&](ValueId value) { return problem[value].kind == ValueKind::Constant; };
  // What was computed in an earlier run or runs on the host has no program in this one.
  if (!op.results.empty() && (llvm::all_of(op.results, isConstant) || llvm::all_of(op.results, onHost)))
    return false;
  return op.operands.empty() || !llvm::all_of(op.operands, onHost);
}

std::vector<OpId> tessera::programOrder(const Problem &problem) {
  std::vector<OpId> order;
  for (size_t op = 0; op < problem.ops.size(); ++op)
    order.push_back(OpId(op));
  return order;
}

std::vector<ValueId> tessera::givenValues(const Problem &problem) {
  std::vector<ValueId> given;
  for (size_t id = 0; id < problem.values.size(); ++id)
    if (!problem.values[id].producer.valid())
      given.push_back(ValueId(id));
  return given;
}

std::vector<SchedulePos> tessera::lastUses(const Problem &problem, llvm::ArrayRef<OpId> schedule) {
  std::vector<SchedulePos> last(problem.values.size());
  for (auto [position, op] : llvm::enumerate(schedule)) {
    for (ValueId operand : problem[op].operands)
      last[operand.index()] = SchedulePos(position);
    // Nobody may read a result, which then is there while its producer runs.
    for (ValueId result : problem[op].results)
      last[result.index()] = SchedulePos(position);
  }
  // The caller reads it behind the last op.
  for (ValueId id : problem.returned)
    last[id.index()] = problem.end();
  return last;
}

/// Until when a value's memory is needed. `isView`: whether an op may hand on its operand's memory as its result.
std::vector<SchedulePos> tessera::lastReaders(const Problem &problem, llvm::ArrayRef<OpId> schedule,
                                              llvm::function_ref<bool(const Op &)> isView) {
  std::vector<SchedulePos> last = lastUses(problem, schedule);
  for (auto [index, value] : llvm::enumerate(problem.values))
    // The next run reads arguments and constants.
    if (value.kind != ValueKind::Activation)
      last[index] = problem.end();
  // A view keeps what it views; views of views are seen later in the program, so first backwards, then
  // forwards.
  auto root = [&](const Op &op) -> SchedulePos & { return last[op.operands.front().index()]; };
  auto view = [&](const Op &op) -> SchedulePos & { return last[op.results.front().index()]; };
  for (OpId op : llvm::reverse(schedule))
    if (isView(problem[op]))
      root(problem[op]) = std::max(root(problem[op]), view(problem[op]));
  for (OpId op : schedule)
    if (isView(problem[op]))
      view(problem[op]) = std::max(view(problem[op]), root(problem[op]));
  return last;
}

std::vector<SchedulePos> tessera::lastReaders(const Problem &problem, llvm::ArrayRef<OpId> schedule) {
  return lastReaders(problem, schedule, [&](const Op &op) { return mayBeView(problem, op); });
}

std::vector<SchedulePos> tessera::lastReaders(const Problem &problem) {
  return lastReaders(problem, programOrder(problem));
}
