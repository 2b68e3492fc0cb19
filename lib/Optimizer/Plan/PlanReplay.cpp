//===- PlanReplay.cpp - The addresses that a plan ends up with ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The device's allocator, step by step: what died is freed, places that are kept
// end and begin, then the step's own requests go to DeviceBanks, by which the
// simulator places its tensors, too. A request without room, or a launch whose
// circular buffers reach into a tensor, would end the program on a device. Here
// it is noted and the replay goes on, since who repairs a plan wants to see all
// of it.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "tessera/Allocator/DeviceBanks.h"
#include "tessera/Device/L1Budget.h"
#include "tessera/OpModel/Temporaries.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanUses.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tessera;

Deallocations tessera::deallocationsAfterLastUse(const Problem &problem, const Plan &plan) {
  Deallocations freed(plan.steps.size() + 1);
  std::vector<StepInterval> lives = lifetimes(problem, plan);
  // What the function returns is its caller's to free, and arguments were never its own.
  std::vector<bool> returned = PlanUses(plan).returned;
  for (const PlanStep &step : plan.steps)
    for (TensorId id : step.writes)
      if (!returned[id.index()])
        freed[lives[id.index()].end.index()].push_back({id});
  return freed;
}

namespace {

class DeviceReplay {
public:
  DeviceReplay(const Problem &problem, const Plan &plan, const OpCostTable &model, const DeviceSpec &device,
               bool withDram)
      : problem(problem), plan(plan), model(model), device(device), withDram(withDram), banks(device),
        bufferOf(plan.tensors.size()) {
    result.tensors.resize(plan.tensors.size());
    result.places.resize(plan.tensors.size());
    result.viewOf.resize(plan.tensors.size());
    result.steps.resize(plan.steps.size());
  }

  PlanReplay run(const Deallocations &freed) {
    placeArguments();
    for (StepIndex step; step < plan.end(); ++step) {
      // Before the step and not behind the one before: a tensor that dies in an op still lies there while that
      // op's results are placed (facts/allocator 8).
      for (const Deallocation &each : freed[step.index()])
        free(each);
      // A place begins before the step that makes the tensor above which it lies.
      changePlaces(step);
      runStep(step);
    }
    return std::move(result);
  }

private:
  BufferType memoryOf(TensorId id) const { return problem.layout(plan[id].layout).buffer; }

  /// Bytes per bank; 0 of tensors whose addresses are nobody's concern here.
  Bytes sizeOf(TensorId id) const {
    // What lies on the host has no address on the device.
    bool counts = memoryOf(id) == BufferType::L1 || memoryOf(id) == BufferType::L1Small ||
                  (withDram && memoryOf(id) == BufferType::DRAM);
    return counts ? bytesPerCore(problem.layout(plan[id].layout), device) : Bytes(0);
  }

  void own(TensorId id, BufferId buffer) {
    bufferOf[id.index()] = buffer;
    result.tensors[id.index()] = banks.range(buffer);
    live.insert(id);
  }

  void free(const Deallocation &freed) {
    live.erase(freed.tensor);
    // A convolution may have freed it already, and what found no room has no buffer.
    if (std::optional<BufferId> buffer = std::exchange(bufferOf[freed.tensor.index()], std::nullopt))
      banks.release(*buffer, freed.force);
  }

  void note(llvm::ArrayRef<RefusedRequest> refused, std::optional<StepIndex> step,
            llvm::ArrayRef<TensorId> results) {
    for (const RefusedRequest &each : refused)
      result.noRoom.push_back({step, each.result ? results[*each.result] : TensorId(), each.reserved,
                               each.freeBytes, each.largestHole});
  }

  /// Whether there is room for the tensor before the step; nullopt: from the beginning.
  bool place(TensorId id, std::optional<StepIndex> step) {
    std::vector<RefusedRequest> refused;
    std::optional<BufferId> buffer = banks.allocate(memoryOf(id), sizeOf(id), refused, 0);
    if (buffer)
      own(id, *buffer);
    note(refused, step, id);
    return buffer.has_value();
  }

  /// What no step makes is there from the beginning.
  void placeArguments() {
    for (auto [index, maker] : llvm::enumerate(PlanUses(plan).makers))
      if (!maker)
        place(TensorId(index), std::nullopt);
  }

  /// Places end with the step that makes their tensors, and others begin.
  void changePlaces(StepIndex index) {
    // Ends before beginnings: what a place gives back may be where the next one lies.
    for (const KeptPlace &place : plan.kept)
      if (llvm::is_contained(plan[index].writes, place.tensor)) {
        free({place.tensor});
        result.tensors[place.tensor.index()] = std::nullopt; // until it is made
      }
    for (const auto &[tensor, since] : plan.kept)
      // The tensor need not come to lie there: what was freed meanwhile may leave room above.
      if (llvm::is_contained(plan[index].writes, since) && place(tensor, index))
        result.places[tensor.index()] = result.tensors[tensor.index()];
  }

  bool freesFirstRead(const PlanStep &step) const {
    return step.isRun() && !step.reads.empty() && freesInput(plan.configs[step.op.index()]);
  }

  /// The buffer that the step's result shares with what it reads: the op may make views, and the op model says that it
  /// allocates nothing, though the result lies in L1.
  std::optional<BufferId> viewedBuffer(const PlanStep &step, const OpConstraints &figures) const {
    bool isView = step.isRun() && mayBeView(problem, problem[step.op]) &&
                  figures.tensorL1PeakSize == Bytes(0) && memoryOf(step.writes.front()) == BufferType::L1;
    return isView ? bufferOf[step.reads.front().index()] : std::nullopt;
  }

  OpMemoryNeeds needsOf(const PlanStep &step) const {
    StepQuestion question(problem, plan, step);
    const OpCost &cost = model.row(question.query());
    OpMemoryNeeds needs;
    // Of an op that nobody knows the results are placed all the same; its buffers are not checked.
    if (cost.judged) {
      const OpConstraints &figures = cost.answer.constraints;
      needs.viewed = viewedBuffer(step, figures);
      // A view allocates nothing, whatever the figures of a copy would be.
      if (!needs.viewed)
        needs.blocks = madeBlocks(question.query(), figures, model.context());
      needs.buffers = grownFromBelow(figures);
    }
    if (freesFirstRead(step))
      needs.frees = bufferOf[step.reads.front().index()];
    for (TensorId id : step.writes)
      needs.results.push_back({memoryOf(id), sizeOf(id)});
    return needs;
  }

  void runStep(StepIndex index) {
    const PlanStep &step = plan[index];
    // What the op frees is looked up before it is struck off below.
    OpMemoryNeeds needs = needsOf(step);
    if (freesFirstRead(step)) {
      live.erase(step.reads.front());
      bufferOf[step.reads.front().index()] = std::nullopt;
    }
    if (needs.viewed)
      result.viewOf[step.writes.front().index()] = step.reads.front();
    OpMemory made = banks.run(needs);
    for (auto [id, buffer] : llvm::zip_equal(step.writes, made.results))
      if (buffer)
        own(id, *buffer);
    note(made.refused, index, step.writes);
    result.steps[index.index()] = {made.buffers, made.temporaries, made.lowest};
    if (made.launch.verdict == LaunchVerdict::Ok)
      return;
    // The device stops here. The replay goes on, so that one run tells of all clashes and each can be repaired.
    Bytes end = made.buffers->end;
    result.clashes.push_back(
        // Buffers that exceed L1 with no tensor there miss nothing that could give way.
        {index, made.launch.verdict, end, end - made.lowest.value_or(end), tensorsBelow(end)});
  }

  std::vector<TensorId> tensorsBelow(Bytes end) {
    std::vector<TensorId> found;
    for (TensorId id : live)
      if (memoryOf(id) == BufferType::L1 && result.tensors[id.index()]->begin < end)
        found.push_back(id);
    return found;
  }

  const Problem &problem;
  const Plan &plan;
  OpCostTable model;
  const DeviceSpec &device;
  const bool withDram;
  DeviceBanks banks;
  std::vector<std::optional<BufferId>> bufferOf; ///< by TensorId, while it lives
  std::set<TensorId> live;                       ///< with a buffer
  PlanReplay result;
};

} // namespace

void PlanReplay::forEachShortage(llvm::function_ref<void(StepIndex, Bytes)> visit) const {
  for (const LaunchClash &clash : clashes)
    visit(clash.step, clash.missing);
  for (const NoRoom &request : noRoom)
    if (request.step)
      visit(*request.step, request.missing());
}

PlanReplay tessera::replayPlan(const Problem &problem, const Plan &plan, const OpCostTable &model,
                               const Deallocations &freed, const DeviceSpec &device, bool withDram) {
  return DeviceReplay(problem, plan, model, device, withDram).run(freed);
}

PlanReplay tessera::replayAsOpened(const Problem &problem, const Plan &plan, const OpCostTable &model,
                                   bool withDram) {
  DeviceSpec device = model.device();
  device.l1SmallSize = kL1SmallSize;
  return replayPlan(problem, plan, model, deallocationsAfterLastUse(problem, plan), device, withDram);
}

bool tessera::hasAddresses(const Problem &problem, const Plan &plan, const OpCostTable &model) {
  return model.device().usableL1() < problem.l1Budget || replayAsOpened(problem, plan, model).fits();
}
