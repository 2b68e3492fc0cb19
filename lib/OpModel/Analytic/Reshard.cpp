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

/// Bytes per link and core.
class Loads {
public:
  explicit Loads(const NocMap &map) : map(map) {}

  void add(unsigned noc, Node from, Node to, double bytes) {
    source[noc][index(from)] += bytes;
    destination[noc][index(to)] += bytes;
    readers[noc][index(from)] += 1;
    if (noc == 0) {
      for (; from.x != to.x; from.x = (from.x + 1) % map.width)
        across[0][index(from)] += bytes;
      for (; from.y != to.y; from.y = (from.y + 1) % map.height)
        along[0][index(from)] += bytes;
      return;
    }
    for (; from.y != to.y; from.y = (from.y + map.height - 1) % map.height)
      along[1][index(from)] += bytes;
    for (; from.x != to.x; from.x = (from.x + map.width - 1) % map.width)
      across[1][index(from)] += bytes;
  }

  ReshardLoads busiest() const {
    return {std::max(top(across), top(along)), top(source), top(destination), top(readers)};
  }

private:
  using PerNode = std::array<std::array<double, kMostNodes>, 2>;
  static double top(const PerNode &table) {
    double most = 0;
    for (const auto &noc : table)
      for (double value : noc)
        most = std::max(most, value);
    return most;
  }
  unsigned index(Node node) const { return node.y * map.width + node.x; }

  const NocMap &map;
  PerNode across{}, along{}, source{}, destination{}, readers{};
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
