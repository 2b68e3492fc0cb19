//===- RowPrograms.cpp - Time of programs that work on rows ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rows are short commands, of which each takes a time of its own whatever it brings: so times here are a count of rows
// and a rate of bytes. Which of several kernels runs depends on shape and cores: a tensor that ends inside a tile takes
// the one that fills up or cuts off, a wide one that in square blocks, where rows of tiles would keep few cores busy.
//
//===----------------------------------------------------------------------===//
#include "RowPrograms.h"

#include "../Conversions/TilePlan.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

void addTraffic(Work &work, double read, bool fromDram, double written, bool toDram) {
  work.dramRead += fromDram ? read : 0;
  work.dramWrite += toDram ? written : 0;
  work.dramWriteRate = P::DramCopyWrite;
}

/// A core with a single block reads it, works on it and writes it: nothing overlaps.
double overlap(double blocks) { return std::clamp(blocks, 1.0, 6.0); }

/// How the kernels share the plane out: whole rows of tiles, or blocks.
TilePlan planOf(const OpCall &call, const Plane &plane) {
  return {
      call, {plane.tileRows(), plane.tileCols()}, ceilDiv(plane.height, 32), plane.tile, 1024 * plane.scalar};
}

/// Rows of tiles in the blocks of one core: it has one of every matrix, or several where there is no side with a core for each.
int64_t rowsOfBlocks(const TilePlan &plan) {
  int64_t matrices = std::max<int64_t>(1, plan.rows / plan.height), side = plan.sideOfBlocks();
  return std::min(side, plan.height) * matrices * ceilDiv(plan.blocks(side, plan.height), plan.cores);
}

/// Rows are read one at a time; the data-movement core writes the padding. `inBlocks`: a core has blocks, not whole rows of tiles.
OpRuntime tilizePadded(const OpCall &call, const Plane &plane, bool toDram, const TilePlan &plan,
                       bool inBlocks) {
  double rows = double(inBlocks ? rowsOfBlocks(plan) : ceilDiv(plan.rows, plan.cores));
  double columns = double(inBlocks ? std::min(plan.sideOfBlocks(), plan.columns) : plan.columns);
  double count = rows * double(std::min<int64_t>(32, plane.height)),
         tileRow = 32 * columns * double(plane.scalar);
  double page = std::min(double(plane.rowBytes()), tileRow), padding = rows * 32 * tileRow - count * page;
  Work work;
  work.noc = count * (call[plane.dram ? P::PadStickDram : P::PadStickL1] + page / call[P::PadRate]) +
             std::max(0.0, padding) / call[P::PadFill];
  work.start = call[P::PadStart];
  addTraffic(work, plane.bytesOfRows(), plane.dram, plane.bytesOfTiles(), toDram);
  return timeOf(call, work);
}

/// Rows of a block are read one at a time.
OpRuntime tilizeBlocks(const OpCall &call, const Plane &plane, bool toDram, const TilePlan &plan) {
  Work work;
  double sticks = double(32 * rowsOfBlocks(plan));
  double bytes = double(plan.sideOfBlocks() * 32 * plane.scalar);
  work.noc = sticks * (call[P::TilizeBlockStick] + bytes / call[P::TilizeBlockRate]);
  work.start = call[P::TilizeStart];
  addTraffic(work, plane.bytesOfRows(), plane.dram, plane.bytesOfTiles(), toDram);
  return timeOf(call, work);
}

} // namespace

Plane planeOf(const TensorRef &tensor, int64_t tile, int64_t scalar) {
  return {tensor.batch, tensor.height, tensor.width, scalar, tile, tensor.dram()};
}
Plane planeOf(const TensorRef &tensor, int64_t tile) { return planeOf(tensor, tile, tensor.scalar); }
Plane planeOf(const TensorRef &tensor) { return planeOf(tensor, tensor.tile); }

OpRuntime tilizePlane(const OpCall &call, const Plane &plane, bool toDram) {
  TilePlan plan = planOf(call, plane);
  plan.staging = answersAsNewest(call);
  bool inBlocks = plan.tilizesBlocks(plane.height * plane.width);
  if (!plane.wholeTiles())
    return tilizePadded(call, plane, toDram, plan, inBlocks);
  return inBlocks ? tilizeBlocks(call, plane, toDram, plan) : tilizeWholeRows(call, plane, toDram);
}

OpRuntime tilizeWholeRows(const OpCall &call, const Plane &plane, bool toDram) {
  // One block = one row of tiles: read 32 rows, tilize, write.
  double blocks = double(ceilDiv(plane.tileRows(), call.cores()));
  Work work;
  addTraffic(work, plane.bytesOfRows(), plane.dram, plane.bytesOfTiles(), toDram);
  work.noc = blocks * 32 * (call[P::TilizeStick] + double(plane.rowBytes()) / call[P::TilizeRate]) +
             double(plane.tileCols()) * call[P::TilizeBlock];
  work.start = call[P::TilizeStart];
  work.sharpness = overlap(blocks);
  return timeOf(call, work);
}

OpRuntime untilizePlane(const OpCall &call, const Plane &plane, bool toDram) {
  // A row of tiles, or a square of them, at a time.
  TilePlan plan = planOf(call, plane);
  bool inBlocks = plane.wholeTiles() ? plan.untilizesBlocks() : plan.unpadsBlocks();
  double blocks = double(inBlocks ? rowsOfBlocks(plan) : ceilDiv(plane.tileRows(), call.cores()));
  double columns = double(inBlocks ? std::min(plan.sideOfBlocks(), plan.columns) : plane.tileCols());
  double rowBytes = std::min(double(plane.rowBytes()), columns * 32 * double(plane.scalar));
  Work work;
  addTraffic(work, plane.bytesOfTiles(), plane.dram, plane.bytesOfRows(), toDram);
  work.compute = blocks * (call[P::UntilizeRow] + columns * call[P::UntilizeTile]);
  work.start = call[P::UntilizeStart];
  // Tiles are fetched one by one, and each is waited for.
  work.l1 = blocks * columns * call[P::MachineReadWait] * clockOf(call.device());
  if (plane.wholeTiles())
    work.noc = blocks * 32 * (call[P::UntilizeStick] + rowBytes / call[P::UntilizeRate]);
  else
    work.noc = blocks * double(std::min<int64_t>(32, plane.height)) *
               (call[P::UnpadStick] + rowBytes / call[P::UnpadRate]);
  return timeOf(call, work);
}

OpRuntime copyRows(const OpCall &call, const Plane &result, double pieces, double dramRead) {
  double rows = double(ceilDiv(result.rows(), call.cores()));
  // A row is waited for as it comes and as it goes, by one processor each: the slower end counts.
  bool dram = result.dram || dramRead > 0;
  Work work;
  work.noc = rows * (pieces * call[dram ? P::CopyRowsStick : P::CopyRowsStickL1] +
                     double(result.rowBytes()) / call[P::CopyRowsRate]);
  work.start = call[P::CopyRowsStart];
  addTraffic(work, dramRead, true, result.bytesOfRows(), result.dram);
  return timeOf(call, work);
}

OpRuntime turnRows(const OpCall &call, const Plane &plane) {
  // Every row of a block is read, every column written, in pieces of up to 32 elements.
  int64_t blocks = plane.batch * ceilDiv(plane.height, 32) * ceilDiv(plane.width, 32);
  double pieces = double(plane.batch *
                         (plane.height * ceilDiv(plane.width, 32) + plane.width * ceilDiv(plane.height, 32)));
  Work work;
  work.noc = double(ceilDiv(blocks, call.cores())) * pieces / double(blocks) * call[P::TurnPiece];
  work.start = call[P::PermuteStart];
  addTraffic(work, plane.bytesOfRows(), plane.dram, plane.bytesOfRows(), plane.dram);
  return timeOf(call, work);
}

} // namespace tessera::analytic
