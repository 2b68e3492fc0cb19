//===- PageFormat.h - Elements as the bytes of a page ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_PAGEFORMAT_H
#define TESSERA_LIB_SIMULATOR_PAGEFORMAT_H

#include "tessera/Simulator/DenseTensor.h"
#include "llvm/ADT/ArrayRef.h"

namespace tessera::simulator {

/// The part of a dense tensor that a page holds: of row `rowOf[r]` the elements [begin, begin + columns), as far as
/// they are within [0, width).
struct PageRows {
  llvm::ArrayRef<int64_t> rowOf; ///< -1: a row of padding
  int64_t begin = 0;
  int64_t width = 0;   ///< of the tensor
  int64_t columns = 0; ///< of the page
};

/// Whether pages can hold that type: f32, bf16, bfp_bf8, bfp_bf4 and the integers.
bool isStorable(DataType type);

/// Writes a page, padding included. Tiles are 32 x 32; other pages are one row. Scalars are little-endian.
void storePage(DataType type, bool tiled, const DenseTensor &values, const PageRows &rows, uint8_t *bytes);
/// Reads the elements of a page.
void loadPage(DataType type, bool tiled, DenseTensor &values, const PageRows &rows, const uint8_t *bytes);

} // namespace tessera::simulator

#endif // TESSERA_LIB_SIMULATOR_PAGEFORMAT_H
