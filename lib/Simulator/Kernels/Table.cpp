//===- Table.cpp - All kernels, and what families share -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The rows of all families in one index by the op's name, and the small functions
// that more than one family needs: dimensions, broadcasting, walks over rows. A
// new family is a function in kFamilies. The index is hashed, and only looked
// into: who lists kernels goes through allKernels(), which sorts.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tessera::simulator {

namespace {

constexpr llvm::ArrayRef<KernelRow> (*kFamilies[])() = {
    unaryKernels,        binaryKernels,   matmulKernels,          reductionKernels, normKernels,
    dataMovementKernels, creationKernels, attentionKernels,       headKernels,      cacheKernels,
    windowKernels,       volumeKernels,   latentAttentionKernels, selectionKernels, distributedNormKernels,
    collectiveKernels,   expertKernels};

llvm::StringMap<const KernelRow *> buildIndex() {
  llvm::StringMap<const KernelRow *> index;
  for (auto *family : kFamilies)
    for (const KernelRow &row : family()) {
      [[maybe_unused]] bool added = index.try_emplace(row.name, &row).second;
      assert(added && "an op has one kernel");
    }
  return index;
}

const llvm::StringMap<const KernelRow *> &kernelIndex() {
  static const llvm::StringMap<const KernelRow *> index = buildIndex();
  return index;
}

} // namespace

const KernelRow *findKernel(llvm::StringRef op) { return kernelIndex().lookup(op); }

llvm::Error runKernel(const KernelRow &row, KernelCall &call) {
  bool asDevice = call.arithmetic == Arithmetic::Kernels;
  if (llvm::Error error = asDevice && row.deviceKernel ? row.deviceKernel(call) : row.kernel(call))
    return error;
  // For all rows alike: what a kernel has packed already stays as it is.
  if (asDevice)
    for (DenseTensor &result : call.results)
      packResult(result);
  return llvm::Error::success();
}

std::vector<const KernelRow *> allKernels() {
  std::vector<const KernelRow *> rows;
  for (const auto &entry : kernelIndex())
    rows.push_back(entry.second);
  llvm::sort(rows, [](const KernelRow *a, const KernelRow *b) { return a->name < b->name; });
  return rows;
}

/// Sizes 1, 1, 0, 1 say that the third is absent: segment(3) is then the call's operand 2, and segment(2) null.
const DenseTensor *KernelCall::segment(size_t index) const {
  // Optional operands that are absent take no place among the others.
  llvm::ArrayRef<int64_t> sizes = op.integers("operandSegmentSizes");
  size_t begin = 0;
  for (size_t i = 0; i < index && i < sizes.size(); ++i)
    begin += size_t(sizes[i]);
  return index < sizes.size() && sizes[index] > 0 && begin < operands.size() ? operands[begin] : nullptr;
}

int64_t dimension(int64_t dim, size_t rank) { return dim < 0 ? dim + int64_t(rank) : dim; }

Along along(llvm::ArrayRef<int64_t> shape, int64_t dim) {
  return {volumeOf(shape.take_front(size_t(dim))), shape[size_t(dim)],
          volumeOf(shape.drop_front(size_t(dim) + 1))};
}

/// NumPy's rule: shapes are aligned at their last dimension, and a stride of 0 reads an extent of 1 again and again.
/// Each operand is held against the result's shape and not against the others, so that all of them agree.
llvm::Expected<Shape> broadcastStrides(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  if (from.size() > to.size())
    return failure("an operand has more dimensions than the result");
  Shape own = rowMajorStrides(from), strides(to.size(), 0);
  size_t shift = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1 && from[i] != to[shift + i])
      return failure("operand shapes do not broadcast to the result's");
    strides[shift + i] = from[i] == 1 ? 0 : own[i];
  }
  return strides;
}

llvm::Error needFloats(const KernelCall &call, llvm::ArrayRef<size_t> except) {
  for (size_t i = 0; i < call.operands.size(); ++i)
    if (call.operand(i).isInteger() && !llvm::is_contained(except, i))
      return failure("operand " + llvm::Twine(i) + " is of integers");
  return call.result().isInteger() ? failure("the result is of integers") : llvm::Error::success();
}

llvm::Error needSameVolume(const KernelCall &call) {
  return call.operand(0).volume() == call.result().volume()
             ? llvm::Error::success()
             : failure("operand and result have not as many elements");
}

// All formats of integers are kept as int32_t; of them only u32 has numbers that take the sign bit.
int64_t wholeAt(const DenseTensor &tensor, int64_t index) {
  int32_t value = tensor.integers[size_t(index)];
  return tensor.desc.dtype == DataType::UInt32 ? int64_t(uint32_t(value)) : value;
}

void setWhole(DenseTensor &tensor, int64_t index, int64_t value) {
  if (tensor.isInteger())
    tensor.integers[size_t(index)] = int32_t(uint32_t(uint64_t(value)));
  else
    tensor.floats[size_t(index)] = float(value);
}

/// An odometer over all dimensions but the last: offsets go on by a stride, or back over a whole extent, so a row
/// costs some additions and no division. Rows come in the order of `shape`, on which sums that callers take on the
/// way rely.
void forEachRow(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Shape> strides,
                llvm::function_ref<void(int64_t, llvm::ArrayRef<int64_t>)> row) {
  int64_t width = shape.empty() ? 1 : shape.back();
  llvm::ArrayRef<int64_t> outer = shape.empty() ? shape : shape.drop_back();
  Shape index(outer.size(), 0);
  llvm::SmallVector<int64_t> offsets(strides.size(), 0);
  int64_t rows = volumeOf(shape) == 0 ? 0 : volumeOf(outer);
  for (int64_t i = 0; i < rows; ++i) {
    row(i * width, offsets);
    for (size_t dim = outer.size(); dim-- > 0;) {
      bool wraps = ++index[dim] == outer[dim];
      for (size_t operand = 0; operand < strides.size(); ++operand)
        offsets[operand] += wraps ? -strides[operand][dim] * (outer[dim] - 1) : strides[operand][dim];
      if (!wraps)
        break;
      index[dim] = 0;
    }
  }
}

} // namespace tessera::simulator
