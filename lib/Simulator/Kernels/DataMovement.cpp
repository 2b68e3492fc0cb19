//===- DataMovement.cpp - Same values, other places -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Movement is strides: element (i0, i1, ...) of the result is element
//
//   begin + i0 * strides[0] + i1 * strides[1] + ...
//
// of the operand. A permutation has the operand's strides in another order, a slice a
// beginning, and a step multiplies a stride. What takes slices along one dimension by
// a rule of its own (repeats) goes slice by slice.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include "tessera/Layout/BlockFloat.h"

#include "tessera/Simulator/Parallel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <utility>

namespace tessera::simulator {

namespace {

/// The same elements in the same order. Covers all conversions too: memory, page layout, host or device are not a kernel's
/// affair; the data type changes by what the result holds.
llvm::Error runCopy(KernelCall &call) {
  const DenseTensor &input = call.operand(0);
  DenseTensor &result = call.result();
  if (input.volume() != result.volume())
    return failure("operand and result have not as many elements");
  if (input.isInteger() == result.isInteger())
    withElements(input, result, [](const auto &from, auto &to) {
      // Elements of a part of work: 1 MB, so that small tensors stay on one thread.
      constexpr int64_t kPart = 1 << 18;
      auto count = int64_t(from.size());
      parallelFor(ceilDiv(count, kPart), [&](int64_t part) {
        std::copy_n(from.data() + part * kPart, std::min(kPart, count - part * kPart),
                    to.data() + part * kPart);
      });
    });
  else
    // Between integers and floats, number by number.
    for (int64_t i = 0, end = input.volume(); i < end; ++i)
      result.set(i, input.at(i));
  return llvm::Error::success();
}

/// A matrix of rows x columns that lies transposed, `stride` from column to column, block by block: row by row it would
/// touch a cache line per element.
template <class T>
void transposeMatrix(const T *from, T *to, int64_t rows, int64_t columns, int64_t stride) {
  constexpr int64_t kBlock = 32;
  parallelFor(ceilDiv(rows, kBlock), [&](int64_t block) {
    int64_t begin = block * kBlock, end = std::min(rows, begin + kBlock);
    for (int64_t left = 0; left < columns; left += kBlock)
      for (int64_t column = left; column < std::min(columns, left + kBlock); ++column)
        for (int64_t row = begin; row < end; ++row)
          to[row * columns + column] = from[column * stride + row];
  });
}

/// result[i0, i1, ...] = input[begin + i0 * strides[0] + i1 * strides[1] + ...].
void strided(const DenseTensor &input, DenseTensor &result, const Shape &strides, int64_t begin = 0) {
  int64_t width = result.rank() == 0 ? 1 : result.shape().back(),
          step = result.rank() == 0 ? 0 : strides.back();
  size_t rank = result.shape().size();
  withElements(input, result, [&](const auto &from, auto &to) {
    // Matrices that lie transposed, as most permutes read them.
    if (rank >= 2 && strides[rank - 2] == 1 && step > 1) {
      // Each matrix is one step of the outer loop: the last two dimensions are folded into it, with the row's
      // extent set to 1. What is left of the strides leads from matrix to matrix.
      int64_t rows = result.shape()[rank - 2];
      Shape matrices(result.shape().drop_back()), outer(strides);
      matrices.back() = 1;
      outer.pop_back();
      return forEachRow(matrices, outer, [&](int64_t at, llvm::ArrayRef<int64_t> offset) {
        transposeMatrix(from.data() + begin + offset[0], to.data() + at * rows * width, rows, width, step);
      });
    }
    forEachRow(result.shape(), strides, [&](int64_t at, llvm::ArrayRef<int64_t> offset) {
      auto source = from.data() + begin + offset[0];
      auto target = to.data() + at;
      if (step == 1)
        std::copy_n(source, width, target);
      else
        for (int64_t i = 0; i < width; ++i)
          target[i] = source[i * step];
    });
  });
}

/// Result dimension i is operand dimension order[i], as of PyTorch's permute.
llvm::Error permuted(KernelCall &call, llvm::ArrayRef<int64_t> order) {
  const DenseTensor &input = call.operand(0);
  if (input.isInteger() != call.result().isInteger())
    return failure("of operand and result only one has integers");
  // A permutation, a slice and a step are all other strides over the same elements, so one loop serves them.
  Shape own = rowMajorStrides(input.shape()), strides, shape;
  for (int64_t dim : order) {
    size_t from = size_t(dimension(dim, size_t(input.rank())));
    strides.push_back(own[from]);
    shape.push_back(input.shape()[from]);
  }
  if (shape != call.result().desc.shape)
    return failure("the result has not the operand's dimensions in that order");
  strided(input, call.result(), strides);
  return llvm::Error::success();
}

llvm::Error runPermute(KernelCall &call) { return permuted(call, call.op.integers("permutation")); }

llvm::Error runTranspose(KernelCall &call) {
  size_t rank = size_t(call.operand(0).rank());
  Shape order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[size_t(dimension(call.op.integer("dim0", 0), rank))],
            order[size_t(dimension(call.op.integer("dim1", 0), rank))]);
  return permuted(call, order);
}

/// From `begins` on, as many as the result has.
/// Ends are not read: the result's own extents say how far a slice goes.
llvm::Error slice(KernelCall &call, llvm::ArrayRef<int64_t> begins) {
  const DenseTensor &input = call.operand(0);
  llvm::ArrayRef<int64_t> steps = call.op.integers("step");
  if (input.rank() != call.result().rank() || input.isInteger() != call.result().isInteger())
    return failure("the result is no slice of the operand");
  Shape strides = rowMajorStrides(input.shape());
  int64_t begin = 0;
  for (size_t dim = 0; dim < strides.size(); ++dim) {
    int64_t extent = input.shape()[dim];
    int64_t from = dim < begins.size() ? begins[dim] : 0, step = dim < steps.size() ? steps[dim] : 1;
    // Negative beginnings count from the end.
    from = std::clamp<int64_t>(from < 0 ? from + extent : from, 0, extent);
    // Steps go both ways, so either end may be the one outside.
    int64_t count = call.result().shape()[dim], last = from + (count - 1) * step;
    if (count > 0 && (std::max(from, last) >= extent || std::min(from, last) < 0))
      return failure("the slice is not within dimension " + llvm::Twine(dim) + " of extent " +
                     llvm::Twine(extent));
    begin += from * strides[dim];
    strides[dim] *= step;
  }
  strided(input, call.result(), strides, begin);
  return llvm::Error::success();
}

llvm::Error runSlice(KernelCall &call) { return slice(call, call.op.integers("begins")); }

/// Where it begins is the second operand, one number per dimension.
llvm::Error runDynamicSlice(KernelCall &call) {
  Shape begins;
  for (int64_t dim = 0; dim < call.operand(1).volume(); ++dim)
    begins.push_back(call.operand(1).indexAt(dim));
  return slice(call, begins);
}

/// Copies `part` into `whole`, at `begin` in every dimension.
llvm::Error insert(const DenseTensor &part, DenseTensor &whole, llvm::ArrayRef<int64_t> begin) {
  for (size_t dim = 0; dim < begin.size(); ++dim)
    if (begin[dim] + part.shape()[dim] > whole.shape()[dim])
      return failure("an operand reaches beyond the result in dimension " + llvm::Twine(dim));
  Shape strides = rowMajorStrides(whole.shape());
  // Offsets of a part within the whole are those of its own first element and the whole's strides.
  int64_t first = std::inner_product(begin.begin(), begin.end(), strides.begin(), int64_t(0));
  int64_t width = part.rank() == 0 ? 1 : part.shape().back();
  withElements(part, whole, [&](const auto &from, auto &to) {
    forEachRow(part.shape(), strides, [&](int64_t at, llvm::ArrayRef<int64_t> offset) {
      std::copy_n(from.data() + at, width, to.data() + first + offset[0]);
    });
  });
  return llvm::Error::success();
}

llvm::Error runPad(KernelCall &call) {
  const DenseTensor &input = call.operand(0);
  DenseTensor &result = call.result();
  double value = call.op.number("value", 0);
  llvm::ArrayRef<int64_t> padding = call.op.integers("padding");
  if (int64_t(padding.size()) != 2 * input.rank() || input.rank() != result.rank() ||
      input.isInteger() != result.isInteger() ||
      llvm::any_of(padding, [](int64_t count) { return count < 0; }))
    return failure("the simulator pads with two counts per dimension, none of them negative");
  // All of it first: what the operand covers is written again, which costs less than to find the border in every
  // dimension.
  DenseTensor element({{1}, result.desc.dtype});
  element.set(0, value);
  withElements(element, result, [](const auto &from, auto &to) { std::fill(to.begin(), to.end(), from[0]); });
  Shape begin;
  for (size_t dim = 0; dim < input.shape().size(); ++dim)
    begin.push_back(padding[2 * dim]);
  return insert(input, result, begin);
}

llvm::Error runConcat(KernelCall &call) {
  size_t rank = size_t(call.result().rank());
  size_t dim = size_t(dimension(call.op.integer("dim", 0), rank));
  Shape begin(rank, 0);
  // One behind the other: where a part begins is where all before it ended.
  for (const DenseTensor *part : call.operands) {
    if (part->isInteger() != call.result().isInteger() || part->rank() != call.result().rank())
      return failure("the simulator joins tensors of one rank, all integers or all floating point");
    if (llvm::Error error = insert(*part, call.result(), begin))
      return error;
    begin[dim] += part->shape()[dim];
  }
  return llvm::Error::success();
}

/// result[i] = input[source(i, extent)] along one dimension, whole slices at a time.
void gatherAlong(const DenseTensor &input, DenseTensor &result, int64_t dim,
                 llvm::function_ref<int64_t(int64_t)> source) {
  Along from = along(input.shape(), dim), to = along(result.shape(), dim);
  withElements(input, result, [&](const auto &elements, auto &made) {
    for (int64_t outer = 0; outer < to.outer; ++outer)
      for (int64_t i = 0; i < to.extent; ++i)
        std::copy_n(elements.data() + (outer * from.extent + source(i)) * from.inner, to.inner,
                    made.data() + (outer * to.extent + i) * to.inner);
  });
}

llvm::Error runRepeatInterleave(KernelCall &call) {
  int64_t dim = dimension(call.op.integer("dim", 0), size_t(call.operand(0).rank()));
  int64_t repeats = call.op.integer("repeats", 1);
  Shape wanted = call.operand(0).desc.shape;
  wanted[size_t(dim)] *= repeats;
  if (repeats < 1 || wanted != call.result().desc.shape ||
      call.operand(0).isInteger() != call.result().isInteger())
    return failure("the result is not the operand with each slice " + llvm::Twine(repeats) + " times");
  gatherAlong(call.operand(0), call.result(), dim, [&](int64_t i) { return i / repeats; });
  return llvm::Error::success();
}

llvm::Error runRepeat(KernelCall &call) {
  // Dimension by dimension, each as often as the result is longer. A shorter list of repeats counts from the last one, as shapes do.
  DenseTensor current = call.operand(0);
  size_t rank = size_t(call.result().rank());
  if (current.desc.shape.size() > rank || current.isInteger() != call.result().isInteger())
    return failure("the result is not the operand several times");
  while (current.desc.shape.size() < rank)
    current.desc.shape.insert(current.desc.shape.begin(), 1);
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t extent = current.shape()[dim];
    if (extent == call.result().shape()[dim])
      continue;
    if (extent == 0 || call.result().shape()[dim] % extent != 0)
      return failure("the result is not the operand several times");
    TensorDesc longer = current.desc;
    longer.shape[dim] = call.result().shape()[dim];
    DenseTensor next(longer);
    gatherAlong(current, next, int64_t(dim), [&](int64_t i) { return i % extent; });
    current = std::move(next);
  }
  current.desc = call.result().desc;
  call.result() = std::move(current);
  return llvm::Error::success();
}

llvm::Error runEmbedding(KernelCall &call) {
  const DenseTensor &indices = call.operand(0), &table = call.operand(1);
  if (table.isInteger() || call.result().isInteger() || table.rank() == 0 || table.volume() == 0 ||
      call.result().volume() != indices.volume() * table.shape().back())
    return failure("the result is not a row of a floating-point table per index");
  int64_t width = table.shape().back(), rows = table.volume() / std::max<int64_t>(width, 1);
  for (int64_t i = 0, end = indices.volume(); i < end; ++i) {
    int64_t row = indices.indexAt(i);
    // A table is read where the index says: an error here is what reading foreign memory would be.
    if (llvm::Error error = checkTableRow(row, rows))
      return error;
    std::copy_n(table.floats.begin() + row * width, width, call.result().floats.begin() + i * width);
  }
  return llvm::Error::success();
}

/// result[i, j, k] = input[i, index[i, j, k], k] for dim = 1, as torch.gather.
llvm::Error runGather(KernelCall &call) {
  const DenseTensor &input = call.operand(0), &index = call.operand(1);
  int64_t dim = dimension(call.op.integer("dim", 0), size_t(input.rank()));
  if (input.rank() != index.rank() || index.rank() == 0 || call.result().volume() != index.volume())
    return failure("the simulator gathers by an index of the operand's rank");
  Shape strides = rowMajorStrides(input.shape());
  // Along the dimension the index says where to read; in all others its place does, and it may be shorter than
  // the operand there.
  int64_t extent = input.shape()[size_t(dim)], step = std::exchange(strides[size_t(dim)], 0);
  for (size_t other = 0; other < strides.size(); ++other)
    if (int64_t(other) != dim && index.shape()[other] > input.shape()[other])
      return failure("the index is longer than the operand in dimension " + llvm::Twine(other));
  // Told behind the loop, which cannot be left from inside.
  std::optional<int64_t> beyond;
  forEachRow(index.shape(), strides, [&](int64_t to, llvm::ArrayRef<int64_t> from) {
    for (int64_t i = 0; i < index.shape().back(); ++i) {
      int64_t at = index.indexAt(to + i);
      if (at < 0 || at >= extent)
        beyond = at;
      else
        call.result().set(to + i, input.at(from[0] + i * strides.back() + at * step));
    }
  });
  if (beyond)
    return failure("index " + llvm::Twine(*beyond) + " into an extent of " + llvm::Twine(extent));
  return llvm::Error::success();
}

/// From f32 to bf16 the vector unit rounds, ties to even; to block formats the packer does.
llvm::Error runTypecastOnDevice(KernelCall &call) {
  if (llvm::Error error = runCopy(call))
    return error;
  if (call.result().desc.dtype == DataType::BFloat16)
    for (float &element : call.result().floats)
      element = fromBFloat16(toBFloat16(element));
  return llvm::Error::success();
}

/// The bits as the element is stored; of 16-bit formats the low ones.
uint32_t bitsOf(const DenseTensor &tensor, size_t i) {
  if (tensor.isInteger())
    return uint32_t(tensor.integers[i]);
  float value = tensor.floats[i];
  return tensor.desc.dtype == DataType::Float32 ? std::bit_cast<uint32_t>(value) : toBFloat16(value);
}

/// Of as many bits: integers, f32 and bf16.
llvm::Error runBitcast(KernelCall &call) {
  if (llvm::Error error = needSameVolume(call))
    return error;
  const DenseTensor &input = call.operand(0);
  DenseTensor &result = call.result();
  DataType from = input.desc.dtype, to = result.desc.dtype;
  // Elements of block float have no bits of their own: their exponents are shared.
  if (isBlockFloat(from) || isBlockFloat(to) || scalarBytes(from) != scalarBytes(to))
    return failure("the simulator knows the bits of elements of one width only");
  for (size_t i = 0, end = size_t(result.volume()); i < end; ++i) {
    uint32_t bits = bitsOf(input, i);
    if (result.isInteger())
      result.integers[i] = int32_t(bits);
    else
      result.floats[i] = to == DataType::Float32 ? std::bit_cast<float>(bits) : fromBFloat16(uint16_t(bits));
  }
  return llvm::Error::success();
}

const KernelRow kDataMovement[] = {
    {"ttnn.reshape", runCopy},
    {"ttnn.assign", runCopy},
    {"ttnn.bitcast_convert", runBitcast},
    {.name = "ttnn.typecast", .kernel = runCopy, .deviceKernel = runTypecastOnDevice},
    {"ttnn.to_layout", runCopy},
    {"ttnn.to_memory_config", runCopy},
    {"ttnn.to_tensor_spec", runCopy},
    {"ttnn.to_device", runCopy},
    {"ttnn.from_device", runCopy},
    {"ttnn.permute", runPermute},
    {"ttnn.transpose", runTranspose},
    {"ttnn.slice_static", runSlice},
    {"ttnn.slice_dynamic", runDynamicSlice},
    {"ttnn.pad", runPad},
    {"ttnn.concat", runConcat},
    {"ttnn.repeat", runRepeat},
    {"ttnn.repeat_interleave", runRepeatInterleave},
    {"ttnn.embedding", runEmbedding},
    {"ttnn.gather", runGather},
};

} // namespace

llvm::Error checkTableRow(int64_t row, int64_t rows) {
  if (row < 0 || row >= rows)
    return failure("index " + llvm::Twine(row) + " into a table of " + llvm::Twine(rows) + " rows");
  return llvm::Error::success();
}

llvm::ArrayRef<KernelRow> dataMovementKernels() { return kDataMovement; }

} // namespace tessera::simulator
