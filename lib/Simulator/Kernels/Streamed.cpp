//===- Streamed.cpp - Kernels of large tensors, a part at a time ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each row of the table names ops that have a form in parts, and says when it is
// taken: by shapes alone, so that a plan cannot change it. Blocks are read from pages,
// or drawn, as they are needed, and results are stored some rows at a time.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include "tessera/Simulator/Parallel.h"
#include "tessera/Simulator/Streams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <numeric>

namespace tessera::simulator {

/// A tensor with `elements` lies nowhere: its elements are made when a block is asked for, and again when it is
/// asked for again.
void TensorInMemory::load(const ElementBlock &block, DenseTensor &values) const {
  if (elements)
    elements(block, values);
  else
    map.loadBlock(block, values, bytes);
}

DenseTensor TensorInMemory::block(const ElementBlock &block) const {
  DenseTensor values = DenseTensor::unset(map.descOf(block));
  load(block, values);
  return values;
}

static int64_t widthOf(const TensorDesc &desc) { return desc.shape.empty() ? 1 : desc.shape.back(); }
static int64_t rowsOf(const TensorDesc &desc) {
  return widthOf(desc) == 0 ? 0 : volumeOf(desc.shape) / widthOf(desc);
}

DenseTensor TensorInMemory::whole() const {
  DenseTensor values = DenseTensor::unset(desc);
  if (values.volume() == 0)
    return values;
  if (!elements) {
    map.load(values, bytes);
    return values;
  }
  constexpr int64_t kPart = 1 << 18; // elements: what a core's cache holds
  // Whole rows, as what draws elements is asked for blocks of them.
  int64_t width = widthOf(desc), rows = rowsOf(desc), step = ceilDiv(kPart, width);
  parallelFor(ceilDiv(rows, step), [&](int64_t part) {
    DenseTensor made = block({part * step, std::min(rows, (part + 1) * step), 0, width});
    withElements(made, values, [&](const auto &from, auto &to) {
      std::copy(from.begin(), from.end(), to.begin() + part * step * width);
    });
  });
  return values;
}

/// Of pages as bytes, row by row, so that no element is decoded and it does not matter where the pages lie. Type
/// and kind of pages go in, since the same bytes may mean other elements.
Fingerprint TensorInMemory::fingerprint() const {
  // One hash of all pages' hashes: pages do not follow each other in memory.
  std::vector<uint64_t> prints = {uint64_t(desc.dtype), map.isTiled()};
  map.forEachPageInOrder([&](PageAddress address) {
    llvm::XXH128_hash_t page = llvm::xxh3_128bits(bytes(address));
    prints.insert(prints.end(), {page.low64, page.high64});
  });
  llvm::XXH128_hash_t all = llvm::xxh3_128bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(prints.data()), prints.size() * sizeof(uint64_t)));
  return {all.low64, all.high64};
}

namespace {

/// Elements from which on parts are faster than a whole: what no cache holds.
/// 4 Mi: 16 MB as floats.
constexpr int64_t kLarge = 1 << 22;

bool sameKind(const TensorDesc &a, const TensorDesc &b) {
  return holdsIntegers(a.dtype) == holdsIntegers(b.dtype);
}

// ---- The same rows, elsewhere ----------------------------------------------------------------------------

bool keepsRows(const OpSignature &, llvm::ArrayRef<TensorDesc> operands, const TensorDesc &result) {
  // Whole rows are passed on, so a reshape has to keep their width.
  return volumeOf(result.shape) >= kLarge && volumeOf(operands[0].shape) == volumeOf(result.shape) &&
         widthOf(operands[0]) == widthOf(result) && sameKind(operands[0], result);
}

llvm::Error copyRows(StreamedCall &call) {
  const TensorInMemory &input = call.operands[0];
  bool asDevice = call.arithmetic == Arithmetic::Kernels && isBlockFloat(call.result.desc.dtype);
  call.result.map.storeRows(
      [&](const ElementBlock &rows, DenseTensor &values) {
        input.load(rows, values);
        if (asDevice) // groups lie within rows; what fits the format is written as it is
          packResult(values);
      },
      call.result.bytes);
  return llvm::Error::success();
}

// ---- Matrices that are transposed ------------------------------------------------------------------------

/// Where each dimension of the result comes from.
Shape orderOf(const OpSignature &op, size_t rank) {
  if (op.name == "ttnn.permute")
    return Shape(op.integers("permutation"));
  Shape order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[size_t(dimension(op.integer("dim0", 0), rank))],
            order[size_t(dimension(op.integer("dim1", 0), rank))]);
  return order;
}

/// The last two dimensions change places, and no others.
/// Other permutations are left to the whole kernel: their blocks would be scattered over the operand's pages.
bool transposesMatrices(const OpSignature &op, llvm::ArrayRef<TensorDesc> operands,
                        const TensorDesc &result) {
  size_t rank = operands[0].shape.size();
  if (volumeOf(result.shape) < kLarge || rank < 2 || result.shape.size() != rank ||
      !sameKind(operands[0], result))
    return false;
  Shape order = orderOf(op, rank);
  if (order.size() != rank)
    return false;
  for (size_t dim = 0; dim < rank; ++dim) {
    size_t expected = dim + 2 < rank ? dim : dim + 2 == rank ? rank - 1 : rank - 2;
    if (dimension(order[dim], rank) != int64_t(expected) || result.shape[dim] != operands[0].shape[expected])
      return false;
  }
  return true;
}

llvm::Error transposeByBlocks(StreamedCall &call) {
  const TensorInMemory &input = call.operands[0];
  const Shape &shape = call.result.desc.shape;
  GridShape matrix{shape.rbegin()[1], shape.back()};
  auto read = [&](const ElementBlock &block) { return input.block(block); };
  call.result.map.storeRows(
      [&](const ElementBlock &rows, DenseTensor &values) { transposeBlock(matrix, rows, read, values); },
      call.result.bytes);
  return llvm::Error::success();
}

// ---- Rows of a table -------------------------------------------------------------------------------------

bool gathersRows(const OpSignature &, llvm::ArrayRef<TensorDesc> operands, const TensorDesc &result) {
  // As many rows as the table has would be read one by one where the table is read once.
  return operands.size() >= 2 && volumeOf(operands[1].shape) >= kLarge &&
         volumeOf(result.shape) < volumeOf(operands[1].shape) && !holdsIntegers(operands[1].dtype) &&
         !holdsIntegers(result.dtype) && widthOf(operands[1]) == widthOf(result) &&
         volumeOf(operands[0].shape) == rowsOf(result);
}

llvm::Error gatherRows(StreamedCall &call) {
  const TensorInMemory &table = call.operands[1];
  DenseTensor indices = call.operands[0].whole();
  int64_t tableRows = rowsOf(table.desc), width = widthOf(table.desc);
  // All indices before the first row is stored: an error must not leave half of a result in memory.
  for (int64_t i = 0, end = indices.volume(); i < end; ++i)
    if (llvm::Error error = checkTableRow(indices.indexAt(i), tableRows))
      return error;
  call.result.map.storeRows(
      [&](const ElementBlock &rows, DenseTensor &values) {
        for (int64_t row = rows.rowBegin; row < rows.rowEnd; ++row) {
          int64_t from = indices.indexAt(row);
          DenseTensor found = table.block({from, from + 1, 0, width});
          std::copy_n(found.floats.data(), width, values.floats.data() + (row - rows.rowBegin) * width);
        }
      },
      call.result.bytes);
  return llvm::Error::success();
}

// ---- Products with a large matrix ------------------------------------------------------------------------

/// The second operand is one matrix that is large and wide.
bool multipliesByOne(const OpSignature &, llvm::ArrayRef<TensorDesc> operands, const TensorDesc &result) {
  // Two panels of columns (OneDnn.cpp), one for each of two threads.
  constexpr int64_t kWide = 1024;
  if (operands.size() < 2 || operands[1].shape.size() < 2 || holdsIntegers(operands[0].dtype) ||
      holdsIntegers(operands[1].dtype) || holdsIntegers(result.dtype))
    return false;
  return volumeOf(operands[1].shape) >= kLarge && widthOf(result) >= kWide &&
         volumeOf(llvm::ArrayRef(operands[1].shape).drop_back(2)) == 1;
}

/// The result is dense, too (the last flag of its row): a panel writes columns, and pages are stored by rows.
llvm::Error multiplyByPanels(StreamedCall &call) {
  std::vector<DenseTensor> dense;
  for (auto [number, operand] : llvm::enumerate(call.operands))
    // Operand 1 is the large matrix: it is read by panels of columns, and only its type goes to the kernel.
    dense.push_back(number == 1 ? DenseTensor() : operand.whole());
  dense[1].desc = call.operands[1].desc; // without its elements
  std::vector<const DenseTensor *> operands;
  for (const DenseTensor &operand : dense)
    operands.push_back(&operand);
  KernelCall plain{call.op,
                   call.config,
                   operands,
                   llvm::MutableArrayRef(*call.dense),
                   /*constant=*/nullptr,
                   call.arithmetic,
                   call.launch};
  return runMatmul(plain, &call.operands[1]);
}

using Moves = StreamedKernel::Moves;
// Masks say which operands are dense, a bit each: the indices of an embedding, and all of a product but the large
// matrix.
constexpr StreamedKernel kStreamed[] = {
    {"ttnn.reshape", keepsRows, copyRows, 0, false, Moves::Rows},
    {"ttnn.assign", keepsRows, copyRows, 0, false, Moves::Rows},
    {"ttnn.typecast", keepsRows, copyRows, 0, false, Moves::Rows},
    {"ttnn.to_layout", keepsRows, copyRows, 0, false, Moves::Rows},
    {"ttnn.to_memory_config", keepsRows, copyRows, 0, false, Moves::Rows},
    {"ttnn.to_tensor_spec", keepsRows, copyRows, 0, false, Moves::Rows},
    {"ttnn.to_device", keepsRows, copyRows, 0, false, Moves::Rows},
    {"ttnn.from_device", keepsRows, copyRows, 0, false, Moves::Rows},
    {"ttnn.permute", transposesMatrices, transposeByBlocks, 0, false, Moves::TransposedMatrices},
    {"ttnn.transpose", transposesMatrices, transposeByBlocks, 0, false, Moves::TransposedMatrices},
    {"ttnn.embedding", gathersRows, gatherRows, 0b01},
    {"ttnn.matmul", multipliesByOne, multiplyByPanels, 0b101, true},
    {"ttnn.linear", multipliesByOne, multiplyByPanels, 0b101, true},
};

} // namespace

/// Fills `block` of the transposed tensor, whose matrices are `matrix` (rows x columns of the result), one below
/// the other; `read` gives blocks of the other tensor.
void transposeBlock(GridShape matrix, const ElementBlock &block,
                    llvm::function_ref<DenseTensor(const ElementBlock &)> read, DenseTensor &values) {
  constexpr int64_t kRows = 2048; // of the other tensor at a time, as many as a core's cache holds
  for (int64_t row = block.rowBegin, end = 0; row < block.rowEnd; row = end) {
    // A block may reach over several matrices, each of which is transposed by itself.
    int64_t number = row / matrix.rows, from = row - number * matrix.rows;
    end = std::min(block.rowEnd, (number + 1) * matrix.rows);
    int64_t rows = end - row;
    for (int64_t begin = block.columnBegin; begin < block.columnEnd; begin += kRows) {
      int64_t count = std::min(kRows, block.columnEnd - begin), first = number * matrix.columns + begin;
      DenseTensor columns = read({first, first + count, from, from + rows});
      int64_t place = (row - block.rowBegin) * block.columns() + begin - block.columnBegin;
      withElements(columns, values, [&](const auto &elements, auto &made) {
        transposeInto(elements.data(), made.data() + place, rows, count, block.columns());
      });
    }
  }
}

bool isLarge(const TensorDesc &desc) { return volumeOf(desc.shape) >= kLarge; }

/// nullptr: the op runs on whole tensors. An op has at most one row, so that the first of its name decides.
const StreamedKernel *findStreamedKernel(const OpSignature &op, llvm::ArrayRef<TensorDesc> operands,
                                         llvm::ArrayRef<TensorDesc> results) {
  const auto *found =
      llvm::find_if(kStreamed, [&](const StreamedKernel &row) { return row.name == op.name; });
  bool applies = found != std::end(kStreamed) && !operands.empty() && results.size() == 1 &&
                 found->applies(op, operands, results.front());
  return applies ? found : nullptr;
}

} // namespace tessera::simulator
