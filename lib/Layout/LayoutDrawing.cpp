//===- LayoutDrawing.cpp - A layout as a picture --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//  1. Give every core of the virtual grid a panel and a cell in it.
//  2. Turn the padding boxes of each shard into rectangles of its memory.
//  3. Choose the size of a cell, then draw: cells, shards, padding, tiles, the
//     element, labels, legend.
//
// Only cores that are shown are looked at, and of their padding only as much
// as is drawn: the work is as bounded as the drawing.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/LayoutDrawing.h"

#include "TextParts.h"

#include "tessera/Layout/GridPlacement.h"
#include "tessera/Support/Format.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <optional>
#include <vector>

using namespace llvm;

namespace tessera {
namespace {

/// Bounds of the file's size for any layout: what is beyond them is left out, and the legend says how much.
constexpr int64_t kMostPanels = 8, kMostCells = 64;
constexpr int64_t kMostBoxes = 400;          ///< of padding, per shard
constexpr int64_t kMostBoxesInAll = 100'000; ///< shared out to the shards: some 10 MiB
constexpr double kPanelWidth = 1040, kMargin = 40, kTitle = 84, kLegend = 46;
constexpr double kLabels = 100;       ///< room for row numbers beside the cells
constexpr double kLeastTilePitch = 3; ///< pixels between tile borders

/// Labels have a white rim, as they stand on hatched and on blue cells.
constexpr const char *kStyle =
    "text{font-family:Helvetica,Arial,sans-serif;fill:#222}"
    ".title{font-size:18px;font-weight:bold}.sub{font-size:13px;fill:#555}.label{font-size:11px;fill:#333;"
    "stroke:#fff;stroke-width:2.5;stroke-opacity:.7;"
    "paint-order:stroke}"
    ".idle{fill:#f4f4f4;stroke:#ccc;stroke-width:1}.data{fill:#9ec9ea}.tile{stroke:#4a7ba6;stroke-width:.6;"
    "stroke-opacity:.7}.shard{fill:none;stroke:#1d3f5e;stroke-width:1.2}.element{fill:#c0202a;stroke:#fff;"
    "stroke-width:1}";
constexpr const char *kPatterns =
    "<pattern id=\"pad\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\">"
    "<rect width=\"6\" height=\"6\" fill=\"#fbeed5\"/><rect width=\"2\" height=\"6\" "
    "fill=\"#e3a13c\"/></pattern>"
    "<pattern id=\"mix\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<rect width=\"6\" height=\"3\" fill=\"#9ec9ea\"/><rect y=\"3\" width=\"6\" height=\"3\" "
    "fill=\"#e3a13c\"/></pattern>";

/// In pixels of the picture, or in elements of a shard.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

// ---- 1. Cells -------------------------------------------------------------------------------------------

/// Where a core is drawn: panels stand below each other, one for each chip or leading coordinate of the grid.
struct Cell {
  int64_t panel = 0, row = 0, column = 0;
};

/// Where cores are drawn.
class Floor {
public:
  Floor(ArrayRef<int64_t> virtualGrid, const DeviceSpec *device)
      : grid(virtualGrid.begin(), virtualGrid.end()) {
    if (device) {
      // A grid that the device has no room for is drawn as a grid alone: the picture may show why.
      if (Expected<GridPlacement> placed = placeGrid(grid, *device)) {
        placement = std::move(*placed);
        rows = device->workerGrid.rows;
        columns = device->workerGrid.columns;
        panels = device->mesh.volume();
        return;
      } else {
        consumeError(placed.takeError());
      }
    }
    rows = grid.size() < 2 ? 1 : grid[grid.size() - 2];
    columns = grid.empty() ? 1 : grid.back();
    panels = grid.size() < 3 ? 1 : volumeOf(ArrayRef(grid).drop_back(2));
  }

  bool onDevice() const { return placement.has_value(); }
  int64_t shownPanels() const { return std::min(panels, kMostPanels); }
  int64_t shownRows() const { return std::min(rows, kMostCells); }
  int64_t shownColumns() const { return std::min(columns, kMostCells); }
  /// Calls `visit` for every core that has a cell.
  void forEachShownCore(const MetalGeometry &geometry,
                        function_ref<void(ArrayRef<int64_t> core, Cell)> visit) const {
    if (placement) { // as many as the device has
      // Virtual cores in their order; where the placement puts each decides the cell. The cells in between are idle and
      // drawn by drawPanel().
      for (int64_t number = 0; number != geometry.cores(); ++number) {
        Index core = geometry.coreAt(number);
        PhysicalCore at = (*placement)(core);
        if (Cell cell{at.chip, at.core.y, at.core.x}; shows(cell))
          visit(core, cell);
      }
      return;
    }
    for (int64_t panel = 0; panel != shownPanels(); ++panel)
      for (int64_t row = 0; row != shownRows(); ++row)
        for (int64_t column = 0; column != shownColumns(); ++column)
          visit(geometry.coreAt((panel * rows + row) * columns + column), {panel, row, column});
  }

  /// "chip 0", or "cores (1, 0, *, *)" for the leading coordinates of a grid; "" if there is one panel only.
  std::string panelName(int64_t panel) const {
    if (placement)
      return formatv("chip {0}", panel);
    std::string name;
    for (size_t r = grid.size() < 3 ? 0 : grid.size() - 2; r-- > 0; panel /= grid[r])
      name = formatv("{0}{1}{2}", panel % grid[r], name.empty() ? "" : ", ", name);
    return grid.size() < 3 ? "" : "cores (" + name + ", *, *)";
  }

  // Of the device, or of the virtual grid where there is none; the shown*() functions bound them for the picture.
  int64_t panels, rows, columns;

private:
  /// Whether the cell is within the bounds of the picture.
  static bool shows(Cell cell) {
    return cell.panel < kMostPanels && cell.row < kMostCells && cell.column < kMostCells;
  }

  Index grid;
  std::optional<GridPlacement> placement;
};

// ---- 2. Padding as rectangles of memory -------------------------------------------------------------------

/// A shard's memory: rows are all dimensions but the last.
struct Memory {
  explicit Memory(ArrayRef<int64_t> padded)
      : rows(padded.empty() ? 1 : volumeOf(padded.drop_back())), columns(padded.empty() ? 1 : padded.back()) {
  }
  int64_t rows, columns;
};

/// Calls `visit(first row, rows)` for the runs of memory rows that `box` covers, until it returns false; returns
/// what the last call did.
bool forEachRowRun(const ElementBox &box, ArrayRef<int64_t> padded,
                   function_ref<bool(int64_t, int64_t)> visit) {
  // In a 4x6x8 shard the box [1,3) x [0,6) covers rows 6 to 17 of its 24 as one run; [1,3) x [2,5) covers two runs of
  // three.
  // Dimensions below `split` are covered as a whole: they join into longer runs.
  size_t split = box.begin.size() - 1;
  int64_t below = 1;
  while (split > 0 && box.begin[split - 1] == 0 && box.end[split - 1] == padded[split - 1])
    below *= padded[--split];
  if (split == 0)
    return visit(0, below);
  --split;
  Index offset(split, 0), extents;
  for (size_t r = 0; r != split; ++r)
    extents.push_back(box.end[r] - box.begin[r]);
  do {
    int64_t row = 0;
    for (size_t r = 0; r != split; ++r)
      row = row * padded[r] + box.begin[r] + offset[r];
    if (!visit((row * padded[split] + box.begin[split]) * below, (box.end[split] - box.begin[split]) * below))
      return false;
  } while (advance(offset, extents));
  return true;
}

/// The padding of a shard, in elements of its memory; nullopt if it is more than `most` boxes.
/// A shard may have a box of padding per row, and a picture a million shards' rows. What is more than `most` is not
/// drawn box by box: its cell gets a pattern that says that data and padding are mixed.
std::optional<std::vector<Box>> paddingOf(const MetalGeometry &geometry, ArrayRef<int64_t> core,
                                          size_t most) {
  std::vector<Box> boxes;
  if (core.empty())
    return boxes; // one element
  bool all = geometry.forEachPaddingRegion(core, [&](const ElementBox &box) {
    double column = double(box.begin.back()), columns = double(box.end.back() - box.begin.back());
    return forEachRowRun(box, geometry.paddedShard(), [&](int64_t row, int64_t rows) {
      boxes.push_back({column, double(row), columns, double(rows)});
      return boxes.size() <= most;
    });
  });
  return all ? std::optional(std::move(boxes)) : std::nullopt;
}

// ---- 3. Drawing -------------------------------------------------------------------------------------------

/// Draws one layout. The coordinates are those of SVG: y grows downwards.
class Drawing {
public:
  Drawing(raw_ostream &os, const MetalGeometry &geometry, const LayoutDrawingOptions &options)
      : os(os), geometry(geometry), floor(geometry.layout().grid, options.device),
        memory(geometry.paddedShard()) {
    if (options.element) {
      element = geometry.locate(*options.element);
      elementName = "[" + text(*options.element, ", ") + "]";
    }
    chooseCellSize();
  }

  void draw() {
    double width = kPanelWidth + 2 * kMargin;
    double height = kTitle + panelHeight() * double(floor.shownPanels()) + kLegend;
    os << formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:f0}\" height=\"{1:f0}\" viewBox=\"0 "
                  "0 {0:f0} {1:f0}\">\n",
                  width, height);
    os << "<style>" << kStyle << "</style><defs>" << kPatterns << "</defs>\n";
    rectangle({0, 0, width, height}, "fill=\"#fff\"");
    drawTitle();
    for (int64_t panel = 0; panel != floor.shownPanels(); ++panel)
      drawPanel(panel, kTitle + panelHeight() * double(panel));
    drawCores();
    drawLegend(height - kLegend + 24);
    os << "</svg>\n";
  }

private:
  /// Cells fill the width; their height follows the shard's aspect within bounds that keep both legible.
  void chooseCellSize() {
    // With many columns a wide gap would take more of the picture than the cells.
    gap = floor.shownColumns() > 24 ? 2 : 6;
    // A single core does not fill the page: 260 pixels show a shard as well.
    cell.width = std::min(260.0, (kPanelWidth - kLabels) / double(floor.shownColumns()));
    // A shard without rows or columns has no aspect; a square stands for it.
    double aspect =
        memory.columns == 0 || memory.rows == 0 ? 1 : double(memory.rows) / double(memory.columns);
    double most = std::max(24.0, (floor.shownPanels() == 1 ? 900.0 : 480.0) / double(floor.shownRows()));
    cell.height = std::clamp(cell.width * aspect, std::min(most, std::max(18.0, cell.width * 0.35)),
                             std::min(most, std::max(26.0, cell.width * 1.6)));
  }

  /// The cells with the name of the panel and the labels above them.
  double panelHeight() const { return cell.height * double(floor.shownRows()) + 56; }
  /// The cell of a core in the picture, without the gap to the next one.
  Box boxOf(Cell at) const {
    return {kMargin + kLabels + cell.width * double(at.column),
            kTitle + panelHeight() * double(at.panel) + 34 + cell.height * double(at.row), cell.width - gap,
            cell.height - gap};
  }

  /// A line of text, which may hold anything that stands in a name.
  void write(double x, double y, StringRef style, StringRef words, StringRef anchor = "start") {
    os << "<text x=\"" << format("%.1f", x) << "\" y=\"" << format("%.1f", y) << "\" class=\"" << style
       << "\" text-anchor=\"" << anchor << "\">";
    printHTMLEscaped(words, os);
    os << "</text>\n";
  }
  void rectangle(Box box, StringRef attributes) {
    os << "<rect x=\"" << format("%.2f", box.x) << "\" y=\"" << format("%.2f", box.y) << "\" width=\""
       << format("%.2f", box.width) << "\" height=\"" << format("%.2f", box.height) << "\" " << attributes
       << "/>\n";
  }
  void line(double x1, double y1, double x2, double y2) {
    os << "<line x1=\"" << format("%.2f", x1) << "\" y1=\"" << format("%.2f", y1) << "\" x2=\""
       << format("%.2f", x2) << "\" y2=\"" << format("%.2f", y2) << "\" class=\"tile\"/>\n";
  }

  /// Three lines: the tensor and its grid, what a core holds, and where the element lies if one was asked for.
  void drawTitle() {
    const MetalLayout &layout = geometry.layout();
    write(kMargin, 30, "title",
          formatv("Tensor {0} on a grid of {1}", text(geometry.shape()), text(layout.grid)).str());
    std::string shard = layout.tile ? formatv("{0} tiles of {1}x{2} {3}", text(layout.shard),
                                              layout.tile->height, layout.tile->width, name(layout.dtype))
                                          .str()
                                    : formatv("{0} {1}", text(layout.shard), name(layout.dtype)).str();
    write(kMargin, 52, "sub",
          formatv("collapsed to {0} | shard {1} in {2} | {3} per core, {4} in all | {5} of it is data",
                  text(geometry.collapsedShape()), shard, name(layout.space),
                  formatBytes(geometry.bytesPerCore()), formatBytes(geometry.totalBytes()),
                  formatPercent(geometry.utilisation()))
              .str());
    if (element)
      write(kMargin, 70, "sub",
            formatv("element {0} lies on core ({1}), element ({2}) of its shard, at byte {3}", elementName,
                    text(element->core, ", "), text(element->inShard, ", "), element->offset.value())
                .str());
  }

  /// Name, cells for idle cores, and which rows and columns of the tensor the grid's rows and columns hold.
  void drawPanel(int64_t panel, double top) {
    write(kMargin, top + 12, "sub", floor.panelName(panel));
    if (floor.onDevice()) {
      for (int64_t row = 0; row != floor.shownRows(); ++row)
        for (int64_t column = 0; column != floor.shownColumns(); ++column)
          rectangle(boxOf({panel, row, column}), "class=\"idle\"");
      return;
    }
    unsigned rank = geometry.layout().rank();
    for (int64_t row = 0; rank >= 2 && row != floor.shownRows() && cell.height >= 14; ++row)
      write(kMargin + kLabels - 6, boxOf({panel, row, 0}).y + (cell.height - gap) / 2 + 4, "label",
            range(rank - 2, row), "end");
    for (int64_t column = 0; rank >= 1 && column != floor.shownColumns() && cell.width >= 60; ++column)
      write(boxOf({panel, 0, column}).x + (cell.width - gap) / 2, top + 28, "label", range(rank - 1, column),
            "middle");
  }

  /// The collapsed indices of one row or column of cores: "0..191".
  std::string range(unsigned r, int64_t coordinate) const {
    int64_t begin = coordinate * geometry.scalarShard()[r];
    int64_t end = std::min(begin + geometry.scalarShard()[r], geometry.collapsedShape()[r]);
    return begin < end ? formatv("{0}..{1}", begin, end - 1).str() : "none";
  }

  /// All cores that are shown.
  void drawCores() {
    int64_t shown = floor.shownPanels() * floor.shownRows() * floor.shownColumns();
    // Shared out evenly, not first come, first served: else the first cores would be exact and all others summarised.
    size_t mostBoxes = size_t(std::min(kMostBoxes, kMostBoxesInAll / shown));
    floor.forEachShownCore(geometry,
                           [&](ArrayRef<int64_t> core, Cell at) { drawCore(core, boxOf(at), mostBoxes); });
  }

  /// In this order, as each lies over those before: data, padding, tiles, the rim, the label, the element.
  void drawCore(ArrayRef<int64_t> core, Box box, size_t mostBoxes) {
    rectangle(box, "class=\"data\"");
    if (std::optional<std::vector<Box>> padding = paddingOf(geometry, core, mostBoxes)) {
      for (Box part : *padding)
        rectangle(inCell(box, part), "fill=\"url(#pad)\"");
    } else {
      // A cell that said nothing would read as all data.
      rectangle(box, "fill=\"url(#mix)\"");
      summarised = true;
    }
    drawTiles(box);
    rectangle(box, "class=\"shard\"");
    if (floor.onDevice() && cell.width >= 44 && cell.height >= 26)
      write(box.x + 4, box.y + 13, "label", text(core, ","));
    if (element && ArrayRef<int64_t>(element->core) == core)
      drawElement(box);
  }

  /// A rectangle of the shard's memory, in pixels of its cell.
  Box inCell(Box box, Box part) const {
    double sx = box.width / double(std::max<int64_t>(1, memory.columns));
    double sy = box.height / double(std::max<int64_t>(1, memory.rows));
    return {box.x + part.x * sx, box.y + part.y * sy, part.width * sx, part.height * sy};
  }

  /// Borders between tiles, in each direction unless they were closer than a few pixels.
  void drawTiles(Box box) {
    const std::optional<TileShape> &tile = geometry.layout().tile;
    if (!tile)
      return;
    Box pitch = inCell({0, 0, box.width, box.height}, {0, 0, double(tile->width), double(tile->height)});
    if (pitch.width >= kLeastTilePitch)
      for (int64_t i = 1; i < memory.columns / tile->width; ++i)
        line(box.x + pitch.width * double(i), box.y, box.x + pitch.width * double(i), box.y + box.height);
    if (pitch.height >= kLeastTilePitch)
      for (int64_t i = 1; i < memory.rows / tile->height; ++i)
        line(box.x, box.y + pitch.height * double(i), box.x + box.width, box.y + pitch.height * double(i));
    // A side of a single tile has no border to draw, so nothing is hidden there.
    tilesHidden |= (pitch.width < kLeastTilePitch && memory.columns > tile->width) ||
                   (pitch.height < kLeastTilePitch && memory.rows > tile->height);
  }

  /// A dot of fixed size: an element of a large shard would be less than a pixel.
  void drawElement(Box box) {
    int64_t row = 0;
    for (size_t r = 0; r + 1 < element->inShard.size(); ++r)
      row = row * geometry.paddedShard()[r] + element->inShard[r];
    double column = element->inShard.empty() ? 0 : double(element->inShard.back());
    Box point = inCell(box, {column, double(row), 1, 1});
    os << "<circle cx=\"" << format("%.2f", point.x + point.width / 2) << "\" cy=\""
       << format("%.2f", point.y + point.height / 2) << "\" r=\"4.5\" class=\"element\"/>\n";
  }

  /// What the colours mean, of those that occur, and what is left out.
  void drawLegend(double y) {
    double x = kMargin;
    auto entry = [&](StringRef attributes, StringRef words) {
      rectangle({x, y - 11, 18, 12}, attributes);
      write(x + 24, y, "sub", words);
      // About 7 pixels a letter: text cannot be measured here, and a wider gap does no harm.
      x += 44 + 7 * double(words.size());
    };
    entry("class=\"data\"", "data");
    entry("fill=\"url(#pad)\"", "padding");
    if (summarised)
      entry("fill=\"url(#mix)\"", "data and padding, too fine to draw");
    if (floor.onDevice())
      entry("class=\"idle\"", "idle core");
    std::string notes;
    if (geometry.layout().tile)
      notes += tilesHidden ? "tile borders too fine to draw" : "thin lines: tiles";
    if (floor.panels > kMostPanels || floor.rows > kMostCells || floor.columns > kMostCells)
      notes += formatv("{0}drawn: {1} of {2} panels, {3}x{4} of {5}x{6} cores", notes.empty() ? "" : " | ",
                       floor.shownPanels(), floor.panels, floor.shownRows(), floor.shownColumns(), floor.rows,
                       floor.columns);
    write(x, y, "sub", notes);
  }

  raw_ostream &os;
  const MetalGeometry &geometry;
  Floor floor;
  Memory memory;
  std::optional<MetalLocation> element;
  std::string elementName;
  Box cell;
  double gap = 6;
  bool summarised = false, tilesHidden = false;
};

} // namespace

void drawLayout(raw_ostream &os, const MetalGeometry &geometry, const LayoutDrawingOptions &options) {
  Drawing(os, geometry, options).draw();
}

} // namespace tessera
