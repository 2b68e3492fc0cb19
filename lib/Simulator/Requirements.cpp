//===- Requirements.cpp - What a program asks for before it runs ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/Machine.h"

#include "PageMaps.h"

#include "tessera/Simulator/Streams.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace tessera::simulator {

/// A callee reads and makes tensors where its own types say: a caller that has others reads other bytes.
static llvm::Error checkCall(const Program &program, const Function &function, const Step &step,
                             const DeviceSpec &device) {
  const Function &callee = program.functions[step.callee];
  if (step.reads.size() != callee.arguments.size() || step.writes.size() != callee.returned.size())
    return at(step, "@" + callee.name + " takes or returns another number of tensors");
  auto same = [&](size_t value, size_t inner) {
    return function.values[value].layout == callee.values[inner].layout &&
           function.values[value].desc == callee.values[inner].desc;
  };
  for (auto [number, value] : llvm::enumerate(step.reads))
    if (!same(value, callee.arguments[number]))
      return at(step,
                "operand " + llvm::Twine(number) + " lies otherwise than @" + callee.name + " expects it");
  for (auto [number, value] : llvm::enumerate(step.writes))
    if (!same(value, callee.returned[number]))
      return at(step,
                "result " + llvm::Twine(number) + " lies otherwise than @" + callee.name + " returns it");
  return checkRunnable(program, callee, device);
}

llvm::Error checkRunnable(const Program &program, const Function &function, const DeviceSpec &device) {
  PageMaps maps(device);
  for (size_t value : function.arguments) {
    llvm::Expected<const PageMap *> map = maps.get(function, value);
    if (!map)
      return failure("an argument of @" + function.name + ": " + llvm::toString(map.takeError()));
  }
  for (const Step &step : function.steps) {
    if (step.kind == Step::Kind::Run && !step.kernel && !step.host)
      return at(step, "the simulator does not support '" + step.op.name + "'");
    if (step.kind == Step::Kind::Call)
      if (llvm::Error error = checkCall(program, function, step, device))
        return error;
    for (size_t value : step.writes) {
      llvm::Expected<const PageMap *> map = maps.get(function, value);
      if (!map)
        return at(step, map.takeError());
    }
  }
  return llvm::Error::success();
}

namespace {

Bytes denseBytes(const Function &function, size_t value) {
  return Bytes(4) * volumeOf(function.values[value].desc.shape);
}

/// What an op computes with.
Bytes workingMemory(const Function &function, const Step &step) {
  const StreamedKernel *parts = streamedKernelOf(function, step);
  Bytes working = parts ? kStreamedWorkingSet : Bytes(0);
  for (auto [number, value] : llvm::enumerate(step.reads))
    if (!parts || (parts->denseOperands >> number & 1))
      working += denseBytes(function, value);
  for (size_t value : step.writes)
    if (!parts || parts->denseResult)
      working += denseBytes(function, value);
  return working;
}

/// Peak of one process. The arguments of a function that is called are its caller's, and counted there.
enum class ArgumentMemory : uint8_t { Whole, InParts, Callers };

struct DeviceCounts {
  int64_t own, all;
};

Bytes peakMemory(const Program &program, const Function &function, const DeviceSpec &device,
                 ArgumentMemory arguments, DeviceCounts devices) {
  auto stored = [&](size_t value) {
    llvm::Expected<PageMap> map =
        PageMap::make(function.values[value].layout, function.values[value].desc, device);
    if (map)
      return storedBytes(*map);
    llvm::consumeError(map.takeError());
    return Bytes(0);
  };
  std::vector<Bytes> held(function.values.size());
  Bytes live, peak;
  auto hold = [&](size_t value) { live += held[value] = stored(value); };
  // Arguments on the host are made when they are read first.
  auto isPending = [&](size_t value) {
    return arguments == ArgumentMemory::InParts && !function.values[value].layout.onDevice() &&
           llvm::is_contained(function.arguments, value) && held[value] == Bytes(0);
  };
  for (size_t value : function.arguments) {
    if (arguments == ArgumentMemory::Callers)
      continue;
    if (isPending(value))
      continue;
    hold(value);
    peak = std::max(peak, (live + (arguments == ArgumentMemory::Whole ? denseBytes(function, value)
                                                                      : kStreamedWorkingSet)) *
                              devices.own);
  }
  for (const Step &step : function.steps) {
    if (step.kind == Step::Kind::Free) {
      live = live - std::exchange(held[step.reads.front()], Bytes(0));
      continue;
    }
    for (size_t value : step.reads)
      if (isPending(value))
        hold(value);
    for (size_t value : step.writes)
      hold(value);
    bool collective = step.kernel && step.kernel->collective; // each process computes it for all devices
    Bytes working =
        step.kind == Step::Kind::Call
            ? peakMemory(program, program.functions[step.callee], device, ArgumentMemory::Callers, devices)
            : workingMemory(function, step) * (collective ? devices.all : devices.own);
    peak = std::max(peak, live * devices.own + working);
  }
  return peak;
}

} // namespace

const StreamedKernel *streamedKernelOf(const Function &function, const Step &step) {
  if (!step.kernel || step.kernel->inPlace)
    return nullptr;
  std::vector<TensorDesc> operands, results;
  for (size_t value : step.reads)
    operands.push_back(function.values[value].desc);
  for (size_t value : step.writes)
    results.push_back(function.values[value].desc);
  return findStreamedKernel(step.op, operands, results);
}

Bytes neededMemory(const Program &program, const Function &function, const DeviceSpec &device,
                   bool argumentsInParts, const ProcessGroup *processes) {
  int64_t all = program.mesh.volume();
  return peakMemory(program, function, device,
                    argumentsInParts ? ArgumentMemory::InParts : ArgumentMemory::Whole,
                    {processes ? processes->share(all) : all, all});
}

} // namespace tessera::simulator
