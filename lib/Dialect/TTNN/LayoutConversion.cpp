//===- LayoutConversion.cpp - #ttnn.ttnn_layout as plain data --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Between the attribute and the plain layout that the rest of the program works
// with. A layout that converts is well-formed by itself (checkLayout); whether
// it holds a tensor's elements is asked by placedTensor(), which also mends
// what the public compiler writes where it decides nothing. The way back builds
// the attribute and converts it once more, so that no layout is written that
// could not be read.
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tessera::ttnn {

using ttcore::fail;

// The enums are numbered alike, so they convert by a cast.
static_assert(static_cast<int>(BufferType::Trace) == static_cast<int>(tessera::BufferType::Trace));
static_assert(static_cast<int>(TensorMemoryLayout::NDSharded) == static_cast<int>(MemoryLayout::NDSharded));

// ---- Cores -----------------------------------------------------------------------------------------------

CoreRangeSet toCoreRangeSet(CoreRangeSetAttr attr) {
  CoreRangeSet cores;
  for (CoreRangeAttr range : attr.getCoreRanges())
    cores.ranges.push_back({{range.getStartX(), range.getStartY()}, {range.getEndX(), range.getEndY()}});
  return cores;
}

CoreRangeSetAttr toAttr(MLIRContext *context, const CoreRangeSet &cores) {
  SmallVector<CoreRangeAttr, 2> ranges;
  for (const CoreRange &range : cores.ranges)
    ranges.push_back(CoreRangeAttr::get(context, range.start.x, range.start.y, range.end.x, range.end.y));
  return CoreRangeSetAttr::get(context, ranges);
}

// ---- Layouts ---------------------------------------------------------------------------------------------

static FailureOr<GridShape> toGridShape(ArrayRef<int64_t> shape, StringRef what, EmitError emitError) {
  if (shape.size() != 2)
    return fail(emitError, "the " + what + " of a layout has rows and columns, but " + Twine(shape.size()) +
                               " dimensions are given");
  return GridShape{shape[0], shape[1]};
}

/// Shard, page layout, data type and memory.
static LogicalResult readMemRef(MemRefType memref, TensorLayout &layout, EmitError emitError) {
  auto buffer = dyn_cast<BufferTypeAttr>(memref.getMemorySpace());
  // The optimizer counts bytes by the memref's extents, which a layout of its own would belie.
  if (!buffer || !memref.hasStaticShape() || !memref.getLayout().isIdentity())
    return fail(emitError, "the memref of a layout must be static, with a #ttnn.buffer_type as memory space");
  std::optional<tessera::DataType> type = dataType(memref.getElementType());
  if (!type)
    return fail(emitError, "the memref of a layout has an element type that no tensor can have");
  FailureOr<GridShape> shard = toGridShape(memref.getShape(), "memref", emitError);
  if (failed(shard))
    return failure();
  if (auto tile = dyn_cast<ttcore::TileType>(memref.getElementType())) {
    if (failed(ttcore::verifyTileExtents(tile.getShape(), emitError)))
      return failure();
    layout.tile = {tile.getShape()[0], tile.getShape()[1]};
  } else {
    layout.page = PageLayout::RowMajor;
  }
  layout.shard = *shard;
  layout.dtype = *type;
  layout.buffer = static_cast<tessera::BufferType>(buffer.getValue());
  return success();
}

FailureOr<TensorLayout> toTensorLayout(TTNNLayoutAttr attr, EmitError emitError) {
  TensorLayout layout;
  FailureOr<LinearMap> map = toLinearMap(attr.getLinear(), emitError);
  if (failed(map))
    return failure();
  FailureOr<GridShape> grid = toGridShape(attr.getGrid(), "grid", emitError);
  if (failed(grid) || failed(readMemRef(attr.getMemref(), layout, emitError)))
    return failure();
  layout.linear = *map;
  layout.grid = *grid;
  // Exactly host memory has no memory layout (facts/ir 1.1), while a TensorLayout is interleaved by default.
  layout.memory = std::nullopt;
  if (attr.getMemLayout())
    layout.memory = static_cast<MemoryLayout>(attr.getMemLayout().getValue());
  if (attr.getCoreRangeSet())
    layout.cores = toCoreRangeSet(attr.getCoreRangeSet());
  layout.ignorePhysicalLayout = attr.getIgnorePhysicalLayout();
  if (attr.getTensorMesh())
    layout.mesh = attr.getTensorMesh().getName().str();
  if (std::string problem = checkLayout(layout); !problem.empty())
    return fail(emitError, problem);
  return layout;
}

FailureOr<TTNNLayoutAttr> toAttr(MLIRContext *context, const TensorLayout &layout, EmitError emitError) {
  Type element = ttcore::memrefElementType(context, layout.dtype,
                                           layout.isTiled() ? std::optional(layout.tile) : std::nullopt);
  auto space = BufferTypeAttr::get(context, static_cast<BufferType>(layout.buffer));
  auto memref =
      MemRefType::get({layout.shard.rows, layout.shard.columns}, element, MemRefLayoutAttrInterface(), space);
  TensorMemoryLayoutAttr memLayout;
  if (layout.memory)
    memLayout = TensorMemoryLayoutAttr::get(context, static_cast<TensorMemoryLayout>(*layout.memory));
  ttcore::TensorMeshAttr mesh;
  if (!layout.mesh.empty())
    mesh = ttcore::TensorMeshAttr::get(context, StringAttr::get(context, layout.mesh));
  CoreRangeSetAttr cores;
  if (layout.cores)
    cores = toAttr(context, *layout.cores);
  auto attr = TTNNLayoutAttr::getChecked(emitError, context, toAffineMap(context, layout.linear),
                                         ArrayRef<int64_t>{layout.grid.rows, layout.grid.columns}, memref,
                                         memLayout, mesh, cores, layout.ignorePhysicalLayout);
  // What IR holds and plain data does not must come back.
  if (!attr || failed(toTensorLayout(attr, emitError)))
    return failure();
  return attr;
}

TTNNLayoutAttr toAttr(MLIRContext *context, const TensorLayout &layout) {
  FailureOr<TTNNLayoutAttr> attr =
      toAttr(context, layout, [&] { return emitError(UnknownLoc::get(context)); });
  assert(succeeded(attr) && "a layout that IR cannot hold");
  return *attr;
}

FailureOr<TensorDesc> tensorDesc(RankedTensorType type, EmitError emitError) {
  if (!type.hasStaticShape())
    return fail(emitError, "a tensor of dynamic shape has no layout");
  auto layout = dyn_cast_or_null<TTNNLayoutAttr>(type.getEncoding());
  Type element = layout ? layout.getMemref().getElementType() : type.getElementType();
  std::optional<tessera::DataType> dtype = dataType(element);
  if (!dtype)
    return fail(emitError, "a tensor has an element type that no device can hold");
  return TensorDesc{Shape(type.getShape()), *dtype};
}

/// A tensor of rank 0 may have the layout of one with extents of 1 (facts/dialect 10). It lies where that one's element
/// does.
static void dropDimensions(LinearMap &map) {
  map.dims = 0;
  for (LinearMap::Result &result : map.results)
    result.coefficients.clear();
}

/// Whether the map leads several elements to one place: no row and no column counts one of the dimensions.
static bool skipsDimension(const LinearMap &map, ArrayRef<int64_t> shape) {
  return llvm::any_of(llvm::enumerate(shape), [&](auto each) {
    return each.value() > 1 && llvm::all_of(map.results, [&](const LinearMap::Result &result) {
             return result.coefficients[each.index()] == 0;
           });
  });
}

/// Pages that are interleaved in DRAM go round its banks, so extents there only repeat the shape. The public compiler
/// of October 2026 repeats another one, of fewer rows, behind convolutions whose border has two sides alone, and leaves
/// the outer dimensions out behind slices at places that are computed (facts/dialect 10).
static void repeatShape(TensorLayout &layout, const TensorDesc &tensor) {
  auto countsUp = [](const LinearMap::Result &result) {
    return llvm::all_of(result.coefficients, [](int64_t coefficient) { return coefficient >= 0; });
  };
  // Only where extents decide nothing: DRAM, interleaved, one memref for all. A map that counts down is left to be
  // refused.
  bool repeats = layout.isDram() && layout.isInterleaved() && layout.grid == GridShape{1, 1} &&
                 layout.linear.dims == tensor.shape.size() && llvm::all_of(layout.linear.results, countsUp);
  if (repeats && (skipsDimension(layout.linear, tensor.shape) || !checkHolds(layout, tensor.shape).empty()))
    layout = withTensor(layout, {tensor.shape, layout.dtype}, layout.grid);
}

FailureOr<PlacedTensor> placedTensor(RankedTensorType type, EmitError emitError) {
  auto attr = dyn_cast_or_null<TTNNLayoutAttr>(type.getEncoding());
  if (!attr)
    return fail(emitError, "a tensor has no #ttnn.ttnn_layout");
  FailureOr<TensorDesc> tensor = tensorDesc(type, emitError);
  if (failed(tensor))
    return failure();
  FailureOr<TensorLayout> layout = toTensorLayout(attr, emitError);
  if (failed(layout))
    return failure();
  if (type.getRank() == 0)
    dropDimensions(layout->linear);
  // Before any extents are multiplied: the shape comes from a file.
  if (!fitsLayouts(type.getShape()))
    return fail(emitError, "rows or columns are beyond " + Twine(kMaxLayoutExtent));
  repeatShape(*layout, *tensor);
  if (std::string problem = checkHolds(*layout, type.getShape()); !problem.empty())
    return fail(emitError, problem);
  // Upstream's memref of rows that are interleaved in L1 cuts rows (facts/ir 1.1); ours says what a core sets aside.
  if (layout->isL1() && layout->isInterleaved() && !layout->isTiled() && layout->grid != GridShape{1, 1})
    layout->shard = withTensor(*layout, {tensor->shape, layout->dtype}, layout->grid).shard;
  return PlacedTensor{std::move(*tensor), std::move(*layout)};
}

} // namespace tessera::ttnn
