//===- Cache.cpp - Keys and values that are written in place --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Caches are B x K x S x D. The result of a call is the cache as it was.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

namespace tessera::simulator {

namespace {

/// Writes rows of D elements into the cache that is a call's result.
class CacheWriter {
public:
  explicit CacheWriter(KernelCall &call) : cache(call.result()), input(call.operand(1)) {}

  /// Error if the ranks are not 4, or the last extents differ.
  llvm::Error check() const {
    bool fits = cache.rank() == 4 && input.rank() == 4 && cache.shape()[3] == input.shape()[3] &&
                cache.isInteger() == input.isInteger();
    return fits ? llvm::Error::success() : failure("cache and input do not fit");
  }

  /// The row at `from` of the input, counted in rows, goes to that place of the cache.
  llvm::Error write(int64_t from, int64_t batch, int64_t head, int64_t position) {
    if (batch < 0 || batch >= cache.shape()[0] || head >= cache.shape()[1] || position < 0 ||
        position >= cache.shape()[2])
      return failure("entry " + llvm::Twine(batch) + ", position " + llvm::Twine(position) + " of a cache " +
                     describe(cache.desc));
    int64_t width = cache.shape()[3], to = (batch * cache.shape()[1] + head) * cache.shape()[2] + position;
    withElements(input, cache, [&](const auto &source, auto &target) {
      std::copy_n(source.begin() + from * width, width, target.begin() + to * width);
    });
    return llvm::Error::success();
  }

  DenseTensor &cache;
  const DenseTensor &input; ///< keys or values
};

/// Input B' x K x S' x D goes to the first positions of batch entries from batch_offset on.
llvm::Error runFillCache(KernelCall &call) {
  CacheWriter writer(call);
  if (llvm::Error error = writer.check())
    return error;
  llvm::ArrayRef<int64_t> shape = writer.input.shape();
  int64_t offset = call.op.integer("batch_offset", 0);
  for (int64_t row = 0, rows = shape[0] * shape[1] * shape[2]; row < rows; ++row)
    if (llvm::Error error = writer.write(row, offset + row / (shape[1] * shape[2]), row / shape[2] % shape[1],
                                         row % shape[2]))
      return error;
  return llvm::Error::success();
}

/// Input 1 x K x B x D goes to one position of all batch entries.
llvm::Error runUpdateCache(KernelCall &call) {
  CacheWriter writer(call);
  if (llvm::Error error = writer.check())
    return error;
  llvm::ArrayRef<int64_t> shape = writer.input.shape();
  if (call.operand(2).volume() < 1)
    return failure("there is no position");
  int64_t position = call.operand(2).indexAt(0);
  int64_t offset = call.op.integer("batch_offset", 0);
  for (int64_t head = 0; head < writer.cache.shape()[1]; ++head)
    // The offset is one of the input: entries before it are left out.
    for (int64_t batch = 0; batch < std::min(writer.cache.shape()[0], shape[2] - offset); ++batch)
      if (llvm::Error error = writer.write(head * shape[2] + offset + batch, batch, head, position))
        return error;
  return llvm::Error::success();
}

/// Block and position of a user's position in a paged cache.
std::pair<int64_t, int64_t> pagedPlace(const DenseTensor &table, int64_t user, int64_t position,
                                       int64_t block) {
  int64_t blocks = table.shape().back();
  // Block -1 is none: the writer refuses it.
  if (block == 0 || position < 0 || position / block >= blocks || user < 0 || user >= table.volume() / blocks)
    return {-1, 0};
  return {table.indexAt(user * blocks + position / block), position % block};
}

/// Input 1 x B x K x D goes to one position per user; users at -1 are left out.
llvm::Error runPagedUpdateCache(KernelCall &call) {
  CacheWriter writer(call);
  if (llvm::Error error = writer.check())
    return error;
  llvm::ArrayRef<int64_t> shape = writer.input.shape();
  const DenseTensor &positions = call.operand(2);
  if (positions.volume() < shape[1])
    return failure("there are fewer positions than users");
  for (int64_t user = 0; user < shape[1]; ++user) {
    int64_t position = positions.indexAt(user);
    if (position == -1)
      continue;
    // Without a page table each user has an entry of the cache.
    std::pair<int64_t, int64_t> place(user, position);
    if (call.operands.size() > 3)
      place = pagedPlace(call.operand(3), user, position, writer.cache.shape()[2]);
    // The input may have more heads, which fill its tiles: those that the cache has are written.
    for (int64_t head = 0; head < std::min(shape[2], writer.cache.shape()[1]); ++head)
      if (llvm::Error error = writer.write(user * shape[2] + head, place.first, head, place.second))
        return error;
  }
  return llvm::Error::success();
}

/// Input B' x K x S x D goes to the blocks of its users, the first of which is batch_idx_tensor's or 0.
llvm::Error runPagedFillCache(KernelCall &call) {
  CacheWriter writer(call);
  if (llvm::Error error = writer.check())
    return error;
  llvm::ArrayRef<int64_t> shape = writer.input.shape();
  for (int64_t row = 0, rows = shape[0] * shape[1] * shape[2]; row < rows; ++row) {
    // Rows go through users, heads and positions, the last fastest.
    int64_t entry = row / (shape[1] * shape[2]);
    int64_t user = call.operands.size() > 3 ? call.operand(3).indexAt(entry) : entry;
    auto [block, position] = pagedPlace(call.operand(2), user, row % shape[2], writer.cache.shape()[2]);
    if (llvm::Error error = writer.write(row, block, row / shape[2] % shape[1], position))
      return error;
  }
  return llvm::Error::success();
}

const KernelRow kCache[] = {{"ttnn.fill_cache", runFillCache, nullptr, true},
                            {"ttnn.update_cache", runUpdateCache, nullptr, true},
                            {"ttnn.paged_update_cache", runPagedUpdateCache, nullptr, true},
                            {"ttnn.paged_fill_cache", runPagedFillCache, nullptr, true}};

} // namespace

llvm::ArrayRef<KernelRow> cacheKernels() { return kCache; }

} // namespace tessera::simulator
