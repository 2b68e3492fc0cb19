//===- CachePatterns.cpp - Rows and elements, written and looked up -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PatternWriters.h"

using namespace tessera;

namespace {

constexpr auto kRows = ModuleText::Place::DramRows;

Named inRows(PatternText &p, const Named &x, const Shape &shape) {
  return p.made("reshape", {x}, "shape = [" + numberList(shape) + "]", p.with(shape, x), "", kRows);
}

Named scatter(PatternText &p, const std::vector<Named> &operands, llvm::ArrayRef<int64_t> sizes,
              llvm::ArrayRef<int64_t> windows) {
  return p.made("rows_scatter", operands,
                "column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: " +
                    numberList(sizes, "") + ">, windows = array<i64: " + numberList(windows, "") + ">",
                operands.front().desc, "", kRows);
}

/// users x heads x positions x elements.
struct CacheExtents {
  int64_t users, heads, positions, size;
};

/// One position for all.
Named atOnePosition(PatternText &p, const Named &cache, const CacheExtents &e, int64_t rows) {
  Named index = p.argument({{1, 1, 1}, DataType::Int32}, kRows);
  Named fresh = p.made("to_layout", {p.input({e.users, e.heads, rows, e.size})}, "",
                       {{e.users, e.heads, rows, e.size}, DataType::BFloat16}, "", kRows);
  return scatter(p,
                 {inRows(p, cache, {e.users * e.heads, e.positions, e.size}), index,
                  inRows(p, fresh, {e.users * e.heads, rows, e.size})},
                 {e.positions}, {rows});
}

/// A position of its own for each user, or else for each head.
Named atOwnPositions(PatternText &p, const Named &cache, const CacheExtents &e, bool ofUsers) {
  const int64_t updates = ofUsers ? e.users : e.heads, whole = ofUsers ? e.heads : e.users;
  const TensorDesc one{{1, 1, updates}, DataType::Int32};
  Named zero =
      p.made("zeros", {}, "shape = #ttnn.shape<" + shapeText(one.shape) + ">", one, p.device(), kRows);
  Named counted =
      p.made("arange", {}, "start = 0 : i64, end = " + std::to_string(updates) + " : i64, step = 1 : i64",
             {{updates}, DataType::Int32}, p.device(), kRows);
  Named each = inRows(p, counted, one.shape);
  Named own = p.argument(one, kRows);
  std::vector<Named> parts{each, zero, own};
  if (!ofUsers)
    std::swap(parts[0], parts[1]);
  Named index = p.made("concat", parts, "dim = 1 : si32", {{1, 3, updates}, DataType::Int32}, "", kRows);
  Named fresh = p.argument({{1, updates * whole, e.size}, DataType::BFloat16}, kRows);
  return scatter(p, {inRows(p, cache, {1, e.users * e.heads * e.positions, e.size}), index, fresh},
                 {e.users, e.heads, e.positions}, {ofUsers ? 1 : e.users, ofUsers ? e.heads : 1, 1});
}

} // namespace

/// Off: two rows; another reads the cache; each head has a position; the result stays in rows.
void tessera::writeCacheUpdate(PatternText &p, size_t off) {
  const int64_t users = p.pick<int64_t>({2, 4, 32});
  // A head's own place is that of all heads where there is one.
  const int64_t heads = off == 3 ? p.pick<int64_t>({2, 8}) : p.pick<int64_t>({1, 2, 8});
  const CacheExtents e{users, heads, p.pick<int64_t>({32, 64}), p.pick<int64_t>({32, 64})};
  Named cache = p.argument({{e.users, e.heads, e.positions, e.size}, DataType::BFloat16}, kRows);
  Named written = off == 3 || (off == 0 && p.chance()) ? atOwnPositions(p, cache, e, off != 3)
                                                       : atOnePosition(p, cache, e, off == 1 ? 2 : 1);
  if (off == 4)
    return p.giveItself(written);
  if (off == 2)
    p.giveItself(cache);
  p.give(p.reshape(p.made("to_layout", {written}, "", written.desc), cache.desc.shape));
}

/// Off: written behind the reader as well; written by nobody.
void tessera::writeCopiedCache(PatternText &p, size_t off) {
  const int64_t users = p.pick<int64_t>({2, 4, 32}), heads = p.pick<int64_t>({1, 2, 8}),
                positions = p.pick<int64_t>({32, 64}), size = p.pick<int64_t>({32, 64});
  Named cache = p.cache({users, heads, positions, size});
  if (off != 2)
    p.writeCache(cache);
  if (p.chance())
    p.give(
        p.made("scaled_dot_product_attention",
               {p.input({users, heads, 32, size}), cache, p.input({users, heads, positions, size})},
               "is_causal = false, scale = 1.25e-01 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
               {{users, heads, 32, size}, DataType::BFloat16}));
  else
    p.give(p.matmul(p.input({users, heads, 32, positions}), cache));
  if (off == 1)
    p.writeCache(cache);
}

/// Off: the caller keeps it; another result is what it came with.
void tessera::writeDonated(PatternText &p, size_t off) {
  const TensorDesc desc{{p.pick<int64_t>({2, 4, 32}), p.pick<int64_t>({1, 2, 8}), p.pick<int64_t>({32, 64}),
                         p.pick<int64_t>({32, 64})},
                        DataType::BFloat16};
  const size_t result = p.results() + (off == 2);
  Named cache =
      p.argument(desc, kRows, off == 1 ? "" : "{tf.aliasing_output = " + std::to_string(result) + " : i32}");
  if (off == 2)
    p.giveItself(p.made("to_layout", {cache}, "", desc));
  Named tiles = p.made("to_layout", {cache}, "", desc);
  if (off != 0 || p.chance())
    p.writeCache(tiles);
  p.giveItself(tiles);
}

namespace {

/// Numbers of rows `begin` to `end`, each `step`-th, as often as elements of each are looked up.
Named rowNumbers(PatternText &p, int64_t begin, int64_t end, int64_t step, int64_t ofRow) {
  const int64_t count = (end - begin) / step;
  Named counted = p.made("arange", {},
                         "start = " + std::to_string(begin) + " : i64, end = " + std::to_string(end) +
                             " : i64, step = " + std::to_string(step) + " : i64",
                         {{count}, DataType::Int32}, p.device(), kRows);
  Named each = p.made("repeat", {inRows(p, counted, {count, 1})},
                      "repeat_dims = #ttnn.shape<1x" + std::to_string(ofRow) + ">",
                      {{count, ofRow}, DataType::Int32}, "", kRows);
  return inRows(p, each, {1, 1, count * ofRow});
}

} // namespace

/// Off: every second row; windows of two elements; what stands outside is filled.
void tessera::writeElements(PatternText &p, size_t off) {
  // Every second row of two is one row, which may be the first.
  const int64_t rows = off == 1 ? p.pick<int64_t>({32, 64, 100}) : p.pick<int64_t>({2, 32, 64, 100}),
                size = p.pick<int64_t>({7, 32, 128}), ofRow = p.pick<int64_t>({1, 8, 40}),
                step = off == 1 ? 2 : 1, window = off == 2 ? 2 : 1;
  if (off == 0 && p.chance(3)) { // each row a table of its own
    Named own = p.argument({{rows, 1, size}, p.pick({DataType::BFloat16, DataType::Float32})}, kRows);
    Named places = p.argument({{rows, 1, ofRow}, DataType::Int32}, kRows);
    return p.giveItself(p.made("rows_gather", {own, places},
                               "column = true, fill_out_of_bounds = false, sizes = array<i64: " +
                                   std::to_string(size) + ">, windows = array<i64: 1>",
                               p.with({rows, ofRow}, own), "", kRows));
  }
  const int64_t parts = off == 0 && p.chance() ? 2 : 1, some = rows / parts;
  Named table = p.argument({{1, rows, size}, p.pick({DataType::BFloat16, DataType::Float32})}, kRows);
  std::vector<Named> found;
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t count = some / step * ofRow;
    Named places = p.argument({{1, 1, count}, DataType::Int32}, kRows);
    Named index = p.made("concat", {rowNumbers(p, part * some, (part + 1) * some, step, ofRow), places},
                         "dim = 1 : si32", {{1, 2, count}, DataType::Int32}, "", kRows);
    Named looked =
        p.made("rows_gather", {table, index},
               std::string("column = true, fill_out_of_bounds = ") + (off == 3 ? "true" : "false") +
                   ", sizes = array<i64: " + numberList({rows, size}, "") +
                   ">, windows = array<i64: " + numberList({1, window}, "") + ">",
               p.with(window == 1 ? Shape{1, count} : Shape{1, count, window}, table), "", kRows);
    found.push_back(parts == 1 ? looked : inRows(p, looked, {some, ofRow}));
  }
  if (parts == 1)
    return p.giveItself(found.front());
  p.giveItself(p.made("concat", found, "dim = 0 : si32", p.with({rows, ofRow}, table), "", kRows));
}
