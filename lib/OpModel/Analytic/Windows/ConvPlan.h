//===- ConvPlan.h - How a convolution is cut into blocks -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_CONVPLAN_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_CONVPLAN_H

#include "Window.h"
#include "tessera/OpModel/OpModel.h"

#include <vector>

namespace tessera::analytic {

class OpCall;
class MemoryUse;

/// What the query says of the convolution, or null: the library decides.
const Conv2dConfig *convConfig(const OpCall &call);

/// What lies in L1 of an operand whose windows are folded into channels. Of height shards every core needs whole rows of windows.
struct FoldedShards {
  int64_t cores = 0, rows = 0; ///< 0: nothing was folded, or not in shards; rows of a shard that is folded
  int64_t bytes = 0, peakBytes = 0; ///< per core, once folded and while it is
  /// What is made before, per core: the copy with whole tiles in each row of the image, rows of tiled shards, shards on other cores.
  int64_t copy = 0, given = 0, moved = 0;
};

/// The blocking of one conv2d; sizes in tiles unless said otherwise. facts/formulas 11.
struct ConvPlan {
  Window window;       ///< of one slice
  bool valid = false;  ///< the attributes make sense
  bool sliced = false; ///< works from DRAM to DRAM, slice by slice
  /// Of the image, in rows or columns of the result; those of other sizes stand in `others`.
  int64_t slices = 1;
  bool matmul = false; ///< a 1x1 window: no halo, the shards go straight into a matmul

  MemoryLayout kind = MemoryLayout::HeightSharded;
  int64_t pixelCores = 1, channelCores = 1; ///< cores that share the pixels, and the channels
  int64_t perCoreM = 1, perCoreN = 1;       ///< output tiles per core
  int64_t blockH = 1;                       ///< act_block_h
  int64_t blockW = 1;                       ///< act_block_w
  int64_t kBlocks = 1;                      ///< blocks of blockW along the inner dimension
  int64_t channels = 1;                     ///< padded input channels per core, in elements

  int64_t inShard = 0, halo = 0, outShard = 0; ///< bytes per core
  int64_t tables = 0,
          exchange = 0; ///< of the readers, and of the halo exchange; bytes per core; not of staged plans

  // What only stagedPlan() knows.
  bool staged = false;      ///< made by stagedPlan()
  bool folded = false;      ///< windows that do not overlap were folded into channels: a 1x1 window is left
  bool interleaved = false; ///< the matmul of a 1x1 window runs on the interleaved operand
  bool moved = false;       ///< the operand goes to shards that the convolution chose
  bool kindGiven = true;    ///< there is a kind to move to
  bool fits = true;         ///< slices were found that fit, where the backend chooses them
  bool tiledShards = true;  ///< of the operand, when halos are exchanged
  int64_t outCores = 1;     ///< cores that share the output channels
  int64_t coreRows = 0;     ///< rows of tiles that cores are chosen for; 0: those of the result
  FoldedShards fold;
  std::vector<ConvPlan> others; ///< of slices of other sizes

  /// That take part; with work or without.
  int64_t cores() const { return pixelCores * channelCores; }
  /// Rows and columns of shards of the result: pixels go down, channels across.
  GridShape outGrid() const;
};

/// A plain convolution of the operand with zeros between its elements.
bool isTransposed(const OpCall &call);
/// A window along one dimension, in each channel by itself, without a bias: the library has a kernel for it that works on height shards, and
/// that multiplies blocks with weights of as many rows (ttnn 0.81.1: conv2d_utils.cpp, is_1d_depthwise_conv).
bool isDepthwise1d(const OpCall &call);

/// The plan of a plain, ungrouped convolution as tt-metal has made it since 2026: conv2d_utils.cpp. ConvStages.cpp.
ConvPlan stagedPlan(const OpCall &call, const Window &window);
/// The circular buffers of its programs, and what its tensors take. ConvBuffers.cpp.
void stagedMemory(const OpCall &call, const ConvPlan &plan, MemoryUse &use);
/// What it makes in L1, in order, if it is not sliced and its operand goes to shards. ConvBuffers.cpp.
void tensorsInOrder(const OpCall &call, const ConvPlan &plan, MemoryUse &use);
/// Tiles of the interleaved operand, once it is tilized, that are moved to where the operand was, which the call frees; 0 if none are.
int64_t movedTiles(const OpCall &call, const ConvPlan &plan);
/// The library frees the operand if it is told to, but for shards that the kernel reads where they lie (asked of ttnn 0.77.0 and 0.81.1).
bool freesIfTold(const OpCall &call, const ConvPlan &plan);
/// What the kernel alone takes, by which kinds and numbers of slices are chosen.
int64_t kernelDemand(const OpCall &call, const ConvPlan &plan);
/// The kind of shards that the config names; nullopt: the library chooses.
std::optional<MemoryLayout> configuredKind(const OpCall &call);
/// The convolution proper writes rows; the matmul of a 1x1 window writes tiles all the same.
bool writesRows(const OpCall &call);
/// Whether the config says that windows are to be folded into channels, or not to be; nothing if it leaves that to the library.
std::optional<bool> toldToFold(const OpCall &call);
/// act_block_h_override in tiles.
int64_t blockOverride(const OpCall &call);
/// Rows of tiles of the result that blocks divide; width shards count whole tiles only.
int64_t blockRows(const ConvPlan &plan);
/// Bytes of the table by which the kernel's readers find their input, of the core that needs most.
int64_t readerTable(const OpCall &call, const ConvPlan &plan);
/// What drives the exchange of halos; nothing if there is none.
HaloTables haloExchange(const OpCall &call, const ConvPlan &plan);
/// Bytes of one stick of a core's shard once halos are exchanged.
int64_t haloStick(const OpCall &call, const ConvPlan &plan);

/// The plan of the call, worked out once.
const ConvPlan &convPlan(const OpCall &call);
/// Bytes of one tile of weights or bias: of the type that the config names, else of the activation's; since 2026 of
/// their own.
int64_t convWeightTile(const OpCall &call);
/// The circular buffers of the convolution proper, of a plan that stagedPlan() did not make.
void convBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use);
/// L1 per core that input shard, halo and output shard take at their peak.
int64_t convTensors(const OpCall &call, const ConvPlan &plan);
/// The programs one after the other, slice by slice.
OpRuntime convRuntime(const OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_CONVPLAN_H
