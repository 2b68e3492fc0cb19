//===- Deferred.cpp - Large arguments that need not lie in memory ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Execution.h"

#include "tessera/Layout/BlockFloat.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::simulator {

/// Types whose elements are rounded one by one.
static bool isScalarFloat(DataType type) { return type == DataType::Float32 || type == DataType::BFloat16; }

bool mayDefer(const TensorDesc &argument) { return isScalarFloat(argument.dtype) && isLarge(argument); }

bool mayDeferCopy(const StreamedKernel &kernel, const TensorDesc &operand, const TensorDesc &result) {
  return kernel.moves != StreamedKernel::Moves::Nothing && operand.dtype == result.dtype;
}

void Execution::defer(TensorHandle &handle, DataType type, DeferredElements elements) {
  AddressRange range;
  if (handle.buffer)
    range = rangeOf(handle);
  else
    handle.host = std::make_shared<HostBytes>(chips.size()); // empty until it is written
  handle.deferred = std::make_shared<DeferredTensor>(
      DeferredTensor{elements, type, *handle.map, handle.buffer, range, handle.host});
  if (handle.buffer)
    deferred.push_back(handle.deferred);
}

/// Whether the result of the op is deferred, as its operand is: it has the same elements.
bool Execution::deferCopy(FunctionFrame &frame, const Step &step, const StreamedKernel &kernel) {
  const TensorHandle &operand = *frame.values[step.reads.front()];
  TensorHandle &result = *frame.values[step.writes.front()];
  const TensorDesc &desc = frame.function.values[step.writes.front()].desc;
  if (!operand.isDeferred() || !mayDeferCopy(kernel, frame.function.values[step.reads.front()].desc, desc))
    return false;
  DeferredElements elements = operand.deferred->elements;
  if (kernel.moves == StreamedKernel::Moves::TransposedMatrices) {
    if (elements.transposed)
      return false;
    elements.transposed = GridShape{desc.shape.rbegin()[1], desc.shape.back()};
  }
  writeDeferredAt(result); // what lies there would be overwritten now
  if (!operand.isDeferred())
    return false; // the operand itself
  defer(result, desc.dtype, elements);
  return true;
}

/// A block of the tensor as it is read from memory: rounded to its format.
void Execution::drawElements(const DeferredTensor &tensor, const ElementBlock &block,
                             DenseTensor &values) const {
  auto draw = [&](const ElementBlock &part) {
    DenseTensor drawn = DenseTensor::unset({{part.rows(), part.columns()}, tensor.type});
    arguments->part(tensor.elements.argument, part, drawn);
    return drawn;
  };
  if (tensor.elements.transposed)
    transposeBlock(*tensor.elements.transposed, block, draw, values);
  else
    arguments->part(tensor.elements.argument, block, values);
  if (tensor.type == DataType::BFloat16)
    for (float &element : values.floats)
      element = fromBFloat16(toBFloat16(element));
}

void Execution::writeDeferred(DeferredTensor &tensor) {
  if (std::exchange(tensor.done, true))
    return;
  TensorHandle handle{&tensor.map, tensor.buffer, std::nullopt, tensor.host};
  if (tensor.buffer)
    handle.elsewhere = tensor.range;
  for (size_t chip : own) {
    if (tensor.host)
      (*tensor.host)[chip].resize(size_t(storedBytes(tensor.map).value()));
    tensor.map.storeRows(
        [&](const ElementBlock &rows, DenseTensor &values) { drawElements(tensor, rows, values); },
        [&](PageAddress address) { return page(handle, chip, address); });
  }
}

/// Writes what is deferred there: something else reads or writes it.
void Execution::writeDeferredAt(BufferType memory, AddressRange range) {
  if (deferred.empty())
    return;
  bool isDram = memory == BufferType::DRAM;
  for (const std::shared_ptr<DeferredTensor> &tensor : deferred)
    if ((banks.memory(*tensor->buffer) == BufferType::DRAM) == isDram && tensor->range.begin < range.end &&
        range.begin < tensor->range.end)
      writeDeferred(*tensor);
  llvm::erase_if(deferred, [](const std::shared_ptr<DeferredTensor> &tensor) { return tensor->done; });
}

void Execution::writeDeferredAt(const TensorHandle &handle) {
  if (handle.buffer)
    writeDeferredAt(banks.memory(*handle.buffer), rangeOf(handle));
  else if (handle.deferred)
    writeDeferred(*handle.deferred);
}

} // namespace tessera::simulator
