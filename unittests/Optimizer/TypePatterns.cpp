//===- TypePatterns.cpp - What the device refuses for its types -----------===//
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
  switch (off == 3 ? 0 : p.below(3)) {
  case 0:
    return p.giveItself(p.made("embedding", {p.input({1, 40}, indices), p.input(shape)}, "",
                               {{1, 40, columns}, DataType::BFloat16}));
  case 1:
    return p.giveItself(p.reduce("mean", p.input(shape, whole), 1));
  default:
    return p.giveItself(p.made("divide", {p.input(shape, whole), p.input(shape, whole)}, "", {shape, whole}));
  }
}
