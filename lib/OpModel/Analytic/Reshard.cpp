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
    double load = wrapped, most = 0;
    for (unsigned i = 0; i < size; ++i)
      most = std::max(most, load += steps[i]);
    return most;
  }

private:
  std::array<double, 18> steps{};
  double wrapped = 0;
};

/// Bytes per link and core.
class Loads {
public:
  explicit Loads(const NocMap &map) : map(map) {}

  void add(unsigned noc, Node from, Node to, double bytes) {
    EndPoints &ends = endPoints[noc];
    ends.source[index(from)] += bytes;
    ends.destination[index(to)] += bytes;
    ends.readers[index(from)] += 1;
    // NoC 1 runs the other way: its links are those of the way back.
    if (noc == 0) {
      rows[0][from.y].add(from.x, to.x, bytes);
      columns[0][to.x].add(from.y, to.y, bytes);
    } else {
      columns[1][from.x].add(to.y, from.y, bytes);
      rows[1][to.y].add(to.x, from.x, bytes);
    }
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

} // namespace

ReshardLoads reshardLoads(Arch arch, const TensorRef &fromTensor, const TensorRef &toTensor) {
  const NocMap &map = arch == Arch::Blackhole ? kBlackhole : kWormhole;
  Shards from(map, fromTensor), to(map, toTensor);
  double unit = double(toTensor.tiled() ? toTensor.tile : toTensor.scalar);
  Loads loads(map);
  for (int64_t i = 0; i < std::min<int64_t>(to.grid.volume(), int64_t(to.nodes.size())); ++i) {
    auto [top, bottom] = Shards::span(i / to.grid.columns, to.extent.rows, to.whole.rows);
    auto [left, right] = Shards::span(i % to.grid.columns, to.extent.columns, to.whole.columns);
    if (top >= bottom || left >= right)
      continue;
    int64_t width = right - left, half = ((bottom - top) * width + 1) / 2;
    for (int64_t r = top / from.extent.rows; r <= (bottom - 1) / from.extent.rows; ++r)
      for (int64_t c = left / from.extent.columns; c <= (right - 1) / from.extent.columns; ++c) {
        size_t source = size_t(r * from.grid.columns + c);
        if (r >= from.grid.rows || c >= from.grid.columns || source >= from.nodes.size())
          continue;
        int64_t t = std::max(top, r * from.extent.rows) - top,
                b = std::min(bottom, (r + 1) * from.extent.rows) - top;
        int64_t l = std::max(left, c * from.extent.columns) - left,
                e = std::min(right, (c + 1) * from.extent.columns) - left;
        int64_t first = unitsInFirstHalf(t, b, l, e, width, half), rest = (b - t) * (e - l) - first;
        if (first > 0)
          loads.add(0, from.nodes[source], to.nodes[size_t(i)], double(first) * unit);
        if (rest > 0)
          loads.add(1, from.nodes[source], to.nodes[size_t(i)], double(rest) * unit);
      }
  }
  return loads.busiest();
}

} // namespace tessera::analytic
