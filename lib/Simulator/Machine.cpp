//===- Machine.cpp - Runs programs on simulated devices -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A value of a function that runs is a handle on a buffer, and DeviceBanks counts the
// handles: a call shares what it passes on with its callee, and what is returned with
// its caller, so that either may free its own. A handle is freed once. Memory that
// nobody has a handle on is overwritten then and there, so that who reads it all the
// same computes with NaN.
//
//===----------------------------------------------------------------------===//
#include "Execution.h"

#include "tessera/Support/Format.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <utility>

namespace tessera::simulator {

/// Makes the memories of the chips that this process simulates.
llvm::Error Execution::prepare(Bytes needed) {
  // By number in the mesh; those of other processes stay empty, so that all processes count alike.
  chips.resize(size_t(program.mesh.volume()));
  for (size_t chip = 0; chip < chips.size(); ++chip) {
    if (options.processes && !options.processes->owns(chip))
      continue;
    llvm::Expected<DeviceMemory> memory = DeviceMemory::create(device, needed);
    if (!memory)
      return memory.takeError();
    chips[chip].emplace(std::move(*memory));
    own.push_back(chip);
  }
  return llvm::Error::success();
}

// ---- Tensors ---------------------------------------------------------------------------------------------

/// A handle on `buffer`, or on memory of its own where the tensor lies on the host.
llvm::Expected<TensorHandle> Execution::makeHandle(const Function &function, size_t value,
                                                   std::optional<BufferId> buffer) {
  llvm::Expected<const PageMap *> map = maps.get(function, value);
  if (!map)
    return map.takeError();
  // A view comes with the buffer of its source, which says nothing of the view's own layout: so both are checked here.
  TensorHandle handle{*map, buffer, std::nullopt, nullptr};
  if (!function.values[value].layout.onDevice()) {
    handle.host = std::make_shared<HostBytes>(chips.size());
    for (size_t chip : own)
      (*handle.host)[chip].resize(size_t(storedBytes(**map).value()));
  } else if (buffer && banks.memory(*buffer) != function.values[value].layout.buffer)
    return failure("the tensor lies in another memory than its layout says");
  else if (buffer && (*map)->bankBytes() > banks.range(*buffer).size())
    return failure("the tensor takes " + formatBytes((*map)->bankBytes()) + " per bank of a buffer of " +
                   formatBytes(banks.range(*buffer).size()));
  return handle;
}

/// What a kernel is given of a value: how its pages lie, and how to get at one.
TensorInMemory Execution::inMemory(const FunctionFrame &frame, size_t value, size_t chip) {
  const TensorHandle &handle = *frame.values[value];
  TensorInMemory tensor{frame.function.values[value].desc, *handle.map,
                        [this, &handle, chip](PageAddress address) { return page(handle, chip, address); }};
  // A kernel that draws elements needs no bytes; one that reads bytes finds them written.
  if (handle.isDeferred())
    tensor.elements = [this, &handle](const ElementBlock &block, DenseTensor &values) {
      drawElements(*handle.deferred, block, values);
    };
  else
    writeDeferredAt(handle);
  return tensor;
}

/// A buffer has one address, which is that of all cores or banks which it spans (facts/allocator 6): the map says
/// which bank holds a page, and how far behind the address it lies.
llvm::MutableArrayRef<uint8_t> Execution::page(const TensorHandle &handle, size_t chip,
                                               PageAddress address) const {
  Bytes size = handle.map->pageSize();
  if (handle.host)
    return {(*handle.host)[chip].data() + address.offset.value(), size_t(size.value())};
  AddressRange range = rangeOf(handle);
  Bytes begin = range.begin + address.offset;
  assert(begin + size <= range.end && "page maps stay within what bytesPerCore() says");
  BankedMemory memory =
      banks.memory(*handle.buffer) == BufferType::DRAM ? BankedMemory::Dram : BankedMemory::L1;
  return chips[chip]->bytes(memory, address.bank, {begin, begin + size});
}

/// The parts of other processes' devices stay without elements.
llvm::Expected<MeshTensor> Execution::read(const FunctionFrame &frame, size_t value) {
  MeshTensor tensor(chips.size());
  for (DenseTensor &each : tensor)
    each.desc = frame.function.values[value].desc;
  for (size_t chip : own)
    tensor[chip] = inMemory(frame, value, chip).whole();
  return tensor;
}

llvm::Error Execution::write(const TensorHandle &handle, const MeshTensor &tensor) {
  writeDeferredAt(handle);
  for (size_t chip : own)
    if (tensor[chip].volume() > 0)
      handle.map->store(tensor[chip], [&](PageAddress address) { return page(handle, chip, address); });
  return llvm::Error::success();
}

/// Deferred tensors there are written first, as they would have been: parts of them may lie outside of the range, and
/// be read later on.
void Execution::overwrite(BufferType memory, AddressRange range) {
  writeDeferredAt(memory, range);
  for (size_t chip : own)
    chips[chip]->overwrite(memory == BufferType::DRAM ? BankedMemory::Dram : BankedMemory::L1, range,
                           kPoison);
}

void Execution::free(TensorHandle &handle, bool force) {
  // A plan and the end of a function may free the same handle; the second time there is nothing to do.
  if (std::exchange(handle.freed, true))
    return;
  handle.host.reset();
  if (handle.buffer && banks.release(*handle.buffer, force)) {
    // Nobody can read it any more, so it is never written.
    if (handle.deferred)
      handle.deferred->done = true;
    overwrite(banks.memory(*handle.buffer), banks.range(*handle.buffer));
  }
}

// ---- Functions -------------------------------------------------------------------------------------------

/// 1. Arguments get their addresses and, where they cannot wait, their bytes. 2. The steps run. 3. Results are
/// read, before anything else could be written where they lie. 4. Processes exchange what each has of them.
llvm::Expected<RunResult> Execution::run(const Function &function, const ArgumentSource &source) {
  entry = &function;
  arguments = &source;
  FunctionFrame frame{function, std::vector<std::optional<TensorHandle>>(function.values.size())};
  for (auto [number, value] : llvm::enumerate(function.arguments)) {
    const Value &argument = function.values[value];
    llvm::Expected<const PageMap *> map = maps.get(function, value);
    if (!map)
      return map.takeError();
    // Arguments that can be made in parts are made when they are read; others are written before the first
    // step.
    bool defers = arguments->part && mayDefer(argument.desc);
    if (arguments->part && !argument.layout.onDevice()) {
      frame.values[value] =
          TensorHandle{*map, std::nullopt, std::nullopt, nullptr, /*freed=*/false, /*isPending=*/!defers};
      if (defers)
        deferArgument(*frame.values[value], argument.desc, number);
      continue;
    }
    std::vector<RefusedRequest> refused;
    // In the program's order and before anything else, so addresses are those of a device that starts empty.
    std::optional<BufferId> buffer = banks.allocate(argument.layout.buffer, (*map)->bankBytes(), refused);
    if (!refused.empty())
      return failure("argument " + llvm::Twine(number) + " of @" + function.name + " finds no room");
    llvm::Expected<TensorHandle> handle = makeHandle(function, value, buffer);
    if (!handle)
      return handle.takeError();
    frame.values[value] = std::move(*handle);
    if (defers)
      deferArgument(*frame.values[value], argument.desc, number);
    else if (llvm::Error error = writeArgument(frame, number))
      return error;
  }
  if (llvm::Error error = runFunction(frame))
    return error;
  // An argument that is returned as it is was perhaps read by nothing.
  if (llvm::Error error = makePending(frame, function.returned))
    return error;
  for (size_t value : function.returned) {
    if (!frame.values[value])
      return failure("@" + function.name + " returns a tensor that is not made");
    const TensorHandle &handle = *frame.values[value];
    if (handle.freed || (handle.buffer && !banks.isLive(*handle.buffer)))
      return failure("@" + function.name + " returns a tensor that is freed");
    llvm::Expected<MeshTensor> tensor = read(frame, value);
    if (!tensor)
      return tensor.takeError();
    result.returned.push_back(std::move(*tensor));
  }
  // Each process has the parts of its own devices; the caller is given the whole mesh's.
  std::vector<MeshTensor *> results;
  for (MeshTensor &tensor : result.returned)
    results.push_back(&tensor);
  for (auto &[argument, tensor] : result.written)
    results.push_back(&tensor);
  if (llvm::Error error = complete(results))
    return error;
  return std::move(result);
}

llvm::Error Execution::writeArgument(FunctionFrame &frame, size_t number) {
  size_t value = frame.function.arguments[number];
  if (!arguments->part) {
    llvm::Expected<MeshTensor> given = arguments->whole(number);
    return given ? write(*frame.values[value], *given) : given.takeError();
  }
  for (size_t chip : own) {
    TensorInMemory argument = inMemory(frame, value, chip);
    // Some rows at a time: an argument as a whole would take its size in fp32 besides.
    argument.map.storeRows(
        [&](const ElementBlock &rows, DenseTensor &values) { arguments->part(number, rows, values); },
        argument.bytes);
  }
  return llvm::Error::success();
}

/// Makes those of the values that are arguments and not made yet.
llvm::Error Execution::makePending(FunctionFrame &frame, llvm::ArrayRef<size_t> values) {
  for (size_t value : values) {
    std::optional<TensorHandle> &handle = frame.values[value];
    // One that was freed before anything read it is not made at all.
    if (!handle || !std::exchange(handle->isPending, false) || handle->freed)
      continue;
    llvm::Expected<TensorHandle> made = makeHandle(frame.function, value, std::nullopt);
    if (!made)
      return made.takeError();
    *handle = std::move(*made);
    if (llvm::Error error = writeArgument(
            frame, size_t(llvm::find(frame.function.arguments, value) - frame.function.arguments.begin())))
      return error;
  }
  return llvm::Error::success();
}

/// Steps in program order: the addresses that the allocator gives follow from that order.
llvm::Error Execution::runFunction(FunctionFrame &frame) {
  using Clock = std::chrono::steady_clock;
  for (auto [index, step] : llvm::enumerate(frame.function.steps)) {
    if (&frame.function == entry)
      reportProgress(options.progress, "running ops of @" + frame.function.name, index,
                     frame.function.steps.size());
    Clock::time_point begin = Clock::now();
    if (llvm::Error error = runStep(frame, step))
      return error;
    if (step.kind == Step::Kind::Run) {
      // Calls are not counted: the ops in them are.
      OpTime &time = result.statistics.times[step.op.name];
      ++time.count;
      time.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    }
  }
  return llvm::Error::success();
}

/// A plan that frees a tensor too early is found here, by name, and not only by the NaN that its reader computes.
llvm::Error Execution::checkLive(const FunctionFrame &frame, const Step &step) const {
  for (auto [number, value] : llvm::enumerate(step.reads)) {
    if (!frame.values[value])
      return at(step, "operand " + llvm::Twine(number) + " is a tensor that is not made yet");
    const TensorHandle &handle = *frame.values[value];
    if (handle.freed || (handle.buffer && !banks.isLive(*handle.buffer)))
      return at(step, "operand " + llvm::Twine(number) + " is a tensor that is freed");
  }
  return llvm::Error::success();
}

llvm::Error Execution::runStep(FunctionFrame &frame, const Step &step) {
  if (step.kind == Step::Kind::Free) {
    if (!frame.values[step.reads.front()])
      return at(step, "a tensor is freed that is not made yet");
    free(*frame.values[step.reads.front()], step.force);
    return llvm::Error::success();
  }
  // Before anything is made for the step, so that the error names the read and not what follows from it.
  if (llvm::Error error = checkLive(frame, step))
    return error;
  if (llvm::Error error = makePending(frame, step.reads))
    return error;
  return step.kind == Step::Kind::Call ? runCall(frame, step) : runOp(frame, step);
}

llvm::Error Execution::runCall(FunctionFrame &frame, const Step &step) {
  if (step.loop)
    return runLoop(frame, step);
  std::vector<TensorHandle> given;
  for (size_t value : step.reads)
    given.push_back(*frame.values[value]);
  llvm::Expected<std::vector<TensorHandle>> returned = call(program.functions[step.callee], given, step);
  if (!returned)
    return returned.takeError();
  for (auto [value, handle] : llvm::zip_equal(step.writes, *returned))
    frame.values[value] = std::move(handle);
  return llvm::Error::success();
}

/// The callee has handles of its own on what it is given, and gives all back but those of its results, which are the caller's.
llvm::Expected<std::vector<TensorHandle>>
Execution::call(const Function &callee, llvm::ArrayRef<TensorHandle> given, const Step &step) {
  FunctionFrame inner{callee, std::vector<std::optional<TensorHandle>>(callee.values.size())};
  for (auto [handle, argument] : llvm::zip_equal(given, callee.arguments)) {
    inner.values[argument] = handle;
    if (handle.buffer)
      // A handle of the callee's, so that freeing an argument inside leaves the caller's tensor alone.
      banks.share(*handle.buffer);
  }
  if (llvm::Error error = runFunction(inner))
    return error;
  std::vector<TensorHandle> results;
  for (size_t returned : callee.returned) {
    const TensorHandle &handle = *inner.values[returned];
    if (handle.freed || (handle.buffer && !banks.isLive(*handle.buffer)))
      return at(step, "@" + callee.name + " returns a tensor that is freed");
    // What is returned is shared once more before the callee's handles go, or its memory would be overwritten
    // in between.
    results.push_back(handle);
    if (handle.buffer)
      banks.share(*handle.buffer);
  }
  for (std::optional<TensorHandle> &handle : inner.values)
    if (handle)
      free(*handle, /*force=*/false);
  return results;
}

/// The first number of a tensor that lies where the function has that value.
llvm::Expected<double> Execution::numberOf(const Function &function, size_t value,
                                           const TensorHandle &handle) {
  FunctionFrame view{function, std::vector<std::optional<TensorHandle>>(function.values.size())};
  view.values[value] = handle;
  llvm::Expected<MeshTensor> tensor = read(view, value);
  return tensor ? llvm::Expected<double>((*tensor)[own.front()].at(0)) : tensor.takeError();
}

/// Whether a loop runs once more: by what its condition says of the states, or by its bounds, which are those that it began with.
llvm::Expected<bool> Execution::goesOn(const FunctionFrame &frame, const Step &step,
                                       llvm::ArrayRef<TensorHandle> given, int64_t runs) {
  const Loop &loop = *step.loop;
  if (loop.condition) {
    const Function &condition = program.functions[*loop.condition];
    llvm::Expected<std::vector<TensorHandle>> said = call(condition, given, step);
    if (!said)
      return said.takeError();
    llvm::Expected<double> number = numberOf(condition, condition.returned.front(), said->front());
    free(said->front(), /*force=*/false);
    return number ? llvm::Expected<bool>(*number != 0) : number.takeError();
  }
  // Begin, end and step. They are operands and no states, so every run reads the same.
  llvm::SmallVector<double, 3> bounds;
  for (const Loop::Bound &bound : loop.bounds) {
    size_t value = step.reads[bound.operand.value_or(0)];
    llvm::Expected<double> number = bound.operand ? numberOf(frame.function, value, *frame.values[value])
                                                  : llvm::Expected<double>(double(bound.value));
    if (!number)
      return number.takeError();
    bounds.push_back(*number);
  }
  if (bounds[2] <= 0)
    return at(step, "the loop goes in steps of " + llvm::Twine(int64_t(bounds[2])));
  return bounds[0] + bounds[2] * double(runs) < bounds[1];
}

/// States go from one run to the next, what comes behind them is the same in each. The loop has handles on states that it made.
llvm::Error Execution::runLoop(FunctionFrame &frame, const Step &step) {
  const Loop &loop = *step.loop;
  // A condition may never end a loop; bounds do, and are that high by mistake only.
  const int64_t most = loop.condition ? 10'000 : 1'000'000;
  std::vector<TensorHandle> given;
  for (size_t value : step.reads)
    given.push_back(*frame.values[value]);
  llvm::MutableArrayRef<TensorHandle> states = llvm::MutableArrayRef(given).take_front(loop.states);
  int64_t runs = 0;
  for (;; ++runs) {
    llvm::Expected<bool> more = goesOn(frame, step, given, runs);
    if (!more)
      return more.takeError();
    if (!*more)
      break;
    if (runs == most)
      return at(step, "the loop goes on after " + llvm::Twine(most) +
                          " runs, which the simulator takes for endless; other inputs may end it (--inputs)");
    llvm::Expected<std::vector<TensorHandle>> next = call(program.functions[step.callee], given, step);
    if (!next)
      return next.takeError();
    // The states of the first run are the caller's, which go on living; those of later ones are the loop's own.
    for (auto [state, made] : llvm::zip_equal(states, *next)) {
      if (runs > 0)
        free(state, /*force=*/false);
      state = std::move(made);
    }
  }
  for (auto [value, output] : llvm::zip_equal(step.writes, loop.outputs)) {
    frame.values[value] = given[output];
    if (given[output].buffer)
      banks.share(*given[output].buffer);
  }
  for (TensorHandle &state : states)
    if (runs > 0)
      free(state, /*force=*/false);
  return llvm::Error::success();
}

llvm::Expected<RunResult> run(const Program &program, const Function &function, ArgumentSource arguments,
                              const OpModel &model, const MachineOptions &options) {
  if (llvm::Error error = checkRunnable(program, function, model.device()))
    return error;
  // Before anything runs: a run that the machine has no memory for is one clear error, and not a process that
  // is killed.
  Bytes needed = neededMemory(program, function, model.device(), bool(arguments.part), options.processes);
  if (needed > options.maxMemory)
    return failure("@" + function.name + " needs about " + formatBytes(needed) + " of memory, " +
                   llvm::Twine(needed.value()) + " bytes; --max-mem allows " +
                   formatBytes(options.maxMemory));
  Execution execution(program, model, options);
  llvm::Error unprepared = execution.prepare(needed);
  llvm::Expected<RunResult> result =
      unprepared ? llvm::Expected<RunResult>(std::move(unprepared)) : execution.run(function, arguments);
  if (result) {
    result->statistics.needed = needed;
    return result;
  }
  std::string error = llvm::toString(result.takeError());
  // Others may be past this step: their next exchange begins with hearing of it.
  if (options.processes && !execution.isAgreed())
    return options.processes->agree(error);
  return failure(error);
}

} // namespace tessera::simulator
