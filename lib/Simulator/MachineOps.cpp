//===- MachineOps.cpp - What is done for an op ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The order in which things happen around an op is part of what is simulated
// (Machine.h): addresses are given, and the regions of temporaries and circular
// buffers overwritten, before an operand is read. A kernel sees copies of its
// operands, never memory.
//
//===----------------------------------------------------------------------===//
#include "Execution.h"

#include "tessera/OpModel/Temporaries.h"
#include "tessera/Support/Format.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace tessera::simulator {

/// On one device; collectives have run by then.
static llvm::Error runOnce(const Step &step, KernelCall &call) {
  if (step.host)
    return step.host(call);
  return step.kernel->kernel ? runKernel(*step.kernel, call) : llvm::Error::success();
}

bool Execution::isUnmoved(const FunctionFrame &frame, const Step &step) const {
  return &frame.function == entry && !step.reads.empty() && !step.writes.empty() &&
         llvm::is_contained(options.unmoved, step.writes.front()) && frame.values[step.reads.front()]->buffer;
}

StepLayouts Execution::layoutsOf(const Function &function, const Step &step) const {
  StepLayouts layouts;
  for (size_t value : step.reads)
    layouts.operands.push_back(model.layouts().intern(function.values[value].layout));
  for (size_t value : step.writes)
    layouts.results.push_back(model.layouts().intern(function.values[value].layout));
  return layouts;
}

OpMemoryNeeds Execution::needsOf(const FunctionFrame &frame, const Step &step) {
  if (isUnmoved(frame, step)) {
    OpMemoryNeeds nothing;
    nothing.viewed = frame.values[step.reads.front()]->buffer;
    return nothing;
  }
  StepLayouts layouts = layoutsOf(frame.function, step);
  OpConfig config = step.config;
  config.outputs = layouts.results;
  // The layouts are the module's and not a plan's, so what was written is what is judged.
  ValidationResult answer = model.query({step.op, layouts.operands, config});
  // Out of memory has figures, too. A refusal has none, but the op is run: its numbers are right wherever it
  // may run.
  bool known = answer.ok() || answer.status == ValidationStatus::OutOfMemory;
  if (answer.status == ValidationStatus::MetalBackendError ||
      answer.status == ValidationStatus::UnmatchedReferenceConfig)
    result.statistics.refusals.push_back(step.place +
                                         ": warning: the device refuses this op: " + answer.message);
  const OpConstraints &figures = answer.constraints;
  OpMemoryNeeds needs;
  // Between tensors on the host an op takes nothing of the device: so is all of a program that is run without rounding.
  bool isOnHost = llvm::all_of(llvm::concat<const size_t>(step.reads, step.writes), [&](size_t value) {
    return frame.function.values[value].layout.buffer == BufferType::SystemMemory;
  });
  if (known && !isOnHost) {
    needs.buffers = grownFromBelow(figures);
    needs.blocks = madeBlocks({step.op, layouts.operands, config}, figures, model.context());
  }
  const auto *conv = std::get_if<Conv2dConfig>(&config.specific);
  // The library frees it once it has shards or a halo of it, so the result may lie where it lay (facts/allocator 8).
  if (conv && conv->deallocateActivation && !step.reads.empty())
    needs.frees = frame.values[step.reads.front()]->buffer;
  // An op may be a view by its kind, and is one if the model says that it allocates nothing, as in the replay
  // of a plan (docs/memory, "The addresses of a module").
  bool mayView = step.mayView && known && figures.tensorL1PeakSize == Bytes(0) && !step.writes.empty() &&
                 frame.function.values[step.writes.front()].layout.isL1();
  const std::optional<BufferId> source =
      step.reads.empty() ? std::nullopt : frame.values[step.reads.front()]->buffer;
  if (mayView && source && banks.memory(*source) == BufferType::L1)
    needs.viewed = source;
  return needs;
}

void Execution::misplace(FunctionFrame &frame, size_t value) {
  if (&frame.function != entry)
    return;
  std::optional<TensorHandle> &handle = frame.values[value];
  for (auto [moved, onto] : options.misplaced)
    if (moved == value && handle->buffer && frame.values[onto] && frame.values[onto]->buffer &&
        banks.memory(*handle->buffer) == banks.memory(*frame.values[onto]->buffer)) {
      Bytes begin = banks.range(*frame.values[onto]->buffer).begin,
            size = banks.range(*handle->buffer).size();
      Bytes bank = banks.memory(*handle->buffer) == BufferType::DRAM ? device.dramBankSize : device.l1Size;
      // A tensor that would end behind the bank begins so far before it that it does not.
      handle->elsewhere = {std::min(begin, bank - size), std::min(begin, bank - size) + size};
    }
}

/// Gives the step's results their places, and overwrites what the op uses beside them.
llvm::Error Execution::place(FunctionFrame &frame, const Step &step) {
  OpMemoryNeeds needs = needsOf(frame, step);
  for (size_t value : step.writes) {
    llvm::Expected<const PageMap *> map = maps.get(frame.function, value);
    if (!map)
      return at(step, map.takeError());
    needs.results.push_back({frame.function.values[value].layout.buffer, (*map)->bankBytes()});
  }
  // In the device's order: blocks that the op makes on the way, results, circular buffers, the check
  // (facts/allocator 8).
  OpMemory made = banks.run(needs);
  // The first request that fails ends a program on the device, too.
  if (!made.refused.empty()) {
    const RefusedRequest &first = made.refused.front();
    return at(step, llvm::Twine(first.result ? "the result" : "what the op needs while it runs") + " takes " +
                        formatBytes(first.reserved) + " per bank; the largest hole has " +
                        formatBytes(first.largestHole));
  }
  for (auto [value, buffer] : llvm::zip_equal(step.writes, made.results)) {
    llvm::Expected<TensorHandle> handle = makeHandle(frame.function, value, buffer);
    if (!handle)
      return at(step, handle.takeError());
    frame.values[value] = std::move(*handle);
    misplace(frame, value);
  }
  // From here on only the op itself may read it, which has its elements already (runOp).
  if (needs.frees)
    frame.values[step.reads.front()]->freed = true;
  // The op's own numbers are computed elsewhere, so what it would write on its way is replaced by a pattern. A
  // tensor that lies there by mistake is destroyed, as on the device.
  for (const AddressRange &range : made.temporaries)
    overwrite(BufferType::L1, range);
  if (made.buffers)
    overwrite(BufferType::L1, *made.buffers);
  RunStatistics &statistics = result.statistics;
  // Counted and not an error: the run goes on and shows in its results what the clash destroys.
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
llvm::Error Execution::complete(llvm::ArrayRef<MeshTensor *> tensors) {
  if (!options.processes)
    return llvm::Error::success();
  // A process that has failed meanwhile tells it here, instead of being waited for.
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
  // A collective needs the operands of all chips; any other op runs on those of this process alone.
  if (isCollective)
    if (llvm::Error error = complete(exchanged))
      return error;
  size_t devices = chips.size();
  std::vector<std::vector<const DenseTensor *>> perDevice(devices);
  std::vector<std::vector<DenseTensor>> results(devices);
  std::vector<KernelCall> calls;
  StepLayouts layouts = layoutsOf(function, step);
  Launch launch{model, layouts.operands, layouts.results};
  for (size_t chip = 0; chip < devices; ++chip) {
    // Every process computes a collective as a whole, on the exchanged operands, and keeps the parts of its own
    // chips.
    if (!isCollective && !chips[chip])
      continue;
    for (const MeshTensor &operand : operands)
      perDevice[chip].push_back(&operand[chip]);
    for (size_t value : step.writes)
      results[chip].emplace_back(function.values[value].desc);
    // The kernel changes a copy of the operand, which is written back to the operand's place.
    if (writesInPlace(step))
      results[chip].push_back(operands.front()[chip]);
    calls.push_back({step.op, step.config.specific, perDevice[chip], results[chip], step.constant.get(),
                     options.arithmetic, &launch});
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
  // What device kernels compute depends on where tensors lie, too.
  bool isExact = options.arithmetic == Arithmetic::Exact;
  if (!options.known || !isExact || !ResultCache::pays(step.op, types, result.desc))
    return compute();
  // Of a program config only the activation changes exact values; how it cuts the product does not.
  const auto *program = std::get_if<MatmulProgramConfig>(&step.config.specific);
  ComputedOp op{step.op.name, program ? program->fusedActivation : "", step.op.attributes, std::move(types),
                result.desc};
  // Fingerprints last: they read all elements, which only pays for ops that `pays` lets through.
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
  auto compute = [&] { return runOnce(step, call); };
  // Only ops of one result are kept (ResultCache).
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

llvm::Error Execution::runInParts(FunctionFrame &frame, const Step &step, const StreamedKernel &kernel) {
  // A copy of a deferred tensor is deferred as well, so most weights are never written (DeferredTensor).
  if (deferCopy(frame, step, kernel))
    return llvm::Error::success();
  if (options.known && kernel.denseResult) // operands are compared by their bytes
    for (size_t value : step.reads)
      writeDeferredAt(*frame.values[value]);
  StepLayouts layouts = layoutsOf(frame.function, step);
  Launch launch{model, layouts.operands, layouts.results};
  for (size_t chip : own) {
    TensorInMemory result = inMemory(frame, step.writes.front(), chip);
    std::vector<TensorInMemory> operands;
    for (size_t value : step.reads)
      operands.push_back(inMemory(frame, value, chip));
    StreamedCall call{step.op, step.config.specific, operands, result, nullptr, options.arithmetic, &launch};
    // The kernel writes the result part by part, so there is no result as a whole that could be kept or found.
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

llvm::Error Execution::runOp(FunctionFrame &frame, const Step &step) {
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
  // Once results have their places: only then it is known whether the op makes a view, and what of the
  // operands' memory is left.
  bool isView = !step.writes.empty() && !step.reads.empty() && frame.values[step.writes.front()]->buffer &&
                frame.values[step.writes.front()]->buffer == frame.values[step.reads.front()]->buffer;
  bool fills = step.op.name == "ttnn.pad" && !isUnmoved(frame, step); // the padding that it makes elements of
  // A view has its elements already. A pad is none in its padding, which the device fills in place.
  if (isView && !fills)
    return observe(frame, step);
  // In parts where the kernel can: results of models' sizes would take twice their memory as dense tensors.
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
    // Dense operands are copies, so the kernel is not disturbed by a result that lies over an operand: what
    // such a clash destroys was destroyed when places were given.
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
llvm::Error Execution::observe(const FunctionFrame &frame, const Step &step) {
  bool inPlace = writesInPlace(step);
  for (auto [index, value] : llvm::enumerate(writtenBy(step))) {
    auto argument = size_t(llvm::find(frame.function.arguments, value) - frame.function.arguments.begin());
    bool writesArgument = inPlace && &frame.function == entry && argument < frame.function.arguments.size() &&
                          !frame.function.donated.contains(argument);
    // Reading a tensor back takes as long as many an op, so it is read only where somebody asks for it.
    if (!options.observe && !writesArgument)
      continue;
    llvm::Expected<MeshTensor> tensor = read(frame, value);
    if (!tensor)
      return tensor.takeError();
    if (llvm::Error error = options.observe ? complete(&*tensor) : llvm::Error::success())
      return error;
    if (options.observe)
      options.observe({frame.function, step, index, *tensor});
    if (writesArgument)
      result.written[argument] = std::move(*tensor);
  }
  return llvm::Error::success();
}

} // namespace tessera::simulator
