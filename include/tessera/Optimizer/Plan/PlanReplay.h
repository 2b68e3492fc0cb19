//===- PlanReplay.h - The addresses that a plan ends up with --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What the device's allocator makes of a plan, step by step (docs/memory.md): each tensor's address, what each step's
// circular buffers take, and where the device would refuse. Sums of bytes do not see holes; this does.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_PLANREPLAY_H
#define TESSERA_OPTIMIZER_PLAN_PLANREPLAY_H

#include "tessera/Allocator/BankAllocator.h"
#include "tessera/Allocator/CircularBuffers.h"
#include "tessera/Optimizer/Plan/Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera {

/// The end of one handle on a tensor. A buffer that views share is freed with its last handle, or, if forced, at once.
struct Deallocation {
  TensorId tensor;
  bool force = false;
};
/// By step: what is freed before it runs; and one more, what is freed after the last.
using Deallocations = std::vector<std::vector<Deallocation>>;

/// Each tensor that the function makes and does not return, right after the last step that reads it: what
/// insertDeallocates writes.
Deallocations deallocationsAfterLastUse(const Problem &problem, const Plan &plan);

/// A request that no hole takes.
struct NoRoom {
  std::optional<StepIndex> step; ///< nullopt: an argument
  TensorId tensor;               ///< invalid: what the op needs while it runs
  Bytes reserved, freeBytes, largestHole;

  /// By how much the largest hole is too small. More may be free, in pieces.
  Bytes missing() const { return reserved - largestHole; }
};

/// A launch that the device refuses.
struct LaunchClash {
  StepIndex step;
  LaunchVerdict verdict = LaunchVerdict::Clash;
  Bytes end;                     ///< of the circular buffers
  Bytes missing;                 ///< by how much they reach into what lies lowest
  std::vector<TensorId> tensors; ///< live ones below that, in the order of their ids
};

/// Where a step has what it needs beside the tensors that it reads and makes; in bytes on each core.
struct StepAddresses {
  std::optional<AddressRange> buffers;   ///< circular ones; nullopt: the op model does not know
  std::vector<AddressRange> temporaries; ///< tensors that the op makes and frees, in order
  std::optional<Bytes> lowest;           ///< L1 block while the step runs
};

/// Where the device's allocator puts everything, and what it finds no place for.
struct PlanReplay {
  std::vector<std::optional<AddressRange>> tensors; ///< by TensorId; nullopt: lies elsewhere, or no room
  std::vector<std::optional<AddressRange>> places;  ///< by TensorId: what was kept for it until it was made
  std::vector<std::optional<TensorId>> viewOf;      ///< by TensorId: the operand in whose buffer it lies
  std::vector<StepAddresses> steps;
  std::vector<NoRoom> noRoom;
  std::vector<LaunchClash> clashes;
  /// Everything has an address, and no launch is refused.
  bool fits() const { return noRoom.empty() && clashes.empty(); }
  /// What is missing at steps, of clashes and then of requests. An argument that finds no room was placed by the program, and no plan can move it.
  void forEachShortage(llvm::function_ref<void(StepIndex, Bytes missing)> visit) const;
};

/// Runs the plan on an empty `device`, whose l1SmallSize is what L1_SMALL takes off the top of L1. The order of
/// events within an op is that of docs/memory.md; what an op needs beside its results is as the op model says (blocksOf),
/// and its circular buffers are one on all cores. What finds no room takes none, and the replay goes on.
/// Tensors in DRAM have addresses only `withDram`: who checks a plan does not need them.
PlanReplay replayPlan(const Problem &problem, const Plan &plan, const OpCostTable &model,
                      const Deallocations &freed, const DeviceSpec &device, bool withDram = false);
/// On the model's device as tt-mlir opens it, each tensor freed after its last use.
PlanReplay replayAsOpened(const Problem &problem, const Plan &plan, const OpCostTable &model,
                          bool withDram = false);

/// Whether the device's allocator finds an address for everything, as tt-mlir opens the device. True on a device that is made up
/// for its budget: it has no addresses.
bool hasAddresses(const Problem &problem, const Plan &plan, const OpCostTable &model);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_PLANREPLAY_H
