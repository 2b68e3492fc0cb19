//===- Runtime.h - From work to time --------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A program takes its launch, a start of its own, and as long as the resource
// that it keeps busy longest:
//
//   t = launch + start + smooth_max(compute, L1, NoC, DRAM)
//
// All cores share the DRAM: reads and writes share its bandwidth, writes alone
// reach less, and small accesses are bound by their number. Cycles per tile depend
// on the path the kernel takes: sharded tensors are used in place, others come and
// go page by page over the NoC, from L1 or DRAM. docs/op-model.md, "Time", has the
// formulas, where they were fitted and their errors.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_RUNTIME_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_RUNTIME_H

#include "OpCall.h"

#include <initializer_list>
#include <optional>

namespace tessera::analytic {

/// What one op makes the device do. Cycles are those of the busiest core.
struct Work {
  double dramRead = 0, dramWrite = 0; ///< bytes, all cores together
  double dramAccesses = 0;            ///< that are smaller than a page, all cores together
  P dramWriteRate = P::DramWrite;     ///< depends on the NoC and channel that the kernel writes on
  double compute = 0;                 ///< cycles: unpack, math, pack
  double l1 = 0;                      ///< cycles: moving data within the core
  double noc = 0;                     ///< cycles: fetching and sending pages
  int programs = 1;                   ///< launched one after the other
  /// ns of each program before it has anything to do; unset: what streaming kernels take.
  std::optional<double> start = std::nullopt;
  double factor = 1;    ///< on all of the above but the launch
  double sharpness = 6; ///< of the overlap: see smoothMax
};

/// Resources that overlap: the slowest decides, and those close to it cost a little more than the maximum.
/// `sharpness` > 1; the larger, the closer to the maximum. 0 if all parts are.
/// Example: two parts of 100 at sharpness 6 are 100 * 2^(1/6) = 112; 100 and 50 are 100.3.
double smoothMax(double sharpness, std::initializer_list<double> parts);

/// Cycles per tile per core, by path.
struct PathCost {
  P sharded, l1, dram;
};

/// A kernel whose tiles pass a core one by one: latency of one tile of 2048 bytes by path; two thirds of it
/// do not depend on the bytes.
struct StreamCost {
  P start;                                ///< ns
  P dram, l1;                             ///< cycles per tile: any tensor in DRAM; all in L1, not all sharded
  P write = P::DramWrite;                 ///< rate of writes to the DRAM
  std::optional<P> more = std::nullopt;   ///< cycles per tile on top
  std::optional<P> factor = std::nullopt; ///< on the time of the kernel
};
/// Copies of whole tiles, also concat, ternary ops.
inline constexpr StreamCost kTileCopy = {P::CopyStart, P::CopyDram, P::CopyL1, P::DramCopyWrite};

/// In the order of what they cost, so that the larger of two decides.
enum class Path : uint8_t { Sharded, L1, Dram };
/// The slowest path that an operand or a result of the call needs.
Path slowestPath(const OpCall &call);
/// Cost of one tile relative to a tile of 2048 bytes: most of it does not depend on the bytes.
double byteFactor(const Parameters &parameters, int64_t tile);
/// Tiles on the busiest core, their bytes, the path they take, what all cores read and write in DRAM; cycles
/// of arithmetic per tile.
struct Stream {
  int64_t tiles, tileBytes;
  Path path;
  double dramRead = 0, dramWrite = 0, compute = 0;
};
OpRuntime streamTime(const OpCall &call, const StreamCost &cost, const Stream &stream);
/// Time of `tiles` tiles on the busiest core that stream as `cost` says; at least `compute` cycles each.
/// Sharded tensors that are not used in place count as L1.
OpRuntime streamTime(const OpCall &call, int64_t tiles, const StreamCost &cost, double compute = 0);
/// The same, of less than all of the call's DRAM traffic.
OpRuntime streamTime(const OpCall &call, int64_t tiles, const StreamCost &cost, double compute,
                     double dramRead, double dramWrite);

/// Rows of row-major tensors, one by one: cycles per row, bytes per cycle.
struct StickCost {
  P start, stick, rate;
};
/// Adds the DRAM traffic of the call.
OpRuntime stickTime(const OpCall &call, double sticksPerCore, double stickBytes, const StickCost &cost);
/// The same of a program that is not all of the call: bytes read and written in DRAM.
OpRuntime stickTime(const OpCall &call, double sticksPerCore, double stickBytes, const StickCost &cost,
                    double dramRead, double dramWrite);

/// Time of the call by its family's formula, and what no formula can do away with: the first page of a tensor
/// in DRAM arrives later, the last is written later than one in L1 whatever overlaps in between; the results'
/// bytes take as long as the DRAM needs for them; a shard that leaves or reaches its core passes one link; and there
/// is a shortest kernel. Nothing is added where nothing runs.
OpRuntime runtimeOf(const OpCall &call);

/// Least time in which bytes can pass the DRAM.
Nanoseconds timeAtPins(const OpCall &call, double bytes);

/// GHz, never 0.
double clockOf(const DeviceSpec &device);

/// Time of `work`. Parts overlap within a program.
OpRuntime timeOf(const OpCall &call, const Work &work);
/// The same for a program that is not an op of its own.
OpRuntime timeOf(const DeviceSpec &device, const Parameters &parameters, const Work &work);
/// Programs one after the other.
void addTime(OpRuntime &sum, const OpRuntime &more, double times = 1);
/// No device work at all: views, host-side bookkeeping.
OpRuntime noTime();

/// Adds the DRAM bytes of operands and results and, for `tilesPerCore` tiles on the busiest core, the cycles
/// of the slowest path that any of them needs.
Work streamWork(const OpCall &call, int64_t tilesPerCore, const PathCost &cost);
inline constexpr StreamCost kTransposeTiles = {P::TransposeStart, P::TransposeDram, P::TransposeL1,
                                               P::DramCopyWrite};
/// Height and width of one interleaved tensor change places, tile by tile.
OpRuntime transposeTime(const OpCall &call, const TensorRef &tensor);
inline constexpr StreamCost kTypecastTiles = {P::TypecastStart, P::TypecastDram, P::TypecastL1};
/// A tensor's tiles of `from` bytes become such of `to` bytes, where they lie.
OpRuntime castTime(const OpCall &call, const TensorRef &tensor, int64_t from, int64_t to);
/// The call on bf16, between a conversion of its operand and one of its result, which it has one of each.
OpRuntime timeByWayOfBf16(const OpCall &call);
/// DRAM bytes of the call's operands and results.
void addDramTraffic(const OpCall &call, Work &work);

/// Tiles on the busiest core of a kernel that splits the result's tiles: shards if sharded in place.
int64_t busiestTiles(const OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_RUNTIME_H
