//===- Matmul.cpp - matmul and linear -------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// In exact arithmetic sums over K are oneDNN's in fp32, whatever the op's math fidelity
// and program configuration say; in kernels' arithmetic DeviceMatmul.h decides. An activation may stand on the op or in its program
// configuration; the optimizer moves it from one to the other.
//
//===----------------------------------------------------------------------===//
#include "DeviceMatmul.h"
#include "Families.h"

namespace tessera::simulator {

namespace {

/// An operand as matrices: vectors get a unit dimension.
struct Matrices {
  Shape batch;
  int64_t rows = 1, columns = 1; ///< as stored
};

Matrices asMatrices(llvm::ArrayRef<int64_t> shape, bool isLeft) {
  if (shape.size() == 1)
    return isLeft ? Matrices{{}, 1, shape[0]} : Matrices{{}, shape[0], 1};
  return {Shape(shape.drop_back(2)), shape[shape.size() - 2], shape.back()};
}

/// The broadcast of two batch shapes. Error if they do not.
llvm::Expected<Shape> commonBatch(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
  Shape common(std::max(a.size(), b.size()), 1);
  for (llvm::ArrayRef<int64_t> shape : {a, b})
    for (size_t i = 0; i < shape.size(); ++i) {
      int64_t &extent = common[common.size() - shape.size() + i];
      if (extent != 1 && shape[i] != 1 && extent != shape[i])
        return failure("batches do not broadcast");
      extent = std::max(extent, shape[i]);
    }
  return common;
}

/// Index of the matrix that each batch entry reads.
llvm::Expected<std::vector<int64_t>> batchEntries(llvm::ArrayRef<int64_t> from,
                                                  llvm::ArrayRef<int64_t> batch) {
  llvm::Expected<Shape> strides = broadcastStrides(from, batch);
  if (!strides)
    return strides.takeError();
  std::vector<int64_t> entries(size_t(volumeOf(batch)));
  Shape own = rowMajorStrides(batch);
  for (size_t i = 0; i < entries.size(); ++i)
    for (size_t dim = 0; dim < batch.size(); ++dim)
      // A stride of 0 reads the same matrix for all of a broadcast dimension.
      entries[i] += int64_t(i) / own[dim] % batch[dim] * (*strides)[dim];
  return entries;
}

/// Products whose second matrix is one and whose first ones and results follow each other are a product of more rows.
void joinRows(std::vector<MatrixProduct> &products) {
  const MatrixProduct &first = products.front();
  for (size_t i = 1; i < products.size(); ++i)
    if (first.transposeA || products[i].b != first.b ||
        products[i].a != first.a + int64_t(i) * first.m * first.k)
      return;
  MatrixProduct joined = first;
  joined.m *= int64_t(products.size());
  products.assign(1, joined);
}

/// Makes the products of the op, and hands them on.
llvm::Error product(KernelCall &call, const TensorInMemory *elements,
                    llvm::function_ref<llvm::Error(llvm::ArrayRef<MatrixProduct>)> multiply) {
  const DenseTensor &a = call.operand(0), &b = call.operand(1);
  bool transposeA = call.op.boolean("transpose_a", false), transposeB = call.op.boolean("transpose_b", false);
  Matrices left = asMatrices(a.shape(), true), right = asMatrices(b.shape(), false);
  MatrixProduct shape;
  shape.transposeA = transposeA;
  shape.transposeB = transposeB;
  // As they are multiplied; strides say how they are stored.
  shape.m = transposeA ? left.columns : left.rows;
  shape.k = transposeA ? left.rows : left.columns;
  shape.n = transposeB ? right.rows : right.columns;
  if ((transposeB ? right.columns : right.rows) != shape.k)
    return failure("inner dimensions differ");
  llvm::Expected<Shape> batch = commonBatch(left.batch, right.batch);
  if (!batch)
    return batch.takeError();
  if (volumeOf(*batch) * shape.m * shape.n != call.result().volume())
    return failure("the product has another shape than the result");
  llvm::Expected<std::vector<int64_t>> entriesA = batchEntries(left.batch, *batch);
  llvm::Expected<std::vector<int64_t>> entriesB = batchEntries(right.batch, *batch);
  if (llvm::Error error = llvm::joinErrors(entriesA.takeError(), entriesB.takeError()))
    return error;
  std::vector<MatrixProduct> products(entriesA->size(), shape);
  if (products.empty())
    return llvm::Error::success();
  for (size_t i = 0; i < products.size(); ++i) {
    products[i].a = a.floats.data() + (*entriesA)[i] * left.rows * left.columns;
    // Without an address the second matrix is drawn while it is multiplied: large weights never lie in memory
    // as a whole.
    products[i].b = elements ? nullptr : b.floats.data() + (*entriesB)[i] * right.rows * right.columns;
    products[i].c = call.result().floats.data() + int64_t(i) * shape.m * shape.n;
  }
  // One product of many rows keeps oneDNN busy where many small ones would not.
  joinRows(products);
  return multiply(products);
}

llvm::Error addBias(DenseTensor &result, const DenseTensor &bias) {
  llvm::Expected<Shape> strides = broadcastStrides(bias.shape(), result.shape());
  if (!strides)
    return strides.takeError();
  int64_t width = result.shape().back(), step = strides->back();
  forEachRow(result.shape(), *strides, [&](int64_t to, llvm::ArrayRef<int64_t> from) {
    for (int64_t i = 0; i < width; ++i)
      result.floats[size_t(to + i)] += bias.floats[size_t(from[0] + i * step)];
  });
  return llvm::Error::success();
}

llvm::Error runDense(KernelCall &call) { return runMatmul(call, nullptr); }

llvm::Error runExactly(KernelCall &call, const TensorInMemory *right) {
  auto multiplyExactly = [&](llvm::ArrayRef<MatrixProduct> products) {
    return right ? multiply(products, *right) : multiply(products);
  };
  if (llvm::Error error = product(call, right, multiplyExactly))
    return error;
  if (call.operands.size() > 2)
    if (llvm::Error error = addBias(call.result(), call.operand(2)))
      return error;
  const auto *program = std::get_if<MatmulProgramConfig>(&call.config);
  // The program config's comes first: it is applied before the result is packed, the op's own by an op behind it.
  if (program && !program->fusedActivation.empty())
    if (llvm::Error error = applyActivations(program->fusedActivation, call.result()))
      return error;
  return applyActivations(call.op.string("activation"), call.result());
}

llvm::Error runOnDevice(KernelCall &call, const TensorInMemory *right) {
  Summation summation = matmulSummation(call);
  auto multiplyBlocks = [&](llvm::ArrayRef<MatrixProduct> products) {
    right ? multiplyOnDevice(products, summation, *right) : multiplyOnDevice(products, summation);
    return llvm::Error::success();
  };
  if (llvm::Error error = product(call, right, multiplyBlocks))
    return error;
  return finishMatmulOnDevice(call, summation);
}

constexpr KernelRow matmulRow(llvm::StringLiteral name) {
  return {.name = name, .kernel = runDense, .deviceKernel = runDense};
}
const KernelRow kMatmul[] = {matmulRow("ttnn.matmul"), matmulRow("ttnn.linear")};

} // namespace

llvm::Error runMatmul(KernelCall &call, const TensorInMemory *right) {
  if (call.operand(0).isInteger() || call.operand(1).isInteger() || call.result().isInteger())
    return failure("the simulator multiplies no matrices of integers");
  return call.arithmetic == Arithmetic::Exact ? runExactly(call, right) : runOnDevice(call, right);
}

llvm::ArrayRef<KernelRow> matmulKernels() { return kMatmul; }

} // namespace tessera::simulator
