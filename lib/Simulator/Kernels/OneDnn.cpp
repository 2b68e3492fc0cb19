//===- OneDnn.cpp - Matrix products by oneDNN -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// oneDNN is a shared library (Debian 12 has no static one), and starting it takes
// longer than `tessera --version`. So it is loaded when the first matrix product
// runs, and every other command does without.
//
// With several threads, oneDNN cuts sums where the number of threads says. Each
// product is therefore cut into blocks by us, and each block is one call on one
// thread: same bytes for any number of threads.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include "tessera/Simulator/Parallel.h"

#include <dlfcn.h>
#include <dnnl.h>

namespace tessera::simulator {

namespace {

struct OneDnn {
  decltype(&dnnl_sgemm) sgemm = nullptr;
  void (*setOpenMpThreads)(int) = nullptr; ///< of the calling thread; null if oneDNN is built without OpenMP
  std::string error;                       ///< why it is not there
};

OneDnn load() {
  OneDnn library;
  void *handle = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    library.error = dlerror();
    return library;
  }
  library.sgemm = reinterpret_cast<decltype(&dnnl_sgemm)>(dlsym(handle, "dnnl_sgemm"));
  library.setOpenMpThreads = reinterpret_cast<void (*)(int)>(dlsym(handle, "omp_set_num_threads"));
  if (!library.sgemm)
    library.error = "it has no dnnl_sgemm";
  return library;
}

const OneDnn &oneDnn() {
  static const OneDnn library = load();
  return library;
}

/// Rows and columns of a block. Large enough for oneDNN to work at full speed.
constexpr int64_t kBlockRows = 512, kBlockColumns = 512;

/// A block of a product.
struct Block {
  const MatrixProduct *product;
  int64_t row, column;
};

bool multiplyBlock(const OneDnn &library, const Block &block) {
  const MatrixProduct &whole = *block.product;
  int64_t rows = std::min(kBlockRows, whole.m - block.row),
          columns = std::min(kBlockColumns, whole.n - block.column);
  int64_t strideA = whole.transposeA ? whole.m : whole.k, strideB = whole.transposeB ? whole.k : whole.n;
  int64_t strideC = whole.strideC ? whole.strideC : whole.n;
  const float *a = whole.a + (whole.transposeA ? block.row : block.row * strideA);
  const float *b = whole.b + (whole.transposeB ? block.column * strideB : block.column);
  if (library.setOpenMpThreads)
    library.setOpenMpThreads(1);
  return library.sgemm(whole.transposeA ? 'T' : 'N', whole.transposeB ? 'T' : 'N', rows, columns, whole.k,
                       1.0f, a, strideA, b, strideB, 0.0f, whole.c + block.row * strideC + block.column,
                       strideC) == dnnl_success;
}

} // namespace

llvm::Error multiply(llvm::ArrayRef<MatrixProduct> products) {
  const OneDnn &library = oneDnn();
  if (!library.error.empty())
    return failure("matrix products need oneDNN 2 (Debian: libdnnl2): " + library.error);
  std::vector<Block> blocks;
  for (const MatrixProduct &product : products)
    for (int64_t row = 0; row < product.m; row += kBlockRows)
      for (int64_t column = 0; column < product.n; column += kBlockColumns)
        blocks.push_back({&product, row, column});
  std::vector<uint8_t> done(blocks.size(), 0);
  parallelFor(int64_t(blocks.size()),
              [&](int64_t i) { done[size_t(i)] = multiplyBlock(library, blocks[size_t(i)]); });
  return llvm::is_contained(done, 0) ? failure("oneDNN refuses a matrix product") : llvm::Error::success();
}

} // namespace tessera::simulator
