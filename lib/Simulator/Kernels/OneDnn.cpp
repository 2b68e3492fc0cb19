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
  // Of the OpenMP that oneDNN itself was linked to, which need not be ours.
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

/// The columns of B that a block needs, or its rows if it is stored transposed.
struct Panel {
  const float *elements;
  int64_t stride;
};

/// The panel of a B that is stored transposed, as it would be stored otherwise. Piece by piece, so that both sides stay in the cache.
std::vector<float> turned(Panel panel, int64_t columns, int64_t k) {
  constexpr int64_t kPiece = 64;
  std::vector<float> rows(size_t(columns * k));
  for (int64_t begin = 0; begin < k; begin += kPiece)
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t i = begin; i < std::min(begin + kPiece, k); ++i)
        rows[size_t(i * columns + column)] = panel.elements[column * panel.stride + i];
  return rows;
}

bool multiplyBlock(const OneDnn &library, const Block &block, Panel panel) {
  const MatrixProduct &whole = *block.product;
  int64_t rows = std::min(kBlockRows, whole.m - block.row),
          columns = std::min(kBlockColumns, whole.n - block.column);
  int64_t strideA = whole.transposeA ? whole.m : whole.k;
  int64_t strideC = whole.strideC ? whole.strideC : whole.n;
  const float *a = whole.a + (whole.transposeA ? block.row : block.row * strideA);
  // oneDNN sums in another order where B is stored transposed and A has few rows, and the same product has to be the same bits however a plan
  // stores its weights.
  std::vector<float> rowsOfB;
  if (whole.transposeB) {
    rowsOfB = turned(panel, columns, whole.k);
    panel = {rowsOfB.data(), columns};
  }
  // Each time, as it holds for the calling thread, and threads of parallelFor are new ones.
  if (library.setOpenMpThreads)
    library.setOpenMpThreads(1);
  return library.sgemm(whole.transposeA ? 'T' : 'N', 'N', rows, columns, whole.k, 1.0f, a, strideA,
                       panel.elements, panel.stride, 0.0f, whole.c + block.row * strideC + block.column,
                       strideC) == dnnl_success;
}

/// Where a B that is dense has the block's columns.
Panel panelOf(const Block &block) {
  const MatrixProduct &whole = *block.product;
  return whole.transposeB ? Panel{whole.b + block.column * whole.k, whole.k}
                          : Panel{whole.b + block.column, whole.n};
}

llvm::Error loadError(const OneDnn &library) {
  return library.error.empty()
             ? llvm::Error::success()
             : failure("matrix products need oneDNN 2 (Debian: libdnnl2): " + library.error);
}

llvm::Error refusal(llvm::ArrayRef<uint8_t> done) {
  return llvm::is_contained(done, 0) ? failure("oneDNN refuses a matrix product") : llvm::Error::success();
}

} // namespace

llvm::Error multiply(llvm::ArrayRef<MatrixProduct> products) {
  const OneDnn &library = oneDnn();
  if (llvm::Error error = loadError(library))
    return error;
  std::vector<Block> blocks;
  for (const MatrixProduct &product : products)
    for (int64_t row = 0; row < product.m; row += kBlockRows)
      for (int64_t column = 0; column < product.n; column += kBlockColumns)
        blocks.push_back({&product, row, column});
  // Bytes and not bits: threads write their neighbours' places.
  std::vector<uint8_t> done(blocks.size(), 0);
  parallelFor(int64_t(blocks.size()), [&](int64_t i) {
    done[size_t(i)] = multiplyBlock(library, blocks[size_t(i)], panelOf(blocks[size_t(i)]));
  });
  return refusal(done);
}

llvm::Error multiply(llvm::ArrayRef<MatrixProduct> products, const TensorInMemory &right) {
  const OneDnn &library = oneDnn();
  if (llvm::Error error = loadError(library))
    return error;
  const MatrixProduct &first = products.front();
  std::vector<uint8_t> done(size_t(ceilDiv(first.n, kBlockColumns)), 1);
  parallelFor(int64_t(done.size()), [&](int64_t panel) {
    int64_t begin = panel * kBlockColumns, end = std::min(first.n, begin + kBlockColumns);
    // A panel is read once for all products and all their rows.
    DenseTensor columns = right.block(first.transposeB ? ElementBlock{begin, end, 0, first.k}
                                                       : ElementBlock{0, first.k, begin, end});
    for (const MatrixProduct &product : products)
      for (int64_t row = 0; row < product.m; row += kBlockRows)
        if (!multiplyBlock(library, {&product, row, begin},
                           {columns.floats.data(), first.transposeB ? first.k : end - begin}))
          done[size_t(panel)] = 0;
  });
  return refusal(done);
}

} // namespace tessera::simulator
