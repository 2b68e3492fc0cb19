//===- PlanReplay.cpp - The addresses that a plan ends up with ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// An op, in the order of facts/allocator 8:
//
//   results -> what it needs while it runs -> circular buffers -> check -> what it needed is freed
//
// A convolution makes its halo first, frees its input if it is told to, moves the halo up into what that left, and then
// makes its result.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/PlanReplay.h"

#include "tessera/Optimizer/Plan/Cost.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tessera;

namespace {

class DeviceReplay {
public:
  DeviceReplay(const Problem &problem, const Plan &plan, const OpModel &model)
      : problem(problem), plan(plan), model(model), device(model.device()),
        l1(l1Region(), device.dramAlignment), l1Small({l1Region().end, device.l1Size}, device.dramAlignment),
        blockOf(plan.tensors.size()) {
    result.tensors.resize(plan.tensors.size());
    result.steps.resize(plan.steps.size());
  }

  PlanReplay run(const Deallocations &freed) {
    placeArguments();
    for (StepIndex step; step < plan.end(); ++step) {
      free(freed[step.index()]);
      runStep(step);
    }
    return std::move(result);
  }

private:
  /// Memory that one or more tensors share.
  struct Block {
    BankAllocator *bank = nullptr;
    AddressRange range;
    size_t handles = 1;
  };

  /// One step while it runs.
  struct Running {
    StepIndex index;
    const PlanStep &step;
    ValidationResult answer;
    /// The figures mean something, even where the budget says no.
    bool known() const { return answer.ok() || answer.status == ValidationStatus::OutOfMemory; }
  };

  AddressRange l1Region() const { return {device.l1UnreservedBase, device.l1Size - device.l1SmallSize}; }

  BankAllocator *bankOf(TensorId id) {
    BufferType buffer = problem.layout(plan[id].layout).buffer;
    return buffer == BufferType::L1 ? &l1 : buffer == BufferType::L1Small ? &l1Small : nullptr;
  }

  // ---- Blocks --------------------------------------------------------------------------------------------

  std::optional<AddressRange> allocate(BankAllocator &bank, Bytes size, std::optional<StepIndex> step,
                                       TensorId id = {}) {
    Bytes reserved = bank.reserved(size);
    if (std::optional<Bytes> address = bank.allocate(size, Direction::Down))
      return AddressRange{*address, *address + reserved};
    result.noRoom.push_back({step, id, reserved, bank.freeBytes(), bank.largestHole()});
    return std::nullopt;
  }

  void makeTensor(TensorId id, std::optional<StepIndex> step) {
    BankAllocator *bank = bankOf(id);
    Bytes size = bytesPerCore(problem.layout(plan[id].layout), device);
    if (!bank || size == Bytes(0)) // tensors without elements take nothing
      return;
    if (std::optional<AddressRange> range = allocate(*bank, size, step, id))
      own(id, addBlock({bank, *range}));
  }

  size_t addBlock(Block block) {
    blocks.push_back(block);
    return blocks.size() - 1;
  }

  void own(TensorId id, size_t block) {
    blockOf[id.index()] = block;
    result.tensors[id.index()] = blocks[block].range;
    live.insert(id);
  }

  void free(const Deallocation &freed) {
    std::optional<size_t> index = std::exchange(blockOf[freed.tensor.index()], std::nullopt);
    live.erase(freed.tensor);
    // Freed before: by a conv2d that frees its operand, or by force through another name.
    if (!index || blocks[*index].handles == 0)
      return;
    Block &block = blocks[*index];
    block.handles = freed.force ? 0 : block.handles - 1;
    if (block.handles == 0)
      block.bank->free(block.range.begin);
  }

  void free(llvm::ArrayRef<Deallocation> freed) {
    for (const Deallocation &each : freed)
      free(each);
  }

  // ---- Steps ---------------------------------------------------------------------------------------------

  /// What no step makes is there from the beginning.
  void placeArguments() {
    std::vector<bool> made(plan.tensors.size());
    for (const PlanStep &step : plan.steps)
      for (TensorId id : step.writes)
        made[id.index()] = true;
    for (size_t i = 0; i < made.size(); ++i)
      if (!made[i])
        makeTensor(TensorId(i), std::nullopt);
  }

  ValidationResult ask(const PlanStep &step) const {
    llvm::SmallVector<LayoutId> inputs;
    for (TensorId id : step.reads)
      inputs.push_back(plan[id].layout);
    return model.query({stepSignature(problem, plan, step), inputs, stepConfig(problem, plan, step)});
  }

  void runStep(StepIndex index) {
    Running running{index, plan[index], ask(plan[index])};
    // A view allocates nothing and keeps the block alive as long as it lives itself (facts/allocator 8).
    if (std::optional<size_t> viewed = viewedBlock(running)) {
      ++blocks[*viewed].handles;
      own(running.step.writes.front(), *viewed);
      return launch(running);
    }
    const Conv2dConfig *conv = convolution(running.step);
    std::optional<AddressRange> temporaries;
    if (conv)
      temporaries = makeHalo(running, *conv);
    for (TensorId id : running.step.writes)
      makeTensor(id, index);
    if (!conv)
      temporaries = makeTemporaries(running);
    result.steps[index.index()].temporaries = temporaries;
    launch(running);
    if (temporaries)
      l1.free(temporaries->begin);
  }

  /// The block that the step's result shares with what it reads: the op may make views, and the op model says that it
  /// allocates nothing, though the result lies in L1.
  std::optional<size_t> viewedBlock(const Running &running) {
    const PlanStep &step = running.step;
    bool isView = step.kind == PlanStep::Kind::Run && mayBeView(problem[step.op]) && running.known() &&
                  running.answer.constraints.tensorL1PeakSize == Bytes(0) &&
                  bankOf(step.writes.front()) == &l1;
    return isView ? blockOf[step.reads.front().index()] : std::nullopt;
  }

  const Conv2dConfig *convolution(const PlanStep &step) const {
    return step.kind == PlanStep::Kind::Run
               ? std::get_if<Conv2dConfig>(&plan.configs[step.op.index()].specific)
               : nullptr;
  }

  std::optional<AddressRange> makeTemporaries(const Running &running) {
    const OpConstraints &figures = running.answer.constraints;
    Bytes size = figures.tensorL1PeakSize - figures.outputL1BufferSize;
    return running.known() && size > Bytes(0) ? allocate(l1, size, running.index) : std::nullopt;
  }

  std::optional<AddressRange> makeHalo(const Running &running, const Conv2dConfig &conv) {
    std::optional<AddressRange> halo = makeTemporaries(running);
    // In the order of facts/allocator 8: halo made, operand freed, halo moved up into the room that this may have left.
    if (!conv.deallocateActivation || running.step.reads.empty())
      return halo;
    free({running.step.reads.front(), /*force=*/true});
    if (!halo)
      return halo;
    l1.free(halo->begin);
    return allocate(l1, halo->size(), running.index);
  }

  void launch(const Running &running) {
    StepAddresses &step = result.steps[running.index.index()];
    step.lowest = l1.lowestBlock();
    if (!running.known())
      return;
    PlacedBuffers placed =
        placeCircularBuffers({{rectangleOfCores(device.workerGrid), running.answer.constraints.cbL1PeakSize}},
                             l1Region().begin, device.dramAlignment);
    step.buffers = AddressRange{l1Region().begin, *placed.end()};
    if (step.buffers->empty())
      return; // nothing is launched, or without circular buffers
    LaunchCheck check = checkLaunch(placed, device.l1Size, step.lowest);
    if (check.verdict != LaunchVerdict::Ok)
      result.clashes.push_back(
          {running.index, check.verdict, step.buffers->end, tensorsBelow(step.buffers->end)});
  }

  std::vector<TensorId> tensorsBelow(Bytes end) {
    std::vector<TensorId> found;
    for (TensorId id : live)
      if (bankOf(id) == &l1 && result.tensors[id.index()]->begin < end)
        found.push_back(id);
    return found;
  }

  const Problem &problem;
  const Plan &plan;
  const OpModel &model;
  const DeviceSpec &device;
  BankAllocator l1, l1Small;
  std::vector<Block> blocks;
  std::vector<std::optional<size_t>> blockOf; ///< by TensorId, while it lives
  std::set<TensorId> live;                    ///< with a block
  PlanReplay result;
};

} // namespace

PlanReplay tessera::replayPlan(const Problem &problem, const Plan &plan, const OpModel &model,
                               const Deallocations &freed) {
  return DeviceReplay(problem, plan, model).run(freed);
}
