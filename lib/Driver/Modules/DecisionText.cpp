//===- DecisionText.cpp - Decisions for people ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What there is to know of one op, for people and as JSON. Neither decides
// anything: all figures come from the decisions, so that a file of an earlier
// run is explained with the figures of that run.
//
//===----------------------------------------------------------------------===//
#include "DecisionText.h"

#include "tessera/Optimizer/Decisions/DecisionWords.h"
#include "tessera/Optimizer/Decisions/Otherwise.h"
#include "tessera/Support/AddOnce.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::decisions;
namespace json = llvm::json;

/// Of what is listed at a step.
static constexpr size_t kMostListed = 6;

/// Whether the value is in DRAM for want of room at that step. One that DRAM is faster for has a step, too, where it would
/// not fit either, but it did not leave for the op there.
static bool isSpilledFor(const SpillFacts &spill, Index step) {
  return spill.cause == SpillCause::Memory && spill.atStep == step;
}

namespace {

/// The lines on one op.
class OpLines {
public:
  OpLines(llvm::raw_ostream &os, const DecidedOp &decided)
      : os(os), w(*decided.function), f(*decided.function), index(decided.op), op(w.op(index)),
        at(op.step.value_or(0)), step(w.step(at)) {}

  void print() {
    os << op.called() << "  (" << op.name << ", step " << at << " of " << f.steps.size() << " of @"
       << f.function << "; policy " << f.policy << ", " << f.device.name << ")\n";
    /// An op of several results, as a split, has a line for each of them.
    for (Index tensor : step.writes)
      line("makes", w.valueOf(tensor).name + " " + w.shape(w.valueOf(tensor)) + " in " + w.layoutOf(tensor) +
                        sizeOf(tensor));
    if (!step.configText.empty())
      line("configuration", step.configText);
    for (Index tensor : distinct(step.reads))
      line("reads", w.value(tensor) + " in " + w.layoutOf(tensor) + ", " + w.origin(tensor, at));
    line("time", timeText());
    printRewritten();
    printReaders();
    printL1();
    printSpills();
    printRunnersUp();
  }

private:
  /// "  makes          text": the 15 columns hold the longest of the names, as "L1 at its step", and a blank.
  void line(llvm::StringRef what, const std::string &text) {
    os << llvm::formatv("  {0,-15}{1}\n", what, text);
  }

  /// What the op takes, and what bounds it; of what takes nothing, as views and constants do not, nothing does.
  std::string timeText() const {
    if (step.time.boundBy == kUnknownTime)
      return "unknown: the op model refuses the op, or does not know it";
    if (step.time.total == Nanoseconds(0))
      return "0 ns, nothing runs for it";
    return formatNanoseconds(step.time.total) + ", bound by " + step.time.boundBy + " (" +
           DecisionWords::parts(step.time) + ")";
  }

  /// An op may read one tensor by several operands, as a sum of a value and itself does: one line tells it.
  static std::vector<Index> distinct(llvm::ArrayRef<Index> tensors) {
    std::vector<Index> once;
    for (Index tensor : tensors)
      addOnce(once, tensor);
    return once;
  }

  /// ", 64.0 KiB per core" of a tensor in L1; nothing of one in DRAM or on the host, which takes none of it.
  std::string sizeOf(Index tensor) const {
    Bytes bytes = w.tensor(tensor).l1;
    return bytes > Bytes(0) ? ", " + formatBytes(bytes) + " per core" : "";
  }

  /// That the op is not one of the input: a rule of rewriting put it there, and the plan became faster by that.
  void printRewritten() {
    const RewrittenFacts *part = f.rewrittenAs(index);
    if (!part)
      return;
    line("rewritten", DecisionWords::rewritten(*part));
    line("  gain", llvm::formatv("{0}, ops of the input as they would be planned ({1}) -> ops for them ({2})",
                                 DecisionWords::gain(*part), part->from.size(), part->made.size()));
  }

  /// Where the results go: to ops as they are, through a conversion to another layout, or out of the function.
  void printReaders() {
    for (Index tensor : step.writes) {
      // The place was taken before there was anything in it, which a map of L1 would show as a riddle.
      if (Index since = w.tensor(tensor).begin; since < at)
        line("place kept", "since " + w.stepName(since) + ": what that makes lies below it");
      std::vector<std::string> direct;
      for (Index reader : w.tensor(tensor).readers)
        // What is no run of an op is a conversion, which a reader wants to see with its price.
        if (w.step(reader).isRun())
          direct.push_back(w.stepName(reader));
        else
          line("then", w.stepName(reader) + " to " + w.layoutOf(w.step(reader).writes.front()) + ", " +
                           formatNanoseconds(w.step(reader).time.total));
      // A constant of a deep model has a reader per layer.
      size_t more = direct.size() - std::min(direct.size(), kMostListed);
      direct.resize(direct.size() - more);
      if (!direct.empty())
        line("read by", llvm::join(direct, ", ") + (more ? " and " + std::to_string(more) + " more" : "") +
                            ", as it is");
      if (w.tensor(tensor).returned)
        line("returned", "as it is");
    }
  }

  /// How full L1 is while the op runs, in all and by whom: tensors that others wait for count like its own.
  void printL1() {
    line("L1 at its step",
         llvm::formatv("{0} of {1} per core: tensors {2}, circular buffers {3}, margin {4}",
                       formatBytes(step.l1.total()), formatBytes(f.budget), formatBytes(step.l1.tensors),
                       formatBytes(step.l1.buffers), formatBytes(step.l1.margin)));
    printShares(os, f, at, kMostListed);
  }

  /// Tensors in DRAM on its account: those it makes, with the reason, and those that had to go for it to fit.
  void printSpills() {
    for (const SpillFacts &spill : f.spills) {
      // Own results first: one that is spilled for its own op's sake would else be told twice.
      if (llvm::is_contained(op.results, spill.value))
        line("in DRAM", w.valueOf(spill.tensor).name + ": " + w.why(spill));
      else if (isSpilledFor(spill, at))
        line("spilled for it",
             w.value(spill.tensor) + ", " + formatBytes(spill.missing) + " would be missing with it in L1");
    }
  }

  /// What else could have been chosen for the op, in the order of the decisions.
  void printRunnersUp() {
    if (op.runnersUp.empty()) {
      line("instead", op.role == OpRole::Fixed ? "nothing: the op keeps the layouts of the input"
                                               : "nothing else is legal here");
      return;
    }
    // The time is that of the whole plan and not of the op: a faster op may cost more in conversions around it.
    os << "  instead, all else as it is (" << op.considered << " ways were priced):\n";
    TextTable table({{"    plan's time", Align::Right}, {"result"}, {"what else differs"}, {"why not"}});
    for (const RunnerUp &other : op.runnersUp)
      table.add({"    " + DecisionWords::signedTime(other.delta), layouts(other.outputs),
                 otherwise(f, op, other), DecisionWords::verdict(other)});
    table.print(os);
  }

  /// All of the layouts, with commas: one for each result of the op.
  std::string layouts(llvm::ArrayRef<Index> list) const {
    std::string text;
    for (Index each : list)
      text += (text.empty() ? "" : ", ") + w.layout(each);
    return text;
  }

  llvm::raw_ostream &os;
  DecisionWords w;
  const FunctionDecisions &f;
  Index index;
  const OpFacts &op;
  Index at;
  const StepFacts &step;
};

} // namespace

void tessera::print(llvm::raw_ostream &os, const DecidedOp &op) { OpLines(os, op).print(); }

// ---- JSON ------------------------------------------------------------------------------------------------

/// A tensor as the decisions write it, and beside the indices what they stand for.
static json::Value withLayout(const DecisionWords &w, Index tensor) {
  json::Value value = toJson(w.tensor(tensor));
  json::Object &object = *value.getAsObject();
  object["tensor"] = tensor;
  // The index alone would send a reader to another list of the file.
  object["name"] = w.valueOf(tensor).name;
  object["layout"] = w.layoutOf(tensor);
  return value;
}

/// The same of each of them, in their order.
static json::Array withLayouts(const DecisionWords &w, llvm::ArrayRef<Index> tensors) {
  json::Array list;
  for (Index tensor : tensors)
    list.push_back(withLayout(w, tensor));
  return list;
}

json::Value tessera::toJson(const DecidedOp &decided) {
  const FunctionDecisions &f = *decided.function;
  DecisionWords w(f);
  const OpFacts &op = w.op(decided.op);
  // As the text has it: an op without a step of its own is told with the first one.
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
  // An own result is no victim of the op, so each spill is in one of the lists at most.
  json::Array spilledFor, spills;
  for (const SpillFacts &spill : f.spills) {
    json::Value entry = decisions::toJson(spill);
    (*entry.getAsObject())["name"] = w.valueOf(spill.tensor).name;
    if (llvm::is_contained(op.results, spill.value))
      spills.push_back(std::move(entry));
    else if (isSpilledFor(spill, at))
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
  object["l1_shares"] = sharesAsJson(f, at);
  object["spills"] = std::move(spills);
  object["spilled_for_it"] = std::move(spilledFor);
  const RewrittenFacts *part = f.rewrittenAs(decided.op);
  // Null, and not left out: whoever reads the file need not ask whether the key is there.
  object["rewritten"] = part ? decisions::toJson(*part) : json::Value(nullptr);
  return value;
}
