//===- WeightWriter.cpp - One weight, from checkpoint to tensor file ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Tiles of a file go row by row. A matrix that is transposed is read in stripes
// of 32 of its columns, each of which gives one tile to many rows of tiles; so
// as many rows of tiles as memory allows are filled at a time (a band):
//
//        checkpoint                    file
//      +-----------+  stripe       +--+--+--+--+
//      |###########|               |# |  |  |  |  band: tiles of
//      +-----------+   ------>     |# |  |  |  |  all columns
//      |           |               +--+--+--+--+
//      |           |               |  |  |  |  |
//
//===----------------------------------------------------------------------===//
#include "WeightWriter.h"

#include "tessera/Layout/BlockFloat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

#include <bit>
#include <map>

using namespace tessera;
using namespace tessera::runner;

namespace {

std::vector<int64_t> shapeOf(const WeightTensor &tensor, const Shard &shard) {
  std::vector<int64_t> shape = {1, shard.batch, shard.height, shard.width};
  return {shape.end() - tensor.rank, shape.end()};
}

int64_t dimOf(ShardBy by, unsigned rank) {
  return by == ShardBy::Nothing ? -1
                                : int64_t(rank) - (by == ShardBy::Batch    ? 3
                                                   : by == ShardBy::Height ? 2
                                                                           : 1);
}

/// The distinct shards, in the order of the devices that have them first.
std::vector<Shard> storedShards(const WeightTensor &tensor, GridShape mesh, std::vector<uint32_t> &stored) {
  std::vector<Shard> distinct;
  std::map<Shard, uint32_t> seen;
  for (const Shard &shard : shardsOf(tensor, mesh)) {
    auto [at, added] = seen.try_emplace(shard, uint32_t(distinct.size()));
    if (added)
      distinct.push_back(shard);
    stored.push_back(at->second);
  }
  return distinct;
}

/// Prints the data of one file, shard by shard, in the order in which storedShards() has them: that is the order of the
/// numbers in the header's `stored`, which says which device reads which.
class Writer {
public:
  Writer(const WeightTensor &tensor, const Checkpoint &checkpoint, ScaleBlock block, uint64_t memory,
         llvm::raw_ostream &os)
      : tensor(tensor), checkpoint(checkpoint), block(block), memory(memory), os(os) {}

  llvm::Error write(const Shard &shard) {
    for (int64_t i = 0; i != shard.batch; ++i)
      if (llvm::Error error = writeMatrix(shard, shard.batchBegin + i))
        return error;
    return llvm::Error::success();
  }

private:
  static constexpr int64_t kTileBytes = kTile * kTile;

  llvm::Error writeMatrix(const Shard &shard, int64_t index) {
    // Without a source (the routed experts' scale, say) all elements have one value.
    if (tensor.matrices.empty()) {
      std::vector<float> row(shard.width, float(tensor.constant));
      for (int64_t i = 0; i != shard.height; ++i)
        writeRow(row);
      return llvm::Error::success();
    }
    llvm::Expected<SourceMatrix> matrix =
        SourceMatrix::open(checkpoint, tensor.matrices[index], sourceColumns(tensor), block);
    if (!matrix)
      return matrix.takeError();
    return tensor.layout == PageLayout::RowMajor ? writeRows(*matrix, shard) : writeTiles(*matrix, shard);
  }

  llvm::Error notFinite(const SourceMatrix &matrix) {
    // A NaN would spread to every output of the model, and a packed block with one has no defined exponent.
    return llvm::createStringError(matrix.describeNotFinite(stripe));
  }

  // ---- Row-major ----
  void writeRow(llvm::ArrayRef<float> numbers) {
    row.resize(numbers.size() * scalarBytes(tensor.type).value());
    // Row-major weights are bf16 or f32; block floats are refused where the type is chosen.
    for (auto [i, number] : llvm::enumerate(numbers))
      if (tensor.type == DataType::BFloat16)
        llvm::support::endian::write16le(row.data() + 2 * i, toBFloat16(number));
      else
        llvm::support::endian::write32le(row.data() + 4 * i, std::bit_cast<uint32_t>(number));
    os.write(row.data(), row.size());
  }

  llvm::Error writeRows(const SourceMatrix &matrix, const Shard &shard) {
    std::vector<float> numbers(shard.width);
    for (int64_t begin = 0; begin < shard.height; begin += kTile) {
      int64_t rows = std::min(kTile, shard.height - begin);
      if (llvm::Error error =
              matrix.read(shard.rowBegin + begin, rows, shard.columnBegin, shard.width, stripe))
        return error;
      for (int64_t i = 0; i != rows; ++i) {
        if (!matrix.row(stripe, i, numbers.data()))
          return notFinite(matrix);
        writeRow(numbers);
      }
    }
    return llvm::Error::success();
  }

  // ---- Tiles ----
  llvm::Error writeTiles(const SourceMatrix &matrix, const Shard &shard) {
    int64_t size = tileBytes(tensor.type).value();
    tileRows = ceilDiv(shard.height, kTile), tileColumns = ceilDiv(shard.width, kTile);
    // Each row of tiles costs its bytes, and 32 columns of a stripe if those are the rows of tiles.
    int64_t rowBytes = tileColumns * size + (tensor.transposed ? kTileBytes * int64_t(sizeof(float)) : 0);
    int64_t bandRows = std::clamp<int64_t>(int64_t(memory) / rowBytes, 1, tileRows);
    for (int64_t begin = 0; begin < tileRows; begin += bandRows) {
      int64_t count = std::min(bandRows, tileRows - begin);
      band.resize(count * tileColumns * size);
      if (llvm::Error error = tensor.transposed ? fillTransposed(matrix, shard, begin, count)
                                                : fill(matrix, shard, begin, count))
        return error;
      os.write(reinterpret_cast<const char *>(band.data()), band.size());
    }
    return llvm::Error::success();
  }

  /// Packs all tiles of the stripe. A tile's place in the band is its number times `step` from `first` on.
  llvm::Error packStripe(const SourceMatrix &matrix, int64_t first, int64_t step) {
    float numbers[kTileBytes];
    int64_t size = tileBytes(tensor.type).value();
    for (int64_t i = 0; i * kTile < stripe.columns; ++i) {
      if (!matrix.tile(stripe, i * kTile, tensor.transposed, numbers))
        return notFinite(matrix);
      packTile(tensor.type, numbers, band.data() + (first + i * step) * size);
    }
    return llvm::Error::success();
  }

  llvm::Error fillTransposed(const SourceMatrix &matrix, const Shard &shard, int64_t begin, int64_t count) {
    int64_t from = begin * kTile, elements = std::min(count * kTile, shard.height - from);
    // Each stripe of the checkpoint is read once for the whole band: 32 of its columns run through all rows of tiles.
    for (int64_t column = 0; column != tileColumns; ++column) {
      int64_t rows = std::min(kTile, shard.width - column * kTile);
      if (llvm::Error error =
              matrix.read(shard.columnBegin + column * kTile, rows, shard.rowBegin + from, elements, stripe))
        return error;
      if (llvm::Error error = packStripe(matrix, column, tileColumns))
        return error;
    }
    return llvm::Error::success();
  }

  llvm::Error fill(const SourceMatrix &matrix, const Shard &shard, int64_t begin, int64_t count) {
    for (int64_t row = 0; row != count; ++row) {
      int64_t from = (begin + row) * kTile;
      if (llvm::Error error = matrix.read(shard.rowBegin + from, std::min(kTile, shard.height - from),
                                          shard.columnBegin, shard.width, stripe))
        return error;
      if (llvm::Error error = packStripe(matrix, row * tileColumns, 1))
        return error;
    }
    return llvm::Error::success();
  }

  const WeightTensor &tensor;
  const Checkpoint &checkpoint;
  ScaleBlock block;
  uint64_t memory;
  llvm::raw_ostream &os;
  int64_t tileRows = 0, tileColumns = 0;
  SourceMatrix::Stripe stripe;
  std::vector<uint8_t> band;
  std::vector<char> row;
};

} // namespace

int64_t runner::sourceColumns(const WeightTensor &tensor) {
  return tensor.transposed ? tensor.height : tensor.width;
}

TensorHeader runner::headerOf(const WeightTensor &tensor, GridShape mesh) {
  TensorHeader header;
  Shard first = storedShards(tensor, mesh, header.stored).front();
  header.shape = shapeOf(tensor, first);
  header.type = tensor.type;
  header.layout = tensor.layout;
  header.memory = tensor.memory;
  header.mesh = mesh;
  header.rowDim = dimOf(tensor.rows, tensor.rank);
  header.columnDim = dimOf(tensor.columns, tensor.rank);
  header.shardBytes = bytesOfShard(header.shape, header.type, header.layout);
  return header;
}

uint64_t runner::fileBytes(const WeightTensor &tensor, GridShape mesh) {
  TensorHeader header = headerOf(tensor, mesh);
  return encodeHeader(header).size() + header.offsetOf(header.storedCount());
}

uint64_t runner::sourceBytes(const WeightTensor &tensor, const Checkpoint &checkpoint) {
  uint64_t bytes = 0;
  for (const std::vector<SourceRows> &parts : tensor.matrices)
    for (const SourceRows &part : parts)
      if (const SourceTensor *source = checkpoint.find(part.tensor))
        bytes += part.count * sourceColumns(tensor) * bytesOf(source->type);
  return bytes;
}

llvm::Error runner::writeWeight(const WeightTensor &tensor, GridShape mesh, const Checkpoint &checkpoint,
                                ScaleBlock block, uint64_t memory, llvm::raw_ostream &os) {
  TensorHeader header = headerOf(tensor, mesh);
  os << encodeHeader(header);
  Writer writer(tensor, checkpoint, block, memory, os);
  std::vector<uint32_t> stored;
  for (const Shard &shard : storedShards(tensor, mesh, stored)) {
    if (llvm::Error error = writer.write(shard))
      return error;
    // The next shard begins at a multiple of 8 bytes (TensorHeader::offsetOf).
    os.write_zeros(alignUp(int64_t(header.shardBytes), 8) - header.shardBytes);
  }
  return llvm::Error::success();
}
