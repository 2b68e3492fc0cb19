//===- DecisionText.cpp - Decisions for people ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "DecisionText.h"

#include "tessera/Support/Format.h"
#include "tessera/Support/NearestNames.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::decisions;
namespace json = llvm::json;

/// Of what is listed at a step or in front of an error.
static constexpr size_t kMostListed = 6;
/// Ops, and conversions, that printCostliest names.
static constexpr size_t kCostliest = 10;

// ---- Which op --------------------------------------------------------------------------------------------

namespace {

struct NamedOp {
  DecidedOp op;
  std::string indexed; ///< "ttnn.matmul#3"
  const OpFacts &facts() const { return op.function->ops[size_t(op.op)]; }
};

bool isResult(const NamedOp &op, llvm::StringRef wanted) {
  return llvm::any_of(op.facts().results,
                      [&](Index value) { return op.op.function->values[size_t(value)].name == wanted; });
}

} // namespace

static std::vector<NamedOp> namedOps(const Decisions &all) {
  std::vector<NamedOp> ops;
  llvm::StringMap<unsigned> counters; // numbers go on from function to function
  for (const FunctionDecisions &function : all.functions)
    for (auto [i, op] : llvm::enumerate(function.ops))
      ops.push_back({{&function, Index(i)}, op.name + "#" + std::to_string(counters[op.name]++)});
  return ops;
}

llvm::Expected<DecidedOp> tessera::findOp(const Decisions &all, llvm::StringRef wanted) {
  std::vector<NamedOp> ops = namedOps(all), found;
  for (const NamedOp &op : ops)
    if (op.facts().location == wanted || op.indexed == wanted || op.facts().name == wanted ||
        isResult(op, wanted))
      found.push_back(op);
  if (found.size() == 1)
    return found.front().op;
  if (!found.empty()) {
    std::string text = std::to_string(found.size()) + " ops are '" + wanted.str() + "': name one of";
    for (const NamedOp &op : llvm::ArrayRef(found).take_front(kMostListed))
      text += "\n  " + op.facts().location + ", " + op.indexed;
    return llvm::createStringError(text + (found.size() > kMostListed ? "\n  ..." : ""));
  }
  llvm::SmallVector<llvm::StringRef> known;
  for (const NamedOp &op : ops)
    known.append({op.facts().location, op.indexed});
  std::string near = didYouMean(wanted, known);
  if (near.empty() && !known.empty())
    near = "; there are '" + ops.front().facts().location + "' and " + std::to_string(ops.size() - 1) +
           " others; 'tessera optimize --explain' lists them";
  return llvm::createStringError("no op is named '" + wanted.str() + "'" + near);
}

// ---- Words -----------------------------------------------------------------------------------------------

namespace {

/// The parts of a function in words.
class Words {
public:
  explicit Words(const FunctionDecisions &f) : f(f) {}

  const OpFacts &op(Index index) const { return f.ops[size_t(index)]; }
  const StepFacts &step(Index index) const { return f.steps[size_t(index)]; }
  const TensorFacts &tensor(Index index) const { return f.tensors[size_t(index)]; }
  std::string layout(Index index) const { return describe(f.layouts[size_t(index)]); }
  std::string layoutOf(Index tensorIndex) const { return layout(tensor(tensorIndex).layout); }
  const ValueFacts &valueOf(Index tensorIndex) const { return f.values[size_t(tensor(tensorIndex).value)]; }

  /// "rms_norm_2", "reshard for matmul_3".
  std::string stepName(Index index) const {
    const StepFacts &data = step(index);
    std::string of = data.op ? op(*data.op).location : "?";
    if (data.isRun())
      return of;
    bool before = data.reason == "reshard" || data.reason == "reload";
    return data.reason.value_or("conversion") + (before ? " for " : " of ") + of;
  }

  /// "the argument %arg0", "%3 of rms_norm_2", "what rms_norm_2 makes".
  std::string value(Index tensorIndex) const {
    const ValueFacts &data = valueOf(tensorIndex);
    if (data.producer && data.name == op(*data.producer).location)
      return "what " + data.name + " makes"; // values without a name of their own have its
    return data.producer ? data.name + " of " + op(*data.producer).location
                         : (data.kind == "constant" ? "the constant " : "the argument ") + data.name;
  }

  std::string shape(const ValueFacts &data) const {
    std::string text;
    for (int64_t extent : data.shape)
      text += std::to_string(extent) + "x";
    return text + data.dtype;
  }

  /// "as rms_norm_2 makes it", "converted for it from dram/interleaved".
  std::string origin(Index tensorIndex, Index reader) const {
    const TensorFacts &data = tensor(tensorIndex);
    if (!data.madeBy)
      return "as it comes";
    const StepFacts &maker = step(*data.madeBy);
    if (maker.isRun())
      return "as it is made";
    bool forOthers = llvm::any_of(data.readers, [&](Index other) { return other < reader; });
    return (forOthers ? "converted before" : "converted") + (" from " + layoutOf(maker.reads.front())) +
           " in " + formatNanoseconds(maker.time.total);
  }

  static std::string signedTime(Nanoseconds time) {
    std::string text = formatNanoseconds(Nanoseconds(std::abs(time.value())));
    return (time.value() < 0 ? "-" : "+") + text;
  }

  static std::string parts(const TimeParts &time) {
    return llvm::formatv("compute {0}, L1 {1}, NoC {2}, DRAM {3}, dispatch {4}; parts overlap",
                         formatNanoseconds(time.compute), formatNanoseconds(time.l1),
                         formatNanoseconds(time.noc), formatNanoseconds(time.dram),
                         formatNanoseconds(time.dispatch));
  }

  /// What the runner-up did not win by.
  static std::string verdict(const RunnerUp &other) {
    if (other.lost == "missed")
      return "would be faster, but the policy did not choose it";
    return other.because;
  }

  const FunctionDecisions &f;
};

/// The lines on one op.
class OpLines {
public:
  OpLines(llvm::raw_ostream &os, const DecidedOp &decided)
      : os(os), w(*decided.function), f(*decided.function), index(decided.op), op(w.op(index)),
        at(op.step.value_or(0)), step(w.step(at)) {}

  void print() {
    os << op.location << "  (" << op.name << ", step " << at << " of " << f.steps.size() << " of @"
       << f.function << "; policy " << f.policy << ", " << f.device.name << ")\n";
    for (Index tensor : step.writes)
      line("makes", w.valueOf(tensor).name + " " + w.shape(w.valueOf(tensor)) + " in " + w.layoutOf(tensor) +
                        sizeOf(tensor));
    if (!step.configText.empty())
      line("configuration", step.configText);
    for (Index tensor : distinct(step.reads))
      line("reads", w.value(tensor) + " in " + w.layoutOf(tensor) + ", " + w.origin(tensor, at));
    line("time", formatNanoseconds(step.time.total) + ", bound by " + step.time.boundBy + " (" +
                     Words::parts(step.time) + ")");
    printReaders();
    printL1();
    printSpills();
    printRunnersUp();
  }

private:
  void line(llvm::StringRef what, const std::string &text) {
    os << llvm::formatv("  {0,-15}{1}\n", what, text);
  }

  static std::vector<Index> distinct(llvm::ArrayRef<Index> tensors) {
    std::vector<Index> once;
    for (Index tensor : tensors)
      if (!llvm::is_contained(once, tensor))
        once.push_back(tensor);
    return once;
  }

  std::string sizeOf(Index tensor) const {
    Bytes bytes = w.tensor(tensor).l1;
    return bytes > Bytes(0) ? ", " + formatBytes(bytes) + " per core" : "";
  }

  void printReaders() {
    for (Index tensor : step.writes) {
      std::vector<std::string> direct;
      for (Index reader : w.tensor(tensor).readers)
        if (w.step(reader).isRun())
          direct.push_back(w.stepName(reader));
        else
          line("then", w.stepName(reader) + " to " + w.layoutOf(w.step(reader).writes.front()) + ", " +
                           formatNanoseconds(w.step(reader).time.total));
      size_t more = direct.size() - std::min(direct.size(), kMostListed);
      direct.resize(direct.size() - more);
      if (!direct.empty())
        line("read by", llvm::join(direct, ", ") + (more ? " and " + std::to_string(more) + " more" : "") +
                            ", as it is");
      if (w.tensor(tensor).returned)
        line("returned", "as it is");
    }
  }

  void printL1() {
    line("L1 at its step",
         llvm::formatv("{0} of {1} per core: tensors {2}, circular buffers {3}, margin {4}",
                       formatBytes(step.l1.total()), formatBytes(f.budget), formatBytes(step.l1.tensors),
                       formatBytes(step.l1.buffers), formatBytes(step.l1.margin)));
    std::vector<Index> holders = f.holdersAt(at);
    llvm::erase_if(holders, [&](Index tensor) {
      return llvm::is_contained(step.reads, tensor) || llvm::is_contained(step.writes, tensor);
    });
    llvm::sort(holders,
               [&](Index a, Index b) { return std::pair(w.tensor(b).l1, a) < std::pair(w.tensor(a).l1, b); });
    for (Index tensor : llvm::ArrayRef(holders).take_front(kMostListed))
      line("  beside it", llvm::formatv("{0} in {1}, {2} until {3}", w.value(tensor), w.layoutOf(tensor),
                                        formatBytes(w.tensor(tensor).l1), until(tensor)));
    if (holders.size() > kMostListed)
      line("  beside it", std::to_string(holders.size() - kMostListed) + " more");
  }

  std::string until(Index tensor) const {
    const TensorFacts &data = w.tensor(tensor);
    return data.returned || data.readers.empty() ? "the end" : w.stepName(data.readers.back());
  }

  void printSpills() {
    for (const SpillFacts &spill : f.spills) {
      if (llvm::is_contained(op.results, spill.value))
        line("in DRAM", w.valueOf(spill.tensor).name + ": " + reasonOf(spill));
      else if (spill.atStep == at)
        line("spilled for it",
             w.value(spill.tensor) + ", " + formatBytes(spill.missing) + " would be missing with it in L1");
    }
  }

  std::string reasonOf(const SpillFacts &spill) const {
    std::string text;
    if (spill.cause == "backend")
      text = "no layout in L1 is legal for it and what reads it";
    else if (spill.cause == "memory")
      text = formatBytes(spill.missing) + " of L1 would be missing at " +
             (spill.atStep ? w.stepName(*spill.atStep) : "?");
    else if (spill.cause == "faster")
      text = "the best layout in L1 takes " + Words::signedTime(spill.delta.value_or(Nanoseconds(0)));
    else
      text = "a layout in L1 would take " + Words::signedTime(spill.delta.value_or(Nanoseconds(0))) +
             ", but the policy did not choose it";
    return spill.policyReason.empty() ? text : text + " (the policy noted: " + spill.policyReason + ")";
  }

  void printRunnersUp() {
    if (op.runnersUp.empty()) {
      line("instead", op.role == "fixed" ? "nothing: the op keeps the layouts of the input"
                                         : "nothing else is legal here");
      return;
    }
    os << "  instead, all else as it is (" << op.considered << " ways were priced):\n";
    TextTable table({{"    plan's time", Align::Right}, {"result"}, {"reads; configuration"}, {"why not"}});
    for (const RunnerUp &other : op.runnersUp)
      table.add({"    " + Words::signedTime(other.delta), layouts(other.outputs), changed(other),
                 Words::verdict(other)});
    table.print(os);
  }

  std::string layouts(llvm::ArrayRef<Index> list) const {
    std::string text;
    for (Index each : list)
      text += (text.empty() ? "" : ", ") + w.layout(each);
    return text;
  }

  /// The operands that it reads otherwise than the plan does, and another configuration.
  std::string changed(const RunnerUp &other) const {
    std::string text;
    for (auto [operand, input] : llvm::enumerate(other.inputs))
      if (operand < step.reads.size() && w.tensor(step.reads[operand]).layout != input)
        text +=
            (text.empty() ? "" : ", ") + ("operand " + std::to_string(operand)) + " in " + w.layout(input);
    if (text.empty())
      text = "the same";
    return other.configText == step.configText || other.configText.empty() ? text
                                                                           : text + "; " + other.configText;
  }

  llvm::raw_ostream &os;
  Words w;
  const FunctionDecisions &f;
  Index index;
  const OpFacts &op;
  Index at;
  const StepFacts &step;
};

} // namespace

void tessera::print(llvm::raw_ostream &os, const DecidedOp &op) { OpLines(os, op).print(); }

// ---- The costliest ---------------------------------------------------------------------------------------

/// The most expensive steps of a kind, the first first.
static std::vector<Index> costliest(const FunctionDecisions &f, llvm::StringRef kind) {
  std::vector<Index> steps;
  for (auto [i, step] : llvm::enumerate(f.steps))
    if (step.kind == kind)
      steps.push_back(Index(i));
  auto time = [&](Index step) { return f.steps[size_t(step)].time.total; };
  llvm::sort(steps, [&](Index a, Index b) { return std::pair(time(b), a) < std::pair(time(a), b); });
  steps.resize(std::min(steps.size(), kCostliest));
  return steps;
}

/// What a reader should know first of a step.
static std::string sentence(const Words &w, Index index) {
  const StepFacts &step = w.step(index);
  if (!step.isRun())
    return w.value(step.reads.front()) + " from " + w.layoutOf(step.reads.front()) + " to " +
           w.layoutOf(step.writes.front()) + ", bound by " + step.time.boundBy;
  const OpFacts &op = w.op(*step.op);
  std::string text = "bound by " + step.time.boundBy;
  if (!step.writes.empty())
    text += ", makes " + w.layoutOf(step.writes.front());
  if (op.runnersUp.empty())
    return text + "; nothing else is legal";
  const RunnerUp &best = op.runnersUp.front();
  std::string other = best.outputs.empty() ? "another way" : w.layout(best.outputs.front());
  return text + "; " + other + " instead: " + Words::signedTime(best.delta) +
         (best.lost == "memory" ? ", but " + best.because : "");
}

void tessera::printCostliest(llvm::raw_ostream &os, const FunctionDecisions &f) {
  Words w(f);
  os << llvm::formatv("@{0}: {1} ops, policy {2}, {3}; {4} before, {5} after, of that {6} for conversions\n",
                      f.function, f.ops.size(), f.policy, f.device.name, formatNanoseconds(f.before.time),
                      formatNanoseconds(f.after.time), formatNanoseconds(f.after.conversions));
  for (llvm::StringRef kind : {"run", "convert"}) {
    std::vector<Index> steps = costliest(f, kind);
    os << (kind == "run" ? "\nThe ops that take most time\n" : "\nThe conversions that take most time\n");
    if (steps.empty())
      os << "  none\n";
    for (Index index : steps) {
      const StepFacts &step = w.step(index);
      os << llvm::formatv("  {0}  {1} ({2}): {3}\n", w.stepName(index), formatNanoseconds(step.time.total),
                          formatPercent(step.time.total / f.after.time), sentence(w, index));
    }
  }
}

// ---- JSON ------------------------------------------------------------------------------------------------

static json::Value withLayout(const Words &w, Index tensor) {
  json::Value value = toJson(w.tensor(tensor));
  json::Object &object = *value.getAsObject();
  object["tensor"] = tensor;
  object["name"] = w.valueOf(tensor).name;
  object["layout"] = w.layoutOf(tensor);
  return value;
}

static json::Array withLayouts(const Words &w, llvm::ArrayRef<Index> tensors) {
  json::Array list;
  for (Index tensor : tensors)
    list.push_back(withLayout(w, tensor));
  return list;
}

json::Value tessera::toJson(const DecidedOp &decided) {
  const FunctionDecisions &f = *decided.function;
  Words w(f);
  const OpFacts &op = w.op(decided.op);
  Index at = op.step.value_or(0);
  json::Value value = decisions::toJson(op);
  json::Object &object = *value.getAsObject();
  // Numbers of layouts mean nothing without the list.
  for (auto [entry, other] : llvm::zip_equal(*object["runners_up"].getAsArray(), op.runnersUp))
    for (auto [key, list] : {std::pair("outputs", &other.outputs), std::pair("inputs", &other.inputs)}) {
      json::Array texts;
      for (Index layout : *list)
        texts.push_back(w.layout(layout));
      (*entry.getAsObject())[key] = std::move(texts);
    }
  json::Array spilledFor, spills;
  for (const SpillFacts &spill : f.spills) {
    json::Value entry = decisions::toJson(spill);
    (*entry.getAsObject())["name"] = w.valueOf(spill.tensor).name;
    if (llvm::is_contained(op.results, spill.value))
      spills.push_back(std::move(entry));
    else if (spill.atStep == at)
      spilledFor.push_back(std::move(entry));
  }
  object["function"] = f.function;
  object["policy"] = f.policy;
  object["device"] = f.device.name;
  object["budget_bytes"] = f.budget.value();
  object["run"] = decisions::toJson(w.step(at));
  object["reads"] = withLayouts(w, w.step(at).reads);
  object["writes"] = withLayouts(w, w.step(at).writes);
  object["holders"] = withLayouts(w, f.holdersAt(at));
  object["spills"] = std::move(spills);
  object["spilled_for_it"] = std::move(spilledFor);
  return value;
}

json::Value tessera::costliestAsJson(const FunctionDecisions &f) {
  Words w(f);
  json::Object lists;
  for (auto [key, kind] : {std::pair("ops", "run"), std::pair("conversions", "convert")}) {
    json::Array list;
    for (Index index : costliest(f, kind))
      list.push_back(json::Object{{"step", index},
                                  {"name", w.stepName(index)},
                                  {"time_ns", int64_t(w.step(index).time.total.value())},
                                  {"share", w.step(index).time.total / f.after.time},
                                  {"sentence", sentence(w, index)}});
    lists[key] = std::move(list);
  }
  lists["function"] = f.function;
  lists["policy"] = f.policy;
  lists["time_ns"] = int64_t(f.after.time.value());
  return lists;
}
