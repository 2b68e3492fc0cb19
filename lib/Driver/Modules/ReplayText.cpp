//===- ReplayText.cpp - An address map for people -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A map of L1 in the order of the steps, with what clashes below it. Only what
// touches L1 has a line. Sums at the end say how much of the module the replay
// could tell anything about.
//
//===----------------------------------------------------------------------===//
#include "ReplayText.h"

#include "tessera/Optimizer/Plan/PlanText.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

/// Addresses as whole numbers of bytes, which can be compared with those of a dump of the device.
std::string text(Bytes bytes) { return std::to_string(bytes.value()); }
std::string text(const AddressRange &range) { return text(range.begin) + ".." + text(range.end); }
std::string textOrBlank(const std::optional<AddressRange> &range) { return range ? text(*range) : ""; }
std::string textOf(llvm::ArrayRef<AddressRange> ranges) {
  return llvm::join(llvm::map_range(ranges, [](const AddressRange &range) { return text(range); }), ", ");
}

/// Tensors that lie in L1 or L1_SMALL, or should.
bool isInL1(const Problem &problem, const PlanTensor &tensor) {
  BufferType buffer = problem.layout(tensor.layout).buffer;
  return buffer == BufferType::L1 || buffer == BufferType::L1Small;
}

/// The lines on one function.
class ReplayText {
public:
  ReplayText(llvm::raw_ostream &os, const Problem &problem, const Plan &plan, const PlanReplay &replay)
      : os(os), problem(problem), plan(plan), replay(replay) {}

  /// A row per tensor in L1 and per launch, nothing if a function touches no L1.
  void printMap() {
    std::vector<bool> made(plan.tensors.size());
    for (const PlanStep &step : plan.steps)
      for (TensorId id : step.writes)
        made[id.index()] = true;
    // Arguments first: they lie in L1 before the first step.
    for (size_t i = 0; i < made.size(); ++i)
      if (!made[i] && isInL1(problem, plan.tensors[i]))
        addTensor("", problem[plan.tensors[i].value].name, TensorId(i));
    for (size_t i = 0; i < plan.steps.size(); ++i)
      addStep(i);
    if (table.rows() > 0)
      table.print(os);
  }

  /// What a device would refuse: first tensors that find no place, then launches that would overwrite one.
  void printProblems() {
    for (const NoRoom &refused : replay.noRoom)
      os << llvm::formatv("no room: {0}: {1} takes {2} bytes; {3} are free, {4} in one piece\n",
                          at(refused.step),
                          refused.tensor.valid() ? describeTensor(problem, plan, refused.tensor)
                                                 : "what the op needs while it runs",
                          refused.reserved.value(), refused.freeBytes.value(), refused.largestHole.value());
    for (const LaunchClash &clash : replay.clashes)
      printClash(clash);
  }

  /// "tensors 12 of 12 placed, launches 30 of 31 clear": what clashes is one launch each.
  void printCounts() {
    size_t launches = llvm::count_if(
        replay.steps, [](const StepAddresses &step) { return step.buffers && !step.buffers->empty(); });
    size_t placed = llvm::count_if(replay.tensors, [](const auto &range) { return range.has_value(); });
    size_t wanted =
        llvm::count_if(plan.tensors, [&](const PlanTensor &tensor) { return isInL1(problem, tensor); });
    os << llvm::formatv("tensors {0} of {1} placed, launches {2} of {3} clear", placed, wanted,
                        launches - replay.clashes.size(), launches);
    if (size_t unknown = countUnknown())
      os << ", and " << unknown << " whose circular buffers the op model does not know";
    os << "\n";
  }

private:
  /// Launches that the counts leave out, as nobody knows how far their circular buffers reach.
  size_t countUnknown() const {
    return llvm::count_if(llvm::zip_equal(plan.steps, replay.steps), [&](auto each) {
      auto &[step, addresses] = each;
      return !addresses.buffers && mayUseCircularBuffers(problem, step.op);
    });
  }

  /// Arguments that find no room have no step.
  std::string at(std::optional<StepIndex> step) const {
    return step ? describeStep(problem, plan, *step) : "before the first step";
  }

  /// A row of a tensor alone: an argument, or a further result of a step.
  void addTensor(std::string step, std::string op, TensorId id) {
    table.add({std::move(step), std::move(op), name(id), where(id)});
  }

  /// The tensor's layout, which the column is wide enough for; whose it is stands in the column before.
  std::string name(TensorId id) const { return describe(problem.layout(plan[id].layout)); }
  /// Its addresses, which are the same on every core that has a shard of it.
  std::string where(TensorId id) const {
    const std::optional<AddressRange> &range = replay.tensors[id.index()];
    return range ? text(*range) : isInL1(problem, plan[id]) ? "no room" : "";
  }

  /// The first result in L1 shares the row of its step; all others have a row each.
  void addStep(size_t index) {
    const PlanStep &step = plan.steps[index];
    const StepAddresses &addresses = replay.steps[index];
    bool hasBuffers = addresses.buffers && !addresses.buffers->empty();
    llvm::SmallVector<TensorId> inL1;
    llvm::copy_if(step.writes, std::back_inserter(inL1),
                  [&](TensorId id) { return isInL1(problem, plan[id]); });
    // A step that touches no L1 has no line: a map of thousands of DRAM ops would hide the others.
    if (inL1.empty() && !hasBuffers)
      return;
    std::string lowest = addresses.lowest ? text(*addresses.lowest) : "";
    table.add({std::to_string(index), problem[step.op].location, inL1.empty() ? "" : name(inL1.front()),
               inL1.empty() ? "" : where(inL1.front()), textOf(addresses.temporaries),
               !addresses.buffers ? (mayUseCircularBuffers(problem, step.op) ? "?" : "")
               : hasBuffers       ? text(*addresses.buffers)
                                  : "",
               lowest});
    for (TensorId id : llvm::ArrayRef(inL1).drop_front(inL1.empty() ? 0 : 1))
      addTensor("", "", id);
  }

  /// How far the buffers reach, and into what.
  void printClash(const LaunchClash &clash) {
    os << llvm::formatv("clash: {0}: circular buffers end at {1}, ", at(clash.step), clash.end.value());
    // Circular buffers grow from the bottom of L1 and tensors from its top, so they meet at the buffers' end.
    if (clash.verdict == LaunchVerdict::BeyondL1)
      os << "beyond the end of L1\n";
    else if (clash.tensors.empty())
      os << "within what the op itself needs while it runs\n";
    else
      os << "within "
         << llvm::join(llvm::map_range(clash.tensors, [&](TensorId id) { return tensorAt(id); }), "; ")
         << "\n";
  }

  std::string tensorAt(TensorId id) const {
    return describeTensor(problem, plan, id) + " at " + textOrBlank(replay.tensors[id.index()]);
  }

  llvm::raw_ostream &os;
  const Problem &problem;
  const Plan &plan;
  const PlanReplay &replay;
  TextTable table{{{"step", Align::Right},
                   {"op"},
                   {"result in L1"},
                   {"at", Align::Right},
                   {"temporary", Align::Right},
                   {"circular buffers", Align::Right},
                   {"lowest", Align::Right}}};
};

} // namespace

void tessera::print(llvm::raw_ostream &os, const Problem &problem, const Plan &plan, const PlanReplay &replay,
                    const DeviceSpec &device) {
  // The bounds first, which all addresses below lie between.
  os << llvm::formatv("@{0} on {1}: L1 {2}..{3}, L1_SMALL from there to {4}\n", problem.function, device.name,
                      device.l1UnreservedBase.value(), (device.l1Size - device.l1SmallSize).value(),
                      device.l1Size.value());
  ReplayText text(os, problem, plan, replay);
  text.printMap();
  text.printProblems();
  text.printCounts();
}
