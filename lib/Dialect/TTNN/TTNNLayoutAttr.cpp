//===- TTNNLayoutAttr.cpp - Syntax of #ttnn.ttnn_layout --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Its verifier stands in TTNNLayoutRules.cpp.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/AttrSyntax.h"
#include "tessera/Dialect/TTNN/TTNNAttrs.h"

#include "mlir/IR/DialectImplementation.h"

#include <algorithm>
#include <array>

using namespace mlir;

namespace tessera::ttnn {

//===- Accessors -----------------------------------------------------------===//

static std::optional<BufferType> bufferType(MemRefType memref) {
  auto buffer = dyn_cast<BufferTypeAttr>(memref.getMemorySpace());
  return buffer ? std::optional(buffer.getValue()) : std::nullopt;
}

std::optional<BufferType> TTNNLayoutAttr::getBufferType() const { return bufferType(getMemref()); }

bool TTNNLayoutAttr::isOnDevice() const { return getBufferType() != BufferType::SystemMemory; }

std::optional<TensorMemoryLayout> TTNNLayoutAttr::getMemoryLayout() const {
  return getMemLayout() ? std::optional(getMemLayout().getValue()) : std::nullopt;
}

Layout TTNNLayoutAttr::getLayout() const {
  return isa<ttcore::TileType>(getMemref().getElementType()) ? Layout::Tile : Layout::RowMajor;
}

bool TTNNLayoutAttr::isSharded() const {
  return getMemLayout() && getMemLayout().getValue() != TensorMemoryLayout::Interleaved;
}

//===- The grid of before May 2026 -----------------------------------------===//
//
// `<5x1, (d0, d1) -> (0, d0, d1)>` placed shards by a map from the grid to (chip, row, column). Today's form
// lists the cores, so the map is evaluated for every shard.

/// Row and column of a core.
using CoreAt = std::array<int64_t, 2>;

/// Runs of neighbours in a row, and rows with the same run one below the other, as rectangles.
static CoreRangeSetAttr rectangles(MLIRContext *context, SmallVector<CoreAt> cores) {
  // By row, then column. Cores that fill rows from (0,0) on come out as TensorLayout's builders write them, full rows
  // and the rest: layouts of older files are then equal to those that are made here.
  llvm::sort(cores);
  cores.erase(llvm::unique(cores), cores.end());
  struct Rectangle {
    int64_t y0, x0, y1, x1;
  };
  // Cores (0,0) to (7,0) and (0,1) to (3,1): two runs of different width, which stay two rectangles. With (0,1) to
  // (7,1) they would be one of two rows.
  SmallVector<Rectangle> runs, merged;
  for (auto [y, x] : cores) {
    if (!runs.empty() && runs.back().y0 == y && runs.back().x1 + 1 == x)
      runs.back().x1 = x;
    else
      runs.push_back({y, x, y, x});
  }
  for (const Rectangle &run : runs) {
    if (!merged.empty() && merged.back().x0 == run.x0 && merged.back().x1 == run.x1 &&
        merged.back().y1 + 1 == run.y0)
      merged.back().y1 = run.y0;
    else
      merged.push_back(run);
  }
  SmallVector<CoreRangeAttr> ranges;
  for (const Rectangle &r : merged)
    ranges.push_back(CoreRangeAttr::get(context, r.x0, r.y0, r.x1, r.y1));
  return CoreRangeSetAttr::get(context, ranges);
}

/// The cores on which the grid's map puts its shards; failure if the map gives no (chip, row, column).
static FailureOr<CoreRangeSetAttr> coresOfMap(ArrayRef<int64_t> shape, AffineMap map) {
  constexpr int64_t kMaxCores = 1 << 16; // several times the largest chip; bounds the loop on nonsense
  if (shape.size() != 2 || shape[0] > kMaxCores || shape[1] > kMaxCores || shape[0] * shape[1] > kMaxCores ||
      map.getNumDims() != 2 || map.getNumResults() != 3 || map.getNumSymbols() != 0)
    return failure();
  MLIRContext *context = map.getContext();
  Type index = IndexType::get(context);
  SmallVector<CoreAt> cores;
  for (int64_t row = 0; row != shape[0]; ++row) {
    for (int64_t column = 0; column != shape[1]; ++column) {
      SmallVector<Attribute> place;
      Attribute at[] = {IntegerAttr::get(index, row), IntegerAttr::get(index, column)};
      if (failed(map.constantFold(at, place)))
        return failure();
      CoreAt core{cast<IntegerAttr>(place[1]).getInt(), cast<IntegerAttr>(place[2]).getInt()};
      if (core[0] < 0 || core[1] < 0 || core[0] >= kMaxCores || core[1] >= kMaxCores)
        return failure();
      cores.push_back(core);
    }
  }
  return rectangles(context, std::move(cores));
}

//===- Syntax --------------------------------------------------------------===//

namespace {
/// Extents, and in the old form the map to cores; null in today's.
struct Grid {
  Dims shape;
  AffineMap toCores;
};
/// The parameters behind the memref.
struct Placement {
  TensorMemoryLayoutAttr memLayout;
  CoreRangeSetAttr cores;
  bool ignorePhysicalLayout = false;
};
} // namespace

/// `[, <mem_layout> [, core_ranges = set [, ignorePhysicalLayout = bool]]]`. Each part only behind the one before
/// it: tt-mlir reads nothing else (facts/dialect 2).
static ParseResult parsePlacement(AsmParser &parser, Placement &placement) {
  if (failed(parser.parseOptionalComma()))
    return success();
  if (parser.parseCustomAttributeWithFallback(placement.memLayout))
    return failure();
  if (failed(parser.parseOptionalComma()))
    return success();
  if (parser.parseKeyword("core_ranges") || parser.parseEqual() ||
      parser.parseCustomAttributeWithFallback(placement.cores))
    return failure();
  if (failed(parser.parseOptionalComma()))
    return success();
  BoolAttr ignore;
  if (parser.parseKeyword("ignorePhysicalLayout") || parser.parseEqual() || parser.parseAttribute(ignore))
    return failure();
  placement.ignorePhysicalLayout = ignore.getValue();
  return success();
}

/// `<rows x columns>`; before May 2026 `<rows x columns, map>`, or with its prefix `#ttcore.grid<...>`.
static ParseResult parseGrid(AsmParser &parser, Grid &grid) {
  if (failed(parser.parseOptionalLess())) {
    ttcore::GridAttr prefixed;
    if (parser.parseAttribute(prefixed))
      return failure();
    // The prefixed form also has the map back, which places nothing.
    grid = {Dims(prefixed.getShape()), prefixed.getVirtToPhysicalMap()};
    return success();
  }
  FailureOr<Dims> shape = parseDims(parser);
  if (failed(shape) || (succeeded(parser.parseOptionalComma()) && parser.parseAffineMap(grid.toCores)))
    return failure();
  grid.shape = *shape;
  return parser.parseGreater();
}

/// `, grid, [mesh = <name>,] memref`
static ParseResult parseGridAndShard(AsmParser &parser, Grid &grid, ttcore::TensorMeshAttr &mesh,
                                     MemRefType &memref) {
  if (parser.parseComma() || parseGrid(parser, grid) || parser.parseComma())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("mesh")) &&
      (parser.parseEqual() || parser.parseCustomAttributeWithFallback(mesh) || parser.parseComma()))
    return failure();
  return parser.parseType(memref);
}

Attribute TTNNLayoutAttr::parse(AsmParser &parser, Type) {
  AffineMap linear;
  Grid grid;
  ttcore::TensorMeshAttr mesh;
  MemRefType memref;
  Placement placement;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseAffineMap(linear) || parseGridAndShard(parser, grid, mesh, memref) ||
      parsePlacement(parser, placement) || parser.parseGreater())
    return {};

  // Before May 2026 a layout gave its cores by the grid's map only; today's form lists them, so the map is read
  // for them.
  bool sharded = placement.memLayout && placement.memLayout.getValue() != TensorMemoryLayout::Interleaved;
  if (sharded && !placement.cores && grid.toCores) {
    FailureOr<CoreRangeSetAttr> cores = coresOfMap(grid.shape, grid.toCores);
    if (failed(cores)) {
      parser.emitError(loc, "the map of the grid does not lead to cores");
      return {};
    }
    placement.cores = *cores;
  }
  return parser.getChecked<TTNNLayoutAttr>(loc, parser.getContext(), linear, ArrayRef<int64_t>(grid.shape),
                                           memref, placement.memLayout, mesh, placement.cores,
                                           placement.ignorePhysicalLayout);
}

void TTNNLayoutAttr::print(AsmPrinter &printer) const {
  printer << '<' << getLinear() << ", <";
  printDims(printer, getGrid());
  printer << '>';
  if (getTensorMesh()) {
    printer << ", mesh = ";
    printer.printStrippedAttrOrType(getTensorMesh());
  }
  printer << ", " << getMemref();
  if (getMemLayout()) {
    printer << ", ";
    printer.printStrippedAttrOrType(getMemLayout());
  }
  if (getCoreRangeSet()) {
    printer << ", core_ranges = ";
    printer.printStrippedAttrOrType(getCoreRangeSet());
  }
  if (getIgnorePhysicalLayout())
    printer << ", ignorePhysicalLayout = true";
  printer << '>';
}

} // namespace tessera::ttnn
