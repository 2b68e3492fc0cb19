//===- LayoutParts.cpp - Element types and maps as plain data --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What metal_layout and ttnn_layout share between IR and plain data: element
// types and linear maps. IR has more than plain data can say (maps with
// divisions, integers of any width); such a thing is an error with a message
// where the caller wants one, and a failure without a word where it only asks.
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/LayoutParts.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::ttcore {

// The enums are numbered alike, so they convert by a cast.
static_assert(static_cast<int>(DataType::Bool) == static_cast<int>(tessera::DataType::Bool));

LogicalResult fail(EmitError emitError, const Twine &message) {
  if (emitError)
    emitError() << message;
  return failure();
}

// ---- Element types ---------------------------------------------------------------------------------------

static std::optional<tessera::DataType> integerDataType(IntegerType type) {
  switch (type.getWidth()) {
  case 1:
    return tessera::DataType::Bool;
  // No device stores signed integers of less than 32 bits: a module that says `si8` has no layout.
  case 8:
    return type.isSigned() ? std::nullopt : std::optional(tessera::DataType::UInt8);
  case 16:
    return type.isSigned() ? std::nullopt : std::optional(tessera::DataType::UInt16);
  case 32:
    // Some modules print signless i32 over an si32 memref (facts/ir 1.1 "Data types").
    return type.isUnsigned() ? tessera::DataType::UInt32 : tessera::DataType::Int32;
  default:
    return std::nullopt;
  }
}

std::optional<tessera::DataType> dataType(Type elementType) {
  if (auto tile = dyn_cast<TileType>(elementType))
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

LogicalResult verifyTileExtents(ArrayRef<int64_t> tile, EmitError emitError) {
  for (int64_t extent : tile)
    if (extent < 1 || extent > 32)
      return fail(emitError, "tile extent " + Twine(extent) + " is not within [1, 32]");
  return success();
}

Type memrefElementType(MLIRContext *context, tessera::DataType type, std::optional<TileShape> tile) {
  if (!tile)
    return scalarType(context, type);
  return TileType::get(context, {tile->height, tile->width}, toAttrDataType(type));
}

// ---- Maps ------------------------------------------------------------------------------------------------

/// Adds `factor * expr` to `result`. False if that is not linear or overflows.
// `(d0 * 3 + d1) * 64` is walked with the factors 1, 64 and 192: sums within products need no case of their own.
static bool addTerm(AffineExpr expr, int64_t factor, LinearMap::Result &result) {
  // Every sum is checked: maps come from files, and signed overflow is undefined.
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

/// Negative ones pass here: a metal_layout's rules refuse them by name, and a ttnn_layout may have them.
static bool inRange(const LinearMap::Result &result) {
  auto small = [](int64_t value) { return -kMaxLayoutExtent <= value && value <= kMaxLayoutExtent; };
  return small(result.constant) && llvm::all_of(result.coefficients, small);
}

FailureOr<LinearMap> toLinearMap(AffineMap map, EmitError emitError) {
  if (map.getNumDims() > kMostDimensions || map.getNumResults() > kMostDimensions)
    return fail(emitError,
                "the map of a layout has at most " + Twine(kMostDimensions) + " dimensions and results");
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
      // MLIR folds a factor of 0 or 1 away, so the map prints as its author would write it.
      sum = sum + getAffineDimExpr(position, context) * coefficient;
    results.push_back(sum + result.constant);
  }
  return AffineMap::get(map.dims, /*symbolCount=*/0, results, context);
}

} // namespace tessera::ttcore
