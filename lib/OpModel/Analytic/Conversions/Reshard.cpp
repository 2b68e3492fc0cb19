//===- Reshard.cpp - Shards on their way over the NoC --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each destination core fetches the first half of its pages, row by row, over
// NoC 0 and the rest over NoC 1. Data go from the source right, then down on
// NoC 0, and up, then left on NoC 1; both are tori.
//
//===----------------------------------------------------------------------===//
#include "ConversionRuntime.h"

#include <array>
#include <optional>

namespace tessera::analytic {
namespace {

/// Where logical columns and rows of worker cores lie on the NoC, and its extents. Which row or column is
/// harvested is not known; none is assumed.
struct NocMap {
  std::array<unsigned, 14> columns;
  std::array<unsigned, 10> rows;
  size_t columnCount;
  unsigned width, height;
};
/// tt-isa-documentation, "NoC coordinates" of WormholeB0 and BlackholeA0.
constexpr NocMap kWormhole = {{1, 2, 3, 4, 6, 7, 8, 9}, {1, 2, 3, 4, 5, 7, 8, 9, 10, 11}, 8, 10, 12};
constexpr NocMap kBlackhole = {
    {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16}, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 14, 17, 12};
constexpr size_t kMostNodes = 17 * 12;

struct Node {
  unsigned x, y;
};

/// Shards of one tensor: extents in units (tiles or elements) and where each lies.
struct Shards {
  GridShape grid, extent, whole;
  llvm::SmallVector<Node, 64> nodes;

  Shards(const NocMap &map, const TensorRef &tensor) {
    const TensorLayout &layout = *tensor.layout;
    grid = {std::max<int64_t>(1, layout.grid.rows), std::max<int64_t>(1, layout.grid.columns)};
    extent = {std::max<int64_t>(1, layout.shard.rows), std::max<int64_t>(1, layout.shard.columns)};
    whole =
        tensor.tiled() ? GridShape{tensor.tileRows, tensor.tileCols} : GridShape{tensor.rows(), tensor.width};
    auto place = [&](int64_t x, int64_t y) {
      nodes.push_back({map.columns[size_t(std::max<int64_t>(0, x)) % map.columnCount],
                       map.rows[size_t(std::max<int64_t>(0, y)) % map.rows.size()]});
    };
    // Without core ranges the canonical ones: rows of the grid, filled one after the other.
    if (!layout.cores) {
      for (int64_t i = 0; i < grid.volume(); ++i)
        place(i % int64_t(map.columnCount), i / int64_t(map.columnCount));
      return;
    }
    for (const CoreRange &range : layout.cores->ranges)
      for (int64_t y = range.start.y; y <= range.end.y; ++y)
        for (int64_t x = range.start.x; x <= range.end.x; ++x)
          place(x, y);
  }
  /// Units [begin, end) of shard row or column `i`; empty beyond the tensor.
  static std::pair<int64_t, int64_t> span(int64_t i, int64_t extent, int64_t whole) {
    return {std::min(i * extent, whole), std::min((i + 1) * extent, whole)};
  }
};

/// Bytes on the links of one ring, kept as differences: a flow over any number of links is two additions.
class Ring {
public:
  /// A flow over the links that leave `from`, ..., up to the node before `to`, in ascending order, around the
  /// end if need be.
  void add(unsigned from, unsigned to, double bytes) {
    steps[from] += bytes;
    steps[to] -= bytes;
    if (to < from)
      wrapped += bytes;
  }
  double busiest(unsigned size) const {
    // What goes around the end of the ring loads its first links as well.
    double load = wrapped, most = 0;
    for (unsigned i = 0; i < size; ++i)
      most = std::max(most, load += steps[i]);
    return most;
  }

private:
  std::array<double, 18> steps{};
  double wrapped = 0;
};

/// Bytes that a destination fetches from one source.
struct Flow {
  Node source;
  double bytes;
};

/// Sums by coordinate. There are few, and those of one coordinate come one after the other.
struct Sums {
  llvm::SmallVector<std::pair<unsigned, double>, 16> sums;
  void add(unsigned at, double value) {
    if (!sums.empty() && sums.back().first == at) {
      sums.back().second += value;
      return;
    }
    auto known = llvm::find_if(sums, [&](const auto &sum) { return sum.first == at; });
    if (known == sums.end())
      sums.push_back({at, value});
    else
      known->second += value;
  }
};

/// Bytes per link and core.
class Loads {
public:
  explicit Loads(const NocMap &map) : map(map) {}

  /// Each of `to` fetches all of `from`. The links of a row see only the column of a destination, those of a
  /// column only the row of a source (on NoC 1 the other way round), so flows are added up by these first.
  void add(unsigned noc, llvm::ArrayRef<Flow> from, llvm::ArrayRef<Node> to) {
    EndPoints &ends = endPoints[noc];
    Sums destinations, sources;
    double bytes = 0, count = double(to.size());
    for (const Flow &flow : from) {
      bytes += flow.bytes;
      ends.source[index(flow.source)] += flow.bytes * count;
      // Readers that ask one core at the same time wait for each other, however few bytes each of them wants.
      ends.readers[index(flow.source)] += count;
      sources.add(noc == 0 ? flow.source.y : flow.source.x, flow.bytes);
    }
    for (Node node : to) {
      ends.destination[index(node)] += bytes;
      destinations.add(noc == 0 ? node.x : node.y, 1);
    }
    // NoC 1 runs the other way: its links are those of the way back.
    for (const Flow &flow : from)
      for (auto [at, times] : destinations.sums)
        if (noc == 0)
          rows[0][flow.source.y].add(flow.source.x, at, flow.bytes * times);
        else
          columns[1][flow.source.x].add(at, flow.source.y, flow.bytes * times);
    for (Node node : to)
      for (auto [at, sum] : sources.sums)
        if (noc == 0)
          columns[0][node.x].add(at, node.y, sum);
        else
          rows[1][node.y].add(node.x, at, sum);
  }

  ReshardLoads busiest() const {
    ReshardLoads most;
    for (unsigned noc : {0u, 1u}) {
      for (unsigned y = 0; y < map.height; ++y)
        most.link = std::max(most.link, rows[noc][y].busiest(map.width));
      for (unsigned x = 0; x < map.width; ++x)
        most.link = std::max(most.link, columns[noc][x].busiest(map.height));
      const EndPoints &ends = endPoints[noc];
      for (unsigned i = 0; i < map.width * map.height; ++i) {
        most.source = std::max(most.source, ends.source[i]);
        most.destination = std::max(most.destination, ends.destination[i]);
        most.readers = std::max(most.readers, ends.readers[i]);
      }
    }
    return most;
  }

private:
  struct EndPoints {
    std::array<double, kMostNodes> source{}, destination{}, readers{};
  };
  unsigned index(Node node) const { return node.y * map.width + node.x; }

  const NocMap &map;
  std::array<EndPoints, 2> endPoints;
  std::array<std::array<Ring, 12>, 2> rows;
  std::array<std::array<Ring, 17>, 2> columns;
};

/// Units of rows [top, bottom) x columns [left, right), relative to a shard `width` wide, that are among its
/// first `half` units.
int64_t unitsInFirstHalf(int64_t top, int64_t bottom, int64_t left, int64_t right, int64_t width,
                         int64_t half) {
  int64_t fullRows = half / width, partial = half % width;
  int64_t count = std::max<int64_t>(0, std::min(bottom, fullRows) - top) * (right - left);
  if (top <= fullRows && fullRows < bottom)
    count += std::max<int64_t>(0, std::min(right, partial) - left);
  return count;
}

/// Where the shard of a destination lies among the shards of the sources. Destinations for which this is
/// equal fetch the same pieces.
struct Overlap {
  int64_t firstRow, lastRow, firstColumn, lastColumn; ///< of the sources' grid
  int64_t down, right; ///< from the first source's corner; 0 if there is only one
  int64_t height, width;
  bool operator==(const Overlap &) const = default;
};

std::optional<Overlap> overlapOf(const Shards &to, int64_t i, const Shards &from) {
  auto [top, bottom] = Shards::span(i / to.grid.columns, to.extent.rows, to.whole.rows);
  auto [left, right] = Shards::span(i % to.grid.columns, to.extent.columns, to.whole.columns);
  if (top >= bottom || left >= right)
    return std::nullopt;
  Overlap overlap{top / from.extent.rows,
                  (bottom - 1) / from.extent.rows,
                  left / from.extent.columns,
                  (right - 1) / from.extent.columns,
                  top % from.extent.rows,
                  left % from.extent.columns,
                  bottom - top,
                  right - left};
  // Within a single source it does not matter where a destination begins: so more of them are equal, and are worked
  // out once.
  if (overlap.firstRow == overlap.lastRow)
    overlap.down = 0;
  if (overlap.firstColumn == overlap.lastColumn)
    overlap.right = 0;
  return overlap;
}

/// Units [begin, end) of the destination that lie in the n-th of the sources' rows (or columns) that it
/// overlaps.
std::pair<int64_t, int64_t> pieceOf(int64_t n, int64_t offset, int64_t extent, int64_t size) {
  return {std::max<int64_t>(0, n * extent - offset), std::min(size, (n + 1) * extent - offset)};
}

/// The pieces of a destination by the NoC that they come over.
struct Pieces {
  llvm::SmallVector<Flow, 64> overNoc[2];
};
Pieces piecesOf(const Overlap &overlap, const Shards &from, double unit) {
  Pieces pieces;
  int64_t half = (overlap.height * overlap.width + 1) / 2;
  // A single source has all of the extent, wherever in it the destination begins.
  int64_t rows = overlap.firstRow == overlap.lastRow ? overlap.height : from.extent.rows;
  int64_t columns = overlap.firstColumn == overlap.lastColumn ? overlap.width : from.extent.columns;
  for (int64_t r = overlap.firstRow; r <= std::min(overlap.lastRow, from.grid.rows - 1); ++r) {
    auto [top, bottom] = pieceOf(r - overlap.firstRow, overlap.down, rows, overlap.height);
    for (int64_t c = overlap.firstColumn; c <= std::min(overlap.lastColumn, from.grid.columns - 1); ++c) {
      size_t source = size_t(r * from.grid.columns + c);
      if (source >= from.nodes.size())
        continue;
      auto [left, right] = pieceOf(c - overlap.firstColumn, overlap.right, columns, overlap.width);
      int64_t first = unitsInFirstHalf(top, bottom, left, right, overlap.width, half),
              rest = (bottom - top) * (right - left) - first;
      if (first > 0)
        pieces.overNoc[0].push_back({from.nodes[source], double(first) * unit});
      if (rest > 0)
        pieces.overNoc[1].push_back({from.nodes[source], double(rest) * unit});
    }
  }
  return pieces;
}

} // namespace

ReshardLoads reshardLoads(Arch arch, const TensorRef &fromTensor, const TensorRef &toTensor) {
  const NocMap &map = arch == Arch::Blackhole ? kBlackhole : kWormhole;
  Shards from(map, fromTensor), to(map, toTensor);
  double unit = double(toTensor.tiled() ? toTensor.tile : toTensor.scalar);
  Loads loads(map);
  int64_t destinations = std::min<int64_t>(to.grid.volume(), int64_t(to.nodes.size()));
  // Destinations that fetch the same are neighbours in a row of their grid, or in a column.
  bool down = destinations == to.grid.volume() && to.grid.rows > 1 &&
              overlapOf(to, 0, from) == overlapOf(to, to.grid.columns, from);
  auto walk = [&](int64_t k) { return down ? k % to.grid.rows * to.grid.columns + k / to.grid.rows : k; };
  llvm::SmallVector<Node, 64> alike;
  std::optional<Overlap> overlap = destinations ? overlapOf(to, walk(0), from) : std::nullopt;
  for (int64_t k = 0; k < destinations; ++k) {
    alike.push_back(to.nodes[size_t(walk(k))]);
    std::optional<Overlap> next = k + 1 < destinations ? overlapOf(to, walk(k + 1), from) : std::nullopt;
    // Destinations that fetch the same pieces of the same shards are added up together: a reshard of 64 to 64
    // cores has far fewer kinds of destinations than pairs of cores.
    if (next == overlap && k + 1 < destinations)
      continue;
    if (overlap) {
      Pieces pieces = piecesOf(*overlap, from, unit);
      for (unsigned noc : {0u, 1u})
        loads.add(noc, pieces.overNoc[noc], alike);
    }
    alike.clear();
    overlap = next;
  }
  return loads.busiest();
}

} // namespace tessera::analytic
