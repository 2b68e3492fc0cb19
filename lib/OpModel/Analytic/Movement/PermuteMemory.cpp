//===- PermuteMemory.cpp - Circular buffers of permute and transpose -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// tt-metal 0.77: data_movement/{permute,transpose}. Tensors have four dimensions
// there, N C H W. Three exchanges have kernels of their own: of W and H, of H and
// C, of C and N. All else is one general kernel, or, of shards, several exchanges
// one after the other.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "Permute.h"
#include "Reshape.h"

#include <numeric>

namespace tessera::analytic {
namespace {

using Order = llvm::SmallVector<int64_t, 6>;

/// What becomes of at least four dimensions; missing ones lead.
Order orderOf(const OpCall &call) {
  size_t rank = call.in[0].rank(), missing = rank < 4 ? 4 - rank : 0;
  Order order(rank + missing), turned;
  std::iota(order.begin(), order.end(), 0);
  llvm::ArrayRef<int64_t> given = call.op().integers("permutation");
  if (!call.op().attribute("permutation"))
    given = turned = orderOfTranspose(call);
  for (size_t i = 0; i < given.size(); ++i)
    order[missing + i] = int64_t(missing) + given[i];
  return order;
}

/// The permutation leaves the order of the dimensions larger than 1 alone, and the tiled ones in place. Since 2026 dimensions that
/// move must be 1 themselves.
bool permutationMovesNothing(const OpCall &call) {
  const TensorRef &in = call.in[0];
  llvm::ArrayRef<int64_t> order = call.op().integers("permutation");
  int64_t last = -1;
  for (size_t i = 0; i < order.size(); ++i) {
    int64_t d = order[i];
    if (in.dim(d) == 1 && (!answersAsNewest(call) || in.dim(int64_t(i)) == 1))
      continue;
    if (d < last || (answersAsNewest(call) && d != int64_t(i)))
      return false;
    last = d;
  }
  size_t kept = in.tiled() ? 2 : 1, rank = order.size();
  bool identity = std::is_sorted(order.begin(), order.end());
  for (size_t i = rank > kept ? rank - kept : 0; i < rank && !identity; ++i)
    // Within tiles (or a row) nothing may move, be it of one element: such a dimension has padding there.
    if (order[i] != int64_t(i))
      return false;
  return true;
}

enum class Exchange : uint8_t { WidthHeight, HeightChannels, ChannelsBatch, General };

Exchange exchangeOf(llvm::ArrayRef<int64_t> order) {
  auto is = [&](std::initializer_list<int64_t> other) {
    return order.equals(llvm::ArrayRef<int64_t>(other));
  };
  if (is({0, 1, 3, 2}))
    return Exchange::WidthHeight;
  if (is({0, 2, 1, 3}))
    return Exchange::HeightChannels;
  return is({1, 0, 2, 3}) ? Exchange::ChannelsBatch : Exchange::General;
}

/// The exchanges that the permutation of a sharded tensor is made of: three at most.
llvm::SmallVector<Exchange, 3> exchangesOf(llvm::ArrayRef<int64_t> order) {
  auto is = [&](std::initializer_list<int64_t> other) {
    return order.equals(llvm::ArrayRef<int64_t>(other));
  };
  // From N C H W, one neighbour at a time: N H C W, then N H W C.
  if (is({0, 2, 3, 1}))
    return {Exchange::HeightChannels, Exchange::WidthHeight};
  // N C W H, then N W C H.
  if (is({0, 3, 1, 2}))
    return {Exchange::WidthHeight, Exchange::HeightChannels};
  // N C W H, N W C H, N W H C: no two exchanges do it.
  if (is({0, 3, 2, 1}))
    return {Exchange::WidthHeight, Exchange::HeightChannels, Exchange::WidthHeight};
  return {exchangeOf(order)};
}

// ---- Where results lie ----------------------------------------------------------------------------------

GridShape shardElements(const TensorRef &tensor) {
  GridShape shard = tensor.layout->shard;
  return tensor.tiled() ? GridShape{shard.rows * 32, shard.columns * 32} : shard;
}
GridShape extentOf(const TensorRef &tensor) { return physicalShape(*tensor.layout, tensor.desc->shape); }
int64_t paddedHeight(const TensorRef &tensor) {
  return tensor.tiled() ? alignUp(tensor.height, 32) : tensor.height;
}

/// Kernels that work shard by shard take full shards in L1 that are no blocks, row-major ones of as many elements as make up tiles.
bool worksOnShards(const TensorRef &tensor) {
  if (!tensor.sharded() || !tensor.l1() || tensor.shardedAs(MemoryLayout::BlockSharded))
    return false;
  return tensor.tiled() || shardElements(tensor).volume() % 1024 == 0;
}
bool evenlySharded(const TensorRef &tensor) {
  GridShape shard = shardElements(tensor), extent = extentOf(tensor);
  return extent.rows % shard.rows == 0 && extent.columns % shard.columns == 0;
}

/// The shard scaled as the tensor is, if that comes out even, in whole tiles if tiled.
std::optional<TensorLayout> scaled(const OpCall &call, const TensorRef &from, const TensorDesc &to) {
  TensorLayout layout = withTensor(*from.layout, to, call.device().workerGrid);
  GridShape shard = shardElements(from), before = extentOf(from), after = physicalShape(layout, to.shape);
  // A shard of 64 x 128 of a tensor of 256 x 128 that becomes 512 x 64 is 128 x 64. Multiplied first, so that nothing
  // is rounded before it is known to divide.
  int64_t rows = shard.rows * after.rows, columns = shard.columns * after.columns;
  if (rows % before.rows != 0 || columns % before.columns != 0)
    return std::nullopt;
  int64_t unit = from.tiled() ? 32 : 1;
  layout.shard = {rows / before.rows / unit, columns / before.columns / unit};
  if (rows / before.rows % unit != 0 || columns / before.columns % unit != 0)
    return std::nullopt;
  return layout;
}

/// Sharded anew in whole tiles over all cores, of which only those that then hold something are kept.
TensorLayout spreadOut(const OpCall &call, const TensorRef &from, const TensorDesc &to) {
  GridShape worker = call.device().workerGrid;
  GridShape extent = physicalShape(withTensor(*from.layout, to, worker), to.shape), shard = extent;
  bool heights = from.shardedAs(MemoryLayout::HeightSharded),
       widths = from.shardedAs(MemoryLayout::WidthSharded);
  auto part = [](int64_t length, int64_t cores) { return alignUp(ceilDiv(length, cores), 32); };
  // Since October 2026 also in the direction that is not shared out (asked of ttnn 0.81.1).
  if (!widths)
    shard.rows = part(extent.rows, heights ? worker.volume() : worker.rows);
  else if (answersAsOctober2026(call))
    shard.rows = alignUp(extent.rows, 32);
  if (!heights)
    shard.columns = part(extent.columns, widths ? worker.volume() : worker.columns);
  else if (answersAsOctober2026(call))
    shard.columns = alignUp(extent.columns, 32);
  // Whole tiles for each may leave the last cores without any.
  GridShape grid{ceilDiv(extent.rows, shard.rows), ceilDiv(extent.columns, shard.columns)};
  TensorLayout layout = l1Sharded(to, *from.layout->memory, grid, worker, from.layout->page);
  layout.shard = from.tiled() ? GridShape{shard.rows / 32, shard.columns / 32} : shard;
  return layout;
}

TensorLayout exchangedLayout(const OpCall &call, const TensorRef &from, const TensorDesc &to,
                             Exchange exchange) {
  GridShape worker = call.device().workerGrid;
  if (!from.sharded())
    return withTensor(*from.layout, to, worker);
  bool native = exchange != Exchange::General && worksOnShards(from) && evenlySharded(from);
  // Rows of one matrix become its columns, shard by shard.
  if (native && exchange == Exchange::WidthHeight && from.batch == 1 &&
      shardElements(from).columns == extentOf(from).columns)
    return l1Sharded(to, MemoryLayout::WidthSharded, {1, from.shardCores()}, worker, from.layout->page);
  if (std::optional<TensorLayout> layout = scaled(call, from, to))
    return *layout;
  return native ? l1Interleaved(to, worker, from.layout->page) : spreadOut(call, from, to);
}

TensorDesc exchangedDesc(const TensorDesc &desc, Exchange exchange) {
  TensorDesc result = desc;
  size_t rank = desc.shape.size();
  size_t first = exchange == Exchange::WidthHeight      ? rank - 2
                 : exchange == Exchange::HeightChannels ? rank - 3
                                                        : rank - 4;
  std::swap(result.shape[first], result.shape[first + 1]);
  return result;
}

// ---- Kernels --------------------------------------------------------------------------------------------

/// Bytes of a tile, or of 32 x 32 elements of a row-major tensor.
int64_t blockBytes(const TensorRef &tensor) { return tensor.tiled() ? tensor.tile : 32 * 32 * tensor.scalar; }

/// Blocks of 32 x 32 elements of rows: read, turned, written.
void turnBlocks(MemoryUse &use, const TensorRef &in) {
  use.buffer("blocks in, in tiles and out", 6, 32 * 32 * in.scalar);
}

bool exchangesInShards(const TensorRef &in, const TensorRef &out) {
  if (!worksOnShards(in) || !evenlySharded(in) || !worksOnShards(out) ||
      in.layout->cores != out.layout->cores)
    return false;
  GridShape from = shardElements(in), to = shardElements(out);
  bool wholeRows = from.columns == extentOf(in).columns;
  // Either a shard holds whole matrices before and after, or a single matrix is cut between rows before and between
  // columns after.
  bool matrices = wholeRows && from.rows % paddedHeight(in) == 0 && to.columns == extentOf(out).columns &&
                  to.rows % paddedHeight(out) == 0;
  return matrices || (in.batch == 1 && wholeRows && to.rows == paddedHeight(out));
}

/// Of a row-major shard a whole matrix is turned into tiles and back, in `high` x `wide` of them, if there is room.
void turnMatrix(const OpCall &call, MemoryUse &use, const TensorRef &in, const TensorRef &out) {
  int64_t high = ceilDiv(in.height, 32), wide = ceilDiv(in.width, 32), tile = blockBytes(in);
  // The library's own condition, which does not ask what else lies in L1.
  if ((2 * 32 * (wide + high) + high * wide * 1024) * in.scalar > call.usableL1())
    return turnBlocks(use, in);
  bool inShards = exchangesInShards(in, out);
  use.buffer("rows in", 2 * wide, tile);
  use.buffer("matrix in tiles", high * wide, tile);
  // Shards have buffers behind only if a column of tiles is too long for one step. Since October 2026 the kernel for others has no second one.
  int64_t behind = !inShards && answersAsOctober2026(call) ? 2 : 3;
  use.buffer("columns and rows out", inShards && high <= 8 ? 0 : behind * high, tile);
}

void exchangeWidthHeight(const OpCall &call, MemoryUse &use, const TensorRef &in, const TensorRef &out) {
  if (in.rowMajor())
    return in.sharded() ? turnMatrix(call, use, in, out) : turnBlocks(use, in);
  if (!exchangesInShards(in, out))
    use.buffer("operand and result", 4, in.tile);
}

/// Each core collects the rows of its shard of the result.
bool collectsRows(const TensorRef &in, const TensorRef &out) {
  return worksOnShards(in) && evenlySharded(in) && worksOnShards(out) &&
         in.layout->cores == out.layout->cores && shardElements(in).columns == in.width &&
         shardElements(out).columns == out.width;
}

void exchangeHeightChannels(const OpCall &call, MemoryUse &use, const TensorRef &in, const TensorRef &out) {
  if (in.tiled()) {
    use.buffer("operand", 2, in.tile);
    // A face of padding for the height of the result.
    return use.buffer("padding", out.height % 32 != 0, 16 * 16 * (isBlockFloat(in.dtype()) ? 1 : in.scalar));
  }
  // Where either side is in DRAM its larger alignment holds for both, as rows pass one buffer. Rows in shards are as long as these together.
  int64_t shard = in.sharded() ? in.layout->shard.columns * in.scalar : in.rowBytes();
  int64_t row =
      alignUp(alignUp(in.rowBytes(), shard),
              (in.dram() || out.dram() ? call.device().dramAlignment : call.device().l1Alignment).value());
  if (!in.sharded())
    return use.buffer("rows", 2,
                      alignUp(in.rowBytes(),
                              (in.dram() ? call.device().dramAlignment : call.device().l1Alignment).value()));
  use.buffer("rows", collectsRows(in, out) ? 0 : ceilDiv(in.rows(), call.cores()), row);
}

void alignedRows(const OpCall &call, MemoryUse &use, const TensorRef &in) {
  int64_t alignment = (in.dram() ? call.device().dramAlignment : call.device().l1Alignment).value();
  use.buffer("rows", 2, alignUp(in.rowBytes(), alignment));
}

void exchangeChannelsBatch(const OpCall &call, MemoryUse &use, const TensorRef &in) {
  if (in.tiled())
    return use.buffer("tiles", 2, in.tile);
  // Rows of shards pass as they are, of which the general kernel makes no difference.
  in.sharded() ? use.buffer("rows", 2, in.rowBytes()) : alignedRows(call, use, in);
}

/// Tiles of which the last two dimensions stay, or change places; of which one goes elsewhere; or both.
void generalKernel(const OpCall &call, MemoryUse &use, const TensorRef &in, const TensorRef &out,
                   llvm::ArrayRef<int64_t> order) {
  int64_t rank = int64_t(order.size()), last = order[size_t(rank) - 1], second = order[size_t(rank) - 2];
  if (in.rowMajor() && last == rank - 1)
    return alignedRows(call, use, in);
  if (in.rowMajor())
    return turnBlocks(use, in);
  // The last two stay the last two, in whichever order, if their numbers add up to those of rank - 1 and rank - 2: no
  // other two do.
  bool both = last < rank - 2, stay = last + second == 2 * rank - 3;
  // Lines of a face are read alone: tiles leave room to shift them from where DRAM can be read.
  int64_t element = isBlockFloat(in.dtype()) ? 1 : in.scalar;
  int64_t shift =
      in.dram() && both ? std::max<int64_t>(0, call.device().dramAlignment.value() - 16 * element) : 0;
  use.buffer("operand", both ? 6 : 2, in.tile + shift);
  use.buffer("turned tiles", !both && last == rank - 2 ? 2 : 0, in.tile);
  use.buffer("padding row", !stay && out.height % 32 != 0, 16 * element);
}

void kernel(const OpCall &call, MemoryUse &use, const TensorRef &in, const TensorRef &out, Exchange exchange,
            llvm::ArrayRef<int64_t> order) {
  use.program("permute");
  switch (exchange) {
  case Exchange::WidthHeight:
    return exchangeWidthHeight(call, use, in, out);
  case Exchange::HeightChannels:
    return exchangeHeightChannels(call, use, in, out);
  case Exchange::ChannelsBatch:
    return exchangeChannelsBatch(call, use, in);
  case Exchange::General:
    return generalKernel(call, use, in, out, order);
  }
}

// ---- The whole op ---------------------------------------------------------------------------------------

/// A tensor on the way, which owns what a TensorRef refers to.
struct OnTheWay {
  OnTheWay(TensorDesc tensor, TensorLayout where)
      : desc(std::move(tensor)), layout(std::move(where)), ref(makeTensorRef(desc, &layout)) {}
  // `ref` points into the object itself.
  OnTheWay(const OnTheWay &) = delete;
  TensorDesc desc;
  TensorLayout layout;
  TensorRef ref;
};

OnTheWay fourDimensional(const OpCall &call, const TensorRef &tensor) {
  TensorDesc desc = *tensor.desc;
  while (desc.shape.size() < 4)
    desc.shape.insert(desc.shape.begin(), 1);
  // Ones in front change no byte, but would have shards cut anew: the operand's stay.
  TensorLayout layout = withTensor(*tensor.layout, desc, call.device().workerGrid);
  layout.shard = tensor.layout->shard;
  layout.cores = tensor.layout->cores;
  return {desc, layout};
}

/// A tensor's placement for a type of which tiles have 2048 bytes.
TensorLayout converted(TensorLayout layout) {
  layout.dtype = DataType::BFloat16;
  return layout;
}

OnTheWay converted(const TensorRef &tensor) {
  TensorDesc desc = *tensor.desc;
  desc.dtype = DataType::BFloat16;
  return {desc, converted(*tensor.layout)};
}

void convertBlockFloats(MemoryUse &use, const TensorRef &in) {
  use.program("convert");
  use.buffer("tiles in", 2, in.tile);
  use.buffer("tiles out", 2, 2048);
}

/// Block floats of 8 bits alone are converted to bfloat16 for what their kernels do not turn; those of 4 bits are turned as they are (asked of
/// ttnn 0.77.0 and 0.81.1).
bool isConverted(const TensorRef &tensor) { return tensor.dtype() == DataType::BFP_BFloat8; }

/// One exchange of shards or the kernel of all else. Returns what it made beside its result: an exchange of H and C converts block floats to
/// bfloat16 and back.
llvm::SmallVector<MemoryUse::Made, 2> exchangeOnce(const OpCall &call, MemoryUse &use, const TensorRef &in,
                                                   const TensorRef &out, Exchange exchange,
                                                   llvm::ArrayRef<int64_t> order) {
  if (!isConverted(in) || exchange != Exchange::HeightChannels) {
    kernel(call, use, in, out, exchange, order);
    return {};
  }
  convertBlockFloats(use, in);
  const OnTheWay from = converted(in), to = converted(out);
  MemoryUse::Made before = use.make(call.perCore(from.ref));
  kernel(call, use, from.ref, to.ref, exchange, order);
  return {before, use.make(call.perCore(to.ref))};
}

/// Row-major shards that cut rows, of a tensor not in whole tiles, are made interleaved before each exchange.
bool unshardsFirst(const TensorRef &in) {
  return in.rowMajor() && in.sharded() && !in.shardedAs(MemoryLayout::HeightSharded) && endsInsideTile(in);
}

/// The interleaved copy takes the tensor's place.
MemoryUse::Made unshard(const OpCall &call, MemoryUse &use, OnTheWay &tensor) {
  int64_t bytes = unshardedBytes(call, tensor.ref);
  tensor.layout = l1Interleaved(tensor.desc, call.device().workerGrid, PageLayout::RowMajor);
  tensor.ref = makeTensorRef(tensor.desc, &tensor.layout);
  return use.make(bytes);
}

/// One exchange after the other; `between` is what lies between.
void runExchanges(const OpCall &call, MemoryUse &use, const TensorRef &in, const TensorRef &out,
                  llvm::ArrayRef<Exchange> exchanges, llvm::ArrayRef<int64_t> order,
                  llvm::SmallVectorImpl<MemoryUse::Made> &between) {
  if (exchanges.size() == 1) {
    exchangeOnce(call, use, in, out, exchanges.front(), order);
    return;
  }
  TensorDesc desc = exchangedDesc(*in.desc, exchanges.front());
  OnTheWay next(desc, exchangedLayout(call, in, desc, exchanges.front()));
  llvm::SmallVector<MemoryUse::Made, 2> conversions =
      exchangeOnce(call, use, in, next.ref, exchanges.front(), order);
  // Kept by the caller: when they are freed depends on what follows the last exchange.
  between.push_back(use.make(call.perCore(next.ref)));
  for (MemoryUse::Made conversion : conversions)
    use.free(conversion);
  if (unshardsFirst(next.ref))
    between.push_back(unshard(call, use, next));
  runExchanges(call, use, next.ref, out, exchanges.drop_front(), order, between);
}

/// Block floats take part in exchanges of W and H and of C and N, and in all of more than four dimensions; otherwise they are converted to
/// bfloat16 and back, by a permute of shards for single exchanges.
bool convertsBlockFloats(const OpCall &call, const Order &order, Exchange exchange) {
  const TensorRef &in = call.in[0];
  bool both = order == Order({1, 0, 3, 2});
  bool single = exchange == Exchange::WidthHeight || exchange == Exchange::ChannelsBatch;
  if (!isConverted(in) || single || both || order.size() > 4)
    return false;
  return !in.sharded() || !call.op().attribute("permutation");
}

void permuteAsOf2026(const OpCall &call, MemoryUse &use) {
  Order order = orderOf(call);
  Exchange exchange = exchangeOf(order);
  OnTheWay from = fourDimensional(call, call.in[0]), to = fourDimensional(call, call.out[0]);
  if (unshardsFirst(call.in[0]))
    unshard(call, use, from);
  // Each step works on what the one before it made, so types and layouts are carried along as they change.
  TensorDesc inDesc = from.desc, outDesc = to.desc;
  TensorLayout inLayout = from.layout, outLayout = to.layout;
  bool converts = convertsBlockFloats(call, order, exchange);
  if (converts) {
    convertBlockFloats(use, call.in[0]);
    inDesc.dtype = outDesc.dtype = DataType::BFloat16;
    inLayout = converted(inLayout);
    outLayout = converted(outLayout);
    use.make(l1BytesPerCore(inLayout, call.device()).value());
  }
  OnTheWay in(inDesc, inLayout), out(outDesc, outLayout);
  llvm::SmallVector<Exchange, 3> exchanges{exchange};
  // The general kernel takes interleaved tensors only; shards go through single exchanges.
  if (in.ref.sharded())
    exchanges = exchangesOf(order);
  llvm::SmallVector<MemoryUse::Made, 2> between;
  runExchanges(call, use, in.ref, out.ref, exchanges, order, between);
  if (!converts)
    return;
  use.make(l1BytesPerCore(outLayout, call.device()).value());
  for (MemoryUse::Made each : between)
    use.free(each);
}

/// Both dimensions are the same, or 1 also in tiles.
bool transposesNothing(const OpCall &call) {
  const TensorRef &in = call.in[0];
  size_t rank = in.rank(), a = normalizedDim(call.op().integer("dim0", -2), rank),
         b = normalizedDim(call.op().integer("dim1", -1), rank);
  auto single = [&](size_t d) { return in.dim(int64_t(d)) == 1 && (in.rowMajor() || d + 2 < rank); };
  return a == b || (single(a) && single(b));
}

} // namespace

llvm::SmallVector<int64_t, 6> orderOfTranspose(const OpCall &call) {
  size_t rank = call.in[0].rank();
  llvm::SmallVector<int64_t, 6> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[normalizedDim(call.op().integer("dim0", -2), rank)],
            order[normalizedDim(call.op().integer("dim1", -1), rank)]);
  return order;
}

void turnRowsMemory(MemoryUse &use, const TensorRef &rows) {
  use.program("permute");
  turnBlocks(use, rows);
}

TensorDesc exchangedWithLast(const TensorDesc &desc, size_t dim) {
  TensorDesc result = desc;
  std::swap(result.shape[dim], result.shape.back());
  return result;
}

namespace {

/// An exchange of a dimension with the last, of a tensor in at least four dimensions.
struct LastExchange {
  Order order;
  Exchange exchange;
  bool converts;
};
LastExchange lastExchange(const TensorDesc &desc, size_t dim) {
  size_t rank = std::max<size_t>(4, desc.shape.size());
  Order order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[dim + rank - desc.shape.size()], order.back());
  Exchange exchange = exchangeOf(order);
  return {order, exchange,
          desc.dtype == DataType::BFP_BFloat8 && exchange != Exchange::WidthHeight && rank == 4};
}

} // namespace

void exchangeWithLast(const OpCall &call, MemoryUse &use, const TensorRef &tiles, size_t dim) {
  auto [order, exchange, converts] = lastExchange(*tiles.desc, dim);
  OnTheWay in = fourDimensional(call, tiles);
  TensorDesc desc = exchangedWithLast(in.desc, dim + order.size() - tiles.rank());
  OnTheWay out(desc, withTensor(in.layout, desc, call.device().workerGrid));
  if (!converts)
    return kernel(call, use, in.ref, out.ref, exchange, order);
  convertBlockFloats(use, in.ref);
  OnTheWay wide = converted(in.ref), turned = converted(out.ref);
  kernel(call, use, wide.ref, turned.ref, exchange, order);
}

std::array<MemoryUse::Made, 2> convertedCopies(const OpCall &call, MemoryUse &use, const TensorDesc &desc,
                                               size_t dim, bool fromL1, bool toL1) {
  if (!lastExchange(desc, dim).converts)
    return {};
  TensorDesc wide = desc;
  wide.dtype = DataType::BFloat16;
  auto make = [&](const TensorDesc &tensor, bool l1) {
    return use.make(l1 ? call.perCoreInterleaved(makeTensorRef(tensor, nullptr)) : 0);
  };
  return {make(wide, fromL1), make(exchangedWithLast(wide, dim), toL1)};
}

MadeTensor turnedShards(const OpCall &call, const MadeTensor &rows) {
  TensorDesc desc = exchangedDesc(rows.desc, Exchange::WidthHeight);
  if (unshardsFirst(rows.ref()))
    return {desc, l1Interleaved(desc, call.device().workerGrid, PageLayout::RowMajor)};
  return {desc, exchangedLayout(call, rows.ref(), desc, Exchange::WidthHeight)};
}

void turnShards(const OpCall &call, MemoryUse &use, const MadeTensor &rows, const MadeTensor &result) {
  OnTheWay from(rows.desc, rows.layout);
  MemoryUse::Made copy = unshardsFirst(from.ref) ? unshard(call, use, from) : std::nullopt;
  kernel(call, use, from.ref, result.ref(), Exchange::WidthHeight, {0, 1, 3, 2});
  use.free(copy);
}

bool turnsInShards(const OpCall &call) {
  return exchangeOf(orderOf(call)) == Exchange::WidthHeight && exchangesInShards(call.in[0], call.out[0]);
}

bool tellsCores(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.rowMajor())
    return exchangeOf(orderOf(call)) == Exchange::HeightChannels && collectsRows(in, out);
  return turnsInShards(call) || (in.sharded() && out.sharded() && exchangesOf(orderOf(call)).size() > 1);
}

bool turnsAsBf16(const OpCall &call) {
  bool movesNothing =
      call.op().attribute("permutation") ? permutationMovesNothing(call) : transposesNothing(call);
  if (!answersAsNewest(call) || !isConverted(call.in[0]) || movesNothing)
    return false;
  Order order = orderOf(call);
  // Of shards each exchange of height and channels is converted by itself, and most permutations have one.
  return convertsBlockFloats(call, order, exchangeOf(order)) ||
         llvm::is_contained(exchangesOf(order), Exchange::HeightChannels);
}

bool permuteIsView(const OpCall &call) { return permutationMovesNothing(call) && sharesBuffer(call); }
bool transposeIsView(const OpCall &call) {
  return answersAsNewest(call) && transposesNothing(call) && sharesBuffer(call);
}

TensorLayout permutedLayout(const OpCall &call) {
  if (unshardsFirst(call.in[0]))
    return l1Interleaved(*call.out[0].desc, call.device().workerGrid, PageLayout::RowMajor);
  OnTheWay in = fourDimensional(call, call.in[0]);
  TensorDesc desc = *call.out[0].desc;
  llvm::SmallVector<Exchange, 3> exchanges = exchangesOf(orderOf(call));
  // Each exchange lays its result by where the one before left it, so that all of them are gone through.
  for (size_t i = 0; i + 1 < exchanges.size(); ++i) {
    TensorDesc between = exchangedDesc(in.desc, exchanges[i]);
    TensorLayout layout = exchangedLayout(call, in.ref, between, exchanges[i]);
    in.desc = between;
    in.layout = layout;
    in.ref = makeTensorRef(in.desc, &in.layout);
    if (unshardsFirst(in.ref))
      return l1Interleaved(*call.out[0].desc, call.device().workerGrid, PageLayout::RowMajor);
  }
  return exchangedLayout(call, in.ref, desc, exchanges.back());
}

void permuteMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  if (permuteIsView(call))
    return use.tensors(0);
  if (answersAsNewest(call))
    return permutationMovesNothing(call) ? moveMemory(call, use) : permuteAsOf2026(call, use);
  llvm::ArrayRef<int64_t> order = call.op().integers("permutation");
  // Until 2026: two tiles, two more if height and width change places, six and a row of padding if neither stays
  // (facts/formulas 8).
  size_t rank = order.size();
  if (in.rowMajor())
    return use.buffer("rows", 2, std::max(in.rowBytes(), call.out[0].rowBytes()));
  bool widthStays = rank == 0 || order[rank - 1] == int64_t(rank) - 1;
  bool swapsTileAxes =
      rank >= 2 && order[rank - 1] == int64_t(rank) - 2 && order[rank - 2] == int64_t(rank) - 1;
  if (widthStays || swapsTileAxes) {
    use.buffer("operand", 2, in.tile);
    use.buffer("result", swapsTileAxes ? 2 : 0, in.tile);
    return;
  }
  use.buffer("operand, rows and result", 6, in.tile);
  use.buffer("padding row", 16, in.scalar);
}

void transposeMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  if (answersAsNewest(call) && !transposesNothing(call))
    return permuteAsOf2026(call, use);
  if (transposeIsView(call))
    return use.tensors(0);
  if (answersAsNewest(call))
    return use.buffer("pages", 2, in.tiled() ? in.tile : in.rowBytes());
  if (!in.sharded())
    use.buffer("operand and result", 4,
               in.rowMajor() ? std::max(in.rowBytes(), call.out[0].rowBytes()) : in.tile);
}

} // namespace tessera::analytic
