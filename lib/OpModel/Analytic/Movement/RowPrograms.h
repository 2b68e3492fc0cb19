//===- RowPrograms.h - Time of programs that work on rows -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Many ops are composed of them: a tiled tensor whose border falls inside a tile
// is untilized, moved row by row, and tilized again. Each is a program of its own,
// with a launch and a start, between interleaved tensors.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_ROWPROGRAMS_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_ROWPROGRAMS_H

#include "../Runtime.h"

namespace tessera::analytic {

/// Rows of more tiles than that a gather does not hold: all cores share the indices of one row after the other, and each streams the row past
/// every tile of its indices (tt-metal gather_device_operation.cpp, GATHER_WT_THRESHOLD).
inline constexpr int64_t kMostTilesGathered = 60;

/// An interleaved tensor, in rows or tiles, that need not be an operand of the op.
struct Plane {
  int64_t batch, height, width;
  int64_t scalar, tile; ///< bytes of an element, of a tile
  bool dram;

  int64_t rows() const { return batch * height; }
  int64_t rowBytes() const { return width * scalar; }
  int64_t tileRows() const { return batch * ceilDiv(height, 32); }
  int64_t tileCols() const { return ceilDiv(width, 32); }
  int64_t tiles() const { return tileRows() * tileCols(); }
  bool wholeTiles() const { return height % 32 == 0 && width % 32 == 0; }
  double bytesOfRows() const { return double(rows() * rowBytes()); }
  double bytesOfTiles() const { return double(tiles() * tile); }
  /// Height and width change places.
  Plane turned() const { return {batch, width, height, scalar, tile, dram}; }
};
/// As the tensor lies.
Plane planeOf(const TensorRef &tensor);
/// The same where its tiles, or its elements in rows, have another type.
Plane planeOf(const TensorRef &tensor, int64_t tile);
Plane planeOf(const TensorRef &tensor, int64_t tile, int64_t scalar);

/// Between rows and tiles of the same tensor; the result in DRAM if `toDram`, else in L1.
OpRuntime tilizePlane(const OpCall &call, const Plane &plane, bool toDram);
/// A plane of whole tiles by the kernel that gives each core whole rows of tiles, however wide they are.
OpRuntime tilizeWholeRows(const OpCall &call, const Plane &plane, bool toDram);
OpRuntime untilizePlane(const OpCall &call, const Plane &plane, bool toDram);

/// Rows of which each is read whole and written whole: by permutes that leave the last dimension alone,
/// concat, pad, repeat. `pieces`: reads that a row of the result takes; `dramRead`: bytes that come from the DRAM.
OpRuntime copyRows(const OpCall &call, const Plane &result, double pieces, double dramRead);
/// Height and width of a row-major tensor change places, 32 x 32 elements at a time.
OpRuntime turnRows(const OpCall &call, const Plane &plane);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_ROWPROGRAMS_H
