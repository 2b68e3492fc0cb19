//===- Machine.cpp - Runs programs on simulated devices -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/Machine.h"

#include "PageMaps.h"

#include "tessera/Allocator/DeviceBanks.h"
#include "tessera/Simulator/DeviceMemory.h"
#include "tessera/Simulator/PageMap.h"
#include "tessera/Simulator/Streams.h"
#include "tessera/Support/Format.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>

namespace tessera::simulator {

namespace {

/// What memory holds where nothing valid is: NaN as f32 and as bf16, and no small integer.
constexpr uint8_t kFreed = 0xff, kCircularBuffer = 0xfe;

bool writesInPlace(const Step &step) { return step.kernel && step.kernel->inPlace; }

/// Its results, or the operand that it writes.
llvm::ArrayRef<size_t> writtenBy(const Step &step) {
  llvm::ArrayRef<size_t> reads = step.reads, writes = step.writes;
  return writesInPlace(step) ? reads.take_front() : writes;
}

/// On one device; collectives have run by then.
llvm::Error runKernel(const Step &step, KernelCall &call) {
  if (step.host)
    return step.host(call);
  return step.kernel->kernel ? step.kernel->kernel(call) : llvm::Error::success();
}

/// A handle on a tensor.
struct Handle {
  const PageMap *map = nullptr;
  std::optional<BufferId> buffer;                       ///< on the devices
  std::optional<AddressRange> elsewhere;                ///< MachineOptions::misplaced
  std::shared_ptr<std::vector<Elements<uint8_t>>> host; ///< or on the host: by device
  bool freed = false;
  bool isPending = false; ///< an argument on the host that nothing has read yet: it is not made before
};

/// A function while it runs.
struct Frame {
  const Function &function;
  std::vector<std::optional<Handle>> values;
};

class Execution {
public:
  Execution(const Program &program, const OpModel &model, const MachineOptions &options)
      : program(program), model(model), device(model.device()), options(options), banks(device),
        maps(device) {}

  /// `needed`: what the run will take of memory.
  llvm::Error prepare(Bytes needed) {
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

  llvm::Expected<RunResult> run(const Function &function, const ArgumentSource &source);
  /// Whether all processes know of the error that the run ended with.
  bool isAgreed() const { return agreed; }

private:
  // ---- Tensors -------------------------------------------------------------------------------------------
  llvm::Expected<Handle> makeHandle(const Function &function, size_t value, std::optional<BufferId> buffer);
  llvm::Expected<MeshTensor> read(const Frame &frame, size_t value) const;
  TensorInMemory inMemory(const Frame &frame, size_t value, size_t chip) const;
  llvm::Error write(const Handle &handle, const MeshTensor &tensor);
  llvm::MutableArrayRef<uint8_t> page(const Handle &handle, size_t chip, PageAddress address) const;
  void free(Handle &handle, bool force);
  void overwrite(BufferType memory, AddressRange range, uint8_t pattern) const;

  // ---- Steps ---------------------------------------------------------------------------------------------
  llvm::Error writeArgument(Frame &frame, size_t number);
  llvm::Error makePending(Frame &frame, llvm::ArrayRef<size_t> values);
  llvm::Error runFunction(Frame &frame);
  llvm::Error runStep(Frame &frame, const Step &step);
  llvm::Error runCall(Frame &frame, const Step &step);
  llvm::Error runOp(Frame &frame, const Step &step);
  OpMemoryNeeds needsOf(const Frame &frame, const Step &step);
  bool isUnmoved(const Frame &frame, const Step &step) const;
  void misplace(Frame &frame, size_t value);
  llvm::Error place(Frame &frame, const Step &step);
  llvm::Expected<std::vector<MeshTensor>> compute(const Step &step, std::vector<MeshTensor> operands,
                                                  const Function &function);
  llvm::Error runInParts(const Frame &frame, const Step &step, const StreamedKernel &kernel);
  llvm::Error runDense(const Step &step, KernelCall &call);
  llvm::Error unlessKnown(const Step &step, std::vector<TensorDesc> types, DenseTensor &result,
                          llvm::function_ref<std::vector<Fingerprint>()> operandsOf,
                          llvm::function_ref<llvm::Error()> compute);
  llvm::Error complete(std::vector<MeshTensor *> tensors);
  llvm::Error checkLive(const Frame &frame, const Step &step) const;
  llvm::Error observe(const Frame &frame, const Step &step);

  const Program &program;
  const OpModel &model;
  const DeviceSpec &device;
  const MachineOptions &options;
  DeviceBanks banks; ///< addresses are those of every chip
  PageMaps maps;
  std::vector<std::optional<DeviceMemory>> chips; ///< none for those of other processes
  std::vector<size_t> own;                        ///< the others
  RunResult result;
  const Function *entry = nullptr;
  const ArgumentSource *arguments = nullptr; ///< of the entry function
  bool agreed = false;
};

// ---- Tensors ---------------------------------------------------------------------------------------------

llvm::Expected<Handle> Execution::makeHandle(const Function &function, size_t value,
                                             std::optional<BufferId> buffer) {
  llvm::Expected<const PageMap *> map = maps.get(function, value);
  if (!map)
    return map.takeError();
  Handle handle{*map, buffer, std::nullopt, nullptr};
  if (!function.values[value].layout.onDevice()) {
    handle.host = std::make_shared<std::vector<Elements<uint8_t>>>(chips.size());
    for (size_t chip : own)
      (*handle.host)[chip].resize(size_t(storedBytes(**map).value()));
  } else if (buffer && banks.memory(*buffer) != function.values[value].layout.buffer)
    return failure("the tensor lies in another memory than its layout says");
  else if (buffer && (*map)->bankBytes() > banks.range(*buffer).size())
    return failure("the tensor takes " + formatBytes((*map)->bankBytes()) + " per bank of a buffer of " +
                   formatBytes(banks.range(*buffer).size()));
  return handle;
}

TensorInMemory Execution::inMemory(const Frame &frame, size_t value, size_t chip) const {
  const Handle &handle = *frame.values[value];
  return {frame.function.values[value].desc, *handle.map,
          [this, &handle, chip](PageAddress address) { return page(handle, chip, address); }};
}

llvm::MutableArrayRef<uint8_t> Execution::page(const Handle &handle, size_t chip, PageAddress address) const {
  Bytes size = handle.map->pageSize();
  if (handle.host)
    return {(*handle.host)[chip].data() + address.offset.value(), size_t(size.value())};
  AddressRange range = handle.elsewhere.value_or(banks.range(*handle.buffer));
  Bytes begin = range.begin + address.offset;
  assert(begin + size <= range.end && "page maps stay within what bytesPerCore() says");
  BankedMemory memory =
      banks.memory(*handle.buffer) == BufferType::DRAM ? BankedMemory::Dram : BankedMemory::L1;
  return chips[chip]->bytes(memory, address.bank, {begin, begin + size});
}

llvm::Expected<MeshTensor> Execution::read(const Frame &frame, size_t value) const {
  MeshTensor tensor(chips.size());
  for (DenseTensor &each : tensor)
    each.desc = frame.function.values[value].desc;
  for (size_t chip : own)
    tensor[chip] = inMemory(frame, value, chip).whole();
  return tensor;
}

llvm::Error Execution::write(const Handle &handle, const MeshTensor &tensor) {
  for (size_t chip : own)
    if (tensor[chip].volume() > 0)
      handle.map->store(tensor[chip], [&](PageAddress address) { return page(handle, chip, address); });
  return llvm::Error::success();
}

void Execution::overwrite(BufferType memory, AddressRange range, uint8_t pattern) const {
  for (size_t chip : own)
    chips[chip]->overwrite(memory == BufferType::DRAM ? BankedMemory::Dram : BankedMemory::L1, range,
                           pattern);
}

void Execution::free(Handle &handle, bool force) {
  if (std::exchange(handle.freed, true))
    return;
  handle.host.reset();
  if (handle.buffer && banks.release(*handle.buffer, force))
    overwrite(banks.memory(*handle.buffer), banks.range(*handle.buffer), kFreed);
}

// ---- Functions -------------------------------------------------------------------------------------------

llvm::Expected<RunResult> Execution::run(const Function &function, const ArgumentSource &source) {
  entry = &function;
  arguments = &source;
  Frame frame{function, std::vector<std::optional<Handle>>(function.values.size())};
  for (auto [number, value] : llvm::enumerate(function.arguments)) {
    const Value &argument = function.values[value];
    llvm::Expected<const PageMap *> map = maps.get(function, value);
    if (!map)
      return map.takeError();
    if (arguments->part && !argument.layout.onDevice()) {
      frame.values[value] =
          Handle{*map, std::nullopt, std::nullopt, nullptr, /*freed=*/false, /*isPending=*/true};
      continue;
    }
    std::vector<RefusedRequest> refused;
    std::optional<BufferId> buffer = banks.allocate(argument.layout.buffer, (*map)->bankBytes(), refused);
    if (!refused.empty())
      return failure("argument " + llvm::Twine(number) + " of @" + function.name + " finds no room");
    llvm::Expected<Handle> handle = makeHandle(function, value, buffer);
    if (!handle)
      return handle.takeError();
    frame.values[value] = std::move(*handle);
    if (llvm::Error error = writeArgument(frame, number))
      return error;
  }
  if (llvm::Error error = runFunction(frame))
    return error;
  if (llvm::Error error = makePending(frame, function.returned))
    return error;
  for (size_t value : function.returned) {
    if (!frame.values[value])
      return failure("@" + function.name + " returns a tensor that is not made");
    const Handle &handle = *frame.values[value];
    if (handle.freed || (handle.buffer && !banks.isLive(*handle.buffer)))
      return failure("@" + function.name + " returns a tensor that is freed");
    llvm::Expected<MeshTensor> tensor = read(frame, value);
    if (!tensor)
      return tensor.takeError();
    result.returned.push_back(std::move(*tensor));
  }
  std::vector<MeshTensor *> results;
  for (MeshTensor &tensor : result.returned)
    results.push_back(&tensor);
  for (auto &[argument, tensor] : result.written)
    results.push_back(&tensor);
  if (llvm::Error error = complete(results))
    return error;
  return std::move(result);
}

llvm::Error Execution::writeArgument(Frame &frame, size_t number) {
  size_t value = frame.function.arguments[number];
  if (!arguments->part) {
    llvm::Expected<MeshTensor> given = arguments->whole(number);
    return given ? write(*frame.values[value], *given) : given.takeError();
  }
  for (size_t chip : own) {
    TensorInMemory argument = inMemory(frame, value, chip);
    argument.map.storeRows(
        [&](const ElementBlock &rows, DenseTensor &values) {
          arguments->part(number, rows.rowBegin * rows.columns(), values);
        },
        argument.bytes);
  }
  return llvm::Error::success();
}

/// Makes those of the values that are arguments and not made yet.
llvm::Error Execution::makePending(Frame &frame, llvm::ArrayRef<size_t> values) {
  for (size_t value : values) {
    std::optional<Handle> &handle = frame.values[value];
    if (!handle || !std::exchange(handle->isPending, false) || handle->freed)
      continue;
    llvm::Expected<Handle> made = makeHandle(frame.function, value, std::nullopt);
    if (!made)
      return made.takeError();
    *handle = std::move(*made);
    if (llvm::Error error = writeArgument(
            frame, size_t(llvm::find(frame.function.arguments, value) - frame.function.arguments.begin())))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Execution::runFunction(Frame &frame) {
  using Clock = std::chrono::steady_clock;
  for (auto [index, step] : llvm::enumerate(frame.function.steps)) {
    if (&frame.function == entry)
      reportProgress(options.progress, "running ops of @" + frame.function.name, index,
                     frame.function.steps.size());
    Clock::time_point begin = Clock::now();
    if (llvm::Error error = runStep(frame, step))
      return error;
    if (step.kind == Step::Kind::Run) {
      OpTime &time = result.statistics.times[step.op.name];
      ++time.count;
      time.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    }
  }
  return llvm::Error::success();
}

llvm::Error Execution::checkLive(const Frame &frame, const Step &step) const {
  for (auto [number, value] : llvm::enumerate(step.reads)) {
    if (!frame.values[value])
      return at(step, "operand " + llvm::Twine(number) + " is a tensor that is not made yet");
    const Handle &handle = *frame.values[value];
    if (handle.freed || (handle.buffer && !banks.isLive(*handle.buffer)))
      return at(step, "operand " + llvm::Twine(number) + " is a tensor that is freed");
  }
  return llvm::Error::success();
}

llvm::Error Execution::runStep(Frame &frame, const Step &step) {
  if (step.kind == Step::Kind::Free) {
    if (!frame.values[step.reads.front()])
      return at(step, "a tensor is freed that is not made yet");
    free(*frame.values[step.reads.front()], step.force);
    return llvm::Error::success();
  }
  if (llvm::Error error = checkLive(frame, step))
    return error;
  if (llvm::Error error = makePending(frame, step.reads))
    return error;
  return step.kind == Step::Kind::Call ? runCall(frame, step) : runOp(frame, step);
}

/// The callee has handles of its own on what it is given, and gives all back but those of its results.
llvm::Error Execution::runCall(Frame &frame, const Step &step) {
  const Function &callee = program.functions[step.callee];
  Frame inner{callee, std::vector<std::optional<Handle>>(callee.values.size())};
  for (auto [value, argument] : llvm::zip_equal(step.reads, callee.arguments)) {
    inner.values[argument] = frame.values[value];
    if (inner.values[argument]->buffer)
      banks.share(*inner.values[argument]->buffer);
  }
  if (llvm::Error error = runFunction(inner))
    return error;
  for (auto [value, returned] : llvm::zip_equal(step.writes, callee.returned)) {
    const Handle &handle = *inner.values[returned];
    if (handle.freed || (handle.buffer && !banks.isLive(*handle.buffer)))
      return at(step, "@" + callee.name + " returns a tensor that is freed");
    frame.values[value] = handle;
    if (handle.buffer)
      banks.share(*handle.buffer);
  }
  for (std::optional<Handle> &handle : inner.values)
    if (handle)
      free(*handle, /*force=*/false);
  return llvm::Error::success();
}

// ---- Ops -------------------------------------------------------------------------------------------------

bool Execution::isUnmoved(const Frame &frame, const Step &step) const {
  return &frame.function == entry && !step.reads.empty() && !step.writes.empty() &&
         llvm::is_contained(options.unmoved, step.writes.front()) && frame.values[step.reads.front()]->buffer;
}

OpMemoryNeeds Execution::needsOf(const Frame &frame, const Step &step) {
  if (isUnmoved(frame, step)) {
    OpMemoryNeeds nothing;
    nothing.viewed = frame.values[step.reads.front()]->buffer;
    return nothing;
  }
  llvm::SmallVector<LayoutId> inputs;
  for (size_t value : step.reads)
    inputs.push_back(model.layouts().intern(frame.function.values[value].layout));
  OpConfig config = step.config;
  for (size_t value : step.writes)
    config.outputs.push_back(model.layouts().intern(frame.function.values[value].layout));
  ValidationResult answer = model.query({step.op, inputs, config});
  bool known = answer.ok() || answer.status == ValidationStatus::OutOfMemory;
  if (answer.status == ValidationStatus::MetalBackendError ||
      answer.status == ValidationStatus::UnmatchedReferenceConfig)
    result.statistics.refusals.push_back(step.place +
                                         ": warning: the device refuses this op: " + answer.message);
  const OpConstraints &figures = answer.constraints;
  OpMemoryNeeds needs;
  if (known) {
    needs.buffers = figures.cbL1PeakSize;
    needs.temporaries = figures.tensorL1PeakSize - figures.outputL1BufferSize;
  }
  const auto *conv = std::get_if<Conv2dConfig>(&config.specific);
  needs.haloFirst = conv != nullptr;
  if (conv && conv->deallocateActivation && !step.reads.empty())
    needs.haloFrees = frame.values[step.reads.front()]->buffer;
  bool mayView = step.mayView && known && figures.tensorL1PeakSize == Bytes(0) && !step.writes.empty() &&
                 frame.function.values[step.writes.front()].layout.isL1();
  const std::optional<BufferId> source =
      step.reads.empty() ? std::nullopt : frame.values[step.reads.front()]->buffer;
  if (mayView && source && banks.memory(*source) == BufferType::L1)
    needs.viewed = source;
  return needs;
}

void Execution::misplace(Frame &frame, size_t value) {
  if (&frame.function != entry)
    return;
  std::optional<Handle> &handle = frame.values[value];
  for (auto [moved, onto] : options.misplaced)
    if (moved == value && handle->buffer && frame.values[onto] && frame.values[onto]->buffer &&
        banks.memory(*handle->buffer) == banks.memory(*frame.values[onto]->buffer)) {
      Bytes begin = banks.range(*frame.values[onto]->buffer).begin,
            size = banks.range(*handle->buffer).size();
      Bytes bank = banks.memory(*handle->buffer) == BufferType::DRAM ? device.dramBankSize : device.l1Size;
      handle->elsewhere = {std::min(begin, bank - size), std::min(begin, bank - size) + size};
    }
}

/// Gives the step's results their places, and overwrites what the op uses beside them.
llvm::Error Execution::place(Frame &frame, const Step &step) {
  OpMemoryNeeds needs = needsOf(frame, step);
  for (size_t value : step.writes) {
    llvm::Expected<const PageMap *> map = maps.get(frame.function, value);
    if (!map)
      return at(step, map.takeError());
    needs.results.push_back({frame.function.values[value].layout.buffer, (*map)->bankBytes()});
  }
  OpMemory made = banks.run(needs);
  if (!made.refused.empty()) {
    const RefusedRequest &first = made.refused.front();
    return at(step, llvm::Twine(first.result ? "the result" : "what the op needs while it runs") + " takes " +
                        formatBytes(first.reserved) + " per bank; the largest hole has " +
                        formatBytes(first.largestHole));
  }
  for (auto [value, buffer] : llvm::zip_equal(step.writes, made.results)) {
    llvm::Expected<Handle> handle = makeHandle(frame.function, value, buffer);
    if (!handle)
      return at(step, handle.takeError());
    frame.values[value] = std::move(*handle);
    misplace(frame, value);
  }
  if (needs.haloFrees)
    frame.values[step.reads.front()]->freed = true;
  if (made.temporaries)
    overwrite(BufferType::L1, *made.temporaries, kCircularBuffer);
  if (made.buffers)
    overwrite(BufferType::L1, *made.buffers, kCircularBuffer);
  RunStatistics &statistics = result.statistics;
  if (made.launch.verdict != LaunchVerdict::Ok)
    statistics.clashes.push_back(step.place);
  statistics.peakDram = std::max(statistics.peakDram, banks.used(BufferType::DRAM));
  if (Bytes used = banks.used(BufferType::L1); used > statistics.peakL1) {
    statistics.peakL1 = used;
    statistics.peakL1At = step.place;
  }
  return llvm::Error::success();
}

/// Gets what other processes have of tensors. All processes do so at the same steps.
llvm::Error Execution::complete(std::vector<MeshTensor *> tensors) {
  if (!options.processes)
    return llvm::Error::success();
  if (llvm::Error error = options.processes->agree("")) {
    agreed = true;
    return error;
  }
  for (MeshTensor *tensor : tensors)
    for (size_t chip = 0; chip < chips.size(); ++chip)
      options.processes->exchange((*tensor)[chip], chip);
  return llvm::Error::success();
}

llvm::Expected<std::vector<MeshTensor>> Execution::compute(const Step &step, std::vector<MeshTensor> operands,
                                                           const Function &function) {
  bool isCollective = step.kernel && step.kernel->collective;
  std::vector<MeshTensor *> exchanged;
  for (MeshTensor &operand : operands)
    exchanged.push_back(&operand);
  if (isCollective)
    if (llvm::Error error = complete(exchanged))
      return error;
  size_t devices = chips.size();
  std::vector<std::vector<const DenseTensor *>> perDevice(devices);
  std::vector<std::vector<DenseTensor>> results(devices);
  std::vector<KernelCall> calls;
  for (size_t chip = 0; chip < devices; ++chip) {
    if (!isCollective && !chips[chip])
      continue;
    for (const MeshTensor &operand : operands)
      perDevice[chip].push_back(&operand[chip]);
    for (size_t value : step.writes)
      results[chip].emplace_back(function.values[value].desc);
    if (writesInPlace(step))
      results[chip].push_back(operands.front()[chip]);
    calls.push_back({step.op, step.config.specific, perDevice[chip], results[chip], step.constant.get()});
  }
  CollectiveCall collective{program.mesh, calls};
  if (isCollective) {
    if (llvm::Error error = step.kernel->collective(collective))
      return at(step, std::move(error));
  } else {
    for (KernelCall &call : calls)
      if (llvm::Error error = runDense(step, call))
        return at(step, std::move(error));
  }
  std::vector<MeshTensor> made(writtenBy(step).size(), MeshTensor(devices));
  for (size_t i = 0; i < made.size(); ++i)
    for (size_t chip : own)
      made[i][chip] = std::move(results[chip][i]);
  return made;
}

/// Runs `compute`, which makes `result`, unless what it makes is known.
llvm::Error Execution::unlessKnown(const Step &step, std::vector<TensorDesc> types, DenseTensor &result,
                                   llvm::function_ref<std::vector<Fingerprint>()> operandsOf,
                                   llvm::function_ref<llvm::Error()> compute) {
  if (!options.known || !ResultCache::pays(step.op, types, result.desc))
    return compute();
  const auto *program = std::get_if<MatmulProgramConfig>(&step.config.specific);
  ComputedOp op{step.op.name, program ? program->fusedActivation : "", step.op.attributes, std::move(types),
                result.desc};
  std::vector<Fingerprint> operands = operandsOf();
  if (const DenseTensor *known = options.known->find(op, operands)) {
    result = *known;
    return llvm::Error::success();
  }
  if (llvm::Error error = compute())
    return error;
  options.known->add(std::move(op), std::move(operands), result);
  return llvm::Error::success();
}

/// On one device, operands and results dense.
llvm::Error Execution::runDense(const Step &step, KernelCall &call) {
  auto compute = [&] { return runKernel(step, call); };
  if (call.results.size() != 1)
    return compute();
  std::vector<TensorDesc> types;
  for (const DenseTensor *operand : call.operands)
    types.push_back(operand->desc);
  auto operands = [&] {
    std::vector<Fingerprint> prints;
    for (const DenseTensor *operand : call.operands)
      prints.push_back(fingerprint(*operand));
    return prints;
  };
  return unlessKnown(step, std::move(types), call.result(), operands, compute);
}

llvm::Error Execution::runInParts(const Frame &frame, const Step &step, const StreamedKernel &kernel) {
  for (size_t chip : own) {
    std::vector<TensorInMemory> operands;
    for (size_t value : step.reads)
      operands.push_back(inMemory(frame, value, chip));
    TensorInMemory result = inMemory(frame, step.writes.front(), chip);
    StreamedCall call{step.op, step.config.specific, operands, result, nullptr};
    if (!kernel.denseResult) {
      if (llvm::Error error = kernel.run(call))
        return at(step, std::move(error));
      continue;
    }
    std::vector<TensorDesc> types;
    for (const TensorInMemory &operand : operands)
      types.push_back(operand.desc);
    DenseTensor dense = DenseTensor::unset(result.desc);
    call.dense = &dense;
    auto prints = [&] {
      std::vector<Fingerprint> made;
      for (const TensorInMemory &operand : operands)
        made.push_back(operand.fingerprint());
      return made;
    };
    if (llvm::Error error =
            unlessKnown(step, std::move(types), dense, prints, [&] { return kernel.run(call); }))
      return at(step, std::move(error));
    result.map.store(dense, result.bytes);
  }
  return llvm::Error::success();
}

llvm::Error Execution::runOp(Frame &frame, const Step &step) {
  // A convolution that frees its input has moved it into its halo by then.
  const auto *conv = std::get_if<Conv2dConfig>(&step.config.specific);
  std::optional<MeshTensor> halo;
  if (conv && conv->deallocateActivation && !step.reads.empty()) {
    llvm::Expected<MeshTensor> input = read(frame, step.reads.front());
    if (!input)
      return input.takeError();
    halo = std::move(*input);
  }
  if (llvm::Error error = place(frame, step))
    return error;
  bool isView = !step.writes.empty() && !step.reads.empty() && frame.values[step.writes.front()]->buffer &&
                frame.values[step.writes.front()]->buffer == frame.values[step.reads.front()]->buffer;
  bool fills = step.op.name == "ttnn.pad" && !isUnmoved(frame, step); // the padding that it makes elements of
  if (isView && !fills)
    return observe(frame, step);
  if (const StreamedKernel *kernel = halo ? nullptr : streamedKernelOf(frame.function, step)) {
    if (llvm::Error error = runInParts(frame, step, *kernel))
      return error;
    return observe(frame, step);
  }
  std::vector<MeshTensor> operands;
  for (size_t value : step.reads) {
    if (halo && operands.empty()) {
      operands.push_back(std::move(*halo));
      continue;
    }
    llvm::Expected<MeshTensor> operand = read(frame, value);
    if (!operand)
      return operand.takeError();
    operands.push_back(std::move(*operand));
  }
  llvm::Expected<std::vector<MeshTensor>> made = compute(step, std::move(operands), frame.function);
  if (!made)
    return made.takeError();
  for (auto [value, tensor] : llvm::zip_equal(writtenBy(step), *made))
    if (llvm::Error error = write(*frame.values[value], tensor))
      return error;
  return observe(frame, step);
}

/// Tells what was made, and notes arguments that were written.
llvm::Error Execution::observe(const Frame &frame, const Step &step) {
  bool inPlace = writesInPlace(step);
  for (auto [index, value] : llvm::enumerate(writtenBy(step))) {
    auto argument = llvm::find(frame.function.arguments, value);
    bool writesArgument = inPlace && &frame.function == entry && argument != frame.function.arguments.end();
    if (!options.observe && !writesArgument)
      continue;
    llvm::Expected<MeshTensor> tensor = read(frame, value);
    if (!tensor)
      return tensor.takeError();
    if (llvm::Error error = options.observe ? complete({&*tensor}) : llvm::Error::success())
      return error;
    if (options.observe)
      options.observe({frame.function, step, index, *tensor});
    if (writesArgument)
      result.written[size_t(argument - frame.function.arguments.begin())] = std::move(*tensor);
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<RunResult> run(const Program &program, const Function &function, ArgumentSource arguments,
                              const OpModel &model, const MachineOptions &options) {
  if (llvm::Error error = checkRunnable(program, function, model.device()))
    return error;
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
