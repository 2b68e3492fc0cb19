//===- LayoutConversion.cpp - #ttnn.ttnn_layout as plain data --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The verifier of the attribute stands here too: a layout is legal if it
// converts and checkLayout has no objection, so the rules exist once.
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace tessera::ttnn {
namespace {

// The enums are numbered alike, so they convert by a cast.
static_assert(static_cast<int>(BufferType::Trace) == static_cast<int>(tessera::BufferType::Trace));
static_assert(static_cast<int>(TensorMemoryLayout::NDSharded) == static_cast<int>(MemoryLayout::NDSharded));
static_assert(static_cast<int>(ttcore::DataType::Bool) == static_cast<int>(tessera::DataType::Bool));

/// Reports through `emitError`, if there is one.
LogicalResult fail(EmitError emitError, const Twine &message) {
  if (emitError)
    emitError() << message;
  return failure();
}

/// An extent beyond this is nonsense, and products of two that are within it don't overflow.
constexpr int64_t kMaxExtent = std::numeric_limits<int32_t>::max();

} // namespace

// ---- Element types ---------------------------------------------------------------------------------------

static std::optional<tessera::DataType> integerDataType(IntegerType type) {
  switch (type.getWidth()) {
  case 1:
    return tessera::DataType::Bool;
  case 8:
    return type.isSigned() ? std::nullopt : std::optional(tessera::DataType::UInt8);
  case 16:
    return type.isSigned() ? std::nullopt : std::optional(tessera::DataType::UInt16);
  case 32:
    return type.isUnsigned() ? tessera::DataType::UInt32 : tessera::DataType::Int32;
  default:
    return std::nullopt;
  }
}

std::optional<tessera::DataType> dataType(Type elementType) {
  if (auto tile = dyn_cast<ttcore::TileType>(elementType))
    return toDataType(tile.getDataType());
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return integerDataType(integer);
  if (elementType.isF32())
    return tessera::DataType::Float32;
  if (elementType.isBF16())
    return tessera::DataType::BFloat16;
  if (elementType.isF16())
    return tessera::DataType::Float16;
  return std::nullopt;
}

Type scalarType(MLIRContext *context, tessera::DataType type) {
  switch (type) {
  case tessera::DataType::Float32:
    return Float32Type::get(context);
  case tessera::DataType::Float16:
    return Float16Type::get(context);
  case tessera::DataType::UInt32:
    return IntegerType::get(context, 32, IntegerType::Unsigned);
  case tessera::DataType::UInt16:
    return IntegerType::get(context, 16, IntegerType::Unsigned);
  case tessera::DataType::UInt8:
    return IntegerType::get(context, 8, IntegerType::Unsigned);
  case tessera::DataType::Int32:
    return IntegerType::get(context, 32, IntegerType::Signed);
  case tessera::DataType::Bool:
    return IntegerType::get(context, 1);
  default: // bf16 and the block-float formats
    return BFloat16Type::get(context);
  }
}

// ---- Maps ------------------------------------------------------------------------------------------------

/// Adds `factor * expr` to `result`. False if that is not linear or overflows.
static bool addTerm(AffineExpr expr, int64_t factor, LinearMap::Result &result) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    int64_t term;
    return !llvm::MulOverflow(constant.getValue(), factor, term) &&
           !llvm::AddOverflow(result.constant, term, result.constant);
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    int64_t &coefficient = result.coefficients[dim.getPosition()];
    return !llvm::AddOverflow(coefficient, factor, coefficient);
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addTerm(binary.getLHS(), factor, result) && addTerm(binary.getRHS(), factor, result);
  // Simplification has moved the constant of a product to the right.
  auto multiplier = dyn_cast<AffineConstantExpr>(binary.getRHS());
  int64_t product;
  return binary.getKind() == AffineExprKind::Mul && multiplier &&
         !llvm::MulOverflow(multiplier.getValue(), factor, product) &&
         addTerm(binary.getLHS(), product, result);
}

static bool inRange(const LinearMap::Result &result) {
  auto small = [](int64_t value) { return -kMaxExtent <= value && value <= kMaxExtent; };
  return small(result.constant) && llvm::all_of(result.coefficients, small);
}

FailureOr<LinearMap> toLinearMap(AffineMap map, EmitError emitError) {
  LinearMap linear;
  linear.dims = map.getNumDims();
  for (AffineExpr expr : map.getResults()) {
    LinearMap::Result &result = linear.results.emplace_back();
    result.coefficients.assign(linear.dims, 0);
    if (map.getNumSymbols() != 0 || !addTerm(expr, 1, result))
      return fail(emitError,
                  "the map of a layout must be linear: multiples of its dimensions plus a constant");
    if (!inRange(result))
      return fail(emitError, "a coefficient in the map of a layout is out of range");
  }
  return linear;
}

AffineMap toAffineMap(MLIRContext *context, const LinearMap &map) {
  SmallVector<AffineExpr, 2> results;
  for (const LinearMap::Result &result : map.results) {
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (auto [position, coefficient] : llvm::enumerate(result.coefficients))
      sum = sum + getAffineDimExpr(position, context) * coefficient;
    results.push_back(sum + result.constant);
  }
  return AffineMap::get(map.dims, /*symbolCount=*/0, results, context);
}

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
  for (int64_t extent : shape)
    if (extent > kMaxExtent)
      return fail(emitError, "the " + what + " of a layout is out of range");
  return GridShape{shape[0], shape[1]};
}

/// Shard, page layout, data type and memory.
static LogicalResult readMemRef(MemRefType memref, TensorLayout &layout, EmitError emitError) {
  auto buffer = dyn_cast_or_null<BufferTypeAttr>(memref.getMemorySpace());
  if (!buffer || !memref.hasStaticShape() || !memref.getLayout().isIdentity())
    return fail(emitError, "the memref of a layout must be static, with a #ttnn.buffer_type as memory space");
  std::optional<tessera::DataType> type = dataType(memref.getElementType());
  if (!type)
    return fail(emitError, "the memref of a layout has an element type that no tensor can have");
  FailureOr<GridShape> shard = toGridShape(memref.getShape(), "memref", emitError);
  if (failed(shard))
    return failure();
  if (auto tile = dyn_cast<ttcore::TileType>(memref.getElementType()))
    layout.tile = {tile.getShape()[0], tile.getShape()[1]};
  else
    layout.page = PageLayout::RowMajor;
  layout.shard = *shard;
  layout.dtype = *type;
  layout.buffer = static_cast<tessera::BufferType>(buffer.getValue());
  return success();
}

static FailureOr<TensorLayout> fromParts(EmitError emitError, AffineMap linear, ttcore::GridAttr grid,
                                         MemRefType memref, TensorMemoryLayoutAttr memLayout,
                                         ttcore::TensorMeshAttr mesh, CoreRangeSetAttr cores,
                                         bool ignorePhysicalLayout) {
  TensorLayout layout;
  FailureOr<LinearMap> map = toLinearMap(linear, emitError);
  if (failed(map))
    return failure();
  FailureOr<GridShape> gridShape = toGridShape(grid.getShape(), "grid", emitError);
  if (failed(gridShape) || failed(readMemRef(memref, layout, emitError)))
    return failure();
  layout.linear = *map;
  layout.grid = *gridShape;
  layout.memory = std::nullopt;
  if (memLayout)
    layout.memory = static_cast<MemoryLayout>(memLayout.getValue());
  if (cores)
    layout.cores = toCoreRangeSet(cores);
  layout.ignorePhysicalLayout = ignorePhysicalLayout;
  if (mesh)
    layout.mesh = mesh.getName().str();
  return layout;
}

LogicalResult TTNNLayoutAttr::verify(EmitError emitError, AffineMap linear, ttcore::GridAttr grid,
                                     MemRefType memref, TensorMemoryLayoutAttr memLayout,
                                     ttcore::TensorMeshAttr mesh, CoreRangeSetAttr cores,
                                     bool ignorePhysicalLayout) {
  FailureOr<TensorLayout> layout =
      fromParts(emitError, linear, grid, memref, memLayout, mesh, cores, ignorePhysicalLayout);
  if (failed(layout))
    return failure();
  if (std::string problem = checkLayout(*layout); !problem.empty())
    return emitError() << problem;
  return success();
}

TensorLayout toTensorLayout(TTNNLayoutAttr attr) {
  FailureOr<TensorLayout> layout =
      fromParts({}, attr.getLinear(), attr.getGrid(), attr.getMemref(), attr.getMemLayout(),
                attr.getTensorMesh(), attr.getCoreRangeSet(), attr.getIgnorePhysicalLayout());
  assert(succeeded(layout) && "the verifier accepts only what converts");
  return *layout;
}

TTNNLayoutAttr toAttr(MLIRContext *context, const TensorLayout &layout) {
  Type element = scalarType(context, layout.dtype);
  if (layout.isTiled())
    element =
        ttcore::TileType::get(context, {layout.tile.height, layout.tile.width}, toAttrDataType(layout.dtype));
  auto space = BufferTypeAttr::get(context, static_cast<BufferType>(layout.buffer));
  auto memref =
      MemRefType::get({layout.shard.rows, layout.shard.columns}, element, MemRefLayoutAttrInterface(), space);
  auto grid = ttcore::GridAttr::get(context, {layout.grid.rows, layout.grid.columns});
  TensorMemoryLayoutAttr memLayout;
  if (layout.memory)
    memLayout = TensorMemoryLayoutAttr::get(context, static_cast<TensorMemoryLayout>(*layout.memory));
  ttcore::TensorMeshAttr mesh;
  if (!layout.mesh.empty())
    mesh = ttcore::TensorMeshAttr::get(context, StringAttr::get(context, layout.mesh));
  CoreRangeSetAttr cores;
  if (layout.cores)
    cores = toAttr(context, *layout.cores);
  return TTNNLayoutAttr::get(context, toAffineMap(context, layout.linear), grid, memref, memLayout, mesh,
                             cores, layout.ignorePhysicalLayout);
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

} // namespace tessera::ttnn
