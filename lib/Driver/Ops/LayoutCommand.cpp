//===- LayoutCommand.cpp - tessera layout ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. read the arguments      3. print it, and what follows from it
//   2. build the layout        4. draw it
//
// What is wrong with the arguments, be it their spelling or the layout that
// they ask for, is one error and the exit code kUsageError.
//
//===----------------------------------------------------------------------===//
#include "LayoutRequest.h"

#include "tessera/Dialect/TTCore/MetalLayoutConversion.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Layout/GridPlacement.h"
#include "tessera/Layout/LayoutDrawing.h"
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Support/AtomicFile.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;
using llvm::formatv;

namespace {

// ---- Words -----------------------------------------------------------------------------------------------

std::string joined(ArrayRef<int64_t> numbers, StringRef separator) {
  return llvm::join(llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }), separator);
}
std::string dims(ArrayRef<int64_t> shape) { return joined(shape, "x"); }
std::string tuple(ArrayRef<int64_t> index) { return "(" + joined(index, ", ") + ")"; }
std::string text(GridShape grid) { return dims({grid.rows, grid.columns}); }
std::string text(TileShape tile) { return dims({tile.height, tile.width}); }

/// "12.0 KiB (12288)"; the number once if it is small.
std::string text(Bytes bytes) {
  std::string rounded = formatBytes(bytes);
  return bytes < Bytes(1024) ? rounded : formatv("{0} ({1})", rounded, bytes.value()).str();
}

// ---- Facts -----------------------------------------------------------------------------------------------

/// What is printed: one line each.
class Facts {
public:
  explicit Facts(llvm::raw_ostream &os) : os(os) {}
  template <class... Args>
  void add(StringRef what, const char *format, Args &&...args) {
    os << llvm::left_justify(what, 14) << formatv(format, std::forward<Args>(args)...) << '\n';
  }
  void blankLine() { os << '\n'; }

private:
  llvm::raw_ostream &os;
};

void printSize(Facts &facts, const MetalGeometry &geometry) {
  const MetalLayout &layout = geometry.layout();
  facts.add("tensor", "{0} {1}, {2} elements", dims(geometry.shape()), name(layout.dtype),
            geometry.logicalVolume());
  facts.add("collapsed", "{0}", dims(geometry.collapsedShape()));
  std::string tiles;
  if (layout.tile)
    tiles = formatv(", in tiles of {0}: {1}", text(*layout.tile), dims(layout.shard));
  facts.add("shard", "{0} per core{1}", dims(geometry.scalarShard()), tiles);
  facts.add("bytes", "{0} per core, {1} in total", text(geometry.bytesPerCore()),
            text(geometry.totalBytes()));
  // Where nothing is aligned the line would repeat the one above.
  if (geometry.reservedPerCore() != geometry.bytesPerCore() || geometry.pageStride() != geometry.pageBytes())
    facts.add("alignment", "pages of {0} lie {1} apart; {2} are set aside per core",
              text(geometry.pageBytes()), text(geometry.pageStride()), text(geometry.reservedPerCore()));
  facts.add("utilisation", "{0}: {1} of {2} elements are real, {3} are padding ({4})",
            formatPercent(geometry.utilisation()), geometry.logicalVolume(), geometry.physicalVolume(),
            geometry.paddingVolume(), name(layout.oob));
}

/// The placement, if the grid fits the device.
std::optional<GridPlacement> printGrid(Facts &facts, const MetalGeometry &geometry,
                                       const DeviceSpec &device) {
  std::string grid = dims(geometry.layout().grid) + ", " + counted(geometry.cores(), "core");
  llvm::Expected<GridPlacement> placement = placeGrid(geometry.layout().grid, device);
  if (!placement) {
    facts.add("grid", "{0}; none on {1}: {2}", grid, device.name, llvm::toString(placement.takeError()));
    return std::nullopt;
  }
  facts.add("grid", "{0}; (chip, row, column) on {1}: {2}", grid, device.name,
            describe(placement->toPhysical));
  return *placement;
}

void printElement(Facts &facts, const MetalGeometry &geometry, ArrayRef<int64_t> index,
                  const std::optional<GridPlacement> &placement) {
  const MetalLayout &layout = geometry.layout();
  MetalLocation at = geometry.locate(index);
  facts.blankLine();
  facts.add("element", "{0}", tuple(index));
  facts.add("collapsed", "{0}", tuple(at.collapsed));
  std::string physical;
  if (placement) {
    PhysicalCore core = (*placement)(at.core);
    physical = formatv(" = chip {0}, row {1}, column {2}", core.chip, core.core.y, core.core.x);
  }
  facts.add("core", "{0}{1}", tuple(at.core), physical);
  facts.add("in shard", "{0}", tuple(at.inShard));
  if (layout.tile) {
    facts.add("tile", "{0}", tuple(at.unit));
    facts.add("face", "{0}, in it row {1}, column {2}", at.face, at.faceRow, at.faceColumn);
  }
  facts.add("offset", "byte {0} of the shard{1}{2}", at.offset.value(),
            at.bit ? formatv(", from bit {0}", at.bit).str() : "",
            at.exponent ? formatv("; its exponent is byte {0}", at.exponent->value()).str() : "");
}

/// `#ttnn.ttnn_layout<...>`, or why there is none.
std::string ttnnLayout(const MetalGeometry &geometry, const DeviceSpec &device, MLIRContext *context) {
  std::string text = "has no such layout: ";
  llvm::Expected<TensorLayout> layout = tessera::toTensorLayout(geometry.layout(), geometry.shape(), device);
  if (!layout)
    return text + llvm::toString(layout.takeError());
  // Here an attribute that does not verify is an answer: the reason why there is none.
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    text += diagnostic.str();
    return success();
  });
  FailureOr<ttnn::TTNNLayoutAttr> attr =
      ttnn::toAttr(context, *layout, [&] { return mlir::emitError(UnknownLoc::get(context)); });
  return failed(attr) ? text : formatv("{0}", Attribute(*attr)).str();
}

void printTtnn(Facts &facts, const MetalGeometry &geometry, const DeviceSpec &device, MLIRContext *context) {
  facts.blankLine();
  if (llvm::Expected<TtnnTerms> terms = ttnnTerms(geometry.layout(), geometry.shape())) {
    facts.add("TTNN", "shape {0}, stride {1}", dims(terms->shape), dims(terms->stride));
    facts.add("", "shard_shape {0}, physical_shard_shape {1}, tile_shape {2}, grid_shape {3}",
              text(terms->shardShape), text(terms->physicalShardShape), text(terms->tileShape),
              text(terms->gridShape));
    facts.add("", "{0}", ttnnLayout(geometry, device, context));
  } else {
    facts.add("TTNN", "has no such layout: {0}", llvm::toString(terms.takeError()));
  }
}

/// The padding as boxes of elements in the shards: the first few, and how much they leave out.
void printPadding(llvm::raw_ostream &os, const MetalGeometry &geometry) {
  constexpr size_t kMostBoxes = 64;
  constexpr int64_t kMostCores = 1 << 14; // more than any mesh has
  TextTable table({{"core"}, {"padding from"}, {"to, exclusive"}, {"elements", Align::Right}});
  size_t boxes = 0;
  int64_t listed = 0, cores = std::min(geometry.cores(), kMostCores);
  for (int64_t number = 0; number != cores && listed != geometry.paddingVolume() && boxes != kMostBoxes;
       ++number) {
    tessera::Index core = geometry.coreAt(number);
    geometry.forEachPaddingRegion(core, [&](const ElementBox &box) {
      table.add({tuple(core), tuple(box.begin), tuple(box.end), std::to_string(box.volume())});
      listed += box.volume();
      return ++boxes != kMostBoxes;
    });
  }
  os << '\n';
  table.print(os);
  if (listed != geometry.paddingVolume())
    os << formatv("and more: {0} of {1} elements of padding are listed\n", listed, geometry.paddingVolume());
}

void printLayout(llvm::raw_ostream &os, const LayoutArguments &arguments, const LayoutRequest &request,
                 const MetalGeometry &geometry, const DeviceSpec &device, ttcore::MetalLayoutAttr attr) {
  os << attr << "\n\n";
  Facts facts(os);
  printSize(facts, geometry);
  std::optional<GridPlacement> placement = printGrid(facts, geometry, device);
  if (request.index)
    printElement(facts, geometry, *request.index, placement);
  printTtnn(facts, geometry, device, attr.getContext());
  if (arguments.padding)
    printPadding(os, geometry);
}

// ---- The command -----------------------------------------------------------------------------------------

int fail(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "tessera: error: " << message << "\n";
  return code;
}

int draw(const std::string &path, const LayoutRequest &request, const MetalGeometry &geometry,
         const DeviceSpec &device) {
  LayoutDrawingOptions options{&device, request.index};
  llvm::Error error =
      writeFileAtomically(path, [&](llvm::raw_ostream &os) { drawLayout(os, geometry, options); });
  return error ? fail(kInputError, llvm::toString(std::move(error))) : kSuccess;
}

} // namespace

int tessera::runLayout(const LayoutArguments &arguments) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ttcore::TTCoreDialect, ttnn::TTNNDialect>();
  // There is no file, so whatever is wrong is wrong with the command line.
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    fail(kUsageError, diagnostic.str());
    return success();
  });
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&context)); };

  LayoutRequest request;
  if (std::string problem = readLayoutArguments(arguments, request); !problem.empty())
    return fail(kUsageError, problem);
  const DeviceSpec *device = findDeviceOrDiagnose(arguments.device, emitError);
  if (!device)
    return kUsageError;

  llvm::Expected<MetalLayout> layout =
      buildMetalLayout(request.shape, request.dtype, request.grid, request.options);
  if (!layout)
    return fail(kUsageError, llvm::toString(layout.takeError()));
  llvm::Expected<MetalGeometry> geometry =
      MetalGeometry::create(*layout, request.shape, nocAlignment(layout->space, *device));
  if (!geometry)
    return fail(kUsageError, llvm::toString(geometry.takeError()));
  FailureOr<ttcore::MetalLayoutAttr> attr = ttcore::toAttr(&context, *layout, emitError);
  if (failed(attr))
    return kUsageError;

  // First the file: a run whose file cannot be written has failed and prints nothing.
  if (!arguments.svg.empty())
    if (int wrong = draw(arguments.svg, request, *geometry, *device))
      return wrong;
  // Standard output may be carrying the drawing.
  llvm::raw_ostream &people = arguments.svg == "-" ? llvm::errs() : llvm::outs();
  printLayout(people, arguments, request, *geometry, *device, *attr);
  return kSuccess;
}
