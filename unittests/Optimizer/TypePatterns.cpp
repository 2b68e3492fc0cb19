//===- TypePatterns.cpp - What the device refuses for types and ranks -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PatternWriters.h"

using namespace tessera;

/// Off: heads of whole tiles, which the device joins.
void tessera::writeHeadsInParts(PatternText &p, size_t off) {
  const int64_t users = p.pick<int64_t>({1, 2}), heads = p.pick<int64_t>({2, 4, 8}),
                rows = p.pick<int64_t>({32, 50, 64}), size = off ? 64 : p.pick<int64_t>({8, 16, 40, 80});
  Named x = p.input({users, heads, rows, size});
  p.give(p.made("concatenate_heads", {x}, "", {{users, rows, heads * size}, DataType::BFloat16}));
}

/// Off: four dimensions, of which all are padded by a kernel; a matrix.
void tessera::writeTakenRanks(PatternText &p, size_t off) {
  const DataType dtype = p.pick({DataType::BFloat16, DataType::Float32});
  if (off != 2 && (off == 1 || p.chance())) {
    Shape shape{p.pick<int64_t>({1, 2, 3}), 2, p.pick<int64_t>({30, 32}), 64};
    const size_t rank = off == 1 ? 4 : 5;
    if (rank == 5)
      shape.insert(shape.begin(), 2);
    Named x = p.input(shape, dtype);
    const int64_t front = off == 1 ? 0 : p.pick<int64_t>({0, 1}), back = p.pick<int64_t>({1, 3});
    shape[0] += front + back;
    std::string padding = std::to_string(front) + ", " + std::to_string(back);
    for (size_t dim = 1; dim < rank; ++dim)
      padding += ", 0, 0";
    return p.giveItself(
        p.made("pad", {x}, "padding = array<i32: " + padding + ">, use_multicore = true, value = 0.0 : f32",
               {shape, dtype}));
  }
  const int64_t length = p.pick<int64_t>({32, 96, 100}), taken = p.pick<int64_t>({8, 32});
  const Shape shape = off ? Shape{2, length} : Shape{length}, chosen = off ? Shape{2, taken} : Shape{taken};
  p.giveItself(p.made("gather", {p.input(shape, dtype), p.input(chosen, DataType::UInt32)},
                      "dim = " + std::to_string(off ? 1 : 0) + " : i32", {chosen, dtype}));
}

/// Off: sums and differences of whole numbers, which have kernels; indices of bf16.
void tessera::writeTakenTypes(PatternText &p, size_t off) {
  const int64_t rows = p.pick<int64_t>({32, 50, 64}), columns = p.pick<int64_t>({32, 100, 256});
  const DataType whole = DataType::Int32;
  const Shape shape{rows, columns};
  if (off == 1)
    return p.giveItself(p.reduce("sum", p.input(shape, whole), 1));
  if (off == 2)
    return p.giveItself(p.binary("subtract", p.input(shape, whole), p.input(shape, whole)));
  // Up to 256 whole numbers are the same in bf16.
  const DataType indices = off == 3 ? DataType::BFloat16 : whole;
  if (off == 0 && p.chance())
    return p.giveItself(p.reduce("mean", p.input(shape, whole), 1));
  // Given as they are: what is computed of them might lie beside the table.
  p.giveItself(p.made("embedding", {p.argument({{1, 40}, indices}), p.input(shape)}, "",
                      {{1, 40, columns}, DataType::BFloat16}));
}
