//===- Machine.h - Runs programs on simulated devices ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each op of a program is run so:
//
//   1  operands must be live
//   2  results, then what the op needs while it runs get addresses, as the device's allocator gives them (DeviceBanks)
//   3  the region of its circular buffers and temporaries is overwritten on every core
//   4  operands are read, page by page
//   5  the kernel computes
//   6  results are rounded to their formats and written, padding poisoned
//
// So what lies where something else lies, or is read after it was freed, shows
// in the values, even if no check knows of it.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_MACHINE_H
#define TESSERA_SIMULATOR_MACHINE_H

#include "tessera/OpModel/OpModel.h"
#include "tessera/Simulator/PageMap.h"
#include "tessera/Simulator/ProcessGroup.h"
#include "tessera/Simulator/Program.h"
#include "tessera/Simulator/ResultCache.h"
#include "tessera/Support/ProgressFunction.h"

#include <functional>
#include <map>

namespace tessera::simulator {

/// One tensor on each device of the mesh; of devices of other processes, while a function runs, without elements.
using MeshTensor = std::vector<DenseTensor>;

/// Makes arguments when they are needed, so that not all of them are there at once as fp32.
struct ArgumentSource {
  using Whole = llvm::function_ref<llvm::Expected<MeshTensor>(size_t argument)>;
  /// A block of the argument, into rows x columns. Called on several threads, and again for what is read again.
  using Part = llvm::function_ref<void(size_t argument, const ElementBlock &block, DenseTensor &values)>;

  template <class Callable, std::enable_if_t<std::is_constructible_v<Whole, Callable &>, int> = 0>
  ArgumentSource(Callable &&whole) : whole(whole) {} // NOLINT: what makes arguments is a source of them
  static ArgumentSource inParts(Part part) {
    ArgumentSource source;
    source.part = part;
    return source;
  }

  Whole whole; ///< one tensor per device
  Part part;   ///< or, not even one as a whole; the same on all devices

private:
  ArgumentSource() = default;
};

/// What a step made.
struct StepResult {
  const Function &function;
  const Step &step;
  size_t result;            ///< which one
  const MeshTensor &values; ///< as read back from memory
};

/// How a run is done. Nothing of it changes values, but for `arithmetic` and what tests break.
struct MachineOptions {
  Bytes maxMemory;           ///< for devices, host tensors and what is being computed with
  ProgressFunction progress; ///< may be empty
  /// Called after each result, if set. Results are then read back from memory, which takes time.
  std::function<void(const StepResult &)> observe;
  /// For tests, a broken allocator: the first value of the entry function is put where the second lies.
  std::vector<std::pair<size_t, size_t>> misplaced = {};
  /// For tests, a broken rewriting: what makes these values of the entry function does nothing. They are what the bytes of its
  /// first operand are in their layout.
  std::vector<size_t> unmoved = {};
  /// What costly ops computed in other runs, if set; may be shared by runs one after the other.
  ResultCache *known = nullptr;
  /// Processes that share the devices, if set: results are those of all devices nonetheless.
  ProcessGroup *processes = nullptr;
  Arithmetic arithmetic = Arithmetic::Exact; ///< `known` serves exact runs only
};

/// Time of the steps of one kind of op.
struct OpTime {
  size_t count = 0;
  double seconds = 0;
};

/// What a run came by. None of it is an error: a device would refuse some of it, and the run goes on to show what
/// becomes of the values.
struct RunStatistics {
  std::map<std::string, OpTime> times; ///< by op
  Bytes peakDram, peakL1;              ///< per bank, by what is allocated
  std::string peakL1At;                ///< place of the step
  Bytes needed;                        ///< what the run was estimated to take
  std::vector<std::string>
      clashes; ///< places of launches that the device refuses: circular buffers end above a tensor
  /// Ops that the op model says the backend refuses in these layouts, with their places and its reasons.
  std::vector<std::string> refusals;
};

struct RunResult {
  std::vector<MeshTensor> returned;     ///< by result
  std::map<size_t, MeshTensor> written; ///< arguments that were written in place, by their number
  RunStatistics statistics;
};

/// Whether the machine can hold and compute all of the function's tensors: an error names the first that it cannot, and its
/// place. Kernels may still refuse attributes when they run.
llvm::Error checkRunnable(const Program &program, const Function &function, const DeviceSpec &device);

/// What running the function takes at its peak: live tensors of all devices and the host, as they are stored, and operands
/// and results of an op in fp32, or the parts that are there at a time. Of several processes, what the one takes that has most
/// devices.
Bytes neededMemory(const Program &program, const Function &function, const DeviceSpec &device,
                   bool argumentsInParts = false, const ProcessGroup *processes = nullptr);

/// Runs the function on empty devices with these arguments, one tensor per device each. The op model says how much L1 ops
/// need beside their tensors. Errors name the step's place: what checkRunnable finds, no room, reading what is freed, what a
/// kernel refuses.
llvm::Expected<RunResult> run(const Program &program, const Function &function, ArgumentSource arguments,
                              const OpModel &model, const MachineOptions &options);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_MACHINE_H
