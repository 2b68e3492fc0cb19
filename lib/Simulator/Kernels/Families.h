//===- Families.h - The tables of kernels, one per family -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_KERNELS_FAMILIES_H
#define TESSERA_LIB_SIMULATOR_KERNELS_FAMILIES_H

#include "tessera/Simulator/Kernels.h"
#include "tessera/Simulator/Streams.h"

#include <algorithm>
#include <limits>

namespace tessera::simulator {

// A function per family, so that a family is one file and Table.cpp the only place that knows all of them.
llvm::ArrayRef<KernelRow> unaryKernels();
llvm::ArrayRef<KernelRow> binaryKernels();
llvm::ArrayRef<KernelRow> matmulKernels();
llvm::ArrayRef<KernelRow> reductionKernels();
llvm::ArrayRef<KernelRow> normKernels();
llvm::ArrayRef<KernelRow> dataMovementKernels();
llvm::ArrayRef<KernelRow> creationKernels();
llvm::ArrayRef<KernelRow> attentionKernels();
llvm::ArrayRef<KernelRow> headKernels();
llvm::ArrayRef<KernelRow> cacheKernels();
llvm::ArrayRef<KernelRow> windowKernels();
llvm::ArrayRef<KernelRow> volumeKernels();
llvm::ArrayRef<KernelRow> collectiveKernels();
llvm::ArrayRef<KernelRow> latentAttentionKernels();
llvm::ArrayRef<KernelRow> selectionKernels();
llvm::ArrayRef<KernelRow> distributedNormKernels();
llvm::ArrayRef<KernelRow> expertKernels();

// ---- What families share ----------------------------------------------------------------------------------

/// Place of a device among those of its cluster (clusterOf).
size_t placeIn(llvm::ArrayRef<size_t> cluster, size_t device);
/// `dim` counted from 0; negative ones count from the rank.
int64_t dimension(int64_t dim, size_t rank);
/// Sizes before, at and behind a dimension: element (o, i, n) lies at (o * extent + i) * inner + n.
struct Along {
  int64_t outer = 1, extent = 1, inner = 1;
};
/// Example: along dimension 1 of 2 x 3 x 4 it is 2, 3 and 4; along dimension 0, 1, 2 and 12.
Along along(llvm::ArrayRef<int64_t> shape, int64_t dim);
/// Distances in a tensor of shape `from`, aligned at the right with `to`; 0 where it broadcasts. Error if it does not fit.
/// Example: from 3 x 1 to 2 x 3 x 4 they are 0, 1 and 0. In elements.
llvm::Expected<Shape> broadcastStrides(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);
/// Error if an operand or a result is of integers; those of the operands in `except` may be.
llvm::Error needFloats(const KernelCall &call, llvm::ArrayRef<size_t> except = {});
/// Error if the first result has not as many elements as the first operand.
llvm::Error needSameVolume(const KernelCall &call);
/// An element of an integer tensor as the number it is; u32 is not negative.
int64_t wholeAt(const DenseTensor &tensor, int64_t index);
/// Sets one element; integer formats keep the low 32 bits, as all bits of the number are.
void setWhole(DenseTensor &tensor, int64_t index, int64_t value);
/// The product, of which the low 64 bits are kept.
inline int64_t wrappedProduct(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }
/// applyActivations() to elements that are held in that format, as the vector unit of the chip of `call` computes them; exactly
/// where its function is not modelled.
llvm::Error activateOnDevice(llvm::StringRef text, DenseTensor &tensor, DataType held,
                             const KernelCall &call);
/// Runs the kernel of an op of two operands on what the op's activations make of them, and applies those of the result.
llvm::Error runActivated(KernelCall &call, Kernel kernel);
/// Calls `row(offset of the result, offset of each operand)` for each run of the last dimension of `shape`; strides are per
/// operand. Rank 0 is one run.
/// What all element-wise and moving kernels are written with: the inner loop stays with the caller, where the
/// compiler can see it, and the odometer over the outer dimensions is here.
void forEachRow(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Shape> strides,
                llvm::function_ref<void(int64_t, llvm::ArrayRef<int64_t>)> row);
/// C (m x n) = A (m x k) * B (k x n), row-major, each of A and B stored transposed if so flagged. The bytes do not depend on
/// the number of threads. Error if oneDNN is not there.
struct MatrixProduct {
  int64_t m = 0, n = 0, k = 0;
  const float *a = nullptr, *b = nullptr;
  float *c = nullptr;
  bool transposeA = false, transposeB = false;
  int64_t strideC = 0; ///< from row to row of C; 0: n
};
/// In exact arithmetic (fp32, oneDNN). Products of one call are independent, and no two may write the same part of
/// C.
llvm::Error multiply(llvm::ArrayRef<MatrixProduct> products);
/// The same where all B are one, which is read from memory, some columns at a time.
llvm::Error multiply(llvm::ArrayRef<MatrixProduct> products, const TensorInMemory &right);
/// `right`, if set, holds the elements of the second operand.
llvm::Error runMatmul(KernelCall &call, const TensorInMemory *right);
/// A matrix of rows x columns, `stride` from row to row, from one that lies transposed, `rows` from column to column; on this
/// thread.
template <class T>
void transposeInto(const T *from, T *to, int64_t rows, int64_t columns, int64_t stride) {
  constexpr int64_t kBlock = 32; // row by row it would touch a cache line per element
  for (int64_t top = 0; top < rows; top += kBlock)
    for (int64_t left = 0; left < columns; left += kBlock)
      for (int64_t row = top, bottom = std::min(rows, top + kBlock); row < bottom; ++row)
        for (int64_t column = left, right = std::min(columns, left + kBlock); column < right; ++column)
          to[row * stride + column] = from[column * rows + row];
}
/// The dimensions that a reduction takes: `dim_arg`, one integer or a list; all if it is absent.
/// By dimension: true if it is reduced.
std::vector<bool> reducedDims(const KernelCall &call, size_t rank);
/// Error if a table of `rows` has no such row.
llvm::Error checkTableRow(int64_t row, int64_t rows);

/// An fp32 register as a packer writes it to bf16: to nearest, ties away from zero.
float packed(float value);
/// Rounds elements so, if the tensor is of bf16; of block formats as packers do from such registers: they are cut to bf16, and
/// mantissas rounded to nearest, ties away from zero. What the format can hold stays as it is.
void packResult(DenseTensor &tensor);

/// One query's attention over all positions of one head.
struct AttentionLine {
  const float *query, *keys, *values; ///< D; T x D each
  int64_t positions = 0, width = 0;
  int64_t last = 0; ///< position that is attended to at most
  float scale = 1;
  const float *mask = nullptr; ///< T, added; null: none
  int64_t valueWidth = 0;      ///< elements of a value that count, of valueStride in memory; 0: all of them
  int64_t valueStride = 0;
  float maskScale = 1; ///< what the mask's elements are multiplied by
  /// A score of its own, scaled like the others, whose weight goes to no value; minus infinity: none.
  float sink = -std::numeric_limits<float>::infinity();
  int64_t first = 0; ///< position from which on keys are attended to
};
/// In exact arithmetic: softmax of the scores in double, and the weighted sum of values, rounded once.
void attend(const AttentionLine &line, float *to);
/// Whether a page table and positions have an entry for each user.
/// Asked first by all paged kernels: pagedRows() reads the table without asking again.
bool coversUsers(const DenseTensor *table, const DenseTensor *positions, int64_t users);
struct UserHead {
  int64_t user, head;
};
/// Of a paged cache, N blocks x heads x rows x width, those of one user and head, one below the other, up to position `last`.
/// Error if the table has no such position or the cache no such block.
llvm::Expected<std::vector<float>> pagedRows(const DenseTensor &cache, const DenseTensor &table, UserHead of,
                                             int64_t last);

/// The devices that exchange with `device`, in order, itself among them; all if the op names no axis.
std::vector<size_t> clusterOf(const CollectiveCall &call, size_t device);

} // namespace tessera::simulator

#endif // TESSERA_LIB_SIMULATOR_KERNELS_FAMILIES_H
