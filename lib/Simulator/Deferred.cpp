//===- Deferred.cpp - Large arguments that need not lie in memory ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What is expensive about a large random argument are not its elements, which
// follow from seed and index, but the memory that they would be written to. So
// there is a recipe in place of bytes, until something else reads or writes where
// they would lie. That stays unseen as long as two rules hold: elements are drawn
// as memory would have rounded them, and nobody reaches the bytes of a deferred
// tensor but behind writeDeferredAt().
//
//===----------------------------------------------------------------------===//
#include "Execution.h"

#include "tessera/Layout/BlockFloat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace tessera::simulator {

/// Types whose elements are rounded one by one.
static bool isScalarFloat(DataType type) { return type == DataType::Float32 || type == DataType::BFloat16; }

bool mayDefer(const TensorDesc &argument) { return isScalarFloat(argument.dtype) && isLarge(argument); }

bool mayDeferCopy(const StreamedKernel &kernel, const TensorDesc &operand, const TensorDesc &result) {
  switch (kernel.moves) {
  case StreamedKernel::Moves::Nothing:
    return false;
  case StreamedKernel::Moves::Rows: // groups of block float lie within rows
    return operand.dtype == result.dtype || (isScalarFloat(operand.dtype) && isBlockFloat(result.dtype));
  // Behind a transpose groups would lie across the rows that are drawn.
  case StreamedKernel::Moves::TransposedMatrices:
    return operand.dtype == result.dtype && !isBlockFloat(operand.dtype);
  }
  llvm_unreachable("all ways of moving elements are handled");
}

void Execution::defer(TensorHandle &handle, DataType type, DeferredElements elements) {
  // On a device the address is given now, as if the tensor were written: what comes later must find the same holes.
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

void Execution::deferArgument(TensorHandle &handle, const TensorDesc &desc, size_t number) {
  defer(handle, desc.dtype, {number, desc.dtype, desc.shape.back()});
}

/// Whether the result of the op is deferred, as its operand is: it has the same elements.
bool Execution::deferCopy(FunctionFrame &frame, const Step &step, const StreamedKernel &kernel) {
  const TensorHandle &operand = *frame.values[step.reads.front()];
  TensorHandle &result = *frame.values[step.writes.front()];
  const TensorDesc &desc = frame.function.values[step.writes.front()].desc;
  const TensorDesc &from = frame.function.values[step.reads.front()].desc;
  if (!operand.isDeferred() || !mayDeferCopy(kernel, from, desc))
    return false;
  if (options.arithmetic == Arithmetic::Kernels && from.dtype != desc.dtype)
    return false; // what is drawn is rounded as the host rounds
  DeferredElements elements = operand.deferred->elements;
  elements.width = desc.shape.back();
  if (kernel.moves == StreamedKernel::Moves::TransposedMatrices) {
    // Twice transposed has no form here: it is written.
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

/// Rounds elements that begin and end with groups of block float.
static void roundGroups(DataType type, DenseTensor &values) {
  // A packed tile has at most four bytes for each of its 1,024 elements.
  constexpr int64_t kEdge = 32, kMostBytes = 4096;
  int64_t rows = values.shape()[0], columns = values.shape()[1];
  uint8_t packed[kMostBytes];
  for (int64_t row = 0; row < rows; row += kEdge)
    for (int64_t column = 0; column < columns; column += kEdge) {
      float *place = values.floats.data() + row * columns + column;
      int64_t height = std::min(kEdge, rows - row), width = std::min(kEdge, columns - column);
      if (height == kEdge && width == kEdge) {
        packTile(type, place, packed, BlockFloatRounding::Host, columns);
        unpackTile(type, packed, place, columns);
        continue;
      }
      float tile[kEdge * kEdge] = {}; // as padding that shares an exponent with elements
      for (int64_t i = 0; i < height; ++i)
        std::copy_n(place + i * columns, width, tile + i * kEdge);
      packTile(type, tile, packed);
      unpackTile(type, packed, tile);
      for (int64_t i = 0; i < height; ++i)
        std::copy_n(tile + i * kEdge, width, place + i * columns);
    }
}

/// A block of the tensor as it is read from memory: rounded to its format.
void Execution::drawElements(const DeferredTensor &tensor, const ElementBlock &block,
                             DenseTensor &values) const {
  if (!isBlockFloat(tensor.type))
    return drawScalars(tensor, block, values);
  constexpr int64_t kGroup = 16;
  // Sixteen elements of a row share an exponent, so all of a group are needed to round one of them.
  ElementBlock groups = block;
  groups.columnBegin = block.columnBegin / kGroup * kGroup;
  groups.columnEnd = std::min(tensor.elements.width, ceilDiv(block.columnEnd, kGroup) * kGroup);
  if (groups.columns() == block.columns()) {
    drawScalars(tensor, block, values);
    return roundGroups(tensor.type, values);
  }
  DenseTensor whole = DenseTensor::unset({{groups.rows(), groups.columns()}, tensor.type});
  drawScalars(tensor, groups, whole);
  roundGroups(tensor.type, whole);
  for (int64_t row = 0; row < block.rows(); ++row)
    std::copy_n(whole.floats.data() + row * groups.columns() + block.columnBegin - groups.columnBegin,
                block.columns(), values.floats.data() + row * block.columns());
}

/// The same in the format of the argument.
void Execution::drawScalars(const DeferredTensor &tensor, const ElementBlock &block,
                            DenseTensor &values) const {
  auto draw = [&](const ElementBlock &part) {
    DenseTensor drawn = DenseTensor::unset({{part.rows(), part.columns()}, tensor.elements.type});
    arguments->part(tensor.elements.argument, part, drawn);
    return drawn;
  };
  if (tensor.elements.transposed)
    transposeBlock(*tensor.elements.transposed, block, draw, values);
  else
    arguments->part(tensor.elements.argument, block, values);
  if (tensor.elements.type == DataType::BFloat16)
    // Sources draw f32; the argument is of bf16, and what is read from memory would be rounded.
    for (float &element : values.floats)
      element = fromBFloat16(toBFloat16(element));
}

void Execution::writeDeferred(DeferredTensor &tensor) {
  if (std::exchange(tensor.done, true))
    return;
  TensorHandle handle{&tensor.map, tensor.buffer, std::nullopt, tensor.host};
  if (tensor.buffer)
    // The range that it was given, which a test may have misplaced.
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
