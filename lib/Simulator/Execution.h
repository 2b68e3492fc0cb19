//===- Execution.h - A program while it runs ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Machine.h says what an op goes through. Machine.cpp has tensors, arguments and
// functions; MachineOps.cpp what is done for an op; Deferred.cpp large arguments.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_EXECUTION_H
#define TESSERA_LIB_SIMULATOR_EXECUTION_H

#include "PageMaps.h"

#include "tessera/Allocator/DeviceBanks.h"
#include "tessera/Simulator/DeviceMemory.h"
#include "tessera/Simulator/Machine.h"
#include "tessera/Simulator/PageMap.h"
#include "tessera/Simulator/Streams.h"

namespace tessera::simulator {

/// What memory holds where nothing valid is: NaN as f32 and as bf16, the only byte that is, when it is repeated. A number
/// would get lost in a maximum or a sigmoid.
inline constexpr uint8_t kPoison = 0xff;

inline bool writesInPlace(const Step &step) { return step.kernel && step.kernel->inPlace; }

/// Its results, or the operand that it writes.
inline llvm::ArrayRef<size_t> writtenBy(const Step &step) {
  llvm::ArrayRef<size_t> reads = step.reads, writes = step.writes;
  return writesInPlace(step) ? reads.take_front() : writes;
}

using HostBytes = std::vector<Elements<uint8_t>>; ///< by device

/// Where the elements of a deferred tensor come from.
struct DeferredElements {
  size_t argument; ///< of the entry function
  DataType type;   ///< of the argument: f32 or bf16. The tensor may have been rounded further, to block float
  int64_t width;   ///< of the tensor's last dimension
  /// If its matrices are transposed, the shape of what they become.
  std::optional<GridShape> transposed = std::nullopt;
};

/// A large argument, or a copy of one, that is not written to memory: who reads it is given its elements. It is written when
/// something else reads or writes at its place; so memory is at any time what it would be if it had been written at once, and
/// most weights never take any, as they are read once or in part.
struct DeferredTensor {
  DeferredElements elements;
  DataType type;
  const PageMap &map;
  std::optional<BufferId> buffer; ///< on the devices; else on the host, where nothing else comes near it
  AddressRange range;
  std::shared_ptr<HostBytes> host;
  bool done = false; ///< written, or freed
};
/// Whether an argument of that type is deferred, if it can be made in parts.
bool mayDefer(const TensorDesc &argument);
/// Whether what an op makes of a deferred tensor is deferred, too.
bool mayDeferCopy(const StreamedKernel &kernel, const TensorDesc &operand, const TensorDesc &result);

/// A handle on a tensor.
struct TensorHandle {
  const PageMap *map = nullptr;
  std::optional<BufferId> buffer;        ///< on the devices
  std::optional<AddressRange> elsewhere; ///< MachineOptions::misplaced
  std::shared_ptr<HostBytes> host;       ///< or on the host
  bool freed = false;
  bool isPending = false; ///< an argument on the host that nothing has read yet: it is not made before
  std::shared_ptr<DeferredTensor> deferred = nullptr;
  bool isDeferred() const { return deferred && !deferred->done; }
};

/// A function while it runs.
/// A value without a handle is not made yet. Each run of a loop has a frame of its own.
struct FunctionFrame {
  const Function &function;
  std::vector<std::optional<TensorHandle>> values;
};

/// Where a step's tensors lie.
struct StepLayouts {
  llvm::SmallVector<LayoutId> operands;
  llvm::SmallVector<LayoutId, 1> results;
};

class Execution {
public:
  Execution(const Program &program, const OpModel &model, const MachineOptions &options)
      : program(program), model(model), device(model.device()), options(options), banks(device),
        maps(device) {}

  /// `needed`: what the run will take of memory.
  /// Only chips of this process have memory: a mesh may be shared out among several (ProcessGroup).
  llvm::Error prepare(Bytes needed);
  /// Once. An error is the first that is found: a program that is wrong at one step says nothing useful behind
  /// it.
  llvm::Expected<RunResult> run(const Function &function, const ArgumentSource &source);
  /// Whether all processes know of the error that the run ended with.
  bool isAgreed() const { return agreed; }

private:
  // ---- Tensors -------------------------------------------------------------------------------------------
  llvm::Expected<TensorHandle> makeHandle(const Function &function, size_t value,
                                          std::optional<BufferId> buffer);
  /// As fp32 or integers; of chips of other processes without elements.
  llvm::Expected<MeshTensor> read(const FunctionFrame &frame, size_t value);
  TensorInMemory inMemory(const FunctionFrame &frame, size_t value, size_t chip);
  llvm::Error write(const TensorHandle &handle, const MeshTensor &tensor);
  llvm::MutableArrayRef<uint8_t> page(const TensorHandle &handle, size_t chip, PageAddress address) const;
  /// Without `force` the buffer stays while a view still has a handle on it (facts/allocator 8).
  void free(TensorHandle &handle, bool force);
  /// What is freed or taken by circular buffers is overwritten with kPoison, so that who reads it is found out.
  void overwrite(BufferType memory, AddressRange range);
  AddressRange rangeOf(const TensorHandle &handle) const {
    return handle.elsewhere.value_or(banks.range(*handle.buffer));
  }

  // ---- Tensors that are not written (Deferred.cpp) -------------------------------------------------------
  void deferArgument(TensorHandle &handle, const TensorDesc &desc, size_t number);
  void defer(TensorHandle &handle, DataType type, DeferredElements elements);
  bool deferCopy(FunctionFrame &frame, const Step &step, const StreamedKernel &kernel);
  void drawElements(const DeferredTensor &tensor, const ElementBlock &block, DenseTensor &values) const;
  void drawScalars(const DeferredTensor &tensor, const ElementBlock &block, DenseTensor &values) const;
  void writeDeferred(DeferredTensor &tensor);
  /// Writes what is deferred there, before something else reads or writes the range.
  void writeDeferredAt(BufferType memory, AddressRange range);
  void writeDeferredAt(const TensorHandle &handle);

  // ---- Steps ---------------------------------------------------------------------------------------------
  llvm::Error writeArgument(FunctionFrame &frame, size_t number);
  llvm::Error makePending(FunctionFrame &frame, llvm::ArrayRef<size_t> values);
  llvm::Error runFunction(FunctionFrame &frame);
  llvm::Error runStep(FunctionFrame &frame, const Step &step);
  llvm::Error runCall(FunctionFrame &frame, const Step &step);
  llvm::Error runLoop(FunctionFrame &frame, const Step &step);
  llvm::Expected<std::vector<TensorHandle>> call(const Function &callee, llvm::ArrayRef<TensorHandle> given,
                                                 const Step &step);
  /// Bounds and conditions are tensors of one number, of which the first device's is taken.
  llvm::Expected<double> numberOf(const Function &function, size_t value, const TensorHandle &handle);
  llvm::Expected<bool> goesOn(const FunctionFrame &frame, const Step &step,
                              llvm::ArrayRef<TensorHandle> given, int64_t runs);
  llvm::Error runOp(FunctionFrame &frame, const Step &step);
  /// In the op model's pool, as its questions name them.
  StepLayouts layoutsOf(const Function &function, const Step &step) const;
  /// What the op takes of L1 by the op model, with the layouts that the module has.
  OpMemoryNeeds needsOf(const FunctionFrame &frame, const Step &step);
  bool isUnmoved(const FunctionFrame &frame, const Step &step) const;
  /// Puts a result where another tensor lies, if the options ask for it: tests see that such a mistake is
  /// found.
  void misplace(FunctionFrame &frame, size_t value);
  /// Results get addresses and what the op needs besides is overwritten, before any operand is read: what lies where it
  /// should not is gone by then.
  llvm::Error place(FunctionFrame &frame, const Step &step);
  llvm::Expected<std::vector<MeshTensor>> compute(const Step &step, std::vector<MeshTensor> operands,
                                                  const Function &function);
  /// Operands stay in memory and are read a block at a time: what a large one would take in fp32 is never there.
  llvm::Error runInParts(FunctionFrame &frame, const Step &step, const StreamedKernel &kernel);
  llvm::Error runDense(const Step &step, KernelCall &call);
  /// Computes a result unless another run has computed it from the same operands (MachineOptions::known).
  llvm::Error unlessKnown(const Step &step, std::vector<TensorDesc> types, DenseTensor &result,
                          llvm::function_ref<std::vector<Fingerprint>()> operandsOf,
                          llvm::function_ref<llvm::Error()> compute);
  llvm::Error complete(llvm::ArrayRef<MeshTensor *> tensors);
  /// An error if the step reads a tensor that is not made yet, or is freed: the guard on deallocations that a
  /// plan writes.
  llvm::Error checkLive(const FunctionFrame &frame, const Step &step) const;
  llvm::Error observe(const FunctionFrame &frame, const Step &step);

  const Program &program;
  const OpModel &model;
  const DeviceSpec &device;
  const MachineOptions &options;
  DeviceBanks banks; ///< addresses are those of every chip
  PageMaps maps;
  std::vector<std::shared_ptr<DeferredTensor>>
      deferred; ///< on the devices, in the order in which they would be written
  std::vector<std::optional<DeviceMemory>> chips; ///< none for those of other processes
  std::vector<size_t> own;                        ///< the others
  RunResult result;
  const Function *entry = nullptr;
  const ArgumentSource *arguments = nullptr; ///< of the entry function
  bool agreed = false;
};

} // namespace tessera::simulator

#endif // TESSERA_LIB_SIMULATOR_EXECUTION_H
