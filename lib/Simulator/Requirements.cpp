//===- Requirements.cpp - What a program asks for before it runs ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two questions before the first step. checkRunnable: is every op, layout and
// call one that the machine can do? So what is wrong with the last op of a long
// program is told at once. neededMemory: what will the run take of the host's
// memory? For that the program is rehearsed: its steps are walked with the sizes
// of tensors in place of tensors. What is deferred or runs in parts is decided by
// the functions that the machine asks (mayDefer, streamedKernelOf), so the count
// follows the run.
//
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/Machine.h"

#include "Execution.h"

#include "tessera/Simulator/Streams.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace tessera::simulator {

/// Values of two functions that are the same tensors.
struct Passed {
  const Function &from, &to;
  llvm::SmallVector<std::pair<size_t, size_t>> values;

  Passed(const Function &from, const Function &to, llvm::ArrayRef<size_t> given, llvm::ArrayRef<size_t> taken)
      : from(from), to(to) {
    for (auto [value, inner] : llvm::zip_equal(given, taken))
      values.push_back({value, inner});
  }
  /// The first that lies otherwise in the one than in the other.
  std::optional<size_t> firstElsewhere() const {
    for (auto [number, pair] : llvm::enumerate(values))
      if (from.values[pair.first].layout != to.values[pair.second].layout ||
          from.values[pair.first].desc != to.values[pair.second].desc)
        return number;
    return std::nullopt;
  }
};

/// A callee reads and makes tensors where its own types say: a caller that has others reads other bytes. What a loop's function returns is
/// what it takes next, and what the loop's condition looks at.
static llvm::Error checkCall(const Program &program, const Function &function, const Step &step,
                             const DeviceSpec &device) {
  const Function &callee = program.functions[step.callee];
  // Numbers of tensors come first: Passed pairs them and takes it that there are as many.
  std::vector<size_t> returned = returnedTo(step, callee);
  if (step.reads.size() != callee.arguments.size() || step.writes.size() != returned.size())
    return at(step, "@" + callee.name + " takes or returns another number of tensors");
  if (auto number = Passed(function, callee, step.reads, callee.arguments).firstElsewhere())
    return at(step,
              "operand " + llvm::Twine(*number) + " lies otherwise than @" + callee.name + " expects it");
  if (auto number = Passed(function, callee, step.writes, returned).firstElsewhere())
    return at(step,
              "result " + llvm::Twine(*number) + " lies otherwise than @" + callee.name + " returns it");
  if (step.loop) {
    llvm::ArrayRef<size_t> states = llvm::ArrayRef(callee.arguments).take_front(step.loop->states);
    if (auto number = Passed(callee, callee, callee.returned, states).firstElsewhere())
      return at(step,
                "state " + llvm::Twine(*number) + " of @" + callee.name + " lies otherwise behind a run");
    if (step.loop->condition) {
      const Function &condition = program.functions[*step.loop->condition];
      if (condition.arguments.size() != step.reads.size() ||
          Passed(function, condition, step.reads, condition.arguments).firstElsewhere())
        return at(step, "@" + condition.name + " expects other tensors than the loop has");
      if (llvm::Error error = checkRunnable(program, condition, device))
        return error;
    }
  }
  return checkRunnable(program, callee, device);
}

llvm::Error checkRunnable(const Program &program, const Function &function, const DeviceSpec &device) {
  // All of this is found before anything runs: an unsupported op at the end of a long program is told at once.
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

/// As kernels have it: four bytes for an element, whatever its format.
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

/// Whether a value takes memory, or is made where it is read (DeferredTensor).
enum class Place : uint8_t { Memory, Deferred, DeferredTransposed };

/// `live` is what tensors take between two steps, `most` the largest sum of that and of what a step works with.
/// One function as it would run: what its values take, step by step.
class Rehearsal {
public:
  Rehearsal(const Program &program, const Function &function, const DeviceSpec &device, DeviceCounts devices)
      : program(program), function(function), device(device), devices(devices), held(function.values.size()),
        places(function.values.size(), Place::Memory) {}

  void takeArguments(ArgumentMemory memory) {
    arguments = memory;
    for (size_t value : function.arguments) {
      if (arguments == ArgumentMemory::InParts && mayDefer(function.values[value].desc))
        places[value] = Place::Deferred;
      if (arguments == ArgumentMemory::Callers || places[value] != Place::Memory || isPending(value))
        continue;
      hold(value);
      note(arguments == ArgumentMemory::Whole ? denseBytes(function, value) : kStreamedWorkingSet);
    }
  }
  void run() {
    for (const Step &step : function.steps) {
      if (step.kind == Step::Kind::Free)
        // A value that is deferred or was never read holds 0 bytes.
        live = live - std::exchange(held[step.reads.front()], Bytes(0));
      else if (step.kind == Step::Kind::Call)
        call(step);
      else
        runOp(step);
    }
  }
  Bytes peak() const { return most; }

private:
  Bytes stored(size_t value) const {
    llvm::Expected<PageMap> map =
        PageMap::make(function.values[value].layout, function.values[value].desc, device);
    if (map)
      return storedBytes(*map);
    // checkRunnable has told of it already; here it only must not stop the count.
    llvm::consumeError(map.takeError());
    return Bytes(0);
  }
  void hold(size_t value) {
    places[value] = Place::Memory;
    live += held[value] = stored(value);
  }
  /// Arguments on the host are made when they are read first.
  bool isPending(size_t value) const {
    return arguments == ArgumentMemory::InParts && places[value] == Place::Memory &&
           !function.values[value].layout.onDevice() && llvm::is_contained(function.arguments, value) &&
           held[value] == Bytes(0);
  }
  /// Tensors lie on each device of this process; a collective is computed by every process for all devices.
  void note(Bytes working) { note(working, devices.own); }
  void note(Bytes working, int64_t workingDevices) {
    most = std::max(most, live * devices.own + working * workingDevices);
  }
  void readAll(const Step &step) {
    for (size_t value : step.reads)
      if (isPending(value))
        hold(value);
  }

  void runOp(const Step &step) {
    readAll(step);
    const StreamedKernel *parts = streamedKernelOf(function, step);
    // Written in place; or compared by its bytes, if results of other runs are known.
    bool needsBytes = (step.kernel && step.kernel->inPlace) || (parts && parts->denseResult);
    for (size_t value : step.reads)
      if (needsBytes && places[value] != Place::Memory)
        hold(value);
    if (parts && staysDeferred(step, *parts))
      return;
    // Results lie beside the operands, which live until a Free, so both count while the op runs.
    for (size_t value : step.writes)
      hold(value);
    bool collective = step.kernel && step.kernel->collective; // each process computes it for all devices
    note(workingMemory(function, step), collective ? devices.all : devices.own);
  }
  bool staysDeferred(const Step &step, const StreamedKernel &kernel) {
    size_t operand = step.reads.front(), result = step.writes.front();
    bool transposes = kernel.moves == StreamedKernel::Moves::TransposedMatrices;
    if (places[operand] == Place::Memory || (transposes && places[operand] == Place::DeferredTransposed) ||
        !mayDeferCopy(kernel, function.values[operand].desc, function.values[result].desc))
      return false;
    places[result] = transposes ? Place::DeferredTransposed : places[operand];
    return true;
  }
  void call(const Step &step) {
    readAll(step);
    const Function &callee = program.functions[step.callee];
    Rehearsal inner = rehearsed(callee, step);
    Bytes called = inner.peak();
    // Between two runs of a loop its condition looks at the same tensors.
    if (step.loop && step.loop->condition)
      called = std::max(called, rehearsed(program.functions[*step.loop->condition], step).peak());
    for (auto [value, returned] : llvm::zip(step.writes, returnedTo(step, callee))) {
      if (inner.places[returned] == Place::Memory)
        hold(value);
      else
        places[value] = inner.places[returned];
    }
    // The caller's tensors lie there while the callee runs, and in a loop the states that the run before has made.
    Bytes states(0);
    for (size_t state = 0; step.loop && state < step.loop->states; ++state)
      states += inner.stored(callee.arguments[state]);
    most = std::max(most, (live + states) * devices.own + called);
  }
  /// The callee's peak counts what it makes; its arguments are among the caller's tensors.
  Rehearsal rehearsed(const Function &callee, const Step &step) const {
    Rehearsal inner(program, callee, device, devices);
    inner.takeArguments(ArgumentMemory::Callers);
    for (auto [value, argument] : llvm::zip(step.reads, callee.arguments))
      inner.places[argument] = places[value];
    inner.run();
    return inner;
  }

  const Program &program;
  const Function &function;
  const DeviceSpec &device;
  DeviceCounts devices;
  ArgumentMemory arguments = ArgumentMemory::Callers;
  std::vector<Bytes> held;
  std::vector<Place> places;
  Bytes live, most;
};

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
  Rehearsal rehearsal(program, function, device, {processes ? processes->share(all) : all, all});
  rehearsal.takeArguments(argumentsInParts ? ArgumentMemory::InParts : ArgumentMemory::Whole);
  rehearsal.run();
  return rehearsal.peak();
}

} // namespace tessera::simulator
