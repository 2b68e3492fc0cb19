//===- OddTypes.cpp - Tensor types that few programs have -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "OddTypes.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tessera::fuzz {
namespace {

constexpr unsigned kMostRank = 8;
constexpr GridShape kWorkerGrids[] = {{8, 8}, {8, 8}, {10, 13}, {1, 1}, {64, 64}};
constexpr MemoryLayout kMemoryLayouts[] = {MemoryLayout::HeightSharded, MemoryLayout::WidthSharded,
                                           MemoryLayout::BlockSharded};

/// The attribute; null if IR cannot hold the layout. Says nothing: callers ignore errors.
Attribute attributeOf(MLIRContext *context, const TensorLayout &layout) {
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(context)); };
  FailureOr<ttnn::TTNNLayoutAttr> attribute = ttnn::toAttr(context, layout, emitError);
  return succeeded(attribute) ? Attribute(*attribute) : Attribute();
}

/// One that builders make.
TensorLayout legalLayout(const TensorDesc &tensor, Random &random) {
  PageLayout page = random.oneIn(4) ? PageLayout::RowMajor : PageLayout::Tile;
  GridShape workers = random.of(kWorkerGrids);
  switch (random.below(6)) {
  case 0:
    return systemMemory(tensor, page);
  case 1:
    return dramInterleaved(tensor, page);
  case 2:
    return l1Interleaved(tensor, workers, page);
  default:
    MemoryLayout memory = random.of(kMemoryLayouts);
    GridShape grid{1 + int64_t(random.below(size_t(workers.rows))),
                   1 + int64_t(random.below(size_t(workers.columns)))};
    if (memory == MemoryLayout::HeightSharded)
      grid = {grid.volume(), 1};
    else if (memory == MemoryLayout::WidthSharded)
      grid = {1, grid.volume()};
    return l1Sharded(tensor, memory, grid, workers, page);
  }
}

using Change = void (*)(TensorLayout &layout, Random &random);
/// Each leaves a layout that need not be legal.
constexpr Change kChanges[] = {
    [](TensorLayout &layout, Random &random) { layout.grid.rows = oddExtent(random); },
    [](TensorLayout &layout, Random &random) { layout.grid.columns = oddExtent(random); },
    [](TensorLayout &layout, Random &random) { layout.shard.rows = oddExtent(random); },
    [](TensorLayout &layout, Random &random) { layout.shard.columns = oddExtent(random); },
    [](TensorLayout &layout, Random &random) { layout.buffer = BufferType(random.below(5)); },
    [](TensorLayout &layout, Random &random) { layout.dtype = DataType(random.below(kNumDataTypes)); },
    [](TensorLayout &layout, Random &random) { layout.memory = random.of(kMemoryLayouts); },
    [](TensorLayout &layout, Random &random) { layout.tile.height = 1 << random.below(7); },
    [](TensorLayout &layout, Random &) { layout.memory = MemoryLayout::NDSharded; },
    [](TensorLayout &layout, Random &) { layout.memory.reset(); },
    [](TensorLayout &layout, Random &) { layout.cores.reset(); },
    [](TensorLayout &layout, Random &) { layout.ignorePhysicalLayout = true; },
    [](TensorLayout &layout, Random &random) {
      layout.linear = collapseTo2D(Shape(random.below(kMostRank + 1), 32), layout.page);
    },
    [](TensorLayout &layout, Random &random) {
      int64_t x = random.below(16), y = random.below(16);
      layout.cores = CoreRangeSet{{{{x, y}, {x + int64_t(random.below(9)), y + int64_t(random.below(9))}}}};
    }};

Shape changedShape(llvm::ArrayRef<int64_t> shape, Random &random) {
  Shape changed(shape);
  if (random.oneIn(4)) {
    changed.assign(random.below(kMostRank + 1), 1);
    for (int64_t &extent : changed)
      extent = random.oneIn(2) ? extent : oddExtent(random);
  } else if (random.oneIn(3)) {
    changed.insert(changed.begin(), 1);
  } else if (!changed.empty() && random.oneIn(3)) {
    changed.erase(changed.begin() + random.below(changed.size()));
  } else if (!changed.empty()) {
    changed[random.below(changed.size())] = oddExtent(random);
  }
  return changed;
}

} // namespace

int64_t oddExtent(Random &random) {
  constexpr int64_t kUsual[] = {1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 100, 128, 1000, 1024, 4096, 25088};
  constexpr int64_t kExtreme[] = {
      0,        65536, 1 << 20, (int64_t(1) << 31) - 1, int64_t(1) << 31, int64_t(1) << 32, int64_t(1) << 62,
      INT64_MAX};
  return random.oneIn(4) ? random.of(kExtreme) : random.of(kUsual);
}

RankedTensorType withShape(RankedTensorType type, llvm::ArrayRef<int64_t> shape, Random &random) {
  Attribute encoding = type.getEncoding();
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(type);
  if (succeeded(placed) && fitsLayouts(shape) && !random.oneIn(8)) {
    TensorDesc tensor{Shape(shape), placed->tensor.dtype};
    if (Attribute follows = attributeOf(type.getContext(), withTensor(placed->layout, tensor, {64, 64})))
      encoding = follows;
  }
  return RankedTensorType::get(shape, type.getElementType(), encoding);
}

RankedTensorType elsewhere(RankedTensorType type, Random &random) {
  FailureOr<TensorDesc> tensor = ttnn::tensorDesc(type);
  if (failed(tensor) || !fitsLayouts(tensor->shape) || random.oneIn(16))
    return RankedTensorType::get(type.getShape(), type.getElementType());
  TensorLayout layout = legalLayout(*tensor, random);
  if (random.oneIn(3))
    random.of(kChanges)(layout, random);
  Attribute encoding = attributeOf(type.getContext(), layout);
  return encoding ? RankedTensorType::get(type.getShape(), type.getElementType(), encoding) : type;
}

RankedTensorType oddType(RankedTensorType type, Random &random) {
  switch (random.below(4)) {
  case 0:
    return withShape(type, changedShape(type.getShape(), random), random);
  case 1: {
    DataType dtype = DataType(random.below(kNumDataTypes));
    Type element = ttnn::scalarType(type.getContext(), dtype);
    auto changed = RankedTensorType::get(type.getShape(), element ? element : type.getElementType());
    return elsewhere(changed, random);
  }
  default:
    return elsewhere(type, random);
  }
}

} // namespace tessera::fuzz
